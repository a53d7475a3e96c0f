"""The requests that may be habits, in English and Chinese: what is asked for about the way of answering."""

import re
from dataclasses import dataclass
from typing import Final

_I: Final = re.IGNORECASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A request that may be a habit: how it is recognised, what it shows, and the setting that makes it needless.

    ``words`` are pieces of which every match holds one: a cheap search before the pattern. It counts from ``times``
    messages in ``dialogs`` dialogs on.
    """

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    statements: tuple[str, str]
    setting: str | None = None
    dialogs: int = 2
    times: int = 2


# "Is it shorter than the other road?" is of things; "shorter than before" is of answers.
_OF_THINGS: Final = r"(?! than (?!before|last|usual|(?:that|this)\W*$|the (?:last|previous)|your\b))"

HABITS: Final = (
    Habit(
        name="shorter answers",
        pattern=re.compile(
            rf"\b(?:shorter{_OF_THINGS}|short version(?! of the (?:film|movie|book|song|dress|story))"
            r"|keep (?:it|this|that|them) (?:short|brief)"
            r"|more (?:briefly|concise\w*)"
            r"|less wordy|(?:too|so) wordy|in (?:one|a|two|three) (?:sentences?|lines?)|tl;?dr"
            r"|boil (?:it|that|this) down"
            r"|(?:shorten|trim|condense|summari[sz]e) (?:it|that|this)|(?:just|only) the (?:answer|gist))\b"
            r"|(?:^|\b(?:it|that|this|answers?|repl(?:y|ies)|explanations?|texts?|responses?|still|way|far|again)\b)"
            r"(?:'s| is| was| are)?\W*(?:still |way |far |much |a bit )*too long\b"
            r"|短一?[点些]|简短|简洁|[一两三]两?句话|(?:^|[，,。！\s]|还是|回[答复]|答案|解释|有点|又|[说写讲]得?|这也|[这那])太长|精简|精炼|长话短说|(?:别|不要)\w{0,3}(?:这么|那么)长|简单说"
            r"|(?:压缩|缩|控制)[到成在]?[一两三二]行",
            _I,
        ),
        words=(
            "short",
            "brief",
            "concise",
            "wordy",
            "sentence",
            "line",
            "tl",
            "boil",
            "trim",
            "condense",
            "summari",
            "the answer",
            "the gist",
            "too long",
            "短",
            "简洁",
            "句话",
            "太长",
            "么长",
            "精简",
            "精炼",
            "简单",
            "一行",
            "两行",
            "二行",
            "三行",
        ),
        statements=("Asks for shorter answers again and again", "多次要求回答更简短"),
        setting="detail_level",
    ),
    Habit(
        name="longer answers",
        pattern=re.compile(
            rf"\b(?:more detail\w*|elaborate|longer(?! (?:tunnels?|roads?|walks?|trips?|days?|nights?|hours)\b)"
            rf"{_OF_THINGS}"
            r"|go deeper(?! (?:in|into|down) (?:the|a)\b)|(?:in|more) depth|expand on"
            r"|flesh (?:it|this|that) out"
            r"|tell me more|say more)\b|详细|展开(?:说|讲|写|一?[点些下])|再展开|具体一?[点些]|再具体"
            r"|多[说讲写]一?[点些]"
            r"|[写讲]长一?[点些]|[说讲写]细一?[点些]",
            _I,
        ),
        words=(
            *("detail", "elaborate", "longer", "deeper", "depth", "expand", "flesh", "me more", "say more"),
            *("详细", "展开", "具体", "多说", "多讲", "多写", "长一", "长点", "长些", "细一", "细点", "细些"),
        ),
        statements=("Asks for more detailed answers again and again", "多次要求回答更详细"),
        setting="detail_level",
    ),
    Habit(
        name="tables",
        pattern=re.compile(
            r"\b(?:as|in|into|make (?:it|that|this)) a table\b|\btabulate\b|\btable (?:form(?:at)?|please)\b"
            r"|\ba table (?:please|would)\b|表格|[列做弄画整]成?(?:一?个|张)?表(?!示|达|演|明|面|情|扬)",
            _I,
        ),
        words=("table", "tabulate", "表格", "成表", "个表", "张表", "列表", "做表", "弄表", "画表", "整表"),
        statements=("Asks for answers in tables again and again", "多次要求用表格回答"),
        setting="prefer_table",
    ),
    Habit(
        name="lists",
        pattern=re.compile(
            r"\bbullet(?:ed|s)?(?: points?| lists?)?\b|\b(?:as a|in) list\b|\blist form(?:at)?\b"
            r"|分[点条](?:说|列|写|回|讲|来)?|列表|[列做写]成?个?清单|一[条点]一[条点]",
            _I,
        ),
        words=("bullet", "list", "分点", "分条", "列表", "清单", "一条", "一点"),
        statements=("Asks for answers as lists again and again", "多次要求分点列出回答"),
    ),
    Habit(
        name="code",
        pattern=re.compile(
            r"\b(?:show|give) me (?:the |some |sample )?code\b|\bcode (?:example|snippet|sample)s?\b|\bsample code\b"
            r"|\bwith code\b|给(?:我)?(?:个|一?段)?代码|代码示例|示例代码|[贴上来写](?:一?[段点个]|些)?代码",
            _I,
        ),
        words=("code", "代码"),
        statements=("Asks for code in answers again and again", "多次要求回答附上代码"),
    ),
    Habit(
        name="examples",
        pattern=re.compile(
            r"\b(?:an|another|with|some|for) examples?\b(?! of (?:this|that|it) (?:is|was))|\bfor instance\W*$"
            r"|举(?:个|几个)?例|例子|来个实例|^比如呢?[？?]",
            _I,
        ),
        words=("example", "for instance", "举", "例子", "实例", "比如"),
        statements=("Asks for examples in answers again and again", "多次要求回答举例说明"),
    ),
    Habit(
        name="plain words",
        pattern=re.compile(
            r"\b(?:simpler(?! (?:life|times?|days|way))|in plain (?:english|words)|like i'?m five|eli5"
            r"|dumb (?:it|that|this) down"
            r"|layman'?s terms)\b|通俗|简单一?点说|[讲说]得?简单一?[点些]|说人话|白话",
            _I,
        ),
        words=("simpler", "plain", "five", "eli5", "dumb", "layman", "通俗", "简单", "说人话", "白话"),
        statements=("Asks for plainer words again and again", "多次要求用更通俗的话解释"),
    ),
    Habit(
        name="no greeting",
        pattern=re.compile(
            r"\b(?:skip|cut|drop|stop|no|without|enough(?: of)?)(?: \w+){0,2}? (?:greetings?|pleasantries|small ?talk"
            r"|preambles?|chit-?chat|intro(?:duction)?s?|niceties)\b"
            r"|\b(?:get|straight|cut) to the (?:point|chase)\b(?! of\b)"
            r"|\b(?:don'?t|no need to|stop) (?:start(?:ing)? with|say(?:ing)?) (?:hello|hi|hey)\b"
            r"|(?:不要|别|不用|跳过|省略|去掉|少|免)\w{0,4}(?:寒暄|客套|开场白|问候|问好|铺垫)"
            r"|(?:寒暄|客套|开场白|问候|铺垫)\w{0,2}(?:省|免|去掉|跳过)|直接(?:说|讲|给|上)(?:重点|结论|答案)|直接答",
            _I,
        ),
        words=(
            "greeting",
            "pleasantr",
            "small",
            "preamble",
            "chit",
            "intro",
            "nicet",
            "point",
            "chase",
            "hello",
            "say hi",
            "saying hi",
            "with hi",
            "say hey",
            "with hey",
            "saying hey",
            "寒暄",
            "客套",
            "开场白",
            "问候",
            "问好",
            "铺垫",
            "直接",
        ),
        statements=("Asks to skip greetings and preambles again and again", "多次要求省略寒暄和开场白"),
        setting="skip_greeting",
    ),
    Habit(
        name="interruptions",
        pattern=re.compile(
            r"^\W*(?:(?:ok(?:ay)?|hey|no|wait)[,. ]+)?(?:stop(?: it| there| talking| right there)?|enough(?: already)?"
            r"|that's enough|hold on|wait(?:,? wait)?|cut it(?: out| short)?|i got it|got it already"
            r"|skip (?:it|this|the rest|ahead))(?=\W*$|[,.!…])"
            r"|^\W*(?:打住|停{1,4}|停一下|(?:够了){1,3}|别说了|不用说了|先停|等等|等一下|好了好了|行了行了|行了|知道了知道了|跳过)"
            r"(?=\W*$|[，,。.！!…])",
            _I,
        ),
        words=(
            "stop",
            "enough",
            "hold on",
            "wait",
            "cut it",
            "got it",
            "skip",
            "打住",
            "停",
            "够了",
            "别说",
            "不用说",
            "等",
            "好了",
            "行了",
            "知道了",
            "跳过",
        ),
        statements=(
            "Interrupts long answers again and again, wants short answers",
            "多次打断冗长的回答，希望回答更简短",
        ),
        setting="detail_level",
        dialogs=1,
        times=3,
    ),
)

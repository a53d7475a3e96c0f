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


HABITS: Final = (
    Habit(
        name="shorter answers",
        pattern=re.compile(
            r"\b(?:shorter|more (?:briefly|concise\w*)|less wordy|in (?:one|a) (?:sentence|line)|tl;?dr"
            r"|summari[sz]e (?:it|that|this)|too long)\b|短一?[点些]|简短|简洁|一句话|太长|精简|长话短说",
            _I,
        ),
        words=(
            "shorter",
            "brief",
            "concise",
            "wordy",
            "sentence",
            "line",
            "tl",
            "summari",
            "too long",
            "短",
            "简洁",
            "一句话",
            "太长",
            "精简",
        ),
        statements=("Asks for shorter answers again and again", "多次要求回答更简短"),
        setting="detail_level",
    ),
    Habit(
        name="longer answers",
        pattern=re.compile(
            r"\b(?:more detail\w*|elaborate|longer|go deeper|in depth)\b|详细|再展开|具体一?[点些]|多说一?[点些]", _I
        ),
        words=("detail", "elaborate", "longer", "deeper", "depth", "详细", "展开", "具体", "多说"),
        statements=("Asks for more detailed answers again and again", "多次要求回答更详细"),
        setting="detail_level",
    ),
    Habit(
        name="tables",
        pattern=re.compile(r"\b(?:as|in|into) a table\b|\btabulate\b|表格", _I),
        words=("table", "tabulate", "表格"),
        statements=("Asks for answers in tables again and again", "多次要求用表格回答"),
        setting="prefer_table",
    ),
    Habit(
        name="lists",
        pattern=re.compile(r"\bbullet (?:points?|list)\b|\bas a list\b|分点|列表|列个清单|列清单", _I),
        words=("bullet", "list", "分点", "列表", "清单"),
        statements=("Asks for answers as lists again and again", "多次要求分点列出回答"),
    ),
    Habit(
        name="code",
        pattern=re.compile(
            r"\b(?:show|give) me (?:the |some )?code\b|\bwith (?:a )?code example\b|给(?:我)?(?:个|一段)?代码"
            r"|代码示例",
            _I,
        ),
        words=("code", "代码"),
        statements=("Asks for code in answers again and again", "多次要求回答附上代码"),
    ),
    Habit(
        name="examples",
        pattern=re.compile(r"\b(?:an|another|with|some|for) examples?\b|举(?:个|几个)?例|例子", _I),
        words=("example", "举", "例子"),
        statements=("Asks for examples in answers again and again", "多次要求回答举例说明"),
    ),
    Habit(
        name="plain words",
        pattern=re.compile(
            r"\b(?:simpler|in plain (?:english|words)|like i'?m five|eli5)\b|通俗|简单一?点说|说人话|白话", _I
        ),
        words=("simpler", "plain", "five", "eli5", "通俗", "简单", "说人话", "白话"),
        statements=("Asks for plainer words again and again", "多次要求用更通俗的话解释"),
    ),
    Habit(
        name="no greeting",
        pattern=re.compile(
            r"\b(?:skip|cut|drop|stop|no|without|enough(?: of)?)(?: \w+){0,2}? (?:greetings?|pleasantries|small ?talk"
            r"|preambles?|chit-?chat|intro(?:duction)?s?|niceties)\b|\b(?:get|straight|cut) to the (?:point|chase)\b"
            r"|(?:不要|别|不用|跳过|省略|去掉|少)\w{0,4}(?:寒暄|客套|开场白|问候|铺垫)|直接(?:说|讲|给"
            r"|上)(?:重点|结论|答案)",
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
            "寒暄",
            "客套",
            "开场白",
            "问候",
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

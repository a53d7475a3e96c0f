"""Says whether words leave out what they are about ("not after three", "一点都不吃")."""

import re
from dataclasses import replace
from typing import Final

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED
from prefmem_pg.providers.offline.topics import TopicWord, topic_words

_I: Final = re.compile(r"\bI\b")
_WORD: Final = re.compile(r"[^\W_]+(?:[':.-][^\W_]+)*")
_PICTURED_THING: Final = re.compile(
    "[\U0001f32d-\U0001f37f\U0001f3a0-\U0001f3ff\U0001f400-\U0001f43f\U0001f950-\U0001f9af]"
)
# Words that say how, when, who and whether, but not what.
_EMPTY_WORDS: Final = """
    a all an and any anything are as at back be been before but by can can't cannot did do does doesn't don't dont
    either else even ever every everything first for from had has have he her him his i i'd i'll i'm i've if in is
    isn't it it's its just last less like love loved hate hated enjoy want wanted need needed me mine more most
    much my myself neither never no none nope not nothing now of often on one ones only or other our out over own
    please quite rather really same she since so some something soon still stuff such than thank thanks that
    that's the their them then there these they thing things this those though to too until us usually very was we
    were when whenever will with without won't would yes yet you your always again ever after before around about
    till am pm noon later once twice two three four five six seven eight nine ten eleven twelve take takes taken
    took use used eat eats drink drinks touch keep put get got give stand bear say said way lot bit least
    obviously honestly anymore longer today tonight tomorrow absolutely definitely totally completely second
    option fine okay ok good great that'd max remember know well done
    tired sick fed up bored done both we're we've we'd we'll everybody everyone nobody
    day days week weeks month months year years hour hours minute minutes time times haha lol hope
"""
_NO_CONTENT: Final = frozenset(_EMPTY_WORDS.split())
_SENSED: Final = frozenset(
    ["smell", "taste", "sound", "sight", "look", "feel", "thought", "idea", "used", "go", "gone", "near"]
)
_FRAGMENT: Final = re.compile(
    r"(?:(?:and|but|so|please|just|yes|oh)[, ]+)*(?:no|not|(?:never|don't|do not)(?! \w+ (?!without)\w)|only|without"
    r"|yes to|no to)\b"
    r"|\S+(?: \S+)? only\b|(?:un)?\S+,? always\W*$",
    re.IGNORECASE,
)
_CHINESE_FRAGMENT: Final = re.compile(r"不[加放][\u4e00-\u9fff]{1,3}的?$")
# "别吞掉" says what is not to be done, and not to what.
_NO_OBJECT: Final = re.compile(
    r"(?:别|不要|莫|勿)(?:再|都|给我)?[\u4e00-\u9fff]{1,2}(?:掉|丢|完|光|走|出来|进去|下去|起来)了?$"
)
_FRAGMENT_WORDS: Final = 4
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_TIMES: Final = (
    r"工作日|周末|周[一二三四五六日天]|星期[一二三四五六日天]|上午|中午|下午|晚上|早上|凌晨|半夜|睡前|饭后|饭前"
    r"|每[天晚周月年次]|平时"
    r"|[零一二两三四五六七八九十百\d]+(?:[点号月天次杯个只斤分半岁]|点半)|以后|之后|以前|之前|今后|往后|后来|现在"
    r"|如今|最近|已经|时候?|小时|早|晚"
)
_DOINGS: Final = (
    r"吃|喝|碰|沾|用|看|听|学|去|买|住|玩|穿|抽|加|放|坐|开|骑|追|点|考虑|打|做|接受|喜欢|爱|讨厌|戒|行|敢|受|选|逛"
    r"|闻|想吐|难受|头疼|头痛|心烦|睡|写|读|拿|带"
    r"|推荐|给|来|换|习惯|念|诱惑|折腾|清静|雷打不动|风雨不改|底线|百[逛看听吃玩]不[厌腻]|无感|不起|动|少|多|整|上"
    r"|搞|弄|让|翻|天下第一|永远的神|说|需要|能行|够|感觉|兴趣|胃口"
)
# "Keep that in mind when you suggest food", "以后推荐吃的记得考虑这一点": what, stands before it.
_POINTS_BACK: Final = re.compile(
    r"(?:(?:and|so|please|always|just)[, ]+)*(?:keep|bear|take|have|factor) (?:that|this|it) "
    r"(?:in(?: mind|to (?:account|consideration))?)\b"
    r"(?: (?:when|whenever|from|for|in|every|next|going|as|while)\b[^:;]*)?\W*"
    r"|[^，。：:我不喜爱讨怕]{0,10}?(?:请|要|都|也|帮我)*(?:记得|注意|考虑|记住|照顾|顾及|避开)(?:考虑|注意|照顾|避开|记住)?[到一下]{0,2}"
    r"(?:这|那)一?(?:点|条|个?(?:方面|情况|问题)|个)\W*",
    re.IGNORECASE,
)
_FELT: Final = re.compile(
    r"(?:(?:and|then|so|but)[, ]+)*my (?:stomach|belly|tummy|head|eyes?|skin|throat|back|feet) \w+\W*", re.IGNORECASE
)
_MORE_OF_A_NAME: Final = 3
_CHINESE_EMPTY: Final = re.compile(
    rf"下雨天|雨天|下雪天|{_TIMES}|{_DOINGS}|我们?|咱们?|你|您|自己|个人|本人|这[个种些样]?|那[个种些样]?|它们?"
    rf"|他们?|她们?"
    rf"|一[点口半些个条概律切]?|半点|完全|绝对|坚决|从来|从|永远|都|也|还|就|只|才|再"
    r"|烦[透死]|东西|事情"
    r"|又|很|挺|太|真|最|更|越|老|总|死|超|特别|非常|实在|基本|通通|统统|千万|拜托|麻烦|请|的|地|得|了|啦|呢|嘛|吧"
    r"|哈|啊|哦|呀|着|过|是|有|在|会|能|可以?|要|想|不|没|别|莫|勿|免|最好|必须|一定|而且|但是?"
    r"|不过|所以|因为|如果|或者|或|和|跟|对|图|个|到|起|后|前|里|好|坏|下|其实|反正|当然|倒|怎么着?|什么|啥|可"
)
# A time or a kind of weather may itself be what is liked; else it says when.
_TIME_LIKED: Final = re.compile(rf"(?:喜欢|偏爱|钟爱|讨厌|爱|怕|恨)(?:下雨天?|雨天|下雪天?|{_TIMES})\W*$")
_ABSTAINS: Final = re.compile(
    r"\bI(?:'ve)? (?:\w+ )?(?:no longer|don't|do not|hardly|barely|rarely|seldom|quit|stopped|gave"
    r" up) (?:drink(?:ing)?|smoke"
    r"|smoking)\W*$",
    re.IGNORECASE,
)
_NAME_EDGE: Final = re.compile(rf"(?:{_CHINESE_EMPTY.pattern})|[回成掉完杯份种家为把被将]|[^\u4e00-\u9fff]")
# What may be eaten, drunk, worn: the topics of the things that go with a verb.
_GOES_WITH: Final = (
    (re.compile(r"吃|\b(?:eats?|eating|taste)\b"), ("food",)),
    (re.compile(r"喝|\b(?:drinks?|drinking|sips?)\b"), ("drink", "food")),
    (re.compile(r"穿|戴|\b(?:wears?|wearing)\b"), ("style", "technology")),
    (re.compile(r"住|\bstay(?:ing)?\b"), ("travel", "home")),
    (re.compile(r"坐|骑|\b(?:fly|ride|drive)\b"), ("travel", "technology", "sport")),
    (re.compile(r"听|\blisten"), ("music", "reading", "film")),
    (re.compile(r"(?:只能|才|都|不)\S{0,6}[学上]$|\blearn"), ("learning", "music", "sport", "language")),
)


def is_bare(text: str) -> bool:
    """Say whether a text names nothing: all its words say how, when and whether."""
    if _PICTURED_THING.search(text):
        return False
    if _HAN.search(text):
        plain = text.translate(TO_SIMPLIFIED)
        rest = _CHINESE_EMPTY.sub("", re.sub(r"[\W_]+", "", plain))
        return not re.search(r"[^\W\d_]", rest) and not _TIME_LIKED.search(plain)
    words = [word.lower() for word in _WORD.findall(text)]
    if words[:1] == ["nothing"] or _ABSTAINS.search(text):
        return False  # "nothing before eleven" is of everything, "I no longer drink" of alcohol
    return all(word in _NO_CONTENT or word.replace(":", "").isdigit() for word in words)


def only_points(text: str) -> bool:
    """Say whether a text asks to mind what was said before it, or says how a part of the body felt of it."""
    return bool(_POINTS_BACK.fullmatch(text.translate(TO_SIMPLIFIED)) or _FELT.fullmatch(text))


def is_pronominal(text: str) -> bool:
    """Say whether an English text ends in "it" or "them" and names nothing ("I can't stand the smell of it")."""
    words = [word.lower() for word in _WORD.findall(text)]
    if _HAN.search(text) or not {"it", "them"}.intersection(words[-2:]):
        return False
    return all(word in _NO_CONTENT or word in _SENSED for word in words)


def is_fragment(text: str) -> bool:
    """Say whether a text is one of the short "no tabs", "carry-on only" and "不加糖的", which lean on others."""
    return (
        bool(_CHINESE_FRAGMENT.match(text))
        or lacks_object(text)
        or (bool(_FRAGMENT.match(text)) and len(text.split()) <= _FRAGMENT_WORDS and not _I.search(text))
    )


def lacks_object(text: str) -> bool:
    """Say whether a Chinese order leaves out what it is about, so that it says nothing alone."""
    return bool(_NO_OBJECT.match(text))


def missing_thing(text: str, before: str) -> TopicWord | None:
    """Return the last thing in ``before`` that the bare ``text`` may be about, or None."""
    wanted = next((topics for verb, topics in _GOES_WITH if verb.search(text)), None)
    found = [
        word
        for word in topic_words(before)
        if (word.is_thing or (wanted and word.form == "辣")) and word.topic not in ("schedule", "family")
    ]
    fitting = [word for word in found if wanted is None or word.topic in wanted]
    last = max(fitting, key=lambda word: word.start, default=None)
    return replace(last, start=_whole_name(before, last.start)) if last and _HAN.match(before, last.start) else last


def _whole_name(text: str, start: int) -> int:
    """Return where a Chinese name begins of which the lists know the end only ("竖琴|课")."""
    plain = text.translate(TO_SIMPLIFIED)
    edge = max((match.end() for match in _NAME_EDGE.finditer(plain, 0, start)), default=0)
    return edge if 0 < start - edge <= _MORE_OF_A_NAME else start

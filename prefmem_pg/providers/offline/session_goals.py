"""What the user is after in a session: goals as they are stated, reached and dropped, in English and Chinese. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.sessions import SessionGoal
from prefmem_pg.domain.text import detect_language, fold
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences

GOAL_HOURS: Final = 24
"""A goal is one of today: what was not reached by the next day is stated again, or is kept as a preference."""
MOST_GOALS: Final = 5
MAX_GOAL_CHARACTERS: Final = 200
SAME_GOAL: Final = 0.5
"""Share of the words of the shorter one from which on two wishes are about the same thing."""
_READ_CHARACTERS: Final = 2_000

_I: Final = re.IGNORECASE
_STATES: Final = re.compile(
    r"\b(?:I|we)(?:'d| would)?(?: \w+ly)? (?:want|need|have|like|love|hope|plan|intend) to (?!know\b|ask\b"
    r"|say\b|thank"
    r"|admit|see what|be honest|understand why)\w+"
    r"|\b(?:I|we)(?:'m| am|'re| are) (?:\w+ly )?(?:trying|planning|hoping|looking|aiming|going|about) (?:to|for) \w+"
    r"|\b(?:I|we) need (?:a|an|some|two|three|new|tickets|help)\b|\bhelp (?:me|us) (?:to )?\w+|\blet's \w+"
    r"|\b(?:my|our|the) goal (?:today |for today |here )?is\b|\b(?:can|could|would) you (?:please )?(?:help (?:me|us)"
    r"|book"
    r"|reserve|order|find|plan|buy|organi[sz]e|arrange)\b|^(?:please )?(?:book|reserve|order|find|plan|buy"
    r"|organi[sz]e"
    r"|arrange) (?:me|us|a|an|the|my|our|some|two|three)\b",
    _I,
)
_STATES_ZH: Final = re.compile(
    r"(?:我|我们|咱们?|今天|今晚|明天|下周|周末)[^，。！？]{0,6}(?:想要?|要|打算|准备|计划|得(?!了|到|的)|需要"
    r"|希望能?)(?!知道|问"
    r"|说|是|不|看看为什么)(?:[\u4e00-\u9fff]| ?[A-Za-z])"
    r"|^(?:请|麻烦)?你?(?:帮我|给我|帮忙)(?!看看是不是|解释)[\u4e00-\u9fff]|(?:目标|任务)是|^(?:还|也|再|另外)(?:想"
    r"|要|得|需要)[\u4e00-\u9fff]|^(?:想|打算|准备)[去买订找做学写换报吃看约][\u4e00-\u9fff]"
)
_NOT_STATED: Final = re.compile(
    r"\b(?:don't|do not|didn't|never|no longer|not) (?:\w+ )?(?:want|need|have|like|plan|going|looking)\b|\bused to\b"
    r"|\b(?:he|she|they) (?:want|need|plan)s?\b|[他她]们?(?:想|要|打算)|不(?:想|要|打算|准备)|没(?:想|打算)|以后(?:请"
    r"|都)|别再",
    _I,
)
_REACHED: Final = re.compile(
    r"^\W*(?:all |it'?s |that'?s |ok(?:ay)?,? |great,? |perfect,? |yes,? |yep,? )*(?:done|sorted|solved|fixed"
    r"|finished|completed"
    r"|booked|ordered|reserved|submitted|settled|bought|found (?:it|one)|got (?:it done|one|them|the \w+)"
    r"|it works?(?: now)?"
    r"|that (?:worked|works|did it|fixed it))\b"
    r"|\b(?:I|we)(?:'ve| have)?(?: just| already| finally)* (?:booked|bought|ordered|reserved|found|finished"
    r"|completed|fixed"
    r"|solved|sent|submitted|signed up|registered|paid|got|picked|chosen|chose|made|managed to \w+|cancelled"
    r"|passed|packed|written"
    r"|wrote"
    r"|cleaned|cooked|baked|planned|sorted|arranged|enrolled|moved)\b"
    r"|\b(?:I|we) can (?:\w+ ){1,4}now\b|^\W*(?:just |finally |already )*(?:booked|bought|ordered|found|finished"
    r"|fixed|sent"
    r"|submitted|paid|cancel+ed|sold|returned|cleaned|packed|sorted) (?:it|them|one|the|my|both|all)\b"
    r"|\b(?:is|are|it's|that's|they're) (?:all |now |finally |already )*(?:done|booked|ordered|sorted|solved|fixed"
    r"|finished"
    r"|submitted|settled|paid|reserved)\b",
    _I,
)
_REACHED_ZH: Final = re.compile(
    r"(?:订|买|找|搞|弄|办|做|写|交|发|寄|退|付|选|挑|定|约|修|改|学|考|装|搬|抢|租|取消|收拾|安排|准备|预约|预订"
    r"|报名|提交|整理"
    r"|打扫|联系|申请)"
    r"(?:好|到|定|完|成|过|上|妥|掉|出去|下来|下)(?:了|啦|咯|喽|嘞)|(?:完成|解决|搞掂|搞定|到手|预订成功|报上名|下单"
    r"|付款|提交"
    r"|出票)(?:了|啦|咯)"
    r"|已经(?:订|买|找|办|做|写|交|付|选|约|报名|下单|预约|提交)[\u4e00-\u9fff]{0,3}了?|大功告成|成功了"
)
# Says that it is reached without saying what: the last goal, however long the sentence is.
_REACHED_IT: Final = re.compile(
    r"\b(?:we|I)(?:'ve| have)? (?:finally )?(?:did it|made it|nailed it|got there)\b|^\W*(?:it|that|this"
    r"|everything)(?: all)?"
    r" (?:finally )?(?:works?|worked|fixed it|did it|did the trick)\b(?! (?:like|that way|for|in))|^\W*(?:all "
    r"|it'?s |that'?s )*"
    r"(?:done|sorted|solved|fixed)\b(?! (?:by|my|his|her|their))|^\W*success\b|\bmission accomplished\b"
    r"|\bproblem solved\b|\bup and running\b|\boff (?:my|the|our) list\b"
    r"|\b(?:order|booking|reservation|appointment|payment)s? (?:is |are |has been |was )?(?:placed|made"
    r"|confirmed|through)\b"
    r"|\bgot (?:him|her|them|it|one|myself one)\b(?! to )|\bwe can stop (?:looking|searching)\b"
    r"|^\W*(?:好|嗯|行)?[，,]?可以了|跑通了|能用了|好使了|^\W*大?成功|^\W*成了|妥了|[挂约]上号?了|已经?(?:下单|付款"
    r"|出票|报名)",
    _I,
)
# A choice is made: the last goal, when it was about choosing, buying or finding.
_CHOSE: Final = re.compile(
    r"\b(?:I|we)(?:'ve| have)? (?:just |finally )?(?:went with|gone with|settled on|opted for|decided on"
    r"|ended up with|ended up"
    r" (?:buying|getting|booking|choosing))\b|\b(?:I|we)(?:'ll| will) (?:take|have|go with|go for|get) (?:the|that"
    r"|this|both|it)\b(?!.*\b(?:out|to|away|for a|back)\b)"
    r"|(?:^|[，,])\W*(?:那)?就(?:要|选|买|定|订|它|这|用)[^？?]{0,14}$|(?:最后|最终|终于|后来|还是)(?:买|选|订|挑|定"
    r"|租)了",
    _I,
)
_CHOOSING: Final = re.compile(
    r"\b(?:pick|choose|find|buy|look|get|order|book|recommend|decide|need an?|rent)\w*\b|[选买挑订找租换定]|推荐|决定",
    _I,
)
# What was wrong is gone: the last goal, when it was about mending.
_GONE: Final = re.compile(
    r"\b(?:do|does|did|is|are|was)(?:n't| not) \w+(?: \w+)? any ?more\b|\bno longer \w+|\bstopped \w+ing\b"
    r"|\bworks? (?:again|now|fine)\b"
    r"|不再?(?![上动开出起来下到]了)[\u4e00-\u9fff]{1,3}了(?![吗？?])|(?:恢复)?正常了|恢复了",
    _I,
)
_MENDING: Final = re.compile(r"\b(?:fix|repair|solve|stop|mend|get rid|troubleshoot)\w*\b|修|解决|弄好|治|排查", _I)
_OF_OTHERS: Final = re.compile(r"\b(?:his|her|their) own\b|[他她](?:们)?的|他们?自己|她们?自己")
_NOT_REACHED: Final = re.compile(
    r"\b(?:not|n't|never|almost|nearly|once|when|if|until|before|after|should|could|can|will|want"
    r"|need) \b.{0,20}(?:done|booked"
    r"|bought|found|finished|ordered|reserved|solved|fixed)|[?？]\s*$|\byet\b"
    r"|还没|没有?[订买找办做写交付选约]|没.{0,2}[订买找办做写交付选约](?:好|到|完)|快.{0,4}了|等.{0,8}[好到完]了|如果"
    r"|要是|之后再|以后再|吗\W*$",
    _I,
)
_DROPPED: Final = re.compile(
    r"\bnever ?mind\b|\bforget (?:it|about (?:it|that|the))\b|\bchanged my mind\b|\bnot any ?more\b"
    r"|\bscrap (?:that|it|the \w+)\b|\bdon't bother\b|\b(?:some other|another|a different) (?:day|time)\b"
    r"|\bleave it (?:for|at|be)\b"
    r"|\bdon't need (?:it|that|this"
    r"|the \w+|one|any ?more)\b|\bno longer (?:want|need)\b|\blet's (?:skip|drop|cancel)\b|\bcall(?:ed|ing)? (?:it"
    r"|the \w+) off\b"
    r"|算了|不用了|不需要了|不要了|不想.{0,6}了|不用[\u4e00-\u9fff]{1,2}了|不[去买订找看做]了|改天再说|以后再说"
    r"|下次再说|取消|作罢|先放一放|改主意",
    _I,
)
_WANTS_NEXT: Final = re.compile(
    r"\s*(?:(?:and |so )?(?:now|next|then),? )?(?P<what>(?:I|we) (?:need|want|have) to\b|let's\b|接下来|下一步|现在要)",
    _I,
)
_OVER: Final = re.compile(
    r"\bthat(?:'s| is| was| will be) (?:all|it)(?: for (?:now|today)| I need(?:ed)?|,? thanks?.*)?\W*$"
    r"|\bnothing else\b"
    r"|\b(?:we're|I'm|we are|I am) (?:all set|all done|done here|done for (?:now|today)|good now)\b|\ball done\b"
    r"|\ball set\b"
    r"|\bthat's everything\b|^\W*(?:good ?bye|bye(?: bye)?|good night|see you)\W*$"
    r"|就这些|就这样吧|没别的了|没有别的了|没其他(?:事|问题)了?|没事了|都(?:搞定|办好|弄好|解决|安排好|完成)了"
    r"|今天(?:就|先)(?:到这|这样)|先这样|到此为止"
    r"|^\W*(?:再见|拜拜|晚安)\W*$",
    _I,
)
_STOP: Final = frozenset(
    re.findall(
        r"\w+",
        "i we you a an the to for of in on at and or with my our your me us it that this them one is are was were be"
        " have has had want need like would could can please help plan find get new some just already now done all so"
        " up out let go going am ve ll re s m d t trying looking planning hoping booking",
    )
)
_BARE_WORDS: Final = 6
_BARE_CHARACTERS: Final = 10


def current_goals(messages: Sequence[Message], *, now: datetime) -> list[SessionGoal]:
    """Return the goals of a session that stand after its messages (oldest first), oldest first, at most five.

    A later wish about the same takes the place of the earlier one. "Done" ends what it names, or the last one; a task
    that is over ends all.
    """
    goals: list[SessionGoal] = []
    for message in messages:
        if message.role != "user":
            continue
        content = message.content[:_READ_CHARACTERS]
        for span in sentences(mask(content)):
            text = content[span.start : span.end].replace("’", "'").strip()
            goals = _after(goals, " ".join(text.split()), message)
    since = now - timedelta(hours=GOAL_HOURS)
    return [goal for goal in goals if goal.stated_at >= since][-MOST_GOALS:]


def _after(goals: list[SessionGoal], text: str, message: Message) -> list[SessionGoal]:
    """Return the goals after one more sentence of the user."""
    if _OVER.search(text):
        return []
    ended = _ended(text)
    if goals and ended is None and _GONE.search(text) and _MENDING.search(goals[-1].text) and not asks(text):
        return goals[:-1]
    if goals and ended is not None:
        left = _without_last(goals, text) if ended == "it" else _without_named(goals, text)
        return _after_the_end(left, text, message)
    dropped = bool(_DROPPED.search(text))
    if goals and dropped:
        return _without_named(goals, text)
    if ended or dropped or _NOT_STATED.search(text) or not (_STATES.search(text) or _STATES_ZH.search(text)):
        return goals
    goal = SessionGoal(text=text[:MAX_GOAL_CHARACTERS], message_id=message.message_id, stated_at=message.occurred_at)
    mine = _words(text)
    others = [one for one in goals if fold(one.text) != fold(goal.text) and _share(_words(one.text), mine) < SAME_GOAL]
    return [*others, goal]


def _ended(text: str) -> Literal["it", "named"] | None:
    """Say whether a sentence tells that a goal is reached: the last one, or one that it names."""
    if _NOT_REACHED.search(text) or _OF_OTHERS.search(text):
        return None
    if _REACHED_IT.search(text):
        return "it"
    return "named" if _REACHED.search(text) or _REACHED_ZH.search(text) or _CHOSE.search(text) else None


def _after_the_end(goals: list[SessionGoal], text: str, message: Message) -> list[SessionGoal]:
    """Return the goals with what a sentence goes on to want after it told of an end: "done; now I need to …"."""
    _, _, rest = max(
        (text.partition(sign) for sign in ":;：；，,"), key=lambda parts: bool(_WANTS_NEXT.match(parts[2]))
    )
    wanted = _WANTS_NEXT.match(rest)
    return _after(goals, rest[wanted.start("what") :], message) if wanted else goals


def _without_last(goals: list[SessionGoal], text: str) -> list[SessionGoal]:
    """Return the goals without the one that a sentence names, or else without the last."""
    named = _without_named(goals, text)
    return goals[:-1] if named == goals else named


def _without_named(goals: list[SessionGoal], text: str) -> list[SessionGoal]:
    """Return the goals without the one that a sentence names; one that names nothing means the last."""
    said = _words(text)
    shares = [len(said & _words(goal.text)) for goal in goals]
    most = max(shares)
    if most:
        last = max(place for place, share in enumerate(shares) if share == most)
    elif _is_bare(text) or (_CHOSE.search(text) and _CHOOSING.search(goals[-1].text)):
        last = len(goals) - 1
    else:
        return goals
    return [*goals[:last], *goals[last + 1 :]]


def _is_bare(text: str) -> bool:
    if detect_language(text) == "zh":
        return len(re.findall(r"[\u4e00-\u9fff]", text)) <= _BARE_CHARACTERS
    return len(text.split()) <= _BARE_WORDS


def _words(text: str) -> frozenset[str]:
    """Return what a sentence is about: the beginnings of its words ("book", "booked"), and pairs of characters."""
    plain = fold(text)
    latin = (word for word in re.findall(r"[a-z0-9]+", plain) if word not in _STOP)
    han = re.sub(r"[我你您们的了吧啊呢吗想要打算准备帮给已经好到完定成今天明去个一下]", " ", plain)
    pairs = (run[i : i + 2] for run in re.findall(r"[\u4e00-\u9fff]+", han) for i in range(max(1, len(run) - 1)))
    return frozenset({*(word[:4] for word in latin), *pairs})


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / min(len(some), len(others)) if some and others else 0.0

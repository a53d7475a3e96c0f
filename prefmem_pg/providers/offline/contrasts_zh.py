"""Reads what the user says of themselves by setting it beside somebody else ("我老公爱吃辣，我不行")."""

import re
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.cue import CONSTRAINT, STRONG, Cue
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.grammar_zh import DOING
from prefmem_pg.providers.offline.sentences import Span

_NEVER: Final = re.compile(r"(?!)")
_I: Final = (
    r"^(?:但是?|可是?|不过|而|然而|其实|偏偏)?我(?:本人|自己|们|这边)?(?:就|可|却|是|倒|真|完全|根本|偏|都"
    r"|一[点口]|实在|压根|从来)*"
)
_END: Final = r"(?:的|了|啦|呢|哈|啊)?\W*$"
_REFUSES: Final = re.compile(
    rf"{_I}(?:不(?:太|大|怎么|很)?(?:行|爱|喜欢|能|敢|会|想|感冒|习惯)?{DOING}?|受不了|接受不了|没兴趣|讨厌|无感"
    rf"|{DOING}不(?:了|来|惯|下)"
    rf"|(?:正好|恰恰|刚好|完全)?相反|除外|例外){_END}"
)
_TAKES: Final = re.compile(rf"{_I}(?<!不)(?:爱{DOING}?|喜欢{DOING}?|能{DOING}?|就好这口|{DOING}得?(?:惯|下|了)?){_END}")
_SO_DO_I: Final = re.compile(
    rf"^我也(?:是|一样|如此|差不多|不(?:行|爱|喜欢|能)?{DOING}?|爱{DOING}?|喜欢{DOING}?|{DOING}){_END}"
)
_AGAINST: Final = re.compile(r"不|没|讨厌|怕|戒|受不了|嫌")
_TASTE: Final = re.compile(
    rf"(?:不|没)?(?:太|怎么|很|最|特别|超级?|都|就|特|巨|可|贼|挺)*(?:喜欢|热爱|讨厌|害怕|离不开|受不了|习惯|偏爱"
    rf"|迷|爱|怕|能|敢|会|(?={DOING}))"
    rf"(?P<thing>{DOING}?[\u4e00-\u9fff]{{1,10}})$"
)


def _cue(polarity: Polarity) -> Cue:
    return Cue("unlike somebody else", _NEVER, "explicit", polarity, STRONG, CONSTRAINT)


def read_contrast(foil: Span, clause: Span) -> Finding | None:
    """Return what the user says of what somebody else was said to like or not in the clause before.

    ``clause`` is without fillers. The finding begins at the thing that is named in the other's clause, so
    that it stands on its own ("吃辣，我不行").
    """
    told = _TASTE.search(foil.text.rstrip("的了呢啊"))
    if told is None:
        return None
    polarity: Polarity
    if _SO_DO_I.match(clause.text):
        polarity = "negative" if _AGAINST.search(foil.text) else "positive"
    elif _REFUSES.match(clause.text):
        polarity = "negative"
    elif _TAKES.match(clause.text):
        polarity = "positive"
    else:
        return None
    return Finding(foil.start + told.start("thing"), clause.end, _cue(polarity))

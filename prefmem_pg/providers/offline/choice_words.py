"""Which option a description fits: shared words weighed by how few options have them, and measures compared."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.judge_pieces import pieces
from prefmem_pg.providers.offline.judge_text import is_han, normalise, stem, tokens

_I: Final = re.IGNORECASE
_EMPTY_WORDS: Final = (
    "i me we you it they he she the a an and or but so to of for in on at by with from as is are was be been being am"
    " will would can could should may might do does did have has had not no yes ok okay please thanks think go going"
    " take pick choose like love prefer want need sound sounds look looks seem seems good great best better"
    " perfect nice"
    " fine well one ones option options choice other others sure really just that this these those there here"
    " what which"
    " who more most much very too let lets get try consider recommend suggest could some any than then also fit right"
    " my your our their its if about into out up me i'd i'll i'm feel definitely probably maybe bit my mine now today"
    " tonight first second third last none all both"
)
_EMPTY_PAIRS: Final = (
    "我要 我选 选择 就选 这个 那个 一个 那家 这家 那种 这种 吧我 我就 还是 就要 喜欢 觉得 感觉 我觉 得还 不错"
    " 比较 适合 可以 一下 一点 点的"
    " 的那 那一 我想 想要 要那 选那 就那 的吧 个吧 家吧 更喜 欢那 来那 那款 那间 那本 那套 的话 就是 定了 好了"
    " 就好 就行 听起 起来"
    " 推荐 考虑 如果"
)
_EMPTY: Final = frozenset(stem(word) for word in _EMPTY_WORDS.split())
_EMPTY_HAN: Final = frozenset(_EMPTY_PAIRS.split())
NEAR_TIE: Final = 1.15
"""The best option must outweigh the next by this factor: below, the words fit both."""


def marks(text: str) -> frozenset[str]:
    """Return what a text can be recognised by: word stems, pairs of Han characters, and known concepts ("=quiet")."""
    found: set[str] = set()
    for token in tokens(normalise(text)):
        if is_han(token):
            pairs = {token[at : at + 2] for at in range(len(token) - 1)} or {token}
            found |= pairs - _EMPTY_HAN
        elif any(character.isalnum() for character in token):
            found |= {form for form in _forms(token) if form not in _EMPTY}
    found |= {
        f"={name}" for piece in pieces(text) for name, _, background in _concepts(piece.meaning) if not background
    }
    return frozenset(found)


def _concepts(meaning: object) -> Sequence[tuple[str, int, bool]]:
    return getattr(meaning, "concepts", ())


def _forms(word: str) -> set[str]:
    """Return the stem, and for a comparative that of its plain form: "quieter" is "quiet" and "closest" is "close"."""
    found = {stem(word)}
    if len(word) > 5 and word.isascii() and (ending := re.fullmatch(r"(.{3,}?)(?:er|est)", word)):
        root = ending[1]
        found |= {stem(root), stem(root + "e"), root[:-1] if root[-1] == root[-2] else root}
        if root.endswith("i"):
            found.add(root[:-1] + "y")
    return found


@dataclass(frozen=True, slots=True)
class Fit:
    """How well each option fits a description; ``place`` is None when none does or two do."""

    place: int | None
    weight: float
    share: float
    """How much of what the description names is in the option, 0..1."""


def best_fit(description: str, options: Sequence[str]) -> Fit:
    """Return the option that a description speaks of. What all options have in common says nothing."""
    said, own = marks(description), [marks(option) for option in options]
    counts = Counter(mark for marks_ in own for mark in marks_)
    weights = [sum(1 / counts[mark] for mark in said & marks_ if counts[mark] < len(options)) for marks_ in own]
    order = sorted(range(len(options)), key=lambda place: (-weights[place], place))
    first, second = weights[order[0]], weights[order[1]]
    if first < 0.5 or first < second * NEAR_TIE:
        return Fit(None, first, 0.0)
    told = [mark for mark in said if not mark.startswith("=")]
    share = len([mark for mark in told if mark in own[order[0]]]) / max(1, len(told))
    return Fit(order[0], first, share)


_PRICE: Final = re.compile(
    r"[$€£¥￥]\s?([\d,]+(?:\.\d+)?)|([\d,]+(?:\.\d+)?)\s?(?:元|块|dollars?|usd|euros?|eur|rmb)(?![a-z])", _I
)
_AWAY: Final = re.compile(r"([\d.]+)\s?(?:km|公里|千米|miles?|(?:-| )?minutes?(?:'| )? ?(?:away|walk|drive)|分钟)", _I)
_LASTS: Final = re.compile(
    r"([\d.]+)[ -]?(?:hours?|hrs?|h\b|小时|个小时|days?|天|weeks?|周|minutes?|min\b|分钟|pages?|页)", _I
)
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:：](\d\d))?\s?(am|pm|a\.m\.|p\.m\.|点)|(\d{1,2})[:：](\d\d)", _I)
_MEASURES: Final[tuple[tuple[re.Pattern[str], re.Pattern[str], Callable[[Sequence[float]], float]], ...]] = (
    (
        re.compile(r"\bcheap(?:er|est)\b|\b(?:least expensive|most affordable|less expensive)\b|便宜|实惠", _I),
        _PRICE,
        min,
    ),
    (re.compile(r"\b(?:pricier|priciest|(?:most|more) expensive)\b|[最更]贵|贵一?点", _I), _PRICE, max),
    (re.compile(r"\b(?:closer|closest|nearer|nearest)\b|[最更]近|近一?[点些]", _I), _AWAY, min),
    (re.compile(r"\b(?:shorter|shortest|quickest|quicker|fastest|faster)\b|[最更][快短]|快一?点", _I), _LASTS, min),
    (re.compile(r"\b(?:longer|longest)\b|[最更][长久]", _I), _LASTS, max),
    (re.compile(r"\b(?:earlier|earliest)\b|[最更]早|早一?[点班]", _I), _CLOCK, min),
    (re.compile(r"\b(?:later|latest)\b|[最更]晚|晚一?[点班]", _I), _CLOCK, max),
)


def by_measure(description: str, options: Sequence[str]) -> int | None:
    """Return the option that "the cheaper one" or "最近的那家" means, where each option gives that number."""
    for asked, unit, extreme in _MEASURES:
        if not asked.search(description):
            continue
        values = [_value(unit, option) for option in options]
        known = [value for value in values if value is not None]
        if len(known) == len(options) and known.count(extreme(known)) == 1:
            return values.index(extreme(known))
    return None


def _value(unit: re.Pattern[str], option: str) -> float | None:
    match = unit.search(option)
    if match is None:
        return None
    if unit is _CLOCK:
        hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
        if (match[3] or "").lower().startswith("p") and hour < 12:
            hour += 12
        return float(hour * 60 + minute)
    number = next(group for group in match.groups() if group).replace(",", "").strip(".")
    return float(number) if number.count(".") < 2 and number else None

"""Small words that turn a meaning though the tables pass over them: "on" and "off", 上 and 下."""

from collections.abc import Iterable
from typing import Final

from prefmem_pg.providers.offline.judge_pieces import Piece

_PAIRS: Final = (
    "上下 左右 前后 里外 内外 开关 多少 大小 高低 长短 早晚 快慢 冷热 新旧 进出 "
    "买卖 加减 升降 公母 男女 生熟 干湿 粗细 厚薄 深浅 轻重 软硬 单双 先后 松紧 "
    "胖瘦 老少 浓淡 咸甜 正反 横竖 收放 借还 存取 增减 头尾 首尾 明暗 阴晴 输赢 "
    "聚散 南北 宽窄 远近 贵贱 哭笑 站坐 留删 留剪 留剃 走跑 种养 听写 读写 看写"
)
_ENGLISH: Final = (
    "on off, up down, more less, more fewer, most least, open close, add remove, start stop, first last, "
    "top bottom, old new, push pull, inside outside, upper lower, left right, early late, give take, keep remove, "
    "win lose, save spend, lend borrow, show hide, enable disable, increase reduce, increase decrease, raise lower, "
    "thick thin, deep shallow, wet dry, wide narrow, near far, straight curly, long short, full empty, even odd, "
    "buy sell, front back, sunrise sunset, follow lead, ask tell, summer winter, north south, east west"
)


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    pairs = [*_PAIRS.split(), *(tuple(p.split()) for p in _ENGLISH.split(","))]
    for left, right in pairs:
        found.setdefault(left, set()).add(right)
        found.setdefault(right, set()).add(left)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES: Final = _opposites()


def poles(pieces: Iterable[Piece]) -> frozenset[str]:
    """Return the words with an opposite that no concept of the tables stands for."""
    return frozenset(p.text for p in pieces if p.text in OPPOSITES and not p.concepts)


def are_opposed(here: frozenset[str], there: frozenset[str]) -> bool:
    """Say whether one side has a word and only the other its opposite."""
    mine, others = here - there, there - here
    return any(not OPPOSITES[word].isdisjoint(others) for word in mine)

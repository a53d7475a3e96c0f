"""Tells what a Chinese clause says of one occasion: errands, orders, a date that is moved, a thing that fails."""

import re
from typing import Final

from prefmem_pg.providers.offline.reject import lasts

# What is to be done soon is an errand and no aim of the user's: "周末打算去趟宜家".
_ERRAND: Final = re.compile(
    r"(?:这?周末|明[天早晚]|后天|今[天晚]|下午|晚上|中午|上午|下班|待会|等会|一会儿?|这两天|过[两几]天|(?:这"
    r"|下)?周[一二三四五六日天])(?:后|就|我|先|前)*"
    r"(?:打算|计划|准备|想|要|得|约)\w{0,4}(?:去|到|回|跑|买|取|拿|寄|交|办|约|见|看|逛|剪|修|洗|退|换|做|吃|喝|搬"
    r"|聚|参加|和|跟|带)"
    r"|(?:去|回|跑|来)一?趟"
)
# "会议改期到周五", "评审挪到明早": a date that is moved is no change of mind.
_RESCHEDULED: Final = re.compile(
    r"改期|延期|推迟|顺延|提前到|(?:改|推|挪|延|调)(?:到|至|成|在|为)\w{0,3}?(?:周|星期|礼拜|下[周个]|[今明后]天"
    r"|明[早晚]|\d+[点号月日]|[一二三四五六七八九十]+[点号月]|[上下]午|晚上|月)"
)
_ORDER: Final = re.compile(
    r"^(?:请|麻烦你?|帮我|给我|替我|帮忙|来)+\w{0,2}(?:订|买|叫|点|打印|寄|送|下单|预约|约|做|来|取|挑|查|找|推荐"
    r"|安排)\w{0,3}(?:[一两三四五几\d]|个|份|张|束|杯|辆|间|趟|家)"
)
_FAULT: Final = re.compile(
    r"闪退|报错|卡死|卡住|崩溃|死机|黑屏|蓝屏|掉线|重启|重新(?:登录|加载|连接)|加载不|连不上|转圈"
    r"|(?:刷|用|打|连|登|开|进|发|传)不(?:了|开|上|进去?)|没反应|失灵|等(?:很久|半天|\w{1,3}[秒分])"
)
_ASKS_FOR_NOW: Final = re.compile(
    r"(?:今[天晚早儿]|晚上|[早午晚]饭|夜宵|宵夜|中午|早上|明[早晚天]|待会|等会|下午|周末)\w{0,4}(?:吃|喝|看|去|玩"
    r"|干|做|穿|点|煮|弄|整)"
    r"|\b(?:tonight|today|this (?:evening|afternoon|weekend))\b.*\?",
    re.IGNORECASE,
)


def is_fault_report(text: str) -> bool:
    """Say whether a Chinese clause tells how a program or device fails."""
    return bool(_FAULT.search(text))


def is_rescheduled(text: str) -> bool:
    """Say whether a Chinese clause moves something to another day or hour."""
    return bool(_RESCHEDULED.search(text))


def is_order(text: str) -> bool:
    """Say whether a Chinese sentence has something fetched, booked or looked up this once."""
    return bool(_ORDER.search(text)) and not lasts(text)


def is_errand(text: str) -> bool:
    """Say whether a Chinese plan is one of the next few days."""
    return bool(_ERRAND.search(text)) and not lasts(text)


def is_for_now(text: str, before: str) -> bool:
    """Say whether a wish goes with what the sentence before it asks for this once ("今晚吃火锅？别太辣就行")."""
    return bool(_ASKS_FOR_NOW.search(before)) and not lasts(text)

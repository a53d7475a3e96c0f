"""Tells Chinese sentences in which nothing lasting can be: events, errands for the assistant, mere exclamations."""

import re
from typing import Final

from prefmem_pg.providers.offline.occasions_zh import is_fault_report, is_order, is_rescheduled

# What may make a lasting thing of it: refusing, liking, choosing, how often, from now on, what somebody is or has.
_MAY_LAST: Final = re.compile(
    r"[不别莫勿甭只爱怕嫌厌恨忌戒养姓叫]|喜欢|最|总|一直|每|从来|从小|平时|一般|习惯|必须|更|比|宁|以后|今后|下次"
    r"|往后|受|过敏|讨厌|没法|没有[^，,]{1,6}我|离[了开]"
    r"|我(?:是|有|在|住|家|属|信|用|吃|喝)|[党派控粉迷]\W*$|年|岁|想|打算|计划|目标|偏|都|越|非|就(?:好|行|够)|免"
    r"|少|多|要|得(?!$)"
)
_DEGREES: Final = re.compile(
    r"得不行|不了了之|不小心|不知道|不错|不好意思|对不起|来不及|差不多|不过|不起来|不起腰"
    r"|好不容易|不太对|不对"
)
_EVENT: Final = re.compile(
    r"刚|终于|昨[天晚儿]|前[天几]|今[早天晚儿]|上(?:午|周|个?月|次)|这(?:两|几)天|早上|凌晨|[了啦](?=\W|$)"
    r"|着(?=\W*$)|[一-鿿]到了|又[一-鿿]"
)
# What the assistant is to do now.
CHINESE_TASK: Final = re.compile(
    r"^(?:请|麻烦你?|给我|帮我|帮忙|再|先)*(?:推荐|分析|帮我|回复|提醒|介绍|讲讲|讲一?下|讲解|解释|说说|聊聊|翻译|计算|算一?下|算算|查一?下"
    r"|查查|看一?下|看看|写一?[个篇段首封份]|拟一?[个篇段封份]|列一?下|总结|检查|改一?下)"
)
# "想换副耳机，买哪个？": a wish that leads to a question says what the question is about.
_WISH_TO_ASK: Final = re.compile(r"我?(?:也|还|突然|最近)?(?:想|该|需要|打算)[^不，,。]{1,16}[，,][^，,]{1,16}[？?]$")
_MAKES_A_RULE: Final = re.compile(
    r"[不别莫勿甭只爱怕忌]|喜欢|总[是要]|一直|每|以后|今后|[^\w]都|要求|最好|尽量|习惯|必须|一律|就[好行够]"
)
_EXCLAIMS: Final = re.compile(
    r"(?:(?:哈[喽啰哈]*|嗨|嘿|喂|你好|您好|早[啊呀]?|早上好|晚上好|晚安|中午好|好久不见|在吗|在不在|回来了?"
    r"|我回来[了啦]|收到|辛苦[了啦]?|懂了|我懂了?|明白[了啦]?|好[嘞的吧]?|行吧?|可以|嗯+|哦+"
    r"|那就?|先?这样|就这样|回头聊|回头再说|再说吧?|卧槽|我去|妈呀|天[哪啊]|我的天|哎[呀哟]?|唉|吓死我了"
    r"|笑死我?了?|好烦|太逗了?|太感谢了?|谢谢你?|多谢|感谢|厉害|牛[啊逼]?|这也行|也行|你还?挺\w{1,3}|\d+"
    r"|[了啦啊呀哈])\W*)+",
    re.IGNORECASE,
)


def is_idle(text: str) -> bool:
    """Say whether a sentence only exclaims, sets the assistant a task, or tells what happened just now."""
    if _EXCLAIMS.fullmatch(text) or is_order(text) or is_rescheduled(text) or is_fault_report(text):
        return True
    if (CHINESE_TASK.search(text) or _WISH_TO_ASK.match(text)) and not _MAKES_A_RULE.search(text):
        return True
    return bool(_EVENT.search(text)) and not _MAY_LAST.search(_DEGREES.sub("", text))

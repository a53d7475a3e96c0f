"""Pieces of Chinese that several cues share."""

import re

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.cue import CLEAR, TASTE, Cue

FAMILY = (
    r"(?:老婆|老公|妻子|丈夫|太太|先生|爱人|对象|男朋友|女朋友|男友|女友|妈妈|爸爸|母亲|父亲|妈|爸|爷爷|奶奶|外公"
    r"|外婆|姥姥|姥爷|哥哥|姐姐|弟弟|妹妹|儿子|女儿|孩子|小孩|宝宝|闺女|娃|家里人|家人)"
)

DO_NOT = r"(?<![错特分区级性告离辨识派差])(?<!(?<![这那])[个类])别(?!字|人|墅|致(?!电)|名|扭|处(?!理)|的)"
"""别 where it forbids, and is no part of 特别, 错别字, 别人 and their like ("这类别再推荐" forbids)."""

DOING = (
    r"(?:参加|接受|考虑|出席|熬夜|加班|运动|报名|吃|食|喝|饮|碰|坐|住|闻|穿|听|看|读|用|玩|学|睡|聊|待|养|抽|开|骑"
    r"|戴|练"
    r"|唱|跳|写|买|去|逛|追|沾|打|做|加|放|爬|接)"
)

DISLIKED = (
    r"(?:抓狂|崩溃|烦|讨厌|恶心|难受|糟|可怕|恐怖|折磨|无聊|痛苦|难吃|难喝|累|尴尬|扫兴|窝火|恼火|气人|闹心|遭罪"
    r"|差劲|浪费)"
)
AT_EASE = (
    r"(?:戳我|适合我|合我|香|好用|顺手|舒服|舒坦|省心|自在|踏实|安心|对胃口|对味|过瘾|带劲|靠谱|顺眼|好听|好看"
    r"|好吃|好喝|有意思|有味道|有感觉|开心|方便|管用|清静|解压|下饭|强)"
)
ILL_AT_EASE = (
    r"(?:别扭|难受|头大|头疼|头痛|恶心|烦(?!请)|没劲|费劲|没意思|生分|尴尬|犯困|犯恶心|磨脚|刺眼|膈应|不舒服"
    r"|不自在|不得劲|不习惯|心慌|焦虑|紧张|想吐|反胃|窒息|起鸡皮疙瘩|瘆得慌|犯怵|发毛|堵得慌|上火|闷痘|过敏|睡不着"
    r"|抓狂|崩溃|受不了|没胃口|累得慌|闹心|想死|齁|扎得慌)"
)
"""What is felt of things that are liked or not, as the end of a clause."""


def cue(
    reason: str,
    pattern: str,
    polarity: Polarity = "positive",
    confidence: float = CLEAR,
    importance: float = TASTE,
    *,
    kind: Kind = "explicit",
    is_safety: bool = False,
) -> Cue:
    return Cue(reason, re.compile(pattern, re.IGNORECASE), kind, polarity, confidence, importance, is_safety)

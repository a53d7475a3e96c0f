"""All Chinese cues in order of priority: what is plain before what is a turn of phrase."""

import re

from prefmem_pg.providers.offline.aversions_zh import AVERSIONS
from prefmem_pg.providers.offline.circumstances_zh import FACTS, GOALS
from prefmem_pg.providers.offline.cue import Cue
from prefmem_pg.providers.offline.dangers_zh import DANGERS, DOCTORS_ORDER, DOCTORS_WORD
from prefmem_pg.providers.offline.fondness_zh import FONDNESS
from prefmem_pg.providers.offline.negations_zh import NEGATIONS
from prefmem_pg.providers.offline.phrases_zh import (
    HABITS,
    LESS,
    MORE_FACTS,
    MORE_GOALS,
    PROHIBITIONS,
    REQUESTS,
    VERDICTS,
    WITHOUT,
)
from prefmem_pg.providers.offline.tastes_zh import CONSTRAINTS, DISLIKES, LIKES
from prefmem_pg.providers.offline.topic_first_zh import TOPIC_FIRST

CUES: tuple[Cue, ...] = (
    DOCTORS_WORD,
    DOCTORS_ORDER,
    *DANGERS,
    *NEGATIONS,
    *WITHOUT,
    *LESS,
    *CONSTRAINTS,
    *TOPIC_FIRST,
    *DISLIKES,
    *AVERSIONS,
    *LIKES,
    *FONDNESS,
    *PROHIBITIONS,
    *GOALS,
    *FACTS,
    *REQUESTS,
    *VERDICTS,
    *MORE_GOALS,
    *HABITS,
    *MORE_FACTS,
)

# One scan over characters that every cue above contains at least one of.
PRECHECK = re.compile(
    r"还是|敏感|医嘱|天下第一|永远的神|让我|就够|老规矩|睡不|无所谓|公司|百|难受|头痛|想吐|出戏|枯燥|血[糖压脂]|尿酸|医生"
    r"|作为|身为|脑袋|清一色"
    r"|全靠|老老实实|顺手|伤眼|写细|简短|[每今明后]年|"
    r"[我不爱喜别请莫勿甭要越最改换太免更退香烦累贵住岁养病炎手术差命腻信睡晃]|过敏|讨厌|受不|偏[爱好向]|习惯"
    r"|[以今往]后|从现在|每[次天晚周年条个]|只|专|必须|一定"
    r"|想|希望|打算|计划|准备|决定|戒|怕|嫌|嗜|晕|迷|控|粉|养"
    r"|兴趣|反感|厌|拒绝|避|宁|首选|认准|离|钟情|总是|一直|一律|统一|通常|一般|平时|经常|坚持|目标|梦想|疹"
    r"|[无免少]|除了|谈不上|没有|比不|不如|没法比|烦|恨|痛风|糖尿病|高血压|哮喘|无感|恐|素|清真|预算|用|吃|喝"
    r"|回[答复]|排斥|抗拒|比|真香|转粉|戳|讲究|追求|主张|看重|注重|崇尚|奉行|信奉|稀罕|馋|钟|乐[意于得]|巴不得"
    r"|恨不得|上头|入坑"
    r"|固定|默认|标配|雷打|风雨|十年|满足|知足|人间|灵感|党|派|佬|星人|体质|战士|一枚|那种人|别扭|吐|喘|上刑|折磨"
    r"|划走|跳过|pass"
    r"|居|土生|合租|安了?家|憎|绝缘|犯冲|八字|缘分|绕|躲|敬而|才|配|强迫|洁癖|理解"
)

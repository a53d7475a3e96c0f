"""Chinese cues of what endangers the user or theirs: allergies, conditions, and what a doctor forbids."""

import re
from functools import partial
from typing import Final

from prefmem_pg.providers.offline.cue import CLEAR, DANGER, STRONG
from prefmem_pg.providers.offline.grammar_zh import FAMILY, cue

_DOCTOR: Final = (
    r"(?<!如果)(?<!要是)(?<!假如)(?<!万一)(?<!小说里)(?:医生|大夫|医师|营养师|中医|西医|药师|护士"
    r"|牙医)(?![^，。]{0,4}没)"
)
_TAKEN: Final = r"[^，。]{0,4}?(?:吃|喝|食|饮|碰|沾|抽|烟|酒|辣|盐|糖|油腻|海鲜|咖啡|茶|忌口|熬夜|生冷|甜|奶|豆|肉|药)"
_SUBSTANCE: Final = (
    r"(?:花生|坚果|核桃|虾|蟹|海鲜|鱼|贝|牛奶|奶|蛋|麸质|小麦|大豆|豆|芒果|菠萝|桃|花粉|尘螨|灰尘|猫|狗|青霉素|头孢"
    r"|阿司匹林|药|酒精|乳胶|香精)"
)

_danger: Final = partial(cue, polarity="negative", importance=DANGER, kind="fact", is_safety=True)

DOCTORS_ORDER: Final = _danger(
    "a doctor forbids it",
    rf"{_DOCTOR}[^，。我]{{0,4}}(?:说|讲|告诉|交代|嘱咐|提醒|警告|建议|劝|让|叫|要)(?:过|了|我，)?我(?!们|家|{FAMILY})"
    r"(?:这|身体|以后|最好|一定|必须|现在|平时|都|得|要|，)*"
    rf"(?:不能|不可以|不宜|不要|别|不该|忌|戒|少|远离|避免|避开|禁){_TAKEN}"
    rf"|{_DOCTOR}[^，。我]{{0,4}}(?:不让|不许|不准|禁止|不建议)我(?!们|家|{FAMILY}){_TAKEN}|^医嘱[：:]",
    confidence=CLEAR,
)
DOCTORS_WORD: Final = _danger(
    "a doctor found it",
    rf"{_DOCTOR}[^，。我]{{0,4}}(?:说|讲|告诉|确诊|诊断|查出|怀疑)(?:过|了|我，)?我(?!们|家|{FAMILY})[^，。没不]{{0,10}}"
    r"(?:过敏|不耐受|糖尿病|高血压|哮喘|痛风|癫痫|心脏病|肾病)",
    confidence=CLEAR,
)
DANGERS: Final = (
    _danger(
        "allergy or intolerance",
        r"(?<!不)(?<!没有)(?<!没)过敏(?!原|药|科)|不耐受|乳糖不耐|荨麻疹|起疹子|起红疹|蚕豆病|过敏性休克"
        r"|^除了?[^，。]{1,10}[，,]?[^，。]{0,6}(?:都|也)不过敏"
        rf"|对[^，。]{{0,4}}{_SUBSTANCE}(?!价|味|瓣)[^，。]{{0,2}}敏感(?!度|词|信息|数据)"
        r"|我[^，。]{0,3}[食吃饮喝][^，。牙]{0,6}会敏感",
        confidence=STRONG,
    ),
    cue(
        "medical condition",
        rf"(?:我|{FAMILY})(?:有|得了|患有|患|查出|确诊|是)\w{{0,6}}(?:糖尿病|高血压|哮喘|癫痫|心脏病|肾病|痛风"
        rf"|血友病)|我(?:现在)?怀孕|我是孕妇"
        r"|糖尿病患者|(?:二甲双胍|胰岛素|华法林|降压药)\w{0,8}(?:吃|打|服)|我(?:每天|每晚|在|要|得)(?:吃|服"
        r"|打)\w{0,4}(?:二甲双胍|胰岛素|华法林|降压药)",
        "neutral",
        STRONG,
        DANGER,
        kind="fact",
        is_safety=True,
    ),
)

_NAMES_NOTHING: Final = re.compile(
    r"(?:因为|由于|毕竟|会|我|对[它这那]个?|很|严重|非常|特别|容易|有点|都|真的)*(?:过敏|不耐受)[了的啊呀]*\W*"
)
# One phrase of what for at most: nested repetition would try every way to cut a run of them.
_DENIES: Final = re.compile(
    r"(?:没有?|无|从没|从不|不)(?:什么|任何|食物|药物|海鲜|其他|其它|别的|特别|怎么|是|会|太|有)*(?:对[^，。对但却可]{1,8})?"
    r"(?:过敏|不耐受)(?!原|药|科)|对[^，。对但却可]{1,8}(?:都|也|并|倒)?不过敏|(?:都|也|并|倒)不过敏"
)
_BUT: Final = re.compile(r"除了|除[^，。]{1,8}外|只[有对]|就[对是]")


def without_denials(text: str) -> str:
    """Return a clause with what it denies blanked ("没有药物过敏但对花生过敏"); as it is when it names an exception."""
    return text if _BUT.search(text) else _DENIES.sub(lambda found: " " * len(found.group()), text)


def names_no_danger(text: str) -> bool:
    """Say whether a clause leaves open what of ("我过敏"): that is in the one before it."""
    return bool(_NAMES_NOTHING.fullmatch(text))

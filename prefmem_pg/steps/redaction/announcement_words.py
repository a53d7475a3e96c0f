"""The words that announce a secret, and those that follow the same words in prose; English and Chinese, lower case."""

import re
from typing import Final

# What each core announces, how the words go on from there, and what must stand before it. Cores are looked for as
# plain text: in a message without one nothing more is done, and one regular expression of all words would be slow.
_CODES = r"(?:verification|security|one[- ]time|auth(?:entication)?|2fa|otp|unlock|door|gate|alarm)[ -]?\Z"
_KEYS = r"(?:api|access|secret|account|signing|encryption|private|auth|client|app)(?:[ _-]?access)?[ _-]?\Z"
_CARDS = r"(?:(?:credit|debit|bank|payment)[ -]?)?\Z"
CORES: Final[tuple[tuple[str, str, str, str | None], ...]] = (
    ("pass", "phrase", r"pass[ -]?phrases?", None),
    ("pass", "password", r"pass(?: ?words?|wd| ?codes?|wort)", None),
    ("pass", "id", r"passport(?: number| no\.?)?", None),
    ("pass", "pass", r"pass(?:key)?", None),
    ("phrase", "phrase", r"phrases?", r"(?:seed|recovery|secret|backup)[ -]\Z"),
    ("mnemonic", "phrase", r"mnemonic(?: phrase)?", None),
    ("pwd", "password", r"pwd", None),
    ("contraseñ", "password", r"contraseñas?", None),
    ("code", "pin", r"codes?", _CODES),
    ("pin", "pin", r"pin(?:[ -]?(?:codes?|number|no\.?|码|碼)|s)?", None),
    ("otp", "pin", r"otp", None),
    ("cvv", "pin", r"cvv2?", None),
    ("cvc", "pin", r"cvc2?", None),
    ("key", "key", r"keys?(?:[ _-]?id)?", _KEYS),
    ("secret", "key", r"secrets?", r"(?:api|client|app)[ _-]?\Z"),
    ("secret", "token", r"secrets?", None),
    ("token", "token", r"tokens?", None),
    ("credential", "token", r"credentials?", None),
    ("card n", "card", r"card (?:number|no\.?)", _CARDS),
    ("ssn", "id", r"ssn", None),
    ("social security", "id", r"social security(?: number| no\.?)?", None),
    ("national id", "id", r"national id(?: number)?", None),
    ("licen", "id", r"licen[sc]e(?: number| no\.?)?", r"driver'?s? \Z|driving \Z"),
    ("密码", "password", "密码", None),
    ("密碼", "password", "密碼", None),
    ("口令", "password", "口令", None),
    ("通行", "password", "通行[码碼]", None),
    ("助记词", "phrase", "助记词", None),
    ("助記詞", "phrase", "助記詞", None),
    ("验证码", "pin", "验证码", None),
    ("驗證碼", "pin", "驗證碼", None),
    ("校验码", "pin", "校验码", None),
    ("安全码", "pin", "安全码", None),
    ("动态码", "pin", "动态码", None),
    ("取款码", "pin", "取款码", None),
    ("门锁码", "pin", "门锁码", None),
    ("密钥", "key", "密钥", None),
    ("密鑰", "key", "密鑰", None),
    ("秘钥", "key", "秘钥", None),
    ("私钥", "key", "私钥", None),
    ("令牌", "token", "令牌", None),
    ("凭证", "token", "凭证", None),
    ("憑證", "token", "憑證", None),
    ("凭据", "token", "凭据", None),
    ("卡号", "card", "卡号", None),
    ("卡號", "card", "卡號", None),
    ("身份证", "id", "身份证号?码?", None),
    ("身分證", "id", "身分證字?號?碼?", None),
    ("护照", "id", "护照号?码?", None),
    ("社保号", "id", "社保号码?", None),
    ("驾驶证", "id", "驾驶证号?码?", None),
)

PLACEHOLDER_KIND: Final = {
    "phrase": "password",
    "pin": "pin",
    "password": "password",
    "pass": "password",
    "key": "api_key",
    "token": "token",
    "card": "card",
    "id": "id_number",
}

# Between the words and the value. The value itself is matched apart.
_PLACE = r"(?:[ \t]{1,3}(?:for|to|of|on|at|in|de)[ \t]{1,3}(?:[^\s:=]{1,30}[ \t]{1,3}){0,4}?[^\s:=]{1,30})??"
_ADVERB = r"(?:[ \t]{1,3}(?:now|still|currently|actually|always|just|simply|going to be|set to|changed to))?"
_IS = rf"(?:'s|[ \t]{{1,3}}(?:is|was|are|were|will be|should be|has been)){_ADVERB}[ \t]{{0,3}}[:=]?[ \t]{{0,3}}"
_IS_ZH = (
    r"[ \t]{0,3}(?:我们?|给你|发你)?(?:现在|目前|已经|一直|就|都|还|统一|默认)?"
    r"(?:是|為|为|改成|改为|换成|换为|设成|设为|设置为|设置成|更新为|变成|叫做?)了?[ \t]{0,3}[:=]?[ \t]{0,3}"
)
_CLOSING = r"""(?:\\?["'”’`*]{1,2})?"""
_BRACKET = r"[ \t]{0,2}[(（][^()（）\n]{0,40}[)）]"
ASSIGNED: Final = re.compile(
    rf"{_CLOSING}(?:{_PLACE}|{_BRACKET})[ \t]{{0,3}}(?::=|=>|->|[:=])[ \t]{{0,3}}\n?[ \t]{{0,3}}"
)
SAID: Final = re.compile(rf"(?:{_PLACE}{_IS}|{_IS_ZH})")
CHANGED: Final = re.compile(r"[ \t]{1,3}(?:from[ \t]{1,3}\S{1,60}[ \t]{1,3})?to[ \t]{1,3}")
BESIDE: Final = re.compile(r"[ \t]{0,3}")

# Before the words: "hunter22 is my wifi password", "用abc123当密码".
JOINT_BEFORE: Final = re.compile(
    r"[\"”’'」]?(?:"
    r"[ \t]{1,3}(?:is|was|as|for)(?:[ \t]{1,3}(?:my|our|the|a|his|her|their|new|old|this))?"
    r"(?:[ \t]{1,3}[\w-]{1,20}){0,3}[ \t]{0,3}"
    r"|[ \t]{0,3}(?:是|当做|当作|当成|当|作为|做为|做|作)(?:我|我们|他|她|你)?的?[\w ]{0,10}?"
    r")\Z"
)
VALUE_BEFORE: Final = re.compile(r"[^\s\"“”‘’「」<>\u3000-\u303f\u3400-\u9fff\uff00-\uffef\ue000]{4,64}\Z")

# What follows "password is" or "password:" in prose. A secret that is one of these words stays: the loss is small.
PROSE: Final = frozenset(
    """
    a about absent after again all already also always an and annoying any are as at bad because been before being
    best between blank both bogus boring broken but by can cannot changed common complex compromised confusing
    correct could currently different do does don't each easy empty encrypted enough enter every everywhere expired
    expiring fine for forgot forgotten from gone good great hard has hashed have he hell her here hidden his horrible
    how i i'd i'll i'm i've if in incorrect insecure invalid is it it's its just kept known long lost maximum me min
    minimum missing must my n/a needed never new no nobody none not nothing null ok okay old on once one only optional
    or our out outdated over pain passwordless please policies policy private public ready required reset rotated
    safe same saved secret secure see send set she short should shared simple so some something somewhere stored
    strict string strong stupid such terrible than that the their them then there they this tied to too tricky true
    false two ugly undefined unique unknown unsafe until up us use useful useless user using valid very was we weak
    what when where whatever which who why will with without won't would wrong yes yet you your yours
    """.split()  # noqa: SIM905 (two hundred quoted words could not be read)
)
PROSE_WORDS_IN_PHRASE: Final = frozenset(
    """
    a about an are be been can don't for has i i'm if is it it's me my never not of should so than that the their
    they this to too use very was we what when which will with you your
    """.split()  # noqa: SIM905 (as above)
)
PROSE_ENDINGS: Final = ("ed", "ing", "able", "ible", "ful", "less", "ous", "ive", "ly", "ment", "tion", "...")
PROSE_HAN: Final = re.compile(
    "[我你他她它太很不忘请要了的吗呢吧是难没无必需应该每和或与也都还被设改找输什怎为几多长短强弱]"
)

"""The words that announce a secret, and those that follow the same words in prose; English and Chinese, lower case."""

import re
from typing import Final

# (what the words announce, the words). The longer one first: alternation takes the first that fits.
KEYWORDS: Final[tuple[tuple[str, str], ...]] = (
    ("phrase", r"pass[ -]?phrases?|(?:seed|recovery|secret|backup) phrases?|mnemonic(?: phrase)?|助记词|助記詞"),
    ("pin", r"(?:verification|security|one[- ]time|auth(?:entication)?|2fa|otp|pin|unlock|door|gate|alarm) ?code"),
    ("pin", r"pin ?(?:number|no\.?|码|碼)|pins?|cvv2?|cvc2?|otp"),
    ("pin", r"验证码|驗證碼|校验码|安全码|动态码|取款码|门锁码|开锁码"),
    ("password", r"pass ?words?|passwd|pass ?codes?|passwort|contraseña|pwd|密码|密碼|口令|通行码|通行碼"),
    (
        "key",
        r"(?:api|access|secret|account|signing|encryption|private|auth)[ _-]?(?:access[ _-]?)?keys?(?:[ _-]?id)?",
    ),
    ("key", r"client[ _-]?secret|api[ _-]?secret|app[ _-]?secret|密钥|密鑰|秘钥|私钥|api ?密钥"),
    ("token", r"(?:access|auth|refresh|bearer|session|api)?[ _-]?tokens?|secrets?|credentials?|令牌|凭证|憑證|凭据"),
    ("card", r"(?:credit |debit |bank )?card (?:number|no\.?)|(?:银行|信用|储蓄|借记)?卡号|銀行卡號|卡號"),
    ("id", r"ssn|social security(?: number| no\.?)?|national id(?: number)?|passport (?:number|no\.?)|passport"),
    ("id", r"driver'?s? licen[sc]e(?: number| no\.?)?|身份证号?码?|身分證字?號?碼?|护照号?码?|社保号码?|驾驶证号?码?"),
    ("pass", r"pass|passkey"),
)
KEYWORD: Final = re.compile("|".join(f"(?P<{kind}_{n}>{words})" for n, (kind, words) in enumerate(KEYWORDS)))

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
BEFORE: Final = re.compile(
    r"([^\s\"“”‘’「」<>\u3000-\u303f\u3400-\u9fff\uff00-\uffef\ue000]{4,64})[\"”’'」]?(?:"
    r"[ \t]{1,3}(?:is|was|as|for)(?:[ \t]{1,3}(?:my|our|the|a|his|her|their|new|old|this))?"
    r"(?:[ \t]{1,3}[\w-]{1,20}){0,3}[ \t]{0,3}"
    r"|[ \t]{0,3}(?:是|当做|当作|当成|当|作为|做为|做|作)(?:我|我们|他|她|你)?的?[\w ]{0,10}?"
    r")\Z"
)

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
    """.split()
)
PROSE_WORDS_IN_PHRASE: Final = frozenset(
    "a about an are be been can don't for has i i'm if is it it's me my never not of should so than that the their"
    " they this to too use very was we what when which will with you your".split()
)
PROSE_ENDINGS: Final = ("ed", "ing", "able", "ible", "ful", "less", "ous", "ive", "ly", "ment", "tion", "...")
PROSE_HAN: Final = re.compile(
    "[我你他她它太很不忘请要了的吗呢吧是难没无必需应该每和或与也都还被设改找输什怎为几多长短强弱]"
)

"""Keys of metadata that say what stands under them is secret: "password", "apiKey", "client_secret", "WiFi密码"."""

import re
from functools import lru_cache
from typing import Final

from prefmem_pg.steps.redaction.view import view

# What is in front of "secret", "key" or "token" where it is one of a machine's. "beauty_secret", "sort_key" and
# "max_tokens" are not, nor is a bare "tokens", which counts or lists words.
_MACHINE = (
    "access|account|admin|api|app|application|auth|authentication|authori[sz]ation|aws|azure|bearer|bot|client"
    "|consumer|csrf|db|deploy|deployment|encryption|github|gitlab|google|gpg|hmac|jwt|license|licence|login|master|mfa"
    "|oauth ?2?|openai|pgp|refresh|registry|root|rsa|secret|security|server|service|session|shared|signing|slack|sso"
    "|ssh|stripe|totp|web ?hook|wi ?fi|xsrf"
)
# What may follow the noun and changes nothing: "password_2", "old token value", "password for the wifi".
_AFTER = (
    r"(?: ?(?:[0-9]|backup|confirm(?:ation)?|current|db|dev|hash|live|main|new|old|plain|plaintext|previous|prod"
    r"|production|raw|staging|string|test|text|value|wi ?fi))*(?: for .+)?\Z"
)
_NOUNS: Final = (
    ("password", rf"(?:pass ?(?:words?|wd|codes?|wort|phrases?)|(?<![a-z])pwd|contrase[nñ]as?){_AFTER}"),
    ("password", rf"(?:seed|recovery|backup|secret) phrases?{_AFTER}"),
    ("api_key", rf"(?<![a-z])(?:{_MACHINE}|private) ?keys?(?: ids?)?{_AFTER}"),
    ("api_key", rf"(?<![a-z])(?:api|app|application|client) ?secrets?{_AFTER}"),
    ("token", rf"(?:\A|(?<![a-z])(?:{_MACHINE}) ?)secrets?{_AFTER}"),
    ("token", rf"(?:\Atoken|(?<![a-z])(?:{_MACHINE}|device|id|personal|private|push|user) ?tokens?){_AFTER}"),
    ("token", rf"(?<![a-z])(?:{_MACHINE}|user) ?(?:credentials?|cookies?){_AFTER}"),
    ("token", r"(?:\A|proxy )authori[sz]ation\Z|(?<![a-z])jwts?\Z|\Aset cookie\Z"),
)
# What draws a crowd, makes rich, is written in dots and dashes, or stands in a novel.
_FIGURES_ZH = re.compile("(?:流量|财富|摩斯|摩尔斯|生命|遗传|基因|芬奇)密[码碼]")
_AFTER_ZH = r" ?(?:[0-9]+|值|明文|原文|内容|是|为)?\Z"
_NOUNS_ZH: Final = (
    ("password", rf"密[码碼]{_AFTER_ZH}"),
    ("password", rf"(?:口令|通行[码碼]|助[记記][词詞]){_AFTER_ZH}"),
    ("api_key", rf"(?:[密秘私][钥鑰]|密匙){_AFTER_ZH}"),
    ("token", rf"(?:令牌|(?:登[录錄]|访问|認證|认证|身份|授权)[凭憑](?:证|證|据)){_AFTER_ZH}"),
)
_COMPILED = tuple((kind, re.compile(noun)) for kind, noun in _NOUNS)
_COMPILED_ZH = tuple((kind, re.compile(noun)) for kind, noun in (*_NOUNS, *_NOUNS_ZH))
_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BRACKETS = re.compile(r"(?<=\w) ?[(（\[【].*")
_SIGNS = re.compile(r"[\W_]+")


@lru_cache(maxsize=4_096)
def secret_kind(key: str) -> str | None:
    """Return what kind of secret stands under a key of metadata, or None: what is there tells by itself."""
    words = words_of(key)
    for kind, noun in _COMPILED if words.isascii() else _COMPILED_ZH:
        if noun.search(words):
            return kind
    return None


@lru_cache(maxsize=4_096)
def words_of(key: str) -> str:
    """Return the words of a key, in lower case and with spaces between: "card number" for cardNumber."""
    text = _FIGURES_ZH.sub(" ", _BRACKETS.sub("", view(key).text))
    return _SIGNS.sub(" ", _JOINTS.sub(" ", text)).strip().lower()

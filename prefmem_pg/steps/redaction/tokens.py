"""Secrets that their form gives away: provider keys, private key blocks, JWTs, connection strings."""

import re
from collections.abc import Iterator
from typing import Final

from prefmem_pg.steps.redaction.view import Span

# (how the key begins, how it goes on). The beginning is looked for as plain text, which costs almost nothing.
# sources: the providers' own documents of their key formats, and GitHub's list of secret scanning patterns.
_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("sk-", rf"{_W}{{16,400}}"),  # OpenAI, Anthropic, DeepSeek, DashScope, OpenRouter
    ("sk_live_", rf"{_A}{{8,200}}"),  # Stripe
    ("sk_test_", rf"{_A}{{8,200}}"),
    ("rk_live_", rf"{_A}{{8,200}}"),
    ("rk_test_", rf"{_A}{{8,200}}"),
    ("whsec_", r"[A-Za-z0-9+/=]{16,200}"),
    ("ghp_", rf"{_A}{{20,255}}"),  # GitHub
    ("gho_", rf"{_A}{{20,255}}"),
    ("ghu_", rf"{_A}{{20,255}}"),
    ("ghs_", rf"{_A}{{20,255}}"),
    ("ghr_", rf"{_A}{{20,255}}"),
    ("github_pat_", r"[A-Za-z0-9_]{20,255}"),
    ("glpat-", rf"{_W}{{16,255}}"),  # GitLab
    ("AKIA", r"[A-Z0-9]{16}"),  # AWS
    ("ASIA", r"[A-Z0-9]{16}"),
    ("LTAI", rf"{_A}{{12,26}}"),  # Alibaba Cloud
    ("AKID", rf"{_A}{{13,40}}"),  # Tencent Cloud
    ("AIza", rf"{_W}{{35}}"),  # Google
    ("GOCSPX-", rf"{_W}{{20,60}}"),
    ("ya29.", rf"{_W}{{20,1000}}"),
    ("xoxb-", rf"{_W}{{10,255}}"),  # Slack
    ("xoxp-", rf"{_W}{{10,255}}"),
    ("xoxa-", rf"{_W}{{10,255}}"),
    ("xoxr-", rf"{_W}{{10,255}}"),
    ("xoxs-", rf"{_W}{{10,255}}"),
    ("xapp-", rf"{_W}{{10,255}}"),
    ("hf_", rf"{_A}{{30,60}}"),  # Hugging Face
    ("pa-", rf"{_W}{{40,60}}"),  # Voyage AI
    ("gsk_", rf"{_A}{{20,100}}"),  # Groq
    ("xai-", rf"{_W}{{20,200}}"),
    ("r8_", rf"{_A}{{30,60}}"),  # Replicate
    ("pplx-", rf"{_A}{{30,100}}"),
    ("nvapi-", rf"{_W}{{30,200}}"),
    ("tvly-", rf"{_W}{{16,100}}"),
    ("lsv2_", r"[A-Za-z0-9_]{30,100}"),
    ("SG.", rf"{_W}{{16,32}}\.{_W}{{16,64}}"),  # SendGrid
    ("npm_", rf"{_A}{{36}}"),
    ("pypi-AgE", rf"{_W}{{30,400}}"),
    ("dop_v1_", r"[0-9a-f]{64}"),  # DigitalOcean
    ("dckr_pat_", rf"{_W}{{20,60}}"),
    ("shpat_", r"[0-9a-fA-F]{32}"),  # Shopify
    ("shpss_", r"[0-9a-fA-F]{32}"),
    ("dapi", r"[0-9a-f]{32}"),  # Databricks
    ("lin_api_", rf"{_A}{{30,60}}"),
    ("figd_", rf"{_W}{{30,60}}"),
    ("ntn_", rf"{_A}{{40,60}}"),  # Notion
    ("secret_", rf"{_A}{{40,50}}"),
    ("PMAK-", rf"{_W}{{40,80}}"),  # Postman
    ("ATATT3", r"[A-Za-z0-9_=-]{20,255}"),  # Atlassian
    ("hvs.", rf"{_W}{{20,200}}"),  # Vault
    ("AGE-SECRET-KEY-1", r"[A-Z0-9]{50,60}"),
    ("https://hooks.slack.com/services/", r"[A-Za-z0-9/]{20,100}"),
)
_COMPILED = tuple((start, re.compile(re.escape(start) + rest, re.ASCII)) for start, rest in _KEYS)
_LONG = re.compile("[!-~]{14}")  # the shortest of what follows has as many characters: the quick way out
_JWT = re.compile(r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?")
_SCHEMES: Final = ("earer", "EARER", "asic ")
_BEARER = re.compile(r"(?:[Bb]earer|BEARER|[Bb]asic)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,})")
_TELEGRAM = re.compile(r":AA[A-Za-z0-9_-]{33}")
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
# What may follow the beginning of a key whose end was cut off: lines without a space, or headers with a colon.
_KEY_LINES = re.compile(r"(?:(?:\s|\\n|\\r)+(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{3,20}: [^\n\\]{1,80}))*")
_LOGIN = re.compile(
    r"[^\s/:@?#\"'<>\ue000]{0,128}:[^\s/?#@\"<>\ue000]{1,256}@[^\s\"'<>`，。；、）】」》\ue000]{1,2000}"
)
_DATABASE_LOGIN = re.compile(
    r"[^\s/:@\"'<>\ue000]{0,128}:[^\s\"<>\ue000]{1,256}@[^\s\"'<>`，。；、）】」》\ue000]{1,2000}"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,40}\Z")
_DATABASES = ("postgres", "mysql", "mariadb", "mongodb", "redis", "amqp", "mssql", "oracle", "clickhouse", "sqlserver")


def find_tokens(text: str) -> Iterator[Span]:
    """Yield keys and tokens, block by block; linear in the text."""
    yield from _private_keys(text)
    yield from _logins(text)
    if not _LONG.search(text):
        return
    for start, pattern in _COMPILED:
        for match in _anchored(text, start, pattern) if start in text else ():  # most texts hold none of them
            if any(character.isdigit() for character in match.group()[len(start) :]) or _is_mixed(match.group()):
                yield Span(*match.span(), "api_key")
    for match in _anchored(text, "eyJ", _JWT):
        yield Span(*match.span(), "token")
    for match in _BEARER.finditer(text) if any(scheme in text for scheme in _SCHEMES) else ():
        if any(character.isdigit() for character in match.group(1)):
            yield Span(*match.span(1), "token")
    for match in _TELEGRAM.finditer(text) if ":AA" in text else ():
        before = text[max(0, match.start() - 12) : match.start()]
        digits = len(before) - len(before.rstrip("0123456789"))
        if 8 <= digits <= 10:
            yield Span(match.start() - digits, match.end(), "token")


def _anchored(text: str, start: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    place = text.find(start)
    while place >= 0:
        match = pattern.match(text, place) if _begins_word(text, place) else None
        if match is not None:
            yield match
        place = text.find(start, match.end() if match else place + len(start))


def _begins_word(text: str, place: int) -> bool:
    """Say whether a token may begin here: after nothing, or after what is no ASCII letter, digit or joined sign.

    CJK letters do not count as part of the word. "-" and "_" count only behind a letter or digit, so that a long
    run of word characters has one beginning, and the search stays linear.
    """
    before = text[max(0, place - 3) : place].rstrip("-_")
    return not before or not (before[-1].isascii() and before[-1].isalnum())


def _is_mixed(token: str) -> bool:
    return not (token.islower() or token.isupper()) and "-" not in token[3:]


def _private_keys(text: str) -> Iterator[Span]:
    if "PRIVATE KEY" not in text:
        return
    done = 0
    has_end = True
    for begin in _KEY_BEGIN.finditer(text):
        if begin.start() < done:
            continue
        end = _KEY_END.search(text, begin.end()) if has_end else None
        has_end = end is not None
        if end is not None:
            done = end.end()
        else:
            lines = _KEY_LINES.match(text, begin.end())
            done = lines.end() if lines else begin.end()
        yield Span(begin.start(), done, "private_key")


def _logins(text: str) -> Iterator[Span]:
    place = text.find("://")
    while place >= 0:
        after = place + 3
        scheme = _SCHEME.search(text, max(0, place - 41), place)
        if scheme:
            pattern = _DATABASE_LOGIN if scheme.group().lower().startswith(_DATABASES) else _LOGIN
            match = pattern.match(text, after)
            if match:
                after = place + 3 + len(match.group().rstrip(".,;:!?)]}"))
                yield Span(scheme.start(), after, "connection_string")
        place = text.find("://", after)

"""What a statement says about how answers should be, as settings; rules in English and Chinese. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.steps.answer_length import max_length_in

_I = re.IGNORECASE

LANGUAGES: Final = {
    "en": "english|英文|英语",
    "zh": "chinese|mandarin|中文|汉语|普通话|简体中文|简体",
    "zh-Hant": "traditional chinese|繁体中文|繁体|繁體中文|繁體",
    "ja": "japanese|日文|日语",
    "ko": "korean|韩文|韩语",
    "fr": "french|法文|法语",
    "de": "german|德文|德语",
    "es": "spanish|西班牙文|西班牙语",
    "it": "italian|意大利文|意大利语",
    "pt": "portuguese|葡萄牙文|葡萄牙语",
    "ru": "russian|俄文|俄语",
}
_NAMED = "|".join(sorted((n for names in LANGUAGES.values() for n in names.split("|")), key=len, reverse=True))
_SAYING = r"(?:answer|repl(?:y|ies)|respon(?:d|se)s?|explain|explanations?|write to me|(?:speak|talk) to me|summar\w+)"
_LANGUAGE = re.compile(
    rf"\b{_SAYING}\w*\b[^.;!?。；]{{0,40}}?\bin ({_NAMED})\b|\b(?:use|speak) ({_NAMED})\b"
    rf"|\b({_NAMED}) (?:answers|replies|responses)\b"
    rf"|用({_NAMED})(?:来|跟我|和我|给我|对我)?(?:回答|回复|答复|回我|解释|交流|沟通|说|聊)|({_NAMED})(?:回答|回复|答复)"
    rf"|(?:回答|回复|答复|解释|交流|沟通)\w{{0,8}}?(?:用|使用|说)({_NAMED})|(?:跟|和|对)我说({_NAMED})",
    _I,
)
_ABOUT_ANSWERS = re.compile(
    rf"\b{_SAYING}|\banswers?\b|(?:^(?:just )?be|\b(?:please|you|to) be|\bkeep (?:it|things)|\bstay)"
    r" (?:\w+ ){0,3}(?:short|brief|concise|succinct|terse"
    r"|detailed|thorough|verbose|wordy)\b|\bget (?:straight )?to the point\b"
    r"|回答|回复|答复|解释|说明|讲解|总结|说话|啰嗦|罗嗦|废话|长篇大论|言简意赅|开门见山|直接说|直接给",
    _I,
)
_SHORT = re.compile(
    r"\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|succinct(?:ly)?|terse|to the point|bullet[- ]point summar\w+)\b"
    r"|简短|简洁|精简|简明|简练|精炼|言简意赅|开门见山|短一[点些]|短点|直接(?:说|给)(?:结论|重点|答案)?",
    _I,
)
_LONG = re.compile(
    r"\b(?:long(?:er)?|detailed|in[- ]depth|thorough(?:ly)?|comprehensive|step[- ]by[- ]step|elaborate|verbose|wordy"
    r"|lengthy|in (?:great )?detail)\b|详细|详尽|深入|全面|一步一?步|展开|太长|冗长|长篇大论|啰嗦|罗嗦|废话",
    _I,
)
_GREETING = re.compile(
    r"\b(?:skip|no|without|omit|drop|avoid|stop|cut|don't (?:need|want|like|start with|use|add)|do not (?:need|want|use"
    r"|add)|hate|leave out)\b(?: \w+){0,2}? (?:greetings?|pleasantries|small ?talk|preambles?|filler|chit-?chat)\b"
    r"|(?:不要|别|不用|不需要|跳过|省略|去掉|无需|少|不喜欢|讨厌|拒绝|免)\w{0,5}(?:寒暄|客套|开场白|问候|铺垫)",
    _I,
)
_TABLE = re.compile(
    r"\b(?:use|in|as|prefer|into|with|like|want|show|put|give)\b(?: \w+){0,4}? ?\btables?\b"
    r"(?! (?:tennis|by|near|for (?:\d|one|two|my)|at|games?|top|in the))"
    r"|(?:用|以|做成|列成|整理成|喜欢|偏好|给)\w{0,6}表格|表格(?:形式|化)",
    _I,
)
_TABLE_CONTEXT = re.compile(
    rf"\b{_SAYING}|\b(?:compar\w+|data|formats?|present\w*|results?|lists?|paragraphs?|text|information|numbers)\b|表格",
    _I,
)
_CODE = re.compile(
    r"\b(?:code|coding|python|javascript|typescript|functions?|scripts?|variables?)\b|代码|编程|函数|脚本|变量", _I
)
_CODE_STYLES = re.compile(
    r"\b(?:pythonic|type (?:hints?|annotations?)|functional(?: style)?|object[- ]oriented|tabs|spaces|snake[ _]case"
    r"|camel ?case|docstrings?|comments|one-liners?|pep ?8|async)\b"
    r"|类型注解|类型提示|中文注释|英文注释|注释|函数式|面向对象|蛇形命名|驼峰命名|空格缩进|制表符",
    _I,
)
# An expression is tried only where one of its words stands: most statements say nothing of answers.
_LANGUAGE_WORDS = tuple(_NAMED.split("|"))
_ANSWER_WORDS = (
    "answer", "repl", "respon", "expla", "to me", "summar", "be ", "keep ", "stay ", "the point", "回答", "回复",
    "答复", "解释", "说明", "讲解", "总结", "说话", "啰嗦", "罗嗦", "废话", "长篇大论", "言简意赅", "开门见山", "直接",
)  # fmt: skip
_GREETING_WORDS = (
    "greeting", "pleasantries", "small", "preamble", "filler", "chit", "寒暄", "客套", "开场白", "问候", "铺垫",
)  # fmt: skip
_TABLE_WORDS = ("table", "表格")
_CODE_WORDS = (
    "code", "coding", "python", "script", "function", "variable", "代码", "编程", "函数", "脚本", "变量",
)  # fmt: skip
_LENGTH_WORDS = ("word", "character", "字")
_WORDS = (*_LENGTH_WORDS, *_ANSWER_WORDS, *_LANGUAGE_WORDS, *_GREETING_WORDS, *_TABLE_WORDS, *_CODE_WORDS)
_NOT = re.compile(
    r"(?:\b(?:no|not|don't|do not|never|without|stop|avoid|hate|dislike|can't stand|instead of|rather than|skip|than"
    r"|over)\b[^,.;!?，。；]{0,24}|(?:不要|不用|别|不想|不喜欢|讨厌|拒绝|避免|而不是|少|受不了|不爱|不需要|不)[^，。；,]{0,6})$",
    _I,
)


def settings_in(statement: str) -> Iterator[tuple[str, Any]]:
    """Yield the settings (key, value) that a statement makes, each key once: what its first sentence says counts."""
    if not _has(statement.lower(), _WORDS):
        return
    seen: set[str] = set()
    for sentence in sentences(statement):
        for key, value in _in_sentence(sentence.text):
            if key not in seen:
                seen.add(key)
                yield key, value


def _in_sentence(statement: str) -> Iterator[tuple[str, Any]]:
    low = statement.lower()
    named = _LANGUAGE.search(statement) if _has(low, _LANGUAGE_WORDS) else None
    if named and not _is_refused(statement, _start(named)):
        yield "language", _code(next(group for group in named.groups() if group))
    if _has(low, _LENGTH_WORDS) and (length := max_length_in(statement)):
        yield "max_length", length
    if _has(low, _ANSWER_WORDS) and _ABOUT_ANSWERS.search(statement) and (level := _detail_level(statement)):
        yield "detail_level", level
    if _has(low, _GREETING_WORDS) and _GREETING.search(statement):
        yield "skip_greeting", True
    if _has(low, _TABLE_WORDS) and (table := _TABLE.search(statement)) and _TABLE_CONTEXT.search(statement):
        yield "prefer_table", not _is_refused(statement, table.start())
    if _has(low, _CODE_WORDS) and _CODE.search(statement) and (style := _code_style(statement)):
        yield "code_style", style


def _has(low: str, words: Sequence[str]) -> bool:
    return any(map(low.__contains__, words))  # a generator would cost as much again, and every statement is asked


def _detail_level(statement: str) -> str | None:
    for match in _SHORT.finditer(statement):
        return "detailed" if _is_refused(statement, match.start()) else "concise"
    for match in _LONG.finditer(statement):
        return "concise" if _is_refused(statement, match.start()) else "detailed"
    return None


def _code_style(statement: str) -> str:
    words = [
        ("no " if _is_refused(statement, match.start()) else "") + match.group().lower()
        for match in _CODE_STYLES.finditer(statement)
    ]
    return ", ".join(dict.fromkeys(words))


def _is_refused(statement: str, start: int) -> bool:
    return bool(_NOT.search(statement[:start]))


def _start(match: re.Match[str]) -> int:
    """Return where the language is named: what stands before it decides whether it is wanted."""
    return next(match.start(i) for i, group in enumerate(match.groups(), start=1) if group)


def _code(name: str) -> str:
    return next(code for code, names in LANGUAGES.items() if name.lower() in names.split("|"))

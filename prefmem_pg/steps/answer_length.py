"""How long answers may be at most, as a sentence says it: "under 200 words", "不超过二百字". Pure."""

import re
from typing import Final

from prefmem_pg.domain.hanzi import simplify
from prefmem_pg.steps.numerals import read_number

_I = re.IGNORECASE

_ENGLISH_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+|\d{1,5}|(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten) )?(?:hundred|thousand)"
    r"|(?:an?|a few|a couple of) (?:hundred|thousand)|ten|twelve|fifteen|twenty(?:-five)?|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety)"
)
_UNIT = r"[- ]?(?:words?|characters?)\b"
_LESS = r"(?:under|below|less than|fewer than|shorter than|within|inside|at most|max(?:imum)?(?: of)?|up to|to)"
_MORE = r"(?:over|above|beyond|past|more than|longer than|exceed(?:s|ing)?|go over)"
_ENGLISH: Final = re.compile(
    rf"(?:\b(?:(?P<less>{_LESS})|(?P<more>{_MORE})|(?P<limit>limit (?:of|is)))\s+)?"
    rf"(?P<number>(?<![\w,.]){_ENGLISH_NUMBER}){_UNIT}"
    r"(?P<after>,? (?:or (?:less|fewer|under|below|shorter)|max(?:imum)?|at (?:the )?most|tops|limit)\b)?"
    r"(?! or more\b| or longer\b| (?:at least|min(?:imum)?)\b)",
    _I,
)
# "to 200 words" limits only behind these; "up to" is in the list of its own.
_TO = re.compile(r"\b(?:limit|keep|cap|cut|restrict|hold|stick)\w*\b[^.;]{0,30}\Z", _I)
# A wish against what is longer is a limit, one against what is shorter is not. What begins anew ends its reach.
_ANEW = r"\b(?:and|but|so|just|please|keep|stay|make|limit|cap|use|unless|if|because)\b"
_REFUSED: Final = re.compile(
    r"(?:\b(?:no|not|nothing|none|never|without|avoid|stop|hate|dislike|loathe|skip|ignore|cannot|too long|rather than"
    r"|instead of)|n't)\b(?! (?:mind|care|matter|problem|issue)\b)(?: (?:keep|make|want|use)\b)?"
    rf"(?:(?!{_ANEW})[^,.;:!?]){{0,40}}\Z",
    _I,
)
_TOO_LONG: Final = re.compile(
    r"\A[^.;!?]{0,20}\b(?:(?:is|are|feels?|seems?) (?:way |far |much )?too (?:long|much)|i(?: \w+)? (?:skip|ignore|stop"
    r"|don't read|won't read|never read)|annoys?|bores?|lose[s]? me)\b",
    _I,
)
_ANSWERS: Final = re.compile(
    r"\b(?<!my )(?:answer|repl(?:y|ies)\b|respon[ds]|expla[in]|summar|outputs?\b|write to me|(?:speak|talk) to me)", _I
)
_TO_ME: Final = re.compile(r"\b(?:me|you|your|it|things|everything)\b", _I)
_BARE: Final = re.compile(
    r"\A(?:\b(?:i|we|please|pls|just|always|and|oh|so|ok|in|use|with|it|things|them|to|be|keep|stay|stick|write|make|limit"
    r"|prefer|like|want|need|the|an?|no|not|never|don't|do|go|give|would|i'd|i'll|nothing|anything|everything|for|of"
    r"|future|from|now|on|length|word|max|hard)(?![\w'])|\W)*\Z",
    _I,
)
# What has a length of its own: neither a password nor an essay is an answer.
_OTHER: Final = re.compile(
    r"\b(?:pass(?:word|phrase|code)|(?:user|nick)? ?name|essay|paper|thesis|dissertation|abstract|novel|stor(?:y|ies)"
    r"|book|chapter|tweet|post|caption|title|headline|bio|article|blog|column|review|letter|e?mail|resume|cv|poem|slogan"
    r"|commit|subject line|plaque|form|headings?|description|toast|speech|page|paragraph|text ?box|field|homework"
    r"|diary|journal)(?:e?s)?\b",
    _I,
)

_HAN_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,5}|[一二两三四五六七八九十百千万零〇]{1,8})"
_CHINESE: Final = re.compile(
    rf"(?P<less>最多|至多|顶多|控制在|限制在|压缩?[在到]|限|少于|小于|低于|不到|不足|短于|少过)?(?P<more>超过|超|多于|大于|高于|长于|长过|多过)?"
    rf"[大约]{{0,2}}\s?(?<![\d,.])(?P<number>{_HAN_NUMBER})\s?个?(?:汉)?字(?!母|节|段|幕|体|典|塔|路|架|绣|韧|韌|符串)"
    r"(?:左右)?(?P<within>以内|之内|以下|内|封顶|为限|就[好行够]|足够|打住)?(?P<beyond>以上|起步?|往上|朝上|开外)?"
)
_REFUSED_ZH: Final = re.compile(r"(?:不|别|勿|莫|没必要|无需|甭|唔|咪)[^，。；,;]{0,5}\Z")
_TOO_LONG_ZH: Final = re.compile(
    r"\A(?:的)?[^。；]{0,10}?(?:不看|不想看|没耐心|看不完|看不下去|太长|太啰嗦|跳过|划走|划到底|就烦|就不读|受不了)"
)
_ANSWERS_ZH: Final = re.compile(r"(?<!我的)(?<!我)(?:回答|回复|答复|回应|解释|讲解|总结|概括|输出|答案|说明(?![文书]))")
_BARE_ZH: Final = re.compile(
    r"\A[请麻烦拜托以后今往每次都就也尽量最好一定务必总给我跟对和你您希望想要喜欢能可说话写讲回用内容字数长度篇幅全文般统律须应该得把简短洁点些不别勿莫会甭\W_]*\Z"
)
_OTHER_ZH: Final = re.compile(
    r"密[码碼]|口令|用户名|昵称|名字|网名|作文|论文|文章|标题|简介|简历|摘要|小说|故事|日记|微博|推文|朋友圈|报告|作业|稿|文案|短信|邮件"
    r"|我(?:每次|一般|只|都|也)*[写说讲发]|书评|影评|评论|留言|读后感|感想|心得|游记|诗|书信|信|本文|发言|致辞|验证码|签名|备注|表格"
)
_ONCE: Final = re.compile(r"\bthis (?:one|time|once|answer|reply|response|explanation|summary)\b|这[篇段份封次回]", _I)


def max_length_in(sentence: str) -> int | None:
    """Return how many words, or Chinese characters, answers may have at most; None where the sentence says nothing."""
    if _ONCE.search(sentence):
        return None
    for match in _ENGLISH.finditer(sentence):
        if _limits(match, sentence) and _is_about_answers(sentence, match):
            return read_number(match["number"]) or None
    sentence = simplify(sentence)
    for match in _CHINESE.finditer(sentence):
        if _limits_zh(match, sentence) and _is_about_answers_zh(sentence, match):
            return read_number(match["number"]) or None
    return None


def _limits(match: re.Match[str], sentence: str) -> bool:
    before, after = sentence[: match.start()], sentence[match.end() :]
    if match["less"] and match["less"].lower() == "to" and not _TO.search(before):
        return bool(match["after"])
    if match["more"]:
        return bool(_REFUSED.search(before) or _TOO_LONG.search(after))
    return bool(match["less"] or match["after"] or match["limit"]) and not _REFUSED.search(before)


def _is_about_answers(sentence: str, match: re.Match[str]) -> bool:
    before = sentence[: match.start()]
    if _ANSWERS.search(sentence):
        return True
    return not _OTHER.search(sentence) and bool(_TO_ME.search(before) or _BARE.match(before))


def _limits_zh(match: re.Match[str], sentence: str) -> bool:
    before, after = sentence[: match.start()], sentence[match.end() :]
    is_refused = bool(_REFUSED_ZH.search(before))
    if match["more"] or match["beyond"]:
        return is_refused or bool(_TOO_LONG_ZH.match(after))
    return bool(match["less"] or match["within"]) and not is_refused


def _is_about_answers_zh(sentence: str, match: re.Match[str]) -> bool:
    if _ANSWERS_ZH.search(sentence):
        return True
    return not _OTHER_ZH.search(sentence) and bool(_BARE_ZH.match(sentence[: match.start()]))

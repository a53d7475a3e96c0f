"""Finds code, settings, logs and transcripts that were pasted without a fence: nothing in them is the user's own."""

import re
from typing import Final

# Indents are taken whole (*+): a line of blanks would else be tried at each of its places.
# Code has signs that speech has not; most messages are done with this one scan.
_SIGNS: Final = re.compile(
    r"[{}=<>$#;*\[\]]|//|--|: |：|^(?:[Hh]i|[Hh]ello|[Dd]ear|[Hh]ey) \w+(?: \w+)?,|^\d(?:/\d| ?stars?)|^(?:git|echo"
    r"|grep|curl|sudo|pip|npm"
    r"|print|def"
    r"|import) ",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(r"^[ \t]*+(?:#(?!\d|\w+ \w+$)|//|/\*|\*/?[ \t]|-- |<!--|#!).*$", re.MULTILINE)
_STATEMENT: Final = re.compile(
    r"^[ \t]*+(?:"
    r"(?:const|let|var|final|static|public|private|export|async|await|String|int|float|bool|char)[ ][^.?!。\n]*[=({].*"
    r"|(?:def|class|func|function|fn)[ ]\w+ ?[(:{].*|(?:if|elif|for|while|with"
    r"|switch)\b[^.?!。\n]*[{:]\s*(?:\w+\(.*\);?)?"
    r"|(?:return|assert|raise|throw|yield)\b[^.?!。\n]*(?:[=(\"';]).*|(?:import|from)[ ][\w.]+(?:[ ]import\b.*)?"
    r"|(?:print|printf|println|expect|console\.\w+|logg?(?:er|ing)?\.\w+|[\w]+(?:\.[\w]+)+)\([^)]*[\"'{\[].*"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\b[^.?!。\n]*\b(?:FROM|INTO|SET|TABLE|VIEW|INDEX|AS"
    r"|WHERE)\b.*"
    r"|(?:\$|>>>|%|C:\\>)[ ]\S.*|(?:git|echo|grep|curl|sudo|pip|npm|docker|cat|sed|awk|make|cd)[ ](?:-|\"|'"
    r"|\S+[ ]?[-\"'>|]|install|commit)"
    r".*|@\w+[(.].*"
    r"|[\[{(].*[\]})][,;]?|[\"']\w+[\"'][ ]*:.*|.*[;{}][ \t]*(?:(?://|#).*)?|</?\w+[^>]*>.*"
    r"|[\w.\[\]\"']+[ ]?(?:=|\+=|:=|==|!=|=>|->)[ ]?\S.*)$",
    re.MULTILINE,
)
_LOG: Final = re.compile(
    r"^[ \t]*+(?:\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|CRITICAL)\b\]?[: ].*|(?:warning|error|fatal|help"
    r"|note|usage|hint)"
    r": .*|(?:错误|警告|提示|异常)[：:].*|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|Traceback\b.*|\w+(?:Error|Exception)\b.*"
    r"|(?:npm|yarn|pip|mvn|gradle|docker) (?:WARN|ERR!?|notice|error|info)\b.*|(?:TODO|FIXME|XXX|README"
    r"|CHANGELOG)\b ?[:：].*|(?:commit|提交) ?[0-9a-f]{4,40}\b.*|diff --git.*|@@ .*"
    r"|[+-]{3} .*)$",
    re.MULTILINE,
)
# A line of settings with an indented one below it; a user's own list is not indented.
_SETTINGS: Final = re.compile(r"^[ \t]*+-? ?[\w-]+:(?: [^\n]*)?(?:\n[ \t]{2,}-? ?[\w-]+: [^\n]*)+", re.MULTILINE)
_OUTPUT: Final = re.compile(r"^(?:\$|>>>|#) \S[^\n]*(?:\n(?!\s*$)[^\n]*)+", re.MULTILINE)
# Two speakers at least, so that "Note: I …" of one's own is none.
_SPEAKERS: Final = re.compile(
    r"\[\d\d?:\d\d(?::\d\d)?\] ?\w+: [^\n\[]*"
    r"|(?:^|(?<=[.!?。！？\n]) ?)[ \t]*(?:\[\d\d?:\d\d\] ?)?(?:speaker ?\w+|[ABQ]"
    r"|甲|乙|丙|问|答|user|customer|host"
    r"|guest|interviewer)[ ]?[:：]"
    r"[^\n]*?(?=(?<=[.!?。！？])[ ]?(?:speaker ?\w+|[ABQ]|甲|乙|丙|问|答)[ ]?[:：]|\n|$)",
    re.IGNORECASE,
)

# A text with a heading of its own: a recipe, a mail, terms, a report. It goes to the end of its paragraph.
_DOCUMENT: Final = re.compile(
    r"(?:^|(?<=\n))[ \t]*+(?:ingredients|method|directions|steps?(?: \d+)?|subject|re|fwd?|terms(?: [\w ]{2,20})?"
    r"|readme|faqs?"
    r"|(?:customer |user |guest )?(?:feedback|review|ticket|complaint|testimonial)(?: ?#? ?\d+)?|notice|safety"
    r"|changelog|agenda"
    r"|minutes|abstract|summary|article \d+|from|sent|to|care instructions|dosage|warnings?|disclaimer|job description"
    r"|requirements|about (?:us|me)|bio)[ ]?:(?!\d|//)[^\n]+(?:\n[ \t]*(?:[-*•]|\d+[.)])[^\n]*)*"
    r"|^\d(?:/\d+| ?stars?)\b[^\n]*"
    # Not "注意事项：我对花生过敏", which is the user's own.
    r"|(?:^|(?<=\n))[ \t]*+(?:配料|食材|用料|做法|步骤|发件人|收件人|用法用量|注意事项|须知|温馨提示"
    r"|免责声明|职位要求|保养说明)[ ]?[:：](?![^\n]*我)[^\n]+(?:\n[ \t]*(?:[-*•]|\d+[.、)])[^\n]*)*"
    r"|^(?:hi|hello|dear|hey) (?:all|team|everyone|both|folks|[A-Z]\w+(?: [A-Z]\w+)?),(?:[^\n]|\n)*?"
    r"\b(?:best|(?:kind |best |warm )?regards|cheers|sincerely|thanks|love|yours(?:"
    r" \w+)?),\s+[A-Z]\w+(?: [A-Z]\w+)?\W*\Z",
    re.IGNORECASE,
)

PATTERNS: Final = (_OUTPUT, _DOCUMENT, _SETTINGS, _STATEMENT, _LOG, _COMMENT)


def pasted_places(text: str) -> list[tuple[int, int]]:
    """Return the places of the text that are code, settings, logs or a transcript, in no order."""
    if not _SIGNS.search(text):
        return []
    places = [match.span() for pattern in PATTERNS for match in pattern.finditer(text)]
    spoken = [match.span() for match in _SPEAKERS.finditer(text)]
    return places + (spoken if len(spoken) > 1 else [])

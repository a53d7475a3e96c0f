"""Finds names in a statement: brands, places, people, model numbers, titles and quoted names."""

import re
from typing import Final

MAX_ENTITIES: Final = 10

_TITLE = re.compile(r"《([^》]{1,40})》|[“「『\"]([^”」』\"]{1,30})[”」』\"]")
_LATIN = re.compile(
    r"(?<![\w'])(?:[A-Z][\w&+#'.-]*[\w+#]|[A-Z])(?:[ ](?:(?:of|the|de|la|du|van|von"
    r"|&)[ ])?(?:[A-Z][\w&+#'.-]*[\w+#]|[A-Z]?\d[\w.-]*))*"
    r"|(?<![\w'])[a-z]+[A-Z]\w*(?: [A-Z0-9][\w-]*)*"
    r"|(?<![\w.])(?=\w*[A-Za-z])(?=\w*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w])"
)
# Capitalised words that name nothing.
_ORDINARY = re.compile(
    r"A|Actually|After|Allergic|Also|Always|An|And|Answer|Are|As|At|Avoid|Because|Before|Being|Big|But|By"
    r"|Call|Can|Can't|Currently|Despite|Do|Don't|Due|During|Each|Emojis|Even|Every|For|Format|Friday|From"
    r"|Generally|Given|Hate|Honestly|Huge|I|I'd|I'll|I'm|I've|If|Im|In|Include|Is|It|It's|Just|Keep|Last"
    r"|Like|Limit|Long|Love|Make|Monday|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|Most|My|Never|No|Not|Now|OK|On|Only|Our|Personally|Please|Prefer"
    r"|Really|Reply|Respond|Saturday|Send|Short|Since|So|Speak|Start|Starting|Stop|Sunday|That|The|This"
    r"|Thursday|To|Tuesday|Use|Usually|We|We're|We've|Wednesday|When|Whenever|While|With|Without|Write|You"
    r"|Your|we"
)
_CHINESE_NAME = re.compile(
    r"(?:去|到|(?<!现)在|从|来自|搬到|住在|飞)([\u4e00-\u9fff]{2,3}?)(?=旅游|旅行|玩|出差|工作|上班|读书|上学"
    r"|生活|定居|住|看|爬|滑雪|$|[，。,！!])"
)
_NOT_A_PLACE = re.compile("不|了|的|我|家|外面|公司|学校|这|那|哪|一起|户外|室内|里|上|下|时|网")


def find_entities(statement: str) -> tuple[str, ...]:
    """Return the names in a statement in the order of their first mention, at most ten, none twice."""
    found: list[tuple[int, str]] = [(m.start(), m.group(1) or m.group(2)) for m in _TITLE.finditer(statement)]
    for match in _LATIN.finditer(statement):
        name = match.group()
        first, _, rest = name.partition(" ")
        if _ORDINARY.fullmatch(first):
            name = rest
        elif (
            match.start() == 0
            and first.istitle()
            and " " not in name
            and not any(c.isdigit() for c in name)
            and statement[len(name) : len(name) + 1] == " "
        ):
            continue  # a capital at the start of an English sentence is no sign of a name
        if (
            name
            and not _ORDINARY.fullmatch(name)
            and not re.fullmatch(r"\d+(?:st|nd|rd|th|am|pm|am|k|kg|km|cm|mm|min|h|s)?", name, re.IGNORECASE)
        ):
            found.append((match.start(), name))
    found += [
        (m.start(1), m.group(1)) for m in _CHINESE_NAME.finditer(statement) if not _NOT_A_PLACE.search(m.group(1))
    ]
    return tuple(dict.fromkeys(name.strip() for _, name in sorted(found) if name.strip()))[:MAX_ENTITIES]

"""All English cues in order of priority: what is plain before what is a turn of phrase."""

import re

from prefmem_pg.providers.offline.circumstances_en import FACTS, GOALS
from prefmem_pg.providers.offline.cue import Cue
from prefmem_pg.providers.offline.dangers_en import DANGERS, DOCTORS_ORDER, DOCTORS_WORD
from prefmem_pg.providers.offline.idioms_en import IDIOMS_AGAINST, IDIOMS_FOR
from prefmem_pg.providers.offline.phrases_en import (
    CANNOT_WITHOUT,
    HABITS,
    MORE_FACTS,
    MORE_GOALS,
    PROHIBITIONS,
    REQUESTS,
    VERDICTS,
)
from prefmem_pg.providers.offline.style_en import STYLE
from prefmem_pg.providers.offline.tastes_en import CONSTRAINTS, DISLIKES, LIKES

CUES: tuple[Cue, ...] = (
    DOCTORS_WORD,
    DOCTORS_ORDER,
    *DANGERS,
    *CONSTRAINTS,
    CANNOT_WITHOUT,
    *IDIOMS_FOR,
    *IDIOMS_AGAINST,
    *DISLIKES,
    *LIKES,
    *STYLE,
    *PROHIBITIONS,
    *GOALS,
    *FACTS,
    *REQUESTS,
    *VERDICTS,
    *MORE_GOALS,
    *HABITS,
    *MORE_FACTS,
)

# One alternation over words of which every cue above needs one: text without any of them is done in one scan.
PRECHECK = re.compile(
    r"\b(?:I|we|im|ive|my|me|our|please|never|always|only|no|not|don't|dont|stop|avoid|skip|must|every"
    r"|each|all|whenever"
    r"|whatever|keep|answer|reply|respond|use|write|give|put|call|send|show|start|be|allergic|intolerant|allergy|hives|epi-?pen"
    r"|as (?:somebody|a person|one)"
    r"|love|hate|dislike|prefer|adore|fan|really|as someone|forever|better|beats?|any ?day|first|worst|best|crime"
    r"|sacred|overrated|heaven|dream|goal|aim|target|plan|planning|trying|thinking|saving|training|hoping|dreaming"
    r"|aiming|signed|registered|enrolled|booked|doing|loving|eating|drinking|using|from now on|going forward|in future"
    r"|include|add|more|drop|cut|lose|spare|less|fewer|stick|talk|speak|bullets?|metric|dark mode|plain english"
    r"|short sentences|simple words|count|pass|hell|nightmare|spot|believer|bird|owl|person|street|alley|without|over"
    r"|anything"
    r"|quit|ditch|kill|enough|lay off|zero|dad|mum|mom|father|mother|parent|grandma|grandpa|tongue|language|blood"
    r"|occupation|profession|home ?town|time ?zone|shoe|pronouns|nationality|years living|mission|resolution"
    r"|remind|explain|suggest|recommend|address|limit|format|make|can't|cant|dealbreaker)\b",
    re.IGNORECASE,
)

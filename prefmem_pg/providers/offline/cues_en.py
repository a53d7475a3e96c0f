"""All English cues in order of priority: what is plain before what is a turn of phrase."""

import re

from prefmem_pg.providers.offline.circumstances_en import FACTS, GOALS
from prefmem_pg.providers.offline.cue import Cue
from prefmem_pg.providers.offline.phrases_en import (
    CANNOT_WITHOUT,
    HABITS,
    MORE_FACTS,
    MORE_GOALS,
    PROHIBITIONS,
    REQUESTS,
    VERDICTS,
)
from prefmem_pg.providers.offline.tastes_en import CONSTRAINTS, DANGERS, DISLIKES, LIKES

CUES: tuple[Cue, ...] = (
    *DANGERS,
    *CONSTRAINTS,
    CANNOT_WITHOUT,
    *DISLIKES,
    *LIKES,
    *PROHIBITIONS,
    *GOALS,
    *FACTS,
    *REQUESTS,
    *VERDICTS,
    *MORE_GOALS,
    *HABITS,
    *MORE_FACTS,
)

# One alternation over the words that every cue above contains: text without any of them is done in one scan.
PRECHECK = re.compile(
    r"\b(?:I|we|im|I'm|my|me|please|never|always|from now on|going forward|in future|allergic|intolerant"
    r"|allerg\w+|every time|each time"
    r"|hives|our|ours|love|hate|dislike|prefer|adore|keep|answer|reply|respond|use|write|don't|do not"
    r"|avoid|stop|as a|being|fan)\b",
    re.IGNORECASE,
)

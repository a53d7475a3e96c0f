"""All English cues in order of priority: dangers, constraints, dislikes, likes, goals, facts."""

import re

from prefmem_pg.providers.offline.circumstances_en import FACTS, GOALS
from prefmem_pg.providers.offline.cue import Cue
from prefmem_pg.providers.offline.tastes_en import CONSTRAINTS, DANGERS, DISLIKES, LIKES

CUES: tuple[Cue, ...] = (*DANGERS, *CONSTRAINTS, *DISLIKES, *LIKES, *GOALS, *FACTS)

# One alternation over the words that every cue above contains: text without any of them is done in one scan.
PRECHECK = re.compile(
    r"\b(?:I|we|im|I'm|my|me|please|never|always|from now on|going forward|in future|allergic|intolerant"
    r"|allerg\w+|every time|each time"
    r"|hives|our|ours|love|hate|dislike|prefer|adore|keep|answer|reply|respond|use|write|don't|do not"
    r"|avoid|stop|as a|being|fan)\b",
    re.IGNORECASE,
)

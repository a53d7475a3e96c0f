"""Pieces of English that several cues share."""

import re

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.cue import CLEAR, TASTE, Cue

ADVERB = (
    r"(?:(?:\w+ly|also|always|just|do|does|still|much|quite|often|sometimes|kind of|sort of|kinda|rather|so|very|too"
    r"|even|now|would|will|have|tend to|try to|like to|prefer to|prefer not to|need to|have to|as a rule|in general"
    r"|for the most part|these days|at all costs|both|all|am|more|far|most|best|super|pretty)\s+)"
)
USER = rf"(?<![\w'])(?:I|we|myself)(?:'?ve|'?m|'ll|'re)?\s+{ADVERB}*"
USER_IS = (
    rf"(?<![\w'])(?:(?:I|we)(?:'m|'re|\s+am|\s+are|'ve\s+(?:always\s+)?been|\s+have\s+(?:always\s+)?been)"
    rf"|im)\s+{ADVERB}*"
)
FAMILY = (
    r"(?:wife|husband|partner|boyfriend|girlfriend|fianc[eé]e?|son|daughter|kid|kids|child|children|baby"
    r"|toddlers?|babies|teenagers?|sons|daughters|brothers|sisters|newborn|mom|mum"
    r"|mother|dad|father|brother|sister|parents|grandmother|grandma|grandfather|grandpa|twins|family|roommate|flatmate)"
)

# What one is allergic to in jest.
JOKES = (
    r"(?:this|that|these|those|your|small talk|meetings?|mondays?|mornings?|jargon|people|drama|work|nonsense"
    r"|stupidity|hype"
    r"|bullshit|commitment|exercise|maths?|bureaucracy|spreadsheets?|the idea|cliches?|buzzwords|fun)"
)
AVOIDS = (
    r"(?:(?:stay|keep|steer) (?:well )?(?:away|clear|off)|avoid|cut (?:out|down|back)|(?:eat|drink) less|do without"
    r"|lay off|wean|leave (?:out|off))"
)


def cue(
    reason: str,
    pattern: str,
    polarity: Polarity = "positive",
    confidence: float = CLEAR,
    importance: float = TASTE,
    *,
    kind: Kind = "explicit",
    is_safety: bool = False,
) -> Cue:
    # Many people leave the apostrophe out.
    pattern = pattern.replace("n't", "n'?t")
    return Cue(reason, re.compile(pattern, re.IGNORECASE), kind, polarity, confidence, importance, is_safety)

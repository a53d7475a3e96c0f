"""English cues of what endangers the user or theirs: allergies, conditions, and what a doctor forbids."""

import re
from functools import partial
from typing import Final

from prefmem_pg.providers.offline.cue import CLEAR, DANGER, STRONG
from prefmem_pg.providers.offline.grammar_en import ADVERB, AVOIDS, FAMILY, JOKES, USER, USER_IS, cue

_ILLNESS: Final = (
    r"(?:asthma|diabetes|epilepsy|celiac|coeliac|heart (?:condition|disease)|pacemaker|high blood pressure|hypertension"
    r"|kidney disease|hemophilia|haemophilia|anaphyla\w+|phenylketonuria|lupus|migraines?)"
)
_DOCTOR: Final = (
    r"(?<!no )(?:doctors?|gp|physician|allergist|dietitian|dietician|nutritionist|dermatologist|cardiologist"
    r"|gastroenterologist|neurologist|pharmacist|midwife|dentist|nurse)"
)
_SAYS: Final = (
    r"(?:also |just |recently |now |has |have )?(?:says?|said|told me|tells me|confirmed|warned me|insists?|thinks"
    r"|reckons|found)"
)
_TAKES: Final = r"(?:eat|drink|have|take|touch|consume|smoke|use)\b"
_JESTS: Final = (
    rf"(?!.*\b(?:{JOKES}|code\w*|movies?|films?|boss|office|jira|excel|java|traffic|taxes|homework|exams?|news|ads)\b)"
)

_danger: Final = partial(cue, polarity="negative", importance=DANGER, kind="fact", is_safety=True)

DOCTORS_ORDER: Final = _danger(
    "a doctor forbids it",
    rf"\b{_DOCTOR}(?:'s)? {_SAYS}(?: that)? (?:I (?:(?:can't|cannot|can not|mustn't|must not|shouldn't|should not"
    rf"|am not (?:allowed|supposed) to) {_TAKES}|(?:(?:have|need|ought) to|must|should) {AVOIDS})"
    rf"|not to {_TAKES}|to (?:strictly |completely )?(?:{AVOIDS}|give up|quit|cut out"
    r"|stop (?:eating|drinking|smoking|taking|using|having)))\b"
    rf"|\b{_DOCTOR} (?:\w+ )?(?:forbade|forbids|banned|(?:has|have) (?:forbidden|banned)) me\b",
    confidence=CLEAR,
)
DANGERS: Final = (
    _danger(
        "allergy or intolerance",
        rf"(?:{USER_IS}|my {FAMILY}(?: \w+)?(?:'s| is| are)\s+{ADVERB}*|^{ADVERB}*)(?!not"
        rf" )(?:allergic(?! to {JOKES}\b)|intolerant)\b"
        rf"|{USER}(?:became|become|turned|grew|got|went|have become|'ve become|have turned) (?:\w+ )?(?:allergic"
        rf"|intolerant)\b"
        r"|^(?:(?:also|oh|and|btw|fyi|note|by the way)[,: ]+)*(?:\w+ )?(?:\w+[- ])?(?:allergy|intolerance"
        r"|intolerant) (?:here|on my side"
        r"|over here)\b"
        rf"|(?:{USER}|my {FAMILY}(?: \w+)? )(?:have|has|had|got|suffer from|developed)[^.]{{0,40}}"
        r"\b(?:allerg(?:y|ies)|intolerance|anaphyla\w+)"
        rf"|\bmy\s+(?:\w+\s+){{0,3}}(?:allerg(?:y|ies)|intolerance)\b|{USER_IS}(?:\w+[- ])?intolerant\b"
        rf"|^{_JESTS}.*?\b(?:gives? me (?:hives|an? (?:\w+ )?rash)|(?:break|broke|come|came) out in (?:hives|an? rash)"
        r"|makes? my (?:throat|lips|tongue|face|mouth|eyes) (?:close|swell|itch|tingle|puff))\b"
        r"|\bmy throat (?:swells|closes)"
        rf"|{USER}(?:carry|have|need|use) an? epi-?pen\b|\bmy epi-?pen\b|\bepi-?pen (?:carrier|owner)\b"
        r"|\ballergies [^.]{0,10}\b(?:except|apart from|other than|besides|aside from) (?:for |to )?\w"
        r"|^as (?:someone|somebody|a person|one)(?: (?:who(?:'s| is)|that(?:'s| is)))? (?:\w+ )?"
        rf"(?:allergic(?! to {JOKES}\b)|intolerant|(?:with|who has) an? (?:\w+ ){{0,2}}(?:allergy|intolerance))\b",
        confidence=STRONG,
    ),
    cue(
        "medical condition",
        rf"(?:{USER}|my {FAMILY}(?: \w+)? )(?:have|has|live with|suffer from|got|was diagnosed with"
        rf"|were diagnosed with)"
        rf"[^.,]{{0,30}}\b{_ILLNESS}|{USER_IS}(?:an? )?(?!not\b|never\b)(?:\w+ )?(?:diabetic|epileptic"
        rf"|asthmatic|pregnant|a hemophiliac"
        r"|c(?:o)?eliac)\b"
        rf"|{USER_IS}on (?:blood thinners|insulin|warfarin)|{USER}take (?:blood thinners|insulin|warfarin|metformin)",
        "neutral",
        STRONG,
        0.9,
        kind="fact",
        is_safety=True,
    ),
)

DOCTORS_WORD: Final = _danger(
    "a doctor found it",
    rf"\b{_DOCTOR}(?:'s)? {_SAYS}(?: that)? I(?:'m| am|'ve| have) (?!not\b|no\b|never\b)(?:\w+ )?(?:allergic"
    rf"|intolerant|an? (?:\w+ ){{0,2}}(?:allergy|intolerance)|c(?:o)?eliac|diabetic|{_ILLNESS})\b",
    confidence=CLEAR,
)
_NAMES_NOTHING: Final = re.compile(
    r"(?:(?:and|because|since|as|cause|cuz) )*(?:I'?m|I am|we're) (?:\w+ly |very |so |quite |pretty |super |also )*"
    r"(?:allergic|intolerant)"
    r"(?: to (?:it|them|that|those|all of it))?\W*",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"(?:\b(?:no|zero|without(?: any)?|free of(?: any)?)|n't have(?: any)?|not have(?: any)?)"
    r" (?:known |other |food |drug |real |more |serious |such )*(?:allerg(?:y|ies)|intolerances?)\b"
    r"(?! (?:except|apart from|other than|besides|aside from))"
    r"|(?:\bnot|n't) (?:actually |really |even |at all )?(?:allergic|intolerant)\b|\ballergic to nothing\b"
    r"|\ballerg(?:y|ies):? (?:none|nope|no)\b",
    re.IGNORECASE,
)


def without_denials(text: str) -> str:
    """Return a clause with what it denies blanked: "allergic to peanuts, not allergic to almonds"."""
    return _DENIES.sub(lambda found: " " * len(found.group()), text)


def names_no_danger(text: str) -> bool:
    """Say whether a clause leaves open what of ("I'm allergic"): that is in the one before it."""
    return bool(_NAMES_NOTHING.fullmatch(text))

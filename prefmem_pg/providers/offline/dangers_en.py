"""English cues of what endangers the user or theirs: allergies, conditions, and what a doctor forbids."""

import re
from typing import Final

from prefmem_pg.providers.offline.cue import CLEAR, DANGER, STRONG
from prefmem_pg.providers.offline.grammar_en import ADVERB, AVOIDS, FAMILY, JOKES, USER, USER_IS, cue

_ILLNESS: Final = (
    r"(?:asthma|diabetes|epilepsy|celiac|coeliac|heart (?:condition|disease)|pacemaker|high blood pressure|hypertension"
    r"|kidney disease|hemophilia|haemophilia|anaphyla\w+|phenylketonuria|lupus|migraines?)"
)
_DOCTOR: Final = (
    r"(?:doctors?|doc|gps?|physician|allergist|dietitian|dietician|nutritionist|dermatologist|cardiologist"
    r"|gastroenterologist|neurologist|specialist|pharmacist|midwife|dentist|nurse|hospital|clinic)"
)
_SAYS: Final = (
    r"(?:says?|said|told me|tells me|has told me|have told me|confirmed|warned me|insists?|thinks|reckons|found)"
)
_IN_JEST: Final = r"(?<!\bR )(?<!meetings )(?<!spreadsheets )(?<!Java )(?<!Excel )"

DOCTORS_ORDER: Final = cue(
    "a doctor forbids it",
    rf"\b{_DOCTOR}(?:'s)? (?:\w+ )?{_SAYS}(?: that)? (?:I (?:can't|cannot|can not|mustn't|must not|shouldn't|should not"
    rf"|am not (?:allowed|supposed) to|(?:have|need|ought) to {AVOIDS}|must {AVOIDS}|should {AVOIDS})"
    rf"|(?:not )?to (?:(?:strictly |completely )?{AVOIDS}|(?<=not to )\w+|give up|quit|cut out|stop \w+ing))\b"
    rf"|\b{_DOCTOR} (?:\w+ )?(?:forbade|forbids|banned|(?:has|have) (?:forbidden|banned)) me\b",
    "negative",
    CLEAR,
    DANGER,
    kind="fact",
    is_safety=True,
)
DANGERS: Final = (
    cue(
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
        rf"|{_IN_JEST}\b(?:gives? me (?:hives|an? (?:\w+ )?rash)|(?:break|broke|come|came) out in (?:hives|an? rash))\b"
        r"|\bmy throat (?:swells|closes)"
        r"|\bmakes? my (?:throat|lips|tongue|face|mouth|eyes) (?:close|swell|itch|tingle|puff)"
        r"|\b(?:carry|have|need|my) an? epi-?pen\b|\bepi-?pen (?:carrier|user|owner)\b"
        r"|\ballergies [^.]{0,10}\b(?:except|apart from|other than|besides|aside from) (?:for |to )?\w"
        r"|^as (?:someone|somebody|a person|one)(?: (?:who(?:'s| is)|that(?:'s| is)))? (?:\w+ )?(?:allergic|intolerant"
        r"|(?:with|who has) an? (?:\w+ ){0,2}(?:allergy|intolerance))\b",
        "negative",
        STRONG,
        DANGER,
        kind="fact",
        is_safety=True,
    ),
    cue(
        "medical condition",
        rf"(?:{USER}|my {FAMILY}(?: \w+)? )(?:have|has|live with|suffer from|got|was diagnosed with"
        rf"|were diagnosed with)"
        rf"[^.,]{{0,30}}\b{_ILLNESS}|{USER_IS}(?:an? )?(?:\w+ )?(?:diabetic|epileptic|asthmatic|pregnant|a hemophiliac"
        r"|c(?:o)?eliac)\b"
        rf"|{USER_IS}on (?:blood thinners|insulin|warfarin)|{USER}take (?:blood thinners|insulin|warfarin|metformin)",
        "neutral",
        STRONG,
        0.9,
        kind="fact",
        is_safety=True,
    ),
)

DOCTORS_WORD: Final = cue(
    "a doctor found it",
    rf"\b{_DOCTOR}(?:'s)? (?:\w+ )?{_SAYS}(?: that)? I(?:'m| am|'ve| have) (?!not\b|no\b)(?:\w+ )?(?:allergic"
    rf"|intolerant|an? (?:\w+ ){{0,2}}(?:allergy|intolerance)|c(?:o)?eliac|diabetic|{_ILLNESS})\b",
    "negative",
    CLEAR,
    DANGER,
    kind="fact",
    is_safety=True,
)
_NAMES_NOTHING: Final = re.compile(
    r"(?:(?:and|because|since|as|cause|cuz) )*(?:I'?m|I am|we're) (?:\w+ly |very |so |quite |pretty |super |also )*"
    r"(?:allergic|intolerant)"
    r"(?: to (?:it|them|that|those|all of it))?\W*",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"\b(?:no|zero|any) (?:known |other |food |drug |real |more |serious |such )*(?:allerg(?:y|ies)|intolerances?)\b"
    r"|\bnot (?:actually |really |even |at all )?(?:allergic|intolerant)\b|\ballergic to (?:nothing|anything)\b"
    r"|\b(?:aren't|isn't) (?:\w+ )?(?:allergic|intolerant|an allergy)\b|\ballerg(?:y|ies):? (?:none|nope|no)\b"
    r"|\bfree of (?:any )?allerg",
    re.IGNORECASE,
)
_BUT: Final = re.compile(r"\b(?:except|apart from|other than|besides|aside from|but|only)\b", re.IGNORECASE)


def denies_danger(text: str) -> bool:
    """Say whether a clause says that there is no allergy: "no known allergies"; not "none except penicillin"."""
    return bool(_DENIES.search(text)) and not _BUT.search(text)


def names_no_danger(text: str) -> bool:
    """Say whether a clause leaves open what of ("I'm allergic"): that is in the one before it."""
    return bool(_NAMES_NOTHING.fullmatch(text))

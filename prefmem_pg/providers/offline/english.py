"""Reads an English sentence: which of its clauses say something lasting about the user."""

import re
from collections.abc import Sequence
from dataclasses import replace

from prefmem_pg.providers.offline import cues_en
from prefmem_pg.providers.offline.attribution_en import is_of_others
from prefmem_pg.providers.offline.cue import CueMatch, find_cue
from prefmem_pg.providers.offline.dangers_en import names_no_danger, without_denials
from prefmem_pg.providers.offline.finding import Finding, of_danger
from prefmem_pg.providers.offline.questions import first_question
from prefmem_pg.providers.offline.reject import is_passing, is_past, is_reported, points_away, refuses_sentence
from prefmem_pg.providers.offline.sentences import Span, english_clauses, goes_on_ordering, scene
from prefmem_pg.providers.offline.topics import topic_words

# "no" goes only before a comma: in "no meat for me" it is the message.
_FILLER = re.compile(
    r"^(?:(?:(?:no|nope|nah)(?=[,.!;])|well|oh|um+|uh+|hmm+|so|anyways?|actually|honestly|frankly|btw"
    r"|by the way|also|and|but|or|yet|though|although|because"
    r"|(?:as|since)(?= (?:I|I'm|I've|we|my|it|it's|they)\b)|cuz|cause|yes|yeah|yep|ok|okay|sure|hi|hey"
    r"|hello|hi there|hey there|thanks|thank you|to be (?:honest|fair|clear)|tbh"
    r"|just so you know|so you know|fyi|for the record|for your information|speaking of (?:which|that)"
    r"|on (?:a|another) (?:\w+ )?note|I should (?:mention|add|say|note)(?: that)?"
    r"|just to (?:let you know|clarify|mention)|keep in mind(?: that)?|(?:please )?(?:remember|note"
    r"|be aware|know)(?: that)?(?= (?:I|I'm|I've|my|we|our)\b)|you know(?=,| I\b)|look(?=,)|listen(?=,)"
    r"|(?:like|as) I (?:said|mentioned)|one more thing|another thing|the thing is(?: that)?|in fact|plus"
    r"|I mean|I guess|I think(?: that)?(?= (?:I|my)\b)|I have to say|I must say"
    r"|(?:(?:fun|funny|quick|small|big|short|another) )?update(?=:)|surprise(?=[:!])|(?:a )?heads[- ]up(?=[,:])"
    r"|good news(?=[,:])|unfortunately|sadly|lol|haha+|while|whereas|too bad|fun fact|quick note|right|say(?=,)"
    r"|obviously"
    r"|great(?=[,!])|perfect(?=[,!])"
    r"|(?:can|could|would|will) you(?= (?:please |just )?(?:always|never|from now|going forward|in (?:the )?future)\b)"
    r"|(?:hot take|unpopular opinion|confession|guilty pleasure|controversial opinion)(?=[,:]?"
    r" ))[\s,.:!;—-]*(?<=[\s,.:!;—-]))+",
    re.IGNORECASE,
)
_REASON = re.compile(r"^(?:because|cuz|cause|(?:as|since)(?= (?:I|I'm|I've|we|my|it|it's|they)\b))\b", re.IGNORECASE)
_OPENS = re.compile(
    r"^(?:when|whenever|if|unless|as|for|on|in|at|after|before|during|due to|given|because|since|while"
    r"|with|without|despite|even|ever|every|each|most|once|being|from|by|to|these days"
    r"|nowadays|lately|starting|instead|rather|unlike|especially|outside|when it comes|like|now|last)\b",
    re.IGNORECASE,
)
_USER = re.compile(r"^(?:[\w\s']+, ?)?(?:I|we)\b|\b(?:I|we)\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"^(?:(?:\w+ly|also|always|just|do|still|much|never|instead|am|have|tend to"
    r"|would)\s+)*(?:like|love|adore|enjoy|prefer|favou?r|hate|dislike|detest|loathe|avoid|refuse|can't"
    r"|cannot"
    r"|(?:don't|do not) (?:like|eat|drink|enjoy|want|care)|won't|will only|never|only|always|allergic"
    r"|(?:\w+[- ])?intolerant)\b",
    re.IGNORECASE,
)
_QUALIFIES = re.compile(
    r"^(?:but|though|although|except|unless|only)\s+(?:not|only|never|without|no|if|when|for|in|on|with)\b",
    re.IGNORECASE,
)
_LEANS_BACK = re.compile(
    r"\b(?:they|them|it|there|those|theirs|that's (?:my|how|what|just|me"
    r"|exactly))\b",
    re.IGNORECASE,
)
_RELATIVE_NAME = re.compile(r"(?P<who>[Mm]y \w+),? (?P<name>[A-Z][^\W\d_]+)")
_LASTS = re.compile(r",? (?:is|are|turned|was|has|have|lives?|works?|comes?)\b")
_HOW_OFTEN = re.compile(r"(?:never|only|always)\s+(?P<next>\w+)", re.IGNORECASE)
_BEFORE_NOUNS = frozenset({"a", "an", "the", "any", "my", "our", "one", "in", "on", "at", "from", "for", "with"})
_OF_THEM = re.compile(r",? and (?:he|she)(?:'d|'s|'ll)?\b.*$")
_EMPTY = re.compile(r"^\W*(?:please |just )*(?:always|never)?\W*$", re.IGNORECASE)


def read_english(sentence: Span) -> list[Finding]:
    """Return the findings of one sentence, in order."""
    if not cues_en.PRECHECK.search(sentence.text):
        return []
    findings = _told(sentence)
    return [] if findings and refuses_sentence(sentence.text) else findings  # asked last: most sentences tell nothing


def _told(sentence: Span) -> list[Finding]:
    clauses = english_clauses(sentence)
    asked = first_question(clauses, sentence.text)
    findings: list[Finding] = []
    glued: Span | None = None
    others = False
    for index, clause in enumerate(clauses):
        body = _without_fillers(clause)
        reason = bool(_REASON.match(clause.text))
        if body is None or (index >= asked and not reason):
            glued = None
            continue
        lead = _missing_subject(body, clauses[:index]) if index and not glued else ""
        start = glued.start if glued else _start(body, clauses, index, findings)
        others = is_of_others(body.text, before=others)
        around = scene(clauses, index)
        if index + 1 < len(clauses) and clauses[index + 1].text.lower().startswith("while "):
            around += " " + clauses[index + 1].text  # "no music while we're on this call"
        match = _lasting_cue(lead + body.text, around, leans=start < body.start)
        if match and others and match.cue.kind != "fact":
            match = None
        if match and match.cue.is_safety and findings and _names_what(findings[-1], body, clauses[index - 1]):
            findings[-1:] = of_danger(findings[-1], match.cue, clause.end)
        elif match and not (reason and findings and not match.cue.is_safety):
            lead = lead if start == body.start else ""
            found = Finding(start, body.end, match.cue, lead, is_safety=match.cue.is_safety)
            findings.append(
                _without_others(found, body, lead + body.text, match) if match.cue.kind == "fact" else found
            )
            if reason and len(findings) > 1:
                findings[-2] = replace(findings[-2], reason=(clause.start, clause.end), is_safety=True)
            glued = None
        elif reason and findings:
            findings[-1] = replace(findings[-1], reason=(clause.start, clause.end))
        elif (
            findings
            and findings[-1].end <= clause.start
            and (
                _QUALIFIES.match(clause.text)
                or (findings[-1].end == clauses[index - 1].end and goes_on_ordering(clause.text))
            )
        ):
            findings[-1] = replace(findings[-1], end=clause.end)
        elif _OPENS.match(body.text) and not others:
            glued = glued or body
        else:
            glued = None
    return findings


def _names_what(finding: Finding, body: Span, before: Span) -> bool:
    """Say whether the clause right before "I'm allergic" has told what of."""
    return names_no_danger(body.text) and before.start <= finding.start and finding.end >= before.end


def _without_fillers(clause: Span) -> Span | None:
    # The space stands for the comma at which the clause was cut.
    match = _FILLER.match(clause.text + " ")
    cut = min(match.end(), len(clause.text)) if match else 0
    text = clause.text[cut:]
    return Span(clause.start + cut, clause.end, text) if text else None


def _missing_subject(body: Span, before: Sequence[Span]) -> str:
    """Return "I " for a verb that shares the subject of a clause before it ("I hate onions but love garlic").

    "I'm vegan and allergic to nuts" also shares the verb.
    """
    goes_on = _NO_SUBJECT.match(body.text) and not _OPENS.match(before[-1].text) and not _lacks_verb(body.text)
    lead = "I'm " if _NO_VERB.match(body.text) and not _ANOTHER.search(before[-1].text) else "I "
    return lead if goes_on and any(_USER.search(clause.text) for clause in before[-2:]) else ""


_ANOTHER = re.compile(r"\b(?:for|with|who|someone|somebody|people|guests?|person)\b", re.IGNORECASE)
_NO_VERB = re.compile(r"(?:\w+ly |very |also )*(?:allergic|\w* ?intolerant)\b", re.IGNORECASE)


def _lacks_verb(text: str) -> bool:
    """Say whether the verb is that of the clause before ("I eat fish but never meat")."""
    match = _HOW_OFTEN.match(text)
    if match is None:
        return False
    things = [word for word in topic_words(text) if word.is_thing and word.start == match.start("next")]
    is_thing = any(not text[word.end :].strip(" .!,") for word in things)  # "drink" is one, and a verb before others
    return is_thing or match["next"].lower() in _BEFORE_NOUNS


def _lasting_cue(text: str, scene_text: str, *, leans: bool) -> CueMatch | None:
    match = find_cue(without_denials(text), cues_en.CUES)
    if match is None or is_reported(text) or _EMPTY.match(text):
        return None
    if match.cue.kind == "fact":
        return match
    is_alone = not leans and points_away(text, match.start, match.end)
    return None if is_passing(scene_text) or is_past(text) or is_alone else match


def _without_others(finding: Finding, body: Span, text: str, match: CueMatch) -> Finding:
    """Leave out of a fact what is told of somebody else: of "my husband Rui would live on sardines" only the name."""
    shift = body.end - len(text)
    relative = _RELATIVE_NAME.fullmatch(text[match.start : match.end])
    if relative and not _LASTS.match(text, match.end):
        said_as = f"{relative['who']} is called {relative['name']}"
        return replace(finding, start=shift + match.start, end=shift + match.end, lead="", said_as=said_as)
    goes_on = _OF_THEM.search(text, match.end)
    return replace(finding, end=shift + goes_on.start()) if goes_on else finding


def _start(body: Span, clauses: Sequence[Span], index: int, findings: list[Finding]) -> int:
    """Begin at the clause before when that one has the verb of this one, or says who "they" are."""
    if (
        index
        and (_LEANS_BACK.search(body.text) or _lacks_verb(body.text))
        and not _says_more(findings, clauses[index - 1])
    ):
        before = _without_fillers(clauses[index - 1])
        return before.start if before else body.start
    return body.start


def _says_more(findings: list[Finding], clause: Span) -> bool:
    """Say whether a clause is a finding of its own that is more than the circumstance of what follows."""
    return bool(findings) and findings[-1].end >= clause.end and findings[-1].cue.kind != "fact"

"""Whose an English clause is: the user's own, or what somebody else likes, says, writes or advises."""

import re
from typing import Final

from prefmem_pg.providers.offline.grammar_en import FAMILY

_PERSON: Final = (
    rf"(?:{FAMILY}|friend|buddy|mate|boss|colleague|coworker|co-worker|manager|team|neighbou?r|aunt|uncle|cousin|nephew"
    r"|niece|teacher|professor|landlord|landlady|guest|client|customer|tenant|student|pupil|intern|trainer|coach"
    r"|hairdresser"
    r"|barber|therapist|dentist|nanny|babysitter|plumber|in-laws?|\w+-in-law|grandson|granddaughter|granny|gran|ex"
    r"|date|guy"
    r"|girl|boy|man|woman|lady|people|person|kid|folks|crowd|chef|waiter|driver|doctor|nurse|vet|lawyer|accountant"
    r"|assistant"
    r"|cat|dog|puppy|kitten|parrot|rabbit|hamster|horse|protagonist|narrator|hero|heroine|villain|detective"
    r"|character|king"
    r"|queen|user|users|viewers?|players?|readers?|visitors?|employees?|developers?|scientists?|experts?|monks?"
    r"|locals?)"
)
_FILLED: Final = (
    r"^(?:(?:and|but|so|well|also|because|since|as|while|though|even|half of|most of|some of|all of|one of) )*"
)
# A person as the subject: "my flatmate", "the neighbours", "my boss's wife", "a friend of mine", "people in my office".
_SUBJECT: Final = re.compile(
    rf"{_FILLED}(?:(?:(?:my|our|his|her|their|your|the|a|an|one|some|most|all|every|each|that|this"
    rf"|\w+'s) )(?:[\w'-]+ ){{0,2}}?"
    rf"{_PERSON}s?(?:'s?(?: \w+)? (?:{_PERSON}s?|[\w-]+))?|(?:he|she|they|everyone|everybody|someone|somebody|nobody"
    rf"|people"
    r"|folks|grandpa|grandma|mum|mom|dad|granny)(?:'s \w+)?)(?: (?:of|in|at|from|on|next|with|who|I'm|across"
    r"|upstairs) (?:\w+ ){0,3}\w+)??"
    r" (?!and I\b|or I\b|and me\b)(?:\w+ly |always |never |still |also |just |all |would |will |can |does "
    r"|doesn't |don't |won't )*"
    r"(?:thinks?|says?|said|finds?|believes?|reckons?|swears?|claims?|insists?|hates?|loves?|adores?|likes?|prefers?"
    r"|enjoys?"
    r"|dislikes?|can't|cannot|refuses?|won't|drinks?|eats?|ate|drank|wears?|takes?|wants?|needs?|avoids?|asks?"
    r"|keeps?|makes?|uses?"
    r"|watch(?:es)?|reads?|plays?|doesn't|don't|does not|do not|never|always|only|is|are|was|were|has|have|listens?"
    r"|works?|gets?"
    r"|goes|go|buys?|cooks?|tells?|told|allows?|lets?|microwaves?|orders?|pays?|fixes|stand|bear|live|lives|rather"
    r"|love|touch"
    r"|touches|walks?|runs?|sleeps?|forgets?|peels?|fears?)\b",
    re.IGNORECASE,
)
# A text or a voice that says it.
_SOURCE: Final = (
    r"(?:article|blog|book|textbook|manual|leaflet|hand-?out|recipe|stud(?:y|ies)|survey|poll|podcast|host"
    r"|reviewers?|reviews?"
    r"|label|tag|packag\w+|website|site|page|poster|sign|ad|advert|commercial|documentary|newsletter|headline|guide"
    r"|guidelines?"
    r"|rules?|instructions?|notes?|contract|lease|e-?mail|letter|forum|post|thread|tweet|video|channel|magazine"
    r"|newspaper|paper"
    r"|report|documentation|docs|tutorial|course|lecture|nutritionist|experts?|influencers?|song|lyrics|poem|poet"
    r"|line|quote|bio"
    r"|caption|comment|slogan|saying|proverb|horoscope|brochure|policy|law|script|postcard|film|movie|doctors?"
    r"|author|critics?"
    r"|writer|scientists?|researchers?|guru|chef|press|news|internet|box|packet|bottle|notice|card|tv|radio)"
)
_SAYS: Final = (
    r"(?:says?|said|tells?|told|claims?|claimed|reads?|recommends?|recommended|insists?|insisted|suggests?|suggested"
    r"|advises?"
    r"|advised|goes on|warns?|warned|states?|stated|writes?|wrote|mentions?|mentioned|demands?|requires?|promises?"
    r"|shows?|showed"
    r"|argues?|argued|explains?|stress(?:es)?|calls? for|found|keeps? \w+ing|kept \w+ing|is full of|makes out)"
)
_REPORTS: Final = re.compile(
    rf"{_FILLED}(?:(?:the|this|that|an?|my|our|her|his|their|one|some|every|most|new"
    rf"|\w+'s) (?:[\w'-]+ ){{0,3}}?)?{_SOURCE}s?"
    rf"(?: (?:on|in|of|from|at|by|about|under) (?:[\w'-]+ ){{0,3}}[\w'-]+)?(?: also| all| always| now"
    rf"| just)? {_SAYS}\b(?! me\b| I (?:need|can)\b)"
    r"|\baccording to (?!me\b|my (?:own|taste))|^\W*(?:apparently|supposedly|allegedly)\b|\b(?:they|people|some"
    r"|scientists|experts) (?:say|claim|recommend|argue)\b"
    r"|\bI(?:'ve)? (?:just |once |recently |also )?(?:read|heard|saw|learned|noticed|found out) (?:somewhere "
    r"|online |recently |once )?(?:that|an?|about|in)\b"
    r"|\b(?:he|she|they|someone|somebody|[A-Z][a-z]+) (?:once |always |just |also )?(?:said|says|wrote|writes"
    r"|claims?|texted|carved|tweeted|kept (?:repeating|saying|telling))\b"
    r"|\bit (?:says|said|reads?) (?:on|in|here|there|that)\b|\b(?:the )?(?:sentence|phrase|line|slogan|motto"
    r"|quote)\b.*\b(?:from|mean|means|correct)\b"
    rf"|\bmy favou?rite (?:quote|line|saying) (?:of|by|from)\b|\bquote of (?:hers|his)\b",
    re.IGNORECASE,
)
_ADVISES: Final = re.compile(
    r"\b(?:you(?:'ve| have|'d| had)? (?:\w+ly |just |also |once |earlier |already |always |kept |keep "
    r"|then )*(?:said|say|told|tell|telling"
    r"|suggest\w*|recommend\w*|advis\w*|mention\w*|wrote|write that|noted|propos\w*|insist\w*|claim\w*|think|thought"
    r"|assum\w*"
    r"|described|want(?:ed)? me|would have me|'d have me|have me|warn\w*|called me)|you'd have me|didn't you (?:say"
    r"|tell)"
    r"|your (?:\w+ )?(?:plan|list|suggestions?|advice|table|answers?|tips?|article|recommendations?|summary|guide"
    r"|reply|opinion|idea"
    r"|schedule|routine|programme?|menu) (?:\w+ly )?(?:has|had|says?|said|tells?|told|suggest\w*|recommend\w*"
    r"|mention\w*|was|is|that I|wants?|I)"
    r"|(?:the|that) (?:advice|tip|suggestion|idea|recommendation)s? (?:is|was|you|:)|in your opinion|per your"
    r"|according to you"
    r"|if I (?:follow|understand|understood|read|got|get) you|as you (?:say|said|suggest\w*|recommend\w*|told"
    r"|advise\w*|wrote)"
    r"|you (?:want|expect) me to)\b(?!,? (?:were|are) right)",
    re.IGNORECASE,
)
# "I should …" behind advice is what the user is told; "I gave it up" and "so please …" are the user's own.
_TOLD_TO: Final = re.compile(
    r"^(?:(?:and|or|that|so) )*(?:I|we) (?:\w+ly |also |always )*(?:should|must|need to|have to|ought|would"
    r"|am supposed|can)\b(?!')"
    r"|^(?:(?:and|or|that|so) )*(?:I'd|I'm supposed)\b",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"^(?:(?:and|so|but) )*(?:please|from now on|always(?! \w+s\b)|never suggest|don't suggest|keep)\b", re.IGNORECASE
)
_OWN: Final = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|mine|me|myself|we|us|our)\b", re.IGNORECASE)


# Advice that is named as such at the end, or words that are given as another's.
_ADVICE: Final = re.compile(
    r"\bwhat you(?:'re| are| were|'ve| have)? (?:been |just )?(?:suggest|sa[yi]|recommend|advis|tell|told|propos"
    r"|mean)\w*"
    r"|\b(?:as )?per your\b|\band I quote\b|\bquote,? unquote\b|\b(?:cookie|horoscope|quiz|app|chatbot|algorithm"
    r"|personality test"
    r"|website|psychic|fortune teller|tarot\w*) (?:told|tells|says|said|thinks|claims|insists) (?:me )?(?:that )?I\b",
    re.IGNORECASE,
)


def is_advice(sentence: str) -> bool:
    """Say whether a sentence as a whole repeats what the user was told or what somebody is quoted with."""
    return bool(_ADVICE.search(sentence))


def is_of_others(clause: str, *, before: bool) -> bool:
    """Say whether a clause is what others like, say or advise; ``before``: whether the one before it was.

    A clause without a subject goes on about the one before ("My students love group work but hate homework").
    """
    if _ADVISES.search(clause) or _REPORTS.search(clause):
        return True
    subject = _SUBJECT.match(clause)
    if subject and not _OWN.search(clause, subject.end()):
        return True
    if not before or _ORDERS.match(clause):
        return False
    return not _OWN.search(clause) or bool(_TOLD_TO.match(clause))

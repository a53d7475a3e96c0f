"""Turns the sign of an English cue where the words around it say the contrary: "trying to stay away from sugar"."""

import re
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.grammar_en import AVOIDS

_I: Final = re.IGNORECASE
# A choice for the first of two, and two negations that make a yes.
_FOR: Final = re.compile(
    r"\bnot immune to\b|\bnot too proud to\b|^you (?:can|may) (?!skip|leave|drop|omit|spare|cut|forget|ignore|stop)\w+"
    r"|\b(?:couldn't|can't|could not|cannot) be happier\b|\b(?:no|not an?) (?:enemy|stranger) (?:of|to)\b"
    r"|\b(?:not|rarely|hardly|scarcely) (?:does )?(?:an? |one )?(?:day|week|morning|night|evening) (?:go|pass)(?:es)?\b"
    r"|\bnot that I (?:\w+ )?(?:dislike|hate|mind|object)\b|\bnot that I (?:don't|do not|didn't) (?:\w+ )?(?:like|love"
    r"|enjoy|want|care)\b|(?:n't|\bnot|\bnever) (?:\w+ ){0,4}(?:anywhere|anyone|anybody) but\b"
    r"|(?<!n't )(?<!never )(?<!not )\bgo out of my way to (?!avoid|miss|escape)\w"
    r"|\bused to (?:avoid|hate|dislike|loathe|dread|fear|skip)\b.*\b(?:now|these days|nowadays|today)\b"
    r"(?!.*\b(?:still|never|avoid|hate|dread|skip|dislike|loathe"
    r"|fear|don't|can't))|\bthere (?:isn't|is not|aren't|are no)"
    r" [^.]{2,40}\bI (?:don't|do not|wouldn't)\b"
    r"|\blying if I said I (?:didn't|don't|wasn't)\b"
    r"|\b(?:take|choose|pick|have|opt for|go for|prefer|favou?r) (?!care)[^.,]{2,40}\bover\b"
    r"|\b(?:don't|do not|can't|cannot) (?:see|understand|get) (?:why|how) (?:anyone|anybody|people|you|someone)"
    r" (?:wouldn't|would not|doesn't|don't|can't)\b"
    r"|\b(?:never|not|n't|rarely|hardly)(?: \w+){0,2} (?:turn(?:ed)? down|say no|pass up|refuse|resist|tire of"
    r"|get (?:enough|tired|bored) of)\b"
    r"|\b(?:(?:have|'ve) yet to|'ve never|have never) \w+[^.]{2,40}\b(?:didn't|don't|did not|do not"
    r"|wouldn't) (?:like|love"
    r"|enjoy)\b",
    _I,
)
_AWAY: Final = (
    r"(?:stay (?:away|clear|off|out) (?:from|of)?|keep (?:away|clear|off)|steer (?:well )?clear|cut (?:out|down|back)"
    r"|give up|quit|avoid|reduce|limit|wean|get rid of|do without|go without|lay off|ditch|drop|skip|stop \w+ing"
    r"|leave (?:out|off)|(?:drink|eat|use|spend|buy|watch|have|own|smoke) (?:less|fewer|no)|not (?!too|so|only)\w+)"
)
# What nobody would rather do, so that the other is still less wanted.
_NOBODY_WOULD: Final = (
    r"(?:chew (?:glass|nails|tinfoil|sand|my)|swallow (?:glass|nails|a )|die|starve|gouge|stab|lick|poke (?:my|out)"
    r"|pull (?:my|out)|eat (?:my|glass|sand|dirt|worms|nails|tinfoil|a (?:shoe|hat|sock))|watch paint"
    r"|walk (?:barefoot|(?:\w+ ){1,2}miles|on (?:nails|glass|hot coals|lego))|stick (?:pins|needles|a fork)"
    r"|set (?:myself|my hair)"
    r"|lose (?:an?|my) (?:arm|leg|finger|toe|tooth|eye)|scrub (?:toilets|floors)|do my taxes"
    r"|be (?:shot|run over|eaten|buried)|crawl|have a root canal|give up (?:an? \w+"
    r"|my) (?:kidney|arm))"
)
_AGAINST: Final = re.compile(
    r"\bnothing (?:\w+ )?(?:annoys|bothers|irritates|bores|disgusts|stresses|drains|frustrates|repels"
    r"|exhausts) me (?:more|as much|like|quite)\b"
    r"|\b(?:give|bring|feed|get|play|show|suggest|send) me (?:\w+ )?anything (?:but|except|other than)\b"
    r"|\bI(?:'m| am) (?:\w+ )?(?:the )?opposite of\b|\bbone to pick with\b|\b(?:vile|revolting|disgusting) stuff\b"
    r"|(?:have|'ve) (?:yet to|never) \w+[^.]{2,40}\b(?:didn't|don't|wouldn't) (?:regret|hate|loathe|dislike)\b|"
    rf"(?<![\w'])(?:I|I'm|I am|I've been|I'd like|we|we're|we are) (?:\w+ly |always |usually |still |now )?"
    rf"(?:try|trying|tend|want|wanting|like|need|prefer|aim|working|doing my best|hoping|make sure|plan|planning)"
    rf"(?: hard)? to {_AWAY}|(?<!never )(?<!not )(?<!n't )(?<!rarely )(?<!hardly )(?<!never ever )\b(?:turn(?:s"
    rf"|ed)? down"
    r"|turn my nose up|steer (?:well )?clear|pass(?:ed)? on(?= \w))\b"
    r"|\bneither\b[^.]*\bnor\b|\bthere (?:isn't|is not|aren't) (?:an?|any|one|a single)"
    r" [^.]{2,40}\bI (?:\w+ )?(?:like|love|enjoy|eat|watch|trust)\b"
    r"|\b(?:neither|nor) (?:do|will|would|can|could|am|have) I\b|\bme (?:neither|either)\b"
    r"|\blost (?:all |any |most of my |my )?(?:interest|appetite|taste|patience|enthusiasm|love) (?:in|for|of)\b"
    r"|\b(?:little|nothing|few things|not much) (?:that )?I (?:like|love|enjoy|want) less\b"
    rf"|\b(?:rather|sooner) {_NOBODY_WOULD}\b[^.]{{0,60}}\bthan\b"
    r"|\bI (?:wouldn't|would not) say (?:that )?I(?:'m| am)? (?:\w+ )?(?:like|love|enjoy|adore|fond|keen)\b"
    r"|\bI don't (?:think|believe|suppose) (?:that )?I(?:'ll|'d| will| would)?(?: \w+)? (?:like|love|enjoy|want)\b"
    r"|^(?![^:]*\b(?:sacred|love|like|prefer|fan|favou?rite|free|best|heaven)\b)[^:]{3,60}: (?:no|never|don't|do not"
    r"|avoid|without)\b(?!.*\b(?:love|like|prefer)\b)",
    _I,
)


_FEELS_NOTHING: Final = re.compile(
    r"\b(?:doesn't|don't|does not|do not|never) (?:really )?(?:bother|annoy|worry|scare|stress|disturb|upset"
    r"|faze)s? (?:me|us)\b",
    _I,
)
_NOT_AGAINST: Final = re.compile(
    r"\bI (?:don't|do not) (?:actually |really |exactly )?(?:dislike|hate|loathe|detest)\b(?!.*\b(?:but|love|like)\b)",
    _I,
)
# Begins with what the user cannot or will not do; two negations and words of liking leave it to its cue.
_REFUSES: Final = re.compile(
    r"^(?!.*\b(?:without|enough|mind|wait|resist|miss|help|complain|wrong|no to|turn down|love|like|prefer|enjoy|fan"
    r"|favou?rite"
    r"|only|but|unless|until|less|dislike|hate|care if)\b)(?:[\w ]{3,20}: )?(?:I |we )?(?:\w+ly |just )?(?:can't"
    r"|cannot|won't|wouldn't)\s"
    r"|\b(?:hardly|scarcely|barely) (?:an?|my|the)\b(?! \w+ (?:goes|passes)\b)"
    r"|\b(?:isn't|is not|aren't|are not) (?:really |exactly )?my\b"
    r"|\btastes? (?:like|of) (?:soap|cardboard|dirt|feet|plastic|medicine|grass|metal|nothing)\b"
    r"|\bI(?:'d| would) (?:always |happily |gladly |usually )?(?:skip|avoid|pass on|drop)\b",
    _I,
)
_AVOIDS: Final = re.compile(rf"\b{AVOIDS}\b", _I)


def english_sign(statement: str, *, is_goal: bool = False) -> Polarity | None:
    """Return the sign that the words of a statement have whatever its cue says; None when they leave it to the cue.

    ``is_goal``: an aim is for what it names ("I want to quit my job"), unless it is to keep away from it.
    """
    if is_goal:
        return "negative" if _AVOIDS.search(statement) else None
    return idiom_sign(statement, or_else="negative" if _REFUSES.search(statement) else None)


def idiom_sign(statement: str, *, or_else: Polarity | None = None) -> Polarity | None:
    """Return the sign that a turn of phrase has ("I like neither"), which no word in it tells; else what is given."""
    if _FEELS_NOTHING.search(statement):
        return "positive"
    if _NOT_AGAINST.search(statement):
        return "neutral"
    if _AGAINST.search(statement):
        return "negative"
    return or_else or ("positive" if _FOR.search(statement) else None)

"""English orders about how answers shall look: "use bullet points", "keep it short", "no small talk"."""

from typing import Final

from prefmem_pg.providers.offline.cue import CONSTRAINT
from prefmem_pg.providers.offline.grammar_en import cue

_SHAPE: Final = (
    r"(?:bullets?(?: points?| lists?)?|numbered lists?|(?:short |ordered )?lists|tables?|headings?|headers"
    r"|prose|(?:full |short |simple |plain |everyday |complete )+(?:sentences|words|paragraphs|language|english|terms)"
    r"|examples?|analogies|metaphors|code (?:blocks?|snippets?|comments?|samples?)|comments|type hints"
    r"|emojis?|emoticons|smileys|exclamation (?:marks?|points?)|em[- ]?dash(?:es)?|semicolons|capital letters|caps"
    r"|markdown|latex|html|json|csv|jargon|buzzwords|slang|abbreviations|acronyms|technical terms|big words"
    r"|small ?talk|pleasantries|greetings?|intros?|introductions?|preambles?|filler|fluff|waffle|padding|rambling"
    r"|disclaimers?|caveats|warnings|apologies|flattery|praise|compliments|hedging|sources?|citations?|references"
    r"|links|footnotes|headlines|metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|24[- ]hour|iso dates|first names?"
    r"|(?:british|american|uk|us|oxford|canadian|australian) (?:spelling|english)|puns|jokes|sarcasm|swear ?words"
    r"|swearing|dark mode|light mode|follow-up questions)"
)
_LOOK: Final = (
    r"(?:short|brief|concise|to the point|simple|casual|formal|informal|light|friendly|polite|professional|snappy"
    r"|crisp|tight|minimal|plain|honest|real|high[- ]level|detailed|direct|blunt|low-key|positive|practical|readable"
    r"|(?:under|below|within|to|at most|around|max) (?:\w+ )?(?:\d+|one|two|three|four|five|ten|a few) \w+)"
)
_ANSWERS: Final = (
    r"(?:(?:your |the |all )*(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|explanations|emails|summaries"
    r"|tone)"
    r"|everything|code)"
)
_TOLD: Final = rf"(?:it|things|them|all of it|{_ANSWERS})"
_OPENS: Final = (
    r"^(?:(?:and|but|so|also|then|please|just|oh|ok|pls|kindly|can you|could you|you can|try to|in general)[, ]+)*"
)
_ONCE: Final = (
    r"(?!.*\b(?:this|these|that one|the (?:next|last|first|second|third|above|attached|following|one)\b|for (?:the|my"
    r"|our|his|her)"
    r" \w+|(?:in|of|on|to|at) (?:the|my|our|his|her) (?!code\b|answers?|repl|end\b|start\b|top\b|beginning\b|same\b)\w+"
    r"|instead\W*$|now\W*$|again\W*$))"
)

STYLE = (
    cue(
        "tells the assistant which style not to use",
        rf"{_OPENS}{_ONCE}(?:no|skip|avoid|drop|cut(?: out)?|lose|leave (?:out|off)|spare me|don't (?:use|give me|add"
        rf"|include|write|put"
        rf"|bother with)|do not (?:use|add|include)|never (?:use|add|include)|hold|ditch|enough with|go easy on"
        rf"|stop (?:using|adding"
        rf"|with)|without|zero|less|fewer|not so many|not too many)(?: (?:the|your|any|all|all the|those|more"
        rf"|so many))?"
        rf" (?:\w+ )?{_SHAPE}\b(?![^.]{{0,40}}\?)",
        "negative",
        0.75,
        CONSTRAINT,
    ),
    cue(
        "tells the assistant which style to use",
        rf"{_OPENS}{_ONCE}(?:(?:use|give me|stick (?:to|with)|prefer|include|add|write(?: in| with)?|answer(?: in"
        rf"| with)|reply(?: in"
        rf"| with)|respond(?: in| with)|talk(?: in| with)|speak(?: in| with)?|start with|go (?:with|for)|show(?: me)?"
        rf"|default to"
        rf"|format (?:\w+ )?(?:as|in|with)|think in|work in|always|more|only|lots of|plenty of)"
        rf" (?:\w+ ){{0,2}}?{_SHAPE}\b"
        rf"|(?:keep {_TOLD}|make {_ANSWERS}) (?:(?:nice and|very|as|really|fairly|reasonably|rather|super"
        rf"|always) )?{_LOOK}\b"
        rf"|(?:put|write|show|give|send|explain|name|quote|do)(?: me)? (?:all )?(?:the )?(?:code|answers?|examples?"
        rf"|snippets?|dates?|times|prices|numbers|units"
        rf"|temperatures|distances|sums|amounts|everything|variables|comments|names)\b[^.?]{{0,12}} (?:in|as|with"
        rf"|first|before|at) \w+"
        rf"|(?:explain|talk to me|treat me|break) (?:\w+ ){{0,2}}(?:like|as if|as though) I(?:'m| am|'ve| were| know)\b"
        rf"|(?:metric|imperial|celsius|24-hour|dark mode|light mode|british spelling|plain english|short sentences"
        rf"|simple words"
        rf"|bullet points)(?: (?:units|only|everywhere|everything|please|always|times?|format|and|all the way))+\b)"
        rf"(?![^.]{{0,40}}\?)",
        "positive",
        0.75,
        CONSTRAINT,
    ),
)

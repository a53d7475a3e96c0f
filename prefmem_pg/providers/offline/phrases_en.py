"""English turns of phrase that show a preference without a verb of liking: orders, verdicts, habits, changes."""

from prefmem_pg.providers.offline.cue import CLEAR, CONSTRAINT, WEAK
from prefmem_pg.providers.offline.grammar_en import FAMILY, USER, USER_IS, cue

_PLEASE = r"(?:^|\bplease\s+|^(?:and|so|but|then)\s+)(?:please\s+|just\s+)?"
_TALK = (
    r"(?:send|suggest|recommend|plan|use|show|call|give|remind|write|add|include|explain|repeat"
    r"|apologi[sz]e|sugarcoat|put|schedule|book|spoil|offer|pad|start|ask|make|tell|translate|round|format"
    r"|talk|quote|cite|propose|assume|pick|treat|order|greet|thank|flatter|praise|lecture|hedge|pester|ping|copy)"
)
_OTHER_SUBJECT = (
    r"(?!.*\b(?:he|she|they|it|you|my \w+|this|that|there|who) (?:\w+ )?(?:is|are|was|were|has|have|\w+s" r"|always)\b)"
)

CANNOT_WITHOUT = cue(
    "cannot do without it",
    rf"{USER}(?:can't|cannot|can not|couldn't|won't|could never) (?:\w+ ){{0,2}}(?:live|work|function|start"
    rf"|sleep|do|focus|think|go|survive|get by|face)\b[^.]{{0,40}}\bwithout\b",
)

PROHIBITIONS = (
    cue(
        "tells the assistant what not to do",
        rf"{_PLEASE}(?:don't|do not|no need to|stop)(?: you)?(?: ever| just)? {_TALK}(?:ing)?\b(?! (?:this|that"
        rf"|it|me wrong|up|the (?!usual|obvious|passive|same|word|oxford|full|whole|metric|basics)\w+|\w+'s\b))"
        rf"|{_PLEASE}never {_TALK}\b"
        r"|^(?:and |so |but |ok |also |please,? |still )*no (?:more )?(?!problem|idea|worr|thank|way\b|need|rush"
        r"|question|chance|luck|time|clue|doubt|one|matter|pressure|reason|wonder|plan|big|longer|kidding"
        r"|offen[cs]e|hurry|news|such|answer|complaints|it\b|i\b|the\b|that|not|good|further|change|just|error"
        r"|response|result|output)"
        r"[\w-]+(?:[ -]\w+){0,3}(?:,? please|,? ever|,? again|,? thanks?(?: you)?|,? always| for me| at all"
        r"| though)*\W*(?:$|, (?:not|even|thank))",
        "negative",
        0.65,
        CONSTRAINT,
    ),
    cue(
        "tells the assistant what to spare them",
        r"^(?:please |just )?(?:go easy on|ease up on|hold the|spare me|cut the|drop the|lose the|skip the) (?!line"
        r"|phone|fort|door|meeting)"
        r"\w+(?: \w+)*(?:,? (?:always|whenever|when|every|each|in|with|please)\b|\W*$)"
        r"|^(?:please |pls |plz |just )*(?:quit|ditch|lose|drop(?! an?\b| some\b| in\b)|kill|enough (?:with|of)|lay off"
        r"|cut out) (?:the |all )?"
        r"\w+(?: \w+){0,2} in (?:your|ur|any|all) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?)\b"
        r"|\b(?:zero|no) (?:patience|tolerance) for \w"
        r"|^(?:please )?keep (?!me\b|it\b)(?:\w+ ){1,4}out of (?:your|my|the|any|every|all)\b|\bI'm no (?:friend"
        r"|lover|admirer) of\b"
        r"|(?<![\w'])in \w+, never (?:use|write|say|put|add)\b",
        "negative",
        0.65,
        CONSTRAINT,
    ),
)

REQUESTS = (
    cue(
        "tells the assistant how to do it always",
        rf"^{_OTHER_SUBJECT}(?!(?:I|we|he|she|it|they|you|as|thanks?)\b)\S.{{3,100}}[, ](?:always|every time"
        rf"|in general|as a rule|whenever possible|at all times|every single time|from now on|going forward"
        rf"|for everything)(?:,? please)?\W*$"
        rf"|{_PLEASE}(?:{_TALK}|keep|answer|reply|respond|speak|be|stick to|prefer"
        rf"|round)\b.{{2,100}}\b(?:whenever|every time|each time|always|in general|when(?:ever)? (?:you|I|we)"
        rf"|unless I|, not \w+|instead of|rather than)\b"
        rf"|^(?:whatever|whenever|any time|anytime|even (?:when|if)|when(?:ever)?) (?:you"
        rf"|I) .{{2,60}}?(?:please|always|,)\s*(?:please )?(?:{_TALK}|keep|answer|reply|respond|speak)\b"
        rf"|\bso (?:please )?(?:write to|call|text|ring|e-?mail|message) me (?:before|after|between|only)\b|^(?:so "
        rf"|please |and )?keep (?:my |the )?(?:mornings|afternoons|evenings|nights|weekends|\w+days) (?:free|clear"
        rf"|empty)\b"
        r"|^(?:please )?(?:draft|write|spell|format|measure|quote|price|label) .{2,60}, (?:never|not) \w+\W*$"
        rf"|{_PLEASE}(?:give|show|tell|send) me .{{2,40}}\b(?:first(?=\W*$|,? (?:and|then|please))|before the|after)\b"
        rf"|{_PLEASE}(?:just )?(?:start|begin|open) with the\b|{_PLEASE}be (?:more )?(?:brief|casual|concise"
        rf"|blunt|direct|formal|honest|short|kind)\b"
        rf"|^(?!I\b|we\b|you\b|it\b|if\b|the\b|not\b|but\b|there\b|this\b|that\b|just\b|he\b|she\b|they\b"
        rf"|my\b)\w[\w' -]{{2,50}} only(?:,? please| for me|,? thanks)?\W*$|^only \w+[^.]{{1,50}}(?:please"
        rf"|for me)\W*$|^every \w+ must\b"
        r"|\bI (?:only |always )?(?:want|need|like) (?:my|all|every|each|everything) \w+.{0,40}\b\w+"
        r"|\bI (?:only )?want (?:\w+ ){1,6}(?:only|always)\W*$|^(?:and |with )?(?:all|every) (?!\w+ (?:are|is"
        r"|was|were|has|have)\b)(?:\w+ ){1,3}in \w+\W*$",
        confidence=0.7,
        importance=CONSTRAINT,
    ),
)

VERDICTS = (
    cue(
        "says it does them no good",
        r"\b(?:gives? me hives|keeps? me (?:awake|up)|puts? me off|bores? me|scares? me|frightens? me|terrif(?:y"
        r"|ies) me"
        r"|stress(?:es)? me|gets? on my nerves|drives? me (?:up|round)|wears? me out|exhausts? me"
        r"|depress(?:es)? me"
        r"|makes? me (?:feel (?:like|sick|small|ill|old)|cry|lonely|tired|sleepy|angry|shudder|cringe|itch"
        r"|want to)|hurts my|ruins? my|kills? my|never worked for me|(?:is|are) (?:a crime|the worst"
        r"|awful for me|wasted on me|not my)|does nothing for me|do nothing for me)\b"
        rf"|\b(?:is|are|was) (?:overrated|an abomination|a no(?:-go)?|a dealbreaker|a deal-breaker"
        rf"|off the table|dead to me)\b|{USER_IS}(?:done with|allergic to the idea|off \w+ (?:for good"
        rf"|completely)|over \w+ing)\b"
        rf"|{USER}(?:had enough of|(?:have |'ve )?gone off|cannot be doing with|can't be doing with"
        rf"|lost (?:my taste|interest)|don't do \w+|have no (?:head|stomach|ear|use) for|see no point in"
        rf"|draw the line at)\b|^not? an? \w+(?: \w+)? (?:person|fan)\b"
        r"|^never \w+(?: \w+){0,6}(?: again| for me| if I can help it)\W*$|^never on \w+",
        "negative",
        0.7,
    ),
    cue(
        "says it is the thing for them",
        r"\b(?:is|are|was|'s) (?:\w+ ){0,2}(?:my (?:thing|style|choice|jam|comfort|kind of|idea of|happy place"
        r"|religion|weakness|drug|favou?rites?|cup of tea|bag)|the (?:best (?:thing|part of|time)|dream"
        r"|only way)|sacred|a must|non-negotiable|heaven|what I (?:want|like|need|enjoy|do best)|how I like"
        r"|when I'm (?:most|at my best))\b"
        r"|\bthe (?:\w+er|more \w+|less \w+|fewer|more|less)(?: \w+)?,? the (?:better|happier|merrier)\b|\b(?:beats?"
        r"|over) .{2,40}\b(?:any ?day|every time|for me)\b"
        r"|^\w+ forever\W*$|\bany day\W*$|\bfirst,? (?:\w+ ){1,3}(?:second|after)\b|,? that's (?:me|how I like"
        r"|what I like)\b|\bmy (?:happy place"
        r"|comfort food|guilty pleasure|jam|drug of choice|poison)\b|\b(?:works|wins) for me every"
        rf"|{USER}(?:miss|live for|thrive on|crave|feel at home|feel best|swear by|can't get enough"
        rf"|could (?:eat|drink|listen|watch|live)|am happiest)\b(?! (?:the (?:bus|train|meeting|call|point)|you"
        rf"|him|her)\b)|{USER_IS}(?:happiest|at my best|back on|big on|all for|team|all about|hooked|a creature"
        rf"|always up at|more of an?)\b",
        confidence=0.7,
    ),
    cue(
        "cannot have it without",
        r"\bis (?:still )?(?:the|my) (?:rule|default|standard) (?:for|in|with)\b|\bbeats? (?:everything|all"
        r"|anything)\b|\bnothing (?:beats|tops|comes close to)\b|^an? [\w ]{2,30} without [\w ]{2,30} (?:isn't"
        r"|is not|is no"
        r"|is only half)\b"
        r"|\bI need (?:my |an? |the )?(?:[\w-]+ ){1,5}(?:in|on|for|with) (?:any|every|all|whatever|each|(?:the"
        r"|my) (?:train|plane|bus"
        r"|office|kitchen|car|desk))\b|\bI need (?:large|small|slow|quiet|plain|simple|soft|loud|bright"
        r"|dark) \w+(?: type| pace)?,? "
        r"|\bI need (?!your |help |you )(?:my |an? |some |the )?(?:[\w-]+ ){1,4}to (?:fall asleep|sleep|work|focus"
        r"|concentrate|relax|unwind|function|wake up|get going|think|study)\b(?! (?:in|on|at|with|out|for|as)\b)"
        r"|^\w+ hours are\b",
        confidence=0.65,
    ),
    cue(
        "changed their ways",
        r"(?<![\w'])I(?:'ve| have| just)? (?:recently |just |now |finally )?(?:become|became|turned into"
        r"|switched (?:everything|over|back|from|to)|gone (?:vegan|vegetarian|freelance|digital|back to"
        r"|over to)|started (?:on |running|swimming|cooking|learning|drinking|eating|taking|going)|taken up"
        r"|took up|moved (?:over )?to \w+ing|converted to)\b(?! (?:this|that|the (?:file|task))\b)"
        r"|\b(?:changed my mind about)\b|^(?:doing|loving|eating|drinking|using) \w+ (?:now|these days)\b",
        confidence=0.7,
    ),
)

HABITS = (
    cue(
        "tells a habit",
        rf"(?<![\w'])(?:I|we) (?:use|read|wear|drink|eat|grow|bake|play|ride|drive|cook|run|swim|walk|cycle"
        rf"|bike|train|boulder|climb|work|write|listen to|watch|buy|make|sleep|pay|shop|take|knit|sing"
        rf"|practi[sc]e|post|keep|log|speak|do|got|have my \w+ \w+ed)\b(?! (?:this|that"
        rf"|it)\b)[^.?]{{0,60}}\b(?:for everything"
        rf"|in everything(?: else)?"
        rf"|for all of(?: it| them| my \w+)?|every (?:day|morning|night|evening|week|weekday|weekend|sunday|monday"
        rf"|friday|saturday"
        rf"|time)|all day|all the time"
        rf"|almost only|(?:once|twice|three times|four times|\w+ times) a (?:day|week|month)|(?:two|three|four"
        rf"|five|\w+) (?:mornings|evenings|nights|days) a week|most (?:days|mornings|nights|evenings)"
        rf"|on (?:sundays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|weekdays|weekends)"
        rf"|since (?:high school|college|childhood|forever|I was)|in bed|by hand|from scratch|from seed"
        rf"|over and over)\b"
        rf"|(?<![\w'])(?:I|we) (?:read|eat|drink|wear|buy|watch|listen to|use) (?:almost |mostly "
        rf"|nearly )(?:only|exclusively|just)?\s?\w+|(?<![\w'])(?:I|we) (?:read|eat|drink|wear|buy|watch|write|work"
        rf"|pay|cook|travel) only (?:on|with|in|at|by|from)\b|{USER_IS}always (?:up|in bed|early|late|cold|hot"
        rf"|hungry)\b"
        rf"|\b(?:my|our) (?:\w+ )?(?:breakfast|routine|commute|ritual|setup|morning|workday|day off) (?:is|are"
        rf"|starts|begins)\b",
        confidence=WEAK,
    ),
)

MORE_FACTS = (
    cue(
        "tells a circumstance that lasts",
        rf"\bmy (?:late )?{FAMILY},? (?-i:[A-Z][^\W\d_A-Z]+)\b|\bmy {FAMILY} (?:\w+ )?(?:is|turned|just turned"
        rf"|turns) (?:\w+teen|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\b"
        r"|(?<![\w'])I(?:'ve| have) been (?:an? )?(?:\w+[ -]){1,4}(?:since|for (?:\w+ ){1,3}(?:years|months"
        r"|decades)|all my life|my whole life)\b|(?<![\w'])I (?:spent|worked) (?:\w+ )+(?:years|decades) (?:as"
        r"|in|at|with)\b|(?<![\w'])I (?:hear|see|sleep|walk) (?:badly|poorly|with)\b|(?<![\w'])I get (?:sick"
        r"|dizzy|seasick|carsick) (?:on|in|when|from)\b"
        r"|(?<![\w'])I (?:just |recently )?(?:bought|got|own|have) (?:an?|the) (?:\w+,? ){0,3}[A-Z][\w-]*\d"
        r"|(?<![\w'])I (?:translate|teach|bake|design|build|sell|write|edit|drive|nurse|farm|study|coach|tutor"
        r"|code) (?:\w+ )*(?:for a living|freelance|professionally|from \w+ (?:in)?to \w+|at (?:a|the|an)\b)"
        r"|(?<![\w'])I(?:'m| am) (?:red-green |partially |slightly |totally )?colou?r[- ]?blind|(?<![\w'])(?:I"
        r"|we) (?:just )?(?:moved|relocated) (?:to|from|in|back)\b|\bmy (?:\w+'s|\w+) (?:parents|family|mother"
        r"|in-laws) (?:live|come|are from)\b|(?<![\w'])I (?:turn|turned|am turning) \d\d\b"
        r"|\bmy (?:new )?(?:job|role|shift|team|class|course|exam|doctor|commute|street|flat|kitchen|knee"
        r"|knees|back|eyes?|stomach|heart|blood pressure|skin) (?:is|are|has|have|can't|says?|starts?|begins?"
        r"|hurts?)\b(?! (?:tomorrow|today))"
        r"|(?<![\w'])(?:I|we) have (?:an? )?(?:\w+[- ]){0,3}(?:mother|father|back|knee|stomach|condition"
        r"|surgery|disorder|syndrome|garden|balcony|studio|flat|apartment|car|bike)\b",
        "neutral",
        CLEAR,
        kind="fact",
    ),
)

MORE_GOALS = (
    cue(
        "names an aim",
        r"(?<![\w'])(?:I|we) (?:really )?(?:wanna|gotta|want to|need to|have to|must) (?:\w+ )?(?:get (?:into"
        r"|fit|better"
        r"|good|to [A-Z])|pass|learn|save|make varsity|lose|quit|finish (?:my|the) (?:degree|thesis|book|novel"
        r"|phd))\b|\b(?:goal|aim|target|plan|dream) (?:is|was|=)\b|^(?:goal:|planning|trying to (?:gain|lose"
        r"|learn|get|quit)|thinking of|saving for"
        r"|training for|hoping for|dreaming of|aiming for) \w+|\b(?:signed up|registered|enrolled"
        r"|booked) (?:for|the|my|our|a) .{0,40}\b(?:marathon|race|course|class|trip|flights?|exam|half|10k"
        r"|retreat)\b",
        confidence=WEAK,
        kind="goal",
    ),
)

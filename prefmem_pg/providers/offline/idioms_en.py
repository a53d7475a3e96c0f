"""English idioms that are for something or against it without a verb of liking: "count me out", "a soft spot for"."""

from prefmem_pg.providers.offline.cue import CLEAR
from prefmem_pg.providers.offline.grammar_en import ADVERB, AVOIDS, JOKES, USER, USER_IS, cue

_OPENS = r"^(?:(?:and|but|so|well|also|honestly|ugh|nah|no|sorry|yeah)[, ]+)*"
_TASTE = r"(?:like[ds]?|love[ds]?|enjoy(?:ed)?|care for|appreciate|understand|finish(?:ed)?)"
_MY = r"(?:my|our)"
_SELF = rf"(?<![\w'])(?:I|we)(?:'d|'ll|'ve|'m|'re)?\s+{ADVERB}*"

# Before the plain dislikes: a negation in these is no dislike.
IDIOMS_FOR = (
    cue(
        "never says no to it",
        rf"{_SELF}(?:(?:wouldn't|would never|won't|never|don't|can't|couldn't|can never|could never|rarely) {ADVERB}*"
        r"(?:ever )?(?:say no to|turn down|pass up|resist|get enough of|get tired of|tire of|go wrong with|do without"
        r"|live without|be without|go without|skip|miss)|(?:never|rarely) (?:leave|travel|go|start|am|go anywhere)\b"
        r"[^.,]{0,40}\bwithout)\b(?! (?:the (?:bus|train|point|meeting|deadline)|you|him|her|my (?:mum|mom|family))\b)"
        r"|\bnot a (?:day|week|morning|night|evening) (?:goes|passes) (?:by )?without\b|\bnever without (?:my|an?)\b"
        r"|^(?:could(?:n't| not)|can(?:'t|not)) (?:do|live|be|go|function|cope|start the day) without\b"
        rf"|{USER}(?:couldn't|can't|could not) be happier\b|\bthere(?:'s| is) nothing (?:I|we) "
        r"(?:like|love|enjoy) (?:more|better)\b",
    ),
    cue(
        "has nothing against it",
        rf"{USER_IS}(?:not|never) {ADVERB}*(?:opposed|averse|against|afraid of)\b|{USER_IS}no (?:enemy"
        rf"|stranger) (?:of|to)\b"
        rf"|{USER}have (?:no|nothing) (?:objections? to|problem with|issue with|against)\b"
        rf"|{USER}(?:don't|do not|wouldn't|can't say (?:that )?(?:I|we)) {ADVERB}*(?:mind (?!if|you|that|telling"
        rf"|explaining|me\b)\w+)"
        rf"|{USER}can't say (?:that )?(?:I|we) {ADVERB}*(?:hate|dislike|object to)\b",
        confidence=0.7,
    ),
    cue(
        "has come to like it",
        rf"{USER_IS}not immune to\b|{USER}(?:can't|cannot) complain about\b|{USER}think (?:highly|the world|a lot"
        rf"|very much) of\b"
        r"|(?<![\w'])I(?:(?: have|'ve) yet to|'ve never| have never) \w+ [^.]{2,40}\b(?:didn't|don't|did"
        r" not) (?:\w+ )?(?:like|love|enjoy|finish)\b"
        rf"|{USER}(?:(?:have |'ve )?(?:(?:come|got|gotten|grown|learn(?:ed|t)|started|begun) to (?:really )?"
        r"(?:like|love|enjoy|appreciate)"
        r"|come (?:a)?round to|warmed to|taken to|fallen (?:for|in love with))|grew to (?:love|like)"
        rf"|fell in love with)\b|{USER_IS}warming (?:up )?to\b|\b(?:has|have) grown on (?:me|us)\b"
        r"|(?<![\w'])I(?:'ve| have)? (?:started|begun|gone back to) (?:eating|drinking|wearing|using|cooking) .{0,30}"
        r"\bagain\b",
        confidence=0.7,
    ),
    cue(
        "is drawn to it",
        rf"\bsoft spot for\b|\b(?:right|just) up {_MY} (?:street|alley)\b|^(?:big|firm|great|huge|massive|total|real"
        rf"|lifelong)"
        r" (?:believer in|fan of|lover of|admirer of|supporter of|advocate of)\b|^(?:early bird|night owl"
        r"|morning person)\b"
        rf"|^\W*(?:proud )?[\w-]+ (?:person|lover|fan|guy|girl) (?:here|over here|through and through)\b"
        rf"|\bmy (?:thing|kind of"
        rf" (?:thing|place|food|music|film|holiday)|first choice|ideal \w+) is\b|\b(?:matters?|means?) (?:a lot"
        rf"|a great deal"
        rf"|the world|everything|so much) to (?:me|us)\b|\bis everything to me\b|^one thing about me\b"
        rf"|{USER}(?:swear|live) by\b|{USER}(?:have|have got) (?:an? )?(?:\w+ )?(?:weakness|thing|passion"
        rf"|(?<!no )(?<!zero )(?<!little )love) for\b"
        rf"|{_SELF}(?:would |'d )?(?:always |happily |gladly )?(?:choose|pick|take|opt for|go for|vote for"
        rf"|pay extra for)\b"
        r"[^.]{2,60}\b(?:over|any ?(?:day|time)|every time|hands down|in a heartbeat)\b"
        rf"|{USER}(?:collect|restore|breed|binge)\b(?! (?:my|them|it|him|her|you|the|your|from)\b)"
        rf"|^(?:always )?(?:an? )?[\w ]{{2,30}} (?:over|>) [\w ]{{2,30}}, (?:always|every time|any ?day|hands down"
        r"|every day of (?:my|the) \w+)|^(?!\w+ \w+ed\b)(?!\w+ed\b)[\w-]+(?: [\w-]+)? (?:>|over (?!the\b|there|here"
        r"|it|him|her|my|to|with|and))"
        r" ?[\w-]+(?: [\w-]+)?\W*$",
        confidence=CLEAR,
    ),
    cue(
        "says what suits them",
        rf"\bwhat works (?:best )?for (?:me|us)\b|\bthat's (?:just )?how I like\b|{USER}(?:learn|work|think|sleep"
        rf"|do my best"
        rf" \w+|get (?:the )?most done) (?:best|better) (?:on|with|by|in|when)\b|\bif there's an?"
        rf" [\w ]{{2,30}}(?:option"
        rf"|version"
        rf"|choice|one)?,? I(?:'ll| will)? always\b|\bsuits? me (?:fine|perfectly|down to the ground|best)\b"
        rf"|{USER_IS}(?:(?:very|really) )?(?:much )?(?:happiest|at (?:my|our) best|in (?:my|our) element)\b",
        confidence=0.7,
    ),
    cue(
        "tells what kind of person they are",
        rf"{USER_IS}(?:the|an?) (?:kind|sort|type) of (?:person|guy|girl|woman|man|cook|reader|traveller"
        rf"|traveler) (?:who|that)\b"
        rf"|{USER_IS}an? [\w-]+(?: [\w-]+)? (?:family|household|couple)\b|\bthing (?:that )?(?:I"
        rf"|we)(?: \w+){{0,3}} (?:care about|love"
        rf"|like|enjoy|insist on|value|look for|appreciate)(?: \w+){{0,3}} (?:is|are)\b|\bwhat (?:I"
        rf"|we) (?:\w+ )?(?:love|like|value|want"
        rf"|look for|care about|enjoy|need)(?: \w+){{0,4}} (?:is|are)\b|\bwhat (?:matters|counts"
        rf"|helps)(?: \w+)? (?:to |for )?(?:me|us)\b"
        rf"|{USER}appreciate it when\b|(?<![\w'])I'd appreciate it if you (?:always|never|used|didn't|kept|called"
        rf"|wrote|stuck|would always)\b"
        rf"|{USER}need (?:at least|my|a lot of|lots of|plenty of|absolute|complete|total|constant|some"
        rf"|real) (?:\w+ ){{0,4}}?(?:sleep"
        rf"|silence|quiet|light|sunlight|daylight|coffee|tea|space|peace|music|structure|routine|fresh air|exercise"
        rf"|privacy|warmth)\b"
        rf"|\bif it (?:were|was) up to me\b|{USER}need (?:at least|my|a lot of|lots of|plenty of|absolute|complete"
        rf"|total|constant|some kind of|real) \w+[^.]{{0,60}}"
        r"\b(?:or|to|otherwise|in order|every|always|before|when)\b|\bdoes it for me\b|\b(?:nobody|no one) (?:loves"
        r"|likes|enjoys) .{2,40}"
        r" more than (?:I|me)\b|\blying if I said I (?:didn't|don't|wasn't)\b|^(?:please )?only (?:recommend|suggest"
        r"|propose|offer|book)"
        r" (?!the\b|this\b|that\b)|\bthere (?:isn't|is not|aren't) [^.]{2,40}\bI (?:don't|do not|wouldn't) (?:like"
        r"|love|eat|enjoy)\b"
        r"|\b(?:rarely|hardly) does a \w+ (?:go|pass) (?:by )?without\b",
        confidence=0.7,
    ),
)

IDIOMS_AGAINST = (
    cue(
        "never met one worth it",
        r"(?<![\w'])I(?:'ve| have) (?:yet to|never) \w+ [^.]{2,40}\b(?:didn't|don't|wouldn't) (?:regret|hate|loathe"
        r"|dislike)\b",
        "negative",
    ),
    cue(
        "wants none of it",
        r"\b(?:count me out|hard pass|(?:a|big|hard|firm) no (?:from|for) me|no,? thank(?:s| you)|not for me"
        r"|no good for me"
        r"|not my (?:thing|scene|style|cup of tea|idea of fun|bag|jam)|leaves me cold|does nothing for me)\b"
        rf"|{_SELF}(?:(?:would|'d|will|'ll|always|usually) )?(?:rather |happily )?(?:give [\w' -]{{2,30}} (?:a miss"
        rf"|a wide berth)"
        rf"|steer (?:well )?clear of|turn (?:up )?my nose up at|pass on|turn down)\b(?! (?:the (?:message|word|link)))"
        rf"|(?:^|{_SELF})(?:can|could|would(?: rather)?) (?:\w+ )?(?:do|live|happily live|go)"
        rf" without\b(?!.*\b(?:can't|not)\b)"
        rf"|{_SELF}wouldn't (?:touch|be seen dead|be caught dead|dream of|wish [\w ]+ on|go near)\b"
        rf"|{_SELF}(?:can't|couldn't|cannot) (?:be bothered|be doing|get into|get on with|be dealing)\b",
        "negative",
        CLEAR,
    ),
    cue(
        "says what is bad for them",
        rf"{USER}(?:couldn't|could not) care less about\b|{USER}(?:try|tries|prefer|tend|choose"
        rf"|aim) not to (?!be (?:rude|late)|worry|think|forget)\w+"
        rf"|{_OPENS}(?:hardly ever|rarely|seldom|barely ever) (?:do (?:I|we) )?(?!has|is|was|a\b)\w+"
        rf"|\bneither\b[^.]* nor (?:I|we)\b"
        rf"|{_SELF}(?:good|fine|happy|better off|happier) without\b|{_SELF}(?:don't|never) think (?:much|a lot"
        rf"|highly) of\b"
        r"|\b(?:no way|not a chance|no chance|never in a million years)(?: that)? I(?:'d|'ll| would| will)\b"
        r"|\b(?:confuses|overwhelms|distracts|irritates|upsets|bugs|disgusts|depresses|tires) me\b|\b(?:weirds|creeps"
        r"|freaks|grosses) me out\b"
        r"|(?<![\w'])I(?:'d| would) never (?!have\b|guess|think|thought|know|say|forget|find|believe|expect|leave"
        r"|miss|trade|swap|give up|be without"
        r"|turn)\w+ \w+|\bno to [\w ]+ from me\b"
        rf"|{USER_IS}(?:not|hardly|far from) (?:exactly |really |too |all that )?(?:thrilled|excited|impressed"
        rf"|convinced|sold|enthusiastic|taken)"
        r" (?:by|about|on|with)\b"
        rf"|\bthing (?:that )?(?:I|we)(?: \w+){{0,3}} (?:hate|can't stand|dislike|avoid|dread|can't"
        rf" bear)(?: \w+){{0,3}} (?:is|are)\b"
        rf"|\bwhat (?:bothers|annoys|irritates|puts|drives|stresses) me\b|\bwhat I (?:\w+ )?(?:hate|can't stand"
        rf"|dislike|dread)\b"
        rf"|\b(?:is|are) (?:too |really |very |just |so )?(?:hard|difficult|tough|painful|bad|rough|exhausting"
        rf"|impossible|confusing"
        rf"|stressful) (?:for|on) (?:me|us|my \w+)\b|\b(?:doesn't|don't|does not|do not) do (?:it|much"
        rf"|anything) for me\b"
        rf"|\b(?:doesn't|don't|does not|do not) agree with me\b|{_SELF}(?:had (?:it|enough) (?:with|of)|do mind"
        rf"|past the age of)\b"
        r"|\bif I never (?:see|hear|eat|do) (?:\w+ )*again\b|\bif I never \w+ another\b|\bless is more (?:when|with"
        r"|for)\b"
        r"|\b(?:nobody|no one) (?:hates|dislikes) .{2,40} more than (?:I|me)\b|\blying if I said I (?!didn't|don't"
        r"|wasn't)\w+"
        r"|\bthere (?:isn't|is not|aren't) (?:an?|any|one|a single) [^.]{2,40}\bI (?:like|love|enjoy)\b"
        r"|\bmostly leave it\b"
        rf"|{_SELF}(?:wouldn't|couldn't|would never|could never|won't ever|'ll never|will never) (?!forget|find|see"
        rf"|know|open|get)\w+ "
        rf"[^.]{{0,40}}\bagain\b|{USER_IS}allergic to (?!th[aeio]|your){JOKES}\b|^not? my first choice\b",
        "negative",
        0.75,
    ),
    cue(
        "never took to it",
        rf"(?:{_OPENS}|{_SELF}(?:have |'ve )?)(?:never|not) (?:really |quite |ever |once )?(?:got|gotten|understood"
        rf"|seen|saw"
        r"|taken to|been (?:one|much|a|any good|big|that|into|keen|fond|able to get into)|warmed to|seen the)\b"
        r" ?(?:the (?:hype|point|appeal|fuss|attraction)|for|to|on|into|an?|one|of)\b"
        rf"|{_OPENS}(?:not|never) (?:really |too |all that |particularly |overly |exactly |so |very |super |that "
        rf"|much )*(?:an? )?"
        r"(?:big |huge )?(?:keen|fond|fan|into|crazy|fussed|wild|mad|bothered|one for|person|impressed by"
        r"|interested in)\b"
        rf"|\bnot once have I (?:\w+ )?{_TASTE}|{USER}have yet to (?:meet|find|see|try|hear|read|taste|come across) "
        rf"[^.]{{2,50}}\b(?:I|that) (?:\w+ )?(?!didn't){_TASTE}|{_SELF}(?:really |seriously |very"
        rf" much )?doubt (?:that )?I"
        r"(?:'d|'ll| will| would)(?: ever)? (?:like|love|enjoy|want|be)\b|(?<![\w'])I don't (?:think|believe) I(?:'ll"
        r"| will|'d"
        rf" | would)? ?(?:ever )?(?:like|love|enjoy)\b|{_SELF}(?:can't|cannot|couldn't) say (?:that )?(?:I|we)(?:'m"
        rf"|'ve| am| have)?"
        rf" (?:\w+ )?(?:{_TASTE}|fond|an? fan|keen|into|been)|\bit's not (?:like|as if|that) I (?:{_TASTE})",
        "negative",
        CLEAR,
    ),
    cue(
        "is at odds with it",
        rf"{USER_IS}(?:trying|working|doing my best|hoping|planning)(?: hard)? to {AVOIDS}\b|\b(?:is|are"
        rf"|is like) (?:{_MY} (?:own )?(?:personal |idea of |version of )?|a |pure |sheer |absolute |the )*"
        r"(?:hell|nightmares?|torture|kryptonite|nemesis|pet peeves?|bane of my)\b|\band I (?:just )?(?:don't|do not"
        r"|never)"
        r" (?:get (?:along|on)|mix|agree|go together|see eye)|\band me (?:do not|don't|never) (?:get (?:along|on)"
        r"|mix)\b"
        r"|\band I (?:parted ways|are (?:not friends|sworn enemies|enemies|done))\b|\bmy (?:pet peeve|pet hate|nemesis"
        rf"|bugbear)\b|\b(?:the )?last thing I (?:ever )?(?:want|need|feel like)\b|{_SELF}(?:have )?lost (?:all |any "
        rf"|most of my "
        r"|my )?(?:interest|appetite|taste|patience|enthusiasm|love)\b|\b(?:puts?|turns?) me (?:right |completely "
        r"|straight )?off\b"
        r"|\b(?:little|nothing|few things|not much) (?:that )?I (?:like|love|enjoy|want) less\b"
        rf"|{_SELF}(?:have |get )?(?:absolutely )?(?:zero|no|little|not the slightest) (?:interest|desire|patience"
        rf"|time|love)\b"
        rf"|{_OPENS}no (?:fan|friend|lover) of\b|^anything but (?!easy|simple|clear|that\b)\w+"
        r"|\b(?:kills|wrecks|destroys|drains|exhausts|bores) me\b|\bmakes? (?:my skin crawl|me shudder|me cringe)\b"
        rf"|{USER_IS}(?:far from (?:keen|fond|a fan)|anything but an? |(?:so |completely |totally )?over )\w*",
        "negative",
        CLEAR,
    ),
)

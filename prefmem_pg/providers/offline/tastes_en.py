"""English cues of standing instructions, dislikes and likes."""

from prefmem_pg.providers.offline.cue import CLEAR, CONSTRAINT, DOUBTFUL, STRONG
from prefmem_pg.providers.offline.grammar_en import ADVERB, USER, USER_IS, cue

_NOT = r"(?:do not|don't|dont|does not|no longer|never|hardly ever|rarely|can't|cannot|can not|won't|will not|wouldn't)"
_HABIT = (
    r"(?:eat|drink|use|watch|wear|buy|play|read|listen|smoke|drive|fly|cook|do|celebrate|trust|take|shop|travel|book"
    r"|order|touch|consume|keep|own|write|work|stay|ride|consider|accept|answer|go|attend|walk|support"
    r"|invest|choose|pick"
    r"|rely|run|swim|train|study|sleep|wake|get up|have|want|let|give|put|add|allow|feed|participate|engage|visit|"
    r"purchase|exercise|check|respond|schedule|sit|share|pay|spend|subscribe|tolerate|learn)"
)
_MOMENT = (
    r"(?:that|this|these|those|your|the idea|the sound|the look|the suggestion|how you|it)\b"
    r"(?! (?:when|if)\b| kind| kinds| sort| type)"
)
CONSTRAINTS = (
    cue(
        "standing instruction",
        r"\b(?:from now on|from here on|going forward|in (?:the )?future|as a (?:general )?rule)\b[ ,]*"
        r"(?:\w+[ ,]+){0,3}(?:always|please|you|use|write|answer|reply|respond|call|keep|give|send|format|speak|make"
        r"|start|include|add|book|every|all|no|only)"
        r"|\b(?:answer|reply|respond|write|use|call|keep|give|send|format|speak|make|start|include|add|book"
        r"|order|choose)"
        r"\b.{2,120}\b(?:from now on|going forward|in (?:the )?future|every time|each time)\b",
        confidence=STRONG,
        importance=CONSTRAINT,
    ),
    cue(
        "standing prohibition",
        r"(?:^|\bplease\s+)(?:please\s+)?(?:never|don't ever|do not ever)\s+(?!(?:mind|the less|again|been"
        r"|seen|heard|had|knew|thought|gonna|a|the|in|have|too|say never|\w{2,}(?:s|ing|ed))\b)\w+"
        r"|\bI (?:want|need|ask|would like|'d like|expect) you (?:to never|never to|not to)\b"
        r"|(?:^|\bplease\s+)(?:do not|don't|avoid|stop|skip|no more|no)\s[^.]{0,60}\b(?:in|from|with) (?:your"
        r"|my|the|any|all"
        r"|every) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|emails?|messages?|summar(?:y|ies)|code"
        r"|explanations?|reports?)"
        r"|(?:^|\bplease\s+)(?:do not|don't|stop) (?:call|address|book|schedule|suggest|recommend|offer|send"
        r"|use)(?:ing)? (?:me )?"
        r"(?:any|meetings?|calls|emojis?|emoticons|jargon|slang|bullet|tables?|places|restaurants|hotels)",
        "negative",
        STRONG,
        CONSTRAINT,
    ),
    cue(
        "standing request",
        r"(?:^|\bplease\s+)(?:please\s+)?always\s+(?!(?:\w+(?:ing|ed)|here|good|there|an?|the|my|in|on|full|up"
        r"|been|happy|nice|great|have|was|has|is|are|make my|puts|loves?|knew|thought|something|someone"
        r"|remember|will|did)\b)\w+"
        r"|\bI(?:'d| would)? (?:want|like|need|prefer|expect) you to (?:always|only|keep|use|call|answer|reply"
        r"|respond|write)\b"
        r"|\bI(?:'d| would)? (?:want|like|need|prefer|expect|love) (?:\w+ ){0,3}"
        r"(?:answers|replies|responses|explanations|summaries)\b"
        r"|(?:^|\bplease\s+)(?:keep|make|write|give|format|limit|answer|reply|respond|structure|start|end|use"
        r"|phrase|send|put|place|list|add|include|show|mention|quote|cite|leave)\s[^.?]{0,60}"
        r"\b(?:(?:every|each|all|your|my|any)\s+(?:\w+ ){0,2}(?:answers?|repl(?:y|ies)|responses?|summar(?:y"
        r"|ies)|explanations?"
        r"|emails?|reports?|messages?)|to me in|(?:answers|replies|responses) (?:short|brief|under|below|concise|to))\b"
        r"|(?:^|\bplease\s+|\byou can\s+)(?:answer|reply|respond|answer me|talk to me|speak to me|write to me"
        r"|address me) (?:to me )?(?:only )?(?:in|with|as)\b"
        r"|(?:^|\bplease\s+|\byou can\s+|\bjust\s+)call me (?!back|when|if|at|on|later|(?:tomorrow|tonight|a|an)\b)\b"
        r"|\b(?:address|refer to) me (?:as|by)\b",
        confidence=STRONG,
        importance=CONSTRAINT,
    ),
)

DISLIKES = (
    cue(
        "double negation",
        rf"{USER}(?:don't|do not) {ADVERB}*(?:dislike|hate)\b"
        r"|\bit's not that (?:I|we) (?:don't|do not) (?:like|love|enjoy|want|mind)\b",
        "neutral",
        DOUBTFUL,
    ),
    cue(
        "says they do not like it",
        rf"{USER}{_NOT} {ADVERB}*(?:like|love|enjoy|care (?:much )?for|care about|appreciate|stand|bear|tolerate"
        rf"|handle|deal"
        rf" (?:well )?with|get (?:on|along) with|do well with|believe in|fancy|feel (?:comfortable|safe)"
        rf"|see the (?:appeal|point))\b"
        rf"(?! (?:that|this|those|these)\b\W*$)"
        rf"|{USER}(?!hate to (?:bother|ask|say|admit|interrupt|complain|be)\b)(?:hate|dislike|detest|loathe"
        rf"|despise|abhor|dread"
        rf"|resent|can't stand|cannot stand|distrust)\b(?! (?:that|this|those|these)\b\W*$)"
        r"|(?<![\w'])(?:I|we)(?:'ve| have) never (?:liked|loved|enjoyed|cared for|trusted|seen the (?:appeal|point)"
        r"|been (?:an?|into|comfortable|happy|good (?:at|with)"
        r"|fond|keen|one for))\b(?! (?:to|in)\b)"
        r"|^as someone who (?:\w+ ){0,2}(?:avoids?|hates?|dislikes?|can't|doesn't|does not|never|refuses?)\b"
        r"|^(?:hate|dislike|can't stand|not a (?:big |huge )?fan of|not into)\b",
        "negative",
        STRONG,
    ),
    cue(
        "says it is not for them",
        rf"{USER_IS}(?:not|never|no) {ADVERB}*(?:(?:an?|the|much of an?) )?(?:\w+ )?(?:fan|into|keen|fond"
        rf"|comfortable|interested"
        r"|crazy about|wild about|person|drinker|believer|good with|drawn to|attracted|willing|open to|a lover"
        r"|able to (?:eat|drink))\b"
        rf"|(?<![\w'])(?:I|we)(?:'ve| have) been off \w+(?: \w+)? (?:since|for)\b"
        rf"|{USER_IS}(?:no longer )?(?:uncomfortable|averse|opposed|against|afraid|scared|terrified|wary|reluctant"
        rf"|unwilling"
        r"|sick (?:and tired )?of|tired of|fed up|bored (?:by|with|of)|annoyed by|put off by|turned off"
        r"|disgusted|claustrophobic"
        r"|sceptical|skeptical|hesitant|done with|a picky|hypersensitive|(?:easily )?overwhelmed by|sensitive to)\b"
        rf"|{USER}have (?:\w+,? ){{0,6}}(?:aversion|dislike|disdain|distaste|hatred|bias against|fear|phobia"
        rf"|sensitivity"
        rf"|objections?|no"
        r" (?:interest|patience|desire|time for|use for|tolerance))\b"
        r"|\b(?:is|are)(?:n't| not) (?:really )?(?:my thing|for me|my cup of tea|my style|my favou?rite)\b"
        r"|\b(?:doesn't|don't|does not|do not) work (?:well )?for me\b|\b(?:turns? me off|bothers? me"
        r"|annoys? me|stress(?:es)? me out"
        r"|drives? me (?:crazy|mad|nuts|up the wall)|makes? me (?:sick|anxious|nauseous|uncomfortable|dizzy"
        r"|ill|nervous|carsick)"
        r"|gives? me (?:a )?(?:headaches?|anxiety|migraines?|heartburn|the creeps)|upsets my stomach)\b"
        rf"|\bstress(?:es)? (?:me|us) out\b|{USER}(?:find|found|consider) [^.?]{{2,70}}\b(?:(?:too|very|so|rather"
        rf"|really|quite"
        rf"|extremely) )?(?:boring|distressing|annoying|ineffective"
        r"|uncomfortable|frustrating|tedious|distracting|overwhelming|overrated|unpleasant|stressful"
        r"|off-putting|slow|fragile"
        r"|confusing|dull|unappealing|impersonal|intrusive|disturbing|tiring|exhausting|irritating|repetitive"
        r"|pretentious|inconvenient)\b",
        "negative",
        CLEAR,
    ),
    cue(
        "avoids or refuses it",
        rf"{USER}(?:(?:try|tries|tend|prefer|want|choose|like|have|need|attempt|aim|make sure) (?:hard "
        rf"|my best )?(?:to )?)?"
        r"(?:avoid|refuse|steer clear|stay away|shy away|boycott|abstain|refrain|shun|skip|limit|minimi[sz]e"
        r"|cut out|opt out)\b"
        r"(?! to believe)"
        rf"|{USER}(?:(?:have |just |recently )?(?:stopped|quit|gave up|given up|sworn off|swore off|cut out"
        rf"|gone off))\s\w+"
        rf"|{USER}(?:would |'d )?prefer not (?:to|\w+ing)\b|(?<!\w)(?:I|we)'?d? (?:would )?rather not (?!say|go into"
        rf"|talk about)\w+",
        "negative",
        STRONG,
        CONSTRAINT,
    ),
    cue(
        "never does it",
        rf"{USER}(?:never|wouldn't ever|would never|'ll never)\s+{ADVERB}*(?!mind\b|\w+ed\b|gone|done|been|mix"
        rf"|knew|thought"
        rf"|reali[sz]ed|expected|got|had|heard"
        r"|been|seen|said|saw|know|be able|find out|forget|understood|see\b|have to|bother|be\b|tried|made"
        r"|felt|imagined"
        r"|did|went|met|noticed|took|came|learned|considered|liked|happen)\w+"
        rf"|(?<![\w'])(?:I|we) {ADVERB}*(?:don't|do not|dont|no longer|(?<!still )can't|cannot|can not|won't"
        rf"|will not|rarely"
        rf"|hardly ever)\s+{ADVERB}*{_HABIT}\b"
        r"(?![^.]{0,40}\b(?:yet|left|on (?:me|hand))\W*$)(?!(?<=have) (?:the|your|any|those|these|enough|access"
        r"|permission|it)\b)"
        r"(?! (?:to (?:bother|miss|mess|lose|disturb|be rude|worry)|a clue|any (?:dietary|restrictions|idea"
        r"|questions|plans|experience)"
        r"|time (?:to|for)|much (?:time|experience)|an? (?:\w+ )?(?:policy|plan|budget)|it (?:yet|now)"
        r"|anything (?:specific|in mind)|for anything|to go now|play the|read the|use the|find)\b)"
        r"(?! (?:that|this|those|these)\b\W*$)",
        "negative",
        CLEAR,
        CONSTRAINT,
    ),
)

LIKES = (
    cue(
        "says they prefer it",
        rf"{USER}(?:strongly |much )?(?:prefer|favou?r)(?:red)?\b(?! (?:the (?:first|second|third|last|former"
        rf"|latter)|that one|this one|not\b)|\W*$)"
        rf"|(?<![\w'])(?:I'd|I would|we'd|we would) (?:\w+ly )?(?:much )?(?:prefer|rather|sooner)\b(?! (?:he|she|they"
        rf"|you|it|the (?:first"
        rf"|second|third|last)|that|this|not\b))"
        rf"|\bmy (?:personal |strong |general )?preferences? (?:is|are|would be|has|goes|lies)\b"
        rf"|{USER}have (?:an? )?(?:\w+ ){{0,2}}preference\b|^prefer\s\w+|\b(?:is|are) (?:my|our) (?:preferred"
        rf"|favou?rite|go-to)\b"
        r"|\bmy (?:\w+ )?(?:all-time )?(?:favou?rite|preferred|go-to)\b(?! (?:part of (?:this|that|it)|was))",
        confidence=STRONG,
    ),
    cue(
        "says they like it",
        rf"(?<![\w'])(?:I|we) (?!would|will|'d){ADVERB}*(?:like|love|adore|enjoy|cherish|treasure|dig)\b(?! {_MOMENT})"
        r"(?! (?:to (?:know|hear|ask|see (?:how|what|if))|them\b\W*$|the (?:first|second|third|last) (?:one"
        r"|option))|\W*$)"
        r"|(?<![\w'])(?:I've|we've|I have|we have) (?:always|long) (?:loved|enjoyed|liked|adored|preferred"
        r"|favou?red|hated"
        r"|dreamed|been (?:a (?:\w+ )?fan|into|fascinated|passionate|drawn|fond|obsessed|a huge))\b"
        rf"|{USER_IS}(?:really |also )?(?:into (?!a |the (?:\w+ ){{0,2}}(?:phase|stage))\w|fond of|keen on"
        rf"|(?:crazy|mad) (?:about|for)|passionate about|obsessed with (?!those|this|that|it|these)|fascinated by"
        r"|partial to|hooked on|in love with|a sucker for|drawn to|enamou?red|addicted to|"
        r"an? (?:\w+ ){0,3}(?:fan|lover|enthusiast|admirer|advocate|supporter|proponent|addict|buff|aficionado"
        r"|fanatic|geek"
        r"|junkie|person|owl|bird|reader|eater|drinker|traveler|traveller|collector|minimalist|believer|riser|sleeper"
        r"|planner|packer|learner|spender|saver|homebody|foodie|perfectionist|introvert"
        r"|extrovert|bookworm|purist|snob|nerd)\b)"
        rf"|{USER}have (?:an? )?(?:\w+,? ){{0,3}}(?:passion|love|weakness|soft spot|fondness|affinity"
        rf"|sweet tooth) ?(?:for\b)?"
        r"|^as someone who (?:\w+ ){0,2}(?:loves?|likes?|prefers?|enjoys?|follows?|values?|only|always"
        r"|usually)\b|^(?:love|really like|adore|big fan of|huge fan of)\s(?!that|this|it|these|those|the\b"
        r"|your|you|is\b"
        r"|in\b|and\b|for\b|to you|how\b|me\b)\w+",
        confidence=STRONG,
    ),
    cue(
        "holds to it",
        rf"{USER}(?:only|exclusively|strictly|solely)\s+(?:ever\s+)?(?!just|(?!need|feed|breed)\w+ed\b|slept|ate\b"
        rf"|drank|did\b|made|took|went|came|gave|told|said|wrote|bought|paid|spent"
        rf"|kept|lost|met\b|ran\b|sent|sat\b|left|brought|thought|felt|held|won\b|chose|spoke|drove|flew|wore"
        rf"|want to (?:know|ask)|have (?:one|two"
        rf"|a few|\d)|know|got|had|need|see|saw"
        r"|found|heard|was|were|started)\w+"
        rf"|{USER}(?:will|'ll) only\s\w+|{USER}(?:insist|swear by|stick (?:to|with)|gravitate|lean toward|opt for"
        rf"|go for|live by|can't live"
        r" without|couldn't live without|rely on|depend on|follow an?\b[^.]{0,40}\b(?:diet|lifestyle|regimen"
        r"|routine)|keep kosher"
        r"|keep (?:strictly )?halal|keep strictly|prioriti[sz]e|require|must have|look for|value|am committed"
        r"|practice|abide|adhere)\b"
        r"|(?<![\w'])I (?:\w+ )?need (?:\w+ ){1,8}(?:to (?:sleep|focus|concentrate|work well|relax|function"
        r"|learn)|every (?:day|morning|night)|whenever|when I)\b"
        rf"|{USER_IS}(?:very |really |quite |rather |extremely )*(?:particular|picky|strict|committed|dedicated"
        rf"|used to|accustomed|loyal|careful|"
        r"conscious) (?:about|with|to|of)\b|\b(?:I|we) (?:always|usually) (?:have|want|ask|try)\b(?!ed)",
        confidence=CLEAR,
        importance=CONSTRAINT,
    ),
    cue(
        "says how they usually do it",
        r"(?<![\w'])(?:I|we) (?:always|usually|normally|typically|generally|mostly|tend to|mainly"
        r"|almost always|nearly always)"
        r"\s+(?!don't|do not|can't|wanted|thought|wondered|knew|been|had|felt|was|were|have to (?:explain|deal"
        r"|tell)|forget|get"
        r"|mix|check|end|lose|miss|confuse|make (?:the|a|this) mistake"
        r"|appreciate|struggle|say|said|think|hear|wonder|find (?:it|my)"
        r"|focus on|allocate|provide|introduce|update|research|assess|start by|set aside|see (?:people|students"
        r"|patients)|get (?:stuck|lost|confused|told|an? |this|the same|errors?)|end up|happens|did|used|advise)\w+"
        rf"|{USER}(?:learn|work|study|sleep|focus|think|concentrate|perform|function) (?:best|better|most)\b"
        r"|\b(?:is|are) (?:much |far )?(?:easier|better|simpler) for me\b|\bworks? (?:best|better|well|great"
        r"|wonders) for me\b|\b(?:suits?|helps?) me (?:best|most|better)\b"
        r"|(?<![\w'])I (?:(?:jog|run|swim|meditate|work out|exercise|train|cycle|bike|fast|pray|cook|journal"
        r"|read|walk|drink|eat|do yoga) )"
        r"[^.?]{0,40}\b(?:every|each|daily|on weekends|(?:once|twice|times) a (?:week|day|month))\b"
        r"|\bI switched (?:\w+ )?(?:from .{2,40} )?to\b|(?<![\w'])I(?:'ve| have)? (?:switched|gone|converted"
        r"|moved over) (?:back )?to (?:\w+ )?(?:vegan|vim|linux|tea|decaf|android|\w+ing)\b",
        confidence=0.7,
    ),
)

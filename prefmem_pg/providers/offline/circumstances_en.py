"""English cues of goals and of facts about the user."""

from prefmem_pg.providers.offline.cue import CLEAR, CONSTRAINT, STRONG
from prefmem_pg.providers.offline.grammar_en import ADVERB, FAMILY, USER, USER_IS, cue

_LIFE = (
    r"(?:visit|visiting|go|going|travel|travell?ing|learn|learning|run|running|become|becoming|lose|losing"
    r"|quit|quitting"
    r"|stop|stopping|save|saving|buy|buying|move|moving|start|starting|build|building|write|writing|get|getting|improve"
    r"|improving|finish|finishing|retire|retiring|study|studying|climb|climbing|switch|switching|change|changing|adopt"
    r"|adopting|see the|try|trying|open|opening|cut|cutting|eat|eating|read|reading|master|mastering|earn|earning"
    r"|pass|passing|publish|publishing|play|playing|take up|taking up|be an?|grow|growing|hike|hiking"
    r"|exercise|renovate|renovating|apply|applying|launch|launching|reduce|spend|spending|pick up|live|explore|train"
    r"|speak|host|redecorate|convert|set up|do a|do my|join|expand|take a|bike|cycle|swim|pursue"
    r"|transition|upgrade|hire|gain|sleep|host)"
)
_PET = (
    r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|rabbits?|hamsters?|horses?|turtles?|snakes?|birds?|goldfish"
    r"|pets?|collies?|retrievers?|poodles?|labradors?|corgis?|terriers?|dachshunds?|huskies|beagles?|ferrets?"
    r"|bees|chickens|hens|ducks|goats|sheep|pigeons|tortoises?|bunn(?:y|ies)|canar(?:y|ies)|budgies?)"
)
_JOB = (
    r"(?:nurse|teacher|doctor|physician|lawyer|attorney|student|engineer|developer|programmer|designer|accountant|chef"
    r"|baker|barista|pilot|driver|trucker|firefighter|paramedic|librarian|architect|artist|musician|writer|journalist"
    r"|editor|photographer|scientist|researcher|professor|analyst|consultant|manager|entrepreneur|freelancer|realtor"
    r"|electrician|plumber|carpenter|mechanic|farmer|veterinarian|vet|dentist|pharmacist|therapist|psychologist"
    r"|social worker|salesperson|cashier|retiree|veteran|resident|intern|single (?:mom|dad|parent)|stay-at-home \w+"
    r"|translator|interpreter|electrical \w+|welder|surgeon|freshman|sophomore|cyclist by trade|tutor"
    r"|coach|postdoc|sailor|soldier|tailor)"
)
_DIET = (
    r"(?:vegans?|vegetarians?|pescatarians?|pescetarian|teetotal(?:er|ler)?|kosher|halal|muslim|jewish|hindu"
    r"|buddhist|jain"
    r"|diabetic|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|pregnant|breastfeeding|colou?r[- ]?blind|deaf"
    r"|blind|dyslexic|autistic|epileptic|asthmatic|left-handed|wheelchair|hard of hearing|an? insomniac)"
)
GOALS = (
    cue(
        "states a wish",
        rf"(?<![\w'])(?:I|we)(?:'d| would| do|'ve always| have always)?\s+{ADVERB}*(?:want(?:ed)?|love|like"
        rf"|hope|wish|intend|aim|plan|aspire|dream)"
        rf" (?:to|of) (?:\w+ly |also |one day )*{_LIFE}\b(?! (?:back|started on this|rid"
        rf"|the answer|your|some (?:help|advice|tips|more|suggestions)|more (?:info|information|details|about)"
        r"|(?:a )?(?:refund|quote|better (?:sense|idea|understanding))|able to|sure|clear|home|ready|(?:my|the|our|a"
        r"|an) (?:\w+ )?(?:reservation|booking|order|appointment"
        r"|flight|seat|password|address|plan|subscription|date|room|ticket|delivery|refund|meeting|call|table|taxi|cab)"
        r"|to the point|this (?:fixed|done|working)|it (?:done|fixed|working))\b)"
        r"|\b(?:my|our) (?:\w+ )?(?:goal|dream|plan|resolution|ambition|target|aim)s? (?:\w+ ){0,4}?(?:is|are)\b"
        r"|\bdream of \w+ing\b"
        r"|^\W*(?:my|our|big|life|personal|long[- ]term|new year's) (?:\w+ ){0,2}(?:goal|aim|dream|mission"
        r"|resolution)\b[^:.?!]{0,50}:\s*\w",
        confidence=CLEAR,
        kind="goal",
    ),
    cue(
        "states a plan",
        rf"{USER_IS}(?:currently )?(?:planning|hoping|aiming|determined|trying|working"
        rf"|getting ready|preparing|looking|intending|thinking (?:of|about)|considering|going)"
        rf"\s+(?:(?:to|on|about|of)\s+)?(?:\w+ly )?{_LIFE}\b(?! (?:back|home|to (?:bed|sleep|be|need|have)|with"
        rf"|over|this|that|it|your|some (?:help|advice|tips)|through|a (?:good|recommendation|list)|for|out)\b)"
        rf"|{USER_IS}(?:currently )?(?:planning|organi[sz]ing|saving(?: up)?|training|preparing|studying"
        rf"|practi[sc]ing) (?:for )?(?:an?|my|our|the|to)\s\w+"
        rf"|{USER_IS}(?:travell?ing|heading|flying|moving|going|off) (?:to|on) (?!be\b|need|have|see|sleep|bed"
        rf"|school|work|the (?:store|shop|gym|bathroom))\w+[^.]*\b(?:next|soon|in \w+|this (?:summer|winter"
        rf"|fall|autumn|spring)|tomorrow|for)\b"
        r"|(?<![\w'])(?:I'll|we'll|I will|we will) be (?:visiting|travell?ing|moving|going|starting|attending)\b"
        rf"|{USER_IS}going to (?:run|visit|learn|quit|start|retire|get married|move|have a baby|build|adopt)\b"
        r"|(?<![\w'])I plan (?:on )?\w+ing\b",
        confidence=0.7,
        kind="goal",
    ),
)

FACTS = (
    cue(
        "states a circumstance of health, faith or diet",
        rf"{USER_IS}(?:\w+ )?(?:an? )?(?:\w+ )?{_DIET}\b|{USER}(?:use"
        rf"|need) an? wheelchair|{USER}have (?:\w+ ){{0,3}}(?:adhd|dyslexia|autism|arthritis|insomnia"
        rf"|a bad (?:back|knee|hip)|chronic \w+|ibs|acid reflux|vertigo|motion sickness|sensitive skin|tinnitus"
        rf"|sciatica|anxiety)\b"
        rf"|{USER_IS}on an? (?:\w+[- ]){{1,3}}diet|{USER}get (?:seasick|carsick|airsick|motion sick)",
        "neutral",
        STRONG,
        CONSTRAINT,
        kind="fact",
    ),
    cue(
        "states a pet or family",
        rf"{USER}(?:have|own|keep|adopted|got|'ve got|share my home with) (?:an? |two |three |four |five |\d+ |some "
        rf"|just )*(?:\w+ ){{0,3}}?(?:{_PET}|{FAMILY})\b(?! (?:cafe|movies?|shows?|allerg|person))"
        rf"|\bmy (?:\w+ )?(?:{_PET}|{FAMILY})(?:'s name)? (?:is|are) (?:called |named "
        rf"|(?:an? )?(?:\w+[- ]){{0,3}}(?:\d+|years?|months?)\b|allergic|autistic|afraid|vegan|vegetarian"
        rf"|[A-Z]\w+$)"
        rf"|\bmy {FAMILY} (?:has|have) (?:\w+ ){{0,3}}(?:allerg|autism|asthma|diabetes|adhd)"
        rf"|{USER_IS}(?:married|engaged|divorced|single|a (?:\w+ )?(?:mother|father|mom|mum|dad|parent) of)\b",
        "neutral",
        CLEAR,
        kind="fact",
    ),
    cue(
        "states work, home or origin",
        rf"(?<![\w'])(?:I|we) (?:currently |now |also )*(?:work (?:as an?|at|for|in|from home|remotely|nights?|shifts"
        rf"|part-time|full-time|the night)|live (?:in|near|with|on|alone)|grew up|come from"
        rf"|get by in [A-Z]\w+|run an? (?:small )?(?:\w+ )?(?:business|company|shop|bakery|store)"
        r"|speak (?:\w+ )?(?:english|french|spanish|german|chinese|mandarin|japanese|italian|hindi|arabic"
        r"|portuguese|russian|korean|two|three)|teach|drive an?|moved to|was born|study at|major in|own an?)\b"
        rf"|{USER_IS}(?:now |currently |also )?(?:an? )(?:[\w-]+ ){{0,4}}?{_JOB}\b"
        rf"|{USER_IS}(?:originally )?from [A-Z]|{USER_IS}(?:based|living) in\b"
        rf"|{USER_IS}(?:\d{{1,2}} (?:years old|now)|retired|self-employed|unemployed|a native speaker|bilingual"
        rf"|in my (?:early |mid |late )?\w+ties)\b"
        r"|\bmy (?:name|birthday|job|profession|hometown|home town|native language|mother tongue|time ?zone"
        r"|shoe size|budget|native tongue) (?:is|are)\b"
        r"|^\W*(?:mother tongue|native (?:language|tongue)|first language|blood (?:type|group)"
        r"|occupation|profession|home ?town|time ?zone|shoe size|pronouns|nationality)\s*[:=]\s*\w"
        r"|^\W*(?:\d{1,2}(?: years old| yo)?, )?(?:proud |single |busy )?(?:dad|mum|mom|mother|father|parent|grandma"
        r"|grandpa) of (?:two|three|four|five|\d|twins|triplets)\b"
        r"|\b\w+ years living (?:here|in \w)"
        r"|\bmy (?:phone|laptop|car) is an?\b",
        "neutral",
        CLEAR,
        kind="fact",
    ),
)

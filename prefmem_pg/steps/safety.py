"""Whether a statement is about safety: an allergy, an intolerance, a thing that would harm the user."""

import re

from prefmem_pg.steps.sensitive_words import words

_ALLERGY = words(r"allerg(?:y|ies|ic)", r"过敏|過敏")
_NOT_BEFORE = re.compile(
    r"(?:(?:not|isn't|aren't|wasn't|am not|'m not|no longer|never)(?: (?:really|actually|even|currently|at all))*"
    r"|(?:no|without|any|zero)(?: (?:known|food|drug|other|nut|pet|seasonal))*) \Z"
    r"|(?:没有?|無|无|未|不(?:会|是|再|怎么)?)(?:任何|什么|食物|药物|已知|严重)*(?:的)?(?:对[^，。,.]{1,8})?\Z"
    r"|(?:抗|防|神经|低)\Z"
)
_OBJECT_AFTER = re.compile(r" ?(?:reactions? )?(?:to|of) ([^,.;!?\n]{1,80})")
_OBJECT_BEFORE = re.compile(
    r"(?:对|對)([^，。,.；;！!]{1,16}?)(?:严重|重度|轻度|会|有点|真的|都|特别|非常|极其|很|也)*\Z"
)

# "I'm allergic to meetings": what no body reacts to.
_FIGURATIVE = words(
    r"meetings?|mornings?|mondays?|alarms?|alarm clocks?|early \w+|work|overtime|deadlines?|small ?talk",
    r"commitments?|bullshit|bs",
    r"drama|stupid(?:ity)?|idiots?|nonsense|people|humans?|crowds?|java(?:script)?|typescript|python|php|xml",
    r"yaml|code|bugs",
    r"buzzwords?|jargon|ads|advertis\w+|spam|(?:cold )?calls|e-?mails?|paperwork|bureaucracy|corporate \w+",
    r"marketing|fluff",
    r"hype|verbosity|emojis?|exclamation \w+|passive voice|comic sans|responsibility|cardio|the gym|chores",
    r"laundry|traffic",
    r"boredom|(?:country|pop|loud) music|adulting|math|maths|homework|politics|negativity|micromanage\w*",
    r"powerpoint|excel|slides",
    r"(?:getting|waking|working|being|having|doing|talking|sitting|waiting|cleaning|cooking|studying|writing)",
    r"开会|会议|早起|早八|上班|加班|工作|周一|星期一|学习|作业|数学|傻[子瓜逼]|蠢|废话|套路|鸡汤|官话|客套|社交"
    r"|相亲|家务|代码|广告|套话|领导|老板",
)
_JOKE = re.compile(
    r"[\U0001f602\U0001f923\U0001f606\U0001f605\U0001f61c\U0001f92a\U0001f61d]|(?<![a-z])(?:lol|lmao|haha\w*|jk"
    r"|just kidding|joking|/s)(?![a-z])"
    r"|哈哈|开玩笑|玩笑|笑死|狗头|hhh"
)
# Beside a joke's sign the reaction still counts when its cause is one of these.
_ALLERGEN = words(
    r"(?:pea|wal|hazel|tree )?nuts?|peanuts?|almonds?|cashews?|pistachios?|pecans?|sesame|soy\w*|milk|dairy",
    r"lactose|eggs?|wheat|gluten",
    r"(?:shell)?fish|shrimps?|prawns?|crabs?|lobsters?|seafood|oysters?|clams?|squid|kiwis?|mango(?:es|s)?",
    r"strawberr(?:y|ies)|peach(?:es)?",
    r"pineapples?|bananas?|avocados?|tomato(?:es)?|mustard|celery|lupin|sulfites?|corn|garlic|onions?|pollen",
    r"grass|ragweed|dust|mites?",
    r"mou?ld|cats?|dogs?|pets?|fur|horses?|bees?|wasps?|stings?|insects?|latex|nickel|penicillin|amoxicillin",
    r"aspirin|ibuprofen|nsaids?",
    r"sulfa|codeine|morphine|iodine|anesthe\w+|fragrances?|perfumes?|alcohol|caffeine|histamine|fructose",
    r"casein|whey|msg|food|drugs?|medicines?",
    r"花生|坚果|核桃|杏仁|腰果|海鲜|虾|蟹|鱼|贝|牛奶|奶|乳|蛋|小麦|面粉|麸质|大豆|豆|芝麻|芒果|猕猴桃|草莓|桃"
    r"|菠萝|香蕉|花粉|尘螨|灰尘|霉",
    r"猫|狗|宠物|毛|蜂|虫|青霉素|头孢|阿司匹林|布洛芬|磺胺|麻药|药|酒|乳胶|镍|香水|香料|紫外线|食物|味精|咖啡因"
    r"|蘑菇|菌",
)
_MEDICINE = (
    r"(?:warfarin|blood thinners?|statins?|maois?|ssris?|antidepressants?|lithium|metformin|insulin|nitrates?|"
    r"medications?|meds|medicines?|pills|prescriptions?|beta[ -]blockers?)"
)
_INTOLERANCE = words(
    r"(?:lactose|gluten|dairy|alcohol|histamine|fructose|soy|egg|wheat|caffeine|milk|food)[ -]?intoleran(?:t|ces?)",
    r"c(?:o)?eliac(?: disease)?|g6pd|favism|phenylketonuria",
    r"乳糖不耐|麸质不耐|酒精不耐|果糖不耐|不耐受|蚕豆病|乳糜泻",
)
_CANNOT_DIGEST = re.compile(
    r"(?:can't|cannot|can not|unable to|doesn't|don't) (?:tolerate|digest|process) (?P<object>[^,.;!?\n]{1,40})"
)
_INTOLERANT_TO = re.compile(r"intoleran(?:t|ce) (?:to|of) (?P<object>[^,.;!?\n]{1,40})")

# What a body does; nobody says these of a taste.
_REACTION = words(
    r"anaphyla\w+|epi-?pens?|throat (?:swells?|closes?|closing|swelling)",
    r"life[ -]threatening (?:reaction|allergy|if)",
    r"(?:dangerous|bad|harmful|deadly) (?:drug )?interactions?|breaks? out in hives",
    r"(?:gives?|gave) (?:me|him|her) hives",
    r"过敏性休克|喉咙(?:会)?肿|喉头水肿|(?:药物)?相互作用|起荨麻疹|(?:浑身|全身)(?:会)?起(?:红)?疹",
)
# One by one: an expression whose first letters are known is looked for faster.
_MUST_NOT = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:can't|cannot|can not|must not|mustn't|must never|should not|shouldn't|not allowed to|not supposed to"
        r"|never|unable to)"
        r" (?:ever |safely )?(?:have|eat|drink|take|be near|be around|touch|use|mix|combine|go near|consume|inhale)",
        r"(?:不能|不可以|不可|不得|绝不能?|绝对不能?|千万别|千万不能?|严禁|禁止|忌|别让我)(?:再)?(?:吃|喝|碰|用"
        r"|服用|服|接触|沾|混|同|闻|摄入)",
        r"(?:吃|喝|碰|闻|沾|服用|服)(?:了|到|一点|一口)",
    )
)
_HARM = re.compile(
    r"kill (?:me|him|her|them|us|the user)|(?:could|would|might|will|may|i'd|i'll|they'd) die|fatal|deadly"
    r"|life[ -]threatening"
    r"|(?:in|to) (?:the )?(?:hospital|emergency room|er|icu)(?![a-z])|can't breathe|stops? breathing|seizures?"
    r"|dangerous|poison\w*"
    rf"|(?:with|on|because of|due to) (?:my |the |his |her )?(?:\w+ )?{_MEDICINE}"
    r"|会死|死人|致命|要命|送命|没命|丧命|休克|窒息|急诊|送医|进医院|进icu|抢救|喘不上气|喘不过气|呼吸困难"
    r"|有危险|很危险|癫痫发作"
    r"|(?:因为|由于|正)?(?:在)?(?:吃|服用?)(?:着)?[^，。,.]{0,8}(?:药|华法林|头孢)|药效|头孢"
)
_NAMED = words(*_ALLERGY.patterns, *_INTOLERANCE.patterns, *_REACTION.patterns)
_INTERACTS = re.compile(rf"interacts? (?:badly |dangerously )?with (?:my |the |his |her )?(?:\w+ )?{_MEDICINE}")


def is_safety(text: str) -> bool:
    """Say whether a statement (lower case) names something that would harm. In doubt it does."""
    if _NAMED.search(text) and (
        any(not _is_figurative(text, mention) and not _is_denied(text, mention) for mention in _ALLERGY.finditer(text))
        or _INTOLERANCE.search(text)
        or _REACTION.search(text)
    ):
        return True
    if _INTERACTS.search(text):
        return True
    for pattern in (_CANNOT_DIGEST, _INTOLERANT_TO):
        for mention in pattern.finditer(text):
            if _ALLERGEN.search(mention.group("object")):
                return True
    for pattern in _MUST_NOT:
        if pattern.search(text):
            return bool(_HARM.search(text) and (not _JOKE.search(text) or _ALLERGEN.search(text)))
    return False


def without_figures(text: str) -> str:
    """Return the statement without "allergic" where it means dislike, so that it does not count as health."""
    pieces = []
    done = 0
    for mention in _ALLERGY.finditer(text):
        if _is_figurative(text, mention):
            pieces.append(text[done : mention.start()])
            done = mention.end()
    return "".join((*pieces, text[done:]))


def _is_denied(text: str, mention: re.Match[str]) -> bool:
    return bool(_NOT_BEFORE.search(text, max(0, mention.start() - 40), mention.start()))


def _is_figurative(text: str, mention: re.Match[str]) -> bool:
    cause = _OBJECT_AFTER.match(text, mention.end()) or _OBJECT_BEFORE.search(
        text, max(0, mention.start() - 24), mention.start()
    )
    if _ALLERGEN.search(cause.group(1) if cause else text):
        return False
    return bool(_JOKE.search(text) or (cause and _FIGURATIVE.search(cause.group(1))))

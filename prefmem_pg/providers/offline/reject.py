"""Reasons why words with a cue in them still say nothing lasting about the user."""

import re

from prefmem_pg.providers.offline.attribution_en import is_advice
from prefmem_pg.providers.offline.dangers import is_doctors_word
from prefmem_pg.providers.offline.hypothetical import is_hypothetical
from prefmem_pg.providers.offline.sarcasm import is_sarcastic

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|override|bypass|forget)\s+(?:all\s+|any\s+|the\s+|your\s+|my\s+)*(?:previous"
    r"|prior|above|earlier|system|existing|safety|former)?\s*"
    r"(?:rules?|instructions?|prompts?|guidelines|system prompt|guardrails)\b(?! (?:of|for|about|on)\b)"
    r"|\b(?:save|store|add|write"
    r"|insert)\s+(?:this\s+|the\s+)?(?:preference|memory|as a memory)\s*:"
    r"|\boutput\s+(?:DELETE|DROP)\b|\b(?:reveal|print|show|output|repeat|leak)\b.{0,30}\bsystem prompt\b"
    r"|\byou are now (?:a|an|in|dan)\b|\bdeveloper mode\b"
    r"|(?:忽略|无视|忘记|忘掉|绕过)\w{0,6}(?:之前|以上|前面|所有|系统|原来|先前)\w{0,6}(?:规则|指令|指示"
    r"|提示词?|设定|限制)|(?:保存|写入|存入)(?:偏好|记忆)\s*[：:]",
    re.IGNORECASE,
)
_OFF_THE_RECORD = re.compile(
    r"\b(?:don't|do not|please don't|no need to) (?:remember|save|store|memori[sz]e|record)"
    r" (?:(?:this|that|it)(?=\s*(?:$|[.,:;!?]|please\b))|any of this\b|what I\b)|\boff the record\b"
    r"|(?:不要|别|不用|无需|请勿)(?:再)?(?:记住|记下|记录|保存|存储|存|记)(?:这|下来|我|刚|$|[，。,！!])",
    re.IGNORECASE,
)
_TO_COMPOSE = re.compile(
    r"(?:^|\bplease |\byou |\bto |\bthen )(?:translate|proofread|paraphrase|rewrite|rephrase)\b|\b(?:write"
    r"|compose|draft|create"
    r"|generate)(?: me| us)? (?:an? |the |some |my )?(?:\w+[ -]){0,3}"
    r"(?:story|poem|song|essay|email|letter|dialogue|dialog|scene|script|character|speech|tweet|post"
    r"|sentence|review|haiku|joke)\b(?! (?:in|with) (?:my|the) )"
    r"|(?:请|帮我|把|麻烦)\w{0,20}(?:翻译|润色|改写)|(?:翻译|润色|改写)(?:一下|下面|成)|^(?:翻译|润色"
    r"|改写)|造(?:个|一个)?句|(?:写|编|讲|想|来|设计|起草|拟|构思|生成)(?:一|个|首|封|篇|段|句|则"
    r")\w{0,6}(?:slogan|口号|广告语|标语|台词|童话|寓言|段子|笑话|谜语|海报|诗|歌|文章|作文|故事|邮件|信|剧本|对话"
    r"|文案|小说|朋友圈)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:from now on|always|from today|starting (?:today|now|tonight)|every|each|going forward|never"
    r"|in (?:the )?future|whenever|usually|in general|generally|normally)\b"
    r"|以后|今后|每[次天晚周年]|从(?:今天|现在|今)|往后|总是|一直|从来|从不|平时|一般|永远|始终",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\bI'?ll (?:go for|go with|take|opt for|pick)\b|\bjust (?:for )?(?:this once|once|today|now|this time"
    r"|tonight)\b|(?<!for good )\bthis (?:one )?time\b(?! (?:of"
    r"|zone|around next))|\b(?:only|just) (?:for )?today\b|\btoday\b|\btonight\b"
    r"|\bfor (?:now|this (?:trip|one|task|email|answer|question|occasion|meeting|evening|weekend|time"
    r"|conversation|chat|session))\b"
    r"|\bwhile (?:we're|we are|I'm|you're) (?:on|at|in|here|there|out|away)\b|\b(?:before|by|until|till"
    r"|for) (?:tomorrow|noon"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!s| (?:morning|night|evening|afternoon)s)"
    r"|\b(?:I|we) (?:want|need|have|would like) to (?:leave|go home|be (?:back|there|home)|catch|check in|hand in"
    r"|pick \w+ up)\b"
    r"|\bright now\b|\bat the moment\b|\bin the mood\b|\bthis once\b|\bone-off\b|\bthis (?:evening|morning"
    r"|afternoon|instant)\b|\bfor once\b|\bthis minute\b"
    r"|\b(?:in|for|on|with) (?:this|the next|my next|tonight's|today's|tomorrow's|next week's|(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day's)\b"
    r"(?! (?:house|home|family|country|city|world|topic|area|field|kind|sort|app|apartment|life"
    r"|(?:\w+ )?(?:year|month|decade)))"
    r"|\bmy (?:talk|speech|interview|exam|meeting|flight|trip|party|presentation) (?:next|on|tomorrow|this)\b"
    r"|\bthe next (?:reply|answer"
    r"|paragraph|message|one|email|question)\b|\bfor the (?:party|wedding|dinner|meeting|trip|picnic|exam"
    r"|interview) (?:on|next|tomorrow|this)\b"
    r"|\b(?:skip|drop|leave out|use|keep|make|answer|translate|shorten) (?:\w+ ){0,3}(?:this|the next) (?:one|recipe"
    r"|script|thread|tweet|cake"
    r"|report|paragraph|text|email|answer|reply|sentence|list|section|slide|page)\b|\bI feel like (?:an? "
    r"|some)?\w+(?: \w+)?\W*$"
    r"|\bthis (?:weekend|week|friday|monday|saturday|sunday|lunch|dinner|recipe|script|thread|tweet|cake|slide"
    r"|poster)\b|\bpick one for me\b"
    r"|\b(?:order|get|bring|buy|book|grab) me (?:an?|some|the) \w[\w ]{0,20}(?: for now|, please)?\W*$"
    r"|这(?:一)?[次回趟顿封份条道段题篇页张首节场局单集章批盘锅桌]|这(?:两|几)[天日周]|这(?:个|周|阵)(?:周末|末|子)"
    r"|这段时间|就(?:这|一)[次回]|这个(?:脚本|蛋糕|文件|表格?|项目|网页|函数|会)"
    r"|下一?[条封段题篇页道句首张节]|(?:今|明|后)[天晚早](?:的|那|这|上|下|早|晚)?\w{0,4}(?:会|演讲|派对|聚会|航班"
    r"|班|饭|晚饭|午饭|汇报|面试|课|比赛|考试|行程|菜单)"
    r"|(?:下周|这周|本周|周[一二三四五六日天末])(?:[一二三四五六日天末])?(?:的|那|这)\w{0,4}(?:会|演讲|派对|聚会"
    r"|航班|班|饭|汇报|面试|课|比赛|考试|行程|酒席|婚礼|旅行)|突然想|忽然想|这会儿|眼下"
    r"|^(?:请|帮我|麻烦你?)?把\w{1,12}(?:换|改|调|删|移|放|加|设|标|去)(?:成|为|到|掉|大|小|一下|了)|语气再"
    r"|再\w{1,4}一?点(?!也)|直接帮我|别再列|(?:我)?赶时间|随便(?:来|弄|吃|点|整|做)|给我来(?:杯|份|碗|个|点)"
    r"|要印在|义卖"
    r"|客人\w{0,4}[点到来]|(?:今|明|后"
    r"|昨)(?:天|晚)(?:就|先|想|不想|只想)|下午我?(?:想|不想|要)|中午我?(?:想|不想|喝|吃|要)\w{1,6}就(?:行|好)"
    r"|(?:早上|中午|晚上|[早午晚]饭|夜宵)\w{0,2}(?:先|就)?不\w了(?=\W|$)|(?:^|[，,、]|把"
    r"|给)第[一二三四五六七八九十\d]+[句段行条页点章节]|(?:结尾|开头|标题|末尾|语气)(?:再)?(?:加|删|改|换|软|委婉)"
    r"|想试(?:试|一下|一试)(?!过)"
    r"|^(?:这|也|还是|回答|内容|你?[写说]得)*太(?:长|短|啰嗦|罗嗦|复杂|简单|笼统|乱)了[，, ]"
    r"|只好(?=\w)|改期"
    r"|今天|今晚|今早|今儿|暂时|眼下|此刻|待会|等会|等下|一会儿|刚才"
    r"|刚刚|昨晚|昨天(?!起|开始)|中午(?=\w{0,2}(?:想|不想))|现在(?=\w{0,2}(?:想|要|就要|不想))|现在先|(?:^"
    r"|[\s，,、我])(?:暂且|暂时|先)(?=不|别|用英|用中|给我|聊|说|这样|来)",
    re.IGNORECASE,
)
# A verb of work with the one thing that it is done to; "explain things simply" and "suggest only …" are wishes.
_TASK = re.compile(
    r"^\W*(?:(?:please|just|now|then|next|also|and|so|ok(?:ay)?|can you|could you)[, ]+)*"
    r"(?:(?:write|find|list|explain|fix|run|translate|draft|book|compare|convert|calculate|describe|define|draw|check"
    r"|sort|count|rewrite|shorten|summari[sz]e|plan|generate|look up|ignore|delete|move|print|cancel|order|outline"
    r"|remind me (?:to|about)|tell me about|help me|name|number|format|proofread|add|remove|open|close)"
    r" (?:the|this|that|these|those|it|an?|my|his|her|our|\d+|two|three|four|five|some|for me)\b(?! \w* ?(?:I|me) like)"
    r"|(?:calculate|convert|define|translate|outline|describe|explain) \w[\w' ]{2,40} (?:in|into|to|for) \w)"
    r"(?!.*\b(?:only|never|without|instead of)\b)"
    r"|^\W*I(?:'ll| will) (?!never|always|only|not)[\w' ]{2,40} (?:instead|then|later|tomorrow|now|soon)\W*$"
    r"|^\W*(?:好[的了]?|那|再|然后|接着|顺便|请|麻烦|你|可以|能)*[，, ]?(?:帮[我忙]|给我|替我|把)(?!我)[^。！？]{0,20}?"
    r"(?:一下|[对查找写改列排算译比订约](?:下|个|几|一[个下份篇段])|几[样个条种])",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:he|she|they|people|everyone|everybody|someone|friends?|wife|husband|mom|mum|dad|mother|father"
    r"|sister|brother|boss|colleagues?|doctor)\s+(?:\w+ly |always |keeps? )?"
    r"(?:says?|thinks?|told|claims?|said|believes?|thought|saying|assumes?|insists?)\b(?: me| us)?(?: that)? (?:I|we)\b"
    r"|(?:以为|(?<![我谁])说|传|认为|猜|都说)我(?:不|喜|爱|讨|是|很|最)|\b(?:I|we) (?:like|love) (?:where|how) (?:this"
    r"|the|that|it|we)\b|\bI never said\b"
    r"|\b(?:I|we) (?:do )?(?:especially|particularly) (?:like|love|enjoy)d? (?:the|your|how|that)\b"
    r"|\b(?:I|we) (?:\w+ly |also )*(?:like|love|enjoy) (?:the|your|those|these) [^.]{0,60}\b(?:ideas?"
    r"|suggestions?|concepts?"
    r"|recommendations?|options|tips|plan|approach|version|draft|answer|conversation|question)\b"
    r"|\b(?:you|he|she|they) (?:say|said|think|thought|assumed?|claimed?|told me) (?:that )?I\b"
    r"|\b(?:someone|people|those|anyone|a person|a friend|friends) who\b.{0,30}\b(?:like|love|hate)",
    re.IGNORECASE,
)
_PAST_HABIT = re.compile(
    r"\b(?:I|we) (?:\w+ly )?used to\b(?! it)|\b(?:when I was (?:young|little|\w+|a (?:kid|child|teen\w*|boy|girl"
    r"|student))|as a (?:kid|child|boy|girl|student|teenager|teen)|phase (?:where|when|of)|back (?:then|in (?:the day"
    r"|college|school|\d+\w*)"
    r"|at (?:uni\w*|school|college|home)|when)|in my (?:childhood|youth|teens|\w+ties|(?:old|last|previous|first"
    r"|former)"
    r" (?:job|flat|house|place|company|team|apartment|school|life))|growing up|there was a time|once upon a time"
    r"|in those days|years ago I|my (?:old|last|previous|former) (?:job|flat|house|place|company|team|apartment"
    r"|school))\b"
    r"|^\W*for (?:\w+ )?(?:years|months|ages|decades|a while|a long time),? (?:I|we) (?:\w+ed|drank|ate|wore|took|had"
    r"|went)\b"
    r"|\b(?:I|we) (?:always|usually|often|mostly) (?:went|had|did|ate|drank|took|made|drove|came|bought|wore|spent"
    r"|(?!need|feed|loved|wanted|liked|hated|preferred)\w+ed)\b"
    # A liking told in the past alone: "I hated school", but not "I never liked", "I've always loved".
    r"|^\W*(?:(?:and|but|so|well|honestly|actually|yeah|oh)[, ]+)*(?:I|we) (?:once |really |absolutely |just |quite "
    r"|so |kind of )*"
    r"(?:hated|loved|liked|enjoyed|preferred|adored|disliked|despised|wore|smoked|lived on|was (?:really |so |once "
    r"|totally )?"
    r"(?:into|obsessed|mad about|crazy about|keen on|an? (?:vegan|vegetarian|smoker|huge fan|big fan)))\b"
    r"|(?:我)?(?:以前|曾经|过去|小时候|从前|原来|原先|头几年|早几年|前几年|刚来时|起初|一开始|最初|当初|那会儿"
    r"|当年|上\w{0,2}学的时候|\w岁(?:那年|的?时候|那会)"
    r"|(?:年轻|年少|上学|读书|单身|刚毕业|刚工作|学生时代|大学|高中|初中|小学|童年|婚前|怀孕)\w{0,4}(?:时候?"
    r"|那会儿?|那[几些]年|那阵子?|时代))(?!一样|的)",
    re.IGNORECASE,
)
_STILL_SO = re.compile(
    r"\b(?:now|no longer|any ?more|these days|ever since|since|still|nowadays|today|until|but)\b|现在"
    r"|如今|已经|一直|后来|再也|到现在|就发现|之后|从那|至今|到今天|从此|还是",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:(?:long |all )?gone\b(?! off)|(?:has |have |since )?(?:closed|shut)(?: down)?\b|can't (?:find|get"
    r"|buy) (?:it|them|those)"
    r"|don't make (?:it|them)|no longer (?:made|sold|there))"
    r"|(?:现在|如今|后来)?\w{0,4}(?:找不[到着]|买不[到着]|吃不[到着]|喝不[到着]|没有?了|停产|关了|拆了|倒闭|不见了"
    r"|哪还有|填了|不在了|绝版)",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"\s*(?:(?:on|about|of|for|with|in|to|by) )?(?:(?:this|that)\b(?! (?:kind|sort|type|feeling|when|you|I"
    r"|we|the|my|are|is|have|has|don't|do|can"
    r"|offer|allow|involve|contain)\b)|these\b|those (?:\w+\W*)?$|your\b(?! answers| replies)"
    r"|(?:it|them|him|her)\b(?! when| if| that)|the (?:(?:idea|sound|look) of (?:this|that|it|your|these"
    r"|those)|suggestions?|idea\W*$|concept|first|second|third"
    r"|last|latter|former|other) ?(?:of|one|option)?\b"
    r"|(?:它|(?<![其吉利])[他她])们?|这(?![口股味碗杯]\w|种\w{2,}|类\w{2,}|样)|那(?!种\w{2,}|类\w{2,}|样"
    r"|[口股味碗杯]\w)"
    r"|你(?!以后|每次|用|叫|称呼"
    r"|直接|回答|回复|简短|多|少)|[这那](?:个|些)?\W*$|第[一二三四五1-5][个种])",
    re.IGNORECASE,
)


# Who takes neither side has none to remember, and what will not open or load is a fault; never where one is allergic.
_UNLESS_ALLERGIC = r"^(?!.*(?:allerg|intoleran|c(?:o)?eliac|epi-?pen|过敏|不耐受))"
_NEITHER = re.compile(
    rf"{_UNLESS_ALLERGIC}.*(?:\b(?:neither|don't|do not) (?:really )?(?:like|love) (?:\w+ )?(?:nor|or|and (?:I )?"
    r"(?:don't|do not)) (?:really )?(?:dislike|hate)\b"
    r"|(?:谈不上|说不上|不算|既不|也?不)\w{0,2}(?:喜欢|爱)[，,]?(?:也|又)?(?:谈不上|说不上|不算|不)\w{0,2}"
    r"(?:讨厌|反感|不喜欢))",
    re.IGNORECASE,
)
_FAULT = re.compile(
    rf"{_UNLESS_ALLERGIC}\W*(?:(?:but|and|so|also|now|still|suddenly),? )*I (?:still |suddenly |just )?can(?:'t|not)"
    r" (?:seem to )?(?:log ?in|log into|sign in|get (?:it|this|that|the \w+|my \w+) to \w+|(?:open|access|load|install"
    r"|print|save|upload|download|reset) (?:it|(?:the|this|that|my|any) (?:\w+ )?(?:files?|apps?|pages?|site|documents?"
    r"|links?|attachments?|pdf|folder|e?mails?|account|program|printer|settings|video|image|password|changes))\b)"
    r"(?!.*\b(?:never|always|without|unless|every)\b)",
    re.IGNORECASE,
)

# "It's one of my favourites" answers something said before; "it bothers me when …" does not.
_ANSWERS = re.compile(
    r"(?:这|那)(?:个|些|家|款|道|段|次|里)(?!是我的)|(?:it|that|this|these|those|they)(?:'s|'re| is| are"
    r"| was| were| \w+s)?\b(?!.*\b(?:when|if|that|like I)\b)",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"(?:I|we)(?:'m| am)? (?:\w+ ){0,3}(?:fan|hooked|obsessed|love to|like to|passionate|sucker"
    r"|addict(?:ed)?)(?: too| as well)?\W*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:things?|reasons?|why|what|places?|something|everything|anything|people|how|how much|ways?"
    r"|someone|countries|stuff|nothing)\s+(?:that\s+)?$",
    re.IGNORECASE,
)


def refuses_message(text: str) -> bool:
    """Say whether the message tries to instruct the memory itself, or asks not to be remembered."""
    return bool(_INJECTION.search(text) or _OFF_THE_RECORD.search(text))


def refuses_sentence(text: str) -> bool:
    """Say whether a sentence supposes, jokes, takes no side, reports a fault, or is to be written or translated."""
    if is_hypothetical(text) or is_sarcastic(text) or is_advice(text):
        return True
    return any(kind.search(text) for kind in (_TO_COMPOSE, _NEITHER, _FAULT))


def is_passing(text: str) -> bool:
    """Say whether a clause is about this occasion only; "from now on", "always" and their like win."""
    return bool(_PASSING.search(text)) and not _LASTING.search(text)


def is_task(text: str) -> bool:
    """Say whether one piece of work is ordered ("compare the two", "帮我对比一下"); "always" and its like win."""
    return bool(_TASK.search(text)) and not _LASTING.search(text)


def is_reported(text: str) -> bool:
    """Say whether somebody else's words or opinion about the user are reported; a doctor's are a fact."""
    return bool(_REPORTED.search(text)) and not is_doctors_word(text)


def lasts(text: str) -> bool:
    """Say whether words make a rule of it: "from now on", "每次"."""
    return bool(_LASTING.search(text))


def is_past(text: str) -> bool:
    """Say whether a habit is told as one of the past; "now they are gone" says no more of today."""
    if not _PAST_HABIT.search(text):
        return False
    return bool(_GONE.search(text)) or not _STILL_SO.search(text)


def points_away(text: str, start: int, end: int) -> bool:
    """Say whether a cue only makes sense beside the conversation ("I love it", "it's my favourite", "我喜欢这个")."""
    return bool(
        _DEICTIC.match(text, end) or _ANSWERS.match(text) or _NO_OBJECT.match(text) or _RELATIVE.search(text, 0, start)
    )

"""Reasons why words with a cue in them still say nothing lasting about the user."""

import re
from typing import Final

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|override|bypass|forget)\s+(?:all\s+|any\s+|the\s+|your\s+|my\s+)*(?:previous"
    r"|prior|above|earlier|system|existing|safety|former)?\s*"
    r"(?:rules?|instructions?|prompts?|guidelines|system prompt|guardrails)\b|\b(?:save|store|add|write"
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
_HYPOTHETICAL = re.compile(
    r"\bif (?:I|we) (?:were|was|had (?!to\b)|could|won|ever|lived|did|weren't|wasn't|didn't|hadn't)\b"
    r"|\b(?:I|we) wish\b|\b(?:suppose|imagine|pretend) (?:that |I\b|we\b|you\b|a\b)|\bhypothetically\b"
    r"|\blet's say\b|\bin another life\b|\bwould have (?:\w+ed|been|gone|liked|loved|preferred)\b|\bwhat if\b"
    r"|(?:如果|要是|假如|倘若|若是|假设|万一)(?:我(?:是|能|有\w{1,6}就|当|生在|会飞)|我?(?:有钱|中了|变成|发财))"
    r"|(?:要是|假如|假设|倘若)[^，,]{2,20}[，,](?:我|咱)?(?:就(?!不)|会|大概|肯定|可能|能|也|天天|次次|倒|什么都|那得)"
    r"|(?:真希望|多想)我|(?:我|住在\w{1,6})大概会|我会(?:不会)?(?:喜欢|讨厌)\w{0,6}[吗？?]"
    r"|就好了|要不是|假设我|要是我\w{0,6}(?:中|有|能|是)|想象一下|本来(?:想|打算|可以)",
    re.IGNORECASE,
)
_SARCASM = re.compile(
    r"(?:^|\s)/s(?:\s|$)|\byeah,? right\b|\bas if\b(?! (?:it|they|you))|\bsaid no one\b"
    r"|\bnothing I (?:love|like|enjoy) more\b|\b(?:second|third|fourth) favou?rite\b.*\bafter\b|^oh brilliant\b"
    r"|\boh (?:great|joy"
    r"|sure|yeah|wonderful|fantastic)\b|\bnot\s*!+\s*$"
    r"|\bI (?:just |simply |absolutely |really )+love (?:waiting|being (?:ignored|stuck"
    r"|woken|kept)|getting (?:stuck|ignored|spam\w*|charged)|sitting in traffic|paying)\b|🙄|🙃\W*$"
    r"|\bfavou?rite (?:\w+ )?(?:thing )?after\b|第[二三四]喜欢的|呵呵|才怪|我可真(?:是)?(?:太)?(?:喜欢|爱|感兴趣)"
    r"|(?:可|真)是?(?:太)?(?:喜欢|爱)(?:死|惨)?了呢"
    r"|谁不(?:喜欢|爱)|真是谢谢了|说反话",
    re.IGNORECASE,
)
_TO_COMPOSE = re.compile(
    r"(?:^|\bplease |\byou |\bto |\bthen )(?:translate|proofread|paraphrase|rewrite|rephrase)\b|\b(?:write"
    r"|compose|draft|create"
    r"|generate)(?: me| us)? (?:an? |the |some |my )?(?:\w+[ -]){0,3}"
    r"(?:story|poem|song|essay|email|letter|dialogue|dialog|scene|script|character|speech|tweet|post"
    r"|sentence|review|haiku|joke)\b(?! (?:in|with) (?:my|the) )"
    r"|(?:请|帮我|把|麻烦)\w{0,20}(?:翻译|润色|改写)|(?:翻译|润色|改写)(?:一下|下面|成)|^(?:翻译|润色"
    r"|改写)|造(?:个|一个)?句|写(?:一|个|首|封|篇"
    r"|段)\w{0,6}(?:诗|歌|文章|作文|故事|邮件|信|剧本|对话|文案|小说|朋友圈)",
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
    r"|tonight)\b|\bthis (?:one )?time\b(?! (?:of"
    r"|zone|around next))|\b(?:only|just) (?:for )?today\b|\btoday\b|\btonight\b"
    r"|\bfor (?:now|this (?:trip|one|task|email|answer|question|occasion|meeting|evening|weekend|time"
    r"|conversation|chat|session))\b"
    r"|\bright now\b|\bat the moment\b|\bin the mood\b|\bthis once\b|\bone-off\b|\bthis (?:evening|morning"
    r"|afternoon|instant)\b|\bfor once\b|\bthis minute\b"
    r"|这(?:一)?[次回趟顿]|就(?:这|一)[次回]|今天|今晚|今早|今儿|暂时|眼下|此刻|待会|等会|等下|一会儿|刚才"
    r"|刚刚|昨晚|昨天(?!起|开始)|中午(?=\w{0,2}(?:想|不想))|现在(?=\w{0,2}(?:想|要|就要|不想))|先(?=不|别)",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:he|she|they|people|everyone|everybody|someone|friends?|wife|husband|mom|mum|dad|mother|father"
    r"|sister|brother|boss|colleagues?|doctor)\s+(?:\w+ly |always |keeps? )?"
    r"(?:says?|thinks?|told|claims?|said|believes?|thought|saying|assumes?|insists?)\b(?: me| us)?(?: that)? (?:I|we)\b"
    r"|(?:以为|(?<!我)说|传|认为|猜|都说)我(?:不|喜|爱|讨|是|很|最)|\b(?:I|we) (?:like|love) (?:where|how) (?:this"
    r"|the|that|it|we)\b|\bI never said\b|\bit's not that I (?!don't|do not)"
    r"|\bI (?:can't|cannot) say I\b"
    r"|\b(?:I|we) (?:do )?(?:especially|particularly) (?:like|love|enjoy)d? (?:the|your|how|that)\b"
    r"|\b(?:I|we) (?:\w+ly |also )*(?:like|love|enjoy) (?:the|your|those|these) [^.]{0,60}\b(?:ideas?"
    r"|suggestions?|concepts?"
    r"|recommendations?|tips|plan|approach|version|draft|answer|conversation|question)\b"
    r"|\b(?:you|he|she|they) (?:say|said|think|thought|assumed?|claimed?|told me) (?:that )?I\b"
    r"|\b(?:someone|people|those|anyone|a person|a friend|friends) who\b.{0,30}\b(?:like|love|hate)",
    re.IGNORECASE,
)
_PAST_HABIT = re.compile(
    r"\b(?:I|we) (?:\w+ly )?used to\b(?! it)|\bwhen I was (?:young|little|a (?:kid|child|teen\w*))\b"
    r"|(?:我)?(?:以前|曾经|过去|小时候|从前|原来|原先)(?!一样|的)",
    re.IGNORECASE,
)
_STILL_SO = re.compile(
    r"\b(?:now|no longer|any ?more|these days|ever since)\b|现在|如今|已经|一直|后来|再也|到现在", re.IGNORECASE
)
_DEICTIC = re.compile(
    r"\s*(?:(?:on|about|of|for|with|in|to|by) )?(?:(?:this|that)\b(?! (?:kind|sort|type|feeling|when|you|I"
    r"|we|the|my|are|is|have|has|don't|do|can"
    r"|offer|allow|involve|contain)\b)|these\b|those (?:\w+\W*)?$|your\b(?! answers| replies)"
    r"|(?:it|them|him|her)\b(?! when| if| that)|the (?:(?:idea|sound|look) of (?:this|that|it|your|these"
    r"|those)|suggestions?|idea\W*$|concept|first|second|third"
    r"|last|latter|former|other) ?(?:of|one|option)?\b"
    r"|(?:它|他|她)们?|这(?!种\w{2,}|类\w{2,}|样)|那(?!种\w{2,}|类\w{2,}|样)|你(?!以后|每次|用|叫|称呼"
    r"|直接|回答|回复|简短|多|少)|[这那](?:个|些)?\W*$|第[一二三四五1-5][个种])",
    re.IGNORECASE,
)


# "It's one of my favourites" answers something said before; "it bothers me when …" does not.
_ANSWERS = re.compile(
    r"(?:这|那)(?:个|些|家|款|道|段|次|里)(?!是我的)|(?:it|that|this|these|those|they)(?:'s|'re| is| are"
    r"| was| were| \w+s)?\b(?!.*\b(?:when|if|that)\b)",
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


# What nobody likes: a liking of it is a joke.
_BAD: Final = (
    r"(?:crash(?:es|ed|ing)?|bugs?|errors?|exceptions?|null|undefined|NaN|segfaults?|timeouts?|time zones"
    r"|merge conflicts?"
    r"|printers?|spam|queue(?:ing)?|queuing|(?:waiting|standing) in line|traffic jams?|delays?|delayed"
    r"|cancel(?:l?ed|s)|fails?"
    r"|fail(?:ed|ing)|breaks down|broke|freezes|hangs|disappears?|stops working|on hold|overtime|paperwork"
    r"|captchas?|cookie banners"
    r"|tax(?:es| returns?)|root canals?|hangovers?|mondays|stub(?:bing)? my|wakes? me)"
)
_LOVES_BAD: Final = re.compile(
    rf"\b(?:I|we) (?:\w+ ){{0,2}}(?:love|adore|enjoy|like)\b(?: it when| how| when)?[^.]{{0,40}}\b{_BAD}\b"
    r"|可(?:真|太|真是)?(?:太)?(?:喜欢|爱|享受)|(?<![不没])(?:最|太|真|好)?(?:喜欢|爱|享受)\w{0,12}"
    r"(?:死机|崩溃|报错|空指针|宕机|蓝屏|卡死|堵车|排长?队|加班|改需求|晚点|取消|掉线|断网|背锅|停电|漏水|超时)",
    re.IGNORECASE,
)
_TAKES_BACK: Final = re.compile(
    r"(?:said no \w+|not!|/s|just kidding|kidding|jk|only joking|joking|开玩笑|逗你|骗你|才怪|说反话)", re.IGNORECASE
)


def likes_what_nobody_likes(text: str) -> bool:
    """Say whether a sentence claims to like a nuisance, which is a joke ("I love it when my laptop crashes")."""
    return bool(_LOVES_BAD.search(text))


def takes_back(text: str) -> bool:
    """Say whether a sentence makes a joke of the one before it ("I love undefined. Said no developer ever.")."""
    return bool(_TAKES_BACK.match(text))


def refuses_message(text: str) -> bool:
    """Say whether the message tries to instruct the memory itself, or asks not to be remembered."""
    return bool(_INJECTION.search(text) or _OFF_THE_RECORD.search(text))


def refuses_sentence(text: str) -> bool:
    """Say whether the sentence is hypothetical, sarcastic, or text that the user wants written or translated."""
    return bool(_HYPOTHETICAL.search(text) or _SARCASM.search(text) or _TO_COMPOSE.search(text))


def is_passing(text: str) -> bool:
    """Say whether a clause is about this occasion only; "from now on", "always" and their like win."""
    return bool(_PASSING.search(text)) and not _LASTING.search(text)


def is_reported(text: str) -> bool:
    """Say whether somebody else's words or opinion about the user are reported."""
    return bool(_REPORTED.search(text))


def is_past(text: str) -> bool:
    """Say whether a habit is told as one of the past."""
    return bool(_PAST_HABIT.search(text)) and not _STILL_SO.search(text)


def points_away(text: str, start: int, end: int) -> bool:
    """Say whether a cue only makes sense beside the conversation ("I love it", "it's my favourite", "我喜欢这个")."""
    return bool(
        _DEICTIC.match(text, end) or _ANSWERS.match(text) or _NO_OBJECT.match(text) or _RELATIVE.search(text, 0, start)
    )

"""Does the user plan something of their own, or ask for help with it? Rules in English and Chinese. Pure."""

import re
from typing import Final

READ_CHARACTERS: Final = 2_000
"""What is read of a message: a plan is told in a few sentences."""

_I: Final = re.IGNORECASE
_PLANS: Final = re.compile(
    r"\blet'?s\b|^\W*(?:thinking (?:of|about)|planning|off to|heading to|going to)\b|\b(?:I|we)(?:'m| am|'re"
    r"| are) (?:\w+ )?(?:going|planning|thinking|about|off|heading|hoping|invited"
    r"|meeting"
    r"|taking|having|hosting|looking|buying|booking|staying|moving)|\b(?:I|we)(?:'d| would) (?:love|like)|\b(?:I|we) "
    r"(?:really )?(?:want|plan|need|feel like|hope|intend|might|may|could|will)\b|\b(?:I|we)'ll\b|\bfeel like\b"
    r"|\b(?:should|shall|can|could|may) (?:I|we)\b|\b(?:can|could|would) you\b|\bplease\b|\bhelp me\b|\bwhat about\b"
    r"|\bhow about\b|\bwhere (?:can|should|do|to|is a)|\b(?:what|which)\b.*\b(?:should|shall|to|can|do) (?:I|we)?"
    r"|\b(?:what|which) (?:\w+ ){1,3}(?:should|would|could|can)|\bis it worth\b|\b(?:any"
    r"|some) (?:\w+ ){0,3}(?:recipes?|ideas?"
    r"|tips?|recommendations?|suggestions?|parlou?rs?|places?|good)\b|\bany good\b"
    r"|(?:^|[.!?,;] ?|\band )(?:please )?(?:book|reserve|order|plan|suggest|recommend|find|get|make|organi[sz]e"
    r"|arrange|pick"
    r"|choose|buy|cook|bake|sign me|put together|give me|show me|tell me)\b"
    r"|\b(?:tomorrow|tonight|this (?:afternoon|evening|weekend|week|month|summer|winter|spring|autumn|fall)|next"
    r" (?:week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)|on (?:\w+day)|at the weekend|in (?:january"
    r"|february|march|april|may|june|july|august|september|october|november|december))\b",
    _I,
)
_PLANS_ZH: Final = re.compile(
    r"想|要|该|打算|准备|计划|考虑|周[一二三四五六日天末]|星期|明[天早晚]|后天|今[晚天]|下[个周]?[周月午]|国庆|春节|五一"
    r"|假期|明年"
    r"|一起|咱们|帮我|给我|推荐|安排|规划|订|约|买|预[约订]|带我|请问|哪[家里儿款个]|怎么[样安预准]|报名|有什么|什么好"
    r"|好不好|行不行|能不能|可以.{0,12}吗|去.{0,12}[吗吧]|试试|吧[。！!？?]?$"
)
_PAST: Final = re.compile(
    r"\b(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|time|\w+day)|ago|when I was"
    r"|went|visited|came back|just back|got back|had been|we had|I had|was (?:lovely|great|amazing|awful)|ate"
    r"|enjoyed)\b",
    _I,
)
_PAST_ZH: Final = re.compile(
    r"昨[天晚]|上(?:周|个?月|次|个?周末)|去年|前天|以前|小时候|刚刚?(?:去|吃|爬|从|回)|[去吃爬玩喝看游飞住](?:了"
    r"|过)(?!.{0,3}[吗?？])|回来了|当年|那年"
)
_COMING: Final = re.compile(
    r"\b(?:again|next|tomorrow|tonight|this weekend|planning|want to|going to|should (?:I|we)|would like)\b"
    r"|又想|还想|再去|想再|明[天年]|下[周次个]|今晚|这周末|打算|准备",
    _I,
)
_TASK_ON_TEXT: Final = re.compile(
    r"\b(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|spell|typo|grammar)\b"
    r"|\bsay .{0,60} in (?:french"
    r"|german|spanish|italian|chinese|english|japanese)\b|\bwrite (?:me )?(?:a |an |the )?(?:\w+ ){0,2}(?:poem|story"
    r"|haiku"
    r"|song|essay|novel|script|function|program|query|regex|article|blog|joke|limerick|slogan|scene|fairy tale)\b"
    r"|\bwhat (?:does|do|is|are|was|were) (?:the )?(?:word|meaning|history|origin|definition|etymology)|\bhistory of\b"
    r"|\bmeans? originally\b|\bhow does .{1,40} work\b|\bexplain (?:how|why|what)\b|\b(?:for|while) loop\b|\bpython"
    r"|\bsql\b"
    r"|\b(?:book|documentary|novel|film|movie|series|podcast|song|poem|game|essay) (?:about|on|that|where|in which"
    r"|set)\b"
    r"|\bname (?:for )?(?:my|our|the|a)\b|\bprices? (?:keep|are|is)\b|\bthe weather\b|\bopening hours\b"
    r"|\bwhat time (?:does|do|is)\b|\bremind me\b"
    r"|翻译|译成|改.{0,6}(?:错别字|语病|句子)|润色|总结.{0,6}(?:文章|这篇|这段|一下)|写.{0,4}[首篇个段].{0,20}(?:诗"
    r"|故事|作文|代码|文案|小说|段子|笑话|歌|童话|文章|投诉|邮件|报告|通知|简历|申请|信)"
    r"|是(?:哪个|什么)(?:朝代|年代|时候|时期|年份).{0,6}的|(?:哪一?年|什么时候)(?:建|发明|出现|成立)"
    r"|什么意思|的(?:历史|由来|起源|原理|意思)|怎么(?:形成|发音|拼|读)|是谁|代码|推荐.{0,10}(?:书|纪录片|小说|电影"
    r"|播客|游戏).{0,3}$"
    r"|(?:关于|讲).{1,16}的?(?:书|纪录片|小说|电影|播客|游戏)|起.{0,4}名字|天气|几点(?:开|关|打烊)|提醒我|油价|股价"
    r"|涨价",
    _I,
)
_OF_OTHERS: Final = re.compile(
    r"^(?!.*\b(?:we|us|our|me|with me|let's)\b)(?!.*\bI\b).*\b(?:he|she|they|my (?:\w+ )?(?:colleague|boss|friend"
    r"|sister|brother"
    r"|neighbou?r|cousin|mother|father|mom|mum|dad|aunt|uncle|roommate|flatmate|teacher))(?:'s)? (?:\w+ )?(?:is|are"
    r"|wants?"
    r"|will|plans?|loves?|likes?|going|has|have|booked|goes)\b"
    r"|^(?!.*(?:我们|咱们|一起|帮我|给我|陪|我[也要想去带]|送|[带帮和跟约请](?:同事|朋友|老板|邻居|室友"
    r"|[我他她])))(?:听说)?.{0,4}(?:[他她]们?|同事|朋友|老板|邻居|室友|我[妈爸姐哥弟妹]+|表[姐妹哥弟])"
    r".{0,6}(?:要|想|打算|准备|明天|周末|下周|去|报名)",
    _I,
)
_REFUSED: Final = re.compile(
    r"\b(?:not|n't|never) (?:\w+ ){0,2}(?:going|planning|want|book|order)\b|\bcancel(?:led|ed)?\b"
    r"|\binstead of (?:going|eating)\b"
    r"|取消|不(?:想|打算|准备)?去了|不去|没打算|不用.{0,3}(?:订|去|买)",
    _I,
)
_STANDING: Final = re.compile(
    r"\b(?:always|never|whenever|every time|each time|from now on|in (?:the )?future|by default)\b"
    r"|每次|以后都|以后请|总是|一律|一直都|永远|今后",
    _I,
)
"""How the user wants things done at all times is no plan."""
_QUOTED: Final = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|(?<!\w)'[^']{4,}'(?!\w)|```.*?```", re.DOTALL)
# Words of outdoors that are used of money and effort.
_FIGURES: Final = re.compile(
    r"\b(?:prices?|rates?|costs?|taxes|shares?) (?:\w+ ){0,2}hik\w+|\bhik\w+ (?:prices?|rates?|up)\b"
    r"|\bswim(?:ming)? (?:against"
    r"|in (?:work|money|debt|emails))|\btake a hike\b|\beat(?:s|ing)? (?:up|into|away)\b|\bfood for thought\b"
    r"|\bclimb(?:ing)? (?:the (?:career|corporate)|ranks)"
    r"|\bdriv(?:e|es|ing) (?:me|us|you|him|her) (?:crazy|mad|nuts)|\bflying colou?rs\b|\bfly by\b|\btime flies\b"
    r"|\braise the bar\b"
    r"|\b(?:menu|status|search|side|progress|chocolate|gym|task|tool|snack|cereal|protein|granola|scroll) ?bars?\b"
    r"|\bbar (?:chart"
    r"|graph|exam)s?\b|\bchristmas trees?\b|\bhot ?dogs?\b|\bdeep dive\b|\bdive into (?:the )?(?:code|data|topic)"
    r"|\b(?:toy|model|plush|stuffed|inflatable|lego|picture of an?|painting of an?) (?:\w+ )?\w+"
    r"|[\u4e00-\u9fff]{1,4}(?:模型|玩具|贴纸|图案|照片|手办|玩偶|主题曲|表情包)|咖啡[机色]|爬山一样|像爬山|逆水行舟|开夜车|浪里",
    _I,
)


def planned(message: str) -> str:
    """Return what of a message may announce a plan of the user's own; "" when it announces none.

    Plans, wishes and requests about what is to come count; tales of the past, other people's plans, work on texts and
    things that are called off do not. What is quoted, and figures of speech, are left out.
    """
    text = _FIGURES.sub(" ", _QUOTED.sub(" ", message[:READ_CHARACTERS].replace("’", "'")))
    if _STANDING.search(text) or _TASK_ON_TEXT.search(text) or _REFUSED.search(text) or _OF_OTHERS.search(text):
        return ""
    if (_PAST.search(text) or _PAST_ZH.search(text)) and not _COMING.search(text):
        return ""
    return text if _PLANS.search(text) or _PLANS_ZH.search(text) else ""

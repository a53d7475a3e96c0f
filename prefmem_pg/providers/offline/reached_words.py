"""The words by which a user tells that a goal has been reached, in English and Chinese."""

import re
from typing import Final

_I: Final = re.IGNORECASE

NOT: Final = re.compile(
    r"\b(?:not|never|almost|nearly|halfway|half of|once|when|if|unless|until|till|before|after|while|should|could"
    r"|would|can|will|want|wanted|wish|hope|hoping|need|going to|gonna|about to|plan|planning|trying|tried|try|yet"
    r"|part(?:s|ly)?"
    r"|chapters?|lessons?|first|second|third|week \w+|module|units?|draft|some|a bit|little|tomorrow|next|soon|again"
    r"|failed|dream(?:ed|t)?|training|preparing|deposit|\w*n't|[\w']+'ll)\b|^\W*(?:he|she|they|his|her|their)\b"
    r"|[?？]|没|不|未|差点|快要?.{0,6}了|就[要快]|即将|等.{0,10}(?:[了后]|再)|报名|报上名|开题|[预订]订|预约|申请|以后|之后"
    r"|如果|要是|假如|一旦|[想要打算计划准备希望]去?还?再|一半|部分|一点|一些|第[一二三四五六七八九十\d]+|明[天年]|下[周个]"
    r"|后天|差不多|似乎|好像|梦|才能|可以|应该|打算|计划|希望|还[要得有]|[他她]",
    _I,
)
"""A step on the way, an end to come, or another's."""
PEOPLE: Final = re.compile(
    r"\bmy (?:\w+ )?(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kid|mother|father|mom|mum|dad|parents"
    r"|sister|brother|friend|colleague|boss|roommate|cousin|uncle|aunt|neighbou?r)s? (?:\w+ )?(?!and I\b)\w+"
    r"|我?(?:的|家)?(?:老婆|老公|妻子|丈夫|男朋友|女朋友|儿子|女儿|妈妈?|爸爸?|姐姐?|哥哥?|弟弟?|妹妹?|朋友(?!圈)|同事"
    r"|老板|室友|邻居|同学|表[哥弟姐妹])(?!和我|跟我)",
    _I,
)
ACTED: Final = re.compile(
    r"(?:(?<![\w'])(?:I|we|and I)(?:'ve| have)?|^\W*(?:just|finally)?|\b(?:and|managed to|got to|succeeded in))"
    r"(?: (?:\w+ly|just|already|also|both|at last|have|even|did))*\W*\b(?:got (?=married))?(?P<verb>[a-z]+)",
    _I,
)
LEARNED: Final = re.compile(r"\b(?:learn(?:ed|t)|know) (?:how )?to (?P<verb>[a-z]+)", _I)
COMPLETED: Final = re.compile(
    r"\b(?:finished|completed|reached|achieved|accomplished|hit|nailed|pulled off|wrapped up|passed|aced|cleared"
    r"|crossed off|succeeded|ticked off|smashed|earned|won|landed|handed in|submitted|defended|graduated|paid off)\b"
    r"|\b(?:is|are|was|were|it's|that's|got|has been|have been)(?: (?:all|now|finally|officially|at last))*"
    r" (?:done|over|finished|complete|completed|behind (?:me|us)|accomplished|achieved|reached|published|paid off|born"
    r"|built|ours|mine)\b|\bdone with\b|\bmade it\b",
    _I,
)
_WENT: Final = (
    r"(?:is|was|has been|went|turned out) (?:\w+ ){{0,2}}(?:over|done|great|amazing|wonderful|fantastic|lovely|awesome"
    r"|perfect|unforgettable|well|brilliant|fun|behind (?:me|us)|a (?:blast|success))"
)
_TRIP: Final = r"(?:trip|holiday|vacation|visit|tour|journey|getaway|weekend)"
BEEN_THERE: Final = (
    r"\b(?:back|returned|home|came back|got back|flew back)(?: \w+)? from (?:\w+ ){{0,3}}{place}"
    r"|\b(?:I|we)(?:'ve| have)?(?: \w+ly| just| both)* (?:went|travel(?:l)?ed|visited|been|made it)"
    r" (?:(?:over|all the way) )?(?:to )?{place}"
    rf"|\b{{place}}\b(?: \w+)? {_TRIP}?\s?{_WENT}|\b{_TRIP} to {{place}} {_WENT}"
    r"|从{place}(?:玩|旅游|旅行|出差)?[\u4e00-\u9fff]{{0,4}}回(?:来|到|家|国)"
    r"|{place}(?:之行|之旅|旅行|旅游|旅程|行程|那趟|这趟|的?假期)?[，, ]?"
    r"(?:已经?|都|终于|昨天|上周|圆满|顺利)*(?:结束|回来|归来|玩完|逛完|游完|去过|去完)了?"
    r"|(?:去|到)(?:过|完|了|了一?趟){place}|{place}(?:之行|之旅|旅行|旅游)?.{{0,6}}玩得"
    r"|(?:刚|已经|终于|上周|上个?月|前几天|昨天)去{place}[\u4e00-\u9fff]{{0,4}}了"
)
"""To be formatted with the ``place``, escaped: that the user has been there."""
DONE_ZH: Final = re.compile(
    r"(?P<verb>[\u4e00-\u9fff])(?:完|成|过|到|掉|下来?|会|好|上|满|出来?|够|清|回)"
    r"[\u4e00-\u9fffA-Za-z0-9]{0,10}?(?:了|啦)"
    r"|(?:终于|总算|已经|成功)(?:地|把)?.{0,8}?(?P<verb2>[\u4e00-\u9fff])了"
)
COMPLETED_ZH: Final = re.compile(
    r"完成|实现|达成|达到|达标|圆满|搞定|成功|大功告成|结束了|通过|考过|考上|拿到|拿下|录取|毕业|出版|还清|上岸|到手"
)


def _pairs(listed: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in listed.split())


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


LEMMAS: Final = _pairs(
    "went:go visited:go visit:go travel:go traveled:go travelled:go found:get got:get landed:get gotten:get"
    " received:get bought:buy ran:run wrote:write read:read made:make built:build lost:lose quit:quit stopped:quit"
    " gave:quit swam:swim rode:ride climbed:climb won:win sold:sell saw:see met:meet began:start started:start"
    " left:leave taught:teach saved:save became:become drove:drive sang:sing grew:grow did:do flew:fly hiked:hike"
    " married:marry passed:pass moved:move paid:pay beat:beat"
)
RESULTS: Final = _pairs("find:get land:get adopt:get save:buy own:buy")
"""What may end a goal of another verb: "find a job" by having got one."""
ALONE: Final = frozenset({"graduate", "retire", "marry"})
"""Verbs that need no thing."""
ON_THE_WAY: Final = _set(
    "train prepare study practise practice work plan book look hope try think learn want like love need have save"
    " be do go"
)
"""Verbs whose past is no end of the goal that they state."""
OF_MAKING: Final = _set("write publish make build start open launch design create read")
"""Goals whose thing, with an article, is any thing of its sort: "finished a book" writes none."""
AWAY: Final = re.compile(r"\b(?:for|about|by|with|at|from|like|near|because|and|so|but)\b|[,;:.]")
"""What follows is not what the verb was done to."""
UNSAID: Final = _set(
    "i we you a an the to for of in on at and or with my our your me us it this that one is are was be been have"
    " has had want wants wanted need like would could can please goal goals plan plans planning hope hoping dream"
    " dreams wish trying try aim aiming going go get take make do by next this year month week summer winter"
    " spring autumn fall end so just really finally ve ll m d s am im from into about some more day days someday"
    " yesterday today tonight morning evening monday tuesday wednesday thursday friday saturday sunday last over"
    " which who she he there here now january february march april may june july august september october november"
    " december training train prepare preparing study studying save saving up working looking out as new first own"
    " big long travel visit trip whole full time two three four five six seven eight nine ten ago"
)
UNSAID_ZH: Final = re.compile(
    r"我们?|咱们?|自己|今年|明年|以后|将来|下个?月|想要?|打算|计划|准备|希望|目标|梦想|愿望|是|的|了|去|能够?|一定"
    r"|一[次个趟本场]|正在|在|最近|开始|一直|学[会习]?|备考|考试|参加|完成|旅[游行]|玩|今天|年底前?|之前|争取|要|把|也|还"
    r"|终于|已经|成功"
)
QUANTITY: Final = re.compile(r"(?<![\d:/-])(\d+(?:[.,]\d+)?)(?![\d:/-])(?!\s*(?:年|月|号|日|st|nd|rd|th))")

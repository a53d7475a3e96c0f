"""Tells what is only supposed from what is so ("suppose I hated flying", "假如我不吃海鲜")."""

import re
from typing import Final

_IS_ZH: Final = (
    r"(?:(?:就|也|都|又|很|最|特别|真|天生|其实|从小)?(?:是(?!因为)|喜欢|讨厌|爱|怕|受不了|习惯|偏好|更?愿意"
    r"|对\w{1,6}过敏|过敏|养了?|只|从来|从不|不爱"
    r"|不喜欢|不(?:吃|喝|会|能|用|想)(?!\w{0,4}就)|没(?:吃|喝|用|去)过|每天|天天|戒|有(?:一?[个只条座套]|钱"
    r"|\w{1,6}(?:症|病|洁癖))|得了|能|会飞"
    r"|当|生在))"
)
# "If I have a choice …", "如果菜里有椰子" are of what happens; "if I were", "要是我怕高" suppose what is not said.
_HYPOTHETICAL: Final = re.compile(
    r"(?<!\bas )\bif (?:I|we) (?:were|was|had (?!to\b)|could|won|ever|lived|did|weren't|wasn't|didn't|hadn't|loved"
    r"|liked|hated"
    r"|preferred"
    r"|wanted|needed|disliked|enjoyed|gave up|went|became|moved|got|owned|ate|drank)\b"
    r"|\b(?:I|we) wish\b|\b(?:suppos(?:e|ing)|imagin(?:e|ing)|pretend|assum(?:e|ing)|presume"
    r"|(?<![\w'] )say)(?: for (?:a moment"
    r"|now|the test))?"
    r"(?: that| for)?,? (?:I(?!'d| would)\b|I'm\b|we\b|you\b|a (?:user|person|customer|guest)\b|my\b|someone)"
    r"|\bhypothetical(?:ly)?\b"
    r"|\blet(?:'s| us) (?:say|assume|suppose|imagine|pretend|take)\b|\bfor the sake of (?:argument|the example"
    r"|example|the test)\b"
    r"|\bin (?:another|a different|a parallel|an alternate|an ideal|a perfect) (?:life|world|universe|reality"
    r"|timeline)\b|\bin a world\b|^\W*(?:perhaps|maybe)\b.{0,20}\bI(?:'ll|'d| will| would| might)\b"
    r"|\bargument's sake\b|^\W*(?:were|had) I\b|\bwhat if\b|\b(?:money|time"
    r"|cost) (?:were|was) no\b"
    r"|\bwould have (?:\w+ed|been|gone|liked|loved|preferred)\b|\b(?:consider|picture|think of|treat) me (?:as "
    r"|like )?an?\b"
    r"|\b(?:picture|consider) me as\b|\b(?:as an example|for example|for instance),? (?:take|say|imagine|a user"
    r"|someone|if)\b"
    r"|\btake (?:me|someone like me) (?:as|who)\b|\bI could be (?:an?|the|one)\b|\b(?:dream|theoretical) (?:world"
    r"|scenario)\b|\btheoretically\b"
    r"|如果我是你|万一我|(?:^|，|,)(?:设|假设|设想|想象|假想|假装|假定)一?下?(?:你|我)(?:是|为|们)|^(?:现在|从现在开始"
    r"|接下来)?[，,]?你(?:现在|来)?(?:是|扮演|演|当|饰演)一?[个位名只]"
    rf"|(?:如果|要是|若是?|倘若|假如|假使|假设|假定|假若|万一|就算|即使|即便|哪怕|譬如|比如说?|比方说?|打个比方"
    rf"|举个例子|设想一下?|想象一?下?|试想|姑且|权当|就当|当|假装"
    rf"|换作|换成)[，,：:]?(?:说|认为|算|作|假如|假设|如果)?(?:有一天)?我(?:们)?(?:以后|现在|将来|明天|其实)?{_IS_ZH}"
    rf"|我(?:要是|如果|若是?|假如|倘若)(?:个)?{_IS_ZH}|我要是个|(?:如果|要是)让我(?:选|来)|(?:要|假如"
    rf"|如果)我是\w{{1,8}}(?:就好|的人)"
    r"|(?:如果|要是|假如|倘若|若是|假设|万一)(?:我(?:能|有\w{1,6}就)|我?(?:有钱|中了|变成|发财)|我(?:妈|爸))"
    r"|(?:要是|假如|假设|倘若)(?:有个|哪天|世上|世界)?[^，,]{2,20}[，,](?:我|咱)?(?:就(?!不)|会|大概|肯定|可能|能|也"
    r"|天天|次次|倒|什么都|那得)"
    r"|(?:假如|假使|假设|假定|倘若|假若|设想)[^。！？]*(?:我|本人)|(?:真希望|多想)我|(?:我|住在\w{1,6})大概会|也许我会"
    r"|我(?:也许|说不定)会|我会(?:不会)?(?:喜欢|讨厌)\w{0,6}[吗？?]"
    r"|就好了|要不是|想象一下|本来(?:想|打算|可以)",
    re.IGNORECASE,
)


def is_hypothetical(text: str) -> bool:
    """Say whether a sentence supposes something of the user that nobody says is so."""
    return bool(_HYPOTHETICAL.search(text))

"""Tells praise that is meant the other way round ("I just love being woken by drills", "我可太喜欢加班了呢")."""

import re
from typing import Final

_SARCASM: Final = re.compile(
    r"(?:^|\s)/s(?:\s|$)|\byeah,? right\b|\bas if\b(?! (?:it|they|you|I(?:'m| am| were| knew| had)))|\bsaid (?:no one"
    r"|nobody)\b"
    r"|\bnothing I (?:love|like|enjoy) more than (?:an? |the )?(?:being|getting|having to|waiting|another)\b"
    r"|\b(?:second|third|fourth) favou?rite\b.*\bafter\b|^oh brilliant\b"
    r"|\boh (?:great|joy|sure|yeah|wonderful|fantastic|lovely|perfect|good|how)\b|\bnot\s*!+\s*$|^\W*(?:wow|ah yes"
    r"|oh),? (?:I (?:really|absolutely|just|do|so)|how)\b"
    r"|\bI (?:just |simply |absolutely |really |so |do |totally )+(?:love|adore|enjoy) (?:waiting|being (?:lied"
    r"|yelled|shouted|interrupted|late|sick|broke|blamed|lectured|talked|ignored"
    r"|stuck|woken|kept|put|told|charged)"
    r"|getting (?:stuck|ignored|spam\w*|charged)|sitting in traffic|paying|doing everyone)\b|🙄|🙃\W*$"
    r"|\b(?:don't you|who doesn't) (?:just )?love\b|\bhow I (?:love|adore|enjoy)\b|\bI do so (?:love|enjoy)\b"
    r"|\bI so (?:love|enjoy) (?:it )?when\b"
    r"|\bbecause I (?:totally|really|obviously|just) (?:love|enjoy)\b|\blove that for me\b|^\W*(?:thrilled|delighted"
    r"|overjoyed) to\b"
    r"|\b(?:what|such) a (?:joy|treat|delight|pleasure)\b(?!.*\bfor me\b)|\bexactly (?:how|what) I (?:like|love"
    r"|needed|wanted)\b|\bjust what I (?:always )?(?:wanted|needed)\b"
    r"|^\W*(?:great|perfect|fantastic|lovely|wonderful|brilliant|super), (?:another|more|they|the \w+ (?:is|are|has"
    r"|have) (?:broken|down|gone|cancel\w*)|surprise)\b"
    r"|\bfavou?rite (?:\w+ )?(?:thing )?after\b|第[二三四]喜欢的|呵呵|^\W*呵[，,]|才怪|我可真(?:是)?(?:太)?(?:喜欢"
    r"|爱|感兴趣)|我可太(?:喜欢|爱|享受|乐意|开心|期待|幸福)"
    r"|(?:可|真)是?(?:太)?(?:喜欢|爱)(?:死|惨)?了呢|(?:喜欢|爱|享受|上瘾|离不开|不厌|最爱)\w{0,14}呢(?=\W*$|[，,])"
    r"|爱了爱了|可不是嘛"
    r"|(?:谁(?:会)?不)(?:喜欢|爱)|真是?谢谢了?(?=\W*$)|真的谢谢|感谢(?:老板|领导|公司)|真(?:会挑|贴心|有品位|走运"
    r"|惊喜)|说反话"
    r"|^\W*(?:太好[了啦咯]呢?|真棒|好极了|真不错|太棒[了啦咯]|棒极了|好耶|真行|真好|完美|绝了)[，,!！]\s?\w{0,8}又"
    r"|^\W*(?:太好了|真棒|好极了|真不错|太棒了|哇|当然|是啊|真好)[，,]\s?(?:又|我(?:就|最|真|超)?(?:喜欢|爱|享受))"
    r"|我(?:就|最)(?:喜欢|爱)\w{0,8}(?:又|再)|又(?:停[电水]|断网|堵车|加班|晚点|延误|漏水|掉线|死机|宕机|崩了"
    r"|改需求)\w{0,3}[，,。！!]\s?(?:可?真|太)(?:是)?(?:棒|好|妙|不错|幸福|开心)",
    re.IGNORECASE,
)
# What nobody likes: a liking of it is a joke.
_BAD: Final = (
    r"(?:crash(?:es|ed|ing)?|bugs?|errors?|exceptions?|null|undefined|NaN|segfaults?|timeouts?|time zones"
    r"|merge conflicts?|printers?"
    r"|spam|queue(?:ing|s)?|queuing|(?:waiting|standing) in line|traffic jams?|delays?|delayed|cancel(?:l?ed|s)"
    r"|fails?|fail(?:ed|ing)|dies|drops? out|goes down|runs? out of|restarts? itself|(?:logs?|kicks?|locks?) me out"
    r"|loses? my|deletes? my|ignores? me|(?:fire|car) alarms?|mid-(?:call|meeting|sentence|game)"
    r"|breaks down|broke|freezes|frozen|hangs|disappears?|stops working|on hold|overtime|paperwork|captchas?"
    r"|cookie banners|tax(?:es| returns?"
    r"| audits?)|root canals?|hangovers?|mondays|stub(?:bing)? my|wakes? me|woken (?:up )?by|mosquito(?:es)?|drills?"
    r"|leaf ?blowers?|pop-?ups?"
    r"|lost luggage|wet socks|flat tyres?|flat tires?|(?:surprise|hidden) (?:fees?|charges?)|terms and conditions"
    r"|pages of terms|paying twice"
    r"|twice for the same|everyone else's (?:work|job)|password (?:reset|form)|build breaks|chew(?:s|ing)? (?:into"
    r"|with)|on my shirt"
    r"|next to the toilet|(?:three|two|four|five|ten) times(?: over)?\W*$|(?:screws?|parts) missing"
    r"|to my own (?:manager|boss)|\d+-page (?:forms?|contracts?)|spoilers?)"
)
_BAD_ZH: Final = (
    r"(?:死机|崩溃|崩了|报错|空指针|宕机|蓝屏|卡死|堵车|排长?队|排\w{1,3}小时队|加班|改需求|晚点|取消|掉线|断网|背锅"
    r"|停[电水]|停运|漏水|超时|蚊子|电钻|(?<!的)装修(?=\W*$|噪音|队|的声音)"
    r"|弹窗|罚款|付两次|丢行李|洒在|替别人干活|吧唧嘴|爆胎|条款|重置密码|少\w{1,2}颗螺丝|填\w遍|凌晨\w点的(?:电话"
    r"|消息)|出汗|厕所旁|晾在|吵醒|收费|开会(?=\W*$))"
)
_LOVES_BAD: Final = re.compile(
    rf"\b(?:I|we)(?:'m| am)? (?:\w+ ){{0,2}}(?:love|adore|enjoy|like|prefer|live for|obsessed with|such a fan of"
    rf"|a fan of)\b(?: it when| how| when)?[^.]{{0,50}}\b{_BAD}(?!\w)"
    rf"|^\W*(?:just |so |really )*(?:love|adore|enjoy) (?:it )?(?:when|how)\b[^.]{{0,50}}\b{_BAD}(?!\w)"
    rf"|\b(?:favou?rite|happier|happiest|best part|can't get enough|can't live without)\b[^.]{{0,50}}\b{_BAD}(?!\w)"
    rf"|\b{_BAD}\b[^.]{{0,20}}, (?:my (?:\w+ )?(?:favou?rite|happy place)|I love)\b"
    r"|^\W*(?:traffic|rain|monday|a queue|another queue|a flat tyre) again\b|^\W*more (?:meetings|paperwork|forms)\b"
    rf"|(?:可(?:真|太|真是)?(?:太)?(?:喜欢|爱|享受)|(?<![不没])(?:最|太|真|好|就|超|特别|天生就)?(?:喜欢|爱|享受|离不开"
    rf"|幸福的\w{{0,3}}|开心的?))\W?\w{{0,14}}{_BAD_ZH}|又堵车",
    re.IGNORECASE,
)
_TAKES_BACK: Final = re.compile(
    r"(?:said no \w+|not!|/s|just kidding|kidding|jk|only joking|joking|love that for me|开玩笑|逗你|骗你|才怪|说反话)",
    re.IGNORECASE,
)


_GOES_ON: Final = re.compile(
    r"\W*(?:(?:just )?my (?:absolute |all-time )?favou?rite|(?:I )?(?:just |really |so )*love|can't get enough"
    r"|best \w+ ever|just what I"
    r"|how I (?:love|enjoy)|exactly what)\b",
    re.IGNORECASE,
)


def goes_on(text: str) -> bool:
    """Say whether a sentence goes on with the joke of the one before ("Great, a queue. My favourite thing.")."""
    return bool(_GOES_ON.match(text))


def is_sarcastic(text: str) -> bool:
    """Say whether the words of a sentence show that it means the contrary."""
    return bool(_SARCASM.search(text))


def likes_what_nobody_likes(text: str) -> bool:
    """Say whether a sentence claims to like a nuisance, which is a joke ("I love it when my laptop crashes")."""
    return bool(_LOVES_BAD.search(text))


def takes_back(text: str) -> bool:
    """Say whether a sentence makes a joke of the one before it ("I love undefined. Said no developer ever.")."""
    return bool(_TAKES_BACK.match(text))

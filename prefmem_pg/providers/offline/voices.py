"""Finds where the user lends a voice to somebody else: role play, invented persons, and words quoted after a colon."""

import re
from typing import Final

# From here on the message is a part that is played; nothing in it is told of the user.
_PLAYED: Final = re.compile(
    r"(?:^|(?<=[.!?:;\n]))\W{0,4}(?:(?:ok(?:ay)?|so|now|hi|please|for (?:this|the|our) (?:game|scene|sketch"
    r"|role[- ]?play|scenario)"
    r"|in (?:this|the|our|my) (?:game|scene|sketch|role[- ]?play|scenario|play|dialogue|improv))[,:]? )*"
    r"(?:let's (?:role[- ]?play|improvis\w+|do (?:an? )?(?:improv|role[- ]?play|scene)|play pretend)"
    r"|role[- ]?play ?[:,]|role:"
    r"|(?:you are|you're|be|act as|play|pretend (?:to be|you're|you are|that you)|imagine you(?:'re| are))"
    r"(?: now)? (?:an? (?!bit|little|lot|great|star|genius|life|legend|help\w*|assistant|good|amazing)\w+|captain"
    r"|the (?!best|same|one)\w+|my (?!best|favou?rite|hero)\w+)\b"
    r"|(?:today |now )?(?:I'm|I am|I'll be|I will be|I) (?:playing|play|act(?:ing)?(?: as)?"
    r"|pretend(?:ing)?)(?: to be)? (?:an?|the|your|captain|queen|king)\b"
    r"|(?:I'm|I am) (?:an? )?(?:vampire|knight|ghost|pirate|wizard|witch|elf|orc|robot|king|queen|villain|butler"
    r"|dragon)\b"
    r"|you (?:play|act|be) the (?!judge|expert|boss|guide)\w+[,.;] (?:and )?I(?:'m| am)\b|as the (?:ghost"
    r"|king|queen|villain|detective|narrator|hero\w*)\b"
    r"|(?:in|from|for) (?:my|the|our) (?:own |new |short |first )*(?:novel|story|stories|screenplay|script|sketch"
    r"|fan ?fic\w*|comic"
    r"|play|musical|sitcom)\b"
    r"|my (?:screenplay|novel|short story|story|script|poem) (?:opens|begins|starts|ends)\b|chapter \d+\b"
    r"|once upon a time\b|(?:picture|imagine) this\W+(?:I\b|I'm|you|we)\b|thought experiment\b"
    r"|(?:pretend|imagine|suppose) for (?:an?|one|just a) (?:sec\w*|moment|minute|bit)\b"
    r"|(?:from now on,? )?in (?:this|our) (?:game|scene|role[- ]?play|story),? (?:I'?m|I am) (?:an?|the)\b"
    r"|(?:imagine|write|here is|here's) (?:me )?an? (?:monologue|dialogue|scene)\b|stay in character\b"
    r"|we(?:'re| are) (?:writing|making) an? (?:sitcom|play|sketch|story|musical|comic)\b)"
    r"|(?:^|(?<=[。！？；\n]))\W{0,4}(?:好的?[，,]|那|现在)*(?:(?:来|我们|咱们|一起)*(?:玩|来)(?:个"
    r"|一[个段场下])?(?:角色扮演|情景剧|过家家|即兴)"
    r"(?!游戏|的)|角色扮演[，,：:]|来即兴|(?:你来?|请你?|现在)?(?:扮演|假扮|扮成|饰演)(?!游戏)\w|你(?:来)?(?:演|当"
    r"|扮)\w{1,8}[，,]"
    r"|(?:今天|现在|这次)?我(?:来)?(?:演|扮|扮演|饰演)(?:一个|个)?\w|(?:小品|剧本|剧|戏|故事|游戏|小说|片子"
    r"|设定)里[，,]?我(?!最|特别|很|更|总|一般|每次|喜欢|讨厌|不)"
    r"|我(?:的)?(?:小说|剧本|故事|漫画|同人文?)里|设定[：:]|第[一二三四五六七八九十\d]+[章幕场回]\b"
    r"|第[一二三四五六七八九十\d]+[章幕场回](?=[：:，,\s]|我)"
    r"|(?:举|打)个\w{0,2}极端\w{0,2}(?:例子?|比方)|(?:想象|设想|脑补)(?:一下)?(?:这个画面|这样的场景)?[：:]"
    r"|(?:从?现在|而家|依家|今晚)(?:起|开始)?我[係系是]\w{0,8}(?:电影|游戏|剧|戏|小说|动画)\w{0,4}(?:里|入面|中)"
    r"|从前有|很久以前[，,]?有|我(?:是|就是)(?:一?[只个名位])?(?:吸血鬼|骑士|鬼魂?|海盗|巫师|女巫|精灵|国王|女王"
    r"|反派|管家|机器人|龙)"
    r"|(?:写|来)(?:一)?[段个篇出](?:独白|对白|戏|剧本|小品)|以[^，,。]{1,12}的?(?:口吻|口气|视角|身份)(?!回|跟|和"
    r"|对)|模拟一下[：:，,])",
    re.IGNORECASE,
)
# Whose words follow the colon, up to the end of the paragraph. "I said: …", "my rule: …", "Food: …" are the user's own.
_SAYS: Final = r"(?:says?|said|wrote|writes|goes|went|reads?|put it|answered|replied|texted|told me|was|is)"
_TEXT: Final = (
    r"(?:song|poet|poem|lyrics?|letter|sign|label|tag|transcript|message|e-?mail|text|post|tweet|comment|review|bio"
    r"|caption"
    r"|slogan|quote|line|character|narrator|article|book|manual|recipe|leaflet|postcard|advice|tip|answer|plan"
    r"|suggestion|list)"
)
_ATTRIBUTED: Final = re.compile(
    rf"(?:\b(?:(?i:he|she|they|who|someone|somebody)|[A-Z][a-z]+) {_SAYS}|\b(?:his|her|their|your"
    rf"|\w+'s) (?:\w+ )?{_TEXT}(?: {_SAYS})?"
    rf"|\b(?i:the|this|that|an?) (?:\w+ ){{0,2}}{_TEXT}(?: \w+){{0,3}} {_SAYS}|\b[Aa]s the \w+ (?:puts? it|says?|said)"
    rf"|\b(?:I got|from) (?:the|a|this) {_TEXT}|\b(?:e-?mail|message|letter|text) I got|\bfrom the review"
    rf"|\bhere(?:'s| is) (?:the|a) {_TEXT}"
    r"|\b(?i:forwarded(?: message)?|transcript|quote|excerpt|lyrics|fwd)|\b(?i:correct|fix|paraphrase|punctuate"
    r"|translate|rephrase)\b[^:\n]{0,30}"
    r")[:：](?!\d|//) ?(?=\S{2})[^\n]*",
)
_SAID_ZH: Final = r"(?:是|写着|写道|写|说|发的|唱|唱的是|回复|留言|讲|念)"
_ATTRIBUTED_ZH: Final = re.compile(
    r"(?:^|(?<=[。！？；\n，,]))[^。！？\n：:我，,]{0,10}?(?:(?:歌词|台词|评论区?|弹幕|朋友圈|简介|群里|留言|公告"
    r"|标语|字幕|明信片|会议记录|转发"
    rf"|原文|摘录|客服|例句|广告语|(?:你|您)\w{{0,3}}(?:的|列的|给的)(?:答案|提示|话|建议|清单"
    rf"|回答)了?)[^。！？\n：:我]{{0,8}}?{_SAID_ZH}?"
    rf"|(?:歌里?|小说|书上?|诗里?|信里?|墙上?|邮件|通知|短信|海报|同事|老师|老板|[他她](?:们)?|你|[小老阿]\w"
    rf"|\w[哥姐总])[^。！？\n：:我]{{0,8}}?{_SAID_ZH}"
    r"|改病句|造句|翻译|润色|改得\w{1,4}|哪句\w{0,4})[：:](?!\d|//)[^\n]*|(?:唱|写|念)的是[^\n]*",
)


MAX_LOOKED_AT: Final = 40_000
"""Characters in which a voice is looked for, as many as the extractor reads: a longer text is a paste."""


def lent_places(text: str) -> list[tuple[int, int]]:
    """Return the places of the text that somebody else says or that are played, in order."""
    looked_at = text[:MAX_LOOKED_AT]
    played = _PLAYED.search(looked_at)
    end = played.start() if played else len(looked_at)
    leads_in = any(sign in looked_at for sign in (":", "：", "的是"))  # one of them stands before every quoted word
    patterns = (_ATTRIBUTED, _ATTRIBUTED_ZH) if leads_in else ()
    places = [m.span() for pattern in patterns for m in pattern.finditer(looked_at, 0, end)]
    return [*places, (end, len(text))] if played else places

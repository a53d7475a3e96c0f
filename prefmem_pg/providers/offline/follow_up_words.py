"""The words by which a short follow-up leans on what was said before, in English and Chinese."""

import re
from typing import Final

_I: Final = re.IGNORECASE
NUMBERS: Final = {
    **dict(zip(("first", "second", "third", "fourth", "fifth", "sixth"), range(6), strict=True)),
    **dict(zip(("1st", "2nd", "3rd", "4th", "5th", "6th"), range(6), strict=True)),
    **dict(zip("一二三四五六七八九", range(9), strict=True)),
    **dict(zip("123456789", range(9), strict=True)),
    "former": 0,
    "latter": -1,
    "last": -1,
    "前": 0,
    "后": -1,
    "最后": -1,
    "两": 1,
}
_ORDINAL_ENDS: Final = r"\W*$|\W+(?:then|please|instead|is|was|sounds|looks|again|and|or|near|for)\b"
# "First, let me …" counts no thing; "the first one, …" does.
ORDINAL: Final = re.compile(
    rf"\b(?:the |number |option |no\. ?)?(?P<en>first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|6th|former"
    rf"|latter|last)"
    rf"(?: (?:one|option|place|choice|suggestion|idea|restaurant|hotel|book|film|movie|item|link|recipe|route"
    rf"|plan)(?=\s*[.,;:!?]|{_ORDINAL_ENDS})|(?={_ORDINAL_ENDS}))|\b(?:number|option"
    r"|no\.) ?(?P<digit>[1-9])\b"
    r"|第(?P<zh>[一二两三四五六七八九1-9])[个家款种部本间条项道首场套位件样趟班]?|(?P<both>[前后])者"
    r"|(?P<end>最后)那?(?:一?[个家款种部本间条项道首场套])",
    _I,
)
NOUN: Final = re.compile(
    # "a function that reverses" points at nothing: "that" stands at the beginning, or behind a small word.
    r"(?:^\W*that|\b(?:is|was|are|of|about|in|at|to|for|does|do|did|with|from|near|like|and|or|on) that"
    r"|\b(?:this|those|these|the same|the other)) (?P<en>(?!one|ones|is|was|way|time|case|point|kind|sort|much"
    r"|many|morning"
    r"|evening|week|month|year|weekend|afternoon)[a-z]{3,20})\b"
    r"|[那这](?:[个家款种部本间条首位场套些座趟班道件])(?P<zh>[\u4e00-\u9fff]{1,4}?)?(?=怎么|好|贵|远|多|在|有|是|能"
    r"|可|适|开|要|几|吗|呢|的|什|如|值|评|[？?，。!！]|$)",
    _I,
)
PRONOUN: Final = re.compile(
    # "that" and "there" only where they point: not "a function that …", "is there a …".
    r"\b(?:it|its|it's|them|they|those|these|one|ones|he|she|him|her|his|their|same)\b"
    r"|(?<!is )(?<!are )(?<!was )\bthere\b(?!'s| is| are| was)"
    r"|^\W*(?:that|this)\b|\b(?:that|this)(?=\W*$)|\b(?:is|was|of|about|for|with|like|do|does) (?:that|this)\b"
    r"|[那这](?:个|些|家|里|儿|边|款|种|本|部|样|次)|它们?|[他她]们?|那里|那边|刚才|刚刚|上面|之前(?:说|提|推荐)|前面"
    r"|同样",
    _I,
)
POINTS: Final = re.compile(r"^\W*(?:[那这](?:里|儿|边|个|家|款)|它们?)(?![\u4e00-\u9fff]{0,2}(?:以后|之后|时候))")
"""Begins with what was named before: the words behind it do not say what that is."""
OPENS: Final = re.compile(
    r"^\W*(?:and|or|but|what about|how about|what if|also|then|so)\b"
    r"|^\W*(?:那么?(?![个家款种部本间条首位场套些里儿边样])|还有|另外|或者|要是|如果|再)",
    _I,
)
BARE: Final = re.compile(
    r"^\W*(?:why(?: not)?|how(?: so| much| long| far| come| often)?|when|where|which(?: one)?|who|really|since when"
    r"|more|others?"
    r"|any(?:thing)? (?:else|others?|more)|something else|what else|else|like what|such as|another(?: one)?|the same"
    r"|cheaper(?: one)?s?"
    r"|(?:is|are|was) (?:it|they|that) \w+(?: \w+)?|for example|and then|what then|(?:tell me|say) more|go on"
    r"|details?)\W*$"
    r"|^\W*(?:为什么|为啥|怎么样|怎么去|怎么走|怎么做|多少钱?|多久|多远|在哪儿?里?|几点|什么时候|哪[个家一]?个?|贵吗"
    r"|贵不贵|好吃吗|远吗|好用吗|好看吗|便宜吗"
    r"|有便宜点的吗|具体呢?|比如说?呢?|举个例子|还有吗|还有别的吗|还有呢|换一个|再来一个|别的呢?|其他的?呢?|然后呢?"
    r"|说说看|详细说说|继续|评价如何|怎么订|有折扣吗)\W*$"
    r"|^\W*(?:它|[那这]个?|[前后]者)?呢[？?]?\W*$",
    _I,
)
# What these words name can only be known from before.
VAGUE: Final = frozenset({"one", "place", "option", "thing", "idea", "question", "地方", "东西", "问题", "情况"})
WHICH: Final = re.compile(
    r"^\W*which\b|\b(?:of|between|among) (?:them|these|those)\b|\b(?:they|them|both|either|alternatives?|options?"
    r"|others)\b"
    r"|哪[个家种款部本些样]|它们|都|两[个家款种]|区别|替代|别的|其他",
    _I,
)
"""Asks about several things: about what was asked for, not about the last one that was named."""
ATTRIBUTES: Final = re.compile(
    r"\b(?:prices?|costs?|tickets?|fees?|brands?|sizes?|colou?rs?|weights?|ratings?|reviews?|address|phone number"
    r"|hours|open"
    r"|close[sd]?|distance|battery|warranty|directors?|authors?|actors?|singers?|taste|parking|deliver\w*|discounts?"
    r"|differences?|(?:dis)?advantages?|(?:some|any)thing \w+er|(?:cheap|short|long|light|small|big|easi|quick|near"
    r"|bett)er)\b"
    r"|票价|门票|价格|人均|牌子|品牌|型号|尺寸|颜色|多重|评分|地址|电话|营业|几点|关门|开门|谁[演写唱导拍]|导演|作者|主演|口味"
    r"|味道|保修|续航|配置|缺点|优点|优惠|折扣|多长|排队|停车|更[^，。？?]{1,4}的|多少钱?[？?]?$",
    _I,
)
"""What anything can be asked for: such a word names no thing of its own."""
GOES_ON: Final = re.compile(r"^.{1,12}呢[？?]?\W*$")
"""The question before, about something else."""
SUBJECTLESS: Final = re.compile(
    r"^\W*(?:any(?:thing|one)?|something) (?:in|with|for|without|under|near)\b|^\W*do I (?:need|have to)\b"
    r"|^\W*(?:要|需要|有|能|可以|会|支持|带|含|适合|值得|用|得|放|摆|装|挂|存|洗|修|换)\S{1,9}(?:吗|么|[？?])\W*$",
    _I,
)
"""A question whose subject was said before."""
STILL: Final = re.compile(
    r"\b(?:still (?:the same|not|no|doesn't|won't)|(?:that|it) (?:didn't|doesn't|did not) (?:help|work)|no luck"
    r"|same (?:error"
    r"|problem)|tried that|I did)\b|还是(?:不行|没用|一样|老样子)|没用|不管用|试过了|不行啊?\W*$"
    r"|^\W*(?:a bit |even |much )?(?:(?:more|less) \w+|\w+er)(?: please)?\W*$|^\W*再?[\u4e00-\u9fff]{1,3}一?[点些](?:吧"
    r"|的)?\W*$",
    _I,
)
"""Tells how a remedy went, or asks for the answer in another way, without what it was for."""
DAYS: Final = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?", _I)

"""The words of choosing, refusing and not deciding, in English and Chinese."""

import re
from typing import Final

_I: Final = re.IGNORECASE

PICKS: Final = re.compile(
    r"\b(?:(?:i|we|you)(?:'ll| will| would|'d| shall| can| am|'m| are|'re|'ve| have"
    r"| think i'?ll)*(?: (?:definitely|probably"
    r"|just|really|actually|rather|also|much|certainly|absolutely|go ahead and|decided to|going to|gonna"
    r"|like to|love to|want to"
    r"|have to))*"
    r" (?:go(?:ing)? (?:with|for)|went (?:with|for)|take|taking|took|pick(?:ed|ing)?|choos(?:e|ing)|chose"
    r"|chosen|have|opt(?:ed|ing)? for"
    r"|prefer|rather|like|love|lean(?:ing)? (?:to|towards?)|stick(?:ing)? with|settle(?:d)? (?:on|for)"
    r"|decided (?:on|for)"
    r"|want|vote for|book|order|buy|get|try|check out|do|start with|visit|use|watch|read|join|see|learn|stay"
    r"|explore|enjoy|cook|make"
    r"|give|adopt|attend|enroll|sign up|listen|consider|look into|invest|play|set up|find|feel|visit))\b"
    r"|\blet(?:'s| us| me)(?: just| definitely| please)? (?:go|do|take|try|pick|choose|have|get|start|book"
    r"|make|watch|order|see|check|explore"
    r"|opt|use|stick|visit|play|plan|give)\b"
    r"|\b(?:go|going|went) (?:with|for)\b|\bmake (?:it|mine)\b|\bgive me\b|\b(?:my|the) (?:pick|choice|vote"
    r"|favou?rite|winner|preference)"
    r" (?:is|goes|would be)\b"
    r"|\b(?:sounds?|looks?|seems?|feels?|appears?)(?: (?:like|to be))? (?:(?:the|a|an|so|really|very"
    r"|absolutely|pretty|quite|just|much|most|like"
    r"|more) )*(?:good|great|perfect|best|better|nice|lovely|ideal|right|fun|appealing|interesting|wonderful"
    r"|amazing|delicious"
    r"|promising|reasonable|tempting|exciting|suitable|fantastic|excellent|intriguing|fitting|delightful|my"
    r"|what|convenient|relaxing"
    r"|up my|fine|attractive|cozy|safest|easiest|safer|easier|solid|enjoyable|refreshing|engaging|manageable"
    r"|comfortable"
    r"|more|well)\b"
    r"|\b(?:is|are|would be|'s|be|was)(?: (?:probably|definitely|the|a|an|my|more|much|just|really|most"
    r"|clearly|also|by far))*"
    r" (?:best|better|perfect|ideal|(?:good|great|nice|excellent) (?:fit|choice|option|match|idea|pick)"
    r"|winner|right (?:one|choice|fit)"
    r"|one(?: for me)?$|favou?rite|what i|up my (?:street|alley)|my (?:style|speed|taste|thing|pick|choice)"
    r"|preferable|appealing"
    r"|suitable|way to go|most (?:appealing|suitable)|it$)"
    r"|\b(?:would|will|'d|'ll) be (?:(?:definitely|probably|just) )?(?:the|a|an|more|much|most|best|nice"
    r"|great|good|fine|lovely|fun)\b"
    r"|\b(?:is|are|was) (?:definitely |probably |just |by far )?(?:the |my )?(?:most|more) \w+"
    r"|\b(?:works?|suits?|fits?|appeals?|matches|aligns?)(?: (?:me|for|to|best|better|well|perfectly|my|the"
    r"|with|fine))+"
    r"|\b(?:works|deal|done|perfect|sold)[.!]*$|\b(?:please|pls)\b|\b(?:i'?m (?:sold|all for|in for"
    r"|interested in|keen on|drawn to))\b"
    r"|\b(?:prefer|opting for|choosing)\b|\bdefinitely\b"
    r"|选|要(?!是|么|不)|定(?=了|这|那)|就(?=第|那|这|它|来|去|订|买|用|它|[A-Ha-h\d])|来(?=第|那|这|个|一|份|杯"
    r"|点|本)|挑|喜欢|中意|倾向|更想|想(?=去"
    r"|试|要|吃|喝"
    r"|看|学|住|用|买|玩|听|来)|就好|就行|好了|吧|不错|挺好|最好|合适|适合|可以[！!。]?$|下单|预订|帮我(?:订|定"
    r"|买|约|安排|预)|安排|试试|拍板|决定|听着好|对我胃口|心动"
    r"|看中|还是(?!.*还是)|好[！!。]?$|更(?:好|适|合|对|吸引|符合|方便|合)|吸引我|符合我|订(?=第|那|这)|去(?=第"
    r"|那|这)|买(?=第|那|这)|用(?=第|那|这)",
    _I,
)
"""What takes something: with the name, place or description of an option it is a choice."""

ACTS: Final = re.compile(
    r"\b(?:please|can you|could you|go ahead and|would you|will you)(?: please)? (?:book|order|reserve|buy"
    r"|get me|add|schedule|sign me up|put me"
    r" down|set up|start with|play|prepare|use|go with|send)\b|^(?:book|order|reserve|buy|get me|add|schedule"
    r"|play|use|start with|send)\b"
    r"|(?:帮我|给我|请|麻烦)(?:你|您)?(?:订|定|买|预订|预约|下单|安排|约|点|选|放|来)",
    _I,
)
"""A task to carry out with an option: that decides, even as a polite question."""

ADDS: Final = re.compile(r"\b(?:also|too|as well|and (?:the|option)|plus)\b|再(?:来|加|要)|还要|也要|加上", _I)
"""What takes one more after one was taken."""

UNDECIDED: Final = re.compile(
    r"\b(?:either|any|any of (?:them|those|these)|whichever|anything|all|both)(?: one| option)?(?: of (?:them"
    r"|those|these))?"
    r"(?: is| are|'s|'d be| would be| works?| will do| sounds?)(?: (?:totally|all|perfectly|just))?(?: fine"
    r"| ok(?:ay)?| good| great| for me)?\s*[.!]*$"
    r"|\b(?:up to you|you (?:choose|decide|pick)|your (?:call|choice)|whatever(?: you (?:think|like|want)"
    r"| works| is easiest)?[.!]*$"
    r"|surprise me|(?:i )?(?:do not|don't) (?:care|mind)(?: which| either)?|no preference|(?:makes )?no difference"
    r"|doesn't matter|does not matter|not fussed|i'm easy|(?:can't|cannot|can not|hard to|difficult to"
    r"|struggling to|unable to) (?:decide|choose|pick)"
    r"|undecided|(?:i'm |i am )?torn|not sure(?: yet)?(?: which| whether| between| about)?|unsure"
    r"|let me (?:think|check|ask|sleep)|i need to (?:think|check|ask)"
    r"|(?:have|need|want) to think|think (?:about it|it over)|i'll (?:think|let you know|get back"
    r"|decide later)|(?:still )?(?:deciding|comparing|considering)"
    r"|decide later|on the fence|(?:not|none of (?:them|these|those)) (?:ready|decided)|haven't (?:decided"
    r"|chosen|picked))\b"
    r"|都行|都可以|都好|都成|都一样|随便|随意|无所谓|你(?:来)?(?:定|决定|选|挑|看着办)|您(?:来)?(?:定|决定|选"
    r"|挑)|看着办|(?:没有?|无)(?:所谓|偏好|特别的?要求|区别"
    r"|差别)|哪个都"
    r"|再(?:想想|考虑|看看|说|比较)|(?:考虑|想|比较)一下|让我想|纠结|拿不定|还没(?:想好|决定|选|定)|不(?:确定"
    r"|知道)(?:选|要|该|哪|买|去)?|犹豫|不着急定"
    r"|晚点(?:再)?(?:定|决定|说)|回头再",
    _I,
)
"""What leaves it open, whatever else is said."""

ASKS: Final = re.compile(
    r"\b(?:tell me (?:more|about)|more (?:details|info\w*|about)|explain|compare|(?:what|how) about"
    r"|difference|details (?:on|of|about)|curious|wonder(?:ing)?"
    r"|is it|does it|how much|how far|what does|show me|describe|elaborate|why (?:is|do|did|would)"
    r"|which (?:one|of|is))\b"
    r"|怎么样|多少|介绍|详细|说说|讲讲|讲一下|对比|区别|哪个|哪家|哪种|为什么|是什么|什么意思|有没有|能不能"
    r"|可不可以|几点|远不远|贵不贵|好不好",
    _I,
)
"""What asks for more before anything is decided."""

WEIGHS: Final = re.compile(
    r"\b(?:if (?!possible|you don't mind|that's ok)|unless|suppose|supposing|assuming|in case|might (?:be"
    r"|have|go|try|consider)|maybe (?:later|next|some ?day)|next time|some ?day|in theory)\b"
    r"|\b(?:last (?:time|year|week|month)|used to|previously|in the past|ages ago|years ago|already (?:tried"
    r"|did|read|saw|seen|been|have|own|went))\b"
    r"|如果(?!可以的话|方便)|假如|要是|万一|除非|上次|以前|曾经|之前|去年|下次|改天|以后再|也许|说不定|(?:已经"
    r"|都)?[看去吃用试读]过",
    _I,
)
"""What only weighs, looks back or puts off."""

OF_OTHERS: Final = re.compile(
    r"\b(?:my|our) (?:\w+ )?(?:wife|husband|partner|boss|manager|friends?|mom|mum|mother|dad|father|son"
    r"|daughter|kids?|colleagues?|brother|sister|team|girlfriend|boyfriend"
    r"|roommate|parents|boss|client|doctor|teacher|neighbou?r)(?:'d|'s| would| will| has"
    r"| had)*(?: \w+ly)? (?:go|went|goes|pick\w*|cho[so]\w*|prefer\w*|like[sd]?|love[sd]?|want\w*|take\w*"
    r"|took|voted|recommend\w*|suggest\w*"
    r"|swears)\b"
    r"|\b(?:he|she|they|everyone|someone|people|others|most people)(?:'d|'ll| would| will| has"
    r"| have)*(?: \w+ly)? (?:go(?:es)? (?:with|for)|went (?:with|for)|pick\w*|cho[so]\w*|prefer\w*|like[sd]?"
    r"|love[sd]?|want\w*|took|takes?)\b"
    r"|\b(?:you|they) (?:recommended|suggested|mentioned|said|listed)\b"
    r"|我?(?:老婆|太太|妻子|老公|丈夫|先生|妈妈?|爸爸?|儿子|女儿|孩子|朋友|同事|老板|领导|男朋友|女朋友|对象"
    r"|室友|客户|医生|老师|他|她|他们|大家|别人|同学|爸妈"
    r"|父母)(?:们)?(?:说)?(?:可能|应该|肯定|会|更|想|都|就)*(?:选|要|喜欢|想要|挑|推荐|觉得|买|订)",
    _I,
)
"""What somebody else takes."""

DECLINES: Final = re.compile(
    r"\b(?:none|neither)(?: of (?:them|these|those|the (?:above|options)))?(?: (?:really"
    r"|quite))?(?: (?:appeals?|works?|sounds?|fits?|suits?|is|are|seem))?\b"
    r"|\b(?:i )?(?:don't|do not) (?:like|want|need) any\b|\bno(?:,)? thanks?\b|\bsomething else\b"
    r"|\bother options\?|\bany(?:thing)? (?:else|other)\b"
    r"|都不(?:要|喜欢|想|太|行|合适|好|满意|怎么)|一个都|一家都|没有?(?:一个|喜欢的|合适的|满意的)|换一批|换几个"
    r"|还有(?:别|其他|没有)|别的(?:吗|呢)|不用了",
    _I,
)
"""What turns the whole list down."""

CONTRASTS: Final = re.compile(
    r",? (?:rather than|instead of|over|as opposed to|and not|but not|not)(?= )(?! sure| only| bad| just"
    r"| too)|而不是|，?不是|，?不要(?=第|那|这)",
    _I,
)
"""What stands between the taken and the refused."""

REFUSES: Final = re.compile(
    r"\b(?:not(?! (?:bad|only|sure|a bad))|no(?! (?:doubt|question|problem|brainer|\d))|never|(?:do|does|did"
    r"|would|is|are|wo)n't(?! (?:wait|mind|go wrong))|without|except(?: for)?"
    r"|anything but|other than|rather than|skip|rule out|ruling out|pass on|drop|exclude|avoid|remove|forget"
    r"|scratch|cross out|leave out|hate|dislike|can't stand|too"
    r"|less (?:appealing|interesting)|least|worst|out of the question|is out|are out|not for me|off the table)\b"
    r"|不要|别(?!人|的|墅)|不选|不想|不喜欢|不考虑|除了|排除|去掉|不用|不行|算了|不太|太(?![^，。]{0,6}(?:好了"
    r"|棒了|适合|喜欢))|没(?:兴趣|意思)|pass|跳过|删掉"
    r"|受不了|讨厌|不合适|不适合|不吸引|不爱|不符合",
    _I,
)
"""What turns an option down."""

CONCEDES: Final = re.compile(r"^\W*(?:while|although|though|even though|as much as|虽然|尽管)", _I)
"""What grants an option something before another is taken."""

POINTS_BACK: Final = re.compile(r"(?:that|it|this|which|they|those)\b|[那这它]", _I)
"""What says its verdict on something named before."""

EXCEPT: Final = re.compile(
    r"\b(?:(?:anything|any|all|everything|anyone) (?:but|except)|except(?: for)?)\b|除了|只要不是", _I
)
"""What turns one down and leaves the others open."""

REFUSES_REST: Final = re.compile(r"\b(?:the )?(?:other|others|rest|remaining)\b|其他|其它|另外|剩下|别的", _I)
"""What speaks of the options that were not taken."""

REASONS: Final = re.compile(
    r"\b(?:because|since|as it|as i|due to|thanks to|given that|for its|for the)\s+|(?:因为|毕竟|由于|主要是"
    r"|图(?:它|个))\s*",
    _I,
)
"""What leads in the reason."""

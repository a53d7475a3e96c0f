"""Chinese cues whose object stands before the verb: "香菜我不喜欢", "酒我是一滴不沾", "睡前的咖啡我可不敢"."""

from prefmem_pg.providers.offline.cue import CONSTRAINT, STRONG
from prefmem_pg.providers.offline.grammar_zh import DOING, cue

_THING = r"^(?!我|但|这[个些]?我|那[个些]?我|它|他|她|[说让给对跟叫]|如果|要是|因为|所以|虽然|反正|不过)[\w、的]{1,14}?"
_I = (
    r"(?:我们?|咱们?|本人)(?:家)?(?:个人|自己|这人|这个人|平时|现在|从小|打小|向来|一直|反正|是|就|可|倒|也|都|还"
    r"|却|真|真的|实在|其实|最|很|挺|特别|超|更|一般|基本|从来|绝对|坚决|压根|一[点滴口概律]|半[点口]|比较|始终)*"
)
_END = r"(?:的|了|啦|嘛|啊|哈)?(?=\W*$)"

TOPIC_FIRST = (
    cue(
        "does not like what is named first",
        rf"{_THING}{_I}(?:不(?:太|大|怎么|很|是很|咋|再)?(?:喜欢|爱|行|敢|感冒|感兴趣|习惯|考虑|接受|要|沾|会|能"
        rf"|想|爱{DOING}|能{DOING}|敢{DOING}|想{DOING}|{DOING})|讨厌|反感|受不了|免谈|过敏|没(?:兴趣|感觉|胃口)"
        rf"|无感|嫌弃|烦|怕|戒了|拒绝|pass)(?:不?{DOING})?{_END}",
        "negative",
        STRONG,
        CONSTRAINT,
    ),
    cue(
        "likes what is named first",
        rf"{_THING}{_I}(?<!不)(?:喜欢|爱|爱{DOING}|能{DOING}\w{{0,3}}|必{DOING}|吃得?惯){_END}",
        confidence=STRONG,
    ),
    cue(
        "takes what is named first in one way",
        rf"{_THING}我们?(?:一般|必须|一定|向来|从来|永远|一直|平时)*(?:只|就|都)(?:要|选|挑|认|爱|喜欢|蘸|点|来"
        rf"|{DOING})(?!不|看看|试试|过)\w{{1,10}}(?=\W*$)"
        rf"|{_THING}(?:我|我们)(?:只|就|都)?认(?!为|识|得|真|同)\w{{2,}}|{_THING}我要(?!是|求|不|想|看"
        rf"|怎)\w{{1,8}}的(?=\W*$)|{_THING}(?:我|我们)都(?:行|可以|能接受|爱|喜欢"
        rf"|OK){_END}",
        confidence=0.75,
        importance=CONSTRAINT,
    ),
)

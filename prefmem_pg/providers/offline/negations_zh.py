"""Chinese cues in which one negation undoes another, or a comparison says the side: to be read before plain ones."""

from prefmem_pg.providers.offline.cue import CLEAR, DOUBTFUL, STRONG
from prefmem_pg.providers.offline.grammar_zh import AT_EASE, DISLIKED, ILL_AT_EASE, cue

_AGAINST = r"(?:不喜欢|不爱|不想|讨厌|反感|排斥|嫌弃|烦|恨|抗拒|不待见|不感兴趣)"
_HARDLY = r"(?:谈不上|说不上|算不上|称不上|不至于|倒不|也不(?:是|算)?|不算|没那么|没(?:有)?多|不怎么|不太)"
_WITHOUT_IT = (
    r"(?:干不了|睡不着|活不(?:了|成|下去|过)|过不下去|没法|不行|吃不下|出不了|待不住|醒不(?:过来|了)|打不起精神"
    r"|没精神|没胃口|没灵魂|没有灵魂|提不起|不踏实|不得劲|不舒服|难受|心慌|少了点什么|不完整|等于没)"
)
_AT_ALL = r"(?:一?整天|上午|早上|晚上|根本|就|真的?|完全|都|也|会|浑身|总|好像|感觉|觉得|实在|压根|连\w{1,4})*"

NEGATIONS = (
    cue(
        "cannot do without it",
        rf"(?:没有?(?!什么|什麼|事|人|啥|必要|兴趣|空|时间|办法)|没了|离了|离开了?|缺了?|少了"
        rf"|手边没)[^，,。的]{{1,8}}?我?"
        rf"{_AT_ALL}{_WITHOUT_IT}|不(?:喝|吃|听|抽|睡|动|练|跑|放|开|加|蘸|配"
        rf"|来)[^，,。]{{1,8}}?我?{_AT_ALL}{_WITHOUT_IT}"
        rf"|(?:一[天日顿晚]|[两几三]天|哪天)不\w{{1,4}}?{_AT_ALL}(?:不行|想|{_WITHOUT_IT})"
        rf"|没\w{{1,4}}(?:就)?(?:不[叫算]|没)\w",
        confidence=CLEAR,
    ),
    cue(
        "nothing else will do",
        r"^除了[^，,。]{1,10}[，,]?(?:其他|其它|别的|其余|剩下)?\w{0,6}?我?(?:都|也|一概|全|什么|啥|哪儿?|谁)(?:都"
        r"|也)?(?:不|没|提不起)\w+"
        r"|谁(?:会|能|舍得)(?:拒绝|不爱|不喜欢)\w|(?:谁说|我怎么(?:会|可能|能)|我哪(?:会|能)|何尝)不?我?不(?:爱"
        r"|喜欢|想)\w"
        r"|谁说我不(?:爱|喜欢)\w",
        confidence=CLEAR,
    ),
    cue(
        "nothing is better",
        rf"没有?(?:什么|啥)?(?:\w{{1,4}})?(?:能)?比\w{{1,14}}(?:更|还|要)(?!(?:要|让人|让我|叫人)?{DISLIKED})\w+",
        confidence=CLEAR,
    ),
    cue(
        "nothing is worse",
        rf"没有?(?:什么|啥)?(?:\w{{1,4}})?比\w{{1,14}}(?:更|还)(?:要|让人|让我|叫人)?{DISLIKED}",
        "negative",
        STRONG,
    ),
    cue(
        "double negation",
        rf"{_HARDLY}(?:很|太|多|有多|那么|真的)?{_AGAINST}|(?:不是|并非)(?:我)?(?:很|太)?不(?:喜欢|爱"
        rf"|想)\w+(?:[，,](?:就是|只是))?(?=\W*$)",
        "neutral",
        DOUBTFUL,
    ),
    cue(
        "hardly likes it",
        r"(?:谈不上|说不上|算不上|称不上)(?:有?多|很|太|什么)?(?:喜欢|爱|感兴趣|热爱|着迷|迷)|(?:喜欢|爱)(?:倒|也"
        r"|可)?(?:谈不上|说不上)",
        "negative",
        CLEAR,
    ),
    cue(
        "came round to it",
        r"从(?:不|没|讨厌|嫌弃|害怕|无感)\w{0,8}到(?:现在|后来|如今)?\w{2,}|从(?:黑|路人)转粉|真香|(?:越来越|渐渐"
        r"|慢慢)(?:喜欢|爱|上瘾|离不开|迷)\w*",
        confidence=CLEAR,
    ),
    cue(
        "compares",
        rf"比\w{{1,10}}(?:更|还|要)?(?:让我|令我)?{AT_EASE}(?:得)?(?:多了?|些|一?点儿?)?(?=\W*$)"
        rf"|还是\w{{1,10}}(?:更|最|比较)?{AT_EASE}(?=\W*$)",
        confidence=0.7,
    ),
    cue("would rather not", rf"(?:让|令|叫|使|搞得|弄得|整得)我?\w{{0,4}}{ILL_AT_EASE}", "negative", CLEAR),
)

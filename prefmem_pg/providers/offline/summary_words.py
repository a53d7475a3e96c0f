"""The words by which the offline summarizer weighs what was said, in English and Chinese."""

import re
from typing import Final

_I: Final = re.IGNORECASE

SMALL_TALK: Final = re.compile(
    r"\W*(?:(?:hi|hello|hey|thanks?|thank you|thx|cheers|ok(?:ay)?|sure|great|perfect|awesome|cool|nice|yes|yeah"
    r"|yep|no|nope|bye|good (?:morning|night|evening|afternoon|choice|luck|news|idea)|see you|got it|sounds good"
    r"|you'?re welcome|no problem|of course|certainly|absolutely|noted|lol|haha|so much|very much|again|then|a lot"
    r"|there|later|tomorrow|for now|will do|right|exactly|happy to help|glad to help|any ?time|my pleasure|welcome"
    r"|that'?s all|wonderful|exciting|well done|congrats|congratulations|how'?s it going|how are you|how about you"
    r"|what'?s up|thanks for telling me|pretty good|oh no|no panic|I'?m doing well)\b[\s,.!?~]*)*"
    r"(?:(?:have a (?:great|good|nice|lovely|wonderful) \w+|enjoy(?: \w+){0,3}|how can I help(?: you)?|happy \w+ing"
    r"|welcome to [\w ]{2,30}|let me know[\w ]{0,30}|(?:I'?m |I am )?(?:so |very )?sorry(?: to hear (?:that"
    r"|about (?:that|it)))?)\W*)?"
    r"|\W*(?:(?:你好|您好|嗨|在不在|在吗|在的|亲|谢谢|多谢|谢了|感谢|好|行|可以|嗯|哦|哈|对|是|没事|没问题|不客气|不麻烦|麻烦|再见|拜拜|晚安|早|早上好|晚上好|明白|知道|收到|了解"
    r"|当然|太好|太棒|辛苦|不用谢|客气|您|你|了|啦|呀|啊|吧|的|呢|哟|嘞|完美|恭喜|加油|今天心情怎么样|很高兴为您服务)[\s，。！？,.!?~～]*)*"
    r"(?:(?:祝[^。！!]{2,20}|非常抱歉[^，。]{0,12}|请问有什么可以帮您|感谢[您你]的理解|工作顺利|慢走)\W*)?",
    _I,
)
LEAD: Final = re.compile(
    r"(?:(?:hi|hello|hey|yes|yeah|sure|great|perfect|cool|nice|good|thanks|thank you|got it|well|sounds good|noted|oh"
    r"|one more thing|no problem|of course|certainly|haha(?: yes)?|done)(?:[,.:!]|\s[-–])\s*"
    r"|(?:ok(?:ay)?|anyway|also|and|so|oh|haha)[,.:!]*\s+)+"
    r"|(?:(?:你好呀?|您好|嗨|嗯+|哦|哈+|好的?|行|可以|是啊|是的|对了?|太好了|谢谢|明白|了解|收到|还有一个问题|另外|还不错"
    r"|在的呢?|亲|很好)[，,。！!、：: ]+)+",
    _I,
)
"""Fillers that a sentence may begin with and that tell nothing."""
PASTED: Final = re.compile(r"Traceback|\w(?:Error|Exception)\b|^\s*(?:at|File) .*\bline \d|^https?://\S+$")
NUMBER: Final = re.compile(r"\d|[一二两三四五六七八九十]+[点个天周月号年块元岁斤克勺家条次]")
NAME: Final = re.compile(
    r"(?<=[\w,'] )[A-Z][\w-]+|\b[A-Za-z]+[-.]\w*\d|《[^》]+》|[\u4e00-\u9fff][A-Za-z]{2,}|[A-Za-z]{2,}[\u4e00-\u9fff]"
)
SETTLED: Final = re.compile(
    r"\b(?:let's|I'll|we'll|go(?:ing)? with|went with|decided|settled|booked|ordered|fixed|works now|worked|refunded"
    r"|confirmed|noted|scheduled|instead|agreed|cancel(?:led)?|switch(?:ed)?|replac\w+|we'd rather|I'd rather|it is\.?$"
    r"|then \d|appointment|that brings)\b"
    r"|就(?:订|选|要|买|用|去|这|改|按)|那(?:我|就|先)|决定|换(?:成|新)|改(?:成|到|为|去)|订(?:了|好|这)|约(?:在|了|好)|算了吧"
    r"|已经?(?:为您|给您|帮您|改|记|退|订|加)|安排(?:好|在)|搞定|解决了|降到|停了|上线|退款|取消|不去了|为止|定了",
    _I,
)
LEANS: Final = re.compile(
    r"(?:it|its|it's|that|that's|this|they|them|those|these|he|she|some|both|then|which|but)\b"
    r"|(?:那|这|它|他|她|加了|看了|就是|然后|所以|但|不过|以后)",
    _I,
)
"""Begins with what only the sentence before tells."""
BINDS: Final = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|diabet\w+|pregnan\w+|vegan|vegetarian|surgery|operation|can't|cannot|doesn't"
    r"|don't|never"
    r"|at most|no more than|under \d|below \d|only|budget|deadline|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|过敏|不耐受|不[吃喝能会太]|怀孕|糖尿病|手术|素食|预算|别超过|不超过|最多|以内|只[有能]|截止|之前",
    _I,
)
"""What the answer has to keep to."""
FAREWELL: Final = re.compile(r"(?:\bbye|\bsee you|talk later|拜拜|再见|晚安)\W*$", _I)
CLAUSE: Final = re.compile(r"[，,;；] ?")

"""Messages of the user that hold nothing to remember: patterns of what people tell, ask and order, filled in turn."""

import random
from collections.abc import Iterator
from typing import Final

_SLOTS: Final = {
    "en": {
        "thing": "report|invoice|contract|slide deck|spreadsheet|newsletter|survey|roadmap|agenda|shipping label",
        "task": "summarise|shorten|sort|check|format|compare|outline|number",
        "who": "the supplier|the bank|our client|the museum|the landlord|the courier|the committee|Tom|Anita|Mr Ortega",
        "place": "Leeds|Porto|the harbour|platform nine|the warehouse|the town hall|Osaka|the north wing|the library",
        "when": "on Monday|at noon|last week|in March|before lunch|at half past six|yesterday|in the autumn of 1997",
        "event": "the train was cancelled|the lift broke down|the parcel arrived|the match ended in a draw|it rained"
        "|the power went out|the meeting was moved|a new bakery opened|the ferry left early|the roof was repaired",
        "number": "12|40|315|7|1,900|26|83|4",
        "subject": "photosynthesis|compound interest|the French Revolution|tides|glaciers|inflation|printing"
        "|black holes",
        "code": "TypeError: 'NoneType' object is not iterable|exit code 137 after 40 seconds|git push was rejected",
    },
    "zh": {
        "thing": "报告|发票|合同|幻灯片|表格|通知|问卷|日程|清单|快递单",
        "task": "总结一下|缩短|排个序|检查一下|排版|对比一下|列个提纲|编个号",
        "who": "供应商|银行|客户|博物馆|房东|快递员|委员会|小赵|李经理|王老师",
        "place": "苏州|码头|九号站台|仓库|市政厅|大阪|北楼|图书馆|机场",
        "when": "周一|中午|上周|三月份|午饭前|六点半|昨天|一九九七年秋天",
        "event": "火车取消了|电梯坏了|包裹到了|比赛打平了|下了一场雨|停电了|会议改期了|新开了一家面包店"
        "|船提前开了|屋顶修好了",
        "number": "12|40|315|7|1900|26|83|4",
        "subject": "光合作用|复利|法国大革命|潮汐|冰川|通货膨胀|印刷术|黑洞",
        "code": "TypeError: 'NoneType' object is not iterable|40秒后退出码137|git push 被拒绝",
    },
}
_PATTERNS: Final = {
    "en": (
        "Can you {task} the {thing} from {who}?",
        "Please {task} this {thing} and put the totals at the end.",
        "What is {subject}, and why does it matter?",
        "How far is it from {place} to {place}?",
        "The {thing} from {who} came in {when}.",
        "{when}, {event}.",
        "{who} called {when} about the {thing}.",
        "We had {number} people at {place} {when}, and {event}.",
        "I was at {place} {when} when {event}.",
        "I sent the {thing} to {who} {when}.",
        "It says {number} on the {thing}, but {who} told me {number}.",
        "Thanks, that was quick!",
        "Okay, got it. So the {thing} goes to {who}.",
        "Explain {subject} in {number} sentences.",
        "There are {number} boxes at {place}. {who} counted them {when}.",
        "Write a short note to {who}: {event}.",
        "Translate this: {event} {when}.",
        "{event}, so {who} had to wait at {place}.",
        "I get {code} when I open the {thing}. What does it mean?",
        "The file has {number} rows; the {thing} has {number}.",
        "{who} said that {event}.",
        "Is {place} open {when}?",
        "Hi! Quick question about {subject}.",
        "My neighbour went to {place} {when}. She says {event}.",
        "Yes, the second one, thanks. Then {task} the {thing}.",
        "Haha, no idea. {event} {when}, I think.",
        "Page {number} of the {thing} explains {subject}.",
        "We are waiting for {who}; {event}.",
        "The population grew by {number} per cent {when}.",
        "Just now {event} at {place}.",
    ),
    "zh": (
        "能帮我把{who}的{thing}{task}吗？",
        "请把这份{thing}{task}，合计放在最后。",
        "{subject}是什么，为什么重要？",
        "从{place}到{place}有多远？",
        "{who}的{thing}{when}到了。",
        "{when}{event}。",
        "{who}{when}打电话来问{thing}的事。",
        "{when}我们有{number}个人在{place}，结果{event}。",
        "{when}我在{place}的时候{event}。",
        "我{when}把{thing}发给{who}了。",
        "{thing}上写的是{number}，可{who}说是{number}。",
        "谢谢，真快！",
        "好的，明白了。那{thing}就交给{who}。",
        "用{number}句话解释{subject}。",
        "{place}有{number}个箱子。{who}{when}数过了。",
        "给{who}写个便条：{event}。",
        "翻译这句话：{when}{event}。",
        "{event}，所以{who}只好在{place}等。",
        "打开{thing}的时候报{code}，这是什么意思？",
        "文件有{number}行，{thing}有{number}行。",
        "{who}说{event}。",
        "{place}{when}开门吗？",
        "你好！想问一下{subject}。",
        "邻居{when}去了{place}，她说{event}。",
        "对，第二个，谢谢。然后把{thing}{task}。",
        "哈哈，不知道。好像{when}{event}。",
        "{thing}第{number}页讲的是{subject}。",
        "我们在等{who}，{event}。",
        "{when}人口增长了百分之{number}。",
        "刚刚{place}{event}。",
    ),
}


def neutral_texts(number: int, *, seed: int = 7) -> Iterator[str]:
    """Yield so many messages, English and Chinese in turn, each of one or two sentences; the same for the same seed."""
    rng = random.Random(seed)
    slots = {language: {name: words.split("|") for name, words in found.items()} for language, found in _SLOTS.items()}
    for place in range(number):
        language = ("en", "zh")[place % 2]
        picked = rng.sample(_PATTERNS[language], rng.choice((1, 1, 2)))
        yield (" " if language == "en" else "").join(_filled(pattern, slots[language], rng) for pattern in picked)


def _filled(pattern: str, slots: dict[str, list[str]], rng: random.Random) -> str:
    while "{" in pattern:
        before, _, rest = pattern.partition("{")
        name, _, after = rest.partition("}")
        pattern = before + rng.choice(slots[name]) + after
    return pattern[0].upper() + pattern[1:]

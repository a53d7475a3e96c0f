"""Names the topic of a statement by the words that it holds, in both languages."""

import re
from typing import Final

# More telling topics come first: at equal counts the earlier one wins.
_WORDS: Final[dict[str, tuple[str, str]]] = {
    "pets": (
        r"pets?|dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|hamsters?|aquarium|vet|leash|litter|kibble|terrier"
        r"|retriever",
        "猫|狗|宠物|柯基|金毛|仓鼠|鹦鹉|铲屎|遛",
    ),
    "software": (
        r"code|coding|python|rust|javascript|typescript|java|golang|sql|postgres\w*|git|api|apis|framework"
        r"|editor|vim|vs code|ide|linux|docker|tabs|indent\w*|debug\w*|backend|frontend|library|libraries"
        r"|program\w*|software|database"
        r"|dark mode|light mode|alembic|django|flask|function|variables?|type hints?|unit tests?",
        "代码|编程|程序|数据库|框架|编辑器|缩进|变量|函数|接口|前端|后端|开发|命令行|脚本|注释|深色模式|浅色模式|软件",
    ),
    "communication": (
        r"answers?|answering|repl(?:y|ies)|respon(?:d|ses?)|explanations?|explain|bullet\w*|concise|emojis?"
        r"|tone|summar(?:y|ies)|emails?|call me|formal|jargon|phone calls?|text messages?|meetings?|nickname"
        r"|verbose|notifications?",
        "回答|回复|答复|解释|总结|表情|语气|称呼|客套|邮件|汇报|周报|铺垫|简洁|叫我|消息|电话|繁体|简体",
    ),
    "drink": (
        r"coffee|tea|decaf|wine|beer|alcohol|cocktails?|juice|soda|espresso|latte|whisky|whiskey|milk"
        r"|smoothies?|water|drinks?|drinking|matcha|caffeine|cola",
        "咖啡|茶|酒(?!店)|果汁|可乐|饮料|牛奶|豆浆|拿铁|美式|奶茶|喝|汽水",
    ),
    "food": (
        r"food|foods|eat|eating|eats|meals?|meat|beef|pork|chicken|fish|seafood|shellfish|vegan|vegetarian"
        r"|spicy|cilantro|coriander|garlic|onions?|mushrooms?|cheese|dairy|gluten|nuts?|peanuts?|sugar|dessert"
        r"|sushi|pizza|pasta"
        r"|noodles|rice|bread|breakfast|lunch|dinner|snacks?|restaurants?|cuisine|cook|cooking|diet|recipes?"
        r"|fruit|vegetables?|chocolate|keto\w*|kosher|halal|lactose|eggs?|shrimp|tofu|salads?|soup|curry|dish"
        r"|dishes|bakery|cereals?",
        "吃|食|菜|肉|辣|火锅|香菜|海鲜|花生|虾|蟹|鱼|面|米饭|饺|早餐|午餐|晚餐|夜宵|外卖|餐|水果|蔬菜|甜|糖"
        "|素|清真|味|葱|蒜|蛋|豆腐|巧克力|乳糖|麸质|小吃|芒果",
    ),
    "travel": (
        r"travel\w*|trips?|flights?|fly|flying|airlines?|hotels?|hostels?|resorts?|vacations?|holidays?"
        r"|airports?|aisle|window seat|cruises?|tours?|touristy?|tourists?|destinations?|backpack\w*|luggage"
        r"|airbnb|accommodations?|road trip|visit|visiting"
        r"|beach|itinerary|camping|train|trains|public transport\w*|subway|rental cars?|lodges?|sightseeing",
        "旅游|旅行|酒店|飞机|航班|机票|高铁|火车|座位|民宿|景点|行程|出行|度假|地铁|公交|签证|海边|自驾|靠窗"
        "|过道|走道|邮轮|跟团|出国",
    ),
    "music": (
        r"music|songs?|jazz|rock|hip[- ]hop|rap|classical|playlist\w*|albums?|concerts?|guitar|piano|violin"
        r"|sing|singing|k-pop|opera|band|bands|podcasts?|vinyl",
        "音乐|歌|爵士|摇滚|钢琴|吉他|演唱会|古典乐|说唱|乐队|播客|小提琴",
    ),
    "film": (
        r"movies?|films?|shows?|series|tv|documentar(?:y|ies)|horror|comed(?:y|ies)|anime|cinema|dramas?"
        r"|netflix|thrillers?|sitcoms?|animated|sci-fi|science fiction|theaters?|rom-?coms?",
        "电影|电视剧|剧|动画|动漫|纪录片|综艺|恐怖片|喜剧|影院|番|科幻片",
    ),
    "reading": (
        r"books?|novels?|read|reading|fiction|memoirs?|audiobooks?|e-?books?|kindle|poetry|authors?|magazines?"
        r"|comics?|manga|newspapers?|paperbacks?",
        "书|小说|阅读|诗|杂志|漫画|读物|作者|电子书|散文",
    ),
    "sport": (
        r"sports?|football|soccer|basketball|tennis|swim\w*|run|running|marathon|gym|workouts?|yoga|hik(?:e|es"
        r"|ing)|cycl\w+|bik(?:e|es|ing)|ski\w*|climb\w*|exercis\w+|fitness|golf|surf\w*|martial arts|boxing"
        r"|scuba|snorkel\w*|jog\w*|pilates|squats?",
        "运动|足球|篮球|网球|游泳|跑步|马拉松|健身|瑜伽|徒步|骑行|滑雪|爬山|羽毛球|乒乓|球|深蹲|锻炼|登山|拳击",
    ),
    "health": (
        r"allerg\w+|asthma|diabet\w+|medic\w+|doctors?|health\w*|sleep\w*|migraines?|headaches?|anxiety"
        r"|therapy|injur\w+|pain|pregnant|vitamins?|supplements?|blood|epilep\w+|celiac|intoleran\w+"
        r"|wheelchair|insomnia|motion sickness|smok\w+|weight|phobia|meditat\w+",
        "过敏|糖尿病|高血压|哮喘|药|医|病|健康|睡|失眠|头疼|胃|减肥|体重|怀孕|抽烟|烟|恐高|晕|疼|近视|体检|保健|荨麻疹",
    ),
    "family": (
        r"wife|husband|sons?|daughters?|kids?|child|children|parents?|mother|father|mom|mum|dad|brothers?"
        r"|sisters?|famil\w+|married|wedding|baby|toddler|grand\w+",
        "老婆|老公|妻子|丈夫|儿子|女儿|孩子|妈|爸|父母|家人|结婚|宝宝|哥|姐|弟|妹|婚",
    ),
    "finance": (
        r"money|budget\w*|invest\w*|stocks?|savings?|saving|bank\w*|loans?|mortgage|crypto\w*|bitcoin"
        r"|insurance|credit cards?|debts?|pension|salary|expensive|cheap|funds?|etfs?|retirement",
        "钱|预算|投资|股票|基金|理财|存款|贷款|保险|银行|信用卡|债|工资|房贷|攒",
    ),
    "schedule": (
        r"morning|evening|night owl|early bird|schedule\w*|calendar|weekends?|after \d+|before \d+|a\.?m\.?"
        r"|p\.?m\.?|o'clock|monday|tuesday|wednesday|thursday|friday|saturday|sunday|deadline|wake up"
        r"|appointments?",
        "早上|晚上|周末|点以后|点前|日程|会议|时间|凌晨|早起|熬夜|周[一二三四五六日]|上午|下午|夜猫子",
    ),
    "work": (
        r"work|working|job|office|remote|career|boss|team|colleagues?|coworkers?|clients?|company|freelanc\w+"
        r"|engineer|teacher|nurse|manager|commut\w+|professional|business|projects?|networking|mentor\w*"
        r"|startup",
        "工作|上班|公司|同事|老板|职业|加班|远程|办公|客户|项目|团队|工程师|老师|医生|程序员|设计师|创业|出差|护士",
    ),
    "learning": (
        r"learn\w*|study|studying|courses?|class|classes|classroom|lectures?|exams?|tutorials?|textbooks?"
        r"|students?|university|school|degree|flashcards?|education\w*|teach\w*|lessons?|instruction|tutor\w*"
        r"|quiz\w*",
        "学习|学|课|考试|考研|教程|教材|学校|大学|老师讲|背单词|复习|视频课",
    ),
    "language": (
        r"english|spanish|french|german|chinese|mandarin|japanese|korean|italian|cantonese|bilingual"
        r"|native speaker|accent|subtitles|dubbed|grammar",
        "英语|英文|中文|日语|法语|德语|韩语|粤语|普通话|字幕|配音|母语|口语",
    ),
    "style": (
        r"wear\w*|clothes|clothing|dress\w*|shoes?|fashion\w*|jewel\w+|jeans|outfits?|colou?rs?|leather"
        r"|fabric\w*|makeup|perfume|fragrance\w*|haircut|logos?|patterns?|minimalist\w*|denim|fur|sneakers"
        r"|accessories",
        "穿|衣|鞋|裙|颜色|时尚|化妆|香水|首饰|风格|极简|皮|发型|配色|包包",
    ),
    "home": (
        r"home|house|apartment|furniture|kitchen|garden\w*|decor\w*|bedroom|sofa|couch|plants?|clean\w*"
        r"|roommates?|neighbo\w+|rent|live in|living in|moved|city|suburbs?|countryside|appliances?",
        "家里|房|沙发|厨房|卧室|装修|家具|植物|花园|住在|租|客厅|老家|搬|小区",
    ),
    "shopping": (
        r"buy|buying|shop|shopping|brands?|store|stores|online|price\w*|deal|deals|second-?hand|amazon"
        r"|discounts?|purchase\w*|sustainab\w+|eco-friendly|products?|malls?|order",
        "买|购|牌|店|网购|二手|打折|价格|淘宝|京东|下单|商场",
    ),
    "technology": (
        r"phones?|smartphones?|iphone|android|laptops?|computers?|tablets?|apps?|ai|gadgets?|devices?|screens?"
        r"|headphones|camera|cameras|smart home|privacy|google|apple|windows|mac|games?|gaming|cars?|vehicles?"
        r"|electric|hybrid|consoles?",
        "手机|电脑|平板|安卓|苹果|应用|设备|耳机|相机|隐私|游戏|手游|车|智能|路由器|屏幕",
    ),
}
_PATTERNS: Final = {
    topic: re.compile(rf"\b(?:{english})\b|(?:{chinese})", re.IGNORECASE)
    for topic, (english, chinese) in _WORDS.items()
}

TOPICS: Final[tuple[str, ...]] = (*_WORDS, "other")


def find_topic(statement: str) -> str:
    """Return the topic that most different words of the statement speak of, "other" when none do."""
    best, most = "other", 0
    for topic, pattern in _PATTERNS.items():
        count = len({match.group().lower() for match in pattern.finditer(statement)})
        if count > most:
            best, most = topic, count
    return best

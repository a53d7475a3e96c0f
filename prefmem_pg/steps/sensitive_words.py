"""The words of sensitive subjects, English and Chinese: precise ones, since a hidden preference is a lost one.

Each list is one regular expression over the statement in lower case; ``FALSE_FRIENDS`` are taken out first. Left out
on purpose: food rules that follow from a belief (halal, kosher) and pronouns, which must reach the assistant.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from prefmem_pg.domain.preferences import Sensitivity


class Words:
    """Words to look for in a text of lower case.

    Each language is looked for by itself, and only in a text that has letters of it: at every character, an expression
    tries each of some hundred words, and most texts hold none. So that it tries few of them, those that begin alike
    stand together.
    """

    def __init__(self, english: Sequence[str], chinese: Sequence[str]) -> None:
        self.patterns = (*english, *chinese)
        self._in_english, self._in_chinese = english, chinese

    # Compiled when they are first looked for: that takes a fifth of a second, and most commands look for none.
    @cached_property
    def _english(self) -> re.Pattern[str]:
        return re.compile(_alone(_by_first_letter(self._in_english)))

    @cached_property
    def _chinese(self) -> re.Pattern[str]:
        return re.compile(_by_first_letter(self._in_chinese))

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile("|".join([_alone("|".join(self._in_english)), *self._in_chinese]))

    def search(self, text: str) -> re.Match[str] | None:
        """Return where one of the words stands, not always the first of them."""
        found = self._english.search(text) if _LETTER.search(text) else None
        if found is None and self._in_chinese and not text.isascii():
            found = self._chinese.search(text)
        return found

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where the words stand, in the order of the text."""
        return self._whole.finditer(text) if self.search(text) else iter(())

    def sub(self, replacement: str, text: str) -> str:
        return self._whole.sub(replacement, text) if self.search(text) else text


_LETTER: Final = re.compile("[a-z]")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_BEGINS: Final = re.compile(r"[a-z\u3400-\u9fff](?![?*+{])")


def words(*patterns: str) -> Words:
    """Join patterns; those with Chinese characters match anywhere, others alone between letters of ASCII."""
    return Words([p for p in patterns if not _HAN.search(p)], [p for p in patterns if _HAN.search(p)])


def _alone(pattern: str) -> str:
    return rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])"


def _by_first_letter(patterns: Sequence[str]) -> str:
    """Return one pattern of all, in which a letter that many of them begin with is tried once."""
    groups: dict[str, list[str]] = {}
    for one in _alternatives("|".join(patterns)):
        first = one[0] if _BEGINS.match(one) else ""
        groups.setdefault(first, []).append(one[len(first) :])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items())


def _alternatives(pattern: str) -> Iterator[str]:
    """Yield what stands between the bars of a pattern that are in no bracket."""
    start = depth = 0
    for match in _BRACKET_OR_BAR.finditer(pattern):
        sign = match.group()
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and depth == 0:
            yield pattern[start : match.start()]
            start = match.end()
    yield pattern[start:]


_BRACKET_OR_BAR: Final = re.compile(r"\\.|\[[^\]]*\]|[()|]")


FALSE_FRIENDS: Final = words(
    r"(?:technical|tech|sleep|design|security|code) debts?|mental health day|health(?:y|ier|iest)",
    r"water ?colou?rs?",
    r"(?:energy|daylight|time|cost|space|memory|token)[ -]savings?|savings? time|credit union|european union",
    r"student union",
    r"union (?:types?|all|query|square|station|jack|find)|sql union|discriminated union|tagged union",
    r"western union",
    r"(?:platform|database|framework|vendor|language|model|cloud|browser|os)[ -]agnostic",
    r"undocumented (?:apis?|code|features?|functions?|behaviou?rs?|options?|endpoints?|flags?)",
    r"christian (?:bale|dior|louboutin|slater|eriksen|pulisic|andersen)|queer eye|liberal arts",
    r"conservative estimates?",
    r"(?:stroke|bipolar) (?:width|transistors?|junction|color)|lithium[ -](?:batter(?:y|ies)|ion)",
    r"great depression",
    r"depression[ -]era|virtual disability|retail therapy|blind (?:dates?|spots?|tast\w+)",
    r"heart attack (?:grill|burger)",
    r"(?:so|a bit|a little|kinda|kind of|slightly|super|pretty|really|totally) ocd",
    r"cancer (?:sign|zodiac|horoscope|season)",
    r"(?:zodiac|star sign|horoscope)\W{1,3}(?:\w+\W){0,3}cancer|visa cards?|tropic of cancer|republican era",
    r"宗教(?=般|式|一样)|信仰(?=充值|加成|之跃|灯)|清教徒(?=式|般|一样)",
    r"游戏手术|懒癌|尴尬癌|直男癌|癌(?=式)|技术债务?|收入(?=囊|歌单|收藏|书单|播放)|佛系|绿卡(?=游戏)|代码强迫症",
    r"(?:回|藏|苗|壮|满|彝|傣|土家|蒙古|维吾尔|朝鲜|哈萨克)族(?=菜|美食|音乐|舞|服|风|自治|文化|歌|的?节)|巨蟹座",
    r"心理健康日|孕育|残疾(?=车位)|住院部大楼|健康(?:食品|饮食|零食|早餐|生活|的)",
)

HEALTH: Final = words(
    r"diabet(?:es|ic)|prediabet\w+|insulin|hypertension|(?:high|low) blood (?:pressure|sugar)|blood pressure",
    r"cholesterol",
    r"asthma(?:tic)?|epilep\w+|seizures?|migraines?|arthritis|eczema|psoriasis|hepatitis|hiv(?:[ -]positive)?",
    r"ibs",
    r"crohn'?s|c(?:o)?eliac|cancer|tumou?rs?|leuk(?:a)?emia|chemo(?:therapy)?|dialysis|transplant patient",
    r"anemi[ac]",
    r"an(?:a)?emia|thyroid|gout|lupus|parkinson'?s|alzheimer'?s|dementia|multiple sclerosis|fibromyalgia",
    r"endometriosis",
    r"(?:heart|kidney|liver|lung) (?:disease|condition|failure|problems?)|heart attacks?|had a stroke",
    r"stroke survivor",
    r"pregnan(?:t|cy)|trying to conceive|ivf|miscarriage|postpartum|breastfeeding|menopaus\w+|infertil\w+",
    r"depress(?:ion|ed)|anxiety(?: disorder)?|panic attacks?|ptsd|bipolar(?: disorder)?|schizophreni\w+",
    r"insomnia|ocd",
    r"adhd|autis(?:m|tic)|dyslexi[ac]|eating disorder|anorexi[ac]|bulimi[ac]|self[ -]harm|suicid(?:e|al)",
    r"mental health",
    r"mental illness|psychiatrist|(?:my|a|her|his|their|user's) therapist|in therapy|therapy sessions?",
    r"psychotherapy",
    r"medications?|medicated|meds|antidepressants?|antibiotics?|painkillers?|prescribed|ssris?|warfarin",
    r"blood thinners?",
    r"ibuprofen|metformin|statins?|prozac|zoloft|xanax|adderall|ritalin|chemo|inhaler|epipen|birth control",
    r"diagnos(?:ed|is)(?: with| of)?|illness(?:es)?",
    r"chronic(?:ally)? (?:pain|ill|fatigue|illness|disease|condition)",
    r"disabilit(?:y|ies)|disabled (?:person|veteran|user|people|woman|man)",
    r"(?:i'm|i am|is|are) disabled(?= ?(?:$|[,.;]|and|since|by))",
    r"wheelchairs?|legally blind|blind in|(?:i'm|i am|is) (?:blind|deaf)|colou?r[ -]?blind(?:ness)?",
    r"hearing (?:aids?|loss)",
    r"hard of hearing|hearing[ -]impaired|visually[ -]impaired|surgery|back pain|knee injury|rehab",
    r"recovering (?:alcoholic|addict)",
    r"alcoholic in recovery|allerg(?:y|ies|ic)|anaphyla\w+",
    r"(?:lactose|gluten|histamine|fructose)[ -]?(?:intoleran\w+|sensitiv\w+)",
    r"intolerance|hives",
    r"糖尿病|高血压|低血糖|高血糖|高血脂|血压|胆固醇|哮喘|癫痫|偏头痛|湿疹|银屑病|关节炎|痛风|甲亢|甲减|甲状腺"
    r"|贫血|肝炎|乙肝|艾滋",
    r"癌|肿瘤|白血病|化疗|放疗|透析|心脏病|冠心病|中风|脑梗|肾病|肾炎|胃病|胃炎|胃溃疡|肠炎|腰椎间盘|颈椎病"
    r"|慢性病|后遗症",
    r"怀孕|孕妇|孕期|备孕|流产|试管婴儿|哺乳期|产后|更年期|不孕",
    r"抑郁|忧郁症|躁郁|焦虑症|焦虑障碍|惊恐发作|双相|精神分裂|精神科|自闭症|多动症|强迫症|厌食症|暴食症|失眠|心理咨询"
    r"|心理医生|心理健康|心理疾病",
    r"残疾|轮椅|失明|盲人|失聪|耳聋|聋哑|色盲|色弱|助听器|确诊|诊断(?:为|出|书|结果)|病史|住院|手术|康复期",
    r"服药|吃药|用药|处方药|药物|胰岛素|二甲双胍|华法林|布洛芬|阿司匹林|抗生素|止痛药|安眠药|降压药|过敏"
    r"|不耐受?症?|起疹子|荨麻疹",
)

FINANCE: Final = words(
    r"salar(?:y|ies)|income|paychecks?|wages|net worth|bankrupt(?:cy)?|overdraft|mortgage",
    r"(?:student|car|home|bank|personal|payday) loans?",
    r"loans?|debts?|in debt|credit (?:scores?|ratings?|history|limit|card debt|problems?)",
    r"(?:bad|poor|good|no) credit(?! to)",
    r"(?:my|his|her|their|life|user's|retirement) savings|savings accounts?|in savings",
    r"savings (?:of|goal|rate)|save up \$?\d+",
    r"(?:bank|account) balance|pension|401\(?k\)?|retirement fund|owes? (?:taxes|money|the irs)",
    r"tax (?:return|debt)s?|alimony",
    r"child support|food stamps|unemployment benefits|welfare benefits|stock portfolio|investment portfolio",
    r"inheritance",
    r"(?:earns?|earning|makes?|making|paid) (?:about |around |only |over )?[$€£¥]? ?\d[\d,.]*k?(?: (?:dollars"
    r"|euros))?(?: ?(?:a|per|/) ?(?:year|month|hour)| annually)",
    r"工资|薪水|薪资|薪酬|月薪|年薪|底薪|收入|欠债|负债|债务|欠款|欠钱|贷款|房贷|车贷|网贷|存款|积蓄|储蓄"
    r"|信用(?:分|评分|记录|额度)|征信",
    r"信用卡(?:欠|债|账单|逾期)|破产|退休金|养老金|公积金|个税|低保|净资产|还债|银行余额|账户余额|理财亏",
)

# A belief or an origin counts when it is somebody's: a taste for Buddhist temples or black coffee is not one.
_PERSON = (
    r"(?:i'm|i am|i was|we're|we are|we were"
    r"|(?:user|he|she|they|family|wife|husband|partner|mother|father|mom|dad)(?:'s| is| are| was| were)?"
    r"|(?:parents|grand\w+|in-laws|sister|brother|siblings|son|daughter|kids|children|fianc[eé]e?|girlfriend|boyfriend)"
    r"(?: is| are| was| were)"
    r"|as|identif(?:y|ies) as|came out as|raised|born|became|converted|bapti[sz]ed"
    r"|practi[cs]ing|devout|observant|non[ -]practi[cs]ing)"
)
_OF = (
    r"(?: (?:an?|the|very|strictly|openly|proudly?|quite|also|both|not|so|really|deeply|pretty|still|now|actually"
    r"|devout|practi[cs]ing|observant|lapsed|registered|lifelong|conservative|liberal|reform|ultra|strict|non))*[ -]"
)
# "Evangelical about Rust", "agnostic on frameworks", "catholic in my tastes": a manner, no belief.
_NO_MANNER = (
    r"(?! (?:about(?! to\b)|when it comes|regarding|towards?|between|whether|as\b|to\b|on\b(?! sundays?)"
    r"|in (?:my|his|her|their|our)\b))"
)
_DENOMINATION = (
    r"(?:southern |free |primitive )?(?:presbyterian|baptist|lutheran|methodist|anglican|episcopalian|episcopal"
    r"|congregationalist|pentecostal|adventist|seventh[ -]day adventist|mennonite|amish|anabaptist|calvinist|nazarene"
    r"|moravian|unitarian(?: universalist)?|evangelical|protestant|catholic|christian|mormon|quaker(?! oats?)"
    r"|(?:greek|russian|eastern|serbian|romanian|ukrainian|oriental|coptic|ethiopian|syriac) orthodox|coptic|maronite"
    r"|roman catholic|born[ -]again christian|non[ -]?denominational)"
)
_BELIEVER = (
    rf"(?:{_DENOMINATION}|orthodox (?:christian|jew(?:ish)?)|jehovah'?s witness(?:es)?|latter[ -]day saint|lds"
    r"|christian scientist|scientologist|salvationist|spiritualist|copt|muslim|sunni|shi'?a|shi'?ite|sufi|ismaili"
    r"|ahmadi(?:yya)?|alevi|alawite|druze|jewish|jew|hasidic|hasid|haredi|hindu|vaishnav\w*|shaiv\w*|hare krishna"
    r"|(?:zen |theravada |mahayana |tibetan )?buddhist|sikh|jain|taoist|daoist|confucian(?:ist)?|shinto(?:ist)?"
    r"|baha'?i|zoroastrian|parsi|rasta(?:farian)?|wiccan|(?:neo[ -]?)?pagan|satanist|animist|deist|pantheist|atheist"
    r"|agnostic|secular humanist|non[ -]?believer)"
)
_FAITH = (
    r"(?:islam|christianity|catholicism|protestantism|orthodoxy|judaism|hinduism|buddhism|sikhism|jainism|taoism|daoism"
    r"|shinto|mormonism|lutheranism|anglicanism|methodism|calvinism|quakerism|zoroastrianism|wicca|paganism"
    r"|scientology|the (?:baha'?i|sikh|muslim|christian|catholic|jewish) faith)"
)
_PLACE = r"(?:church|mass|mosque|synagogue|gurdwara|chapel|kingdom hall|bible study|sunday service|friday prayers?)"
# A school, a hospital or a building of a church is nobody's belief.
_NO_SIGHT_ZH = r"(?!的?(?:教堂|建筑|医院|学校|大学|小?中?学|书院|幼儿园|音乐|艺术|圣像|壁画|寺庙?|寺院|美食|风格|伦理))"

IDENTITY: Final = words(
    rf"{_PERSON}{_OF}(?:{_BELIEVER}s?{_NO_MANNER}"
    r"|(?:orthodox|religious)s?(?= ?(?:$|[,.;!]| (?:and|but|person|man|woman|family|people|household|home|since)\b)))",
    r"my (?:religion|faith|church|mosque|synagogue|ethnicity|sexuality|sexual orientation|gender identity)",
    r"religio(?:n|us) (?:views?|beliefs?|reasons?)",
    rf"religious beliefs?|(?:goes|go|going|went) to (?:an? |the |my |our |his |her )?(?:{_DENOMINATION} )?{_PLACE}"
    r"(?! (?:street|st|road|rd|hill)\b)",
    rf"(?:attend(?:s|ed|ing)?|join(?:s|ed)?|belongs? to|members? of) (?:an? |the |my |our )?{_DENOMINATION} (?:church|"
    r"parish|congregation|chapel)",
    rf"practi[cs]es? {_FAITH}",
    rf"convert(?:s|ed|ing)? to {_FAITH}",
    r"prays?(?: five times)?(?: (?:a|every) day| daily)|user'?s? (?:religion|faith)",
    rf"{_PERSON}{_OF}(?:black|white|asian|latin[oax]|hispanic|arab|roma|romani|mixed[ -]race|biracial)(?= ?(?:$"
    rf"|[,.;!]| (?:and|man|woman|person|american|guy|girl)))",
    r"(?:african|asian|native|chinese|korean|japanese|mexican|indian|arab)[ -]american",
    r"of \w+ (?:descent|ethnicity|heritage)|ethnic minority",
    r"ethnicity|uyghur|han chinese|indigenous person",
    r"gay|lesbian|bisexual|pansexual|asexual|homosexual|heterosexual|lgbt\w*\+?|queer",
    r"same[ -]sex (?:partner|couple|marriage)|sexual orientation",
    r"transgender|trans (?:man|woman|person|masc\w*|fem\w*|guy|girl)|non[ -]?binary (?:person|and)",
    r"(?:i'm|i am|is|as|identif\w+ as) non[ -]?binary",
    r"gender ?(?:queer|fluid|dysphoria|identity|transition)|cisgender",
    rf"{_PERSON}{_OF}(?:republican|democrat|socialist|communist|libertarian|anarchist|marxist|politically \w+)s?"
    rf"{_NO_MANNER}",
    r"politically (?:conservative|liberal|left|right)",
    r"(?:left|right)[ -]wing(?! ?(?:er|back|player|position))",
    r"(?:conservative|liberal|labour|labor|green|republican|democratic|communist|tory) (?:party|voters?)",
    r"vot(?:es?|ed|ing) (?:for|republican|democrat\w*|labou?r|tory|conservative|green)",
    r"political (?:views?|party|beliefs?|affiliation|leaning)s?",
    r"(?:trump|biden|maga|bernie) (?:supporter|voter)|party member",
    r"immigration (?:status|lawyer|case)|green card|visa status|h-?1b|work (?:visa|permit)|asylum(?: seeker)?",
    r"refugees?|undocumented|deport\w*|daca|residence permit",
    r"union (?:member|rep|steward|dues|organi[sz]er)s?|member of (?:a|the|my) (?:\w+ )?union",
    r"(?:labou?r|trade|workers'?|teachers'?) union|unioni[sz]ed|shop steward|teamsters?",
    r"穆斯林|基督徒|基督教徒?|天主教徒?|佛教徒|伊斯兰教|印度教徒|道教徒|教徒|信佛|信教|信基督|信主|信仰|宗教"
    r"|无神论者?|做礼拜|做弥撒|望弥撒|皈依|受洗|查经班?|团契",
    rf"(?:浸信会|浸礼会|圣公会|长老会|长老教会|卫理公会|卫理会|卫理宗|循道会|路德会|路德宗|信义会|归正会|改革宗|加尔文宗|公理会|宣道会|贵格会"
    rf"|五旬节教?会|五旬节派|灵恩派|福音派|安息日会|复临会|救世军|摩门教|后期圣徒|耶和华见证人|东正教|新教徒?|三自教会|家庭教会|召会|真耶稣教会|科普特"
    rf"|犹太教|逊尼派|什叶派|苏菲派|锡克教|耆那教|神道教|巴哈伊教?|拜火教|琐罗亚斯德教|藏传佛教|一贯道|净土宗|山达基){_NO_SIGHT_ZH}",
    r"少数民族|(?:是|为|属于)(?:一?[个名位])?[一-鿿]{1,4}族(?:人)?(?=$|[，。；,.;！! ])|(?:我|用户|他"
    r"|她)是(?:黑人|白人|华裔|混血|犹太人)|族裔|种族",
    r"同性恋|双性恋|无性恋|泛性恋|出柜|性取向|同志身份|拉拉身份|跨性别|非二元|性别认同|变性|性别焦虑",
    r"民主党|共和党|共产党员|(?:是|入)(?:中共)?党员?(?=$|[，。；,.;])|政治(?:立场|倾向|观点|面貌)|左派|右派"
    r"|左翼|右翼|自由派|保守派|投票给|支持特朗普",
    r"移民(?:身份|局|律师)|绿卡|难民|政治庇护|签证身份|工作签证|工签|居留(?:许可|权)|黑户|遣返|工会(?:会员|成员|代表)?",
)

SENSITIVE: Final[dict[Sensitivity, Words]] = {"health": HEALTH, "identity": IDENTITY, "finance": FINANCE}
ANY_SENSITIVE: Final = words(*(pattern for subject in SENSITIVE.values() for pattern in subject.patterns))

# Too common to count alone; beside a topic of that name they do.
WEAK: Final[dict[Sensitivity, Words]] = {
    "health": words(
        r"doctors?|hospital|pills?|sick|symptoms?|weight|sleep(?:s|ing)?|pain|dose|treatment|clinic|blood|injur\w+",
        r"医生|医院|药|生病|症状|体重|睡眠|疼|痛|治疗|复查|体检|受伤",
    ),
    "finance": words(
        r"money|bank|budget|spends?|afford|broke|invest\w*|stocks?|rent|tax(?:es)?|bills?|owes?",
        r"钱|银行|预算|花销|开支|投资|股票|基金|房租|税|账单",
    ),
    "identity": words(r"church|temple|god|pray\w*|vote\w*|party|visa|community", r"教堂|寺庙|祈祷|投票|党|签证|身份"),
}
WEAK_TOPICS: Final[dict[Sensitivity, Words]] = {
    "health": words(r"health|medical|medicine|wellness", r"健康|医疗|身体"),
    "finance": words(r"financ(?:e|es|ial)|money", r"财务|金融|理财|经济"),
    "identity": words(r"identity|religion|politics|beliefs?", r"身份|宗教|政治"),
}

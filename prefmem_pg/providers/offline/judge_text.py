"""Text as the judge compares it: one spelling for case, width, script, contractions, numbers and clock times."""

import re
import unicodedata
from typing import Final

from prefmem_pg.providers.offline.judge_idioms import plain
from prefmem_pg.providers.offline.judge_numbers import mark_numbers

# Traditional and simplified characters of everyday preference vocabulary, pairwise.
_TRADITIONAL: Final = (
    "愛歡買東車書電話聽說讀寫請這個們對過來時間點鐘後開關門問題樂視頻機場飛紙質閱覽習慣簡潔詳細總結標語詞"
    "論條長號碼數據圖畫顏紅藍綠黃銀鐵鍋飯麵湯雞鴨魚蝦貓馬鳥龍豬蘋檸傑藥醫療診斷險錢貴賤購網絡線離遠邊裡裏"
    "麼樣為與從當應該還沒無會議務辦職業員動運練遊戲戰術歷學體驗覺熱涼溫濕氣風雲陽陰較討厭絕決給發訊郵輪軟"
    "陸際國華設計劃藝節課師傳統傘鏡頭襪褲襯裝飾舊頂層樓臺靜鬧擠隊親屬媽爺孫兒單雙獨處強壓輕鬆緊寬鹹鹽麩澱"
    "類種麥穀葉蘭豐簽證護賓館預訂帳戶態環聲響闆貨實隨卻雖讓嗎啟適錄檔檢測試雜誌報費遲鬱難煩惡懼驚嚇終於轉"
    "換變繼續現導團擾譯鮮錶淺幹乾髮纔燈牆臥廚廁廳櫃鎖鑰鄉鎮區縣橋樑島灣漁農產價認識專範獎勵績優壞滿盡園劇"
    "詩謠譜"
)
_SIMPLIFIED: Final = (
    "爱欢买东车书电话听说读写请这个们对过来时间点钟后开关门问题乐视频机场飞纸质阅览习惯简洁详细总结标语词"
    "论条长号码数据图画颜红蓝绿黄银铁锅饭面汤鸡鸭鱼虾猫马鸟龙猪苹柠杰药医疗诊断险钱贵贱购网络线离远边里里"
    "么样为与从当应该还没无会议务办职业员动运练游戏战术历学体验觉热凉温湿气风云阳阴较讨厌绝决给发讯邮轮软"
    "陆际国华设计划艺节课师传统伞镜头袜裤衬装饰旧顶层楼台静闹挤队亲属妈爷孙儿单双独处强压轻松紧宽咸盐麸淀"
    "类种麦谷叶兰丰签证护宾馆预订账户态环声响板货实随却虽让吗启适录档检测试杂志报费迟郁难烦恶惧惊吓终于转"
    "换变继续现导团扰译鲜表浅干干发才灯墙卧厨厕厅柜锁钥乡镇区县桥梁岛湾渔农产价认识专范奖励绩优坏满尽园剧"
    "诗谣谱"
)
_TO_SIMPLIFIED: Final = str.maketrans(_TRADITIONAL, _SIMPLIFIED)

_CONTRACTIONS: Final = (
    (re.compile(r"\b(can|won|shan)['’]?t\b"), lambda m: {"can": "can", "won": "will", "shan": "shall"}[m[1]] + " not"),
    (re.compile(r"\bcannot\b"), lambda m: "can not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could|must|need|ai)n['’]?t\b"), r"\1 not"),
    (re.compile(r"\bdont\b"), lambda m: "do not"),
    (re.compile(r"['’]m\b"), lambda m: " am"),
    (re.compile(r"['’]re\b"), lambda m: " are"),
    (re.compile(r"['’]ve\b"), lambda m: " have"),
    (re.compile(r"['’]ll\b"), lambda m: " will"),
    (re.compile(r"['’]d\b"), lambda m: " would"),
    (re.compile(r"['’]s\b"), lambda m: ""),
)
_CURRENCIES: Final = (("$", " dollar "), ("€", " euro "), ("£", " pound "), ("¥", " yuan "))
_ARTICLES: Final = frozenset({"a", "an", "the", "my", "your", "our", "his", "her", "its", "their", "some", "any"}) | {
    "this",
    "these",
    "those",
}
_HAN: Final = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]"
_WORD: Final = re.compile(
    rf"(?P<mark>#[cn][\d.]+\??)"
    rf"|(?P<han>{_HAN}+)"
    rf"|(?P<word>(?:(?!{_HAN})[^\W_])+(?:['’.&](?:(?!{_HAN})[^\W_])+)*[+#]*)"
    r"|(?P<stop>[,;:.!?()\n—–、，；。！？：…/]+)"
    r"|(?P<sign>[^\s\w])"
)
_DECORATION: Final = frozenset("😀😃😄😁😊🙂😉😍🥰😘😋😎🤗🤩✨🌟⭐❤♥💕💖💗💯🙏👍👌🎉🔥😂🤣😅😆☺👏💪🥳")

_WHOLE: Final = frozenset({"friendly", "strongly", "strictly", "mostly", "hardly", "lately", "quite", "need"}) | {
    *("speed", "feed", "news", "during", "morning", "evening", "greens", "sweets", "windows", "fishing", "lifting"),
    *("shipping", "texting", "tracking", "programming", "backpacking", "relaxing", "planned", "muted", "heated"),
    *("afters", "honestly"),
}
"""Words that only look inflected."""

_VOWEL: Final = re.compile("[aeiouy]")
_SHORT_ROOT: Final = re.compile("[^aeiou]*[aeiouy][^aeiouwxy]")

STOP: Final = "|"
"""The token that stands between clauses."""


def normalise(text: str) -> str:
    """Return text in one width, case and script, contractions written out, numbers and times as marks."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_TO_SIMPLIFIED)
    for pattern, replacement in _CONTRACTIONS:
        folded = pattern.sub(replacement, folded)
    for sign, name in _CURRENCIES:
        folded = folded.replace(sign, name)
    return mark_numbers(plain(_without_accents(folded)))


def _without_accents(text: str) -> str:
    """Return "cafés" as "cafes": the accents of Latin letters are written or left out at will."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", c)[0] if "\u00c0" <= c <= "\u024f" else c for c in text)


def tokens(text: str) -> list[str]:
    """Split normalised text into words, runs of Han, number marks, emoji and STOP; articles are left out.

    A hyphen joins nothing ("gluten-free" is two words), so that both spellings of a compound meet.
    """
    found: list[str] = []
    for match in _WORD.finditer(text):
        if match.lastgroup == "stop":
            found.append(STOP)
        elif match.lastgroup == "sign":
            # Joy may decorate any statement; other pictures can be what the statement is about.
            if unicodedata.category(match[0]) == "So" and match[0] not in _DECORATION:
                found.append(match[0])
        elif match.lastgroup == "word":
            found += [match[0]] if match[0] not in _ARTICLES else []
        else:
            found.append(match[0])
    return found


def is_han(token: str) -> bool:
    """Say whether a token is Chinese writing."""
    return "\u3400" <= token[0] <= "\u9fff" or token[0] >= "\U00020000" or "\uf900" <= token[0] <= "\ufaff"


def stem(word: str) -> str:
    """Return a word without its inflection: enough for the forms of one word to meet, no more.

    Short words and words with digits stay as they are, so that names and model numbers do.
    """
    if word in _WHOLE or len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    if len(word) == 4 and word.endswith("ies"):
        return word[:-1]
    for suffix, keep in (("ies", "y"), ("sses", "ss"), ("ied", "y")):
        if word.endswith(suffix) and len(word) > 4:
            return _bare(word[: -len(suffix)] + keep)
    if word.endswith("ings") and len(word) > 6:
        return stem(word[:-1])
    for suffix in ("ing", "ed"):
        root = word[: -len(suffix)]
        if word.endswith(suffix) and len(root) >= 2 and _VOWEL.search(root):
            if root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root + "e" if _SHORT_ROOT.fullmatch(root) else _bare(root)
    if word.endswith("ly") and len(word) > 5:
        return _bare(word[:-2])
    if word.endswith(("ches", "shes", "xes", "oes")):
        return _bare(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _bare(word[:-1])
    return _bare(word)


def _bare(root: str) -> str:
    """Drop a final e that inflections drop, but not where it tells words apart ("plane", "wine", "note")."""
    if root.endswith("ie"):
        return root[:-2] + "y"
    return root[:-1] if root.endswith("e") and not _SHORT_ROOT.fullmatch(root[:-1]) else root

"""Text as the judge compares it: one spelling for case, width, script, contractions, numbers and clock times."""

import re
import unicodedata
from typing import Final

from prefmem_pg.providers.offline.judge_numbers import mark_numbers

# Traditional and simplified characters of everyday preference vocabulary, pairwise.
_TRADITIONAL: Final = (
    "愛歡買東車書電話聽說讀寫請這個們對過來時間點鐘後開關門問題樂視頻機場飛紙質閱覽習慣簡潔詳細總結標"
    "語言詞論話條長短號碼數據圖畫顏色紅藍綠黃銀鐵鍋飯麵條湯雞鴨魚蝦蟹貓狗馬鳥龍豬豬蘋檸橘傑藥醫療診斷"
    "險錢貴賤購網絡線離遠邊裡裏麼樣為與從當應該還沒無會議務辦職業員動運練習慢漫遊戲戰術歷史學體驗覺熱涼"
    "溫濕氣風雲陽陰較討厭絕決給發訊郵輪軟陸際國華設計劃風藝術節課師傳統傘鏡頭鞋襪褲襯衫裝飾舊頂層樓臺"
    "靜鬧擠隊親屬媽爺孫兒單雙獨處強壓輕鬆緊寬鹹鹽麩澱類種麥穀葉藍蘭豐簽證護賓館預訂帳戶態環境聲響"
    "闆貨員實際隨時卻雖讓嗎啟適錄檔檢測試驗雜誌報紙費遲鬱難煩惡懼驚嚇終於轉換變繼續現場導團擾譯雞蛋鮮"
)
_SIMPLIFIED: Final = (
    "爱欢买东车书电话听说读写请这个们对过来时间点钟后开关门问题乐视频机场飞纸质阅览习惯简洁详细总结标"
    "语言词论话条长短号码数据图画颜色红蓝绿黄银铁锅饭面条汤鸡鸭鱼虾蟹猫狗马鸟龙猪猪苹柠橘杰药医疗诊断"
    "险钱贵贱购网络线离远边里里么样为与从当应该还没无会议务办职业员动运练习慢漫游戏战术历史学体验觉热凉"
    "温湿气风云阳阴较讨厌绝决给发讯邮轮软陆际国华设计划风艺术节课师传统伞镜头鞋袜裤衬衫装饰旧顶层楼台"
    "静闹挤队亲属妈爷孙儿单双独处强压轻松紧宽咸盐麸淀类种麦谷叶蓝兰丰签证护宾馆预订账户态环境声响"
    "板货员实际随时却虽让吗启适录档检测试验杂志报纸费迟郁难烦恶惧惊吓终于转换变继续现场导团扰译鸡蛋鲜"
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

_VOWEL: Final = re.compile("[aeiouy]")
_SHORT_ROOT: Final = re.compile("[^aeiou]*[aeiouy][^aeiouwxy]")

STOP: Final = "|"
"""The token that stands between clauses."""


def normalise(text: str) -> str:
    """Return text in one width, case and script, contractions written out, numbers and times as marks."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_TO_SIMPLIFIED)
    for pattern, replacement in _CONTRACTIONS:
        folded = pattern.sub(replacement, folded)
    return mark_numbers(folded)


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
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    for suffix, keep in (("ies", "y"), ("sses", "ss"), ("ied", "y")):
        if word.endswith(suffix) and len(word) > 4:
            return _bare(word[: -len(suffix)] + keep)
    if word.endswith("ings") and len(word) > 6:
        word = word[:-1]
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

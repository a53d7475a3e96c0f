"""Reads a Chinese sentence: which of its clauses say something lasting about the user."""

import re
from collections.abc import Sequence
from dataclasses import replace

from prefmem_pg.providers.offline import cues_zh
from prefmem_pg.providers.offline.attribution_zh import OTHERS, is_of_a_stranger, is_of_others, leaves_open
from prefmem_pg.providers.offline.contrasts_zh import read_contrast
from prefmem_pg.providers.offline.cue import STRONG, CueMatch, find_cue
from prefmem_pg.providers.offline.dangers_zh import names_no_danger, without_denials
from prefmem_pg.providers.offline.finding import Finding, of_danger
from prefmem_pg.providers.offline.occasions_zh import is_errand, is_fault_report, is_for_now, is_order, is_rescheduled
from prefmem_pg.providers.offline.questions import chinese_asks, request_start
from prefmem_pg.providers.offline.reject import is_passing, is_past, is_reported, points_away, refuses_sentence
from prefmem_pg.providers.offline.sentences import Span, chinese_clauses, scene

_FILLER = re.compile(
    r"^(?:(?:顺便(?:说一?下|提一?下|一提|说一句)?|对了|嗯+|呃+|哦+|啊|哎|唉|那个|话说|其实|另外|还有"
    r"|说实话|老实[说讲]|讲道理|先说一?下|先声明一?下|事先声明|说白了|坦白[说讲]|不瞒你说|说句实话|讲真|跟你说"
    r"|提醒一下|补充一下|补充一点|(?:请"
    r"|麻烦|帮我)?(?:记住|记一下|记得"
    r"|注意)(?=我|，|,|：|:|\s)"
    r"|你要知道|而且|但是|但(?=我|更|也|不|讨)|不过|可是|所以|因为|由于|好的?(?=[，,。！!\s])|谢谢(?:你"
    r"|啦|哈)?|多谢|感谢|哈哈+|是的|没错|不(?=[，,。！!\s])|也就是说|我跟你讲|你好|您好|然后|毕竟|反正|总之"
    r"|btw)[\s，,。：:！!~～]*)+",
    re.IGNORECASE,
)
_REASON = re.compile(r"^(?:因为|由于|毕竟|主要是|怕是|不然|否则|要不然|要不(?=我|就|会)|免得|省得)")
_OPENS = re.compile(
    r"^(?:如果|要是|只要|每次|每天|平时|周末|当|在|对于|关于|跟|给|作为|身为|出差|旅行|旅游|吃饭|晚上|早上"
    r"|除了|无论|不管|自从|从|任何|凡是|点外卖|买东西)|(?:时|时候|的话|后|前|来说|方面|嘛|呢|这块儿?|这种|之类的?"
    r"|什么的|这些|这类|起|开始|以来)$"
)
# "从上周开始一口没喝": of what stood before it, and no circumstance of what follows.
_ABSTAINED = re.compile(r"(?:一[口点滴杯根支]|再)[都也]?(?:没|不)(?:再)?(?:喝|吃|碰|抽|沾)过?了?$")
_HEDGES = re.compile(
    r"^(?:除了|除非|只是|尤其|特别是|比如|例如|还有|以及|前提是|哪怕|但(?:是)?(?:不能|不要|别|只|要)"
    r"|不过(?:不能|不要|别|只|要))"
)
_UNFINISHED = re.compile(r"(?:别|不要|不用|不|请|都|莫|勿|再)$")
# "从不加糖" tells more of the coffee before it; "从来不喝汽水" tells of something else.
_CONTINUES = re.compile(r"^(?:(?:从不|从来不|也不)(?!吃|喝|看|听|玩|买|穿|住|坐|去)|并且|不加|不放|而且)")
_CARRIES_OUT = re.compile(r"^(?:先|再|然后|直接|用|要|都|一律|尽量|最好|不要|别|不许)")


_OF_THEM = re.compile(r"(?:他|她|人)们?家|[他她]")
MOST_OF_A_WORD = 3
"""Characters of a clause that is a word ("靠窗") and says nothing without the one before it."""
MOST_BEFORE_A_WORD = 8
# What somebody says who asks nothing: "谁说我不爱吃甜的？"
_RHETORICAL = re.compile(
    r"谁说|谁(?:会|能|舍得)?(?:拒绝|不[爱喜想])|怎么(?:会|可能|能)不|哪(?:会|能)不|何尝不"
    r"|怎么\w{1,3}怎么\w|还(?:能)?(?:叫|算)\w{0,6}吗|(?:能不能|可不可以|能否)(?:请|麻烦你?)?(?:以后|每次|都|一律)"
    r"|谁\w{1,8}我就?跟谁|有谁能?(?:抵|拒|不)|还有(?:什么|啥)?能?比\w+更"
)
# "以后都这样" says for how long, and the clause before it what.
_AS_BEFORE = re.compile(
    r"^(?:以后|今后|往后|每次|一直|下次)(?:也|都|就|请|一律)*(?:这样|这么|照这|按这|如此|一样|照旧)"
)


def read_chinese(sentence: Span) -> list[Finding]:
    """Return the findings of one sentence, in order."""
    if not cues_zh.PRECHECK.search(sentence.text):
        return []
    findings = _told(sentence)
    return [] if findings and refuses_sentence(sentence.text) else findings  # asked last: most sentences tell nothing


def _told(sentence: Span) -> list[Finding]:
    clauses = chinese_clauses(sentence)
    marked = sentence.text.rstrip("”’\"'」） ").endswith(("?", "？"))
    reader = _ClauseReader(clauses)
    for index, clause in enumerate(clauses):
        if body := _without_fillers(clause):
            reader.read(index, body, is_marked=marked and index == len(clauses) - 1)
    return reader.findings


class _ClauseReader:
    """Reads the clauses of a sentence in order, and remembers of whom they are and what waits for its other half."""

    def __init__(self, clauses: Sequence[Span]) -> None:
        self.findings: list[Finding] = []
        self._clauses = clauses
        self._glued: Span | None = None  # a circumstance that opens what comes next
        self._reason: tuple[int, int] | None = None
        self._foil: Span | None = None  # what somebody else was said to like right before
        self._said: Span | None = None  # the user's own clause right before
        self._of_others = self._is_quoted = False
        self._is_order = bool(clauses) and is_order(",".join(clause.text for clause in clauses))

    def read(self, index: int, body: Span, *, is_marked: bool) -> None:
        """Read one clause; ``body`` is the clause without its fillers."""
        if self._foil and not self._is_quoted and (contrast := read_contrast(self._foil, body)):
            self.findings.append(contrast)
            self._of_others, self._foil = False, None
            return
        clause = self._clauses[index]
        because = bool(_REASON.match(clause.text))
        match = self._match(index, body, is_marked=is_marked, because=because)
        if match:
            self._add(index, body, match)
        elif because and self.findings:
            self.findings[-1] = replace(self.findings[-1], reason=(clause.start, clause.end))
        elif because:
            self._reason = (clause.start, clause.end)
        elif self.findings and (
            _HEDGES.match(clause.text) or _is_carried_out(self.findings[-1], clause, self._clauses[index - 1])
        ):
            self.findings[-1] = replace(self.findings[-1], end=clause.end)
        else:
            opens = _OPENS.search(body.text) and not _ABSTAINED.search(body.text) and not self._of_others
            self._glued = (self._glued or body) if opens else None
        self._said = None if self._of_others else body

    def _match(self, index: int, body: Span, *, is_marked: bool, because: bool) -> CueMatch | None:
        """Return the cue of a clause that tells something of the user's own, and note whose the clause is."""
        match = _telling_cue(body, is_marked=is_marked)
        told_from = match.start if match else len(body.text)
        self._of_others = self._is_quoted or is_of_others(body.text, told_from, before=self._of_others)
        self._is_quoted = self._is_quoted or (self._of_others and leaves_open(body.text))
        self._foil = self._clauses[index] if self._of_others and not self._is_quoted else None
        if match is None:
            return None
        if match.cue.is_safety:
            before = self._clauses[index - 1].text if index and _OF_THEM.match(body.text) else ""
            return None if is_of_a_stranger(f"{before} {body.text}") else match
        if self._is_order and match.cue.reason.startswith("tells the assistant"):
            return None
        if self._of_others or because or _refuses(body.text, scene(self._clauses, index), match):
            return None
        return match

    def _add(self, index: int, body: Span, match: CueMatch) -> None:
        before = self._clauses[index - 1] if index else None
        end = body.start + _told_until(body.text, match)
        previous = self.findings[-1] if self.findings else None
        is_open = match.cue.is_safety and names_no_danger(body.text)
        if is_open and previous and before and before.start <= previous.start and previous.end >= before.end:
            self.findings[-1:] = of_danger(previous, match.cue, end)
        elif previous and before and _continues(previous, match, self._clauses[index], before):
            self.findings[-1] = replace(previous, end=end)
        else:
            start = self._glued.start if self._glued else body.start
            if self._said and not self._glued and _leans(body, self._said):
                start = self._said.start
            if match.cue.is_safety and before and _is_of_a_relative(body.text, before.text):
                start = before.start
            self.findings.append(Finding(start, end, match.cue, reason=self._reason, is_safety=match.cue.is_safety))
        self._glued = self._reason = None


def _leans(body: Span, said: Span) -> bool:
    """Say whether a clause is no more than a word, or says of the one before it for how long that holds."""
    is_word = len(body.text) <= MOST_OF_A_WORD and len(said.text) <= MOST_BEFORE_A_WORD and said.end + 2 >= body.start
    return is_word or bool(_AS_BEFORE.match(body.text))


def _without_fillers(clause: Span) -> Span | None:
    match = _FILLER.match(clause.text)
    cut = match.end() if match else 0
    text = clause.text[cut:]
    return Span(clause.start + cut, clause.end, text) if text else None


def _told_until(text: str, match: CueMatch) -> int:
    """Return where a request begins behind the cue; "别给我订" is no request but what is not to be done."""
    cut = request_start(text)
    return cut if cut >= match.end and not _UNFINISHED.search(text[:cut]) else len(text)


def _is_of_a_relative(text: str, before: str) -> bool:
    """Say whether a danger without a subject is that of the relative in the clause before ("我女儿五岁，花生过敏")."""
    return bool(re.search(rf"我(?:家|的)?{OTHERS}", before)) and not re.search(rf"我|{OTHERS}", text)


def _telling_cue(body: Span, *, is_marked: bool) -> CueMatch | None:
    """Find a cue in the part of the clause that tells; what is asked does not count."""
    if not chinese_asks(body.text, is_marked=is_marked) or _RHETORICAL.search(body.text):
        return find_cue(without_denials(body.text), cues_zh.CUES)
    told = body.text[: request_start(body.text)]
    if len(told) == len(body.text) and not is_marked:
        return None
    match = find_cue(without_denials(told), cues_zh.CUES)
    if match and match.cue.kind == "fact" and "我" not in told:
        return None  # of whom it is stays open: "肠胃不好挂哪个科"
    if match is None or (len(told) == len(body.text) and match.cue.kind != "goal"):
        return None
    return match


def _refuses(text: str, scene_text: str, match: CueMatch) -> bool:
    if match.cue.kind == "fact":
        return False
    if _is_quoted(text, match.start):
        return True
    if match.cue.kind == "goal" and is_errand(scene_text):
        return True
    if match.cue.reason == "changed their ways" and is_rescheduled(scene_text):
        return True
    if match.cue.reason.startswith("tells the assistant") and (is_errand(scene_text) or is_for_now(text, scene_text)):
        return True
    if (match.cue.confidence < STRONG or match.cue.reason.startswith("standing")) and is_fault_report(scene_text):
        return True
    return is_passing(scene_text) or is_reported(text) or is_past(text) or points_away(text, match.start, match.end)


def _is_quoted(text: str, place: int) -> bool:
    """Say whether a place lies between quotation marks that open within the clause ("弹幕都在刷"讨厌女主"")."""
    before = text[1:place]
    return (
        before.count('"') % 2 == 1 or before.rfind("“") > before.rfind("”") or before.rfind("「") > before.rfind("」")
    )


def _continues(previous: Finding, match: CueMatch, clause: Span, before: Span) -> bool:
    """Say whether a clause without a subject carries on the statement before it ("只喝黑咖啡，从不加糖")."""
    is_adjacent = previous.end == before.end
    if not is_adjacent or match.cue.is_safety:
        return False
    return bool(_CONTINUES.match(clause.text)) or _is_carried_out(previous, clause, before)


def _is_carried_out(previous: Finding, clause: Span, before: Span) -> bool:
    """Say whether a clause goes on with a standing order ("以后回答技术问题，先给结论")."""
    is_order = previous.cue.reason.startswith("standing")
    return is_order and previous.end == before.end and bool(_CARRIES_OUT.match(clause.text))

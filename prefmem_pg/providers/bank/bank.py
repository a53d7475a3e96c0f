"""The bank: what questions and statements look like to a model before anyone has asked or said anything.

The texts were written for this project, 480 questions and 320 statements in each of two languages, over some ninety
everyday topics in the forms that people use. Their vectors are shipped for the local model (built by
``scripts/build_bank.py``) and computed for any other. In the files "# name" begins a topic; "# -" begins texts that
have none in common.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.providers.protocols import EmbeddingModel, Vectors

LANGUAGES: Final = ("en", "zh")
OTHER: Final = "other"
"""Stands for every language that has no texts of its own."""
FORM_DIRECTIONS: Final = 16
"""Directions that say how a thing is put, not what it is about; 12 to 24 measured the same on development data."""
DIMENSIONS_PER_FORM_DIRECTION: Final = 24
"""16 of 384. A smaller model gets fewer, so that enough is left to tell topics apart."""
EXACT_DIMENSIONS: Final = 512
SKETCH_DIRECTIONS: Final = 64
SKETCH_ROUNDS: Final = 6
"""For longer vectors: four times as many directions as are wanted, turned so often that these stand still."""

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Bank:
    """Vectors of one model by language: "en", "zh" and "other" (see ``bank_language``).

    ``question_mean`` and ``statement_mean`` are means of raw vectors, not of length 1: subtract, then normalise.
    ``form`` has orthonormal rows: the directions in which texts on one topic differ most, be they questions or
    statements, in any language ("I can't stand X" and "I really like X", "How do I choose X?" and "Give me ideas for
    X"). ``questions`` are rows of length 1, centred with the question mean of their own language, without form.
    """

    model: str
    question_mean: Mapping[str, Vector]
    statement_mean: Mapping[str, Vector]
    questions: Mapping[str, Vectors]
    form: Vectors

    @cached_property
    def formless_question_mean(self) -> Mapping[str, Vector]:
        """The question means without their parts along the form directions."""
        return {language: without_form(self.form, mean) for language, mean in self.question_mean.items()}


def without_form(form: Vectors, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors, one or many, less their parts along the form directions; the length shrinks.

    It is for questions to preferences: how they are put, polarity included, is then not compared, and recall at 5 on
    development data goes from .85 to .89. Memories may keep their form, as its dot product with such a question is 0;
    so no second vector is stored. It is linear: apply it to a question and to the mean that is subtracted from it, or
    to their difference. Not for questions to messages, where a way of speaking helps a little to find the message.
    """
    return (vectors - (vectors @ form.T) @ form).astype(np.float32, copy=False)


def bank_language(language: str) -> str:
    """Return the key into a Bank for a language code: "en-GB" is "en", "zh-Hant" is "zh", all the rest is "other".

    For "other" the means are halfway between the two languages and the questions are those of both: what all
    questions have in common goes away, whichever language they are in, and topics still find topics.
    """
    code = language.replace("_", "-").partition("-")[0].lower()
    return code if code in LANGUAGES else OTHER


def load_bank(embedder: EmbeddingModel) -> Bank:
    """Return the bank of an embedder's model, made once for each process and model.

    The shipped vectors are taken when they are of this model and of today's texts; otherwise the 1,600 texts are
    embedded, statements as documents and questions as queries. Raises a ProviderError when that fails.
    """
    key = _key(embedder)
    if key not in _BANKS:
        # Without a lock two threads may both do this; a lock held at a fork would stop the child for ever.
        _BANKS[key] = _read_shipped(embedder) or assemble(embedder.name, embed_texts(embedder))
    return _BANKS[key]


def pack_bank(embedder: EmbeddingModel) -> bytes | None:
    """Return the embedder's bank for the database to keep; None when the package brings it along.

    1,600 texts are embedded once when a model is registered, not by every process that starts.
    """
    if _read_shipped(embedder) is not None:
        return None
    bank = load_bank(embedder)
    arrays: dict[str, Vectors] = {"form": bank.form}
    for language in LANGUAGES:
        arrays[f"question_mean.{language}"] = bank.question_mean[language]
        arrays[f"statement_mean.{language}"] = bank.statement_mean[language]
        arrays[f"questions.{language}"] = bank.questions[language].astype(np.float16)
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, texts_hash=np.array(texts_hash()), **arrays)
    return packed.getvalue()


def accept_bank(embedder: EmbeddingModel, packed: bytes | None) -> None:
    """Take in a bank that ``pack_bank`` made, unless the process has one or the texts have changed since."""
    if packed is not None and _key(embedder) not in _BANKS and is_current(packed):
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            _BANKS[_key(embedder)] = assemble(embedder.name, arrays)


def is_current(packed: bytes | None) -> bool:
    """Say whether a packed bank is of today's texts."""
    if packed is None:
        return False
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return str(arrays["texts_hash"]) == texts_hash()


def _key(embedder: EmbeddingModel) -> tuple[str, str, int]:
    return embedder.provider, embedder.name, embedder.dimensions


def topics(side: str, language: str) -> list[tuple[str, list[str]]]:
    """Return the bank's texts by topic, in the order of the file; topic "-" holds those that have none in common.

    ``side`` is "questions" or "statements", ``language`` one of LANGUAGES.
    """
    found: list[tuple[str, list[str]]] = []
    for line in _file(f"{side}.{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found.append((line[2:], []))
        elif line:
            found[-1][1].append(line)
    return found


def texts(side: str, language: str) -> list[str]:
    """Return the bank's texts in the order of the file."""
    return [text for _, members in topics(side, language) for text in members]


def texts_hash() -> str:
    """Return the SHA-256 of all texts and topics, by which shipped vectors are known to be theirs."""
    content = [topics(side, language) for side in ("questions", "statements") for language in LANGUAGES]
    return hashlib.sha256(repr(content).encode()).hexdigest()


def embed_texts(embedder: EmbeddingModel) -> dict[str, Vectors]:
    """Return what ``assemble`` needs: "form", "question_mean.en", "statement_mean.en", "questions.en" …"""
    embed = {"questions": embedder.embed_queries, "statements": embedder.embed_documents}
    raw = {
        (side, language): np.asarray(embed[side](texts(side, language)), dtype=np.float32)
        for language in LANGUAGES
        for side in embed
    }
    form = _form([spread for key, vectors in raw.items() for spread in _within_topics(*key, vectors)])
    arrays: dict[str, Vectors] = {"form": form}
    for language in LANGUAGES:
        questions = raw["questions", language]
        mean = questions.mean(axis=0)
        arrays[f"question_mean.{language}"] = mean
        arrays[f"statement_mean.{language}"] = raw["statements", language].mean(axis=0)
        arrays[f"questions.{language}"] = _unit_rows(without_form(form, questions - mean))
    return arrays


def assemble(model: str, arrays: Mapping[str, Vectors]) -> Bank:
    """Return the bank made of ``embed_texts``' arrays, of any floating type, and of "other" derived from them."""
    parts = {
        part: {language: arrays[f"{part}.{language}"].astype(np.float32) for language in LANGUAGES}
        for part in ("question_mean", "statement_mean", "questions")
    }
    for part in ("question_mean", "statement_mean"):
        means = [parts[part][language] for language in LANGUAGES]
        parts[part][OTHER] = np.mean(means, axis=0, dtype=np.float32)
    # Half precision has bent the lengths a little.
    parts["questions"] = {language: _unit_rows(rows) for language, rows in parts["questions"].items()}
    parts["questions"][OTHER] = np.vstack([parts["questions"][language] for language in LANGUAGES])
    return Bank(model=model, form=arrays["form"].astype(np.float32), **parts)


_BANKS: dict[tuple[str, str, int], Bank] = {}


def _read_shipped(embedder: EmbeddingModel) -> Bank | None:
    shipped = _file(f"{embedder.name}.npz")
    if not shipped.is_file():
        return None
    with resources.as_file(shipped) as path, np.load(path, allow_pickle=False) as arrays:
        is_current = (
            str(arrays["texts_hash"]) == texts_hash()
            and len(arrays[f"question_mean.{LANGUAGES[0]}"]) == embedder.dimensions
        )
        return assemble(embedder.name, arrays) if is_current else None


def _within_topics(side: str, language: str, vectors: Vectors) -> list[Vectors]:
    """Return how the texts of each topic differ from their common mean."""
    spreads, start = [], 0
    for topic, members in topics(side, language):
        rows = vectors[start : start + len(members)]
        start += len(members)
        if topic != "-":
            spreads.append(rows - rows.mean(axis=0))
    return spreads


def _form(spreads: Sequence[Vectors]) -> Vectors:
    """Return the first principal directions of what varies while the topic stays."""
    rows = np.vstack(spreads)
    wanted = min(FORM_DIRECTIONS, rows.shape[1] // DIMENSIONS_PER_FORM_DIRECTION)
    if rows.shape[1] <= EXACT_DIMENSIONS:
        return np.linalg.svd(rows, full_matrices=False)[2][:wanted].astype(np.float32)
    # Subspace iteration (Halko, Martinsson, Tropp 2011): all directions of a long vector would take a minute.
    basis = np.random.default_rng(0).normal(size=(rows.shape[1], SKETCH_DIRECTIONS)).astype(np.float32)
    for _ in range(SKETCH_ROUNDS):
        basis = np.linalg.qr(rows.T @ (rows @ basis))[0]
    turned = np.linalg.svd(rows @ basis, full_matrices=False)[2]
    return (turned[:wanted] @ basis.T).astype(np.float32)


def _file(name: str) -> resources.abc.Traversable:
    return resources.files("prefmem_pg.providers.bank").joinpath(name)


def _unit_rows(rows: Vectors) -> Vectors:
    """Return the rows with length 1; a row of zeros stays, as it points nowhere."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)

"""The bank: what questions and statements look like to a model before anyone has asked or said anything.

The texts were written for this project, 480 questions and 320 statements in each of two languages, over some ninety
everyday topics in the forms that people use. Their vectors are shipped for the local model (built by
``scripts/build_bank.py``) and computed for any other.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.providers.protocols import EmbeddingModel, Vectors

LANGUAGES: Final = ("en", "zh")
OTHER: Final = "other"
"""Stands for every language that has no texts of its own."""

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Bank:
    """Vectors of one model by language: "en", "zh" and "other" (see ``bank_language``).

    ``question_mean`` and ``statement_mean`` are means of raw vectors, not of length 1: subtract, then normalise.
    ``questions`` are rows of length 1, centred with the question mean of their own language.
    """

    model: str
    question_mean: Mapping[str, Vector]
    statement_mean: Mapping[str, Vector]
    questions: Mapping[str, Vectors]


def bank_language(language: str) -> str:
    """Return the key into a Bank for a language code: "en-GB" is "en", "zh-Hant" is "zh", all the rest is "other".

    For "other" the means are halfway between the two languages and the questions are those of both: what all
    questions have in common goes away, whichever language they are in, and topics still find topics.
    """
    code = language.replace("_", "-").partition("-")[0].lower()
    return code if code in LANGUAGES else OTHER


def load_bank(embedder: EmbeddingModel) -> Bank:
    """Return the bank of an embedder's model, made once for each process and (name, dimensions).

    The shipped vectors are taken when they are of this model and of today's texts; otherwise the 1,600 texts are
    embedded, statements as documents and questions as queries. Raises a ProviderError when that fails.
    """
    key = (embedder.name, embedder.dimensions)
    if key not in _BANKS:
        # Without a lock two threads may both do this; a lock held at a fork would stop the child for ever.
        _BANKS[key] = _read_shipped(embedder) or assemble(embedder.name, embed_texts(embedder))
    return _BANKS[key]


def texts(side: str, language: str) -> list[str]:
    """Return the bank's texts; ``side`` is "questions" or "statements", ``language`` one of LANGUAGES."""
    return _file(f"{side}.{language}.txt").read_text(encoding="utf-8").splitlines()


def texts_hash() -> str:
    """Return the SHA-256 of all texts, by which shipped vectors are known to be theirs."""
    lines = [line for side in ("questions", "statements") for language in LANGUAGES for line in texts(side, language)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def embed_texts(embedder: EmbeddingModel) -> dict[str, Vectors]:
    """Return what ``assemble`` needs: "question_mean.en", "statement_mean.en", "questions.en" …"""
    arrays: dict[str, Vectors] = {}
    for language in LANGUAGES:
        questions = np.asarray(embedder.embed_queries(texts("questions", language)), dtype=np.float32)
        statements = np.asarray(embedder.embed_documents(texts("statements", language)), dtype=np.float32)
        mean = questions.mean(axis=0)
        arrays[f"question_mean.{language}"] = mean
        arrays[f"statement_mean.{language}"] = statements.mean(axis=0)
        arrays[f"questions.{language}"] = _unit_rows(questions - mean)
    return arrays


def assemble(model: str, arrays: Mapping[str, Vectors]) -> Bank:
    """Return the bank made of ``embed_texts``' arrays, of any floating type, and of "other" derived from them."""
    parts = {
        part: {language: arrays[f"{part}.{language}"].astype(np.float32) for language in LANGUAGES}
        for part in ("question_mean", "statement_mean", "questions")
    }
    for part in ("question_mean", "statement_mean"):
        parts[part][OTHER] = np.mean([parts[part][language] for language in LANGUAGES], axis=0, dtype=np.float32)
    # Half precision has bent the lengths a little.
    parts["questions"] = {language: _unit_rows(rows) for language, rows in parts["questions"].items()}
    parts["questions"][OTHER] = np.vstack([parts["questions"][language] for language in LANGUAGES])
    return Bank(model=model, **parts)


_BANKS: dict[tuple[str, int], Bank] = {}


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


def _file(name: str) -> resources.abc.Traversable:
    return resources.files("prefmem_pg.providers.bank").joinpath(name)


def _unit_rows(rows: Vectors) -> Vectors:
    """Return the rows with length 1; a row of zeros stays, as it points nowhere."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)

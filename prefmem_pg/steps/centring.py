"""Two corrections of vector search by the bank of template questions: smoothing and hubness.

The constants were measured on development data of preferences; they are flat around these values.
"""

import math
import os
import threading
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from prefmem_pg.providers.bank import Bank, bank_language
from prefmem_pg.providers.protocols import Vectors

SMOOTHING_NEIGHBOURS: Final = 10
SMOOTHING_WEIGHT: Final = 0.3
"""10 x .3: recall at 5 of preferences +.015; 5 to 20 neighbours and weights to .5 measured the same."""
HUB_NEIGHBOURS: Final = 20
"""As in cross-domain similarity local scaling (Conneau et al. 2018), whose k is 10; 10 to 20 measured the same."""

Vector = NDArray[np.float32]


def smoothing(bank: Bank, query_vector: Vector, language: str) -> Vector:
    """Return what to add to a centred question: the direction of the template questions that resemble it.

    ``query_vector`` is the embedder's, as it came; ``language`` is the question's. The result has length 0.3, or 0
    when the nearest templates cancel out. Add it to a question of length 1 and normalise again.
    """
    key = bank_language(language)
    questions = bank.questions[key]
    # The bank's questions have no form, so that of this one does not count.
    likeness = questions @ (query_vector - bank.question_mean[key])
    first = max(len(likeness) - SMOOTHING_NEIGHBOURS, 0)
    nearest = np.sort(np.argpartition(likeness, first)[first:])
    return SMOOTHING_WEIGHT * _unit(questions[nearest].sum(axis=0))


def centred_question(raw: Vector, mean: Vector, smoothed: Vector) -> Vector:
    """Return a question as it is compared with memories, of length 1: less the mean of questions, drawn to the bank."""
    return _unit(_unit(raw - mean) + smoothed)


def hub(bank: Bank, centred_document_vectors: Vectors, query_language: str) -> Vector:
    """Return how much each memory is near to every question, whatever it asks: one real for each row.

    That is the mean of its 20 highest dot products with the template questions of the language that will be asked
    in. ``centred_document_vectors`` are rows of length 1 with the statement mean of the memory's own language
    subtracted. Subtract a part of the result from the vector score, so that such memories do not crowd out others.
    """
    questions = bank.questions[bank_language(query_language)]
    if not len(centred_document_vectors):
        return np.empty(0, dtype=np.float32)
    with _alone, _libraries().limit(limits=1, user_api="blas"):
        products = centred_document_vectors @ questions.T
    first = max(products.shape[1] - HUB_NEIGHBOURS, 0)
    highest: Vectors = np.partition(products, first, axis=1)[:, first:]
    means: Vector = highest.mean(axis=1)
    return means


@cache
def _libraries() -> ThreadpoolController:
    """Return what limits the threads of numpy's products; to look through all loaded libraries takes a millisecond.

    More than one thread take the cores that the server works on and spin while they wait: a load is then a fifth
    slower on two cores, for two to three times the processor time. The limit is the process's, and of two that
    overlapped the second would keep for ever what the first had set: one at a time.
    """
    return ThreadpoolController()


def _begin_anew() -> None:
    """Forget, in a forked child, a lock that a thread of the parent may hold."""
    global _alone
    _alone = threading.Lock()


_alone = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(vector @ vector)  # a third of the time of linalg.norm
    unit: Vector = (vector / length if length > 0 else vector).astype(np.float32)
    return unit

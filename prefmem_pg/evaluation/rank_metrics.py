"""Measures of ranked answers by trec_eval, the reference implementation, through pytrec_eval."""

from collections.abc import Sequence
from typing import Any, Final

from prefmem_pg.errors import ConfigurationError

NDCG_CUTOFF: Final = 10


def rank_scores(details: Sequence[tuple[Sequence[int], int]], *, cutoffs: Sequence[int]) -> list[dict[str, float]]:
    """Return recall at each cutoff (R@k), MRR and nDCG@10 of each question.

    A question is given by the ranks at which relevant answers were found, from 1, and how many are relevant at all; no
    rank is there twice. Raises ConfigurationError when pytrec_eval is not installed.
    """
    if not details:
        return []
    measures = {f"recall_{cutoff}": f"R@{cutoff}" for cutoff in cutoffs}
    measures |= {"recip_rank": "MRR", f"ndcg_cut_{NDCG_CUTOFF}": f"nDCG@{NDCG_CUTOFF}"}
    relevant = {str(n): _relevant(ranks, total) for n, (ranks, total) in enumerate(details)}
    found = {str(n): _answers(ranks) for n, (ranks, _) in enumerate(details)}
    by_question = _evaluator()(relevant, set(measures)).evaluate(found)
    return [{measures[name]: by_question[str(n)][name] for name in measures} for n in range(len(details))]


def _relevant(ranks: Sequence[int], total: int) -> dict[str, int]:
    return {f"at {rank}": 1 for rank in ranks} | {f"not found {n}": 1 for n in range(total - len(ranks))}


def _answers(ranks: Sequence[int]) -> dict[str, float]:
    """Return an answer for each rank down to the last relevant one, scored so that trec_eval ranks them as they were.

    trec_eval keeps scores in single precision, which tells whole numbers apart.
    """
    return {f"at {rank}": float(-rank) for rank in range(1, max(ranks, default=1) + 1)}


def _evaluator() -> Any:  # Any: pytrec_eval has no type information
    try:
        import pytrec_eval
    except ImportError as exc:
        raise ConfigurationError("measuring retrieval needs pytrec_eval; run: pip install 'prefmem-pg[eval]'") from exc
    return pytrec_eval.RelevanceEvaluator

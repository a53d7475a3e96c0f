"""The hybrid search's text, rendered for a function's parameters or the driver's, with a filter or without."""

from collections.abc import Mapping
from typing import Final

from prefmem_pg.db.hybrid_statement import ALLOWED, CONSENTED, FEW_ARM, GIVEN, PASSES, SCORE, SEES, STATEMENT
from prefmem_pg.db.ranking import (
    FACTORS,
    FEW_IDS,
    FREQUENT,
    INDEX_SHARE,
    KEYWORD_BUDGET,
    MIDPOINT,
    MIN_POOL,
    NEVER_CAPPED,
    POOL_FACTOR,
    PREFERENCE_WEIGHTS,
    STEEPNESS,
)
from prefmem_pg.db.rows import PREFERENCE_COLUMNS, preference_columns

PARAMETERS: Final = {
    "user_id": "text",
    "query": "text",
    "statement_hash": "bytea",
    "vector": "vector",
    "shipped_mean": "vector",
    "smoothing": "vector",
    "language": "text",
    "limit": "integer",
    "min_score": "float8",
    "now": "timestamptz",
    "exact": "boolean",
}
"""What a search is given, in the order of the function's parameters."""
RESULT: Final = PREFERENCE_COLUMNS | {
    "score": "float8",
    "semantic": "float8",
    "keyword": "float8",
    "fuzzy": "float8",
    "relevance": "float8",
    "recency": "float8",
    "importance_factor": "float8",
    "confidence_factor": "float8",
    "heat": "float8",
    "semantic_rank": "bigint",
    "keyword_rank": "bigint",
    "is_exact": "boolean",
    "plan": "text",
    "evidence": "jsonb",
}
"""The columns that a search returns, with their types."""


def render(*, model_id: int, dimensions: int, parameter: Mapping[str, str], condition: str | None = None) -> str:
    """Return the statement; ``parameter`` says what stands for each of PARAMETERS, ``condition`` is a filter on p.

    With a parameter "allowed", an array of ids, only those are searched, exactly; they have passed a filter already.
    """
    texts = dict(parameter) | _constants(parameter["limit"])
    texts |= {"model_id": str(int(model_id)), "dimensions": str(int(dimensions)), "consented": CONSENTED}
    texts |= {"score": SCORE, "sees": SEES, "columns": preference_columns("p")}
    texts |= {"condition": condition or "true"}
    if "allowed" in parameter:
        return STATEMENT.format_map(texts | _among(texts))
    return STATEMENT.format_map(texts | (_unfiltered(texts) if condition is None else _filtered(texts)))


_LARGE: Final = "coalesce(bool_or(in_hnsw), false)"


def _unfiltered(texts: dict[str, str]) -> dict[str, str]:
    seen = f"(SELECT may_see FROM consent) OR {_passes(texts, '{key}')}"
    return {
        "allowed": "",
        "few_arm": "",
        "by_index": f"{_LARGE} AND NOT {texts['exact']}",
        "scan_when": "NOT by_index OR is_short OR has_others",
        "scan_limit": f"LIMIT {texts['pool']}",
        "filter_index": "",
        "admits_scan": "true",
        "admits_keyword": seen.replace("{key}", "k.preference_id"),
        "admits_fuzzy": seen.replace("{key}", "f.preference_id"),
        "admits_rest": "true",
    }


def _among(texts: dict[str, str]) -> dict[str, str]:
    # IS TRUE: a hash that is asked row by row, not a join, for which a generic plan would go through all for each.
    among = "({key} IN (SELECT preference_id FROM allowed)) IS TRUE"
    return {
        "allowed": GIVEN.format_map(texts),
        "few_arm": FEW_ARM.format_map(texts),
        "by_index": "false",
        "scan_when": "by_index",
        "scan_limit": "",
        "filter_index": "",
        "admits_scan": "true",
        "admits_keyword": among.replace("{key}", "k.preference_id"),
        "admits_fuzzy": among.replace("{key}", "f.preference_id"),
        "admits_rest": among.replace("{key}", "p.preference_id"),
    }


def _filtered(texts: dict[str, str]) -> dict[str, str]:
    def admits(key: str) -> str:
        few = f"{key} IN (SELECT preference_id FROM allowed)"
        return f"CASE WHEN (SELECT by_index FROM me) THEN {_passes(texts, key)} ELSE {few} END"

    return {
        "allowed": ALLOWED.format_map(texts),
        "few_arm": FEW_ARM.format_map(texts),
        "by_index": f"{_LARGE} AND (SELECT count(*) FROM allowed) > {FEW_IDS}",
        "scan_when": "by_index AND (is_short OR has_others)",
        "scan_limit": "OFFSET 0",
        "filter_index": f"AND {_passes(texts, 'e.preference_id')}",
        "admits_scan": _passes(texts, "c.preference_id"),
        "admits_keyword": admits("k.preference_id"),
        "admits_fuzzy": admits("f.preference_id"),
        "admits_rest": f"({texts['condition']})",
    }


def _passes(texts: dict[str, str], key: str) -> str:
    return PASSES.format_map(texts | {"key": key})


def _constants(limit: str) -> dict[str, str]:
    """Return the constants as literals: the plan of the function is made once, and knows them."""
    weights, factors = PREFERENCE_WEIGHTS, FACTORS
    reals = {
        "hub_weight": weights.hub,
        "keyword_weight": weights.keyword,
        "fuzzy_weight": weights.fuzzy,
        "k1": weights.k1,
        "b": weights.b,
        "steepness": STEEPNESS,
        "midpoint": MIDPOINT,
        "recency_weight": factors.recency,
        "importance_weight": factors.importance,
        "confidence_weight": factors.confidence,
        "heat_weight": factors.heat,
        "half_life": factors.half_life_days * 86_400,
        "most": factors.most,
        "index_share": INDEX_SHARE,
        "fuzzy_threshold": weights.fuzzy_threshold,
    }
    whole = {
        "few_ids": FEW_IDS,
        "frequent": FREQUENT,
        "keyword_budget": KEYWORD_BUDGET,
        "never_capped": NEVER_CAPPED,
    }
    return (
        {name: f"CAST({value!r} AS float8)" for name, value in reals.items()}
        | {name: str(value) for name, value in whole.items()}
        | {"pool": f"greatest({MIN_POOL}, {POOL_FACTOR} * {limit})"}
    )

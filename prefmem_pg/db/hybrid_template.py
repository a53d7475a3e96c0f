"""The hybrid search's text, put together for a function's statements or for the driver's parameters with a filter."""

from collections.abc import Mapping
from typing import Final, Literal

from prefmem_pg.db.hybrid_semantic import (
    ALL_VECTORS,
    FEW,
    MEANS,
    NEAREST,
    SCORE,
    SEES,
    SEMANTIC_AMONG,
    SEMANTIC_BY_INDEX,
    SEMANTIC_EXACT,
    WAY,
)
from prefmem_pg.db.hybrid_small import SMALL
from prefmem_pg.db.hybrid_statement import (
    ALIKE,
    ALLOWED,
    ARMS,
    BEST,
    BEST_SEMANTIC,
    BEST_WEIGHED,
    BM25,
    CONSENTED,
    FUZZY,
    GIVEN,
    IDF,
    IS_CURRENT,
    KEYWORD,
    KNOWN,
    LEAST,
    PASSES,
    SCORES,
    WEIGHT,
    WITH_ALL,
    WITH_TWO,
)
from prefmem_pg.db.model_indexes import INDEXED_LANGUAGES
from prefmem_pg.db.ranking import (
    FACTORS,
    FEW_IDS,
    FREQUENT,
    INDEX_ROWS,
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
    "score": "real",
    "semantic": "real",
    "keyword": "real",
    "fuzzy": "real",
    "relevance": "real",
    "recency": "real",
    "importance_factor": "real",
    "confidence_factor": "real",
    "heat": "real",
    "semantic_rank": "bigint",
    "keyword_rank": "bigint",
    "is_exact": "boolean",
    "plan": "text",
    "evidence": "jsonb",
}
"""The columns that a search returns, with their types. Ranked in double precision, told in single: it is as much as
they mean, and seven digits read better than seventeen."""


VARIABLES: Final = {
    "n": "float8",
    "average_length": "float8",
    "by_index": "boolean",
    "may_see": "boolean",
    "q": "vector",
    "names": "text[]",
    "likeness": "float8[]",
    "terms": "text[]",
    "is_simple": "boolean",
    "expired": "bigint",
}
"""What a function finds out before it searches; is_simple: no name is alike and vectors are enough; expired: how many
activated rows have ended."""

Way = Literal["small", "exact", "index", "among", "small among"]


def render_function(
    way: Way, *, model_id: int, dimensions: int, parameter: Mapping[str, str], is_simple: bool = False
) -> str:
    """Return one of the function's statements; its VARIABLES are known by then.

    ``parameter`` says what stands for each of PARAMETERS. The ways among compare the ids of a parameter "allowed",
    which have passed a filter already; the small ways are for a user of no more than MIN_POOL rows, none of whose names
    is alike. ``is_simple`` leaves out what VARIABLES say is not needed.
    """
    texts = _texts(model_id, dimensions, parameter, expired="_expired")
    texts |= {name: f"_{name}" for name in VARIABLES} | {
        "names": "SELECT name, likeness FROM unnest(_names, _likeness) AS n(name, likeness)",
        "plan": "'exact'",
        "condition": "true",
    }
    _add_scores(texts)
    semantic = SEMANTIC_EXACT
    if way == "among":
        texts |= _among() | {"by_index": "false"}
        texts["few"] = FEW.format_map(texts)
        semantic = GIVEN + SEMANTIC_AMONG
    else:
        texts |= _unfiltered(texts)
    if way == "index":
        texts |= {"plan": WAY, "nearest": _nearest(texts)}
        semantic = SEMANTIC_BY_INDEX
    if way in ("small", "exact", "small among"):
        texts["by_index"] = "false"
    if way == "small among":
        texts |= _small_among(texts)
    if way in ("small", "small among"):
        _add_scores(texts, keyword="coalesce(k.keyword, 0)", fuzzy="0")
        return ("WITH" + MEANS + SMALL + BEST).format_map(texts)
    proposed = WITH_TWO if is_simple else FUZZY + WITH_ALL
    return ("WITH" + MEANS + semantic + KEYWORD + proposed + ARMS + BEST).format_map(texts)


def render_names(*, model_id: int, dimensions: int, parameter: Mapping[str, str]) -> str:
    """Return the query for the names of a user that are like one in the question, with their likeness."""
    return ALIKE.format_map(_texts(model_id, dimensions, parameter, expired="_expired"))


def render_filtered(*, model_id: int, dimensions: int, parameter: Mapping[str, str], condition: str) -> str:
    """Return the statement for a large user with a filter, ``condition`` on p; it counts in every arm."""
    texts = _texts(model_id, dimensions, parameter, expired="(SELECT expired FROM me)")
    texts |= {name: f"(SELECT {name} FROM me)" for name in ("n", "average_length", "by_index")}
    texts |= {"may_see": "(SELECT may_see FROM consent)", "q": "(SELECT q FROM question)", "plan": WAY}
    texts["terms"] = f"prefmem.query_terms({texts['query']})"
    _add_scores(texts)
    texts |= {"condition": condition, "names": ALIKE.format_map(texts), "consented": CONSENTED.format_map(texts)}
    texts |= {name: text.format_map(texts) for name, text in (("allowed", ALLOWED), ("sees", SEES), ("few", FEW))}
    texts["all_vectors"] = ALL_VECTORS.format_map(texts)
    texts |= _filtered(texts)
    texts["nearest"] = _nearest(texts)
    return ("WITH" + KNOWN + MEANS + SEMANTIC_BY_INDEX + KEYWORD + FUZZY + WITH_ALL + ARMS + BEST).format_map(texts)


def _texts(model_id: int, dimensions: int, parameter: Mapping[str, str], *, expired: str) -> dict[str, str]:
    texts = dict(parameter) | _constants(parameter["limit"], expired)
    texts |= {"model_id": str(int(model_id)), "dimensions": str(int(dimensions))}
    indexed = ", ".join(f"'{language}'" for language in INDEXED_LANGUAGES)
    return texts | {
        "score": SCORE,
        "columns": preference_columns("p"),
        "indexed": indexed,
    }


def _add_scores(texts: dict[str, str], *, keyword: str = "a.keyword", fuzzy: str = "a.fuzzy") -> None:
    """Add what is said of a row in several of the texts, by what stands for its keyword and fuzzy scores."""
    whole = texts | {"keyword": keyword, "fuzzy": fuzzy}
    texts["weight"] = WEIGHT.format_map(whole)
    whole["weighed"] = "a.weight" if keyword == "a.keyword" else texts["weight"]
    for name, best in (("least_semantic", BEST_SEMANTIC), ("least_weight", BEST_WEIGHED)):
        texts[name] = LEAST.format_map(texts | {"best_known": best})
    for name, text in (("scores", SCORES), ("is_current", IS_CURRENT), ("idf", IDF), ("bm25", BM25)):
        texts[name] = text.format_map(whole)


def _nearest(texts: dict[str, str]) -> str:
    """Return the search of each language's index: a parameter in place of the language would find none."""
    return "\n  UNION ALL ".join(
        NEAREST.format_map(texts | {"language_of_index": language}) for language in INDEXED_LANGUAGES
    )


def _unfiltered(texts: dict[str, str]) -> dict[str, str]:
    sees = SEES.format_map(texts)
    seen = f"_may_see OR {_passes(texts, '{key}')}"
    return {
        "sees": sees,
        "all_vectors": ALL_VECTORS.format_map(texts | {"sees": sees}),
        "consented": CONSENTED.format_map(texts),
        "few_arm": "",
        "scan_when": "is_short OR has_others",
        "scan_limit": f"LIMIT {texts['pool']}",
        "filter_index": "",
        "admits_scan": "true",
        "admits_keyword": seen.replace("{key}", "k.preference_id"),
        "admits_fuzzy": seen.replace("{key}", "f.preference_id"),
        "admits_rest": "true",
    }


def _among() -> dict[str, str]:
    # IS TRUE: a hash that is asked row by row, not a join, for which a generic plan would go through all for each.
    among = "({key} IN (SELECT preference_id FROM allowed)) IS TRUE"
    return {
        "consented": "true",
        "admits_keyword": among.replace("{key}", "k.preference_id"),
        "admits_fuzzy": among.replace("{key}", "f.preference_id"),
        "admits_rest": among.replace("{key}", "p.preference_id"),
    }


def _small_among(texts: dict[str, str]) -> dict[str, str]:
    def among(key: str) -> str:
        return f"{key} = ANY ({texts['allowed']})"

    return {
        "all_vectors": ALL_VECTORS.format_map(texts | {"sees": among("e.preference_id")}),
        "consented": among("p.preference_id"),
        "admits_keyword": among("k.preference_id"),
    }


def _filtered(texts: dict[str, str]) -> dict[str, str]:
    def admits(key: str) -> str:
        few = f"{key} IN (SELECT preference_id FROM allowed)"
        return f"CASE WHEN {texts['by_index']} THEN {_passes(texts, key)} ELSE {few} END"

    return {
        "few_arm": f"UNION ALL ({texts['few']})",
        "scan_when": "by_index AND (is_short OR has_others)",
        "scan_limit": "OFFSET 0",
        "filter_index": f"AND {_passes(texts, 'e.preference_id')}",
        "admits_scan": _passes(texts, "c.preference_id"),
        "admits_keyword": admits("k.preference_id"),
        "admits_fuzzy": admits("f.preference_id"),
        "admits_rest": f"({texts['condition']})",
    }


def _passes(texts: dict[str, str], key: str) -> str:
    return PASSES.format_map(texts | {"key": key, "consented": CONSENTED.format_map(texts)})


def _constants(limit: str, expired: str) -> dict[str, str]:
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
        "least_share": factors.least / factors.most,
        "fuzzy_threshold": weights.fuzzy_threshold,
    }
    whole = {
        "few_ids": FEW_IDS,
        "index_rows": INDEX_ROWS,
        "frequent": FREQUENT,
        "keyword_budget": KEYWORD_BUDGET,
        "never_capped": NEVER_CAPPED,
    }
    return (
        {name: f"CAST({value!r} AS float8)" for name, value in reals.items()}
        | {name: str(value) for name, value in whole.items()}
        # Rows that have ended and are not archived yet are in the arms; they take no place of a current one.
        | {"pool": f"(greatest({MIN_POOL}, {POOL_FACTOR} * {limit}) + {expired})", "expired": expired}
    )

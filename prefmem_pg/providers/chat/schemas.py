"""JSON schemas of what models are asked for, in the subset that the providers' strict modes take."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from prefmem_pg.domain.preferences import KINDS, POLARITIES, SENSITIVITIES, Relation
from prefmem_pg.providers.offline.topics import TOPICS

Schema = dict[str, Any]
"""A JSON schema; Any because JSON is."""

LEVELS: Final[Mapping[str, float]] = {"low": 0.3, "medium": 0.6, "high": 0.9}
"""What the words for certainty and importance stand for: models tell three steps apart, not a hundred."""


def an_object(**properties: Schema) -> Schema:
    """Return the schema of an object that has all these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def a_list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def one_of(values: Sequence[str]) -> Schema:
    return {"type": "string", "enum": list(values)}


TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer"}
TRUTH: Final[Schema] = {"type": "boolean"}

_SIGNAL: Final = an_object(message=NUMBER, quote=TEXT)

EXTRACTION: Final = an_object(
    preferences=a_list(
        an_object(
            message=NUMBER,
            quote=TEXT,
            statement=TEXT,
            kind=one_of(KINDS),
            polarity=one_of(POLARITIES),
            topic=one_of(TOPICS),
            entities=a_list(TEXT),
            reason=TEXT,
            since=TEXT,
            certainty=one_of(tuple(LEVELS)),
            importance=one_of(tuple(LEVELS)),
            sensitivity=one_of(SENSITIVITIES),
            is_safety=TRUTH,
            more_signals=a_list(_SIGNAL),
        )
    )
)

_RELATIONS: Final = one_of(get_args(Relation))
_CERTAINTY: Final = one_of(tuple(LEVELS))

JUDGE_FAST: Final = an_object(relation=_RELATIONS, reason=TEXT, certainty=_CERTAINTY)
JUDGE_FINE: Final = an_object(
    verdicts=a_list(an_object(id=NUMBER, relation=_RELATIONS, reason=TEXT, certainty=_CERTAINTY))
)
CONSOLIDATION: Final = an_object(merges=a_list(an_object(ids=a_list(NUMBER), keep=NUMBER, reason=TEXT)))
MINING: Final = an_object(
    preferences=a_list(
        an_object(
            statement=TEXT,
            polarity=one_of(POLARITIES),
            topic=one_of(TOPICS),
            reason=TEXT,
            certainty=_CERTAINTY,
            signals=a_list(_SIGNAL),
        )
    )
)
SUMMARY: Final = an_object(summary=TEXT)
QUERIES: Final = an_object(queries=a_list(TEXT))
PROFILE: Final = an_object(settings=a_list(an_object(key=TEXT, value=TEXT, ids=a_list(NUMBER))))

"""The tables of schema ``prefmem``, a file a group; import Base from here to have them all."""

from prefmem_pg.db.models.base import SCHEMA, Base
from prefmem_pg.db.models.conversations import DialogRow, MessageRow, MessageTermRow, UserRow
from prefmem_pg.db.models.embeddings import (
    EmbeddingModelRow,
    MessageEmbeddingRow,
    PreferenceEmbeddingRow,
    SummaryEmbeddingRow,
    UserStatsRow,
)
from prefmem_pg.db.models.ledger import LlmSharedCallRow
from prefmem_pg.db.models.operations import ErasureRow, EvaluationResultRow, EvaluationRunRow, SettingRow
from prefmem_pg.db.models.preferences import (
    CandidateRow,
    PreferenceEvidenceRow,
    PreferenceRow,
    PreferenceTermRow,
    PreferenceUsageRow,
    PreferenceVersionRow,
)
from prefmem_pg.db.models.profiles import ProfileEntryRow, SessionStateRow, SummaryRow
from prefmem_pg.db.models.runs import (
    ExtractionRunRow,
    LlmBatchItemRow,
    LlmBatchRow,
    LlmCallRow,
    LlmPriceRow,
)

__all__ = [
    "SCHEMA",
    "Base",
    "CandidateRow",
    "DialogRow",
    "EmbeddingModelRow",
    "ErasureRow",
    "EvaluationResultRow",
    "EvaluationRunRow",
    "ExtractionRunRow",
    "LlmBatchItemRow",
    "LlmBatchRow",
    "LlmCallRow",
    "LlmPriceRow",
    "LlmSharedCallRow",
    "MessageEmbeddingRow",
    "MessageRow",
    "MessageTermRow",
    "PreferenceEmbeddingRow",
    "PreferenceEvidenceRow",
    "PreferenceRow",
    "PreferenceTermRow",
    "PreferenceUsageRow",
    "PreferenceVersionRow",
    "ProfileEntryRow",
    "SessionStateRow",
    "SettingRow",
    "SummaryEmbeddingRow",
    "SummaryRow",
    "UserRow",
    "UserStatsRow",
]

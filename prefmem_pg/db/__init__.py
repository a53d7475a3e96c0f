"""Everything that speaks SQL; knows nothing of models."""

from prefmem_pg.db.embeddings import EmbeddingRepository as EmbeddingRepository
from prefmem_pg.db.host import repositories_in as repositories_in
from prefmem_pg.db.messages import MessageRepository as MessageRepository
from prefmem_pg.db.preferences import PreferenceRepository as PreferenceRepository

"""mem0_store.py DATA URL: mem0's store on pgvector, in the same server, with the settings that it comes with."""

import os
import sys
from typing import Any
from uuid import UUID

os.environ["MEM0_TELEMETRY"] = "False"

from measuring import measure
from mem0.configs.vector_stores.pgvector import PGVectorConfig
from mem0.vector_stores.pgvector import PGVector

config = PGVectorConfig(connection_string=sys.argv[2], collection_name="mem0_rows", embedding_model_dims=384)
store = PGVector(**config.model_dump())


def load(data: Any) -> None:
    users, statements, vectors = data["users"].tolist(), data["statements"].tolist(), data["vectors"].tolist()
    for first in range(0, len(users), 1_000):
        some = slice(first, first + 1_000)
        store.insert(
            vectors=vectors[some],
            payloads=[
                {"user_id": user, "data": statement}
                for user, statement in zip(users[some], statements[some], strict=True)
            ],
            ids=[str(UUID(int=number)) for number in range(first, first + len(users[some]))],
        )


def search(vector: Any, user: str) -> list[int]:
    found = store.search(query="", vectors=vector.tolist(), top_k=10, filters={"user_id": user})
    return [UUID(one.id).int for one in found]


measure(sys.argv[1], load, search)

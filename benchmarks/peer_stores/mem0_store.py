"""mem0_store.py DATA URL: mem0's store on pgvector, in the same server, with the settings that it comes with."""

import os
import sys
from typing import Any
from uuid import UUID

os.environ["MEM0_TELEMETRY"] = "False"

from measuring import fields, measure
from mem0.configs.vector_stores.pgvector import PGVectorConfig
from mem0.vector_stores.pgvector import PGVector

config = PGVectorConfig(connection_string=sys.argv[2], collection_name="mem0_rows", embedding_model_dims=384)
store = PGVector(**config.model_dump())


def load(data: Any) -> None:
    statements, beside, vectors = data["statements"].tolist(), fields(data), data["vectors"].tolist()
    for first in range(0, len(statements), 1_000):
        some = slice(first, first + 1_000)
        store.insert(
            vectors=vectors[some],
            payloads=[
                {"data": statement, **row} for statement, row in zip(statements[some], beside[some], strict=True)
            ],
            ids=[str(UUID(int=number)) for number in range(first, first + len(statements[some]))],
        )


def search(vector: Any, user: str) -> list[int]:
    found = store.search(query="", vectors=vector.tolist(), top_k=10, filters={"user_id": user})
    return [UUID(one.id).int for one in found]


measure(sys.argv[1], load, search)

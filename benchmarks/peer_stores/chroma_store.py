"""chroma_store.py DATA: an embedded Chroma, its rows filtered by user, with the settings that it comes with."""

import sys
import tempfile
from typing import Any

import chromadb
from chromadb.config import Settings
from measuring import fields, measure

client = chromadb.PersistentClient(tempfile.mkdtemp(), settings=Settings(anonymized_telemetry=False))
collection = client.create_collection("preferences", metadata={"hnsw:space": "cosine"}, embedding_function=None)


def load(data: Any) -> None:
    statements, beside = data["statements"].tolist(), fields(data)
    for first in range(0, len(statements), 5_000):
        some = slice(first, first + 5_000)
        collection.add(
            ids=[str(number) for number in range(first, first + len(statements[some]))],
            embeddings=data["vectors"][some],
            documents=statements[some],
            metadatas=beside[some],
        )


def search(vector: Any, user: str) -> list[int]:
    found = collection.query(query_embeddings=[vector], n_results=10, where={"user_id": user})
    return [int(one) for one in found["ids"][0]]


measure(sys.argv[1], load, search)

"""Vectors as parameters in pgvector's binary form, on any psycopg connection and without asking for the type's oid."""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg.abc import AdaptContext
from psycopg.adapt import Dumper
from psycopg.pq import Format


@dataclass(frozen=True, slots=True)
class BinaryVector:
    """A vector for ``CAST(... AS vector)``: a tenth of the time that its text takes to write and to read."""

    data: bytes


def as_binary_vector(vector: NDArray[np.floating[Any]]) -> BinaryVector:
    return BinaryVector(struct.pack(">HH", len(vector), 0) + vector.astype(">f4").tobytes())


def accept_vectors(cursor: psycopg.Cursor[Any]) -> None:
    """Let a cursor take BinaryVector parameters; the connection, which may be the host's own, is left as it is."""
    cursor.adapters.register_dumper(BinaryVector, _VectorDumper)


class _VectorDumper(Dumper):
    format = Format.BINARY

    def __init__(self, cls: type, context: AdaptContext | None = None) -> None:
        super().__init__(cls, context)
        self.oid = 0  # left to the server, which knows it from the cast

    def dump(self, obj: BinaryVector) -> bytes:
        return obj.data

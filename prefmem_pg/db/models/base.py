"""The declarative base, the naming convention and the columns that many tables share."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, MetaData, Text, text
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import Uuid

SCHEMA: Final = "prefmem"
SEARCH_VECTOR_FUNCTION: Final = f"{SCHEMA}.search_vector"

NAMING_CONVENTION: Final = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class Base(DeclarativeBase):
    """The base of every table; all of them live in schema ``prefmem``."""

    metadata = MetaData(schema=SCHEMA, naming_convention=NAMING_CONVENTION)


# Any: mapped_column is generic in the attribute's type, which the annotation on the class states.


def user_id_column() -> Any:
    return mapped_column(Text, nullable=False, comment="The user whom this row belongs to")


def id_column(comment: str) -> Any:
    return mapped_column(Uuid, nullable=False, server_default=text("gen_random_uuid()"), comment=comment)


def metadata_column() -> Any:
    comment = "Free JSON of the caller; filters can reach into it"
    return mapped_column("metadata", JSONB, nullable=False, server_default=text("'{}'::jsonb"), comment=comment)


def json_column(comment: str, *, default: str = "'{}'::jsonb") -> Any:
    return mapped_column(JSONB, nullable=False, server_default=text(default), comment=comment)


def time_column(comment: str, *, nullable: bool = False, default_now: bool = False) -> Any:
    default = text("now()") if default_now else None
    return mapped_column(TIMESTAMP(timezone=True), nullable=nullable, server_default=default, comment=comment)


def text_column(comment: str, *, nullable: bool = False, default: str | None = None) -> Any:
    server_default = None if default is None else text(f"'{default}'")
    return mapped_column(Text, nullable=nullable, server_default=server_default, comment=comment)


def one_of(column: str, values: Sequence[str]) -> CheckConstraint:
    """Return the CHECK of an enum kept as text, so that a new value is a one-line revision."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def unit_interval(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} BETWEEN 0 AND 1", name=column)


def owned_by_user() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["user_id"], [f"{SCHEMA}.users.user_id"], ondelete="CASCADE")


def owned_by(table: str, column: str) -> ForeignKeyConstraint:
    """Return the foreign key to a row of the same user, which takes this row with it."""
    referred = [f"{SCHEMA}.{table}.user_id", f"{SCHEMA}.{table}.{column}"]
    return ForeignKeyConstraint(["user_id", column], referred, ondelete="CASCADE")

"""Alembic's environment: the version table lives in schema prefmem, beside a host application's own Alembic."""

from alembic import context
from sqlalchemy import Connection
from sqlalchemy.schema import SchemaItem

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.models import SCHEMA, Base
from prefmem_pg.db.requirements import ensure_schema
from prefmem_pg.db.sql_objects import drop_objects
from prefmem_pg.settings import Settings


def include_object(item: SchemaItem, name: str | None, type_: str, reflected: bool, compare_to: object) -> bool:
    """Leave out the indexes of embedding models: ``prefmem upgrade`` makes them for each model, not a revision."""
    return not (type_ == "index" and (name or "").startswith("ix_model_"))


def include_name(name: str | None, type_: str, parent_names: object) -> bool:
    return name == SCHEMA if type_ == "schema" else True


def run(connection: Connection) -> None:
    ensure_schema(connection)
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        version_table_schema=SCHEMA,
        include_schemas=True,
        include_name=include_name,
        include_object=include_object,
        compare_server_default=True,
        transaction_per_migration=False,
    )
    with context.begin_transaction():
        if is_downgrade():
            # Views hang on the columns that a downgrade takes away; the next upgrade makes them again.
            drop_objects(connection)
        context.run_migrations()


def is_downgrade() -> bool:
    """Say whether Alembic was asked to go down: it hands each command to the environment as a function of its name."""
    return getattr(context.get_context().opts.get("fn"), "__name__", "") == "downgrade"


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    url = Settings.from_env().database_url
    if url is None:
        raise SystemExit("set PREFMEM_DATABASE_URL to the database that Alembic should look at")
    engine = make_engine(url)
    with engine.begin() as opened:
        run(opened)
    engine.dispose()

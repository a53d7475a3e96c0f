#!/bin/sh
# Runs once, as the superuser, when the volume is new: roles, the memory's database with its extensions, Dagster's own.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  -v owner_password="$PREFMEM_OWNER_PASSWORD" -v dagster_password="$DAGSTER_PASSWORD" <<'SQL'
CREATE ROLE prefmem_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE prefmem_app NOLOGIN;
CREATE ROLE prefmem_pipeline NOLOGIN;
CREATE ROLE prefmem_analyst NOLOGIN;
CREATE ROLE prefmem_analyst_text NOLOGIN;
GRANT prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text TO prefmem_owner
  WITH SET TRUE, INHERIT FALSE;
CREATE DATABASE prefmem OWNER prefmem_owner TEMPLATE template0 ENCODING 'UTF8'
  LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8';
CREATE ROLE dagster LOGIN PASSWORD :'dagster_password';
CREATE DATABASE dagster OWNER dagster;
\connect prefmem
CREATE EXTENSION vector;
CREATE EXTENSION pg_trgm;
SQL

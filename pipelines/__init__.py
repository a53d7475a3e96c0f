"""Dagster over prefmem_pg: thin assets, each calling one method of PreferenceMemory and reporting its counts."""

"""Everything that calls a model; knows nothing of SQL."""

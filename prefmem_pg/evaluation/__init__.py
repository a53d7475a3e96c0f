"""How good extraction, deduplication and retrieval are, measured on labelled datasets."""

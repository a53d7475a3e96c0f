"""Everything that speaks SQL; knows nothing of models."""

"""Extractor, judge, consolidator, summariser, query expansion and profile over any chat model."""

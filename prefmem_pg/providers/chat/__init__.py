"""Extractor, judge, consolidator, summarizer, query expansion and profile over any chat model."""

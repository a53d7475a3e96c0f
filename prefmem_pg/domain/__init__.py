"""Frozen dataclasses that cross modules, and the few pure functions on them."""

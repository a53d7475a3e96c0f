"""The offline extractor and judge: no key, no network."""

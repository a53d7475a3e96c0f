"""The prompts: a file each and language, with a version that is the hash of its text."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's text and its version: the first twelve hexadecimal digits of the text's SHA-256."""

    text: str
    version: str


@cache
def load(name: str, language: str) -> Prompt:
    """Return the prompt in Chinese for "zh", else in English, which asks for the language of what it reads."""
    wanted = language if language in LANGUAGES else "en"
    text = files(__name__).joinpath(f"{name}.{wanted}.md").read_text(encoding="utf-8").strip()
    return Prompt(text=text, version=hashlib.sha256(text.encode()).hexdigest()[:12])


def version_of(*names: str) -> str:
    """Return one version for several prompts in all languages: it changes when any of them does."""
    versions = [load(name, language).version for name in names for language in LANGUAGES]
    return hashlib.sha256(" ".join(versions).encode()).hexdigest()[:12]

"""What endangers the user, in either language: what a doctor told, and what is denied."""

from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline import dangers_en, dangers_zh


def is_doctors_word(text: str) -> bool:
    """Say whether a doctor's words about the user are reported: they are a fact about the user, not an opinion."""
    cues = (dangers_en.DOCTORS_WORD, dangers_en.DOCTORS_ORDER, dangers_zh.DOCTORS_WORD, dangers_zh.DOCTORS_ORDER)
    return any(cue.pattern.search(text) for cue in cues)


def denies_danger(text: str) -> bool:
    """Say whether a text says, of something at least, that there is no allergy to it."""
    without = dangers_zh.without_denials if detect_language(text) == "zh" else dangers_en.without_denials
    return without(text) != text

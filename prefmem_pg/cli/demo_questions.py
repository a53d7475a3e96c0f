"""Questions to ask about users nobody has seen before, made from the topics of their preferences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from prefmem_pg.domain.preferences import Preference

QUESTIONS: Final = 5

_ASK: Final = {"en": "What does the user want or like when it comes to {}?", "zh": "关于{}，这位用户有什么喜好和习惯？"}


def questions_from(listed: Mapping[str, tuple[Sequence[Preference], int]]) -> list[tuple[str, str]]:
    """Return (user_id, question), each user in turn, their commonest topics first, in the language they speak."""
    queues = {user: _questions(preferences) for user, (preferences, _) in listed.items() if preferences}
    found: list[tuple[str, str]] = []
    while len(found) < QUESTIONS and any(queues.values()):
        for user, queue in queues.items():
            if queue and len(found) < QUESTIONS:
                found.append((user, queue.pop(0)))
    return found


def _questions(preferences: Sequence[Preference]) -> list[str]:
    languages = Counter(preference.language for preference in preferences)
    ask = _ASK.get(languages.most_common(1)[0][0], _ASK["en"])
    topics = Counter(preference.topic for preference in preferences if preference.topic)
    if not topics:
        return [preferences[0].statement or ""]
    return [ask.format(topic) for topic, _ in topics.most_common(QUESTIONS)]

"""The taxonomy is one: the ids that are found, their names, and the page that explains them."""

import re
from pathlib import Path

from prefmem_pg.providers.offline.topic_names import TOPIC_NAMES
from prefmem_pg.providers.offline.topics import TOPICS

PAGE = Path(__file__).parents[3] / "docs" / "topics.md"


def test_every_topic_has_a_name_in_both_languages() -> None:
    assert tuple(TOPIC_NAMES) == TOPICS
    assert all(english.isascii() and not chinese.isascii() for english, chinese in TOPIC_NAMES.values())


def test_the_page_lists_every_topic_by_its_names() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert [(name, (english, chinese)) for name, english, chinese in rows] == list(TOPIC_NAMES.items())

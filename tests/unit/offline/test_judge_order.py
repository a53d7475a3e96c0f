"""What comes first and what follows: the same order in other words is the same, the other order is none."""

import pytest

from tests.unit.offline.test_judge import judged

SAME = [
    ("Give me the code first and the explanation after", "Code first, explanation second, still stands"),
    ("Code first, then the explanation", "Give me code first and the explanation afterwards"),
    ("I love a strong coffee, honestly", "I love a strong coffee"),
    ("先给代码，再解释", "先代码后解释"),
    ("先喝汤，然后再吃饭", "先喝汤后吃饭"),
]
TURNED = [
    ("Code first, then the explanation", "Explanation first, then the code"),
    ("Give me the code first and the explanation after", "Explanation first, code second"),
    ("First the summary, then the details", "First the details, then the summary"),
    ("Start with the summary and end with the code", "Start with the code and end with the summary"),
    ("Breakfast first, then a shower", "Shower first, then breakfast"),
    ("先给代码，再解释", "先解释，再给代码"),
    ("先喝汤后吃饭", "先吃饭，然后再喝汤 🍲"),
]
BESIDE = [
    ("I eat after training", "I eat before training"),
    ("I drink coffee before breakfast ☕", "I drink coffee after breakfast"),
    ("我饭后散步", "我饭前散步"),
]


@pytest.mark.parametrize(("existing", "candidate"), SAME)
def test_the_same_order_in_other_words_is_the_same(existing: str, candidate: str) -> None:
    assert judged(existing, candidate).relation == "same"
    assert judged(candidate, existing).relation == "same"


@pytest.mark.parametrize(("existing", "candidate"), TURNED)
def test_the_other_order_is_a_change_of_mind(existing: str, candidate: str) -> None:
    assert judged(existing, candidate, similarity=0.99).relation == "changed"
    assert judged(candidate, existing, similarity=0.99).relation == "changed"


@pytest.mark.parametrize(("existing", "candidate"), BESIDE)
def test_before_a_thing_and_after_it_are_not_the_same(existing: str, candidate: str) -> None:
    assert judged(existing, candidate, similarity=0.99).relation not in ("same", "richer")


def test_not_before_and_only_after_are_one_wish() -> None:
    assert judged("No calls before 9 am, please", "Only call me after 9:00 am").relation == "same"

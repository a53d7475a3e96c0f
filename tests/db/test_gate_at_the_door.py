"""The gate on the front door takes what add_messages() takes."""

from datetime import UTC, datetime

import pytest

from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory

AT = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "given",
    [
        "我喜欢喝绿茶",
        {"role": "user", "content": "我喜欢喝绿茶"},
        [{"role": "user", "content": [{"type": "text", "text": "我喜欢喝绿茶"}], "user_id": "u-1"}],
        NewMessage(user_id="u-1", role="user", content="我喜欢喝绿茶", occurred_at=AT),
    ],
)
def test_one_message_or_a_dialog_in_any_form(memory: PreferenceMemory, given: object) -> None:
    assert memory.should_remember(given).kind == "explicit"  # type: ignore[arg-type]


def test_a_bad_message_is_named_by_its_place(memory: PreferenceMemory) -> None:
    with pytest.raises(InvalidInput, match="message 1"):
        memory.should_remember(["hello", {"role": "nobody", "content": "x"}])

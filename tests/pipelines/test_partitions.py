"""Days across a change of clocks and in zones far from UTC."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from pipelines.configuration import Configuration
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from tests.pipelines.conftest import say

SAID = {
    "America/New_York": [
        "2026-03-08T01:59:00-05:00",
        "2026-03-08T03:01:00-04:00",
        "2026-03-08T23:59:59-04:00",
        "2026-03-09T00:00:00-04:00",
        "2026-11-01T01:30:00-04:00",
        "2026-11-01T01:30:00-05:00",
        "2026-11-01T23:59:59-05:00",
    ],
    "Asia/Kolkata": ["2026-03-08T00:15:00+05:30", "2026-03-07T23:45:00+05:30"],
    "Asia/Shanghai": ["2026-03-08T00:00:00+08:00", "2026-03-07T23:59:59+08:00", "2026-03-08T07:30:00+08:00"],
}


@pytest.mark.parametrize("zone", SAID)
def test_b25_every_message_is_in_the_partition_of_its_own_day(zone: str, memory: PreferenceMemory) -> None:
    times = [datetime.fromisoformat(time) for time in SAID[zone]]
    for place, at in enumerate(times):
        say(memory, "traveller", [f"I like place number {place} 🧳 地方"], at=at, dialog_id=f"d-{place}")
    days = dg.DailyPartitionsDefinition(start_date="2026-03-01", end_date="2026-12-01", timezone=zone)
    unread = memory.unread_days(time_zone=zone)
    assert {day.day.isoformat(): day.messages for day in unread} == {
        key: sum(at.astimezone(ZoneInfo(zone)).date().isoformat() == key for at in times)
        for key in {at.astimezone(ZoneInfo(zone)).date().isoformat() for at in times}
    }
    read = 0
    for day in unread:
        span = days.time_window_for_partition_key(day.day.isoformat())
        report = memory.extract(since=span.start, until=span.end)
        assert report.messages == day.messages
        read += report.messages
    assert read == len(times)
    assert memory.unread_days(time_zone=zone) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("TIME_ZONE", "Mars/Olympus"), ("FIRST_DAY", "yesterday"), ("UNREAD", "0"), ("UNREAD", "many")],
)
def test_a_value_that_cannot_be_used_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"PREFMEM_PIPELINE_{name}"):
        Configuration.from_env({f"PREFMEM_PIPELINE_{name}": value})


def test_the_configuration_comes_from_the_environment() -> None:
    read = Configuration.from_env({"PREFMEM_PIPELINE_TIME_ZONE": "Asia/Shanghai", "PREFMEM_PIPELINE_UNREAD": "5"})
    assert (read.time_zone, read.unread_threshold) == ("Asia/Shanghai", 5)
    assert Configuration.from_env({}) == Configuration()


def test_a_partition_starts_at_midnight_of_its_zone() -> None:
    days = dg.DailyPartitionsDefinition(start_date="2026-03-01", timezone="Asia/Shanghai")
    span = days.time_window_for_partition_key("2026-03-08")
    assert span.start.astimezone(UTC) == datetime(2026, 3, 7, 16, tzinfo=UTC)

"""What Dagster keeps of runs, failed ones too, holds nobody's id or words: events, metadata, what steps printed."""

from pathlib import Path

import dagster as dg

from pipelines.assets import dialog_summaries, extracted_preferences
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.protocols import Abstract, Passage
from prefmem_pg.testing import ScriptedExtractor
from tests.conftest import also_with
from tests.pipelines.conftest import noon, say
from tests.pipelines.test_assets import handed

SECRETS = ("whose-who-谁", "d-secret-密", "persimmon", "柿子")


class Talkative:
    """A summarizer of the caller's own whose errors quote what it was given."""

    name, version, model = "talkative", "1", None

    def summarize(self, passage: Passage) -> Abstract:
        raise ValueError(f"cannot summarize {passage!r} of {SECRETS}")


def test_nothing_of_a_user_is_in_dagsters_storage_whatever_a_run_came_to(
    shared_memory: PreferenceMemory, tmp_path: Path
) -> None:
    user_id, dialog_id, *_ = SECRETS
    say(shared_memory, user_id, ["I love persimmon 🍊", "我喜欢柿子"], at=noon("2026-05-03"), dialog_id=dialog_id)
    broken = ScriptedExtractor(lambda chunk: (_ for _ in ()).throw(ValueError(f"cannot read {chunk!r} of {SECRETS}")))
    failing = also_with(shared_memory, extractor=broken, summarizer=Talkative())

    results = []
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        for asset in (extracted_preferences, dialog_summaries):
            for memory in (failing, shared_memory):
                given = {"memory": handed(memory)}
                results.append(
                    dg.materialize(
                        [asset], partition_key="2026-05-03", instance=instance, resources=given, raise_on_error=False
                    )
                )

    # What fails by its own fault is parked at its third try, and a check tells of it; a summary is never given up.
    assert [result.success for result in results] == [True, True, False, True]
    stored = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(path.suffix == ".err" for path in stored)  # what steps printed
    assert any(b"stretches and candidates are left" in kept for kept in stored.values())
    for secret in SECRETS:
        for form in (secret.encode(), ascii(secret).strip("'").encode()):
            assert not [path.name for path, kept in stored.items() if form in kept]

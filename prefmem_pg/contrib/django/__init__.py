"""Django: a memory on the project's own database. Add ``prefmem_pg.contrib.django`` to INSTALLED_APPS."""

from prefmem_pg.contrib.answers import Explained as Explained
from prefmem_pg.contrib.answers import answer_offline as answer_offline
from prefmem_pg.contrib.answers import explain as explain
from prefmem_pg.contrib.answers import http_status as http_status
from prefmem_pg.contrib.answers import last_turns as last_turns
from prefmem_pg.contrib.django.opening import close_memory as close_memory
from prefmem_pg.contrib.django.opening import get_memory as get_memory
from prefmem_pg.contrib.forms import carry_out as carry_out

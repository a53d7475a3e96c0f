"""``manage.py prefmem …``: the commands of prefmem_pg on the project's database."""

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from prefmem_pg.cli.hosted import run_hosted
from prefmem_pg.contrib.django.opening import read_project
from prefmem_pg.errors import PrefmemError


class Command(BaseCommand):
    """Hands its arguments to ``prefmem``."""

    help = "Commands of prefmem_pg on the project's database: manage.py prefmem upgrade, … list USER, … -- --help"
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own form; upgrade mends what the checks find

    def add_arguments(self, parser: CommandParser) -> None:
        """Take all that follows as it is."""
        parser.add_argument("--alias", help="a database of DATABASES, such as that of the schema's owner")
        parser.add_argument("arguments", nargs=argparse.REMAINDER)

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's own arguments
        """Run the command; its exit code is that of prefmem."""
        given = [one for place, one in enumerate(options["arguments"]) if place or one != "--"]
        try:
            settings = read_project(options["alias"])
        except PrefmemError as exc:
            raise CommandError(str(exc)) from exc
        code = run_hosted(given, settings, program="manage.py prefmem")
        if code:
            sys.exit(code)

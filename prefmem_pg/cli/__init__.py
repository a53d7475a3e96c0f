"""The command line, ``prefmem``: nothing heavy is imported before a command runs."""

from prefmem_pg.cli.edge import run


def main() -> int:
    """Run the command that the arguments name; return the exit code: 0, 1 (failed), 2 (bad usage), 130 (Ctrl-C)."""
    return run()

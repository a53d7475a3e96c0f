"""The command line, ``prefmem``: nothing heavy is imported before a command runs."""


def main() -> int:
    """Run the command that the arguments name; return the exit code: 0, 1 (failed), 2 (bad usage), 130 (Ctrl-C)."""
    try:
        # Here, so that Ctrl-C while it loads ends as quietly as later.
        from prefmem_pg.cli.edge import run

        return run()
    except KeyboardInterrupt:
        return 130

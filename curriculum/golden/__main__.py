"""`python -m curriculum.golden`, and the console script `golden`."""

import sys


def main() -> None:
    """Entry point of the command line."""
    from curriculum.cli.ending import run_command
    from curriculum.cli.golden import golden

    sys.exit(run_command(golden, "golden"))


if __name__ == "__main__":
    main()

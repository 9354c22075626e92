"""`python -m curriculum`."""

from curriculum.cli.main import main

if __name__ == "__main__":
    main()

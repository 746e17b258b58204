"""``python -m solver`` is ``should-i-roll``."""

from solver.apps.cli.main import main

if __name__ == "__main__":
    main()

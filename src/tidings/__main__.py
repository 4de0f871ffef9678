"""`python -m tidings`: the command line without its script."""

from __future__ import annotations

from tidings.cli import main

if __name__ == "__main__":
    main()

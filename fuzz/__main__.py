"""`python -m fuzz yaml --count 20000 --seed 1`, the same with `diagrams` (5000) and `api` (20000)."""

from __future__ import annotations

import argparse
import sys


def main() -> int:
    """Run one kind of fuzzing; 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("kind", choices=("yaml", "diagrams", "api"))
    parser.add_argument("--count", type=int, help="number of cases (20000 files, 5000 diagrams, 20000 calls)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.kind == "yaml":
        from .files import fuzz_files

        return fuzz_files(given.count or 20_000, given.seed)
    if given.kind == "api":
        from .calls import fuzz_calls

        return fuzz_calls(given.count or 20_000, given.seed)
    from .wirings import fuzz_diagrams

    return fuzz_diagrams(given.count or 5_000, given.seed)


if __name__ == "__main__":
    sys.exit(main())

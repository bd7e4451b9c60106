"""`python -m fuzz yaml --count 20000 --seed 1`, the same with `diagrams` (5000) and `api` (20000), and with
`derivatives`, of 2 numbers of each diagram of the gallery; `margins` (10000) are of loops of several rates,
`levels` (10000) gradients of passages of levels with events, `machines` (10000) state machines with equal
timers and names of our own, `instants` (10000) of arrivals at ticks and of resets, and `loops` (10000)
of algebraic loops with limits and kinks.
"""

from __future__ import annotations

import argparse
import sys


def main() -> int:
    """Run one kind of fuzzing; 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "kind",
        choices=(
            "yaml",
            "diagrams",
            "api",
            "derivatives",
            "margins",
            "levels",
            "machines",
            "instants",
            "loops",
        ),
    )
    parser.add_argument(
        "--count",
        type=int,
        help="number of cases (20000 files, 5000 diagrams, 20000 calls, 2 numbers, 10000 loops)",
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.kind == "yaml":
        from .files import fuzz_files

        return fuzz_files(options.count or 20_000, options.seed)
    if options.kind == "api":
        from .calls import fuzz_calls

        return fuzz_calls(options.count or 20_000, options.seed)
    if options.kind == "derivatives":
        from .derivatives import check_gallery

        return check_gallery(options.count or 2, options.seed)
    if options.kind == "margins":
        from .margins import fuzz_margins

        return fuzz_margins(options.count or 10_000, options.seed)
    if options.kind == "levels":
        from .levels import fuzz_levels

        return fuzz_levels(options.count or 10_000, options.seed)
    if options.kind == "machines":
        from .machines import fuzz_machines

        return fuzz_machines(options.count or 10_000, options.seed)
    if options.kind == "instants":
        from .instants import fuzz_instants

        return fuzz_instants(options.count or 10_000, options.seed)
    if options.kind == "loops":
        from .loops import fuzz_loops

        return fuzz_loops(options.count or 10_000, options.seed)
    from .wirings import fuzz_diagrams

    return fuzz_diagrams(options.count or 5_000, options.seed)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tools.fuzz KIND --count 1000 --seed 1`: random cases of one kind against blockdyn's promises."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of fuzzing: the module and its function, the default number of cases, and one line of help."""

    module: str
    function: str
    count: int
    help: str


KINDS = {
    "yaml": Kind("files", "fuzz_files", 20_000, "damaged YAML files end in an error of blockdyn"),
    "diagrams": Kind(
        "wirings", "fuzz_diagrams", 5_000, "random diagrams of all block types run or say why not"
    ),
    "api": Kind(
        "calls", "fuzz_calls", 20_000, "public calls with wrong arguments end in an error of blockdyn"
    ),
    "derivatives": Kind(
        "derivatives",
        "check_gallery",
        2,
        "sensitivities in the gallery, against differences (--count: per diagram)",
    ),
    "margins": Kind(
        "margins", "fuzz_margins", 10_000, "gain margins of multirate loops, against the diagram's poles"
    ),
    "levels": Kind(
        "levels", "fuzz_levels", 10_000, "gradients of level passages next to events, in closed form"
    ),
    "machines": Kind(
        "machines", "fuzz_machines", 10_000, "state machines with equal timers, against timers by hand"
    ),
    "instants": Kind("instants", "fuzz_instants", 10_000, "arrivals at ticks and resets, in exact fractions"),
    "elementary": Kind(
        "elementary", "fuzz_elementary", 1_000_000, "elementary functions, within one ulp of mpmath's"
    ),
    "mistakes": Kind(
        "mistakes",
        "fuzz_mistakes",
        1_000,
        "mistakes planted into the gallery are mended, and none made worse",
    ),
    "studio": Kind(
        "studio", "fuzz_studio", 1_000, "two browsers on one file: scenes, comments, undo, and memory"
    ),
    "kills": Kind("studio", "fuzz_kills", 30, "servers of the studio killed among edits lose none"),
    "loops": Kind(
        "loops", "fuzz_loops", 10_000, "algebraic loops with limits and kinks, against SciPy's brentq"
    ),
}


def main() -> int:
    """Run one kind of fuzzing; 0 if every promise was kept."""
    lines = [f"  {name:<12} {kind.help}; {kind.count} by default" for name, kind in KINDS.items()]
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz",
        description="Try random cases of one kind. The exit status is 0 if all hold.",
        epilog="kinds:\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help="one of the kinds below")
    parser.add_argument("--count", type=int, help="number of cases")
    parser.add_argument("--seed", type=int, default=1, help="of the random cases; 1 by default")
    options = parser.parse_args()
    if options.count is not None and options.count < 1:
        parser.error(f"argument --count: {options.count}\nexpected: at least 1 case")
    kind = KINDS[options.kind]
    fuzz = getattr(import_module(f".{kind.module}", __package__), kind.function)
    return int(fuzz(options.count or kind.count, options.seed))


if __name__ == "__main__":
    sys.exit(main())

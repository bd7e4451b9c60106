"""`blockdyn sweep`: run the scenarios that a diagram's file declares, and report their results."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..base.words import inflect
from . import interrupts
from .console import complain, show, show_json
from .diagrams import assignments, compiling, load_named

if TYPE_CHECKING:
    from ..sweeps.answer.ensemble import Ensemble
    from ..sweeps.sweep import Sweep


def sweep(arguments: Namespace) -> int:
    """Run the remaining scenarios, and write summary, report and store. Failed scenarios are not errors."""
    _check(arguments)
    declared = declaration(arguments)
    with compiling():
        declared.task.ready()
    began = time.perf_counter()
    ensemble = declared.run(
        workers=arguments.workers, store=arguments.store, resume=arguments.resume, cluster=arguments.dask,
        progress=False if arguments.json else None,
    )  # fmt: skip
    spent = time.perf_counter() - began
    files, problems = _write_files(ensemble, arguments)
    if arguments.json:
        show_json(_facts(ensemble, spent, files) | {"errors": [str(problem) for problem in problems]})
    else:
        show(*_lines(ensemble, spent, files, arguments))
    for problem in problems:
        complain(problem)
    if not ensemble.complete:
        return interrupts.status()
    return 2 if problems else 0


def declaration(arguments: Namespace) -> Sweep:
    """The sweep that the named diagram declares, with the number of scenarios and the seed of the options.

    Raises BlockdynError for whatever is wrong with it.
    """
    from ..sweeps.sweep import Sweep

    changes: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in ("number", "seed", "stop", "max_time")
        if getattr(arguments, name, None) is not None
    }
    diagram = load_named(arguments)
    fixed = {
        path: value.plain()
        for option in ("param", "set")
        for path, value in assignments(f"--{option}", getattr(arguments, option), diagram)
    }
    return Sweep(diagram, set=fixed or None, **changes)


def _check(arguments: Namespace) -> None:
    """Before a long sweep: raise errors that the options and the files to write would cause after it."""
    if arguments.resume and not arguments.store:
        raise BlockdynError(
            "--resume without --store\nexpected: the store to continue, such as --store loop.zarr"
        )
    if arguments.dask and arguments.workers:
        raise BlockdynError(
            "--workers with --dask\n"
            "expected: one or the other; a cluster's own workers set their number of threads"
        )
    if arguments.report:
        _check_report(arguments.report)
    if arguments.table:
        from ..sweeps.answer.tables import check_table

        check_table(arguments.table)


def _check_report(target: str) -> None:
    from ..base.files import check_place

    if Path(target).suffix.lower() not in (".html", ".htm"):
        raise BlockdynError(f"a report in {target}\nexpected: a file that ends in .html")
    check_place(target)


def _write_files(ensemble: Ensemble, arguments: Namespace) -> tuple[list[str], list[BlockdynError]]:
    files: list[str] = [arguments.store] if arguments.store else []
    problems: list[BlockdynError] = []
    for target, write in ((arguments.report, ensemble.report), (arguments.table, ensemble.save_table)):
        if target is None:
            continue
        try:
            write(target)
            files.append(target)
        except BlockdynError as problem:
            problems.append(problem)
    return files, problems


def _lines(ensemble: Ensemble, spent: float, files: list[str], arguments: Namespace) -> list[str]:
    lines = [str(ensemble.summary()), ""]
    done = int(ensemble.info.get("ran", 0))
    rate = f", {done / spent:,.4g} a second" if done and spent > 0 else ""
    lines.append(f"  {inflect(done, 'scenario', f'{done:,}')} computed in {spent:.3g} s{rate}")
    lines += [f"  written: {file}" for file in files]
    if not ensemble.complete:
        left = "blockdyn sweep ... --resume computes the rest" if arguments.store else "nothing was stored"
        lines.append(f"  INCOMPLETE: interrupted; {left}")
    return lines


def _facts(ensemble: Ensemble, spent: float, files: list[str]) -> dict[str, Any]:
    facts = asdict(ensemble.summary())
    return facts | {
        "complete": ensemble.complete, "seconds": spent, "ran": ensemble.info.get("ran", 0), "files": files,
    }  # fmt: skip

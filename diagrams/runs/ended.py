"""Describe how a run ended, and the provenance of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...solvers.layout import Floats
from ...solvers.loop.run import Settings as SolverSettings
from ...solvers.methods import METHODS
from ..compiler.notices import memory_notices
from ..compiler.program import Program
from ..model.touch import touches_of
from ..results.provenance import Provenance
from .diagnose import approximations, causes, changes, has_crowded_steps
from .doubts import doubts, unseen_pulses
from .log_bound import missing_rows

if TYPE_CHECKING:
    from ..model.settings import Settings
    from ..results.trace import Trace

UNTOLD = ("log", "progress", "times", "stream", "inputs")
"""Arguments that say what to keep and where, not what to compute; inputs are recorded in words."""


@dataclass(frozen=True)
class End:
    """End of a run: the solver's integers and their names, time in s, time of the method switch, arrays,
    text.
    """

    names: tuple[str, ...]
    counts: NDArray[np.int64]
    time: float
    switched: float
    arrays: dict[str, Floats]
    complete: bool
    by: str | None
    message: str

    @cached_property
    def totals(self) -> dict[str, int]:
        """The integers by name."""
        return dict(zip(self.names, self.counts.tolist(), strict=True))


def provenance(
    program: Program, request: Settings, settings: SolverSettings, end: End, wall: float,
    costs: Mapping[str, tuple[int, float]], thinned: Sequence[str] = (), stepped: Floats | None = None,
    logged: Mapping[tuple[str, str], Trace] = MappingProxyType({}),
) -> Provenance:  # fmt: skip
    """The provenance of a run: `wall` is its time, s, `costs` calls and seconds of blocks in Python,
    `thinned` notices of rows that were left out, `stepped` the times of its rows, `logged` its signals by
    block and port.
    """
    asked = {name: value for name, value in vars(request).items() if name not in UNTOLD}
    asked["method"] = settings.method.name
    method = settings.method
    if METHODS.get(method.name) is not method:  # an unregistered method
        data = method.data.written()
        asked["method data"] = {"title": method.title, "source": method.source, **data}
    if request.touches:
        asked["touches"] = [each.written() for each in touches_of("touches", request.touches)]
    if request.inputs:
        from ..model.inputs import described  # late: most runs have none

        asked["inputs"] = described(request.inputs)
    statistics = {
        "steps": end.totals["steps"], "rejected": end.totals["rejected"],
        "evaluations": end.totals["evaluations"], "state events": end.totals["state_events"],
        "time events": end.totals["time_events"], "end": end.time, "wall time": wall,
    }  # fmt: skip
    if settings.method.wants or end.totals["switches"]:
        statistics |= {name: end.totals[name] for name in ("jacobians", "factorizations")}
    if settings.method.stiff is not None:
        statistics |= {"implicit steps": end.totals["implicit_steps"], "switches": end.totals["switches"]}
        statistics |= {"stiff from": end.switched} if end.totals["switches"] else {}
    python = {
        f"python {path}": "{} calls, {:.3g} s: {}".format(*costs.get(path, (0, 0.0)), reason)
        for path, reason in (program.callbacks.reasons if request.compiled else {}).items()
    }
    crowded = stepped is not None and has_crowded_steps(stepped)
    every_step = not thinned and request.times is None and request.every is None
    unseen = unseen_pulses(program, stepped, logged) if stepped is not None and every_step else ()
    made = Provenance(
        program.flat.name, None, dict(program.flat.parameters),
        asked | {"max_step": settings.max_step}, versions(), request.seed,
        statistics | python, end.complete, end.by, end.message, program.flat.changed,
        (*thinned, *missing_rows(request, end.time), *memory_notices(program), *doubts(program, logged),
         *unseen, *(causes(program, end.totals, failed=crowded) if end.by != "error" else ()),
         *changes(method, end.totals), *approximations(program, end.totals)),
    )  # fmt: skip
    return made.described(partial(_description, program.source), program.source)


def _description(diagram: Any) -> str | None:
    """The diagram as YAML, if it can be written."""
    from ...base.errors import BlockdynError
    from ..yaml.writer import dumps

    try:
        return dumps(diagram)
    except BlockdynError:
        return None


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """The versions of blockdyn and of the libraries that it computes with."""
    numbers = {}
    for name in ("blockdyn", "numpy", "scipy", "numba", "llvmlite"):
        try:
            numbers[name] = version(name)
        except PackageNotFoundError:
            numbers[name] = "not installed"
    return numbers

"""Diagrams of bdsim are imported and run here."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import BlockdynError
from ...diagrams.compiler.program import Program
from ...diagrams.model.diagram import Diagram
from .probe import start_state, started
from .results import structured, watched
from .translate import Translation, translate

METHODS = {"RK45": "dopri5", "RK23": "bs32", "DOP853": "dop853", "LSODA": "auto"}
"""What SciPy's explicit methods are called here; the implicit ones have the same names."""


def from_bdsim(diagram: Any) -> ImportedDiagram:
    """A diagram of bdsim, to be run here.

    Every block that has a counterpart becomes native, any other runs as it is, in Python. A diagram that is
    not compiled yet is compiled, by bdsim. The parameters of blocks are read at the first run, and again for
    another `T`: call this again for a diagram that has been changed.

    Raises BlockdynError.
    """
    if not all(hasattr(diagram, name) for name in ("blocklist", "wirelist", "compile")):
        raise BlockdynError(
            f"found {type(diagram).__name__}\nexpected: a diagram of bdsim, `sim.blockdiagram()`"
        )
    if not diagram.compiled:
        told = io.StringIO()
        try:
            with contextlib.redirect_stdout(told):
                diagram.compile(evaluate=False)
        except Exception as error:
            reasons = [line.strip() for line in told.getvalue().splitlines() if "ERROR" in line]
            text = "\n".join([f"bdsim does not compile {diagram.name}: {error}", *reasons])
            raise BlockdynError(text) from error
    return ImportedDiagram(diagram)


class ImportedDiagram:
    """A compiled diagram of bdsim and its translation: see `from_bdsim`."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self._translations: dict[float, tuple[Translation, Program | None]] = {}

    def diagram(self, T: float = 5.0) -> Diagram:
        """The Diagram that a run until T, s, has; blocks that last as long as the run depend on it."""
        return self._translation(T).diagram

    def opaque(self, T: float = 5.0) -> tuple[str, ...]:
        """The names of bdsim's blocks that run as they are, in Python."""
        return self._translation(T).opaque

    def simulate(
        self,
        T: float = 5.0,
        dt: float | None = None,
        *,
        max_step: float | None = None,
        solver: str = "RK45",
        solver_args: Mapping[str, Any] | None = None,
        watch: Sequence[Any] = (),
        stop: float | None = None,
        log: Sequence[str] = (),
        **arguments: Any,
    ) -> Any:
        """Run from 0 to T, s, with the arguments of bdsim's `run`, and of `Diagram.simulate`.

        `stop` is another name of T; signals of `log` are kept in addition to the watched ones.

        `dt` is the distance of the rows; without it there is one per step. `solver` is a name of SciPy's, or
        a method here. `watch` are bdsim's blocks, their ports, or names, `"plant[0]"`. Tolerances are
        blockdyn's, rtol 1e-6 and atol 1e-9, unless given here or in `solver_args`; no step is bounded by
        T/100.

        Returns bdsim's BDStruct: `t`, `x` (a row a time), `xnames`, of watched signals `y`, `ynames` and
        `y0`, `y1`, ..., of each clock `clock0.t`, `clock0.X` and `clock0.Xnames`, `stats`; `result` is the
        Result. They are put together when they are first looked at. At the instant of an event
        there are two rows, the limits from both sides. Raises the errors of `Diagram.simulate`.
        """
        T = T if stop is None else stop
        translation = self._translation(T)
        signals = watched(self.source, translation, watch)
        settings = dict(solver_args or {}) | {"method": METHODS.get(solver, solver), "every": dt} | arguments
        if max_step is not None:
            settings["max_step"] = max_step
        settings = {name: value for name, value in settings.items() if value is not None}
        self._restart(translation, T)
        paths = [*(signal.path for signal in signals), *translation.sampled_signals, *log]
        result = self._program(T).simulate(stop=T, log=[*dict.fromkeys(paths)], **settings)
        return structured(self.source, translation, signals, result, T)

    def _translation(self, T: float) -> Translation:
        if T not in self._translations:
            self._translations = {T: (translate(self.source, T), None)}
        return self._translations[T][0]

    def _program(self, T: float) -> Program:
        translation, program = self._translations[T]
        if program is None:
            program = translation.diagram.compile()
            self._translations[T] = translation, program
        return program

    def _restart(self, translation: Translation, T: float) -> None:
        """Start the blocks that run as they are, as bdsim does: they forget an earlier run."""
        for block in translation.in_python:
            started(block, start_state(T))

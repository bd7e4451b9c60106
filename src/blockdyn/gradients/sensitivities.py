"""Sensitivities are the derivatives of the signals of a run with respect to the numbers of its diagram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.door import door
from ..base.shown import NotebookText
from ..base.words import nearest
from ..diagrams.model.diagram import Diagram
from ..diagrams.results.lookup import find
from ..diagrams.results.trace import Trace
from ..solvers.layout import Floats
from .errors import GradientError
from .named import NamedValues
from .study import Study

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from ..doors import Sensitivities as Doors
else:
    Doors = object


INSTANTS = 201  # default number of times of the derivatives


@dataclass(frozen=True, repr=False)
class Sensitivities(NamedValues, NotebookText, Doors):
    """Signals y(t) of a run, and their derivatives dy/dp by numbers p of its diagram.

        s["rotor.y"]             the signal, an xarray.DataArray over time
        s["rotor.y", "kp"]       its derivative with respect to the number at that path, in units of both

    times        s, increasing
    signals      the signals by name
    to           the paths
    values       their values
    derivatives  by path and signal
    differences  paths of the blocks that Python runs, which contribute by differences
    computed     paths of numbers from which blocks compute others, such as the coefficients of a
                 TransferFunction: their derivatives are differences of order 4, accurate to about 1e-11
    """

    times: Floats
    signals: Mapping[str, Trace]
    to: tuple[str, ...]
    values: Mapping[str, float]
    derivatives: Mapping[str, Mapping[str, Trace]]
    differences: tuple[str, ...]
    computed: tuple[str, ...]

    def __getitem__(self, key: str | tuple[str, str]) -> xr.DataArray:
        """Raises UnknownSignal, GradientError."""
        name, path = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        if path is None:
            return find(name, self.signals, {}).to_xarray()
        if path not in self.to:
            expected = f"one of {', '.join(self.to)}"
            raise GradientError(f"there is no parameter {path!r:.80}{nearest(str(path), self.to)}", expected)
        return find(name, self.derivatives[path], {}).to_xarray()

    def keys(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self.signals)

    def _figure(self) -> Figure:
        return self.plot(show=False)

    def __repr__(self) -> str:
        signals, paths = ", ".join(self.signals), ", ".join(self.to)
        by = f"; by differences: {', '.join(self.differences)}" if self.differences else ""
        return f"<Sensitivities of {signals} to {paths}: {self.times.size} times{by}>"

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.models.gradients:plot_sensitivities")


def sensitivities(
    diagram: Diagram,
    to: str | Iterable[str],
    of: str | Iterable[str] | None = None,
    times: ArrayLike | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    **simulation: Any,
) -> Sensitivities:
    """The derivatives dy/dp of signals of a run by numbers of the diagram, through events and ticks.

    to      paths of numbers, as an axis of a sweep names them: a parameter of the diagram or of a block,
            "control.kp", one element, "plant.A[0, 1]", a mass of a robot, an initial state, "ball.x"
    of      signals, as `log` names them; None: the signals that the diagram logs
    times   increasing, s; None: 201 from the start to the stop

    `parameters`, `set` and the other arguments are arguments of `simulate`. The state's derivatives S solve
    S' = f_x S + f_p on the steps of the run, or on parts of them if the error of S requires it. At an
    event the derivative of its instant, dT = -(g_x S + g_p) / (g_x f + g_t), accounts for the jumps and
    the changes of slope. If a signal jumps at a time, the result is the derivative just after it. At
    kinks that are not events, it is the derivative on the side of the run.

    Raises NotDifferentiable for numbers that determine the structure of the diagram, events that only touch
    their level, singular algebraic loops, and methods without derivatives of their steps; GradientError,
    UnknownPath, and the errors of `simulate`.

    Source: Hairer, Norsett, Wanner (1993), section II.6; Hiskens and Pai, IEEE Trans. Circuits and
    Systems I 47 (2000) 204-220.
    """
    paths = names("to", to)
    signals = None if of is None else names("of", of)
    if times is not None:
        instants = growing(times)
        simulation = {"stop": float(instants[-1])} | dict(simulation)
    study = Study(diagram, paths, signals, simulation, parameters=parameters, set=set)
    if times is None:
        instants = np.linspace(study.start, study.stop, INSTANTS)
    require_times_in_run("times", instants, study)
    rows = study.rows(study.values, instants)
    signals_at = {
        name: slice(column.start, column.start + column.size.count) for name, column in study.columns.items()
    }

    def traces(numbers: Floats, unit: str | None = None) -> dict[str, Trace]:
        headings = {name: study.columns[name].heading for name in signals_at}
        return {
            name: replace(heading, unit=heading.unit if unit is None else unit).filled(
                instants, numbers[:, signals_at[name]]
            )
            for name, heading in headings.items()
        }

    derivatives = {path: traces(rows.slopes[:, :, i], "") for i, path in enumerate(paths)}
    values = dict(zip(paths, study.values.tolist(), strict=True))
    return Sensitivities(
        instants, traces(rows.values), tuple(paths), values, derivatives, study.differences, study.computed
    )


def names(argument: str, value: str | Iterable[str]) -> list[str]:
    """Unique names. Raises GradientError."""
    try:
        listed: list[Any] = [value] if isinstance(value, str) else [*value]
    except TypeError:
        listed = [value]
    if not all(isinstance(name, str) for name in listed):
        raise GradientError(f"{argument} is {value!r:.80}", 'a name, or a list of names: "control.kp"')
    if not listed:
        raise GradientError(f"{argument} is empty", "one name at least")
    if len({*listed}) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise GradientError(f"{argument} has {twice!r} twice", "each name once")
    return listed


def growing(times: ArrayLike) -> Floats:
    """Increasing times. Raises GradientError."""
    try:
        instants = np.asarray(times, np.float64)
    except (TypeError, ValueError, OverflowError):
        instants = np.zeros(0)
    right = instants.ndim == 1 and instants.size > 0 and bool(np.all(np.isfinite(instants)))
    if not right or np.any(np.diff(instants) <= 0.0):
        raise GradientError(f"times are {times!r:.80}", "increasing times of a run, s")
    return instants


def require_times_in_run(label: str, instants: Floats, study: Study) -> None:
    """Raise GradientError for times outside the run."""
    if instants[0] < study.start or instants[-1] > study.stop:
        actual = f"{label} go from {instants[0]:g} to {instants[-1]:g} s"
        raise GradientError(actual, f"times of the run, from {study.start:g} to {study.stop:g} s")

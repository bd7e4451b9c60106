"""Analyses of the studio's diagram: linear models, operating points and sweeps, as tables and pictures."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..diagrams.model.diagram import Diagram

if TYPE_CHECKING:
    from ..analysis.models.linear_model import LinearModel

MOST_VALUES = 24  # of a parameter that is varied: each is a curve
SAMPLES = 400  # of a curve
LONGEST_RUN = 20.0  # s of wall-clock time, of one value
Answer = dict[str, Any]


def analyse(diagram: Diagram, request: Mapping[str, Any]) -> Answer:
    """Parts, curves and a picture for a request.

    what      linearize, bode, step, trim, sweep, fit
    inputs, outputs    signals of a linear model [the inputs and outputs of the diagram]
    path, values, signal    of a sweep: `gain.k`, `1, 2, 5` or `0:10:5`, and the signal that is shown
    data, names, folder     of a fit: a file in a folder, and the numbers to find, such as `kp, rotor.k`

    Raises BlockdynError.
    """
    kind = str(request.get("what"))
    if kind == "trim":
        from .linear import point_parts

        return {"parts": _plain(point_parts(diagram.trim()))}
    if kind == "sweep":
        return _sweep(diagram, request)
    if kind == "fit":
        return _fit(diagram, request)
    model = diagram.linearize(_names(request, "inputs"), _names(request, "outputs"))
    match kind:
        case "linearize":
            from .linear import model_parts

            picture = _draw(model.pole_map) if model.states and model.delays is None else None
            return {"parts": _plain(model_parts(model)), "picture": picture}
        case "bode":
            from .linear import response_parts

            _check_ends(model)
            return {"parts": _plain(response_parts(model)), "picture": _draw(model.bode)}
        case "step":
            _check_ends(model)
            return _step(model)
    raise BlockdynError(f"an analysis `{kind[:40]}`\nexpected: linearize, bode, step, trim, sweep or fit")


def _names(request: Mapping[str, Any], side: str) -> list[str] | None:
    names = request.get(side)
    return [str(name) for name in names] if isinstance(names, Sequence) and names else None


def _check_ends(model: LinearModel) -> None:
    for names, side, kind in ((model.inputs, "input", "Inports"), (model.outputs, "output", "Outports")):
        if not names:
            raise BlockdynError(f"the diagram has no {kind}\nexpected: a signal that is the {side}")


def _step(model: LinearModel) -> Answer:
    response = model.step()
    curves = [
        _curve(f"{model.outputs[i]} to a step of {model.inputs[j]}", response.times, response.values[:, i, j])
        for i in range(len(model.outputs))
        for j in range(len(model.inputs))
    ]
    return {"parts": [{"text": "Response of the linear model to a step of 1"}], "curves": curves}


def _sweep(diagram: Diagram, request: Mapping[str, Any]) -> Answer:
    """A run for each value of a parameter, with the curve of one signal and its limits."""
    from ..sweeps.sweep import Sweep

    path, signal = str(request.get("path")), str(request.get("signal"))
    values = read_values(str(request.get("values", "")))
    kinds = {"least": "min", "greatest": "max", "last": "final"}
    measures = {name: {kind: signal} for name, kind in kinds.items()}
    stop: dict[str, Any] = {} if request.get("stop") is None else {"stop": float(request["stop"])}
    ensemble = Sweep(diagram, {path: values}, measures, max_time=LONGEST_RUN, **stop).run(progress=False)
    frame = ensemble.to_frame()
    rows = [
        (f"{value:.6g}", *(f"{frame[name].iloc[k]:.6g}" for name in measures), str(frame["outcome"].iloc[k]))
        for k, value in enumerate(values)
    ]
    curves = []
    for k, value in enumerate(values):
        trace = ensemble.result(k).trace(signal)
        flat = trace.values.reshape(len(trace.time), -1)
        for element in range(flat.shape[1]):
            index = f"[{element}]" if flat.shape[1] > 1 else ""
            curves.append(_curve(f"{path} = {value:.6g}{index}", trace.time, flat[:, element], trace.unit))
    table = Table(f"{signal}, over {path}", (path, *measures, "outcome"), rows)
    return {"parts": _plain([table]), "curves": curves}


def _fit(diagram: Diagram, request: Mapping[str, Any]) -> Answer:
    """Estimates from measurements in a file, with 95 % intervals, and a picture of data and residuals."""
    folder, data = Path(str(request.get("folder", "."))).resolve(), str(request.get("data", "")).strip()
    file = (folder / data).resolve()
    if not data or not file.is_relative_to(folder):
        expected = f"a file in the folder of the diagram, {folder}"
        raise BlockdynError(f"the data `{data[:80]}`\nexpected: {expected}")
    names = [name for name in re.split(r"[\s,;]+", str(request.get("names", ""))) if name]
    fitted = diagram.fit(file, names)
    intervals = fitted.intervals(0.95)
    rows = [
        (name, *(f"{number:.6g}" for number in (value, *intervals[name])))
        for name, value in fitted.values.items()
    ]
    title, *lines = repr(fitted).splitlines()
    table = Table(title, ("number", "estimate", "95 %: from", "to"), rows)
    return {"parts": _plain([table, *lines[len(names) :]]), "picture": _draw(fitted.plot)}


def read_values(text: str) -> list[float]:
    """Numbers such as `1, 2, 5`, or `first:last:count`. Raises BlockdynError."""
    try:
        if ":" in text:
            first, last, count = text.split(":")
            values = np.linspace(float(first), float(last), min(max(int(count), 1), MOST_VALUES)).tolist()
        else:
            values = [float(word) for word in re.split(r"[\s,;]+", text.strip(" []")) if word]
        if not values or len(values) > MOST_VALUES or not np.isfinite(values).all():
            raise ValueError
    except ValueError:
        expected = f"1 to {MOST_VALUES} numbers, such as `1, 2, 5`, or first:last:count, such as `0:10:5`"
        raise BlockdynError(f"the values `{text[:60]}`\nexpected: {expected}") from None
    return [float(value) for value in values]


def _curve(label: str, times: Any, values: Any, unit: str = "") -> Answer:
    """A line of a chart, with no more samples than a chart shows."""
    times, values = np.asarray(times, float), np.asarray(values, float)
    if len(times) > 2 * SAMPLES:
        chosen = np.unique(np.linspace(0, len(times) - 1, 2 * SAMPLES).astype(int))
        times, values = times[chosen], values[chosen]
    numbers = [value if np.isfinite(value) else None for value in values.tolist()]
    return {"label": label, "unit": unit, "time": times.tolist(), "values": numbers}


def _plain(parts: Sequence[str | Table]) -> list[Answer]:
    """Sentences and tables in the form that the page reads."""
    return [
        {"text": part.strip()} if isinstance(part, str)
        else {"title": part.title, "columns": list(part.columns), "rows": [list(row) for row in part.rows]}
        for part in parts
        if part
    ]  # fmt: skip


def _draw(draw: Callable[..., Any]) -> str:
    """A figure as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        draw(file=(file := Path(folder) / "picture.svg"), show=False)
        return file.read_text(encoding="utf-8")

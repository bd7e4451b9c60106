"""Linear models are shown as text, and converted to the classes of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.extras import remedy
from ..errors import AnalysisError
from .linear_model import LinearModel

SMALL = 8  # rows or columns of matrices that are shown
NAMES = 8
DIGITS = 5


def described(model: LinearModel) -> str:
    """Kind, names, poles; the matrices of a small model."""
    time = f"discrete, every {model.sample_time:g} s" if model.sample_time else "continuous"
    kind = f"LinearModel, {time}: {_count_names(model.states, 'state')}"
    kind += f", {_count_names(model.inputs, 'input')}, {_count_names(model.outputs, 'output')}"
    if model.A.ndim > 2:
        return f"{kind}, at {len(model.A)} points"
    lines = [f"{kind}, {stability(model)}"]
    for word, names in (("states", model.states), ("inputs", model.inputs), ("outputs", model.outputs)):
        if names:
            lines.append(f"{word:<9}{_list_names(names)}")
    if model.delays is not None:
        pairs = zip(model.delays.names, model.delays.times, strict=True)
        lines.append(f"{'delays':<9}{_list_names([f'{name} {time:.{DIGITS}g} s' for name, time in pairs])}")
    elif model.states:
        lines.append(f"{'poles':<9}{_list_names([_number(pole) for pole in model.poles()])}")
    if model.differences:
        lines.append(f"by differences: {_list_names(model.differences)}")
    if model.held:
        lines.append(f"kept at events, constant here: {_list_names(model.held)}")
    if model.kinks:
        lines.append(f"at a kink, of one side: {'; '.join(model.kinks[:NAMES])}")
    if max(len(model.states), *model.D.shape) <= SMALL:
        lines += ["paths without a delay:"] if model.delays is not None else []
        for name in "ABCD":
            matrix = getattr(model, name)
            if matrix.size:
                rows = np.array2string(matrix, precision=DIGITS, suppress_small=True, prefix=f"{name} = ")
                lines.append(f"{name} = {rows}")
    return "\n".join(lines)


def stability(model: LinearModel) -> str:
    """The stability in one or two words."""
    return "stable" if model.stable else "marginal" if model.marginal else "not stable"


def sizes(model: LinearModel) -> str:
    """The numbers of inputs and outputs for an error message."""
    return f"a model with {_count_names(model.inputs, 'input')} and {_count_names(model.outputs, 'output')}"


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMES]) + (", ..." if len(names) > NAMES else "")


def _number(value: complex) -> str:
    if not value.imag:
        return f"{value.real:.{DIGITS}g}"
    return f"{value.real:.{DIGITS}g}{value.imag:+.{DIGITS}g}i"


def _count_names(names: Sequence[str], word: str) -> str:
    return f"{len(names)} {word}{'s' if len(names) != 1 else ''}"


def to_scipy(model: LinearModel) -> Any:
    """Convert to `scipy.signal.StateSpace`."""
    from scipy.signal import StateSpace

    model = model.finite()
    matrices = model.A, model.B, model.C, model.D
    return StateSpace(*matrices, dt=model.sample_time) if model.sample_time else StateSpace(*matrices)


def to_control(model: LinearModel) -> Any:
    """Convert to `control.StateSpace` with signal names. Raises AnalysisError without the extra `control`."""
    if remedy("control"):
        raise AnalysisError("a model of python-control needs the package control", remedy("control"))
    import control

    model = model.finite()
    names = {
        group: [name.replace(".", "_") for name in getattr(model, group)]
        for group in ("states", "inputs", "outputs")
    }
    return control.StateSpace(
        model.A, model.B, model.C, model.D, model.sample_time, remove_useless_states=False, **names
    )

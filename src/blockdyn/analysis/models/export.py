"""Linear models are converted to the classes of other libraries."""

from __future__ import annotations

from typing import Any

from ...base.extras import remedy
from ..errors import AnalysisError
from .linear_model import LinearModel


def to_scipy(model: LinearModel) -> Any:
    """As `scipy.signal.StateSpace`."""
    from scipy.signal import StateSpace

    model = model.finite()
    matrices = model.A, model.B, model.C, model.D
    return StateSpace(*matrices, dt=model.sample_time) if model.sample_time else StateSpace(*matrices)


def to_control(model: LinearModel) -> Any:
    """As `control.StateSpace` with its names. Raises AnalysisError without the extra `control`."""
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

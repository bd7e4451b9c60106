"""bdsim's continuous and sampled blocks, and the blocks here that they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...blocks.continuous.state_space import StateSpace
from ...blocks.mathematics.gain import Gain
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from .registers import Linear, Register, RegisterDerivative, RegisterIntegrator, RegisterStateSpace
from .values import Maker, Place


def initial_of(make: Maker) -> Any:
    """The state at the start: a number where bdsim shows a state of one element as a number."""
    x = np.asarray(make.block.getstate0(), float).ravel()
    return float(x[0]) if x.size == 1 else x


def integrator(make: Maker) -> Place | None:
    """The limits of bdsim's are for x, and its gain is for u."""
    b, form = make.block, make.form(0)
    if not form.numeric:
        return None
    x = initial_of(make)
    limits = {"lower": _limit(b.min, -np.inf, x), "upper": _limit(b.max, np.inf, x)}
    return _insert_gain(make, make.integral(np.clip(x, limits["lower"], limits["upper"]), **limits), b.gain)


def _limit(value: Any, default: float, x: Any) -> Any:
    if value is None:
        return default
    limit = np.asarray(value, float).ravel()
    return float(limit[0]) if np.ndim(x) == 0 else limit


def _insert_gain(make: Maker, place: Place, gain: float = 1.0) -> Place:
    """A gain before the input, where there is one; bdsim's vector of one element is a number in its state."""
    if make.form(0).shape == (1,) and place.scalar:
        number = make.add(Selector(indices=0), "one")
        make.wire(f"{number}.y", place.inputs[0][0])
        place.inputs = [[f"{number}.u"]]
    if gain != 1.0:
        before = make.add(Gain(float(gain)), "gain")
        make.wire(f"{before}.y", place.inputs[0][0])
        place.inputs = [[f"{before}.u"]]
    return place


def matrices(make: Maker) -> tuple[Any, Any, Any, Any, Any]:
    b = make.block
    D = np.zeros((b.C.shape[0], b.B.shape[1])) if b.D is None else b.D
    return b.A, b.B, b.C, D, np.asarray(b.getstate0(), float).ravel()


def linear(make: Maker) -> Place:
    """bdsim joins the inputs of a linear system. Of several outputs it gives one vector, and fails."""
    A, B, C, D, x = matrices(make)
    mux = make.add(Mux(make.block.nin), "u")
    if make.eventful:
        place = _settable_linear(make, mux)
    else:
        name = make.add(StateSpace(A=A, B=B, C=C, D=D, initial=x))
        make.wire(f"{mux}.y" if B.shape[1] > 1 else make.apart(f"{mux}.y", 1, "in")[0], f"{name}.u")
        place = Place([], [f"{name}.y"], [f"{name}.x"])
    if make.block.nout > 1:
        place.outputs = make.apart(place.outputs[0], make.block.nout)
    place.inputs = [[f"{mux}.u{k}"] for k in range(make.block.nin)]
    return place


def _settable_linear(make: Maker, mux: str) -> Place:
    """A linear system whose state is an integral of its own."""
    A, B, C, D, x = matrices(make)
    place = make.integral(x, "x")
    slope, shown = make.add(Linear(A, B), "slope"), make.add(Linear(C, D, direct=bool(np.any(D))))
    for name in (slope, shown):
        make.wire(place.outputs[0], f"{name}.x")
    for name in (slope, shown) if np.any(D) else (slope,):
        make.wire(f"{mux}.y", f"{name}.u")
    make.wire(f"{slope}.y", place.inputs[0][0])
    place.outputs = make.apart(f"{shown}.y", 1) if len(C) == 1 else [f"{shown}.y"]
    return place


def clock(make: Maker) -> dict[str, float]:
    """The ticks of a sampled block."""
    return {"sample_time": make.block._clock.T, "offset": make.block._clock.offset}


def hold(make: Maker) -> Place | None:
    form, x = make.form(0), initial_of(make)
    if make.eventful or not form.numeric or len(form.shape) > 1:
        return None
    if form.shape and np.ndim(x) == 0:
        x = np.full(form.shape, x)
    return _set_state(make.alone(Register(initial=x, **clock(make))), "y")


def _set_state(place: Place, output: str) -> Place:
    """A sampled block whose state is one of its outputs."""
    place.state = [f"{place.outputs[0].partition('.')[0]}.{output}"]
    return place


def sampled_integrator(make: Maker) -> Place | None:
    b, x = make.block, initial_of(make)
    if make.eventful or b.enable is not None or not make.form(0).numeric:
        return None
    low, high = _limit(b.min, -np.inf, x), _limit(b.max, np.inf, x)
    return _set_state(
        make.alone(RegisterIntegrator(initial=x, gain=b.gain, lower=low, upper=high, **clock(make))), "y"
    )


def sampled_derivative(make: Maker) -> Place | None:
    b, x = make.block, initial_of(make)
    if make.eventful or np.ndim(x) or not make.form(0).numeric:
        return None
    return _set_state(
        make.alone(RegisterDerivative(initial=x, gain=b.gain, **clock(make)), outputs=("y",)), "u_last"
    )


def sampled_linear(make: Maker) -> Place | None:
    if make.eventful:
        return None
    A, B, C, D, x = matrices(make)
    name = make.add(RegisterStateSpace(A=A, B=B, C=C, D=D, initial=x, **clock(make)))
    mux = make.add(Mux(make.block.nin), "u")
    make.wire(f"{mux}.y", f"{name}.u")
    outputs = (
        make.apart(f"{name}.y", make.block.nout) if make.block.nout > 1 or len(C) == 1 else [f"{name}.y"]
    )
    inputs = [[f"{mux}.u{k}"] for k in range(make.block.nin)]
    return Place(inputs, outputs, state=[f"{name}.x_now"])


DYNAMICS = {
    "bdsim.Integrator": integrator, "bdsim.LTI_SS": linear, "bdsim.LTI_SISO": linear, "bdsim.Deriv2": linear,
    "bdsim.ZOH": hold, "bdsim.Integrator_S": sampled_integrator, "bdsim.DIntegrator": sampled_integrator,
    "bdsim.Deriv_S": sampled_derivative, "bdsim.LTI_SS_S": sampled_linear, "bdsim.LTI_SISO_S": sampled_linear,
}  # fmt: skip

"""The toolbox' rotorcraft: MULTIROTOR and its mixer."""

from __future__ import annotations

from types import CodeType
from typing import Any

import numpy as np

from ...blocks.discontinuous.saturation import Saturation
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.matrix_gain import MatrixGain
from ...blocks.mathematics.sqrt import Sqrt
from ...blocks.routing.mux import Mux
from .places import Maker, Place
from .pounds import AIR, Pounds

FLAPPING = {"a1s", "b1s"}


def multirotor(make: Maker) -> Place | None:
    """Native where nothing reads the flapping angles, which in bdsim are those of its last evaluation."""
    b = make.block
    if make.eventful or flapping_is_read(b):
        return None
    model = b.model
    area = model["rho"] * model["A"]
    craft = [
        *(float(model[name]) for name in AIR),
        model["Ct"] * area * model["r"] ** 2,
        model["Cq"] * area * model["r"] ** 3,
        float(bool(b.groundcheck)),
    ]
    block = Pounds(
        rotors=int(b.nrotors), initial=np.asarray(b.getstate0(), float), craft=craft, hubs=b.D.T.copy(),
        inertia=np.asarray(model["J"], float),
    )  # fmt: skip
    name = make.add(block)
    return Place([[f"{name}.w"]], [f"{name}.y"], [f"{name}.x"])


def flapping_is_read(block: Any) -> bool:
    """Whether a block that reads the vehicle's output may look at the flapping angles in it."""
    return any(_reads_flapping(wire.end.block) for wires in block._output_wires for wire in wires)


def _reads_flapping(reader: Any) -> bool:
    kind = type(reader).__name__
    if kind == "Item":
        return reader.item in FLAPPING
    if kind == "Function":
        functions = reader.func if isinstance(reader.func, (list, tuple)) else [reader.func]
        codes = [getattr(function, "__code__", None) for function in functions]
        return any(code is None or FLAPPING & _texts(code) for code in codes)
    return bool(reader.nout)  # a sink shows, and shows nothing here


def _texts(code: CodeType) -> set[str]:
    """The texts that a function and those in it hold."""
    inner = (_texts(one) for one in code.co_consts if isinstance(one, CodeType))
    return {one for one in code.co_consts if isinstance(one, str)}.union(*inner)


def mixer(make: Maker) -> Place:
    """Torques and thrust to squares of speeds, within their limits, whose roots have alternating signs."""
    b = make.block
    names = [
        make.add(Mux(4), "wrench"),
        make.add(MatrixGain(b.Minv), "squares"),
        make.add(Saturation(lower=float(b.minw), upper=float(b.maxw)), "limited"),
        make.add(Sqrt(), "speeds"),
        make.add(Gain(np.asarray(b.signs, float))),
    ]
    make.diagram.connect(*names)
    return Place([[f"{names[0]}.u{k}"] for k in range(4)], [f"{names[-1]}.y"])


FLYING = {"roboticstoolbox.MultiRotor": multirotor, "roboticstoolbox.MultiRotorMixer": mixer}

"""The toolbox's vehicles: rotorcraft with mixer, and wheels with speed and steering."""

from __future__ import annotations

import math
from math import inf
from types import CodeType
from typing import Any, ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.errors import Refusal
from ...blocks.contract.parameter import Array, Real, option, parameter
from ...blocks.contract.port import Crossing, Port, State
from ...blocks.discontinuous.saturation import Saturation
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.matrix_gain import MatrixGain
from ...blocks.mathematics.sqrt import Sqrt
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from .values import Maker, Place

AIR = ("r", "theta0", "theta1", "gamma", "M", "g")  # of the model, as they lie in `craft`
THRUST = len(AIR)
DRAG, GROUND = THRUST + 1, THRUST + 2


class Pounds(Block):
    """A rotorcraft with flapping rotors in axes with z down, as in bdsim's MULTIROTOR.

        dv/dt = g e_z + R sum T_i / M,    J do/dt = -o x J o - sum T_i x D_i - sum Q_i

    x = (position, yaw-pitch-roll, velocity in the world, turning in the body); T_i is along the disc of rotor
    i, tilted by flapping, Q_i = -k |w_i| w_i e_z, D_i its hub. With `ground` it does not fall below z = 0,
    it stops there, and leaves at the instant when its thrust lifts it. y has, one after another, x[:6]; the
    position and the velocity in the body; the angles and their rates; both rates again; the flapping of each
    rotor, which is not computed for y and is 0; and all twelve numbers.
    Source: Pounds, Design, Construction and Control of a Large Quadrotor Micro Air Vehicle, PhD thesis,
    Australian National University, 2007, chapter 3.
    """

    outputs: ClassVar = ()
    states: ClassVar = (State("x", "initial"),)
    crossings: ClassVar = (Crossing("touches", +1), Crossing("lifts", -1))

    rotors: int = option(doc="how many")
    initial: Real = parameter(doc="x at the start", dimensions=(1,))
    craft: Real = parameter(doc="numbers of rotors and body", dimensions=(1,))
    hubs: Real = parameter(doc="D_i, a row each", dimensions=(2,))
    inertia: Real = parameter(doc="J", dimensions=(2,))

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("w", self.rotors, "rad/s"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", 36 + 2 * self.rotors),)

    def constants(self) -> dict[str, Any]:
        return {"spin": np.linalg.inv(np.asarray(self.inertia, float))}

    def scratch(self) -> dict[str, tuple[int, ...]]:
        return {"slope": (12,), "turn": (3, 3)}

    @staticmethod
    def output(x: Array, turn: Array, y: Array) -> None:
        attitude(x, turn)
        n = y.shape[0]
        for i in range(6):
            y[i] = x[i]
        for i in range(3):
            y[6 + i] = x[i]
            y[9 + i] = turn[0, i] * x[6] + turn[1, i] * x[7] + turn[2, i] * x[8]
            y[12 + i] = x[3 + i]
        y[15], y[16], y[17] = rates(x)
        for i in range(3):
            y[18 + i] = y[9 + i]
            y[21 + i] = y[15 + i]
        for i in range(24, n - 12):
            y[i] = 0.0
        for i in range(3):
            y[n - 12 + i] = x[i]
            y[n - 9 + i] = x[3 + i]
            y[n - 6 + i] = y[9 + i]
            y[n - 3 + i] = y[15 + i]

    @staticmethod
    def derivative(
        mode: int, w: Array, x: Array, craft: Array, hubs: Array, inertia: Array, spin: Array, turn: Array,
        d_x: Array,
    ) -> None:  # fmt: skip
        slopes(w, x, craft, hubs, inertia, spin, turn, d_x)
        if mode == 1:
            d_x[2] = 0.0
            d_x[8] = 0.0

    @staticmethod
    def crossing(
        mode: int, w: Array, x: Array, craft: Array, hubs: Array, inertia: Array, spin: Array, turn: Array,
        slope: Array,
    ) -> tuple[float, float]:  # fmt: skip
        # A crossing that cannot happen in a mode keeps its sign: it cannot fire, nor show a false passage.
        if mode == 0:
            return (x[2] if craft[GROUND] > 0.0 else -1.0), 1.0
        slopes(w, x, craft, hubs, inertia, spin, turn, slope)
        return 1.0, slope[8]

    @staticmethod
    def mode(
        mode: int, w: Array, x: Array, craft: Array, hubs: Array, inertia: Array, spin: Array, turn: Array,
        slope: Array,
    ) -> int:  # fmt: skip
        if craft[GROUND] == 0.0 or x[2] < 0.0 or x[8] < 0.0:
            return 0
        slopes(w, x, craft, hubs, inertia, spin, turn, slope)
        held = slope[8] > 0.0 or (mode == 1 and slope[8] == 0.0)
        return 1 if x[8] > 0.0 or held else 0

    @staticmethod
    def jump(mode: int, x: Array, next_x: Array) -> None:
        for i in range(12):
            next_x[i] = x[i]
        if mode == 1:
            next_x[2] = 0.0
            next_x[8] = 0.0


def attitude(x: Array, R: Array) -> None:
    """R from body to world: yaw about z, then pitch about y, then roll about x."""
    cy, sy = math.cos(x[3]), math.sin(x[3])
    cp, sp = math.cos(x[4]), math.sin(x[4])
    cr, sr = math.cos(x[5]), math.sin(x[5])
    R[0, 0], R[0, 1], R[0, 2] = cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy
    R[1, 0], R[1, 1], R[1, 2] = cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy
    R[2, 0], R[2, 1], R[2, 2] = -sp, sr * cp, cr * cp


def rates(x: Array) -> tuple[float, float, float]:
    """The rates of yaw, pitch and roll."""
    cp, sp = math.cos(x[4]), math.sin(x[4])
    cr, sr = math.cos(x[5]), math.sin(x[5])
    yaw = (sr * x[10] + cr * x[11]) / cp
    return yaw, cr * x[10] - sr * x[11], x[9] + sp * yaw


def thrust(w: float, x: Array, craft: Array, hubs: Array, i: int) -> tuple[float, float, float]:
    """The force of a rotor in the axes of the body, whose disc flaps against its flight."""
    if w == 0.0:
        raise Refusal("a rotor stands still: the flapping of its blades is not defined")
    d0, d1, d2 = hubs[i, 0], hubs[i, 1], hubs[i, 2]
    v0 = x[10] * d2 - x[11] * d1 + x[6]
    v1 = x[11] * d0 - x[9] * d2 + x[7]
    v2 = x[9] * d1 - x[10] * d0 + x[8]
    tip = abs(w) * craft[0]
    mu, inflow = math.sqrt(v0 * v0 + v1 * v1) / tip, v2 / tip
    flap = ((8 / 3 * craft[1] + 2 * craft[2]) * mu - 2 * inflow * mu) / (1 - mu * mu / 2)
    heading = math.atan2(v1, v0)
    lag = 16 / craft[3] / abs(w)
    along = math.cos(heading) * flap - lag * x[10]
    across = -math.sin(heading) * flap - lag * x[9]
    T = craft[THRUST] * w * w
    return (
        -T * math.cos(across) * math.sin(along),
        T * math.sin(across),
        -T * math.cos(along) * math.cos(across),
    )


def slopes(
    w: Array, x: Array, craft: Array, hubs: Array, inertia: Array, spin: Array, R: Array, d_x: Array
) -> None:
    """dx/dt in flight."""
    attitude(x, R)
    f0 = f1 = f2 = m0 = m1 = m2 = 0.0
    for i in range(w.shape[0]):
        t0, t1, t2 = thrust(w[i], x, craft, hubs, i)
        f0 += t0
        f1 += t1
        f2 += t2
        m0 += t1 * hubs[i, 2] - t2 * hubs[i, 1]
        m1 += t2 * hubs[i, 0] - t0 * hubs[i, 2]
        m2 += t0 * hubs[i, 1] - t1 * hubs[i, 0] - craft[DRAG] * w[i] * abs(w[i])
    for i in range(3):
        d_x[i] = x[6 + i]
        d_x[6 + i] = (R[i, 0] * f0 + R[i, 1] * f1 + R[i, 2] * f2) / craft[4]
    d_x[8] += craft[5]
    d_x[3], d_x[4], d_x[5] = rates(x)
    a, b, c = x[9], x[10], x[11]
    L0 = inertia[0, 0] * a + inertia[0, 1] * b + inertia[0, 2] * c
    L1 = inertia[1, 0] * a + inertia[1, 1] * b + inertia[1, 2] * c
    L2 = inertia[2, 0] * a + inertia[2, 1] * b + inertia[2, 2] * c
    m0 += b * L2 - c * L1
    m1 += c * L0 - a * L2
    m2 += a * L1 - b * L0
    for i in range(3):
        d_x[9 + i] = -(spin[i, 0] * m0 + spin[i, 1] * m1 + spin[i, 2] * m2)


FLAPPING = {"a1s", "b1s"}


def multirotor(make: Maker) -> Place | None:
    """Native if nothing reads the flapping angles, which in bdsim belong to its last evaluation."""
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
    """True if a block that reads the vehicle's output may read the flapping angles in it."""
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


# d(x, y, theta)/dt of wheels that roll without slipping. LaValle, Planning Algorithms (2006), section 13.1.2.
RATES = {
    "Bicycle": ("u0 * cos(theta)", "u0 * sin(theta)", "u0 * tan(u1) / length"),
    "Unicycle": ("u0 * cos(theta)", "u0 * sin(theta)", "u1"),
    "DiffSteer": ("(u0 + u1) / 2 * cos(theta)", "(u0 + u1) / 2 * sin(theta)", "(u1 - u0) / length"),
}


def vehicle(make: Maker) -> Place | None:
    """A vehicle with limits of speed and steering; a limit of acceleration depends on bdsim's last call."""
    b, car = make.block, make.block.vehicle
    kind = type(b).__name__
    fastest = inf if car._speed_max is None else float(car._speed_max)
    if car._accel_max not in (None, inf):
        return None
    steering = fastest if kind == "DiffSteer" else float(car._steer_max)
    length = float(car.l if kind == "Bicycle" else car._W)
    place = make.integral(np.asarray(b.getstate0(), float))
    rates, heading = make.add(Mux(3), "rates"), make.add(Selector(indices=2), "theta")
    make.wire(f"{rates}.y", place.inputs[0][0])
    make.wire(place.outputs[0], f"{heading}.u")
    place.inputs = [[], []]
    for k, formula in enumerate(RATES[kind]):
        coefficients = {"length": length} if "length" in formula else None
        name = make.add(Expression(formula, coefficients=coefficients), f"rate{k}")
        make.wire(f"{name}.y", f"{rates}.u{k}")
        if "theta" in formula:
            make.wire(f"{heading}.y", f"{name}.theta")
        for port in (0, 1):
            if f"u{port}" in formula:
                place.inputs[port].append(f"{name}.u{port}")
    for k, limit in enumerate((fastest, steering)):
        if limit < inf:
            limited = make.add(Saturation(lower=-limit, upper=limit), f"limit{k}")
            for reader in place.inputs[k]:
                make.wire(f"{limited}.y", reader)
            place.inputs[k] = [f"{limited}.u"]
    return place


ROLLING = {f"roboticstoolbox.{kind}": vehicle for kind in RATES}

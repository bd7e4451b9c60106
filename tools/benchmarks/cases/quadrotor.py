"""The quadrotor loop of Robotics, Vision and Control (3rd edition, figure 4.24), 10 s."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np

from ..contract import Candidate
from ..peers import ATOL, BDSIM_NOTE, RTOL, bdsim_candidate, bdsim_session
from ..quadrotor_model import (
    CIRCLE,
    CLIMB,
    FASTEST,
    KD_RP,
    KD_XY,
    KD_YAW,
    KD_Z,
    KP_RP,
    KP_XY,
    KP_YAW,
    KP_Z,
    SLOWEST,
    STATE,
    STOP,
    THRUST0,
    TURN,
    TURN_FROM,
    derivative,
    euler_rates,
    formulas,
    rigid_body,
    rotation,
    squared_speeds,
    without_flapping,
)

TITLE = "RVC quadrotor loop, 10 s, rtol 1e-6"
REQUIRED = {"bdsim": 500.0, "bdsim_no_flapping": 500.0}
SLOW = frozenset({"bdsim"})

# with rotor flapping (roboticstoolbox): RK45, rtol 1e-8, atol 1e-10
WITH_FLAPPING = (
    -0.1477474874, 0.2851808124, -5.009702178, 0.6899897334, 0.01564180928, -0.07864674325,
    0.4454689903, 0.2375982919, -0.00671834908, 0.02555375673, 0.1232547521, 0.1100975138,
)  # fmt: skip
REFERENCE = without_flapping()


def diagram() -> Any:
    """12 integrators, 29 formulas and 5 sources; the vehicle itself of separate blocks, too."""
    import blockdyn as bd

    d = bd.Diagram("quadrotor")
    begin, end, height = CLIMB
    slope = height / (end - begin)
    d.add("xref", bd.Sine(frequency=2 * pi * CIRCLE, phase=-pi / 2))
    d.add("yref", bd.Sine(frequency=2 * pi * CIRCLE))
    d.add("yawref", bd.Ramp(slope=TURN, start=TURN_FROM))
    d.add("down", bd.Ramp(slope=slope, start=begin))
    d.add("up", bd.Ramp(slope=-slope, start=end))
    for name in STATE:
        d.add(name, bd.Integrator(initial=0.0))
    blocks = {name: bd.Expression(formula=text) for name, text in formulas().items()}
    for name, block in blocks.items():
        d.add(name, block)
    for name, block in blocks.items():
        for port in block.input_ports():
            d.connect(port.name, f"{name}.{port.name}")
    rates = (
        "vx",
        "vy",
        "vz",
        "yawrate",
        "pitchrate",
        "rollrate",
        "ax",
        "ay",
        "az",
        "spinx",
        "spiny",
        "spinz",
    )
    for rate, name in zip(rates, STATE, strict=True):
        d.connect(rate, name)
    return d


def ours() -> Candidate:
    program = diagram().compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=list(STATE))

    note = "the vehicle as formulas and integrators, without flapping; 12 states logged"
    return Candidate(run, lambda: [float(last[0].final(name)) for name in STATE], note=note)


def wire_bdsim(bd: Any, vehicle: Any, mixer: Any) -> None:
    """The figure's controllers, one FUNCTION each, round a vehicle whose output is roboticstoolbox's dict."""
    x_ref = bd.WAVEFORM(wave="sine", freq=CIRCLE, unit="Hz", phase=0.25, name="x*")
    y_ref = bd.WAVEFORM(wave="sine", freq=CIRCLE, unit="Hz", phase=0.0, name="y*")
    yaw_ref = bd.RAMP(T=TURN_FROM, slope=TURN, name="yaw*")
    begin, end, height = CLIMB
    z_ref = bd.INTERPOLATE(x=(0.0, begin, end, 1e6), y=(0.0, 0.0, height, height), time=True, name="z*")
    trans, rot = bd.ITEM("trans", name="trans"), bd.ITEM("rot", name="rot")

    def into_body(x: float, y: float, s: Any, r: Any) -> Any:
        c, n = cos(r[0]), sin(r[0])
        dx, dy = x - s[0], y - s[1]
        return np.array([c * dx + n * dy, -n * dx + c * dy])

    def velocity(error: Any, s: Any) -> Any:
        forward, right = error - KD_XY * s[3:5]
        return KP_XY * np.array([right, -forward])

    def attitude(target: Any, r: Any) -> list[float]:
        roll = KP_RP * (target[0] - r[2] - KD_RP * r[5])
        pitch = KP_RP * (target[1] - r[1] - KD_RP * r[4])
        return [roll, pitch]

    def yaw(target: float, r: Any) -> float:
        return float(KP_YAW * (target - r[0] - KD_YAW * r[3]))

    def height_loop(target: float, s: Any) -> float:
        return float(KP_Z * (target - s[2] - KD_Z * s[5]) - THRUST0)

    position = bd.FUNCTION(into_body, nin=4, nout=1, name="position loop")
    speed = bd.FUNCTION(velocity, nin=2, nout=1, name="velocity loop")
    lean = bd.FUNCTION(attitude, nin=2, nout=2, name="attitude loop")
    heading = bd.FUNCTION(yaw, nin=2, nout=1, name="yaw loop")
    climb = bd.FUNCTION(height_loop, nin=2, nout=1, name="height loop")
    bd.connect(vehicle, trans, rot)
    bd.connect(x_ref, position[0])
    bd.connect(y_ref, position[1])
    bd.connect(trans, position[2], speed[1], climb[1])
    bd.connect(rot, position[3], lean[1], heading[1])
    bd.connect(position, speed[0])
    bd.connect(speed, lean[0])
    bd.connect(yaw_ref, heading[0])
    bd.connect(z_ref, climb[0])
    bd.connect(lean[0], mixer[0])
    bd.connect(lean[1], mixer[1])
    bd.connect(heading, mixer[2])
    bd.connect(climb, mixer[3])
    bd.connect(mixer, vehicle)


def bdsim() -> Candidate:
    """With roboticstoolbox's own vehicle, as its users run it: rotors that flap."""
    sim = bdsim_session()
    from roboticstoolbox.blocks.quad_model import quadrotor
    from roboticstoolbox.blocks.uav import MultiRotor, MultiRotorMixer

    bd = sim.blockdiagram()
    vehicle = MultiRotor(quadrotor, bd=bd, name="quadrotor")
    mixer = MultiRotorMixer(quadrotor, wmax=FASTEST, wmin=SLOWEST, bd=bd, name="mixer")
    wire_bdsim(bd, vehicle, mixer)
    note = BDSIM_NOTE + "; roboticstoolbox's MULTIROTOR, with flapping"
    return bdsim_candidate(sim, bd, STOP, reference=WITH_FLAPPING, note=note)


def bdsim_no_flapping() -> Candidate:
    """The same physics as ours: a bdsim block for the rigid body, nothing about flapping."""
    sim = bdsim_session()
    from bdsim.block_types import ContinuousBlock

    class RigidQuadrotor(ContinuousBlock):  # type: ignore[misc,unused-ignore]
        nin = 1
        nout = 1

        def __init__(self, **options: Any) -> None:
            super().__init__(nin=1, nout=1, **options)
            self.nstates = 12
            self._x0 = np.zeros(12)

        def output(self, t: float, inputs: Any, x: Any) -> list[Any]:
            into_body = rotation(x[3], x[4], x[5]).T
            rates = euler_rates(x[4], x[5], x[9:12])
            return [{"trans": np.r_[x[:3], into_body @ x[6:9]], "rot": np.r_[x[3:6], rates]}]

        def deriv(self, t: float, inputs: Any, x: Any) -> Any:
            return rigid_body(x, inputs[0])

    bd = sim.blockdiagram()
    vehicle = RigidQuadrotor(bd=bd, name="quadrotor")
    mixer = bd.FUNCTION(lambda r, p, y, f: squared_speeds((r, p, y, f)), nin=4, nout=1, name="mixer")
    wire_bdsim(bd, vehicle, mixer)
    return bdsim_candidate(sim, bd, STOP, note=BDSIM_NOTE + "; a rigid-body block without flapping, as ours")


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    last: list[Any] = [None]

    def run() -> None:
        last[0] = solve_ivp(derivative, (0.0, STOP), np.zeros(12), method="RK45", rtol=RTOL, atol=ATOL)

    note = "solve_ivp RK45, Python and NumPy, without flapping"
    return Candidate(run, lambda: [float(v) for v in last[0].y[:, -1]], note=note)


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "bdsim_no_flapping": bdsim_no_flapping,
    "scipy": scipy,
}

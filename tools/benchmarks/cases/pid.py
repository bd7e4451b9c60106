"""PID at 100 Hz on a second-order plant, 10 s.

    plant  1 / (s^2 + 0.8 s + 1)
    law    u_k = kp e_k + I_k + kd (e_k - e_{k-1}) / T,   I_{k+1} = I_k + ki T e_k,   e_{-1} = 0

bdsim is not among the engines: its PID_S neither samples its proportional path nor samples at t = 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import expm

from ..contract import Candidate
from ..peers import (
    ATOL,
    RTOL,
    drake_candidate,
    drake_simulator,
    jaxonomy_candidate,
    jaxonomy_wire,
    pathsim_simulation,
)

TITLE = "PID at 100 Hz on a second-order plant, 10 s"
STOP = 10.0
PERIOD = 0.01
TICKS = 1000
KP, KI, KD = 6.0, 4.0, 2.0
STIFFNESS, DAMPING = 1.0, 0.8
A = [[0.0, 1.0], [-STIFFNESS, -DAMPING]]
B = [[0.0], [1.0]]
C = [[1.0, 0.0]]
# the law as a discrete system with states (I, e_{k-1}), input e, output u
LAW_A = [[1.0, 0.0], [0.0, 0.0]]
LAW_B = [[KI * PERIOD], [1.0]]
LAW_C = [[1.0, -KD / PERIOD]]
LAW_D = [[KP + KD / PERIOD]]
REQUIRED = {"scipy": 100.0, "drake": 10.0}
SLOW: frozenset[str] = frozenset()


def exact() -> list[float]:
    """Position and speed at T: the plant by matrix exponential over each hold, the law as written."""
    held = expm(PERIOD * np.block([[np.array(A), np.array(B)], [np.zeros((1, 3))]]))
    x, integral, before = np.zeros(2), 0.0, 0.0
    for _ in range(TICKS):
        error = 1.0 - x[0]
        u = KP * error + integral + KD * (error - before) / PERIOD
        integral += KI * PERIOD * error
        before = error
        x = held[:2, :2] @ x + held[:2, 2] * u
    return [float(v) for v in x]


REFERENCE = exact()


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("pid")
    d.add("reference", bd.Constant(value=1.0))
    d.add("error", bd.Sum(signs="+-"))
    d.add("control", bd.DiscretePID(kp=KP, ki=KI, kd=KD, n=float("inf"), sample_time=PERIOD))
    d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, DAMPING, STIFFNESS]))
    d.connect("reference", "error[0]")
    d.connect("plant", "error[1]")
    d.connect("error", "control", "plant")
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["plant", "control"])

    return Candidate(run, lambda: [float(last[0].final("plant"))], reference=REFERENCE[:1])


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Adder, Constant, DiscreteStateSpace, StateSpace

    reference, error = Constant(1.0), Adder("+-")
    control = DiscreteStateSpace(np.array(LAW_A), np.array(LAW_B), np.array(LAW_C), np.array(LAW_D), T=PERIOD)
    plant = StateSpace(A, B, C, [[0.0]])
    wires = [
        Connection(reference, error[0]),
        Connection(plant, error[1]),
        Connection(error, control),
        Connection(control, plant),
    ]
    simulation = pathsim_simulation([reference, error, control, plant], wires)
    return Candidate(lambda: simulation.run(STOP, reset=True), lambda: [float(v) for v in plant.engine.state])


def jaxonomy() -> Candidate:
    from jaxonomy import DiagramBuilder, library as lib

    builder = DiagramBuilder()
    reference = builder.add(lib.Constant(1.0, name="reference"))
    error = builder.add(lib.Adder(2, operators="+-", name="error"))
    control = builder.add(lib.PIDDiscrete(PERIOD, KP, KI, KD, name="control"))
    x, v = builder.add(lib.Integrator(0.0, name="x")), builder.add(lib.Integrator(0.0, name="v"))
    drag = builder.add(lib.Gain(DAMPING, name="drag"))
    spring = builder.add(lib.Gain(STIFFNESS, name="spring"))
    force = builder.add(lib.Adder(3, operators="+--", name="force"))
    for source, block, port in (
        (reference, error, 0), (x, error, 1), (error, control, 0), (control, force, 0), (v, drag, 0),
        (x, spring, 0), (drag, force, 1), (spring, force, 2), (force, v, 0), (v, x, 0),
    ):  # fmt: skip
        jaxonomy_wire(builder, source, block, port)
    return jaxonomy_candidate(builder.build("pid"), STOP, lambda c: [float(v) for v in c.continuous_state])


def drake() -> Candidate:
    """The law as a discrete linear system and a hold: all blocks in C++."""
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.systems.primitives import Adder, ConstantVectorSource, Gain, LinearSystem, ZeroOrderHold

    builder = DiagramBuilder()
    reference = builder.AddSystem(ConstantVectorSource([1.0]))
    back, error = builder.AddSystem(Gain(-1.0, 1)), builder.AddSystem(Adder(2, 1))
    law = builder.AddSystem(LinearSystem(LAW_A, LAW_B, LAW_C, LAW_D, PERIOD))
    hold = builder.AddSystem(ZeroOrderHold(PERIOD, 1))
    plant = builder.AddSystem(LinearSystem(A, B, C, [[0.0]]))
    builder.Connect(plant.get_output_port(), back.get_input_port())
    builder.Connect(reference.get_output_port(), error.get_input_port(0))
    builder.Connect(back.get_output_port(), error.get_input_port(1))
    builder.Connect(error.get_output_port(), law.get_input_port())
    builder.Connect(law.get_output_port(), hold.get_input_port())
    builder.Connect(hold.get_output_port(), plant.get_input_port())
    simulator = drake_simulator(builder.Build(), longest_step=STOP)
    return drake_candidate(simulator, STOP, states=(0, 1))


def loop(advance: Any) -> list[float]:
    """The law in plain Python; `advance(t, x, u)` takes the plant over one hold."""
    x, integral, before = [0.0, 0.0], 0.0, 0.0
    for k in range(TICKS):
        error = 1.0 - x[0]
        u = KP * error + integral + KD * (error - before) / PERIOD
        integral += KI * PERIOD * error
        before = error
        x = advance(k * PERIOD, x, u)
    return [float(v) for v in x]


def derivative(t: float, x: Any, u: float) -> tuple[float, float]:
    return x[1], u - STIFFNESS * x[0] - DAMPING * x[1]


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    last: list[list[float]] = [[]]

    def advance(t: float, x: Any, u: float) -> Any:
        return solve_ivp(derivative, (t, t + PERIOD), x, args=(u,), rtol=RTOL, atol=ATOL).y[:, -1]

    def run() -> None:
        last[0] = loop(advance)

    return Candidate(run, lambda: last[0], note="solve_ivp RK45, restarted at every sample")


def scipy_odeint() -> Candidate:
    """SciPy's least overhead a restart: LSODA in Fortran."""
    from scipy.integrate import odeint

    last: list[list[float]] = [[]]

    def advance(t: float, x: Any, u: float) -> Any:
        return odeint(derivative, x, (t, t + PERIOD), args=(u,), rtol=RTOL, atol=ATOL, tfirst=True)[-1]

    def run() -> None:
        last[0] = loop(advance)

    return Candidate(run, lambda: last[0], note="odeint (LSODA), restarted at every sample")


ENGINES = {
    "ours": ours,
    "pathsim": pathsim,
    "jaxonomy": jaxonomy,
    "drake": drake,
    "scipy": scipy,
    "scipy_odeint": scipy_odeint,
}

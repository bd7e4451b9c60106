"""Van der Pol oscillator, mu = 1, T = 100, as a diagram of separate blocks."""

from __future__ import annotations

from typing import Any

from ..contract import Candidate
from ..peers import (
    ATOL,
    RTOL,
    bdsim_candidate,
    bdsim_session,
    drake_candidate,
    drake_simulator,
    jaxonomy_candidate,
    jaxonomy_wire,
    pathsim_simulation,
)

TITLE = "Van der Pol, mu=1, T=100, rtol 1e-6, atol 1e-9"
STOP = 100.0
# Taylor series of degree 22, step 1/20, 35 digits
REFERENCE = (2.0049420104110018, -0.11419217539257256)
REQUIRED = {"bdsim": 500.0, "bdsim_function": 500.0, "scipy": 80.0, "drake": 20.0, "numba_by_hand": 0.5}
SLOW: frozenset[str] = frozenset()


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("van-der-pol")
    x = d.add("x", bd.Integrator(initial=2.0))
    y = d.add("y", bd.Integrator(initial=0.0))
    y >> x
    ((1 - x * x) * y - x) >> y
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["x", "y"])

    return Candidate(run, lambda: [float(last[0].final("x")), float(last[0].final("y"))])


def bdsim() -> Candidate:
    """The same separate blocks: two products, two sums, a constant, two integrators."""
    sim = bdsim_session()
    bd = sim.blockdiagram()
    x, y = bd.INTEGRATOR(x0=2.0, name="x"), bd.INTEGRATOR(x0=0.0, name="y")
    square, damping = bd.PROD("**", name="square"), bd.PROD("**", name="damping")
    one, room, force = bd.CONSTANT(1.0), bd.SUM("+-", name="room"), bd.SUM("+-", name="force")
    bd.connect(x, square[0], square[1], force[1])
    bd.connect(y, x, damping[1])
    bd.connect(one, room[0])
    bd.connect(square, room[1])
    bd.connect(room, damping[0])
    bd.connect(damping, force[0])
    bd.connect(force, y)
    return bdsim_candidate(sim, bd, STOP)


def bdsim_function() -> Candidate:
    """bdsim at its fastest: the right-hand side in one FUNCTION block."""
    sim = bdsim_session()
    bd = sim.blockdiagram()
    x, y = bd.INTEGRATOR(x0=2.0, name="x"), bd.INTEGRATOR(x0=0.0, name="y")
    force = bd.FUNCTION(lambda x, y: (1 - x * x) * y - x, nin=2, nout=1, name="force")
    bd.connect(x, force[0])
    bd.connect(y, x, force[1])
    bd.connect(force, y)
    return bdsim_candidate(sim, bd, STOP)


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Adder, Constant, Integrator, Multiplier

    x, y, one = Integrator(2.0), Integrator(0.0), Constant(1.0)
    square, room, damping, force = Multiplier(), Adder("+-"), Multiplier(), Adder("+-")
    wires = [
        Connection(x, square[0], square[1], force[1]),
        Connection(y, x, damping[1]),
        Connection(one, room[0]),
        Connection(square, room[1]),
        Connection(room, damping[0]),
        Connection(damping, force[0]),
        Connection(force, y),
    ]
    simulation = pathsim_simulation([x, y, one, square, room, damping, force], wires)
    return Candidate(
        lambda: simulation.run(STOP, reset=True), lambda: [float(x.outputs[0]), float(y.outputs[0])]
    )


def jaxonomy() -> Candidate:
    from jaxonomy import DiagramBuilder, library as lib

    builder = DiagramBuilder()
    x, y = builder.add(lib.Integrator(2.0, name="x"), lib.Integrator(0.0, name="y"))
    square, damping = builder.add(lib.Product(2, name="square"), lib.Product(2, name="damping"))
    room = builder.add(lib.Adder(2, operators="+-", name="room"))
    force = builder.add(lib.Adder(2, operators="+-", name="force"))
    one = builder.add(lib.Constant(1.0, name="one"))
    for source, block, port in (
        (y, x, 0), (x, square, 0), (x, square, 1), (one, room, 0), (square, room, 1),
        (room, damping, 0), (y, damping, 1), (damping, force, 0), (x, force, 1), (force, y, 0),
    ):  # fmt: skip
        jaxonomy_wire(builder, source, block, port)
    return jaxonomy_candidate(
        builder.build("van_der_pol"), STOP, lambda c: [float(v) for v in c.continuous_state]
    )


def drake() -> Candidate:
    """Two integrators, a multiplexer, a symbolic block: Drake has no product block.

    The symbolic block carries an idle state: without one, its C++ part ends the process.
    """
    from pydrake.symbolic import Variable
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.systems.primitives import Integrator, Multiplexer, SymbolicVectorSystem

    builder = DiagramBuilder()
    x, y = builder.AddSystem(Integrator(1)), builder.AddSystem(Integrator(1))
    both = builder.AddSystem(Multiplexer(2))
    p, q, idle = Variable("p"), Variable("q"), Variable("idle")
    force = builder.AddSystem(
        SymbolicVectorSystem(input=[p, q], state=[idle], dynamics=[0 * idle], output=[(1 - p * p) * q - p])
    )
    builder.Connect(y.get_output_port(), x.get_input_port())
    builder.Connect(x.get_output_port(), both.get_input_port(0))
    builder.Connect(y.get_output_port(), both.get_input_port(1))
    builder.Connect(both.get_output_port(), force.get_input_port())
    builder.Connect(force.get_output_port(), y.get_input_port())
    simulator = drake_simulator(builder.Build(), longest_step=10.0)
    context = simulator.get_mutable_context()
    context.SetContinuousState([2.0, 0.0, 0.0])
    return drake_candidate(simulator, STOP, states=(0, 1))


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    def derivative(t: float, s: Any) -> tuple[float, float]:
        x, y = s
        return y, (1 - x * x) * y - x

    last: list[Any] = [None]

    def run() -> None:
        last[0] = solve_ivp(derivative, (0.0, STOP), (2.0, 0.0), method="RK45", rtol=RTOL, atol=ATOL)

    return Candidate(run, lambda: [float(v) for v in last[0].y[:, -1]], note="solve_ivp RK45, plain Python")


def numba_by_hand() -> Candidate:
    from ..by_hand.van_der_pol import solve

    last: list[Any] = [None]

    def run() -> None:
        last[0] = solve(1.0, 2.0, 0.0, STOP, RTOL, ATOL)

    note = "DOPRI5 in scalars, right-hand side written in place, FSAL, PI control, every step stored"
    return Candidate(run, lambda: [float(v) for v in last[0][1][-1]], note=note)


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "bdsim_function": bdsim_function,
    "pathsim": pathsim,
    "jaxonomy": jaxonomy,
    "drake": drake,
    "scipy": scipy,
    "numba_by_hand": numba_by_hand,
}

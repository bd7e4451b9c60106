"""Chain of 50 masses between two walls: 50 two-state blocks, each pulled by its neighbours' positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import expm

from ..contract import Candidate
from ..peers import (
    ATOL,
    BDSIM_NOTE,
    RTOL,
    bdsim_candidate,
    bdsim_session,
    drake_candidate,
    drake_simulator,
    jaxonomy_candidate,
    jaxonomy_wire,
    pathsim_simulation,
)

TITLE = "mass-spring chain, 50 two-state blocks, T=20"
STOP = 20.0
MASSES = 50
STIFFNESS = 10.0  # of each of the 51 springs, over the mass, 1/s2
DAMPING = 0.2  # 1/s
PULLED = 1.0  # m, of the first mass at t = 0
REQUIRED = {"pathsim": 3000.0, "bdsim": 2000.0, "drake": 100.0}
SLOW = frozenset({"pathsim", "bdsim"})

# one mass: (position, velocity), driven by the sum of the neighbours' positions
A = [[0.0, 1.0], [-2 * STIFFNESS, -DAMPING]]
B = [[0.0], [STIFFNESS]]
C = [[1.0, 0.0]]
D = [[0.0]]


def chain_matrix() -> np.ndarray[Any, np.dtype[np.float64]]:
    """dx/dt = M x with x = (position, velocity) of mass 0, 1, ..."""
    matrix = np.kron(np.eye(MASSES), np.array(A))
    neighbour = np.eye(MASSES, k=1) + np.eye(MASSES, k=-1)
    return matrix + np.kron(neighbour, np.array(B) @ np.array(C))


def initial_state(mass: int) -> list[float]:
    return [PULLED if mass == 0 else 0.0, 0.0]


ALL_INITIAL = np.concatenate([initial_state(k) for k in range(MASSES)])
REFERENCE = [float(v) for v in (expm(STOP * chain_matrix()) @ ALL_INITIAL)]


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("chain")
    d.add("wall", bd.Constant(value=0.0))
    for k in range(MASSES):
        d.add(f"mass{k}", bd.StateSpace(A=A, B=B, C=C, D=D, initial=initial_state(k)))
        d.add(f"pull{k}", bd.Sum(signs="++"))
        d.connect(f"pull{k}", f"mass{k}")
    for k in range(MASSES):
        d.connect(f"mass{k - 1}" if k else "wall", f"pull{k}[0]")
        d.connect(f"mass{k + 1}" if k + 1 < MASSES else "wall", f"pull{k}[1]")
    program = d.compile()
    names = [f"mass{k}" for k in range(MASSES)]
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=names)

    note = "all 50 positions logged at every step; the error is that of the positions"
    return Candidate(
        run, lambda: [float(last[0].final(n)) for n in names], reference=REFERENCE[::2], note=note
    )


def bdsim() -> Candidate:
    sim = bdsim_session()
    bd = sim.blockdiagram()
    wall = bd.CONSTANT(0.0, name="wall")
    masses = [
        bd.LTI_SS(A=np.array(A), B=np.array(B), C=np.array(C), x0=initial_state(k), name=f"mass{k}")
        for k in range(MASSES)
    ]
    pulls = [bd.SUM("++", name=f"pull{k}") for k in range(MASSES)]
    for k in range(MASSES):
        bd.connect(masses[k - 1] if k else wall, pulls[k][0])
        bd.connect(masses[k + 1] if k + 1 < MASSES else wall, pulls[k][1])
        bd.connect(pulls[k], masses[k])
    return bdsim_candidate(sim, bd, STOP, note=BDSIM_NOTE)


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Adder, Constant, StateSpace

    wall = Constant(0.0)
    masses = [StateSpace(A, B, C, D, initial_value=np.array(initial_state(k))) for k in range(MASSES)]
    pulls = [Adder("++") for _ in range(MASSES)]
    wires = [Connection(pulls[k], masses[k]) for k in range(MASSES)]
    for k in range(MASSES):
        wires.append(Connection(masses[k - 1] if k else wall, pulls[k][0]))
        wires.append(Connection(masses[k + 1] if k + 1 < MASSES else wall, pulls[k][1]))
    simulation = pathsim_simulation([wall, *masses, *pulls], wires)

    def final() -> list[float]:
        return [float(v) for mass in masses for v in mass.engine.state]

    return Candidate(lambda: simulation.run(STOP, reset=True), final)


def jaxonomy() -> Candidate:
    """Integrators and gains: jaxonomy's own state-space block needs one more package."""
    from jaxonomy import DiagramBuilder, library as lib

    builder = DiagramBuilder()
    wall = builder.add(lib.Constant(0.0, name="wall"))
    places, pulls = [], []
    for k in range(MASSES):
        place, speed = initial_state(k)
        x = builder.add(lib.Integrator(place, name=f"x{k}"))
        v = builder.add(lib.Integrator(speed, name=f"v{k}"))
        drag = builder.add(lib.Gain(DAMPING, name=f"drag{k}"))
        spring = builder.add(lib.Gain(STIFFNESS, name=f"spring{k}"))
        pull = builder.add(lib.Adder(4, operators="++--", name=f"pull{k}"))
        force = builder.add(lib.Adder(2, operators="+-", name=f"force{k}"))
        for source, block, port in (
            (v, x, 0), (x, pull, 2), (x, pull, 3), (pull, spring, 0), (spring, force, 0),
            (v, drag, 0), (drag, force, 1), (force, v, 0),
        ):  # fmt: skip
            jaxonomy_wire(builder, source, block, port)
        places.append(x)
        pulls.append(pull)
    for k in range(MASSES):
        jaxonomy_wire(builder, places[k - 1] if k else wall, pulls[k], 0)
        jaxonomy_wire(builder, places[k + 1] if k + 1 < MASSES else wall, pulls[k], 1)
    return jaxonomy_candidate(builder.build("chain"), STOP, lambda c: [float(v) for v in c.continuous_state])


def drake() -> Candidate:
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.systems.primitives import Adder, ConstantVectorSource, LinearSystem

    builder = DiagramBuilder()
    wall = builder.AddSystem(ConstantVectorSource([0.0]))
    masses = [builder.AddSystem(LinearSystem(A, B, C, D)) for _ in range(MASSES)]
    pulls = [builder.AddSystem(Adder(2, 1)) for _ in range(MASSES)]
    for k in range(MASSES):
        left = masses[k - 1] if k else wall
        right = masses[k + 1] if k + 1 < MASSES else wall
        builder.Connect(left.get_output_port(), pulls[k].get_input_port(0))
        builder.Connect(right.get_output_port(), pulls[k].get_input_port(1))
        builder.Connect(pulls[k].get_output_port(), masses[k].get_input_port())
    simulator = drake_simulator(builder.Build(), longest_step=STOP)
    simulator.get_mutable_context().SetContinuousState(ALL_INITIAL)
    return drake_candidate(simulator, STOP, states=range(2 * MASSES))


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    def derivative(t: float, s: Any) -> Any:
        x, v = s[::2], s[1::2]
        rate = np.empty_like(s)
        rate[::2] = v
        force = -2 * STIFFNESS * x - DAMPING * v
        force[1:] += STIFFNESS * x[:-1]
        force[:-1] += STIFFNESS * x[1:]
        rate[1::2] = force
        return rate

    last: list[Any] = [None]

    def run() -> None:
        last[0] = solve_ivp(derivative, (0.0, STOP), ALL_INITIAL, method="RK45", rtol=RTOL, atol=ATOL)

    return Candidate(run, lambda: [float(v) for v in last[0].y[:, -1]], note="solve_ivp RK45, NumPy slices")


def numba_by_hand() -> Candidate:
    from ..by_hand.chain import solve

    by_kind = np.concatenate([ALL_INITIAL[::2], ALL_INITIAL[1::2]])
    last: list[Any] = [None]

    def run() -> None:
        last[0] = solve(STIFFNESS, DAMPING, by_kind, STOP, RTOL, ATOL)

    note = "DOPRI5 over arrays, right-hand side a loop over the masses, FSAL, PI control, every step stored"
    expected = [*REFERENCE[::2], *REFERENCE[1::2]]
    return Candidate(run, lambda: [float(v) for v in last[0][1][-1]], reference=expected, note=note)


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "pathsim": pathsim,
    "jaxonomy": jaxonomy,
    "drake": drake,
    "scipy": scipy,
    "numba_by_hand": numba_by_hand,
}

"""Bouncing ball, restitution 0.95, dropped from 1 m: 16 impacts in 10 s; the error is in their times."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..contract import Candidate
from ..peers import ATOL, RTOL, bdsim_candidate, bdsim_session, drake_simulator, pathsim_simulation

TITLE = "bouncing ball, e=0.95, T=10, 16 impacts"
STOP = 10.0
GRAVITY = 9.81
HEIGHT = 1.0
RESTITUTION = 0.95


def impact_times() -> list[float]:
    """t_1 = sqrt(2 h / g), then flights of 2 t_1 e^k."""
    first = sqrt(2 * HEIGHT / GRAVITY)
    times, flight = [first], 2 * first * RESTITUTION
    while times[-1] + flight < STOP:
        times.append(times[-1] + flight)
        flight *= RESTITUTION
    return times


REFERENCE = impact_times()
REQUIRED = {"bdsim": 100.0}
WORST_ERROR = 1e-13  # s, required of ours
SLOW: frozenset[str] = frozenset()


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("ball")
    d.add("gravity", bd.Constant(value=-GRAVITY))
    d.add("speed", bd.Integrator(initial=0.0, reset="falling", level=0.0))
    d.add("height", bd.Integrator(initial=HEIGHT))
    d.add("rebound", bd.Gain(k=-RESTITUTION))
    d.connect("gravity", "speed.u")
    d.connect("speed", ["height", "rebound"])
    d.connect("height", "speed.trigger")
    d.connect("rebound", "speed.value")
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["height", "speed"])

    return Candidate(run, lambda: [float(event.time) for event in last[0].events])


def bdsim() -> Candidate:
    """An EVENT on the height whose handler turns the speed round."""
    sim = bdsim_session()
    bd = sim.blockdiagram()
    gravity = bd.CONSTANT(-GRAVITY)
    speed, height = bd.INTEGRATOR(x0=0.0, name="speed"), bd.INTEGRATOR(x0=HEIGHT, name="height")

    def bounce(block: Any, states: Any) -> None:
        states[height] = [0.0]
        states[speed] = [-RESTITUTION * float(states[speed][0])]

    impact = bd.EVENT("v", bounce, name="impact")
    bd.connect(gravity, speed)
    bd.connect(speed, height)
    bd.connect(height, impact)

    def logged_impacts(out: Any) -> list[float]:
        """The log has each impact once, with the speed after it: there the speed jumps from down to up."""
        v = out.x[:, 0]
        return [float(out.t[k]) for k in range(1, len(v)) if v[k] > 0.0 > v[k - 1]]

    return bdsim_candidate(sim, bd, STOP, final=logged_impacts)


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Constant, Integrator
    from pathsim.events import ZeroCrossingDown

    gravity, speed, height = Constant(-GRAVITY), Integrator(0.0), Integrator(HEIGHT)

    def bounce(t: float) -> None:
        height.engine.state = abs(height.engine.state)
        speed.engine.state = -RESTITUTION * speed.engine.state

    impact = ZeroCrossingDown(lambda t: float(height.engine.state[0]), bounce, tolerance=ATOL)
    wires = [Connection(gravity, speed), Connection(speed, height)]
    simulation = pathsim_simulation([gravity, speed, height], wires, [impact])

    def run() -> None:
        impact.reset()
        simulation.run(STOP, reset=True)

    return Candidate(run, lambda: [float(t) for t in impact._times], note="PathSim: event tolerance 1e-9 m")


def jaxonomy() -> Candidate:
    import logging

    import jax.numpy as jnp
    import jaxonomy
    from jaxonomy import DiagramBuilder
    from jaxonomy.models import BouncingBall

    logging.getLogger("jaxonomy").setLevel(logging.ERROR)
    builder = DiagramBuilder()
    ball = builder.add(BouncingBall(g=GRAVITY, e=RESTITUTION))
    diagram = builder.build("ball")
    context = diagram.create_context()
    inside = context[ball.system_id].with_continuous_state(jnp.array([HEIGHT, 0.0]))
    context = context.with_subcontext(ball.system_id, inside)
    options = jaxonomy.SimulatorOptions(ode_solver_method="dopri5", rtol=RTOL, atol=ATOL)
    last: list[Any] = [None]

    def run() -> None:
        import jax

        last[0] = jaxonomy.simulate(diagram, context, (0.0, STOP), options=options).context
        jax.block_until_ready(last[0].continuous_state)

    def final() -> list[float]:
        import numpy as np

        return [float(v) for v in np.ravel(np.asarray(last[0][ball.system_id].continuous_state))]

    note = "jaxonomy: the error is that of the final height and speed, impact times are not kept"
    return Candidate(run, final, reference=final_state(), note=note)


def final_state() -> list[float]:
    """Height and speed at T."""
    flown = STOP - REFERENCE[-1]
    rise = GRAVITY * REFERENCE[0] * RESTITUTION ** len(REFERENCE)
    return [rise * flown - 0.5 * GRAVITY * flown**2, rise - GRAVITY * flown]


def drake() -> Candidate:
    """A leaf in Python with a witness function: Drake has no block whose state jumps on a signal."""
    from pydrake.systems.framework import (
        DiagramBuilder,
        LeafSystem,
        UnrestrictedUpdateEvent,
        WitnessFunctionDirection,
    )

    times: list[float] = []

    class Ball(LeafSystem):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.DeclareContinuousState(1, 1, 0)
            self.witness = self.MakeWitnessFunction(
                "impact", WitnessFunctionDirection.kPositiveThenNonPositive,
                lambda context: context.get_continuous_state_vector()[0],
                UnrestrictedUpdateEvent(self.bounce),
            )  # fmt: skip

        def DoCalcTimeDerivatives(self, context: Any, derivatives: Any) -> None:
            state = context.get_continuous_state_vector()
            derivatives.get_mutable_vector().SetFromVector([state[1], -GRAVITY])

        def DoGetWitnessFunctions(self, context: Any) -> list[Any]:
            return [self.witness]

        def bounce(self, context: Any, event: Any, state: Any) -> None:
            times.append(context.get_time())
            vector = state.get_mutable_continuous_state().get_mutable_vector()
            vector.SetFromVector([0.0, -RESTITUTION * vector[1]])

    builder = DiagramBuilder()
    builder.AddSystem(Ball())
    simulator = drake_simulator(builder.Build(), longest_step=0.1)
    context = simulator.get_mutable_context()
    context.SetContinuousState([HEIGHT, 0.0])
    initial = context.Clone()

    def run() -> None:
        times.clear()
        context.SetTimeStateAndParametersFrom(initial)
        simulator.Initialize()
        simulator.AdvanceTo(STOP)

    return Candidate(
        run, lambda: times, note="Drake: a leaf in Python with a witness function, RK5, accuracy 1e-6"
    )


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    times: list[float] = []

    def derivative(t: float, s: Any) -> tuple[float, float]:
        return s[1], -GRAVITY

    def ground(t: float, s: Any) -> float:
        return float(s[0])

    ground.terminal = True  # type: ignore[attr-defined]
    ground.direction = -1.0  # type: ignore[attr-defined]

    def run() -> None:
        times.clear()
        t, state = 0.0, [HEIGHT, 0.0]
        while t < STOP:
            leg = solve_ivp(derivative, (t, STOP), state, events=ground, rtol=RTOL, atol=ATOL)
            t = float(leg.t[-1])
            if leg.status != 1:
                return
            times.append(t)
            state = [0.0, -RESTITUTION * float(leg.y[1, -1])]

    return Candidate(run, lambda: times, note="solve_ivp RK45, restarted at every impact")


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "pathsim": pathsim,
    "jaxonomy": jaxonomy,
    "drake": drake,
    "scipy": scipy,
}

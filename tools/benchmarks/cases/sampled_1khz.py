"""A first-order plant in a loop sampled at 1 kHz: plant 1/(s+1), u = hold(5 (1 - y)), T=2."""

from __future__ import annotations

from math import exp
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

TITLE = "1 kHz sampled loop, T=2"
STOP = 2.0
PERIOD = 1e-3
TICKS = 2000
GAIN = 5.0
REQUIRED = {"bdsim": 400.0}
SLOW = frozenset({"scipy"})


def exact(first_tick: int) -> float:
    """y(T): between ticks the plant relaxes towards the held u; before the first tick u = 0."""
    y, decay = 0.0, exp(-PERIOD)
    for k in range(TICKS):
        u = GAIN * (1.0 - y) if k >= first_tick else 0.0
        y = decay * y + (1.0 - decay) * u
    return y


REFERENCE = (exact(0),)


def ours() -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("sampled")
    d.add("reference", bd.Constant(value=1.0))
    d.add("error", bd.Sum(signs="+-"))
    d.add("gain", bd.Gain(k=GAIN))
    d.add("hold", bd.ZeroOrderHold(sample_time=PERIOD))
    d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect("reference", "error[0]")
    d.connect("plant", "error[1]")
    d.connect("error", "gain", "hold", "plant")
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["plant", "hold"])

    return Candidate(run, lambda: [float(last[0].final("plant"))])


def bdsim() -> Candidate:
    """bdsim's clock first ticks one period after the start."""
    sim = bdsim_session()
    bd = sim.blockdiagram()
    clock = bd.clock(PERIOD, "s")
    reference, error, gain = bd.CONSTANT(1.0), bd.SUM("+-", name="error"), bd.GAIN(GAIN, name="gain")
    hold = bd.ZOH(clock, x0=0.0, name="hold")
    plant = bd.LTI_SISO([1.0], [1.0, 1.0], name="plant")
    bd.connect(reference, error[0])
    bd.connect(plant, error[1])
    bd.connect(error, gain)
    bd.connect(gain, hold)
    bd.connect(hold, plant)
    return bdsim_candidate(sim, bd, STOP, reference=(exact(1),))


def pathsim() -> Candidate:
    from pathsim import Connection
    from pathsim.blocks import Adder, Amplifier, Constant, SampleHold, StateSpace

    reference, error, gain = Constant(1.0), Adder("+-"), Amplifier(GAIN)
    hold, plant = SampleHold(PERIOD, 0.0), StateSpace([[-1.0]], [[1.0]], [[1.0]], [[0.0]])
    wires = [
        Connection(reference, error[0]),
        Connection(plant, error[1]),
        Connection(error, gain),
        Connection(gain, hold),
        Connection(hold, plant),
    ]
    simulation = pathsim_simulation([reference, error, gain, hold, plant], wires)
    return Candidate(lambda: simulation.run(STOP, reset=True), lambda: [float(plant.engine.state[0])])


def jaxonomy() -> Candidate:
    from jaxonomy import DiagramBuilder, library as lib

    builder = DiagramBuilder()
    reference = builder.add(lib.Constant(1.0, name="reference"))
    error = builder.add(lib.Adder(2, operators="+-", name="error"))
    gain = builder.add(lib.Gain(GAIN, name="gain"))
    hold = builder.add(lib.ZeroOrderHold(PERIOD, name="hold"))
    rate = builder.add(lib.Adder(2, operators="+-", name="rate"))
    plant = builder.add(lib.Integrator(0.0, name="plant"))
    for source, block, port in (
        (reference, error, 0), (plant, error, 1), (error, gain, 0), (gain, hold, 0),
        (hold, rate, 0), (plant, rate, 1), (rate, plant, 0),
    ):  # fmt: skip
        jaxonomy_wire(builder, source, block, port)
    return jaxonomy_candidate(
        builder.build("sampled"), STOP, lambda c: [float(v) for v in c.continuous_state]
    )


def drake() -> Candidate:
    from pydrake.systems.framework import DiagramBuilder
    from pydrake.systems.primitives import Adder, ConstantVectorSource, Gain, LinearSystem, ZeroOrderHold

    builder = DiagramBuilder()
    reference = builder.AddSystem(ConstantVectorSource([1.0]))
    back = builder.AddSystem(Gain(-1.0, 1))
    error, gain = builder.AddSystem(Adder(2, 1)), builder.AddSystem(Gain(GAIN, 1))
    hold = builder.AddSystem(ZeroOrderHold(PERIOD, 1))
    plant = builder.AddSystem(LinearSystem([[-1.0]], [[1.0]], [[1.0]], [[0.0]]))
    builder.Connect(reference.get_output_port(), error.get_input_port(0))
    builder.Connect(plant.get_output_port(), back.get_input_port())
    builder.Connect(back.get_output_port(), error.get_input_port(1))
    builder.Connect(error.get_output_port(), gain.get_input_port())
    builder.Connect(gain.get_output_port(), hold.get_input_port())
    builder.Connect(hold.get_output_port(), plant.get_input_port())
    simulator = drake_simulator(builder.Build(), longest_step=STOP)
    return drake_candidate(simulator, STOP, states=(0,))


def scipy() -> Candidate:
    from scipy.integrate import solve_ivp

    last = [0.0]

    def derivative(t: float, s: Any, u: float) -> Any:
        return u - s[0]

    def run() -> None:
        y = 0.0
        for k in range(TICKS):
            u = GAIN * (1.0 - y)
            span = (k * PERIOD, (k + 1) * PERIOD)
            y = float(solve_ivp(derivative, span, (y,), args=(u,), rtol=RTOL, atol=ATOL).y[0, -1])
        last[0] = y

    return Candidate(run, lambda: [last[0]], note="solve_ivp RK45, restarted at every sample")


ENGINES = {
    "ours": ours,
    "bdsim": bdsim,
    "pathsim": pathsim,
    "jaxonomy": jaxonomy,
    "drake": drake,
    "scipy": scipy,
}

"""How each peer is set up here: graphics and logs off, tolerances rtol 1e-6 and atol 1e-9 for all."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from .contract import Candidate

RTOL = 1e-6
ATOL = 1e-9

BDSIM_NOTE = "bdsim: RK45, its hidden max_step = T/100 left at the default"
DRAKE_NOTE = "Drake: RK5, accuracy 1e-6 (its one tolerance), nothing logged but the final state"
JAXONOMY_NOTE = "jaxonomy: Dopri5, compiled kernel reused, nothing recorded but the final state"
PATHSIM_NOTE = "PathSim: RKDP54, no scope"


def bdsim_session() -> Any:
    """A quiet BDSim without toolboxes: 1.4.0 cannot scan those of roboticstoolbox 1.5.0."""
    os.environ["BDSIM_NO_TOOLBOXES"] = "1"
    import bdsim

    return bdsim.BDSim(graphics=False, progress=False, quiet=True, sysargs=False)


def bdsim_candidate(
    sim: Any,
    diagram: Any,
    stop: float,
    *,
    final: Callable[[Any], Sequence[float]] | None = None,
    **extra: Any,
) -> Candidate:
    """The run of a wired bdsim diagram; its state at the end unless `final` reads something else."""
    diagram.compile()
    last: list[Any] = [None]
    pick = final or (lambda out: [float(v) for v in out.x[-1]])

    def run() -> None:
        last[0] = sim.run(diagram, T=stop, solver="RK45", solver_args={"rtol": RTOL, "atol": ATOL})

    note = extra.pop("note", BDSIM_NOTE)
    return Candidate(run, lambda: pick(last[0]), note=note, **extra)


def pathsim_simulation(blocks: Sequence[Any], connections: Sequence[Any], events: Sequence[Any] = ()) -> Any:
    from pathsim import Simulation  # type: ignore[import-untyped,unused-ignore]
    from pathsim.solvers import RKDP54

    return Simulation(
        list(blocks),
        list(connections),
        list(events),
        Solver=RKDP54,
        tolerance_lte_rel=RTOL,
        tolerance_lte_abs=ATOL,
        log=False,
    )


def drake_simulator(diagram: Any, *, longest_step: float) -> Any:
    from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig

    simulator = Simulator(diagram)
    configuration = SimulatorConfig(
        integration_scheme="runge_kutta5",
        accuracy=RTOL,
        max_step_size=longest_step,
        use_error_control=True,
    )
    ApplySimulatorConfig(configuration, simulator)
    simulator.get_mutable_context().SetAccuracy(RTOL)
    return simulator


def drake_candidate(simulator: Any, stop: float, *, states: Sequence[int], **extra: Any) -> Candidate:
    """Reset to the context as built, then advance; `states` are the places of the reference's values."""
    context = simulator.get_mutable_context()
    initial = context.Clone()

    def run() -> None:
        context.SetTimeStateAndParametersFrom(initial)
        simulator.Initialize()
        simulator.AdvanceTo(stop)

    def final() -> list[float]:
        values = context.get_continuous_state_vector().CopyToVector()
        return [float(values[k]) for k in states]

    return Candidate(run, final, note=extra.pop("note", DRAKE_NOTE), **extra)


def jaxonomy_candidate(
    diagram: Any, stop: float, final: Callable[[Any], Sequence[float]], **extra: Any
) -> Candidate:
    import jaxonomy

    logging.getLogger("jaxonomy").setLevel(logging.ERROR)
    context = diagram.create_context()
    options = jaxonomy.SimulatorOptions(ode_solver_method="dopri5", rtol=RTOL, atol=ATOL)
    last: list[Any] = [None]

    def run() -> None:
        import jax

        last[0] = jaxonomy.simulate(diagram, context, (0.0, stop), options=options).context
        jax.block_until_ready(last[0].continuous_state)

    return Candidate(run, lambda: final(last[0]), note=extra.pop("note", JAXONOMY_NOTE), **extra)


def jaxonomy_wire(builder: Any, source: Any, block: Any, port: int = 0) -> None:
    builder.connect(source.output_ports[0], block.input_ports[port])

"""Computed torque control of the Puma 560 without friction: a quintic motion of 2 s."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from ..contract import Candidate
from ..peers import ATOL, RTOL, bdsim_candidate, bdsim_session

TITLE = "Puma 560, computed torque, 2 s, rtol 1e-6"
STOP = 2.0
START = (0.0,) * 6
GOAL = (pi / 4, pi / 2, -pi / 2, 0.0, 0.0, 0.0)
KP, KD = 100.0, 20.0
# model and arm agree and the start is on the reference, so the arm follows it to its end, at rest
REFERENCE = (*GOAL, *(0.0,) * 6)
REQUIRED = {"bdsim": 60.0}
SLOW: frozenset[str] = frozenset({"bdsim"})
BDSIM_NOTE = "bdsim: functions of roboticstoolbox, whose inverse dynamics are C, in FUNCTION blocks"


def ours() -> Candidate:
    import blockdyn as bd

    robot = {"name": "puma560", "without_friction": True}
    d = bd.Diagram("computed-torque")
    motion = d.add("motion", bd.JointTrajectory(q0=START, qf=GOAL, duration=STOP))
    arm = d.add("arm", bd.FDyn(robot=robot))
    control = d.add("control", bd.ComputedTorque(robot=robot, Kp=KP, Kd=KD))
    d.connect(arm["q"], control["q"])
    d.connect(arm["qd"], control["qd"])
    for port in ("q", "qd", "qdd"):
        d.connect(motion[port], control[f"{port}_ref"])
    d.connect(control, arm["tau"])
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(
            stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["arm.q", "arm.qd", "control"]
        )

    return Candidate(run, lambda: [*last[0].final("arm.q"), *last[0].final("arm.qd")])


def bdsim() -> Candidate:
    """A trajectory, a controller, an arm's acceleration and two integrators."""
    import roboticstoolbox as rtb  # type: ignore[import-untyped,unused-ignore]

    sim = bdsim_session()
    bd = sim.blockdiagram()
    puma = rtb.models.DH.Puma560().nofriction(coulomb=True, viscous=True)
    goal = np.asarray(GOAL)

    def motion(t: float) -> list[Any]:
        s = min(max(t / STOP, 0.0), 1.0)
        position = s**3 * (10.0 + s * (6.0 * s - 15.0))
        rate = 30.0 * s * s * (1.0 - s) ** 2 / STOP
        slope = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / STOP**2
        return [goal * position, goal * rate, goal * slope]

    def control(q: Any, qd: Any, target: Any, rate: Any, slope: Any) -> Any:
        return puma.rne(q, qd, slope + KP * (target - q) + KD * (rate - qd))

    clock = bd.TIME()
    reference = bd.FUNCTION(motion, nin=1, nout=3, name="motion")
    law = bd.FUNCTION(control, nin=5, nout=1, name="control")
    arm = bd.FUNCTION(lambda q, qd, tau: puma.accel(q, qd, tau), nin=3, nout=1, name="arm")
    qd, q = bd.INTEGRATOR(x0=START, name="qd"), bd.INTEGRATOR(x0=START, name="q")
    bd.connect(clock, reference)
    bd.connect(q, law[0], arm[0])
    bd.connect(qd, law[1], arm[1], q)
    for port in range(3):
        bd.connect(reference[port], law[port + 2])
    bd.connect(law, arm[2])
    bd.connect(arm, qd)

    def final(out: Any) -> list[float]:
        x = [float(value) for value in out.x[-1]]
        return x[6:] + x[:6]

    return bdsim_candidate(sim, bd, STOP, final=final, note=BDSIM_NOTE)


ENGINES = {"ours": ours, "bdsim": bdsim}

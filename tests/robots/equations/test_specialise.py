"""Programs with code traced for their robots have the bits of the general code, whatever changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler import code
from blockdyn.robots import load

pytestmark = pytest.mark.xdist_group("traced arms")


def arms(robot: Any, **more: Any) -> bd.Diagram:
    """A loop with computed torque, and a block for every function that is traced."""
    n = load("puma560").n if isinstance(robot, dict) else load(robot).n
    d = bd.Diagram("arms")
    arm = d.add("arm", bd.FDyn(robot, q0=np.linspace(0.3, 0.9, n)))
    loop = d.add("loop", bd.ComputedTorque(more.get("model", robot), Kp=80.0, Kd=15.0))
    still = d.add("still", bd.Constant(np.zeros(n)))
    reference = d.add("reference", bd.Constant(np.linspace(-0.4, 0.8, n)))
    for source, port in ((arm["q"], "q"), (arm["qd"], "qd"), (reference, "q_ref"), (still, "qd_ref")):
        d.connect(source, loop[port])
    d.connect(still, loop["qdd_ref"])
    d.connect(loop, arm["tau"])
    if more.get("wrench"):
        d.connect(d.add("push", bd.Constant([3.0, -2.0, 5.0, 0.1, 0.2, 0.3])), arm["wrench"])
    for name, block in (
        ("mass", bd.Inertia(robot)),
        ("gravity", bd.Gravload(robot)),
        ("coriolis", bd.Coriolis(robot)),
        ("pose", bd.FKine(robot)),
        ("columns", bd.Jacobian(robot, frame="body")),
        ("rates", bd.JacobianDot(robot)),
        ("torque", bd.RNE(robot)),
    ):
        handle = d.add(name, block)
        for port in block.input_ports():
            if port.name != "wrench":
                d.connect(arm[port.name], handle[port.name])
        d.connect(handle, d.add(f"log_{name}", bd.Record()))
    return d


def run(d: bd.Diagram, monkeypatch: pytest.MonkeyPatch, *, traced: bool, **options: Any) -> bd.Result:
    """A short run, from code traced for the diagram's robots or from the general code."""
    monkeypatch.setattr(code, "TRACED", 10**6 if traced else 0)
    monkeypatch.setattr(code, "_robots", {})
    return d.simulate(stop=0.05, **options)


def same(a: bd.Result, b: bd.Result) -> None:
    """All signals are equal to the last bit, the sign of zeros included."""
    for name in a:
        np.testing.assert_array_equal(a[name].values, b[name].values)
    assert a.digest == b.digest


ARMS: list[Any] = ["puma560", "stanford", "panda", {"name": "puma560", "without_friction": True}]


@pytest.mark.parametrize("robot", ARMS, ids=["dry", "prismatic", "seven", "smooth"])
def test_traced_and_general_code_have_the_same_bits(robot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    traced, general = (run(arms(robot), monkeypatch, traced=way) for way in (True, False))
    same(traced, general)
    assert len(traced.time) > 3


def test_a_wrench_and_a_controller_with_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Branches that are seldom taken, and two robots in one program."""
    model = {"name": "puma560", "payload": {"mass": 1.0}}
    d = arms(ARMS[-1], model=model, wrench=True)
    same(*(run(d, monkeypatch, traced=way) for way in (True, False)))


def test_a_payload_that_changes_reaches_code_traced_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    base, loaded = ({"name": "puma560", "payload": {"mass": m}, "without_friction": True} for m in (0.5, 2.0))
    program = arms(base).compile()
    monkeypatch.setattr(code, "TRACED", 10**6)
    names = ["arm", "mass", "gravity", "coriolis", "pose", "columns", "rates", "torque"]
    swept = program.simulate(stop=0.05)
    changed = arms(base).simulate(stop=0.05, set={f"{name}.robot": loaded for name in names})
    general = run(arms(loaded, model=base), monkeypatch, traced=False)
    same(changed, general)
    assert np.any(swept["arm.q"].values[-1] != changed["arm.q"].values[-1])

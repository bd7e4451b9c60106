"""An arm with a controller before it and a trajectory before that."""

from __future__ import annotations

from typing import Any

import blockdyn as bd

REFERENCES = {"q_ref": "q", "qd_ref": "qd", "qdd_ref": "qdd"}


def closed(controller: bd.Block, plant: bd.Block, reference: bd.Block, hold: float = 0.0) -> bd.Diagram:
    """`error` is q_ref - q; with `hold`, the torque is held for so many seconds."""
    d = bd.Diagram("loop")
    control, arm, wanted = d.add("control", controller), d.add("arm", plant), d.add("wanted", reference)
    for name in ("q", "qd"):
        d.connect(arm[name], control[name])
    known = {port.name for port in controller.input_ports()}
    for name, output in REFERENCES.items():
        if name in known:
            d.connect(wanted[output], control[name])
    torque: Any = control
    if hold:
        torque = d.add("hold", bd.ZeroOrderHold(sample_time=hold))
        d.connect(control, torque)
    d.connect(torque, arm["tau"])
    d.connect(wanted["q"] - arm["q"], d.add("error", bd.Gain(1.0)))
    return d


def still(q: Any) -> bd.Block:
    """A reference that stays where it is."""
    return bd.JointTrajectory(q0=q, qf=q)

"""A ball that falls and comes back."""

from __future__ import annotations

import blockdyn as bd


def ball(restitution, height, gravity):
    d = bd.Diagram("ball")
    weight = d.add("weight", bd.Constant(-gravity))
    v = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    x = d.add("x", bd.Integrator(height))
    back = d.add("back", bd.Gain(-restitution))
    d.connect(weight, v["u"])
    d.connect(v, x)
    d.connect(x, v["trigger"])
    d.connect(v, back, v["value"])
    d.log(x, v)
    return d

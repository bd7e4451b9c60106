"""A ball bounces, for tests that count its events or let them pile up."""

from __future__ import annotations

import blockdyn as bd


class Ball(bd.Block):
    """Falls under 10 m/s2 on a floor, and comes back with a share of its speed."""

    outputs = (bd.Port("height", 1, "m"), bd.Port("speed", 1, "m/s"))
    states = (bd.State("h", "h0"), bd.State("v", "v0"))
    crossings = (bd.Crossing("floor", -1),)

    h0: float = bd.parameter(default=1.0)
    v0: float = bd.parameter(default=0.0)
    share: float = bd.parameter(default=0.8)

    @staticmethod
    def derivative(v):
        return v, -10.0

    @staticmethod
    def crossing(h):
        return h

    @staticmethod
    def jump(h, v, crossed_floor, share):
        return (0.0, -share * v) if crossed_floor == 1 else (h, v)

    @staticmethod
    def output_height(h):
        return h

    @staticmethod
    def output_speed(v):
        return v

"""Scopes are drawn in the order in which their author wrote them."""

from __future__ import annotations

import blockdyn as bd


def test_scopes_come_in_the_order_of_declaration() -> None:
    d = bd.Diagram("order")
    time = d.add("time", bd.Clock())
    for name in ("zenith", "azimuth", "middle"):
        d.connect(time, d.add(name, bd.Scope()))
    assert [scope.path for scope in d.simulate(stop=1.0).scopes] == ["zenith", "azimuth", "middle"]

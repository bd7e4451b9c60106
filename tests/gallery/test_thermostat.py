"""Gallery: a thermostat behind a delay, against exponentials."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

LAG, OUTSIDE, HEATED = 600.0, 5.0, 35.0


@pytest.mark.parametrize("delay", [90.0, 30.0])
def test_the_temperature_overshoots_by_what_the_sensor_has_not_seen(delay: float) -> None:
    """Between two switches the room nears 35 or 5 degrees with a lag of 600 s; both come a delay late."""
    r = bd.load("thermostat-delay").simulate(parameters={"delay": delay})
    fade = np.exp(-delay / LAG)
    highest, lowest = HEATED + (21.0 - HEATED) * fade, OUTSIDE + (20.0 - OUTSIDE) * fade
    first = LAG * np.log((HEATED - 15.0) / (HEATED - 21.0)) + delay
    falls = LAG * np.log((highest - OUTSIDE) / (20.0 - OUTSIDE)) + delay
    rises = LAG * np.log((HEATED - lowest) / (HEATED - 21.0)) + delay
    switches = [event.time for event in r.events if event.path == "thermostat"]
    exact = np.cumsum([first, *[falls, rises] * 20])[: len(switches)]
    assert len(switches) >= 5
    np.testing.assert_allclose(switches, exact, rtol=1e-8)
    room = r.trace("room")
    np.testing.assert_allclose(room.values.max(), highest, rtol=1e-9)
    np.testing.assert_allclose(room.values[room.time > first].min(), lowest, rtol=1e-9)

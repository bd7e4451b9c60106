"""Relay: switching times of plants that have closed forms."""

from math import log

import numpy as np
import pytest

import blockdyn as bd


def switching_times(r: bd.Result, path: str) -> list[float]:
    trace = r[path]
    jumps = np.flatnonzero(np.diff(trace.values) != 0.0)
    return [float(trace["time"].values[i + 1]) for i in jumps]


def test_thermostat_switches_at_the_closed_form_times() -> None:
    """dT/dt = 50 s - T from T = 0, s on below 20 and off above 22: exponentials towards 50 and 0."""
    d = bd.Diagram()
    plant = d.add("plant", bd.TransferFunction([50.0], [1.0, 1.0]))
    relay = d.add("relay", bd.Relay(switch_on=-20.0, switch_off=-22.0))
    d.connect(plant, d.add("minus", bd.Gain(k=-1.0)), relay, plant)
    r = d.simulate(stop=3.0, rtol=1e-10, atol=1e-12)
    heat, cool, first = log(30 / 28), log(22 / 20), log(50 / 28)
    expected, t = [], first
    while t < 3.0:
        expected.append(t)
        t += cool if len(expected) % 2 == 1 else heat
    found = [t for t in switching_times(r, "relay") if t > 0.0]
    assert len(found) == len(expected) >= 25
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def test_relay_on_an_integrator_is_a_triangle_wave_of_known_period() -> None:
    """dx/dt = -y, y = +-1 switching at x = +-0.1: every 0.2 s, to the last digits."""
    d = bd.Diagram()
    x, relay = d.add("x", bd.Integrator()), d.add("relay", bd.Relay(0.1, -0.1, 1.0, -1.0, starts_on=True))
    d.connect(x, relay, d.add("minus", bd.Gain(k=-1.0)), x)
    found = switching_times(d.simulate(stop=10.0), "relay")
    found = [t for t in found if t > 0.0]
    np.testing.assert_allclose(found, 0.1 + 0.2 * np.arange(len(found)), rtol=0, atol=1e-11)
    assert len(found) == 50


def test_elements_of_a_vector_switch_on_their_own() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("t + v")), d.add("relay", bd.Relay([1.0, 2.0], [0.0, 1.0], 5.0, -5.0)))
    d.connect(d.add("v", bd.Constant([0.0, 0.5])), d["u"]["v"])
    r = d.simulate(times=[0.5, 1.2, 1.6], stop=2.0)
    np.testing.assert_array_equal(r["relay"].values, [[-5, -5], [5, -5], [5, 5]])


def test_remembers_between_the_thresholds_and_starts_as_told() -> None:
    for starts_on, value in ((True, 1.0), (False, 0.0)):
        d = bd.Diagram()
        d.connect(d.add("u", bd.Constant(0.5)), d.add("relay", bd.Relay(1.0, 0.0, starts_on=starts_on)))
        assert d.simulate(stop=1.0).final("relay") == value


def test_follows_a_sampled_signal() -> None:
    """sin(t) sampled every 0.5 s: at or above 0.5 first at t = 1, at or below -0.5 first at t = 4."""
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Expression("sin(t)")),
        d.add("hold", bd.ZeroOrderHold(0.5)),
        d.add("relay", bd.Relay(0.5, -0.5)),
    )
    assert switching_times(d.simulate(stop=6.0), "relay") == [1.0, 4.0]


def test_a_relay_without_hysteresis_that_drives_its_input_back_chatters() -> None:
    """dx/dt = -sign(x) reaches 0 at t = 1 and has no solution by switching from there on."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(x, d.add("relay", bd.Relay(0.0, 0.0, -1.0, 1.0)), x)
    with pytest.raises(bd.RunError, match="relay"):
        d.simulate(stop=3.0)


def test_thresholds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="at most switch_on"):
        bd.Relay(0.0, 1.0)

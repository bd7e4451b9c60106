"""Sampled blocks: ticks at exact doubles from t = 0, order at coinciding ticks, held values between them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd


def discrete(r: bd.Result, path: str) -> tuple[np.ndarray, np.ndarray]:
    trace = r.trace(path)
    assert trace.kind == "discrete"
    return trace.time, trace.values


@pytest.mark.parametrize("period", [0.1, 0.04, 0.3, 1 / 3, 1e-3, 0.7])
def test_tick_k_is_the_double_nearest_to_k_periods(period):
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("held", bd.ZeroOrderHold(period)))
    r = d.simulate(stop=2.0)
    time, values = discrete(r, "held")
    count = int(np.floor(2.0 / period + 1e-9)) + 1
    step = Fraction(str(period)) if period != 1 / 3 else Fraction(1, 3)
    exact = np.array([float(k * step) for k in range(count)])
    np.testing.assert_array_equal(values[:count], exact)
    np.testing.assert_array_equal(time[:count], exact)


def test_the_first_sample_is_at_zero():
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("5 + t")), d.add("held", bd.ZeroOrderHold(1.0, initial=-1.0)))
    r = d.simulate(stop=2.5)
    assert discrete(r, "held")[1][0] == 5.0
    assert r.trace("held").at([0.0, 0.5, 1.0, 1.5, 2.4]).tolist() == [5.0, 5.0, 6.0, 6.0, 7.0]


def test_an_offset_delays_the_first_sample():
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("held", bd.ZeroOrderHold(1.0, offset=0.25, initial=-1.0)))
    r = d.simulate(stop=2.5)
    assert r.trace("held").at([0.0, 0.2, 0.25, 1.0, 1.25, 2.3]).tolist() == [
        -1.0,
        -1.0,
        0.25,
        0.25,
        1.25,
        2.25,
    ]


def test_a_start_between_ticks_waits_for_the_next():
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("held", bd.ZeroOrderHold(1.0, initial=-1.0)))
    r = d.simulate(start=0.5, stop=2.5)
    assert r.trace("held").at([0.5, 0.9, 1.0, 2.2]).tolist() == [-1.0, -1.0, 1.0, 2.0]


def test_ten_with_twenty_five_hertz():
    """Every tenth of a second the slow one takes what the fast one took last."""
    d = bd.Diagram()
    fast, slow = d.add("fast", bd.ZeroOrderHold(0.04)), d.add("slow", bd.ZeroOrderHold(0.1))
    d.connect(d.add("t", bd.Clock()), fast, slow)
    r = d.simulate(stop=2)
    time, values = discrete(r, "slow")
    np.testing.assert_array_equal(time, np.arange(21) / 10)
    np.testing.assert_allclose(values, np.floor(np.arange(21) * 2.5 + 1e-9) * 0.04, atol=1e-15)
    instants = sorted({*np.arange(21) / 10} | {*np.arange(51) / 25})
    assert len(set(r.time)) >= len(instants)


def test_a_hold_passes_through_holds_at_the_same_tick():
    d = bd.Diagram()
    names = [d.add(f"h{i}", bd.ZeroOrderHold(0.5)) for i in range(4)]
    d.connect(d.add("t", bd.Clock()), *names)
    r = d.simulate(stop=2)
    for i in range(4):
        np.testing.assert_array_equal(discrete(r, f"h{i}")[1], [0.0, 0.5, 1.0, 1.5, 2.0])


def test_a_chain_of_delays_is_a_shift_register():
    d = bd.Diagram()
    names = [d.add(f"z{i}", bd.UnitDelay(0.5, initial=-1.0 - i)) for i in range(3)]
    d.connect(d.add("t", bd.Clock()), *names)
    r = d.simulate(stop=2)
    np.testing.assert_array_equal(discrete(r, "z0")[1], [-1.0, 0.0, 0.5, 1.0, 1.5])
    np.testing.assert_array_equal(discrete(r, "z1")[1], [-2.0, -1.0, 0.0, 0.5, 1.0])
    np.testing.assert_array_equal(discrete(r, "z2")[1], [-3.0, -2.0, -1.0, 0.0, 0.5])


def test_a_ring_of_delays_counts():
    """y_k = y_{k-1} + 1: a delay whose input depends on its output in the same tick."""
    d = bd.Diagram()
    z, s = d.add("z", bd.UnitDelay(0.1, initial=0.0)), d.add("s", bd.Sum("++"))
    d.connect(d.add("one", bd.Constant(1.0)), s[0])
    d.connect(z, s[1])
    d.connect(s, z)
    np.testing.assert_array_equal(discrete(d.simulate(stop=1), "z")[1], np.arange(11.0))


def test_two_delays_that_swap_their_values():
    d = bd.Diagram()
    a, b = d.add("a", bd.UnitDelay(1.0, initial=1.0)), d.add("b", bd.UnitDelay(1.0, initial=2.0))
    d.connect(a, b, a)
    r = d.simulate(stop=3)
    np.testing.assert_array_equal(discrete(r, "a")[1], [1.0, 2.0, 1.0, 2.0])
    np.testing.assert_array_equal(discrete(r, "b")[1], [2.0, 1.0, 2.0, 1.0])


def test_fibonacci_numbers():
    d = bd.Diagram()
    a, b, s = (
        d.add("a", bd.UnitDelay(1.0, initial=1.0)),
        d.add("b", bd.UnitDelay(1.0, initial=0.0)),
        d.add("s", bd.Sum("++")),
    )
    d.connect(a, b)
    d.connect(a, s[0])
    d.connect(b, s[1])
    d.connect(s, a)
    np.testing.assert_array_equal(
        discrete(d.simulate(stop=10), "b")[1], [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    )


def test_a_purely_discrete_diagram_has_no_steps_to_take():
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("sum", bd.DiscreteIntegrator(0.01)))
    r = d.simulate(stop=10)
    assert r.final("sum") == pytest.approx(10.0, rel=1e-12)


def test_a_saturation_between_two_sampled_blocks_acts_at_the_same_tick():
    d = bd.Diagram()
    a, b = d.add("a", bd.ZeroOrderHold(0.5)), d.add("b", bd.ZeroOrderHold(0.5))
    d.connect(d.add("ramp", bd.Ramp(slope=1.0, initial=-2.0)), a, d.add("limit", bd.Saturation()), b)
    r = d.simulate(stop=4)
    np.testing.assert_array_equal(discrete(r, "b")[1], np.clip(np.arange(9) / 2 - 2, -1, 1))


@pytest.mark.parametrize(
    ("block", "law"),
    [
        (bd.Relay(switch_on=0.5, switch_off=-0.5, on=2.0, off=-2.0), lambda u: np.where(u >= 0.5, 2.0, -2.0)),
        (bd.DeadZone(), lambda u: np.sign(u) * np.maximum(np.abs(u) - 0.5, 0.0)),
        (bd.Abs(), np.abs),
        (bd.Sign(), np.sign),
        (bd.Compare(operator=">=", value=0.5), lambda u: (u >= 0.5).astype(float)),
        (bd.Expression("floor(a * 3)"), lambda u: np.floor(u * 3)),
    ],
)
@pytest.mark.parametrize("names", [("a", "law", "b"), ("z", "a", "b"), ("b", "z", "a")])
def test_switching_blocks_between_sampled_blocks(block, law, names):
    """Whatever they are called: the order of evaluation follows the wires."""
    d = bd.Diagram()
    first, middle, last = names
    a, b = d.add(first, bd.ZeroOrderHold(0.25)), d.add(last, bd.ZeroOrderHold(0.25))
    d.connect(d.add("ramp", bd.Ramp(slope=1.0, initial=-2.0)), a, d.add(middle, block), b)
    r = d.simulate(stop=4)
    np.testing.assert_array_equal(discrete(r, last)[1], law(np.arange(17) / 4 - 2))


def test_a_step_at_the_instant_of_a_tick_is_sampled_after_it():
    d = bd.Diagram()
    d.connect(d.add("step", bd.Step(time=0.3)), d.add("held", bd.ZeroOrderHold(0.1)))
    r = d.simulate(stop=0.6)
    np.testing.assert_array_equal(discrete(r, "held")[1], [0, 0, 0, 1, 1, 1, 1])


def test_a_square_wave_and_a_clock_that_share_their_instants():
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Square(period=0.2)), d.add("held", bd.ZeroOrderHold(0.1)))
    r = d.simulate(stop=10)
    np.testing.assert_array_equal(discrete(r, "held")[1][:100], np.tile([1.0, -1.0], 50))


def test_a_held_input_makes_the_plant_a_recursion():
    """Plant 1/(s+1) with u = ZOH(5 (1 - y)) at 1 kHz: x_{k+1} = a x_k + (1 - a) 5 (1 - x_k)."""
    d = bd.Diagram()
    e, k, h = d.add("e", bd.Sum("+-")), d.add("k", bd.Gain(5.0)), d.add("h", bd.ZeroOrderHold(1e-3))
    p = d.add("p", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect(d.add("one", bd.Constant(1.0)), e[0])
    d.connect(e, k, h, p, e[1])
    r = d.simulate(stop=2)
    a, x = np.exp(-1e-3), 0.0
    for _ in range(2000):
        x = a * x + (1 - a) * 5 * (1 - x)
    assert r.final("p") == pytest.approx(x, rel=1e-12)


PLANT_A = np.array([[0.0, 1.0], [-2.0, -0.8]])
PLANT_B = np.array([[0.0], [2.0]])


def exact_pid(T: float, steps: int, kp: float, ki: float, kd: float) -> list[float]:
    """The plant under a held input, exactly; the controller's recursion with a backward difference."""
    whole = expm(np.block([[PLANT_A, PLANT_B], [np.zeros((1, 3))]]) * T)
    phi, gamma = whole[:2, :2], whole[:2, 2]
    x, i, last, out = np.zeros(2), 0.0, 0.0, []
    for _ in range(steps):
        out.append(x[0])
        e = 1.0 - x[0]
        u = kp * e + i + kd * (e - last) / T
        i, last = i + ki * T * e, e
        x = phi @ x + gamma * u
    return [*out, x[0]]


@pytest.mark.parametrize("method", ["dopri5", "dop853", "tsit5", "rodas5p", "radau5"])
def test_sampled_pid_on_a_second_order_plant(method):
    T, steps = 0.01, 1000
    kp, ki, kd = 4.0, 3.0, 0.2
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    c = d.add("c", bd.DiscretePID(T, kp=kp, ki=ki, kd=kd, n=np.inf))
    p = d.add("p", bd.StateSpace(A=PLANT_A, B=PLANT_B, C=[1.0, 0.0]))
    d.connect(d.add("one", bd.Constant(1.0)), e[0])
    d.connect(e, c, p, e[1])
    times = np.arange(steps + 1) * T
    r = d.simulate(stop=steps * T, rtol=1e-10, atol=1e-12, method=method, times=np.minimum(times, steps * T))
    np.testing.assert_allclose(r["p"].values, exact_pid(T, steps, kp, ki, kd), atol=1e-10)


def test_discrete_state_space_is_its_recursion():
    A, B = np.array([[0.5, 0.2], [-0.1, 0.9]]), np.array([[1.0], [0.5]])
    d = bd.Diagram()
    plant = bd.DiscreteStateSpace(0.2, A=A, B=B, C=np.eye(2), initial=[1.0, -1.0])
    d.connect(d.add("u", bd.Sine()), d.add("z", plant))
    r = d.simulate(stop=4)
    x, expected = np.array([1.0, -1.0]), []
    for k in range(21):
        expected.append(x)
        x = A @ x + B[:, 0] * np.sin(0.2 * k)
    np.testing.assert_allclose(discrete(r, "z")[1], expected, rtol=1e-12, atol=1e-15)


def test_ticks_do_not_restart_the_solver():
    """Ticks that change nothing in the plant cost one shortened step each, not a search for a step size."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("k", bd.Gain(-1.0)), x)
    d.connect(x, d.add("seen", bd.ZeroOrderHold(0.1)))
    r = d.simulate(stop=10)
    assert r.statistics["steps"] < 220
    assert r.final("x") == pytest.approx(np.exp(-10.0), abs=1e-7)


def test_result_names_do_not_change_from_run_to_run():
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("held", bd.ZeroOrderHold(0.1)))
    assert list(d.simulate(stop=1)) == list(d.simulate(stop=1))

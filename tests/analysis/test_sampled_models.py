"""Models in discrete time: against zero-order holds of SciPy and products of matrix exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import cont2discrete

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.native.tangent.frame import NotDifferentiable

A = np.array([[0.0, 1.0], [-25.0, -2.0]])
B = np.array([[0.0], [1.0]])
C = np.array([[1.0, 0.5]])


def plant() -> bd.Block:
    return bd.StateSpace(A=A, B=B, C=C, D=[[0.0]])


def held(h: float) -> tuple[Any, Any]:
    """The plant over a time h with a constant input."""
    F, G, *_ = cont2discrete((A, B, C, np.zeros((1, 1))), h, "zoh")
    return F, G


def test_a_continuous_diagram_over_a_period_is_the_zero_order_hold() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("p", plant()), d.add("y", bd.Outport()))
    model = d.linearize(sample_time=0.1)
    F, G = held(0.1)
    np.testing.assert_allclose(model.A, F, atol=1e-13)
    np.testing.assert_allclose(model.B, G, atol=1e-13)
    np.testing.assert_allclose(model.C, C, atol=0)
    assert model.sample_time == 0.1


def loop(h: float, offset: float = 0.0) -> bd.Diagram:
    """The plant under a sampled PI controller u = 3 e + 8 q, q+ = q + h e."""
    d = bd.Diagram("loop")
    error, total = d.add("error", bd.Sum("+-")), d.add("total", bd.Sum("++"))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    hold = d.add("hold", bd.ZeroOrderHold(sample_time=h, offset=offset))
    q = d.add("q", bd.DiscreteIntegrator(sample_time=h, offset=offset))
    d.connect(error, hold, [d.add("p", bd.Gain(3.0)), q])
    d.connect("p", total[0])
    d.connect(q, d.add("i", bd.Gain(8.0)), total[1])
    d.connect(total, d.add("plant", plant()), [error[1], d.add("y", bd.Outport())])
    return d


def test_a_sampled_controller() -> None:
    """x+ = F x + G (3 e + 8 q), q+ = q + h e, e = r - C x."""
    h = 0.04
    F, G = held(h)
    model = loop(h).linearize()
    assert model.states == ("plant.x[0]", "plant.x[1]", "q.x")
    expected = np.block([[F - 3 * G @ C, 8 * G], [-h * C, np.eye(1)]])
    np.testing.assert_allclose(model.A, expected, atol=1e-13)
    np.testing.assert_allclose(model.B, np.vstack([3 * G, [[h]]]), atol=1e-13)
    np.testing.assert_allclose(model.C, np.hstack([C, [[0.0]]]), atol=0)


def test_its_loop_transfer() -> None:
    """From the sum back to it: (3 + 8 h / (z - 1)) C (z - F)^-1 G."""
    h = 0.04
    F, G = held(h)
    model = -loop(h).linearize("total", "total", open="total")
    z = np.exp(1j * 6.0 * h)
    expected = (3 + 8 * h / (z - 1)) * (C @ np.linalg.solve(z * np.eye(2) - F, G))[0, 0]
    assert model.frequency_response([6.0])[0, 0, 0] == pytest.approx(expected, rel=1e-12)


def test_an_offset_leaves_the_poles_where_they_are() -> None:
    """Ticks at another phase see the same motion, from another begin of the period."""
    at_once, later = loop(0.04).linearize(), loop(0.04, 0.015).linearize()
    assert len(later.states) == 5  # what is held when the period begins counts
    poles = later.poles()
    np.testing.assert_allclose(poles[:2], 0.0, atol=1e-13)
    np.testing.assert_allclose(np.sort_complex(poles[2:]), np.sort_complex(at_once.poles()), atol=1e-13)


def cascade() -> bd.Diagram:
    """A fast gain of 2 every 0.02 s within a slow integral of 5 every 0.06 s."""
    d = bd.Diagram("cascade")
    outer, inner = d.add("outer", bd.Sum("+-")), d.add("inner", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), outer[0])
    d.connect(outer, d.add("q", bd.DiscreteIntegrator(sample_time=0.06)), d.add("i", bd.Gain(5.0)), inner[0])
    d.connect(inner, d.add("hold", bd.ZeroOrderHold(sample_time=0.02)), d.add("k", bd.Gain(2.0)))
    d.connect("k", d.add("plant", plant()), [outer[1], inner[1], d.add("y", bd.Outport())])
    return d


def test_several_rates_are_the_product_of_what_happens() -> None:
    """Over 0.06 s: q ticks once, the hold three times; in between e^(A t)."""
    flow = expm(0.02 * np.block([[A, B], [np.zeros((1, 3))]]))  # of (x, k)
    total = np.eye(5)  # of (x, q, q's output, r)
    for part in range(3):
        tick = np.zeros((5, 5))
        tick[:2, :2], tick[4, 4] = np.eye(2), 1.0
        if part == 0:  # y_q = q, q+ = q + 0.06 (r - C x)
            tick[3, 2], tick[2, 2], tick[2, :2], tick[2, 4] = 1.0, 1.0, -0.06 * C[0], 0.06
        else:
            tick[2, 2] = tick[3, 3] = 1.0
        gain = np.zeros((1, 5))  # k = 2 (5 y_q - C x)
        gain[0, 3], gain[0, :2] = 10.0, -2.0 * C[0]
        step = np.eye(5)
        step[:2] = flow[:2, :2] @ np.eye(2, 5) + flow[:2, 2:] @ gain
        # k is held at what it is behind the tick
        total = step @ tick @ total
    model = cascade().linearize()
    assert model.sample_time == 0.06
    assert model.states == ("plant.x[0]", "plant.x[1]", "q.x")
    np.testing.assert_allclose(model.A, total[:3, :3], atol=1e-13)
    np.testing.assert_allclose(model.B, total[:3, 4:], atol=1e-13)


def test_a_multiple_of_the_period_is_its_power() -> None:
    once, thrice = cascade().linearize(), cascade().linearize(sample_time=0.18)
    np.testing.assert_allclose(thrice.A, np.linalg.matrix_power(once.A, 3), atol=1e-13)


def test_the_part_between_ticks() -> None:
    model = cascade().linearize("k", "y", sample_time=0.0)
    np.testing.assert_allclose(model.A, A, atol=0)
    np.testing.assert_allclose(model.B, B, atol=0)


def test_periods_that_fit_nothing() -> None:
    with pytest.raises(AnalysisError, match=r"a multiple of 0\.06 s"):
        cascade().linearize(sample_time=0.1)
    d = cascade()
    with pytest.raises(AnalysisError, match="short common period"):
        d.linearize(set={"q.sample_time": 0.0600001})


def test_ticks_that_are_events_of_a_block_are_no_clock() -> None:
    """A digital speed loop reads its inputs by itself: what flows between its ticks is -B / J."""
    d = bd.Diagram("drive")
    d.connect(d.add("r", bd.Inport(default=0.0)), d.add("drive", bd.VelocityLoop(J=5e-4, B=1e-3))["w_ref"])
    d.connect("drive.w", d.add("y", bd.Outport()))
    for call in (d.linearize, lambda: d.linearize_along([0.1]), lambda: d.linearize(sample_time=0.01)):
        with pytest.raises(
            NotDifferentiable, match=r"drive: .*ticks without a fixed sample time(.|\n)*sample_time=0"
        ):
            call()
    np.testing.assert_allclose(d.linearize(sample_time=0).A, [[-2.0]], rtol=1e-14)
    with pytest.raises(
        AnalysisError, match="drive: its state is updated by events without a fixed sample time"
    ):
        d.trim(inputs={"r": 10.0})

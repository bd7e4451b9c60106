"""Root loci: textbook points, python-control's poles, sampled loops, and numbers of a diagram."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError


def loop(num, den):
    d = bd.Diagram("loop")
    d.connect(
        d.add("u", bd.Inport(default=0.0)),
        d.add("g", bd.TransferFunction(num=num, den=den)),
        d.add("y", bd.Outport()),
    )
    return d.linearize()


def test_three_poles():
    """1 / (s (s + 1) (s + 2)): branches meet at -1 + 1/sqrt(3), cross at i sqrt(2) with k = 6."""
    locus = loop([1.0], [1.0, 3.0, 2.0, 0.0]).root_locus()
    (point,) = locus.break_points
    assert point.s == pytest.approx(-1.0 + 1.0 / np.sqrt(3.0), abs=1e-9)
    assert point.gain == pytest.approx(2.0 / (3.0 * np.sqrt(3.0)), rel=1e-9)
    (edge,) = locus.crossings
    assert edge.gain == pytest.approx(6.0, rel=1e-9)
    assert edge.s == pytest.approx(1j * np.sqrt(2.0), abs=1e-6)
    assert locus.centre == pytest.approx(-1.0)
    np.testing.assert_allclose(np.degrees(locus.angles), [60.0, 180.0, 300.0])
    np.testing.assert_array_equal(locus.stable[1:], locus.gains[1:] < 6.0)
    for k, row in zip(locus.gains, locus.poles, strict=True):
        np.testing.assert_allclose(np.poly(row), [1.0, 3.0, 2.0, k], rtol=1e-7, atol=1e-7 * (1.0 + k))
    steps = np.abs(np.diff(locus.poles, axis=0))[np.abs(locus.poles[1:]) < 2.0]
    assert steps.max() < 0.05  # branches, not poles that change places


def test_poles_of_python_control():
    control = pytest.importorskip("control")
    model = loop([1.0, 3.0, 9.0], [1.0, 4.0, 9.0, 10.0, 0.0])
    gains = np.geomspace(1e-2, 1e3, 40)
    peer = control.root_locus_map(model.to_control(), gains).loci
    mine = model.root_locus(gains).poles
    np.testing.assert_allclose(np.sort_complex(mine), np.sort_complex(peer), atol=1e-7)
    np.testing.assert_allclose(np.sort_complex(model.root_locus().zeros), np.sort_complex(model.zeros()))


def test_a_sampled_loop():
    """1 / (s + 1) under a hold of 0.1 s: z = a - k (1 - a) leaves the circle at k = (1 + a) / (1 - a)."""
    d = bd.Diagram("sampled")
    hold = d.add("hold", bd.ZeroOrderHold(sample_time=0.1))
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect(d.add("u", bd.Inport(default=0.0)), hold, plant, d.add("y", bd.Outport()))
    locus = d.linearize().root_locus()
    a = np.exp(-0.1)
    assert locus.crossings[0].gain == pytest.approx((1 + a) / (1 - a), rel=1e-9)
    assert locus.crossings[0].s == pytest.approx(-1.0, abs=1e-9)


def test_any_number_of_a_diagram():
    """x'' + d x' + x = 0: poles on the unit circle up to d = 2, unstable below d = 0."""
    d = bd.Diagram("oscillator")
    x, v = d.add("x", bd.Integrator()), d.add("v", bd.Integrator())
    total, damping = d.add("total", bd.Sum("--")), d.add("damping", bd.Gain(1.0))
    d.connect(v, [x, damping])
    d.connect(x, total[0])
    d.connect(damping, total[1])
    d.connect(total, v)
    locus = d.root_locus("damping.k", np.linspace(-0.95, 1.95, 59))
    np.testing.assert_allclose(np.abs(locus.poles), 1.0, rtol=1e-12)
    assert locus.name == "damping.k"
    assert locus.crossings[0].gain == pytest.approx(0.0, abs=1e-9)
    assert "damping.k from -0.95 to 1.95" in repr(locus)


def test_what_has_no_locus():
    two = bd.Diagram("two")
    two.connect(two.add("u", bd.Inport(default=0.0)), two.add("k", bd.Gain(2.0)), two.add("y", bd.Outport()))
    with pytest.raises(AnalysisError, match="without states"):
        two.linearize().root_locus()
    with pytest.raises(AnalysisError, match=r"gains are .*\nexpected: at least two increasing numbers"):
        loop([1.0], [1.0, 1.0]).root_locus([2.0, 1.0])
    with pytest.raises(AnalysisError, match=r"at k = 1 the loop has no solution"):
        loop([-1.0, 0.0], [1.0, 1.0]).root_locus([0.5, 1.0])


def test_its_picture(tmp_path):
    loop([1.0, 2.0], [1.0, 2.0, 3.0, 0.0]).root_locus().plot(file=tmp_path / "locus.png", show=False)


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_a_far_pole_hides_no_others(style):
    """Poles at 0, -1, -2 and -500: one view reaches to the near ones, one to all."""
    model = loop([10.0, 20.0, 100.0], np.poly([0.0, -1.0, -2.0, -500.0]))
    for figure in (model.root_locus().plot(style=style), model.pole_map(style=style)):
        near, whole = figure.axes
        assert -12.0 < near.get_xlim()[0] < -2.0
        assert whole.get_xlim()[0] < -500.0
        assert near.get_legend() is not None
    assert len(loop([1.0], np.poly([0.0, -1.0, -2.0])).pole_map().axes) == 1


def test_nothing_is_found_where_nothing_is():
    """(s + 1e4) (s^2 + 0.2 s + 1.01) has a slope of 0 at -0.1 and -6667 only, where k would be negative."""
    locus = loop([1.0], np.poly([-1e4, -0.1 + 1j, -0.1 - 1j])).root_locus()
    assert locus.break_points == ()
    np.testing.assert_allclose(np.degrees(locus.angles), [60.0, 180.0, 300.0])


def late() -> bd.Diagram:
    """2 k exp(-0.3 s) / (s + 1) in a loop."""
    d = bd.Diagram("late")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    k = d.add("k", bd.Gain(1.0))
    d.connect(error, k, d.add("plant", bd.TransferFunction(num=[2.0], den=[1.0, 1.0])))
    d.connect("plant", d.add("late", bd.TransportDelay(0.3)), [error[1], d.add("y", bd.Outport())])
    return d


def test_with_delays_approximants_are_asked_for_and_named() -> None:
    """On the edge of stability arctan w + 0.3 w = pi, 2 k = sqrt(1 + w^2)."""
    d = late()
    with pytest.raises(AnalysisError, match=r"root_locus\('k.k', values, pade=4\)"):
        d.root_locus("k.k", [1.0, 5.0])
    with pytest.raises(AnalysisError, match=r"model\.pade\(4\)\.root_locus\(\)"):
        d.loop("late").root_locus()
    w = brentq(lambda w: np.arctan(w) + 0.3 * w - np.pi, 1.0, 10.0)
    for locus in (d.root_locus("k.k", [1.0, 5.0], pade=4), d.loop("late").pade(4).root_locus()):
        crossing = locus.crossings[0]
        assert crossing.s.imag == pytest.approx(w, rel=1e-5)
        assert crossing.gain == pytest.approx(np.sqrt(1 + w**2) / 2, rel=1e-5)
        assert "delays by Padé approximants of order 4" in str(locus)
        texts = [text.get_text() for axes in locus.plot(show=False).axes for text in axes.texts]
        legends = [axes.get_legend() for axes in locus.plot(show=False).axes]
        texts += [text.get_text() for each in legends if each for text in each.get_texts()]
        assert any("Padé, order 4" in text for text in texts)


def test_the_longest_delay() -> None:
    """1 + 2 exp(-s T) / (s + 1) = 0 at s = sqrt(3) i: T = 2 pi / 3 / sqrt(3)."""
    (crossing,) = late().root_locus("late.delay", [0.1, 2.0], pade=5).crossings
    assert crossing.gain == pytest.approx(2 * np.pi / 3 / np.sqrt(3), rel=1e-5)

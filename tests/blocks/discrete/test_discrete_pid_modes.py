"""DiscretePID from manual to automatic and back, and with an actuator that does something else."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

T = 0.1


def plant(law: bd.DiscretePID, **inputs: bd.Block) -> bd.Diagram:
    """x' = y - x under the controller of 1 - x."""
    d = bd.Diagram()
    e, c, x = d.add("e", bd.Sum("+-")), d.add("c", law), d.add("x", bd.TransferFunction([1.0], [1.0, 1.0]))
    d.connect(d.add("r", bd.Constant(1.0)), e[0])
    d.connect(e, c["u"])
    d.connect(c, x, e[1])
    for name, block in inputs.items():
        d.connect(d.add(name, block), c[name])
    return d


@pytest.mark.parametrize("anti_windup", ["clamping", "back-calculation", "none"])
@pytest.mark.parametrize("method", ["forward", "backward", "trapezoidal"])
def test_switching_makes_no_bump(anti_windup: str, method: str) -> None:
    """By hand at 1 until all is at rest: the error is 0 then, and nothing moves when it takes over."""
    law = bd.DiscretePID(
        T, kp=2.0, ki=1.0, kd=0.1, lower=-5.0, upper=5.0,
        switched=True, anti_windup=anti_windup, method=method,
    )  # fmt: skip
    d = plant(law, auto=bd.Step(time=40.0), manual=bd.Constant(1.0))
    r = d.simulate(times=[0.0, 1.0, 39.95, 40.05, 41.05, 60.0])
    np.testing.assert_allclose(r["c"].values, 1.0, rtol=0, atol=1e-12)
    # at a distance from the reference it begins at the manual value, and then removes the error
    d = plant(law, auto=bd.Step(time=40.0), manual=bd.Constant(0.3))
    r = d.simulate(times=[39.95, 40.05, 80.0])
    assert abs(r["c"].values[1] - 0.3) <= 0.07 + 1e-9  # ki T e, what one sample adds to i
    assert r["x"].values[2] == pytest.approx(1.0, abs=1e-6)


def test_by_hand_the_limits_hold() -> None:
    law = bd.DiscretePID(T, switched=True, upper=2.0)
    d = plant(law, auto=bd.Constant(0.0), manual=bd.Ramp())
    assert d.simulate(stop=5.0)["c"].values.max() == 2.0


def test_what_the_actuator_does_stops_the_integral() -> None:
    """ki = 1, kp = 0: with an actuator that stays at 0.2, i tends to 0.2 + ki e / kt by factors 1 - kt T."""
    law = bd.DiscretePID(T, kp=0.0, ki=1.0, tracks=True, anti_windup="back-calculation", tracking=4.0)
    d = bd.Diagram()
    c = d.add("c", law)
    d.connect(d.add("e", bd.Constant(1.0)), c["u"])
    d.connect(d.add("stuck", bd.Constant(0.2)), c["actual"])
    r = d.simulate(stop=1.0, times=T * np.arange(11))
    expected = 0.45 * (1.0 - 0.6 ** np.arange(11))
    np.testing.assert_allclose(r["c"].values, expected, atol=1e-12)


@pytest.mark.parametrize("anti_windup", ["back-calculation", "none"])
def test_a_fast_sampled_loop_is_the_continuous_one_at_its_limits_too(anti_windup: str) -> None:
    """A double lag against a limit of 1.2: the difference to PID falls with the sample time."""

    def peak(law: bd.Block) -> float:
        d = bd.Diagram("loop")
        x = d.add("x", bd.TransferFunction([1.0], [0.2, 1.2, 1.0]))
        d.connect(d.add("r", bd.Constant(1.0)) - x, d.add("c", law), x)
        return float(d.simulate(stop=20.0, rtol=1e-9, every=0.01)["x"].values.max())

    more = {"kp": 2.0, "ki": 4.0, "lower": -1.2, "upper": 1.2, "anti_windup": anti_windup}
    exact = peak(bd.PID(**more))  # type: ignore[arg-type]
    errors = [abs(peak(bd.DiscretePID(T, **more)) - exact) for T in (0.01, 0.001)]  # type: ignore[arg-type]
    assert exact > 1.01
    assert errors[1] < 0.2 * errors[0] < 2e-3

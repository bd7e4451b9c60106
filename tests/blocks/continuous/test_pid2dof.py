"""PID2DOF: two transfer functions, and PID where its weights are 1."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd

TIMES = np.linspace(0.0, 3.0, 31)
GAINS = {"kp": 2.0, "ki": 3.0, "kd": 0.5, "n": 20.0}


def test_answers_to_reference_and_measurement_by_their_transfer_functions() -> None:
    """From r: kp b + ki/s + kd c n s/(s + n); from m: minus that with b = c = 1."""
    b, c = 0.6, 0.3
    d = bd.Diagram()
    law = d.add("law", bd.PID2DOF(**GAINS, b=b, c=c))
    d.connect(d.add("r", bd.Constant(1.0)), law["r"])
    d.connect(d.add("m", bd.Ramp()), law["m"])
    r = d.simulate(times=TIMES, method="dop853", rtol=1e-12, atol=1e-13)
    kp, ki, kd, n = GAINS.values()

    def answer(b: float, c: float, u: np.ndarray) -> np.ndarray:
        num = np.array([kp * b + kd * c * n, kp * b * n + ki, ki * n])
        return np.asarray(signal.lsim((num, [1.0, n, 0.0]), u, TIMES)[1])

    expected = answer(b, c, np.ones_like(TIMES)) - answer(1.0, 1.0, TIMES)
    np.testing.assert_allclose(r["law"].values, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("anti_windup", ["back-calculation", "limited-integral", "none"])
def test_with_weights_of_one_it_is_pid_at_its_limits_too(anti_windup: str) -> None:
    d = bd.Diagram()
    limits = {"lower": -1.0, "upper": [1.5, 4.0], "anti_windup": anti_windup}
    two, one = (
        d.add("two", bd.PID2DOF(**GAINS, **limits, b=1.0, c=1.0)),
        d.add("one", bd.PID(**GAINS, **limits)),
    )
    r, m = d.add("r", bd.Sine(amplitude=2.0)), d.add("m", bd.Sine(frequency=3.0))
    d.connect(r, two["r"])
    d.connect(m, two["m"])
    d.connect(r - m, one)
    result = d.simulate(times=TIMES, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(result["two"].values, result["one"].values, rtol=0, atol=1e-9)
    assert result["one"].values.max() == 4.0


def test_the_weights_do_not_change_how_it_settles() -> None:
    d = bd.Diagram()
    law = d.add("law", bd.PID2DOF(kp=2.0, ki=1.0, b=0.0))
    plant = d.add("plant", bd.TransferFunction([1.0], [1.0, 1.0]))
    d.connect(d.add("r", bd.Constant(1.0)), law["r"])
    d.connect(law, plant, law["m"])
    r = d.simulate(stop=40.0)
    assert r.final("plant") == pytest.approx(1.0, abs=1e-4)
    assert r["plant"].values.max() < 1.01  # with b = 1 it overshoots: the zero of kp s + ki is gone


def test_limits_in_the_wrong_order_name_the_block() -> None:
    with pytest.raises(bd.ParameterError, match=r"PID2DOF\.lower"):
        bd.PID2DOF(lower=1.0, upper=0.0)

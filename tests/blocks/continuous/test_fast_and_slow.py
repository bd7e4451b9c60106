"""Linear blocks at every speed: over w t, the responses are those at 1 rad/s, which SciPy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.blocks.contract.registry import library

SPEEDS = (1e-6, 1e-3, 1.0, 1e3, 1e5, 1e7, 1e9)
TIMES = np.linspace(0.0, 40.0, 81)
SLOW, PAIR = [1.0, 3.0], [1.0, 0.2, 1.0]
QUARTIC = np.polymul(np.polymul([1.0, 1.0], SLOW), PAIR)
FIRST, UNDAMPED = [1.0, 1.0], 0.1 + 1j * np.sqrt(0.99)


def powers(coefficients: Any, w: float) -> Any:
    """A polynomial of s/w in place of s."""
    return np.asarray(coefficients) / w ** np.arange(len(coefficients) - 1.0, -1.0, -1.0)


def controllable(num: Any, den: Any, w: float) -> dict[str, Any]:
    """The matrices that SciPy makes of coefficients."""
    A, B, C, D = signal.tf2ss(powers(num, w), powers(den, w))
    return {"A": A, "B": B, "C": C, "D": D}


# Each block at the speed w, with the numerator and denominator of its transfer function over s/w.
BLOCKS: dict[str, tuple[Any, Any, Any]] = {
    "TransferFunction": (lambda w: bd.TransferFunction([1.0], powers(PAIR, w)), [1.0], PAIR),
    "TransferFunction of first order": (lambda w: bd.TransferFunction([1.0], powers(FIRST, w)), [1.0], FIRST),
    "TransferFunction of fourth order": (
        lambda w: bd.TransferFunction(powers([2.0, 1.0], w), powers(QUARTIC, w)), [2.0, 1.0], QUARTIC,
    ),
    "TransferFunction with feedthrough": (
        lambda w: bd.TransferFunction(powers([2.0, 0.0, 1.0], w), powers(PAIR, w)), [2.0, 0.0, 1.0], PAIR,
    ),
    "integrators": (lambda w: bd.TransferFunction([w * w], [1.0, w, 0.0]), [1.0], [1.0, 1.0, 0.0]),
    "StateSpace": (lambda w: bd.StateSpace(**controllable([1.0], PAIR, w)), [1.0], PAIR),
    "DescriptorStateSpace": (
        lambda w: bd.DescriptorStateSpace(E=np.diag([1.0, 2.0]), **_doubled(controllable([1.0], PAIR, w))),
        [1.0], PAIR,
    ),
    "ZeroPoleGain": (
        lambda w: bd.ZeroPoleGain(poles=w * np.array([[-0.1, 0.99**0.5], [-0.1, -(0.99**0.5)]]), k=w * w),
        [1.0], PAIR,
    ),
    "LowPass": (lambda w: bd.LowPass(cutoff=w, order=4), *signal.butter(4, 1.0, analog=True)),
    "HighPass": (lambda w: bd.HighPass(cutoff=w, order=3), *signal.butter(3, 1.0, "high", analog=True)),
    "Notch": (lambda w: bd.Notch(frequency=w, damping=0.1), [1.0, 0.0, 1.0], PAIR),
    "SecondOrder": (lambda w: bd.SecondOrder(frequency=w, damping=0.1), [1.0], PAIR),
    "LeadLag": (lambda w: bd.LeadLag(lead=1000.0 / w, lag=1.0 / w), [1000.0, 1.0], FIRST),
    "Derivative": (lambda w: bd.Derivative(time_constant=1.0 / w), [1.0, 0.0], FIRST),  # over w
    "PID": (lambda w: bd.PID(kp=2.0, ki=w, kd=0.5 / w, n=w), [2.5, 3.0, 1.0], [1.0, 1.0, 0.0]),
    "PID2DOF": (lambda w: bd.PID2DOF(kp=2.0, ki=w, kd=0.5 / w, n=w, c=1.0), [2.5, 3.0, 1.0], [1.0, 1.0, 0.0]),
}  # fmt: skip


def _doubled(system: dict[str, Any]) -> dict[str, Any]:
    """The second equation times two."""
    return system | {"A": np.diag([1.0, 2.0]) @ system["A"]}


def response(block: Any, w: float, **settings: Any) -> Any:
    d = bd.Diagram()
    u, y = d.add("u", bd.Constant(1.0)), d.add("y", block)
    d.connect(u, y[0])
    if len(block.input_ports()) == 2:
        d.connect(d.add("zero", bd.Constant(0.0)), y[1])
    path = "y.y" if len(block.output_ports()) == 2 else "y"
    return d.simulate(times=TIMES / w, **settings)[path].values


@pytest.mark.parametrize("name", BLOCKS)
def test_the_step_response_is_scipys_at_every_speed(name: str) -> None:
    make, num, den = BLOCKS[name]
    _, expected = signal.step(signal.TransferFunction(num, den), T=TIMES)
    size = np.abs(expected).max()
    for w in SPEEDS:
        unit = w if name == "Derivative" else 1.0
        for rtol, allowed in ((1e-6, 3e-5), (1e-9, 3e-7)):
            found = response(make(w), w, rtol=rtol) / unit
            np.testing.assert_allclose(found, expected, rtol=0, atol=allowed * size, err_msg=f"{w}, {rtol}")


@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "radau5", "bdf"])
@pytest.mark.parametrize("w", [1e-6, 1e5, 1e9])
def test_every_method_has_the_digits(method: str, w: float) -> None:
    make, num, den = BLOCKS["TransferFunction of fourth order"]
    _, expected = signal.step(signal.TransferFunction(num, den), T=TIMES)
    found = response(make(w), w, method=method, rtol=1e-8)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_all_blocks_with_scaled_states_are_among_them() -> None:
    states = {name: kind.states for name, kind in library().items() if isinstance(kind.states, tuple)}
    scaled = {name for name, each in states.items() if any(state.scale for state in each)}
    assert scaled == {name for name in BLOCKS if name in library()}


def test_states_and_their_starts_are_those_of_the_canonical_form() -> None:
    """1/(s^2 + w^2) left alone from w = 1, dw/dt = 0: the states are (-w sin wt, cos wt)."""
    w = 1e5
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Constant(0.0)), d.add("y", bd.TransferFunction([1.0], [1.0, 0.0, w**2], [0.0, 1.0]))
    )
    states = d.simulate(times=TIMES / w, rtol=1e-9).states["y.x"].values
    np.testing.assert_allclose(states[:, 1], np.cos(TIMES), rtol=0, atol=1e-6)
    np.testing.assert_allclose(states[:, 0] / w, -np.sin(TIMES), rtol=0, atol=1e-6)


def test_a_sweep_over_speeds_is_as_exact() -> None:
    d = bd.Diagram(parameters={"w": 1.0})
    plant = bd.TransferFunction([1.0], bd.expression("[1 / w**2, 0.2 / w, 1]"))
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", plant))
    for w in (1e3, 1e7):
        e = bd.Sweep(d, {"w": [w]}, {"y": {"final": "y"}}, stop=10.0 / w, rtol=1e-9).run()
        _, expected = signal.step(signal.TransferFunction([1.0], PAIR), T=[0.0, 10.0])
        assert float(e["y"][0]) == pytest.approx(expected[-1], abs=1e-7)


def test_tolerances_of_states_given_one_by_one_are_taken_as_they_are() -> None:
    """A step over a hidden state of 1e-14 with tolerances of 1 is as long as the run allows."""
    make, _, _ = BLOCKS["TransferFunction"]
    w = 1e7
    coarse = response(make(w), w, atol=[1.0, 1.0], method="dopri5", rtol=1e-6)
    fine = response(make(w), w, atol=[1e-14, 1e-22], method="dopri5", rtol=1e-6)
    exact = signal.step(signal.TransferFunction([1.0], PAIR), T=TIMES)[1]
    assert np.abs(coarse - exact).max() > 1e-4
    assert np.abs(fine - exact).max() < 1e-5

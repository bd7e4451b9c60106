"""Statistics of linear problems with Gaussian numbers are those of the textbook.

Bounds are two-sided, from the distribution of the statistic itself, so wide that a right program fails one
seed in 10^5; the seeds are fixed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

RARE = 1e-5
DECAY = loads("""\
blockdyn: 1
parameters: {a: 0.8}
blocks:
  x: {type: Integrator, initial: 1.0}
  g: {type: Gain, k: =-a}
wires: [x -> g -> x]
simulate: {stop: 1.5, rtol: 1.0e-10, atol: 1.0e-12}
""")
RATE, TICK = 0.5, 0.05
ORNSTEIN_UHLENBECK = loads(f"""\
blockdyn: 1
blocks:
  noise: {{type: BandLimitedWhiteNoise, power: 0.3, sample_time: {TICK}}}
  sum: {{type: Sum, signs: "+-"}}
  g: {{type: Gain, k: {RATE}}}
  x: {{type: Integrator}}
wires: ["noise -> sum[0]", "g -> sum[1]", sum -> x -> g]
simulate: {{stop: 10.0, rtol: 1.0e-8, atol: 1.0e-10}}
""")
SECOND_ORDER = loads("""\
blockdyn: 1
parameters: {k: 4.0, d: 0.8}
blocks:
  v: {type: Integrator}
  x: {type: Integrator, initial: 1.0}
  f: {type: Expression, formula: "-k*x - d*v", coefficients: {k: =k, d: =d}}
wires: [v -> x, "x -> f.x", "v -> f.v", f -> v]
simulate: {stop: 1.0, rtol: 1.0e-9, atol: 1.0e-12}
""")


def measured(diagram: bd.Diagram, axes: dict[str, Any], number: int, **more: Any) -> Any:
    ensemble = bd.Sweep(diagram, axes, {"end": {"final": "x"}}, number=number, **more).run()
    assert not ensemble["failed"].any()
    return ensemble["end"]


def is_gaussian(sample: Any, mean: float, sd: float) -> None:
    """Mean by its normal distribution, variance by chi squared, shape by Kolmogorov and Smirnov."""
    n = len(sample)
    assert abs(sample.mean() - mean) < stats.norm.isf(RARE / 2) * sd / math.sqrt(n)
    ratio = (n - 1) * sample.var(ddof=1) / sd**2
    assert stats.chi2.ppf(RARE / 2, n - 1) < ratio < stats.chi2.isf(RARE / 2, n - 1)
    assert stats.kstest((sample - mean) / sd, "norm").pvalue > RARE


def test_a_gaussian_initial_state_decays_as_a_gaussian() -> None:
    """x(t) = x0 exp(-a t)."""
    ends = measured(DECAY, {"x.x": {"normal": {"mean": 2.0, "sd": 0.3}}}, 4000, seed=1)
    fall = math.exp(-0.8 * 1.5)
    is_gaussian(ends, 2.0 * fall, 0.3 * fall)


def test_a_gaussian_rate_gives_a_lognormal_end() -> None:
    """ln x(t) = ln x0 - a t."""
    ends = measured(DECAY, {"a": {"normal": {"mean": 0.8, "sd": 0.2}}}, 4000, seed=2)
    is_gaussian(np.log(ends), -0.8 * 1.5, 0.2 * 1.5)


def test_latin_hypercube_is_nearer_to_the_mean_than_chance() -> None:
    """One sample in each of n strata: the mean's error falls far below 1 / sqrt(n) (McKay et al., 1979)."""
    axes = {"x.x": {"normal": {"mean": 2.0, "sd": 0.3}}}
    ends = measured(DECAY, axes, 1000, seed=3, sampling="latin-hypercube")
    fall = math.exp(-0.8 * 1.5)
    assert abs(ends.mean() / fall - 2.0) < 0.1 * 0.3 / math.sqrt(1000)


def test_ornstein_uhlenbeck() -> None:
    """dx/dt = -a x + noise held over ticks of h: x_k+1 = e x_k + (1 - e)/a w_k, e = exp(-a h),
    var w = power / h, so that var x after n ticks is power/h ((1 - e)/a)^2 (1 - e^2n)/(1 - e^2).
    For h -> 0 and n -> infinity that is power / 2a.
    """
    ends = measured(
        ORNSTEIN_UHLENBECK, {"simulate.seed": [5], "x.x": {"normal": {"mean": 0, "sd": 1e-9}}}, 3000
    )
    e, ticks = math.exp(-RATE * TICK), round(10.0 / TICK)
    variance = 0.3 / TICK * ((1 - e) / RATE) ** 2 * (1 - e ** (2 * ticks)) / (1 - e * e)
    is_gaussian(ends, 0.0, math.sqrt(variance))
    assert variance == pytest.approx(0.3 / (2 * RATE), rel=1e-3)


def test_scenarios_have_noise_of_their_own_or_all_the_same() -> None:
    axes = {"x.x": [0.0, 0.0, 0.0]}
    declared = {"end": {"final": "x"}}
    own = bd.Sweep(ORNSTEIN_UHLENBECK, axes, declared, seed=4).run()["end"]
    common = bd.Sweep(ORNSTEIN_UHLENBECK, axes, declared, seed=4, common_random_numbers=True).run()["end"]
    assert len({*own.tolist()}) == 3
    assert len({*common.tolist()}) == 1


def test_correlated_parameters_at_first_order() -> None:
    """var f = g' C g with the gradient g of the end, by central differences, for small deviations C."""
    mean, spread = np.array([4.0, 0.8]), np.array([[4e-6, 1.2e-6], [1.2e-6, 1e-6]])

    def end(k: float, d: float) -> float:
        return float(SECOND_ORDER.simulate(parameters={"k": k, "d": d}).final("x"))

    h = 1e-4
    k, d = mean
    gradient = np.array([end(k + h, d) - end(k - h, d), end(k, d + h) - end(k, d - h)]) / (2 * h)
    both = {"paths": ["k", "d"], "gaussian": {"mean": mean.tolist(), "covariance": spread.tolist()}}
    ends = measured(SECOND_ORDER, {"both": both}, 4000, seed=6)
    is_gaussian(ends, end(k, d), math.sqrt(gradient @ spread @ gradient))
    alone = math.sqrt(gradient**2 @ np.diag(spread))
    assert abs(ends.std() / alone - 1) > 0.05  # the correlation is seen


def test_sobol_indices_of_ishigamis_function() -> None:
    """y = sin x1 + a sin^2 x2 + b x3^4 sin x1, x uniform in (-pi, pi), a = 7, b = 0.1.

    Indices: Saltelli et al., Global Sensitivity Analysis: The Primer (2008), section 4.5: with
    V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = 8 b^2 pi^8/225.
    """
    d = bd.Diagram("ishigami", {"x1": 0.0, "x2": 0.0, "x3": 0.0})
    for name in ("x1", "x2", "x3"):
        d.add(name, bd.Constant(bd.expression(name)))
    d.add("y", bd.Expression("sin(a) + 7 * sin(b)**2 + 0.1 * c**4 * sin(a)"))
    for name, port in (("x1", "a"), ("x2", "b"), ("x3", "c")):
        d.connect(name, f"y.{port}")
    axes = {name: {"uniform": {"low": -math.pi, "high": math.pi}} for name in ("x1", "x2", "x3")}
    sweep = bd.Sweep(
        d,
        axes,
        {"y": {"final": "y"}},
        number=2048,
        seed=7,
        sampling="saltelli",
        stop=1.0,
        method="rk4",
        step=1.0,
    )
    found = sweep.run().sensitivity("y", "sobol").to_frame()
    a, b = 7.0, 0.1
    v1, v2, v13 = (1 + b * math.pi**4 / 5) ** 2 / 2, a * a / 8, 8 * b * b * math.pi**8 / 225
    whole = v1 + v2 + v13
    expected = {"x1": (v1, v1 + v13), "x2": (v2, v2), "x3": (0.0, v13)}
    for name, (first, total) in expected.items():
        assert found["first"].to_dict()[name] == pytest.approx(first / whole, abs=0.02)
        assert found["total"].to_dict()[name] == pytest.approx(total / whole, abs=0.02)

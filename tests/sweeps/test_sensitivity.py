"""Sensitivities against functions whose indices are known, and against SciPy and SALib."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from blockdyn.sweeps.declare.design import Axis, Design, Group
from blockdyn.sweeps.declare.sampling import draw
from blockdyn.sweeps.errors import SweepError, UnknownPath
from blockdyn.sweeps.store.part import OUTCOMES

from .ensembles import ensemble, explicit, uniform

# Ishigami and Homma 1990, with a = 7 and b = 0.1: V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = 8 b^2 pi^8/225
FIRST = [0.3139, 0.4424, 0.0]
TOTAL = [0.5576, 0.4424, 0.2437]


def ishigami(axes: Any) -> Any:
    x1, x2, x3 = (np.asarray(axes[name]) for name in ("x1", "x2", "x3"))
    return np.sin(x1) + 7.0 * np.sin(x2) ** 2 + 0.1 * x3**4 * np.sin(x1)


def angles(number: int, sampling: str) -> Design:
    return Design((), uniform(-np.pi, np.pi, x1=None, x2=None, x3=None), number, 5, sampling)


def test_ishigami_by_saltellis_design() -> None:
    found = ensemble(angles(2048, "saltelli"), {"y": ishigami}).sensitivity("y", "sobol")
    assert found.names == ("x1", "x2", "x3")
    np.testing.assert_allclose(found.values["first"], FIRST, atol=0.02)
    np.testing.assert_allclose(found.values["total"], TOTAL, atol=0.02)
    assert np.all(np.abs(found.values["first"] - FIRST) < found.values["first_conf"] + 1e-3)
    assert np.all(np.abs(found.values["total"] - TOTAL) < found.values["total_conf"] + 1e-3)
    assert list(found.table().to_frame().factor) == ["x1", "x2", "x3"]


def test_ishigami_with_failures_leaves_their_base_points_out() -> None:
    failed = {k: (OUTCOMES.index("not finite"), "x") for k in range(0, 10240, 100)}
    found = ensemble(angles(2048, "saltelli"), {"y": ishigami}, failed=failed).sensitivity("y", "sobol")
    np.testing.assert_allclose(found.values["total"], TOTAL, atol=0.03)
    assert found.left_out == 103
    assert "base points with a failure left out" in found.method


@pytest.mark.parametrize("sampling", ["random", "latin-hypercube", "sobol"])
def test_ishigami_from_any_sample(sampling: str) -> None:
    found = ensemble(angles(4096, sampling), {"y": ishigami}).sensitivity("y", "sobol")
    np.testing.assert_allclose(found.values["first"], FIRST, atol=0.05)
    assert np.isnan(found.values["total"]).all()


def test_a_sum_over_a_grid_owes_each_axis_its_own_variance() -> None:
    design = Design(explicit(a=[0.0, 1.0, 2.0], b=[0.0, 3.0]))
    found = ensemble(design, {"y": lambda axes: axes["a"] + axes["b"]}).sensitivity("y", "sobol")
    shares = np.array([2.0 / 3.0, 9.0 / 4.0]) / (2.0 / 3.0 + 9.0 / 4.0)
    np.testing.assert_allclose(found.values["first"], shares, rtol=1e-14)
    np.testing.assert_allclose(found.values["total"], shares, rtol=1e-14)


def test_a_product_of_signs_is_interaction_alone() -> None:
    design = Design(explicit(a=[-1.0, 1.0], b=[-1.0, 1.0], c=[0.0, 5.0], kind=["soft", "stiff"]))
    found = ensemble(design, {"y": lambda axes: axes["a"] * axes["b"]}).sensitivity("y", "sobol")
    np.testing.assert_allclose(found.values["first"], 0.0, atol=1e-15)
    np.testing.assert_allclose(found.values["total"], [1.0, 1.0, 0.0, 0.0], atol=1e-15)


def test_a_grid_of_samples_shares_the_variance_out() -> None:
    design = Design(explicit(gain=[0.0, 1.0]), uniform(x1=None, x2=None), 4096, 3, "sobol")
    made = ensemble(design, {"y": lambda axes: axes["gain"] + 2.0 * axes["x1"] + 0.0 * axes["x2"]})
    found = made.sensitivity("y", "sobol")
    assert found.names == ("gain", "x1", "x2")
    parts = np.array([1.0 / 4.0, 4.0 / 12.0, 0.0])
    np.testing.assert_allclose(found.values["first"], parts / parts.sum(), atol=0.01)
    np.testing.assert_allclose(found.values["total"][0], 0.75 / 1.75, atol=0.01)


def test_explicit_axes_can_be_fixed() -> None:
    design = Design(explicit(gain=[0.0, 1.0]), uniform(x1=None, x2=None), 1024, 3, "saltelli")
    made = ensemble(design, {"y": lambda axes: axes["gain"] * axes["x1"] + (1.0 - axes["gain"]) * axes["x2"]})
    for gain, shares in ((0.0, [0.0, 1.0]), (1.0, [1.0, 0.0])):
        found = made.sensitivity("y", "sobol", at={"gain": gain})
        np.testing.assert_allclose(found.values["first"], shares, atol=1e-2)
    with pytest.raises(SweepError, match=r"choose one: at=\{'gain'"):
        made.sensitivity("y", "sobol")
    with pytest.raises(SweepError, match=r"it takes 0\.0, 1\.0"):
        made.sensitivity("y", at={"gain": 0.5})
    with pytest.raises(UnknownPath, match="the nearest are gain"):
        made.sensitivity("y", at={"gian": 0.0})


def test_rho_is_that_of_scipy() -> None:
    made = ensemble(angles(300, "random"), {"y": ishigami})
    found = made.sensitivity("y")
    for name, rho, low, high in zip(
        *(found.names, *(found.values[k] for k in ("rho", "rho_low", "rho_high")))
    ):
        assert rho == pytest.approx(spearmanr(made[name], made["y"]).statistic, abs=1e-14)
        assert low < rho < high


def test_prcc_is_the_correlation_of_what_the_other_axes_leave() -> None:
    made = ensemble(
        angles(300, "random"), {"y": lambda axes: axes["x1"] + 3.0 * axes["x2"] ** 3 + ishigami(axes)}
    )
    ranks = {name: rankdata(made[name]) for name in ("x1", "x2", "x3", "y")}

    def left(name: str, others: list[str]) -> NDArray[np.float64]:
        basis = np.column_stack([np.ones(300), *(ranks[other] for other in others)])
        return ranks[name] - basis @ np.linalg.lstsq(basis, ranks[name])[0]

    found = made.sensitivity("y")
    for name, prcc in zip(found.names, found.values["prcc"]):
        others = [other for other in found.names if other != name]
        assert prcc == pytest.approx(np.corrcoef(left(name, others), left("y", others))[0, 1], abs=1e-12)


def test_a_monotone_measure_has_correlation_one() -> None:
    made = ensemble(angles(50, "random"), {"y": lambda axes: -np.exp(axes["x2"])})
    found = made.sensitivity("y")
    assert found.values["rho"][1] == pytest.approx(-1.0, abs=1e-12)
    assert found.values["prcc"][1] == pytest.approx(-1.0, abs=1e-9)
    assert int(np.argmax(found.strength)) == 1


def test_intervals_hold_the_true_correlation_in_19_of_20_samples() -> None:
    held = 0
    for seed in range(400):
        design = Design((), uniform(x1=None, x2=None), 60, seed, "random")
        made = ensemble(design, {"y": lambda axes: axes["x2"] * 0.0 + np.random.default_rng(3).random(60)})
        found = made.sensitivity("y")
        held += int(np.count_nonzero((found.values["prcc_low"] < 0.0) & (found.values["prcc_high"] > 0.0)))
    assert 0.92 < held / 800 < 0.98


def test_zipped_axes_are_one_factor_and_columns_of_a_file_are_several() -> None:
    pair = tuple(
        Axis(name, (name,), "values", values) for name, values in (("kp", [1, 2, 4]), ("kd", [2, 4, 8]))
    )
    design = Design((Group("kp & kd", pair), *explicit(m=[1.0, 2.0, 3.0])))
    measures = {"y": lambda axes: np.asarray(axes["kp"]) + 0.1 * np.asarray(axes["m"])}
    found = ensemble(design, measures).sensitivity("y")
    assert found.names == ("kp & kd", "m")
    assert not np.isnan(found.values["prcc"]).any()

    columns = np.random.default_rng(0).normal(size=(3, 500))
    rows = tuple(Axis(f"c{i}", (f"p.c{i}",), "values", list(column)) for i, column in enumerate(columns))
    from_file = ensemble(Design((Group("file", rows),)), {"y": lambda axes: 2.0 * axes["c0"] + axes["c1"]})
    assert from_file.sensitivity("y").names == ("c0", "c1", "c2")
    np.testing.assert_allclose(from_file.sensitivity("y", "sobol").values["first"], [0.8, 0.2, 0.0], atol=0.1)


def test_saltellis_rows_differ_in_one_coordinate_at_a_time() -> None:
    points = draw(("a", "b", "c"), 64, 9).reshape(64, 5, 3)
    first, crossed, last = points[:, 0], points[:, 1:-1], points[:, -1]
    for j in range(3):
        np.testing.assert_array_equal(crossed[:, j, j], last[:, j])
        np.testing.assert_array_equal(np.delete(crossed[:, j], j, axis=1), np.delete(first, j, axis=1))
    both = np.hstack([first, last])
    np.testing.assert_array_equal(np.sort(np.floor(64 * both), axis=0), np.tile(np.arange(64.0)[:, None], 6))
    np.testing.assert_array_equal(points.reshape(-1, 3), draw(("a", "b", "c"), 64, 9))


def test_numpys_global_random_numbers_are_left_alone() -> None:
    np.random.seed(4)
    state = np.random.get_state()[1].copy()
    made = ensemble(angles(256, "saltelli"), {"y": ishigami})
    one, two = made.sensitivity("y", "sobol"), made.sensitivity("y", "sobol")
    np.testing.assert_array_equal(np.random.get_state()[1], state)
    for name, values in one.values.items():
        np.testing.assert_array_equal(values, two.values[name])


def test_what_cannot_be_told_is_said() -> None:
    made = ensemble(angles(100, "random"), {"y": ishigami, "flat": lambda axes: 1.0})
    with pytest.raises(SweepError, match="flat is the same everywhere"):
        made.sensitivity("flat")
    with pytest.raises(SweepError, match="kind: found 'morris'\nexpected: rank or sobol"):
        made.sensitivity("y", "morris")  # type: ignore[arg-type]
    with pytest.raises(UnknownPath, match="no measure 'z'"):
        made.sensitivity("z")
    with pytest.raises(SweepError, match="no axis takes more than one value"):
        ensemble(Design(explicit(a=[1.0])), {"y": lambda axes: 1.0}).sensitivity("y")
    texts = ensemble(Design(explicit(a=[f"arm{i}" for i in range(9)])), {"y": lambda axes: np.arange(9.0)})
    with pytest.raises(SweepError, match="ranks need numbers"):
        texts.sensitivity("y")

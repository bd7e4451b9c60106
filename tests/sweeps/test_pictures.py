"""Pictures of an ensemble show the numbers that they are made of, and say what they leave out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from scipy.stats import norm

from blockdyn.diagrams.results.errors import ResultFileError
from blockdyn.plots.ensembles.marks import quantiles
from blockdyn.sweeps.declare.design import Axis, Design
from blockdyn.sweeps.errors import SweepError, UnknownPath

from .ensembles import TIMES, ensemble, explicit
from .pictured import PICTURES, decays, grid, sampled


def texts(figure: Figure) -> str:
    figure.canvas.draw()
    title = figure._suptitle.get_text() if figure._suptitle else ""  # type: ignore[attr-defined]
    axes = [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel())]
    return " ".join([title, *axes])


def test_the_envelope_holds_nine_tenths_of_the_runs_at_every_instant() -> None:
    made = sampled()
    (axes,) = made.plot.envelope("plant.y").axes
    good = made.gathered.succeeded
    runs = decays({"rate": made["rate"][good]})
    np.testing.assert_allclose(axes.lines[0].get_ydata(), np.median(runs, axis=0), rtol=1e-12)
    outer, inner = (c.get_paths()[0].vertices for c in axes.collections if isinstance(c, PolyCollection))
    for band, level in ((outer, 0.05), (inner, 0.25)):
        assert band[:, 1].min() == pytest.approx(np.quantile(runs[:, -1], level))
        at_half = band[np.isclose(band[:, 0], TIMES[10]), 1]
        np.testing.assert_allclose(
            [at_half.min(), at_half.max()], np.quantile(runs[:, 10], [level, 1.0 - level]), rtol=1e-12
        )
    assert "2 of 200 scenarios failed" in texts(axes.figure)  # type: ignore[arg-type]
    assert axes.get_ylabel() == "plant.y (rad)"


def test_quantiles_leave_out_what_has_ended() -> None:
    values = np.random.default_rng(1).normal(size=(37, 5, 2))
    values[5:, 4] = np.nan
    values[:30, 2, 1] = np.nan
    levels = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
    np.testing.assert_allclose(quantiles(values, levels), np.nanquantile(values, levels, axis=0), rtol=1e-13)
    assert np.isnan(quantiles(np.full((3, 1), np.nan), levels)).all()


def test_the_worst_scenario_is_drawn_where_asked() -> None:
    made = sampled()
    (axes,) = made.plot.envelope("plant.y", worst="final").axes
    slowest = np.flatnonzero(made.gathered.succeeded)[np.argmin(made["rate"][made.gathered.succeeded])]
    np.testing.assert_allclose(axes.lines[1].get_ydata(), np.exp(-made["rate"][slowest] * TIMES))


def test_elements_of_vectors() -> None:
    def pair(axes: Any) -> Any:
        return np.stack([decays(axes), -decays(axes)], axis=2)

    made = sampled(kept={"plant.q": pair})
    assert [axes.get_ylabel() for axes in made.plot.envelope("plant.q").axes] == ["plant.q[0]", "plant.q[1]"]
    (axes,) = made.plot.envelope("plant.q[1]").axes
    assert max(axes.lines[0].get_ydata()) < 0.0
    (by_block,) = made.plot.envelope("plant[1]").axes
    assert by_block.get_ylabel() == "plant.q[1]"
    for name in ("plant.q[2]", "plant.q[0,1]", "plant.z"):
        with pytest.raises(UnknownPath, match="no kept signal"):
            made.plot.envelope(name)


def test_the_histogram_counts_every_scenario() -> None:
    made = sampled()
    (axes,) = made.plot.histogram("final").axes
    assert sum(bar.get_height() for bar in axes.patches) == 198  # type: ignore[attr-defined]


def test_values_far_outside_are_counted_in_words() -> None:
    values = np.append(np.linspace(0.0, 1.0, 199), 1e9)
    made = sampled(failed={})
    odd = ensemble(made.design, {"y": lambda axes: values})
    (axes,) = odd.plot.histogram("y").axes
    assert axes.get_xlim()[1] < 2.0
    assert "1 beyond the axis" in axes.get_title(loc="right")


def test_the_distribution_of_normal_numbers() -> None:
    axes = (Axis("z", ("z",), "normal", {"mean": 0.0, "sd": 1.0}),)
    made = ensemble(Design((), axes, 1000, 1, "latin-hypercube"), {"y": lambda values: values["z"]})
    (drawn,) = made.plot.distribution("y").axes
    x, share = drawn.lines[0].get_data()
    np.testing.assert_allclose(np.asarray(share)[1:], norm.cdf(np.asarray(x, dtype=float)[1:]), atol=2e-3)


def test_the_heat_map_has_a_cell_for_every_pair() -> None:
    made = grid()
    axes = made.plot.heat("y", "kp", "kd").axes[0]
    (mesh,) = (c for c in axes.collections if isinstance(c, QuadMesh))
    cells = np.ma.filled(mesh.get_array(), np.nan).reshape(4, 3)
    expected = np.array([1.0, 10.0, 100.0]) + np.array([[0.0], [0.5], [1.0], [1.5]])
    expected[:2, 0] = np.nan
    np.testing.assert_allclose(cells, expected)
    assert axes.get_xscale() == "log"
    assert len(axes.texts) == 10


@pytest.mark.parametrize(
    ("lowest", "colors", "scale"),
    [
        (1e-8, None, Normalize),  # 0 but for the tolerance of the run
        (1e-3, None, LogNorm),
        (1e-3, "linear", Normalize),
        (1e-8, "logarithmic", LogNorm),
        (-1.0, None, Normalize),
    ],
)
def test_colours_are_linear_where_values_are_nearly_zero(lowest, colors, scale) -> None:
    values = np.array([lowest, 0.1, 0.2, 1.0])
    made = ensemble(Design(explicit(a=[1.0, 2.0], b=[1.0, 2.0])), {"y": lambda axes: values})
    axes = made.plot.heat("y", "a", "b", colors=colors).axes[0]
    (mesh,) = (c for c in axes.collections if isinstance(c, QuadMesh))
    assert type(mesh.norm) is scale


def test_logarithmic_colours_of_negative_values_are_refused() -> None:
    made = ensemble(Design(explicit(a=[1.0, 2.0], b=[1.0])), {"y": lambda axes: np.array([-1.0, 1.0])})
    with pytest.raises(SweepError, match='colors="logarithmic", and the least value is -1'):
        made.plot.heat("y", "a", "b", colors="logarithmic")


def test_values_at_uneven_distances_get_cells_of_one_width() -> None:
    holds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.5]
    made = ensemble(Design(explicit(a=holds, b=[1.0, 2.0, 4.0])), {"y": lambda axes: np.asarray(axes["a"])})
    axes = made.plot.heat("y", "a", "b").axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == [f"{hold:g}" for hold in holds]
    assert np.ptp(np.diff([text.get_position()[0] for text in axes.texts[:6]])) == 0.0
    assert [text.get_text() for text in axes.texts[:6]] == [f"{hold:.3g}" for hold in holds]


def test_failures_make_a_stability_map() -> None:
    axes = grid().plot.heat("failed", "kp", "kd").axes[0]
    (mesh,) = (c for c in axes.collections if isinstance(c, QuadMesh))
    cells = np.asarray(mesh.get_array()).reshape(4, 3)
    assert cells.sum() == 2.0
    assert (cells[:2, 0] == 1.0).all()


@pytest.mark.parametrize("reduce", ["mean", "max", "min"])
def test_scenarios_that_share_a_cell_are_reduced(reduce: str) -> None:
    design = Design(explicit(a=[1.0, 2.0], b=["x", "y"], c=[0.0, 1.0, 5.0]))
    made = ensemble(design, {"y": lambda axes: np.asarray(axes["a"]) * np.asarray(axes["c"])})
    (mesh,) = (
        c for c in made.plot.heat("y", "a", "b", reduce=reduce).axes[0].collections if isinstance(c, QuadMesh)
    )  # type: ignore[arg-type]
    value = {"mean": 2.0, "max": 5.0, "min": 0.0}[reduce]
    np.testing.assert_allclose(np.asarray(mesh.get_array()).reshape(2, 2), [[value, 2.0 * value]] * 2)
    fixed = made.plot.heat("y", "a", "b", at={"c": 5.0})
    assert "c = 5.0" in texts(fixed)


def test_sampled_axes_fall_into_bins() -> None:
    figure = sampled().plot.heat("final", "rate", "mass")
    (mesh,) = (c for c in figure.axes[0].collections if isinstance(c, QuadMesh))
    cells = np.ma.filled(mesh.get_array(), np.nan)
    columns = np.nanmean(cells, axis=0)
    assert np.all(np.diff(columns) < 0.0)  # e^(-2 rate) falls with the rate


def test_the_tornado_is_ordered() -> None:
    axes = sampled().plot.tornado("final").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["mass", "rate"]
    widths = [bar.get_width() for bar in axes.patches]  # type: ignore[attr-defined]
    assert abs(widths[0]) < 0.2
    assert widths[1] < -0.99
    shares = sampled().plot.tornado("final", "sobol")
    assert "Sobol index of final" in texts(shares)


def test_passing_and_failing_scenarios_are_counted() -> None:
    made = sampled()
    limits = {"final": 0.05, "mean $x_1$": [1.8, 9.0]}
    axes = made.plot.scatter("rate", "mass", passed=limits).axes[0]
    good = made.gathered.succeeded & (made["final"] <= 0.05) & (made["rate"] >= 1.8)
    dots, crosses = (c for c in axes.collections if isinstance(c, PathCollection))
    assert (len(dots.get_offsets()), len(crosses.get_offsets())) == (good.sum(), 200 - good.sum())
    given = made.plot.scatter("rate", "final", passed=np.arange(200) < 50).axes[0]
    assert len(given.collections[0].get_offsets()) == 50
    with pytest.raises(SweepError, match="expected 200 truth values"):
        made.plot.scatter("rate", "mass", passed=[True])
    with pytest.raises(SweepError, match=r"or \[low, high\]"):
        made.plot.scatter("rate", "mass", passed={"final": [1.0, 2.0, 3.0]})


def test_parallel_coordinates_have_a_line_a_scenario() -> None:
    axes = sampled().plot.parallel().axes[0]
    good, failed = axes.collections
    assert (len(good.get_paths()), len(failed.get_paths())) == (198, 2)
    names = [label.get_text().replace("\n", "") for label in axes.get_xticklabels()]
    assert names == ["rate", "mass", "final (m)", "mean $x_1$ (m)"]


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_pictures_are_written_whole(tmp_path: Path, suffix: str) -> None:
    made = sampled()
    for name, arguments in PICTURES.items() if suffix == ".png" else [("heat", PICTURES["heat"])]:
        file = tmp_path / f"{name}{suffix}"
        getattr(made.plot, name)(*arguments, file=file)
        assert file.stat().st_size > 2000
    with pytest.raises(ResultFileError, match="make the folder first"):
        made.plot.histogram("final", file=tmp_path / "none" / f"x{suffix}")


def test_no_window_toolkit_is_asked_for() -> None:
    code = (
        "import sys, blockdyn.sweeps.answer.ensemble\n"
        "assert not {'matplotlib', 'xarray', 'pandas', 'scipy', 'SALib'} & set(sys.modules), 'early'\n"
        "import blockdyn.plots.ensembles.parallel, blockdyn.plots.ensembles.tornado\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

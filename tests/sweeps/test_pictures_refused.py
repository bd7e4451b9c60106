"""Pictures of ensembles at the edge, and of names that are none: drawn, or refused in words."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.declare.design import Axis, Design, Group
from blockdyn.sweeps.errors import SweepError, UnknownPath

from .ensembles import Named, ensemble, uniform
from .pictured import BAD, PICTURES, decays, grid, sampled


def odd_ones() -> dict[str, Ensemble]:
    """Ensembles at the edge: one run, constants, all failed, none run, infinite values, text axes."""
    made = sampled()
    alone = Design((), uniform(1.0, 3.0, rate=None, mass=None), 1, 2, "random")
    signal = {"plant.y": decays}
    y: dict[str, Any] = {"final": lambda axes: axes["rate"], "mean $x_1$": lambda axes: axes["mass"]}
    flat: dict[str, Any] = {"final": lambda axes: 2.0, "mean $x_1$": lambda axes: 0.0}
    infinite: dict[str, Any] = {"final": lambda axes: np.where(axes["rate"] > 2.0, np.inf, 1.0)}
    infinite["mean $x_1$"] = lambda axes: np.where(axes["rate"] > 2.0, np.nan, -np.inf)
    rates = Axis("rate", ("rate",), "values", [1.0, 2.0])
    kinds = Axis("mass", ("mass",), "values", ["soft _arm", "$stiff"])
    named = Design((Group("rate", (rates,)), Group("mass", (kinds,))))
    of_names: dict[str, Any] = {"final": lambda axes: axes["rate"], "mean $x_1$": lambda axes: axes["rate"]}
    return {
        "one run": ensemble(alone, y, kept=signal),
        "constant": ensemble(made.design, flat, kept=signal),
        "all failed": ensemble(made.design, y, kept=signal, failed=dict.fromkeys(range(200), BAD)),
        "none run": Ensemble(made.design, Named(("final", "mean $x_1$"), ("m", "m")), []),
        "infinite": ensemble(made.design, infinite, kept=signal),
        "texts": ensemble(named, of_names, kept=signal),
    }


@pytest.mark.parametrize("which", ["one run", "constant", "all failed", "none run", "infinite", "texts"])
@pytest.mark.parametrize("picture", list(PICTURES))
def test_odd_ensembles_are_drawn_or_refused_in_words(which: str, picture: str) -> None:
    made = odd_ones()[which]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            figure = getattr(made.plot, picture)(*PICTURES[picture])
        except SweepError as reason:
            assert which != "texts" or picture == "tornado", reason  # noqa: PT017
            assert len(str(reason)) > 30  # noqa: PT017
        else:
            figure.canvas.draw()


def test_a_tornado_of_another_kind_is_refused() -> None:
    with pytest.raises(SweepError, match="found 'sobl'\nexpected: rank or sobol"):
        sampled().plot.tornado("final", "sobl")  # type: ignore[arg-type]


def test_unkninternal_names_are_refused() -> None:
    made = sampled()
    for draw in (
        lambda: made.plot.histogram("finl"),
        lambda: made.plot.heat("finl", "rate", "mass"),
        lambda: made.plot.heat("final", "rat", "mass"),
        lambda: made.plot.scatter("rate", "mas"),
        lambda: made.plot.parallel("finl"),
        lambda: made.plot.tornado("finl"),
        lambda: made.plot.envelope("plant.y", worst="finl"),
        lambda: made.plot.envelope("plant.x"),
    ):
        with pytest.raises(UnknownPath, match="the nearest are"):
            draw()
    with pytest.raises(SweepError, match="no signals were kept"):
        grid().plot.envelope("plant.y")

"""Terminator: any signal may end in it, and the run is the same."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


@pytest.mark.parametrize("value", [1.0, [1.0, 2.0], [[1.0, 2.0]]])
def test_ends_any_signal(value: object) -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=value))  # type: ignore[arg-type]
    d.add("x", bd.Integrator())
    d.add("end", bd.Terminator())
    d.connect("u", "x", "end")
    assert np.allclose(d.simulate(stop=2.0).final("x"), 2.0 * np.asarray(value), atol=1e-14)

"""Programs that others wrote for bdsim: they end here in the states in which they end there.

`bdsim_states.json` holds these: states and the states of clocks at the end, of bdsim 1.4.0 with SciPy's
DOP853 (Radau for the program that asks for BDF) at rtol 1e-10, atol 1e-12.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.interop.bdsim import from_bdsim

from .programs import FOLDER, PRECISE, runs_of

STATES = json.loads((Path(__file__).parent / "bdsim_states.json").read_text())
# A search for the nearest of many points jumps where no solver sees it coming, which takes very short steps.
COARSE = {"RVC3/drivepursuit.py": 1e-4, "examples/RVC2/rvc4_8.py": 1e-4}

shared = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"needs bdsim's programs in {FOLDER}, or in the folder that BLOCKDYN_BDSIM_PROGRAMS names",
)


@shared
@pytest.mark.parametrize("name", STATES)
def test_a_program_ends_as_in_bdsim(name: str, sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (run,) = runs_of(FOLDER / name, monkeypatch)
    options = {"rtol": 1e-7} if name in COARSE else PRECISE
    out = from_bdsim(run.diagram).simulate(run.T, solver_args=options, watch=run.options.get("watch", ()))
    expected = STATES[name]
    tolerance = COARSE.get(name, 1e-8)
    if "x" in expected:
        np.testing.assert_allclose(out.x[-1], expected["x"], rtol=tolerance, atol=tolerance)
        assert abs(out.t[-1] - expected["t"]) < 1e-6
    for number, state in enumerate(expected.get("clocks", ())):
        np.testing.assert_allclose(out[f"clock{number}"].X[-1], state, rtol=1e-8, atol=1e-8)


@shared
def test_a_subsystem_stands_twice_in_a_diagram(sim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """bdsim 1.4.0 does not build it: both have the name of the subsystem."""
    (run,) = runs_of(FOLDER / "examples" / "subsys.py", monkeypatch)
    out = from_bdsim(run.diagram).simulate(0.3, watch=["subsystem1", "subsystem1_1"])
    np.testing.assert_allclose(out.y[-1], np.sin(0.6 * np.pi) ** 2 + 1.0, rtol=1e-12)

"""Programs written for bdsim, run with the BDSim here: what their `run` gave, and with which arguments."""

from __future__ import annotations

import os
import runpy
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SHARED = Path(__file__).parents[2].parent / "shared" / "bdsim"
FOLDER = Path(os.environ.get("BLOCKDYN_BDSIM_PROGRAMS", SHARED))
TOOLBOX = "roboticstoolbox", "BICYCLE", "MULTIROTOR", "spatialmath"
PRECISE = {"rtol": 1e-10, "atol": 1e-12}


@dataclass
class Run:
    """A `sim.run` of a program."""

    diagram: Any
    T: float
    dt: float | None
    options: dict[str, Any]


def runs_of(program: Path, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs that a program asks for, none of them made; skips what is not installed here."""
    text = program.read_text()
    if any(word in text for word in TOOLBOX) and find_spec("roboticstoolbox") is None:
        pytest.skip("needs roboticstoolbox: pip install roboticstoolbox-python")
    from blockdyn.interop.bdsim import BDSim

    runs: list[Run] = []

    class Recorded(BDSim):  # type: ignore[misc,valid-type]
        def run(self, bd: Any, T: float = 5.0, dt: float | None = None, **options: Any) -> dict[str, Any]:
            runs.append(Run(bd, T, dt, options))
            return {}

    monkeypatch.setattr("bdsim.BDSim", Recorded)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.syspath_prepend(str(program.parent))
    if "RVC3.models" in text:
        models = ModuleType("RVC3.models")
        models.quad_model = import_module("quad_model")  # type: ignore[attr-defined]
        for name, module in (("RVC3", ModuleType("RVC3")), ("RVC3.models", models)):
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setitem(sys.modules, "RVC3.models.quad_model", models.quad_model)
    runpy.run_path(str(program), run_name="__main__")
    return runs

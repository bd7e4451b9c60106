"""BLOCKDYN: bdsim finds it by its own discovery, and runs blocks of the library; so does from_bdsim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest


def test_bdsim_finds_and_runs_blocks_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    bdsim = pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    from blockdyn.interop.bdsim import from_bdsim

    monkeypatch.setenv("BDSIMPATH", "blockdyn_bdsim")
    monkeypatch.setattr(bdsim.BDSim, "_blocklibrary", None)
    monkeypatch.setattr(bdsim.BDSim, "_moduledicts", None, raising=False)
    sim = bdsim.BDSim(graphics=False, sysargs=False, progress=False, quiet=True, toolboxes=False)
    bd = sim.blockdiagram()
    wave = bd.WAVEFORM("sine", freq=1.0, unit="rad/s", name="wave")
    zone = bd.BLOCKDYN("DeadZone", {"lower": -0.5, "upper": 0.5}, name="zone")
    lag = bd.BLOCKDYN("TransferFunction", {"num": [1.0], "den": [1.0, 1.0], "initial": [2.0]}, name="lag")
    zero = bd.BLOCKDYN("Constant", {"value": 0.0}, name="zero")
    area = bd.INTEGRATOR(name="area")
    bd.connect(wave, zone)
    bd.connect(zone, area)
    bd.connect(zero, lag)
    bd.compile()
    # the sine is over 1/2 from pi/6 to 5 pi/6
    expected = [2.0 * math.exp(-3.0), math.sqrt(3.0) - math.pi / 3]
    precise: dict[str, Any] = {"watch": [zone], "solver_args": {"rtol": 1e-9, "atol": 1e-11}}
    there = sim.run(bd, T=3.0, **precise)
    here = from_bdsim(bd).simulate(3.0, **precise)
    np.testing.assert_allclose(here.x[-1], expected, rtol=1e-8)
    np.testing.assert_allclose(there.x[-1], expected, rtol=1e-6)
    assert there.y[-1, 0] == here.y[-1, 0] == 0.0
    assert from_bdsim(bd).opaque(3.0) == ()

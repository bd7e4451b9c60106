"""What tests of bdsim's diagrams need: bdsim, quiet."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def sim() -> Any:
    """bdsim's session, whose runs are runs here."""
    pytest.importorskip("bdsim", reason='needs bdsim: pip install "blockdyn[bdsim]"')
    from blockdyn.interop.bdsim import BDSim

    return BDSim()

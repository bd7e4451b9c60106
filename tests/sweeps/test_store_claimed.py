"""A store is written by one sweep at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.sweeps.errors import StoreError
from blockdyn.sweeps.store.folder import claim_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")


def sweep() -> bd.Sweep:
    d = bd.Diagram("lag")
    d.connect(d.add("rate", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    return bd.Sweep(d, axes={"rate.value": [1.0, 2.0]}, measures={"end": {"final": "x.y"}}, stop=1.0)


@pytest.mark.parametrize("begun", [False, True])
def test_two_sweeps_do_not_share_a_store(tmp_path: Path, begun: bool) -> None:
    store = tmp_path / "s.zarr"
    if begun:
        sweep().run(store=store)
    with claim_folder(store), pytest.raises(StoreError, match="another sweep"):
        sweep().run(store=store, resume=begun)
    assert sweep().run(store=store, resume=begun)["end"].tolist() == pytest.approx([1.0, 2.0])

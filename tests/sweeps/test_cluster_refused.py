"""What is refused or said without a cluster, and the errors that travel."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import pytest

from blockdyn.sweeps.errors import ClusterError, SweepError
from blockdyn.sweeps.execute import cluster, cluster_worker
from blockdyn.sweeps.execute.cluster import run_on

from .clustered import RANGES, task


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTING", 1.0)
    with pytest.raises(ClusterError, match=r"no Dask scheduler at tcp://127.0.0.1:9(.*\n)+.*dask scheduler"):
        run_on("tcp://127.0.0.1:9", task(), RANGES, None, print)


def test_without_dask_the_line_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match=r'pip install "blockdyn\[cluster\]"'):
        run_on("tcp://127.0.0.1:9", task(), RANGES, None, print)


def test_another_python_is_refused_by_what_dask_tells() -> None:
    """Workers of another Python cannot run code from here, so they are not asked for more."""
    own = cluster_worker.own_versions()

    class Other:
        def get_versions(self, check: bool) -> dict[str, Any]:
            packages = {name: own[name] for name in ("dask", "distributed", "cloudpickle")}
            told = {"packages": {"python": "3.9.2.final.0", **packages}}
            return {"scheduler": told, "workers": {"tcp://1": told, "tcp://2": None}, "client": None}

    with pytest.raises(
        ClusterError, match=r"python: 3\.1\d here, 3\.9 on scheduler\n.*3\.9 on tcp://1\n.*install"
    ):
        cluster_worker.refuse_mixed(Other(), own)


def test_nothing_to_run_asks_no_cluster() -> None:
    run_on("tcp://127.0.0.1:9", task(), [], None, pytest.fail)


def test_errors_travel_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(ClusterError("what", "to do")))
    assert str(error) == "what\nto do"

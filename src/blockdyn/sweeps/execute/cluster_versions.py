"""Versions on a cluster: client, scheduler and workers agree, so that numbers are the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ClusterError
from .cluster_remote import asking

PACKAGES = ("blockdyn", "numpy", "scipy", "numba", "llvmlite", "dask", "distributed", "cloudpickle")
SCHEDULING = ("dask", "distributed", "cloudpickle")  # what a scheduler needs: it runs no scenario
MOST = 6  # disagreements that an error shows

Versions = Mapping[str, str | None]


def own_versions() -> dict[str, str | None]:
    """Those of this process."""
    return asking()(PACKAGES)


def refuse_others(local: Versions, remote: Mapping[str, Versions]) -> None:
    """Raise ClusterError, naming package and both versions, where one of the processes `there` differs."""
    lines = [line for place, versions in remote.items() for line in disagreements(local, place, versions)]
    if not lines:
        return
    more = f"  and {len(lines) - MOST} more" if len(lines) > MOST else ""
    raise ClusterError(
        "the cluster has other packages than this process:",
        *(f"  {line}" for line in lines[:MOST]),
        more,
        "install the same versions everywhere (pip freeze here, pip install there), and start workers anew",
    )


def disagreements(local: Versions, place: str, remote: Versions) -> list[str]:
    """A line for each package said there whose version is another one than here."""
    return [
        f"{name}: {local[name] or 'not installed'} here, {remote[name] or 'not installed'} on {place}"
        for name in local
        if name in remote and local[name] != remote[name]
    ]


def refuse_mixed(client: Any, local: Versions) -> None:
    """Ask the scheduler and every worker, and raise ClusterError where one differs.

    First what Dask itself tells: code does not travel between versions of Python.
    """
    reported = client.get_versions(check=False)
    places = {"scheduler": reported["scheduler"], **reported["workers"]}
    refuse_others(local, {place: _dask_versions(facts) for place, facts in places.items() if facts})
    refuse_others(local, client.run(asking(), PACKAGES))


def _dask_versions(facts: Mapping[str, Any]) -> Versions:
    packages = facts["packages"]
    python = ".".join(packages["python"].split(".")[:2])
    return {"python": python, **{name: packages[name] for name in SCHEDULING if name in packages}}

"""Extras are packages that pip installs with blockdyn on request; a missing one is named with its remedy."""

from __future__ import annotations

from importlib.util import find_spec

EXTRA = {
    "pyarrow": "parquet",
    "pyulog": "logs",
    "rosbags": "logs",
    "zarr": "zarr",
    "SALib": "sensitivity",
    "control": "control",
    "sympy": "symbolic",
    "cma": "tune",
    "distributed": "cluster",
    "bdsim": "bdsim",
    "websockets": "live",
    "anywidget": "live",
    "py_mini_racer": "drawing",
    "mcp": "mcp",
    "ziglang": "objects",
    "sphinx": "docs",
}


def remedy(package: str) -> str:
    """The command that installs a package of an extra; empty where it is installed."""
    return "" if find_spec(package) is not None else f'pip install "blockdyn[{EXTRA[package]}]"'

"""Needed: bdsim itself, which is an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...base.errors import BlockdynError
from ...base.extras import remedy


class MissingPackage(BlockdynError, ImportError):
    """bdsim is not installed."""


def needed(module: str = "bdsim") -> Any:
    """A module of bdsim, or bdsim itself. Raises MissingPackage."""
    if remedy("bdsim"):
        raise MissingPackage(f"this needs the package bdsim\n{remedy('bdsim')}")
    return import_module(module)

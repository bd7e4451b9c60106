"""Functions sent to a cluster as code, not by name: its scheduler needs no blockdyn to pass them on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def calling(module: str) -> Callable[..., Any]:
    """A function that calls another one of a module, by name, on the remote machine."""

    def call(name: str, *values: Any) -> Any:
        import importlib

        return getattr(importlib.import_module(module), name)(*values)

    return call


def returning() -> Callable[[bytes], bytes]:
    """A function that returns its argument."""

    def same(data: bytes) -> bytes:
        return data

    return same


def asking() -> Callable[[tuple[str, ...]], dict[str, str | None]]:
    """A function that returns the versions of Python and packages on its machine; None for absent ones."""

    def versions(packages: tuple[str, ...]) -> dict[str, str | None]:
        import importlib.metadata
        import sys

        versions: dict[str, str | None] = {"python": ".".join(str(n) for n in sys.version_info[:2])}
        for name in packages:
            try:
                versions[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                versions[name] = None
        try:
            versions["blockdyn"] = importlib.import_module(
                "blockdyn"
            ).__version__  # also if nothing is installed
        except ImportError:
            versions["blockdyn"] = None
        return versions

    return versions

"""BDSim: bdsim's own, whose `run` runs here, its results, and the Robotics Toolbox' blocks that it finds."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import Any

from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...diagrams.results.result import Result
from .imported import from_bdsim


class MissingPackage(BlockdynError, ImportError):
    """bdsim is not installed."""


def needed(module: str = "bdsim") -> Any:
    """A module of bdsim, or bdsim itself. Raises MissingPackage."""
    if remedy("bdsim"):
        raise MissingPackage(f"this needs the package bdsim\n{remedy('bdsim')}")
    return import_module(module)


TOOLBOX = "roboticstoolbox"
ROOMS = ("arm", "mobile", "spatial", "uav")
QUIET = {
    "graphics": False, "animation": False, "progress": False, "sysargs": False, "toolboxes": False,
    "quiet": True,
}  # fmt: skip


class BDSim(needed().BDSim):  # type: ignore[misc]
    """A BDSim for programs that are to stay as they are: `run` is `from_bdsim(bd).simulate`.

    It draws nothing, and reads no arguments of the command line. bdsim 1.4.0 cannot scan roboticstoolbox
    1.5.0, whose blocks are therefore bound here, one by one, where it is installed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**(options | QUIET))

    def blockdiagram(self, name: str = "main") -> Any:
        diagram = super().blockdiagram(name=name)
        for kind in toolbox_blocks():
            setattr(diagram, kind.__name__.upper(), _factory(kind, diagram))
        plain = diagram.SUBSYSTEM

        def subsystem(subsys: Any = None, **options: Any) -> Any:
            """A subsystem without a name that stands in the diagram already gets a number."""
            stem = getattr(subsys, "name", "")
            if "name" not in options and stem in diagram.blocknames:
                number = next(k for k in count(1) if f"{stem}_{k}" not in diagram.blocknames)
                options["name"] = f"{stem}_{number}"
            return plain(subsys, **options)

        diagram.SUBSYSTEM = subsystem
        return diagram

    def run(
        self, bd: Any, T: float = 5.0, dt: float | None = None, max_step: float | None = None, **options: Any
    ) -> Any:
        bdsim_names = ("solver", "solver_args", "watch")
        chosen = {name: value for name, value in options.items() if name in bdsim_names and value is not None}
        return from_bdsim(bd).simulate(T, dt, max_step=max_step, **chosen)

    def report(self, bd: Any, *args: Any, **options: Any) -> None:
        """Nothing: this BDSim is quiet."""


def toolbox_blocks() -> list[Any]:
    """The block classes of the Robotics Toolbox; none where it is not installed."""
    if find_spec(TOOLBOX) is None:
        return []
    modules = [importlib.import_module(f"{TOOLBOX}.blocks.{room}") for room in ROOMS]
    return [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]


def _factory(kind: Any, diagram: Any) -> Any:
    def make(*args: Any, **options: Any) -> Any:
        return kind(*args, bd=diagram, **options)

    return make


class LazyStruct(needed("bdsim.components").BDStruct):  # type: ignore[misc]
    """A BDStruct whose entries are computed from a Result, `result`, on first use."""

    def __init__(self, name: str, result: Result, fill: Callable[[], dict[str, Any]]) -> None:
        self._name, self._result, self._fill = name, result, fill

    @cached_property
    def data(self) -> dict[str, Any]:
        return self._fill()

    @property
    def result(self) -> Result:
        """The Result of the run."""
        return self._result

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self._name, self._result, dict(self.data))


def restore(name: str, result: Result, data: dict[str, Any]) -> LazyStruct:
    return LazyStruct(name, result, data.copy)

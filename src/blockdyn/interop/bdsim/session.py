"""A BDSim whose `run` runs here, with bdsim's results; it also reads bdedit's .bd files."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any

from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...base.words import nearest
from ...diagrams.model.diagram import Diagram
from ...diagrams.results.result import Result
from .files import BadDiagramFile, UnreadableValue, as_written, drawing, value_of, wires_of
from .imported import ImportedDiagram, from_bdsim


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
    """A BDSim for existing programs: `run` is `from_bdsim(bd).simulate`.

    It draws nothing, and reads no arguments of the command line. bdsim 1.4.0 cannot scan roboticstoolbox
    1.5.0, whose blocks are therefore bound here, one by one, if it is installed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**(options | QUIET))

    def blockdiagram(self, name: str = "main") -> Any:
        diagram = super().blockdiagram(name=name)
        for kind in toolbox_blocks():
            setattr(diagram, kind.__name__.upper(), _factory(kind, diagram))
        plain = diagram.SUBSYSTEM

        def subsystem(subsys: Any = None, **options: Any) -> Any:
            """A subsystem without a name gets a number if its default name is taken."""
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
    """The block classes of the Robotics Toolbox; none if it is not installed."""
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


WORD = re.compile(r"[^\W\d]\w*")
DISPLAYS = (
    "SCOPE", "SCOPEXY", "SCOPEXY1", "ARMPLOT", "VEHICLEPLOT", "MULTIROTORPLOT", "PRINT", "ANIMATION",
)  # fmt: skip
RENAMED = {
    "FUNCTION": {"args": "fargs", "kwargs": "fkwargs"},
    "BICYCLE": {"l": "L", "vlim": "speed_max", "slim": "steer_max"},
    "MULTIROTORMIXER": {"maxw": "wmax", "minw": "wmin", "nrotors": ""},
    "INPORT": {"outlabels": "onames"}, "OUTPORT": {"inlabels": "inames"},
}  # fmt: skip
"""What older versions of bdsim and the toolbox called arguments; an empty name is no argument any more."""


def load_bd(path: str | PathLike[str], values: Mapping[str, Any] | None = None) -> ImportedDiagram:
    """The diagram of a .bd file of bdedit.

    `values` are the meanings of names in the file: numbers, arrays, functions, robots, clocks
    (`Clock(50, "Hz")` of bdsim), as bdsim's `bdload` takes them from `globalvars`. Texts are literals,
    arithmetic, names of `values` and their attributes, and functions of math and numpy such as sqrt and
    array; a lambda becomes a formula of numbers. Nothing is executed.

    Raises BadDiagramFile, which names block and field.
    """
    name = str(path)
    model = drawing(name)
    diagram = BDSim().blockdiagram()
    wires = wires_of(name, model)
    ends = _Ends(name, diagram, values or {})
    for block in model["blocks"]:
        with as_written(name, block):
            ends.add(block)
    if not ends.blocks:
        raise BadDiagramFile(name, "it draws no blocks", "at least one block besides MAIN and connectors")
    for block in model["blocks"]:
        with as_written(name, block):
            ends.connect(block, wires)
    return from_bdsim(diagram)


def load_diagram(
    path: str | PathLike[str], *, values: Mapping[str, Any] | None = None, stop: float = 5.0
) -> Diagram:
    """The Diagram of a .bd file for a run until `stop`, s. Raises as `load_bd`."""
    diagram = load_bd(path, values).diagram(stop)
    diagram.name = Path(path).stem.replace("-", "_")
    diagram.settings(stop=stop)
    return diagram


class _Ends:
    """The blocks made so far, by their numbers in the file, and the sources of their wires."""

    def __init__(self, path: str, diagram: Any, values: Mapping[str, Any]) -> None:
        self.path, self.diagram, self.values = path, diagram, values
        self.blocks: dict[Any, Any] = {}
        self.sources: dict[Any, Any] = {}
        self.through: dict[Any, Any] = {}  # of a connector: where the wire that begins at it comes from

    def add(self, block: Mapping[str, Any]) -> None:
        kind, title = str(block["block_type"]), str(block.get("title", ""))
        if kind == "CONNECTOR":
            self.through[block["outputs"][0]["id"]] = block["inputs"][0]["id"]
        elif kind != "MAIN":
            made = self._block(kind, title, block)
            self.blocks[block["id"]] = made
            for output in block.get("outputs", ()):
                self._within(title, "output", output["index"], made.nout)
                self.sources[output["id"]] = made[output["index"]]

    def _block(self, kind: str, title: str, block: Mapping[str, Any]) -> Any:
        factory = getattr(self.diagram, kind, None) if kind.isupper() else None
        if factory is None:
            kinds = [key for key in dir(self.diagram) if key.isupper()]
            hint = f"there is no block {kind}{nearest(kind, kinds)}"
            raise BadDiagramFile(self.path, hint, "a block of bdsim or the Robotics Toolbox", title)
        position = float(block.get("pos_x", 0.0)), float(block.get("pos_y", 0.0))
        if kind in DISPLAYS:  # they show nothing here, and many arguments of theirs have changed
            return self.diagram.NULL(nin=len(block.get("inputs", ())), name=self._unused(title), pos=position)
        options = self._options(title, block)
        for old, new in RENAMED.get(kind, {}).items():
            if old in options:
                value = options.pop(old)
                if new:
                    options.setdefault(new, value)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                return factory(name=self._unused(title), pos=position, **options)
        except Exception as error:
            cause: BaseException = error
            while cause.__context__ is not None:
                cause = cause.__context__
            listed = ", ".join(f"{key}={value!r:.40}" for key, value in options.items())
            actual = f"bdsim refuses {kind}({listed}): {cause}".splitlines()[0]
            raise BadDiagramFile(self.path, actual, f"arguments of {kind}", title) from error

    def _unused(self, title: str) -> str:
        name, number = title or "block", 1
        while name in self.diagram.blocknames:
            number += 1
            name = f"{title} {number}"
        return name

    def _options(self, title: str, block: Mapping[str, Any]) -> dict[str, Any]:
        options: dict[str, Any] = {}
        for key, value in block.get("parameters", ()):
            meant = self._meant(title, key, value)
            if key == "blockargs":
                options |= meant or {}
            elif meant is not None:
                options[key] = meant
        return options

    def _meant(self, title: str, key: str, value: Any) -> Any:
        """A text with `=` must be a value; another one stays a text if it is not a value."""
        if not isinstance(value, str):
            return value
        if value.startswith("="):
            try:
                return value_of(value[1:], self.values)
            except UnreadableValue as error:
                expected = "a number, an array, arithmetic; or give names: load_bd(path, {...})"
                raise BadDiagramFile(self.path, f"{value!r:.80}: {error}", expected, title, key) from None
        if WORD.fullmatch(value) and value not in self.values and value not in ("None", "True", "False"):
            return value
        with contextlib.suppress(UnreadableValue):
            return value_of(value, self.values)
        return value

    def connect(self, block: Mapping[str, Any], wires: Mapping[Any, Any]) -> None:
        if block["id"] not in self.blocks:
            return
        title, target = str(block.get("title", "")), self.blocks[block["id"]]
        for end in block.get("inputs", ()):
            self._within(title, "input", end["index"], target.nin)
            start, passed = wires.get(end["id"]), set()
            while start in self.through and start not in passed:
                passed.add(start)
                start = wires.get(self.through[start])
            if start not in self.sources:
                field = f"input {end['index']}"
                actual = "connectors are wired in a cycle" if passed & {start} else "nothing is wired to it"
                raise BadDiagramFile(self.path, actual, "a wire from an output", title, field)
            self.diagram.connect(self.sources[start], target[end["index"]])

    def _within(self, title: str, side: str, index: Any, count: int) -> None:
        """Raise BadDiagramFile for an input or output that the block does not have."""
        if not isinstance(index, int) or not 0 <= index < count:
            actual = f"the block has {count or 'no'} {side}{'s' * (count != 1)}"
            raise BadDiagramFile(self.path, actual, f"an index below {count}", title, f"{side} {index!r:.40}")

"""Edit the text of a diagram's file without losing comments, order or layout."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any

from ...base.checked import checked
from ...base.files import replacing
from ...base.location import Location
from ...base.yaml.positions import Node, place
from ...blocks.contract.block import Block
from ...blocks.contract.registry import UnknownBlockType, block_type
from ..model.arguments import checked_name
from ..model.diagram import Diagram
from ..model.errors import UnknownBlock, UnknownParameter
from ..model.section import Steps
from ..model.subsystem import Subsystem
from . import dissolving, grouping, mentions, wiring
from .document import SUBSYSTEM
from .entries import kinds
from .errors import EditError, FileChanged
from .finding import GALLERY, find, is_file, packaged
from .source import TEXT, Source, Trust, read_text
from .writer import block_data
from .yaml_text import YamlText, refusal

ORDER = ("blockdyn", "name", "doc", "parameters", "blocks", "wires", "signals", "log", "simulate")
"""Of the sections of a diagram; what is new goes behind what comes before it here."""
_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8, which some editors write


def before(name: str, present: Collection[str]) -> str | None:
    """The section after which a new one goes; None: the last."""
    earlier = ORDER[: ORDER.index(name)] if name in ORDER else ORDER
    return next((key for key in reversed(earlier) if key in present), None)


def _differs(path: Path, content: bytes) -> bool:
    """True if a file has other content; False if it cannot be read."""
    try:
        return path.read_bytes() != content
    except OSError:
        return False


class DiagramText(YamlText):
    """The text of a diagram's file. Each edit changes only the characters that it must.

    Blocks are named by their paths, `plant/arm`. `get`, `set`, `remove`, `rename` and `insert` take the keys
    and list positions that lead to any value of the file, also of sections that packages add. An edit that
    cannot be made changes nothing. Between edits the text may be an invalid diagram; `diagram()` checks.

    Raises EditError, UnknownBlock, UnknownPort, UnknownParameter, BadWire, BadName, NotWritable; YamlError
    and YamlFileError on reading.
    """

    def __init__(self, text: str, path: Path | None = None, *, mark: bytes = b"") -> None:
        super().__init__(text, TEXT if path is None else str(path))
        if not isinstance(self.root.value, (dict, NoneType)):
            raise EditError(f"the text is {self.root.describe()}", "a diagram", location=self.root.at)
        self.path, self._mark = path, mark
        self._on_disk: dict[Path, bytes] = {}  # contents of files when they were read or written

    @classmethod
    def of_file(cls, name: str | PathLike[str]) -> DiagramText:
        """The text of a file, or of a diagram of the gallery."""
        path = find(name)
        text = read_text(path, str(path))
        with path.open("rb") as stream:
            marked = stream.read(len(_MARK)) == _MARK
        made = cls(text, path, mark=_MARK if marked else b"")
        made._on_disk[path.resolve()] = made._mark + text.encode("utf-8")
        return made

    def diagram(self, *, trust: Trust = False) -> Diagram:
        """The diagram of the present text. Raises as `load`."""
        from .build import build

        return build(self.text, Source(TEXT) if self.path is None else Source.of_file(self.path, trust))

    @checked(refusal)
    def save(self, path: str | PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the text to its file, or to another file, completely or not at all.

        Raises FileError; FileChanged if others wrote to the file since it was read, unless `overwrite`.
        """
        target = self.path if path is None else Path(path)
        if target is None or target.parent == GALLERY:
            problem = "a text without a file" if target is None else "a file of the gallery"
            raise EditError(problem, "a path of yours: save(path)", location=Location(self.file))
        place, data = target.resolve(), self._mark + self.text.encode("utf-8")
        previous = self._on_disk.get(place)
        if not overwrite and previous is not None and _differs(place, previous):
            raise FileChanged(str(target))
        with replacing(target) as stream:
            stream.write(data)
        self._on_disk[place] = data

    @checked(refusal)
    def set_parameter(self, path: str, value: Any) -> None:
        """Set a parameter of a block (`plant/arm.k`) or of a diagram (`k`, or `plant/k` in a subsystem)."""
        owner, dot, name = path.rpartition(".")
        if dot:
            steps = self.block(owner)
            self._check_parameter(steps, owner, name)
            self.set(*steps, name, to=value)
            return
        inside, _, name = path.rpartition("/")
        checked_name(name, "parameter")
        self.set(*self.section(inside, "parameters"), name, to=value)

    @checked(refusal)
    def add_block(self, path: str, block: Block | Mapping[str, Any], *, after: str | None = None) -> None:
        """Add a Block, or `{"type": "Gain", "k": 2}`, as the last one or after the one called `after`."""
        inside, _, name = path.rpartition("/")
        checked_name(name, "block")
        entry: Any = block
        if not isinstance(entry, (Block, Subsystem, Mapping)):
            description = f"the class {entry.__name__}" if isinstance(entry, type) else f"{entry!r:.60}"
            expected = "a block, such as Gain(k=2.0) or {'type': 'Gain', 'k': 2.0}"
            raise EditError(f"block `{path}` is {description}", expected, path=path)
        data = dict(block) if isinstance(block, Mapping) else block_data(name, block)
        with self.together():
            steps = self.section(inside, "blocks")
            blocks = self.node(*steps).entries
            if name in blocks:
                at = blocks[name].at
                raise EditError(f"block `{path}` exists already", "another name", path=path, location=at)
            if after is not None:
                self.block(f"{inside}/{after}" if inside else after)
            self.insert(*steps, name=name, value=data, after=after)

    @checked(refusal)
    def remove_block(self, path: str) -> None:
        """Remove a block with its wires, the signals that begin at it, its position and its log entries."""
        steps = self.block(path)
        with self.together():
            self.remove(*steps)
            mentions.remove(self, path)

    @checked(refusal)
    def rename_block(self, path: str, name: str) -> None:
        """Rename a block, also in wires, signals, `log`, `view` and `inputs`, but not in a sweep."""
        steps = self.block(path)
        checked_name(name, "block")
        with self.together():
            self.rename(*steps, to=name)
            mentions.rename(self, path, name)

    @checked(refusal)
    def connect(self, source: str, *destinations: str | Sequence[str]) -> None:
        """Add a wire, `connect("plant/a", "plant/b.u")`: a line after the other wires."""
        with self.together():
            wiring.connect(self, source, destinations)

    @checked(refusal)
    def disconnect(self, source: str, destination: str) -> None:
        """Remove the wire between two ends, named as in the file; the rest of its chain stays."""
        with self.together():
            wiring.disconnect(self, source, destination)

    @checked(refusal)
    def reconnect(self, source: str, destination: str, to: str) -> None:
        """Give a wire another destination, in the same line."""
        with self.together():
            wiring.disconnect(self, source, destination, to)

    @checked(refusal)
    def place(self, path: str, x: float, y: float) -> None:
        """Set the position of a block in a picture, under `view`."""
        inside, _, name = path.rpartition("/")
        self.block(path)
        with self.together():
            steps = self.section(inside, "view")
            shown = self.node(*steps).entries.get(name)
            inner = ("at",) if shown is not None and shown.node.entries else ()
            self.set(*steps, name, *inner, to=[x, y])

    @checked(refusal)
    def make_subsystem(self, name: str, *paths: str) -> None:
        """Put blocks of one diagram into a new subsystem; every wire that crosses its border gets a port.

        Comments, positions and parameters move too; logged paths are updated, a sweep's are not. Blocks
        whose random numbers depend on their path then draw different ones.
        """
        with self.together():
            corners = [corner for path in paths if (corner := self._corner(path)) is not None]
            grouping.make_subsystem(self, name, paths)
            if corners:
                inside = paths[0].rpartition("/")[0]
                self.place(f"{inside}/{name}" if inside else name, *grouping.mean_corner(corners))

    @checked(refusal)
    def dissolve_subsystem(self, path: str) -> None:
        """Put the blocks of a subsystem of this file into the diagram around it: the inverse.

        Its parameters become parameters of that diagram, unless they only pass on one of its parameters.
        """
        with self.together():
            dissolving.dissolve_subsystem(self, path)

    def _corner(self, path: str) -> tuple[float, float] | None:
        inside, _, name = path.rpartition("/")
        return grouping.corner_of(self, (*self.level(inside), "view", name))

    # ---- steps to parts of the text ----

    def block(self, path: str) -> Steps:
        """The steps to a block. Raises UnknownBlock; EditError if its subsystem is another file."""
        inside, _, name = path.rpartition("/")
        steps = (*self.level(inside), "blocks", name)
        self._existing(steps, path)
        return steps

    def level(self, inside: str) -> Steps:
        """The steps to the diagram that a subsystem holds; none to the outermost."""
        if not inside:
            return ()
        around, _, name = inside.rpartition("/")
        steps = (*self.level(around), "blocks", name)
        node = self._existing(steps, inside)
        if "diagram" not in node.entries:
            elsewhere = [
                str(entry.node.value) for name in ("file", "type") if (entry := node.entries.get(name))
            ]
            files = [name for name in elsewhere if is_file(name) or name in packaged()]
            remedy = f"edit its file, {files[0]}" if files else "the path of a subsystem"
            raise EditError(f"`{inside}` holds no diagram here", remedy, path=inside, location=node.at)
        return (*steps, "diagram")

    def section(self, inside: str, name: str) -> Steps:
        """The steps to a section of a diagram, which is added if missing."""
        level = self.level(inside)
        present = self.node(*level).entries
        if name not in present:
            self.insert(*level, name=name, value=[] if name == "wires" else {}, after=before(name, present))
        return (*level, name)

    def part(self, steps: Steps) -> Node | None:
        """The part of the document at the end of some steps, or None."""
        try:
            return self.node(*steps)
        except EditError:
            return None

    def _check_parameter(self, steps: Steps, path: str, name: str) -> None:
        """Raise UnknownParameter for a parameter that the type of a block, if known, does not have."""
        node = self.node(*steps)
        kind = str(node.entries["type"].node.value) if "type" in node.entries else ""
        try:
            parameters = list(SUBSYSTEM["properties"] if kind == "Subsystem" else kinds(block_type(kind)))
        except UnknownBlockType:
            return
        if name not in parameters and name != "type":
            raise UnknownParameter(path, kind, name, parameters, location=node.at)

    def _existing(self, steps: Steps, path: str) -> Node:
        node = self.part(steps)
        if node is None:
            blocks = self.part(steps[:-1])
            block_names = list(blocks.entries) if blocks is not None else []
            raise UnknownBlock(path, block_names, location=place(self.root, steps))
        return node

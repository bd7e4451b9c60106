"""A draft is the text of a file while it is edited: edits, undo, saving, a side file, changes of others."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.errors import FileError
from ..base.files import read_regular, replacing
from ..diagrams.yaml.editing import DiagramText
from ..diagrams.yaml.errors import EditError, FileChanged
from ..diagrams.yaml.grouping import corner_of, unused_name
from ..diagrams.yaml.source import parse
from ..diagrams.yaml.wiring import block_of, chains, ends_of, sound_block

MARK = b"\xef\xbb\xbf"  # of UTF-8, with which some editors begin a file
STEPS, CHARACTERS = 1000, 50_000_000  # that can be undone, and of the texts together


class FileConflict(FileChanged):
    """A file that others have written while its text was edited; `text` is what they wrote."""

    def __init__(self, file: str, text: str) -> None:
        self.text = text
        super().__init__(file)


class Draft:
    """The text of a file, with the steps that led to it.

    Unsaved text is also in the side file `.NAME.studio`, next to the file, and is taken up again by the next
    draft if it is not older than the file. `recovered` is true for such a text. An older one is renamed to
    `.NAME.studio.old`, or with a number if there is such a file.

    path    the file, which need not exist yet
    text    where the file does not exist, the text to begin with
    """

    def __init__(self, path: Path, text: str = "") -> None:
        self.path, self.version, self.recovered = path, 1, False
        self.side = path.with_name(f".{path.name}.studio")
        self._undo: list[str] = []
        self._redo: list[str] = []
        self._stamp = self._stat()
        self._disk = self._bytes()
        self._mark = MARK if (self._disk or b"").startswith(MARK) else b""
        self.text = text if self._disk is None else _decode(self._disk, path)
        self._reported: bytes | None = None  # the content of the file that browsers have received
        self._recover()

    @property
    def saved(self) -> bool:
        """True if the file has this text."""
        return self._disk == self._content()

    @property
    def can_undo(self) -> bool:
        """True if there is a step to undo."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """True if there is an undone step."""
        return bool(self._redo)

    def change(self, text: str, *, continues: bool = False) -> None:
        """Another text, one step, or more of the last one if it `continues` that.

        Raises ValueError for text that no file can hold.
        """
        text.encode("utf-8")
        if text != self.text:
            if not (continues and self._undo and not self._redo):
                most = max(2, min(STEPS, CHARACTERS // max(len(self.text), 1)))
                self._undo = [*self._undo[-most + 1 :], self.text]
            self._redo.clear()
            self._become(text)

    def undo(self) -> None:
        """The text before the last step."""
        if self._undo:
            self._redo.append(self.text)
            self._become(self._undo.pop())

    def redo(self) -> None:
        """The text after the last undone step."""
        if self._redo:
            self._undo.append(self.text)
            self._become(self._redo.pop())

    def save(self, *, overwrite: bool = False) -> None:
        """Write the text to the file, whole or not at all.

        Raises FileConflict where others have written it, unless `overwrite`; FileError.
        """
        present = self._bytes()
        if not overwrite and present is not None and present not in (self._disk, self._content()):
            self._reported = present
            raise FileConflict(str(self.path), _decode(present, self.path))
        content = self._content()
        with replacing(self.path) as stream:
            stream.write(content)
        self._disk, self._stamp, self._reported, self.recovered = content, self._stat(), None, False
        self._remove_side()

    def reload(self) -> None:
        """The text that the file has now, one step. Raises FileError if there is none."""
        content = self._bytes()
        if content is None:
            raise FileError("read", self.path, "there is no such file", "save it first")
        text = _decode(content, self.path)
        self._disk, self._stamp, self._reported = content, self._stat(), None
        self._mark = MARK if content.startswith(MARK) else b""
        self.recovered = False
        self.change(text)
        self._keep()

    def glance(self) -> bool:
        """Take over a change of others; True if the state is another one.

        Raises FileConflict, once for each content, if there are unsaved edits.
        """
        stamp = self._stat()
        if stamp == self._stamp:
            return False
        present, unsaved = self._bytes(), not self.saved
        self._stamp = stamp
        if present == self._disk:
            return False
        if present is None:  # removed: the text is all there is
            self._disk = None
            self._keep()
            return True
        if unsaved and present != self._content():
            if present == self._reported:
                return False
            self._reported = present
            raise FileConflict(str(self.path), _decode(present, self.path))
        self.reload()
        return True

    # ---- files ----

    def _become(self, text: str) -> None:
        self.text = text
        self.version += 1
        self._keep()

    def _content(self) -> bytes:
        return self._mark + self.text.encode("utf-8")

    def _keep(self) -> None:
        """Write unsaved text to the side file; a folder that takes none is no reason to stop."""
        if self.saved:
            self._remove_side()
            return
        temporary = self.side.with_name(f"{self.side.name}~")
        with suppress(OSError):
            temporary.write_bytes(self._content())
            os.replace(temporary, self.side)

    def _remove_side(self) -> None:
        for path in (self.side, self.side.with_name(f"{self.side.name}~")):
            with suppress(OSError):
                path.unlink()

    def _recover(self) -> None:
        """Take up the side file of an earlier draft unless it is older than the file; rename an older one.

        The clock of a file system ticks every few milliseconds: of two files of one tick the side file may be
        the newer one.
        """
        with suppress(OSError, UnicodeDecodeError):
            content = read_regular(self.side)
            if content == self._disk:  # the last draft ended while it saved
                self._remove_side()
            elif self._stamp is not None and self.side.stat().st_mtime_ns < self._stamp[0]:
                os.replace(self.side, self._old_side())
            else:
                text = content.removeprefix(MARK).decode("utf-8")
                if text != self.text:
                    self._undo, self.text, self.recovered = [self.text], text, True

    def _old_side(self) -> Path:
        """The name for a side file that is older than the file: an earlier one stays."""
        number, path = 1, self.side.with_name(f"{self.side.name}.old")
        while path.exists():
            number += 1
            path = self.side.with_name(f"{self.side.name}.old{number}")
        return path

    def _stat(self) -> tuple[int, int] | None:
        try:
            facts = self.path.stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def _bytes(self) -> bytes | None:
        """The content of the file; None where there is none. Raises FileError if it cannot be read."""
        try:
            return read_regular(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = error.strerror or str(error)
            raise FileError("read", self.path, why, "choose a file that can be read") from None


def _decode(content: bytes, path: Path) -> str:
    try:
        return content.removeprefix(MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError("read", path, f"it is not UTF-8: {error}", "save it as UTF-8") from None


# ---- edits ----


def _write(text: DiagramText, path: str, typed: str) -> None:
    """A parameter as it is typed in a field: YAML; nothing removes it."""
    owner, _, name = path.rpartition(".")
    if not typed.strip():
        text.remove(*text.block(owner), name)
        return
    text.set_parameter(path, _value_of(typed))
    text.spell(*text.block(owner), name, text=typed)


def _type(text: DiagramText, *values: Any) -> None:
    """A value at its steps as it is typed in a field."""
    *steps, typed = values
    _set(text, *steps, _value_of(typed))
    text.spell(*steps, text=typed)


def _value_of(typed: str) -> Any:
    return parse(f"value: {typed}", "the field").entries["value"].node.plain()


def _place(text: DiagramText, path: str, x: float, y: float) -> None:
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a place has finite coordinates")
    text.place(path, *(int(v) if float(v).is_integer() else round(float(v), 1) for v in (x, y)))


def _set(text: DiagramText, *values: Any) -> None:
    """A value at its steps; a section that the file lacks is made."""
    *steps, last, value = values
    if steps and text.part(tuple(steps)) is None:
        last, value = steps.pop(), {last: value}
    text.set(*steps, last, to=value)


def _show(text: DiagramText, path: str, x: float, y: float, looks: Mapping[str, Any]) -> None:
    """Write how a block is drawn, `flip`, `rotate` and `size`; None removes one.

    A block without a position gets one at x, y.
    """
    inside, _, name = path.rpartition("/")
    steps = text.section(inside, "view")
    corner = corner_of(text, (*steps, name))
    at = [*corner] if corner is not None else [round(float(value), 1) for value in (x, y)]
    node = text.part((*steps, name))
    present = {} if node is None else {key: entry.node.plain() for key, entry in node.entries.items()}
    after = {key: value for key, value in {"at": at, **present, **looks}.items() if value is not None}
    if after.keys() == {"at"}:
        text.set(*steps, name, to=at)
    elif not present:
        text.set(*steps, name, to=after)
    else:
        for key in looks.keys() & present.keys() - after.keys():
            text.remove(*steps, name, key)
        for key in looks.keys() & after.keys():
            if present.get(key) != after[key]:
                text.set(*steps, name, key, to=after[key])


def _turn(text: DiagramText, path: str, x: float, y: float, turn: int) -> None:
    """Turn the ports of a block by quarters clockwise from their usual sides."""
    looks: list[dict[str, Any]] = [{}, {"rotate": 90}, {"flip": True}, {"rotate": 270}]
    _show(text, path, x, y, {"flip": None, "rotate": None} | looks[turn])


def _resize(text: DiagramText, path: str, x: float, y: float, size: Sequence[float] | None) -> None:
    """Give a block a corner and a size, or with None the size that its icon has."""
    if size is None:
        _show(text, path, x, y, {"size": None})
        return
    width, height = size
    if not (math.isfinite(width) and math.isfinite(height) and min(width, height) > 0):
        raise ValueError("a size has two positive numbers")
    _place(text, path, x, y)
    _show(text, path, x, y, {"size": [round(width), round(height)]})


def _paste(text: DiagramText, typed: str, dx: float, dy: float, level: str = "") -> None:
    """Add the blocks of a text, with the wires between them and their places; taken names become others."""
    indented = "".join(f"  {line}" for line in typed.splitlines(keepends=True))
    part = DiagramText(typed)
    if part.part(("blocks",)) is None and all("type" in e.node.entries for e in part.root.entries.values()):
        part = DiagramText(f"blocks:\n{indented}")
    section = part.part(("blocks",))
    if section is None or not section.entries:
        raise EditError(
            "the pasted text has no blocks", "YAML such as `blocks: {gain: {type: Gain, k: 2.0}}`"
        )
    names, present = list(section.entries), text.part((*text.level(level), "blocks"))
    taken = {*names, *(present.entries if present is not None else ())}
    for name in names:
        if present is not None and name in present.entries:
            free = unused_name(name.rstrip("0123456789") or name, taken)
            taken.add(free)
            part.rename_block(name, free)
    names = list(part.node("blocks").entries)
    lines = [line for name in names for line in part.lines("blocks", name)]
    values = {name: part.get("blocks", name) for name in names}
    text.insert_lines(*text.section(level, "blocks"), lines=lines, values=values)
    for i, chain in chains(part, ("wires",)):
        if {*map(block_of, ends_of(chain))} <= {*names}:
            steps, wire = text.section(level, "wires"), part.get("wires", i)
            text.insert_lines(*steps, lines=part.lines("wires", i), values=[wire])
    for name in names:
        corner = corner_of(part, ("view", name))
        if corner is not None:
            path = f"{level}/{name}" if level else name
            _place(text, path, corner[0] + dx, corner[1] + dy)
            place = part.get("view", name)
            if isinstance(place, Mapping):
                _show(text, path, *corner, {key: value for key, value in place.items() if key != "at"})


EDITS: Mapping[str, Callable[..., None]] = {
    "add_block": lambda text, path, entry: text.add_block(path, entry),
    "remove_block": DiagramText.remove_block,
    "rename_block": DiagramText.rename_block,
    "connect": DiagramText.connect,
    "disconnect": DiagramText.disconnect,
    "reconnect": DiagramText.reconnect,
    "set_parameter": DiagramText.set_parameter,
    "write": _write,
    "place": _place,
    "turn": _turn,
    "resize": _resize,
    "set": _set,
    "type": _type,
    "remove": lambda text, *steps: text.remove(*steps),
    "insert": lambda text, *values: text.insert(*values[:-1], **values[-1]),
    "make_subsystem": DiagramText.make_subsystem,
    "paste": _paste,
    "dissolve_subsystem": DiagramText.dissolve_subsystem,
}
"""Changes of a diagram's text that a page may request."""


_PATHS = {
    "add_block": 1, "remove_block": 1, "rename_block": 1, "connect": None, "disconnect": 2,
    "reconnect": 3, "set_parameter": 1, "write": 1, "place": 1, "turn": 1, "resize": 1,
    "dissolve_subsystem": 1, "make_subsystem": None,
}  # fmt: skip
"""The number of arguments, from the first, that are paths; None for all."""


def at_level(text: DiagramText, level: str, edit: Sequence[Any]) -> list[Any]:
    """An edit of a diagram's blocks as an edit of a subsystem's, by their paths."""
    name, *values = edit
    if not level:
        return list(edit)
    if name == "paste":
        return [name, *values, level]
    if name in ("set", "type", "remove", "insert"):
        return [name, *text.level(level), *values]
    first = 1 if name == "make_subsystem" else 0
    last = _PATHS.get(name, 0)
    last = len(values) if last is None else last

    def prefixed(value: Any) -> Any:
        return [prefixed(each) for each in value] if isinstance(value, list) else f"{level}/{value}"

    return [name, *(prefixed(v) if first <= i < last else v for i, v in enumerate(values))]


def merged(base: str, mine: str, theirs: str) -> tuple[str, bool]:
    """Two changes of a text as one, and whether they were of the same lines, of which mine are taken then."""
    lines, typed, others = (text.splitlines(keepends=True) for text in (base, mine, theirs))
    start, stop = _changed(lines, typed)
    begin, end = _changed(lines, others)
    if stop <= begin or end <= start:
        first = typed[start : len(typed) - (len(lines) - stop)]
        second = others[begin : len(others) - (len(lines) - end)]
        pieces = sorted(
            [(start, stop, first), (begin, end, second)], key=lambda piece: piece[:2], reverse=True
        )
        for low, high, new in pieces:
            lines[low:high] = new
        return "".join(lines), False
    return mine, True


def _changed(lines: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """The lines that differ in another text: from the first to the last of them."""
    start, most = 0, min(len(lines), len(other))
    while start < most and lines[start] == other[start]:
        start += 1
    low = 0
    while low < most - start and lines[-1 - low] == other[-1 - low]:
        low += 1
    return start, len(lines) - low


def on_wire(
    text: DiagramText, name: str, entry: Mapping[str, Any], source: str, destination: str
) -> list[list[Any]]:
    """The edits that lead a cut wire through a new block: its first input and its first output."""
    probe = DiagramText(f"blockdyn: 1\nblocks: {{{name}: {{type: Gain}}}}\n", text.path)
    probe.set("blocks", name, to=entry)
    block = sound_block(probe, ("blocks", name), name)
    ends = [name, name]
    if block is not None:
        inputs = [p.name for p in block.input_ports()]
        outputs = [p.name for p in block.output_ports()]
        if not inputs or not outputs:
            lacking = "input" if not inputs else "output"
            raise EditError(f"`{name}`, {entry['type']}, has no {lacking}", "a block with both on a wire")
        needed = [p.name for p in block.input_ports() if p.default is None]
        ends = [
            name if len(inputs) == 1 or len(needed) == 1 else f"{name}.{(needed or inputs)[0]}",
            name if len(outputs) == 1 else f"{name}.{outputs[0]}",
        ]
    return [["connect", source, ends[0]], ["connect", ends[1], destination]]


def by_place(edits: Any) -> bool:
    """True for edits that name a part of the text by its place in a list, which may be another part now."""
    return any(
        isinstance(step, int)
        for edit in edits
        if edit[0] in ("set", "remove", "insert")
        for step in edit[1:-1]
    )


def apply_edits(text: DiagramText, edits: Any, level: str = "") -> None:
    """Make several edits, each [method, argument, ...], or none of them; paths begin at a subsystem `level`.

    Raises EditError, and errors of the methods.
    """
    if not isinstance(edits, list) or not all(isinstance(each, list) and each for each in edits):
        raise EditError("the edits are not a list of lists", "[[method, argument, ...], ...]")
    with text.together():
        for edit in edits:
            if not isinstance(edit[0], str) or edit[0] not in EDITS:
                raise EditError(f"the edit `{edit[0]!s:.40}`", f"one of {', '.join(EDITS)}")
            name, *values = at_level(text, level, edit)
            EDITS[name](text, *values)

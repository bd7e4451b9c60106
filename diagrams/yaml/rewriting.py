"""Write a diagram that was read from a text as that text, with the changes made since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.location import Location
from ..model.errors import DiagramError
from ..model.section import Steps
from . import writer
from .build import wire_chain
from .editing import before
from .source import TEXT, Source, parse
from .wiring import single
from .yaml_text import YamlText, same

if TYPE_CHECKING:
    from ..model.diagram import Diagram


def dumps(diagram: Diagram, *, sweep: bool = True) -> str:
    """The diagram's own text if it still describes it, edited if possible, otherwise a new text.

    Raises NotWritable.
    """
    written = writer.dumps(diagram, sweep=sweep, notes=True, named=True)
    if diagram.source is None:
        return written
    try:
        text = YamlText(diagram.source, TEXT)
        _edit(text, (), parse(_canonical(diagram.source), TEXT).plain(), parse(written, TEXT).plain())
        return text.text if _canonical(text.text) == written else written
    except DiagramError:  # a change that the layout of the text has no place for
        return written


def _canonical(text: str) -> str:
    """The text in the writer's form."""
    from .build import build

    return writer.dumps(build(text, Source(TEXT)), notes=True, named=True)


def _edit(text: YamlText, steps: Steps, old: Any, new: Any) -> None:
    """Edit a text by the differences between its old data and the new data."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() - new.keys():
            text.remove(*steps, key)
        for key, value in new.items():
            if key in old:
                _edit(text, (*steps, key), old[key], value)
            elif key in text.node(*steps).entries:  # was present, and meant the default
                text.set(*steps, key, to=value)
            else:
                after = before(key, text.node(*steps).entries) if not steps else None
                text.insert(*steps, name=key, value=value, after=after)
    elif not same(old, new):
        more = _appended_items(steps, old, new)
        if more is None:
            text.set(*steps, to=new)
        for item in more or ():
            text.insert(*steps, value=item)


def _appended_items(steps: Steps, old: Any, new: Any) -> list[Any] | None:
    """The items of a list after another list; None if they differ earlier. Wires count one by one."""
    if not isinstance(old, list) or not isinstance(new, list) or steps[-1] not in ("wires", "log"):
        return None
    if steps[-1] == "wires":
        old, new = _single(old), _single(new)
    return new[len(old) :] if same(new[: len(old)], old) else None


def _single(lines: list[str]) -> list[str]:
    """The wires of chains."""
    at = Location(TEXT)
    return [wire for line in lines for wire in single(wire_chain(line, at))]

"""Drawn: what a .bd file of bdedit says, its parts and wires checked before a block is made."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...base.errors import BlockdynError

KEYS = ("blocks", "wires")


class BadDiagramFile(BlockdynError):
    """A .bd file that is none, or says what cannot be read; `block` and `field` are the place."""

    def __init__(self, path: str, actual: str, expected: str, block: str = "", field: str = "") -> None:
        self.path, self.block, self.field, self.expected = path, block, field, expected
        place = f"{path}" + (f", block `{block}`" if block else "") + (f", {field}" if field else "")
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


@contextlib.contextmanager
def as_written(
    path: str,
    block: Mapping[str, Any],
    expected: str = "a block with id, block_type, title, inputs, outputs and parameters",
) -> Iterator[None]:
    """Raise BadDiagramFile where a part is not of the form that bdedit writes."""
    try:
        yield
    except BadDiagramFile:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        actual = f"not as bdedit writes it ({type(error).__name__}: {error})"
        raise BadDiagramFile(path, actual, expected, str(block.get("title", ""))) from error


def drawing(path: str) -> dict[str, Any]:
    """The content of a .bd file, of the form that bdedit writes. Raises BadDiagramFile."""
    try:
        with open(path, encoding="utf-8") as file:
            model = json.load(file)
    except (OSError, UnicodeDecodeError) as error:
        raise BadDiagramFile(path, str(error), "a .bd file of bdedit") from None
    except (ValueError, RecursionError) as error:
        raise BadDiagramFile(path, f"no JSON: {error}", "a .bd file of bdedit") from None
    fine = isinstance(model, dict) and all(isinstance(model.get(key), list) for key in KEYS)
    if not fine or not all(isinstance(item, dict) for key in KEYS for item in model[key]):
        raise BadDiagramFile(path, "no diagram", "an object with lists of `blocks` and `wires`")
    return dict(model)


def wires_of(path: str, model: Mapping[str, Any]) -> dict[Any, Any]:
    """Where the wire of each input begins: the numbers of ends, by those of inputs. Raises BadDiagramFile."""
    inputs, outputs = _sockets(path, model["blocks"], "inputs"), _sockets(path, model["blocks"], "outputs")
    wires: dict[Any, Any] = {}
    for wire in model["wires"]:
        with as_written(path, {}, "a wire with start_socket and end_socket"):
            start, end = wire["start_socket"], wire["end_socket"]
            if start not in outputs:
                raise BadDiagramFile(path, f"a wire begins at {start!r:.40}", "the number of an output")
            title, index = outputs[start]
            if end not in inputs:
                actual = f"a wire of it ends at {end!r:.40}"
                raise BadDiagramFile(path, actual, "the number of an input", title, f"output {index}")
            if wires.setdefault(end, start) != start:
                title, index = inputs[end]
                first, second = (outputs[number][0] for number in (wires[end], start))
                actual = f"wires of `{first}` and of `{second}` end there"
                raise BadDiagramFile(path, actual, "one wire", title, f"input {index}")
    return wires


def _sockets(path: str, blocks: list[dict[str, Any]], side: str) -> dict[Any, tuple[str, Any]]:
    """The title of the block and the index of every input or output, by its number."""
    sockets: dict[Any, tuple[str, Any]] = {}
    numbers: dict[Any, str] = {}
    for block in blocks:
        with as_written(path, block):
            title = str(block.get("title", ""))
            number = block.get("id")
            if number in numbers:
                actual = f"its id {number!r:.40} is that of `{numbers[number]}` too"
                raise BadDiagramFile(path, actual, "a number of its own", title)
            if number is not None:
                numbers[number] = title
            for socket in block.get(side, ()):
                if socket["id"] in sockets:
                    actual = f"its id {socket['id']!r:.40} stands twice in the file"
                    field = f"{side.removesuffix('s')} {socket['index']}"
                    raise BadDiagramFile(path, actual, "a number of its own", title, field)
                sockets[socket["id"]] = title, socket["index"]
    return sockets

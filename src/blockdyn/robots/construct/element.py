"""XML files are read as elements with their line numbers; entities and document types are refused."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...base.files import open_regular
from ..errors import RobotFileError, RobotWarning, count_own_frames

DEEPEST = 100
LARGEST = 50_000_000  # bytes


@dataclass
class Element:
    """A tag with its attributes, children, and the text between them."""

    file: str
    line: int
    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    words: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """The children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child with this tag."""
        return next(self.all(tag), None)

    def inside(self) -> Iterator[Element]:
        """This element and its descendants, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.inside()

    def need(self, tag: str) -> Element:
        """The first child with this tag. Raises RobotFileError."""
        element = self.first(tag)
        if element is None:
            raise self.wrong(f"{self.shown()} has no <{tag}>", f"one <{tag}> inside")
        return element

    def text(self, name: str) -> str:
        """A required attribute. Raises RobotFileError."""
        value = self.attributes.get(name, "").strip()
        if not value:
            raise self.wrong(f"{self.shown()} has no {name}", f'{name}="..."')
        return value

    def attribute(self, name: str) -> str:
        """A required attribute, which may be empty. Raises RobotFileError."""
        if name not in self.attributes:
            raise self.wrong(f"{self.shown()} has no {name}", f'{name}="..."')
        return self.attributes[name]

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of an attribute, as many as the default has. Raises RobotFileError."""
        text = self.attributes.get(name)
        if text is None:
            return default
        try:
            values = tuple(float(part) for part in text.split())
        except ValueError:
            values = ()
        if len(values) != len(default):
            expected = "one number" if len(default) == 1 else f"{len(default)} numbers"
            raise self.wrong(f'{self.shown()} has {name}="{text}"', expected)
        return values

    def number(self, name: str, default: float) -> float:
        """The number of an attribute. Raises RobotFileError."""
        return self.numbers(name, (default,))[0]

    def shown(self) -> str:
        """The tag with its name, for messages."""
        name = self.attributes.get("name")
        return f'<{self.tag} name="{name}">' if name else f"<{self.tag}>"

    def wrong(self, problem: str, expected: str) -> RobotFileError:
        """An error at this element."""
        return RobotFileError(self.file, self.line, problem, expected)

    def warn(self, problem: str) -> None:
        """A warning about this element."""
        warnings.warn(f"{self.file}:{self.line}: {problem}", RobotWarning, stacklevel=count_own_frames())


def read_root(path: Path) -> Element:
    """The root element of a file. Raises RobotFileError."""
    if str(path).lstrip().startswith("<"):
        raise RobotFileError(
            "the file", None, "XML text in its place", "the path of a file: write the text into one"
        )
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise RobotFileError(str(path), None, f"cannot read it: {error.strerror}", "a URDF file") from None
    if len(data) > LARGEST:
        raise RobotFileError(
            str(path), None, f"more than {LARGEST / 1e6:.0f} MB", "a URDF file, without its meshes"
        )
    return parse(data, str(path))


def parse(data: bytes, file: str) -> Element:
    """The root element of a text. Raises RobotFileError."""
    from xml.parsers.expat import ExpatError, ParserCreate

    parser = ParserCreate()
    root: list[Element] = []
    opened: list[Element] = []

    def start(tag: str, attributes: dict[str, Any]) -> None:
        element = Element(file, parser.CurrentLineNumber, tag, attributes)
        if len(opened) >= DEEPEST:
            raise element.wrong(f"more than {DEEPEST} levels of nesting", "a URDF file")
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def doctype(*_: Any) -> None:
        raise RobotFileError(
            file, parser.CurrentLineNumber, "a DOCTYPE", "elements alone: no entity is expanded"
        )

    def text(data: str) -> None:
        opened[-1].words += data

    parser.buffer_text = True
    parser.CharacterDataHandler = text
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except ExpatError as error:
        line = opened[-1] if opened else None
        hint = f"; {line.shown()} of line {line.line} is still open there" if line else ""
        raise RobotFileError(
            file, error.lineno, f"not XML: {_plain(error)}{hint}", "well-formed XML"
        ) from None
    except (LookupError, ValueError) as error:  # an unknown encoding in the declaration
        raise RobotFileError(file, 1, f"not XML: {error}", "UTF-8") from None
    return root[0]


def _plain(error: Any) -> str:
    from xml.parsers.expat import errors

    return str(errors.messages.get(error.code, error))

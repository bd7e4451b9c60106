"""XML: a file's elements with the lines where they begin; no DTD, no entities, nothing from outside."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import RobotWarning, UrdfError, outside

DEEPEST = 100


@dataclass
class Element:
    """A tag with its attributes and children."""

    file: str
    line: int
    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of that tag."""
        return next(self.all(tag), None)

    def inside(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.inside()

    def need(self, tag: str) -> Element:
        """The first child of that tag. Raises UrdfError."""
        element = self.first(tag)
        if element is None:
            raise self.wrong(f"{self.shown()} has no <{tag}>", f"one <{tag}> inside")
        return element

    def text(self, name: str) -> str:
        """An attribute that is needed. Raises UrdfError."""
        value = self.attributes.get(name, "").strip()
        if not value:
            raise self.wrong(f"{self.shown()} has no {name}", f'{name}="..."')
        return value

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers of an attribute, as many as the default has. Raises UrdfError."""
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
        """The number of an attribute. Raises UrdfError."""
        return self.numbers(name, (default,))[0]

    def shown(self) -> str:
        """The tag with its name, for messages."""
        name = self.attributes.get("name")
        return f'<{self.tag} name="{name}">' if name else f"<{self.tag}>"

    def wrong(self, problem: str, expected: str) -> UrdfError:
        """An error at this element."""
        return UrdfError(self.file, self.line, problem, expected)

    def warn(self, problem: str) -> None:
        """A warning about this element."""
        warnings.warn(f"{self.file}:{self.line}: {problem}", RobotWarning, stacklevel=outside())


def read(path: Path) -> Element:
    """The root element of a file. Raises UrdfError."""
    if str(path).lstrip().startswith("<"):
        raise UrdfError(
            "the file", None, "XML text in its place", "the path of a file: write the text into one"
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UrdfError(str(path), None, f"cannot read it: {error.strerror}", "a URDF file") from None
    return parse(data, str(path))


def parse(data: bytes, file: str) -> Element:
    """The root element of a text. Raises UrdfError."""
    from xml.parsers.expat import ExpatError, ParserCreate

    parser = ParserCreate()
    root: list[Element] = []
    opened: list[Element] = []

    def start(tag: str, attributes: dict[str, Any]) -> None:
        element = Element(file, parser.CurrentLineNumber, tag, attributes)
        if len(opened) >= DEEPEST:
            raise element.wrong(f"more than {DEEPEST} elements in one another", "a URDF file")
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def doctype(*_: Any) -> None:
        raise UrdfError(file, parser.CurrentLineNumber, "a DOCTYPE", "elements alone: no entity is expanded")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except ExpatError as error:
        line = opened[-1] if opened else None
        hint = f"; {line.shown()} of line {line.line} is still open there" if line else ""
        raise UrdfError(file, error.lineno, f"not XML: {_plain(error)}{hint}", "well-formed XML") from None
    except (LookupError, ValueError) as error:  # what the encoding declaration names
        raise UrdfError(file, 1, f"not XML: {error}", "UTF-8") from None
    return root[0]


def _plain(error: Any) -> str:
    from xml.parsers.expat import errors

    return str(errors.messages.get(error.code, error))

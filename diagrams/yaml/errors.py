"""Errors of a YAML file before it is a diagram."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.hints import nearest_word
from ...base.location import Location
from ...base.yaml.positions import Node
from ...blocks.contract.synonyms import suggest_type
from ..model.errors import DiagramError, listed


class YamlError(DiagramError):
    """A YAML file that is not a diagram; `choices` are the names in place of an unknown one."""

    def __init__(
        self,
        actual: str,
        expected: str,
        *remedy: str,
        key: str = "",
        path: str = "",
        location: Location | None = None,
        choices: Sequence[str] = (),
    ) -> None:
        self.actual, self.expected, self.key, self.choices = actual, expected, key, tuple(choices)
        super().__init__(actual, f"expected: {expected}", *remedy, path=path, location=location)


class YamlFileError(YamlError):
    """A file that cannot be read, or is too large."""


class YamlSyntaxError(YamlError):
    """Text that is not UTF-8 or not YAML 1.2, nests too deep or holds too many values."""


def duplicate_key(key: str, first: Location, location: Location) -> YamlError:
    """Return the error for a key that occurs twice in a mapping."""
    return YamlError(
        f"key `{key}` is repeated; the first is at {first}",
        "every key once",
        "remove or rename one of the two",
        key=key,
        location=location,
    )


def unknown_key(
    key: str, choices: Sequence[str], *, inside: str = "", location: Location | None
) -> YamlError:
    """Return the error for a key without a meaning in its place."""
    place = f" in {inside}" if inside else ""
    hint = "YAML 1.2 has no merge keys: write the values out" if key == "<<" else ""
    if ")" in key or "]" in key:
        hint = "inside { } a comma ends a value: put text that holds one in quotes"
    problem = f"unknown key `{key}`{place}{nearest_word(key, choices)}"
    expected = f"one of {listed(choices, 20)}"
    return YamlError(problem, expected, hint, key=key, location=location, choices=choices)


def missing_key(
    key: str, meaning: str, *, inside: str, path: str = "", location: Location | None
) -> YamlError:
    """Return the error for a missing required key."""
    return YamlError(
        f"{inside} has no key `{key}`", f"`{key}: {meaning}`", key=key, path=path, location=location
    )


def quoted(node: Node) -> str:
    """The remedy for a word or number in the place of text."""
    plain = isinstance(node.value, (bool, int, float))
    return f'in quotes it is text: "{str(node.plain()).lower()}"' if plain else ""


def unknown_type(
    name: str, choices: Sequence[str], remedy: str, *, path: str, location: Location | None
) -> YamlError:
    """Return the error for a block type that does not exist."""
    problem = f"block `{path}`: there is no block type `{name}`{suggest_type(name, choices)}"
    expected = remedy.removeprefix("expected: ")
    return YamlError(problem, expected, key="type", path=path, location=location, choices=choices)


class NotTrusted(YamlError):
    """A file that requires code, or a file outside its folder, without the caller's consent."""


class EditError(YamlError):
    """An edit of a file's text that cannot be made: its place, the content there, the remedy."""


class FileChanged(EditError):
    """A file that others have written since its text was read."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"{file} has been changed by others since it was read",
            "the file as it was read: make the edits again on `edit(path)`",
            "or write to another path, save(path), or over their changes, save(overwrite=True)",
            location=Location(file),
        )


class NotWritable(DiagramError):
    """A diagram that YAML cannot represent."""

    def __init__(self, path: str, actual: str, remedy: str) -> None:
        self.actual = actual
        super().__init__(f"{path or 'the diagram'} cannot be written as YAML: {actual}", remedy, path=path)

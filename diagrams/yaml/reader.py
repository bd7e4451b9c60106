"""Read a diagram's YAML as values with positions; its errors are errors of the diagram."""

from __future__ import annotations

from pathlib import Path

from ...base.yaml.limits import read_text as text_of
from ...base.yaml.positions import Node
from ...base.yaml.reader import Document, Listener, parse as document, read_document
from ...base.yaml.words import DocumentError, Form, Kind
from ..model.gathered import Errors
from .errors import YamlError, YamlFileError, YamlSyntaxError, duplicate_key

FORM = Form("diagram", "blockdyn: 1", "split it into subsystems, each in a file of its own")
_ERRORS: dict[Kind, type[YamlError]] = {
    "file": YamlFileError,
    "encoding": YamlSyntaxError,
    "syntax": YamlSyntaxError,
    "limit": YamlSyntaxError,
    "type": YamlError,
}


def read_text(path: Path, file: str) -> str:
    """The text of a file. Raises YamlFileError, YamlSyntaxError."""
    try:
        return text_of(path, file, FORM)
    except DocumentError as error:
        raise _ours(error) from error.__cause__


def parse(text: str, file: str, *, also: Listener | None = None) -> Node:
    """The document of a text, whose events are told `also` to another reader.

    Raises YamlError, the first one.
    """
    try:
        return document(text, file, FORM, also=also)
    except DocumentError as error:
        raise _ours(error) from None


def parse_gathering(text: str, file: str, errors: Errors) -> Document:
    """The same with its errors gathered."""
    return read_document(text, file, FORM, lambda error: errors.take_of_text(_ours(error), error.first))


def _ours(error: DocumentError) -> YamlError:
    if error.first is not None:
        return duplicate_key(error.key, error.first, error.location)
    kind = _ERRORS[error.kind]
    return kind(error.actual, error.expected, error.remedy, key=error.key, location=error.location)

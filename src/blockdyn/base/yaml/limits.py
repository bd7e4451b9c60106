"""Reject YAML files that are too large, and bytes and characters that are not text."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from ..location import Location
from ..words import article
from .scanning import place_of
from .words import DocumentError, Form

LARGEST = 10_000_000  # bytes
DEEPEST = 100  # levels of nesting
BYTE_ORDER_MARK = "\ufeff"  # may begin a text
MOST = 250_000  # values, aliases written out

_REFUSED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_FOREIGN = {".slx": "a Simulink model", ".mdl": "a Simulink model", ".fmu": "an FMU"}
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00\x00\xfe\xff": "UTF-32"}


def read_text(path: Path, file: str, form: Form) -> str:
    """The text of a file of at most LARGEST bytes.

    Raises DocumentError, before a byte is read if the file's size is above the limit.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError("file", "this is not a file", "a YAML file", location=Location(file))
            if status.st_size > LARGEST:
                raise too_large(status.st_size, file, form)
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentError(
            "file", f"the file cannot be read: {reason}", "a YAML file that exists", location=Location(file)
        ) from error
    return decode(data, file, form)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe would wait for its writer


def too_large(size: int, file: str, form: Form) -> DocumentError:
    """The error of a file over the limit."""
    return DocumentError(
        "file",
        f"{size / 1e6:.0f} MB are more than a {form.noun} takes",
        f"at most {LARGEST / 1e6:.0f} MB",
        form.smaller,
        location=Location(file),
    )


def decode(data: bytes, file: str, form: Form) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises DocumentError, naming line and column of bytes that are not UTF-8.
    """
    if len(data) > LARGEST:
        raise too_large(len(data), file, form)
    foreign = _FOREIGN.get(Path(file).suffix.lower())
    if foreign is not None:
        expected = f"{article(form.noun)} in YAML; files of other tools cannot be opened"
        raise DocumentError("file", f"the file is {foreign}", expected, location=Location(file))
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            raise DocumentError(
                "encoding",
                f"the file is in {name}",
                "UTF-8; save the file in this encoding",
                location=Location(file, 1, 1),
            )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        raise DocumentError(
            "encoding",
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "a text file in UTF-8",
            location=_place(before, len(before), file),
        ) from None


def check_characters(text: str, file: str, form: Form) -> None:
    """Reject NUL, control characters and half characters.

    Raises DocumentError naming line and column.
    """
    if len(text) > LARGEST:
        raise too_large(len(text), file, form)
    match = _REFUSED.search(text, text.startswith(BYTE_ORDER_MARK))
    if match:
        code = ord(match.group())
        raise DocumentError(
            "encoding",
            f"{'a NUL byte' if code == 0 else f'the control character U+{code:04X}'}",
            "printable text (inside double quotes, escapes such as \\x07 stand for the others)",
            location=_place(text, match.start(), file),
        )


def _place(text: str, index: int, file: str) -> Location:
    return Location(file, *place_of(text, index))

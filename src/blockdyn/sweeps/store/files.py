"""Zarr arrays as files: the part of Zarr's third format that a store needs, every file whole or absent.

Source: Zarr core specification, version 3 (zarr-specs.readthedocs.io): regular chunks, the default chunk keys
with "." between the numbers, the codecs `bytes`, `crc32c` and, from its extensions, `vlen-utf8`. A checksum
is the CRC-32C of the bytes before it, in 4 bytes, little endian.
"""

from __future__ import annotations

import json
import os
import struct
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.files import read_regular

TEMPORARY = ".unfinished"  # a folder of the store: its files are moved to their places once complete
METADATA = "zarr.json"
SEAL = "blockdyn_checksum"  # the attribute of a group with the checksum of its metadata
CHECKSUM = 4  # bytes after the data of a chunk
FILL: dict[str, Any] = {"float64": "NaN", "int64": 0, "int8": -1, "bool": False, "string": ""}
"""The data types of a store, and what Zarr reads where a chunk is absent."""


@dataclass(frozen=True)
class ArrayFiles:
    """An array in chunks along its first axis, one file each; every other axis is whole."""

    name: str
    kind: str  # a key of FILL
    shape: tuple[int, ...]
    rows: int  # a chunk
    dims: tuple[str, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    checked: bool = True  # whether a checksum ends every chunk

    @property
    def metadata(self) -> dict[str, Any]:
        """The array's metadata document of Zarr."""
        chunk = [max(1, n) for n in (self.rows, *self.shape[1:])]
        codec: dict[str, Any] = {"name": "bytes", "configuration": {"endian": "little"}}
        if self.kind == "string":
            codec = {"name": "vlen-utf8", "configuration": {}}
        return {
            "zarr_format": 3,
            "node_type": "array",
            "shape": list(self.shape),
            "data_type": self.kind,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
            "fill_value": FILL[self.kind],
            "codecs": [codec, {"name": "crc32c"}] if self.checked else [codec],
            "attributes": self.attributes,
            "dimension_names": list(self.dims),
            "storage_transformers": [],
        }

    @property
    def size(self) -> int | None:
        """Bytes of a chunk's file; None if they depend on the text in it."""
        if self.kind == "string":
            return None
        return self.rows * prod(self.shape[1:]) * np.dtype(self.kind).itemsize + CHECKSUM * self.checked

    def file(self, root: Path, chunk: int) -> Path:
        """The file of a chunk: the last chunk is whole too, padded after the array's end."""
        return root / self.name / ".".join(["c", str(chunk), *("0" for _ in self.shape[1:])])

    def encoded(self, values: NDArray[Any] | Sequence[str]) -> bytes:
        """The bytes of a chunk, padded with the fill value."""
        if self.kind == "string":
            data = encoded_text([*values, *[""] * (self.rows - len(values))])
        else:
            fill = np.nan if self.kind == "float64" else FILL[self.kind]
            rows = np.full((self.rows, *self.shape[1:]), fill, np.dtype(self.kind).newbyteorder("<"))
            rows[: len(values)] = values
            data = rows.tobytes()
        return data + checksum(data) if self.checked else data

    def read(self, root: Path, chunk: int) -> NDArray[Any] | list[str]:
        """The values of a chunk, padding included; ValueError if its file has changed."""
        data = self._content(root, chunk)
        if self.kind == "string":
            try:
                return decoded_text(data)
            except ValueError as failure:
                raise ValueError(f"{self.file(root, chunk)}: {failure}") from None
        little = np.dtype(self.kind).newbyteorder("<")
        return np.frombuffer(data, little).astype(self.kind).reshape(self.rows, *self.shape[1:])

    def problem(self, root: Path, chunk: int, expected: bytes | None = None) -> str:
        """Description of the damage of a chunk's file; "" if it is as written.

        `expected` is the checksum with which it was written, if available: another chunk's file has
        another.
        """
        try:
            if self.kind == "string":
                length = len(self.read(root, chunk))
                if length != self.rows:
                    return f"it has {length} texts instead of {self.rows}"
            self._content(root, chunk, expected)
        except FileNotFoundError:
            return "it is gone"
        except OSError as failure:
            return failure.strerror or str(failure)
        except ValueError as failure:
            return str(failure).partition(": ")[2]
        return ""

    def _content(self, root: Path, chunk: int, expected: bytes | None = None) -> bytes:
        """The bytes of a chunk's values, after a check of the checksum."""
        file = self.file(root, chunk)
        data = read_regular(file)
        if self.size is not None and len(data) != self.size:
            raise ValueError(f"{file}: it has {len(data)} bytes instead of {self.size}")
        if not self.checked:
            return data
        if checksum(data[:-CHECKSUM]) != data[-CHECKSUM:]:
            raise ValueError(f"{file}: its checksum does not match its bytes")
        if expected is not None and data[-CHECKSUM:] != expected:
            raise ValueError(f"{file}: it is complete, but its values differ from the written ones")
        return data[:-CHECKSUM]


def checksum(data: bytes) -> bytes:
    """The CRC-32C of some bytes, as stored after them."""
    import google_crc32c

    return struct.pack("<I", google_crc32c.value(data))


def encoded_text(values: Sequence[str]) -> bytes:
    """vlen-utf8: the number of texts, then of each its number of bytes and its bytes."""
    parts = [struct.pack("<I", len(values))]
    for value in values:
        data = value.encode("utf-8", "backslashreplace")
        parts += [struct.pack("<I", len(data)), data]
    return b"".join(parts)


def decoded_text(data: bytes) -> list[str]:
    """The texts of a vlen-utf8 chunk; ValueError if it is incomplete."""
    try:
        (count,) = struct.unpack_from("<I", data)
        texts, at = [], 4
        for _ in range(count):
            (size,) = struct.unpack_from("<I", data, at)
            text = data[at + 4 : at + 4 + size]
            if len(text) != size:
                raise ValueError("a text is cut off")
            texts.append(text.decode("utf-8"))
            at += 4 + size
    except struct.error:
        raise ValueError("a chunk of texts is cut off") from None
    return texts


def put(root: Path, file: Path, data: bytes) -> None:
    """Write a file under a temporary name and move it to its place: at any instant it is whole or absent."""
    temporary = root / TEMPORARY / uuid.uuid4().hex
    try:
        temporary.write_bytes(data)
        os.replace(temporary, file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def put_json(root: Path, file: Path, document: dict[str, Any]) -> None:
    """Write a metadata document."""
    put(root, file, json.dumps(document, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def seal_metadata(document: dict[str, Any]) -> dict[str, Any]:
    """A group's metadata with the checksum of the rest of it."""
    seal = checksum(_canonical(document)).hex()
    return document | {"attributes": document["attributes"] | {SEAL: seal}}


def is_unsealed(document: dict[str, Any]) -> bool:
    """True if a group's metadata have changed since they were written. Raises TypeError for other data."""
    attributes = dict(document["attributes"])
    seal = attributes.pop(SEAL, None)
    expected = checksum(_canonical(document | {"attributes": attributes})).hex()
    return bool(seal != expected)


def _canonical(document: dict[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True).encode()

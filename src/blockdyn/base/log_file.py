"""Read logs, whose topics have their own times: PX4's ULog, bags of ROS, MAT files; nothing is executed."""

from __future__ import annotations

import io
import re
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .csv_file import unreadable
from .data_file import (
    STAMP,
    TIMES,
    DataFileError,
    Series,
    check_finite,
    check_increase,
    convert_to_seconds,
)
from .extras import remedy
from .mat_file import read_mat_series
from .words import inflect, nearest

LISTED = 60  # names of an error's list
FIELDS = 100_000  # numbers of a message: a definition may claim any
CHUNK = 2**28  # bytes that a packed part of a bag may take
LOG = "a log: .ulg of PX4, .bag, .mcap or .db3 of ROS, or .mat"


def read_log(file: Path, names: Sequence[str] | None, time: str, scale: float | None) -> dict[str, Series]:
    """The columns of a log by name; all columns of a MAT file if there are no `names`. Raises DataFileError.

    Times begin with the log. `time` names a field of the topics that is used in place of the usual time.
    """
    if not file.exists():
        raise DataFileError(str(file), "not readable: there is no such file", LOG)
    kind = file.suffix.lower()
    read = {".mat": read_mat_series, ".ulg": _ulog, ".ulog": _ulog}.get(kind, _bags)
    series = read(file, names, time, scale)
    for name, each in series.items():
        place = f"{file}, {name}"
        if not each.time.size:
            raise DataFileError(place, "there is no row", "at least one")
        check_finite(each.values, place)
        check_increase(
            each.time, [f"{place}, row {row + 1}" for row in range(each.time.size)], "times", events=True
        )
    return series


class Topic(NamedTuple):
    """A topic of a log: the names of its columns, its number of rows, and their first and last time, s."""

    name: str
    columns: list[str]
    rows: int
    first: float | None
    last: float | None


def read_topics(file: Path) -> list[Topic]:
    """The topics of a PX4 or ROS log; a bag's topics have no times. Raises DataFileError."""
    if file.suffix.lower() in (".ulg", ".ulog"):
        _need("pyulog", file)
        start, topics = _ulog_topics(file, None)
        result = []
        for name, data in topics.items():
            ticks = (data[STAMP].astype(np.int64) - start) / 1e6 if STAMP in data else np.zeros(0)
            ends = (float(ticks[0]), float(ticks[-1])) if ticks.size else (None, None)
            rows = max((len(column) for column in data.values()), default=0)
            result.append(Topic(name, [f"{name}.{part}" for part in data], rows, *ends))
        return result
    _need("rosbags", file)
    try:
        with ExitStack() as stack:
            readers = [stack.enter_context(_reader(part)) for part in _parts(file)]
            return [
                Topic(name, [f"{name}.{path}" for path in _paths(topic)], rows, None, None)
                for name, topic in _topics(readers).items()
                for rows in [sum(connection.msgcount for _, connection in topic.places)]
            ]
    except DataFileError:
        raise
    except Exception as error:  # noqa: BLE001  whatever another's reader raises for a broken file
        raise unreadable(file, error, LOG) from None


def no_column(file: Path, name: str | None, there: Sequence[str]) -> DataFileError:
    """The error for a name that a log lacks, with the names of the log, or of the intended topic."""
    topics = sorted({each.split(".")[0] for each in there})
    topic = next((each for each in topics if name and name.startswith((f"{each}.", f"{each}["))), "")
    names = [each for each in there if each.startswith(f"{topic}.")] if topic else topics
    if len(there) <= LISTED:
        names = list(there)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    kind = (
        "names of its columns" if names == there or topic else "a field, `topic.field`, of one of its topics"
    )
    actual = f"it has no column {name}" if name else f"it holds {inflect(len(topics), 'topic')}"
    hint = nearest(name, there) if name else ""
    return DataFileError(str(file), actual, f"{kind}: {', '.join(names[:LISTED])}{more}{hint}")


def _need(package: str, file: Path) -> None:
    if install := remedy(package):
        raise DataFileError(
            str(file), f"{package}, which reads {file.suffix or 'bags'}, is not installed", install
        )


# PX4: docs.px4.io/main/en/dev_log/ulog_file_format.html


def _ulog(file: Path, names: Sequence[str] | None, time: str, scale: float | None) -> dict[str, Series]:
    """Columns `topic.field`, `topic[1].field` of a second instance, over s since the start of the log."""
    _need("pyulog", file)
    start, topics = _ulog_topics(file, [re.split(r"[.\[]", name)[0] for name in names or ()])
    clock = STAMP if time == TIMES else time
    series = {}
    for name in names or [""]:
        topic, _, field = name.partition(".")
        if field not in topics.get(topic, ()) or clock not in topics[topic]:
            _, everything = _ulog_topics(file, None)
            there = [f"{each}.{part}" for each, data in everything.items() for part in data]
            raise no_column(file, f"{topic}.{clock}" if name in there else name, there)
        ticks = topics[topic][clock]
        if clock.startswith(STAMP):  # microseconds since the vehicle's start
            ticks = ticks.astype(np.int64) - start
        times = convert_to_seconds(ticks.astype(np.float64), f"{clock} [us]", scale, str(file))
        series[name] = Series(times, topics[topic][field].astype(np.float64))
    return series


def _ulog_topics(file: Path, names: list[str] | None) -> tuple[int, dict[str, dict[str, Any]]]:
    """The time of the start, microseconds, and the vectors of each topic by field. Raises DataFileError."""
    from pyulog import ULog

    try:
        with redirect_stdout(io.StringIO()):  # pyulog prints the faults of a file
            with file.open("rb") as stream:
                formats = ULog(stream, parse_header_only=True).message_formats
            sizes: dict[str, int] = {}
            for each in formats:
                _count_fields(formats, each, sizes)
            with file.open("rb") as stream:
                log = ULog(stream, names)
    except Exception as error:  # noqa: BLE001  whatever another's reader raises for a broken file
        raise unreadable(file, error, LOG) from None
    topics = {
        f"{each.name}[{each.multi_id}]" if each.multi_id else each.name: each.data for each in log.data_list
    }
    return int(log.start_timestamp), topics


def _count_fields(formats: Mapping[str, Any], name: str, sizes: dict[str, int], depth: int = 0) -> int:
    """The numbers of a message. Raises ValueError for too many, and for one that contains itself."""
    if depth > len(formats) or sizes.get(name, 0) > FIELDS:
        raise ValueError(f"the definition of {name[:60]} has more than {FIELDS} fields")
    if name not in formats:
        return 1
    if name not in sizes:
        parts = ((max(size, 1), kind) for kind, size, _ in formats[name].fields)
        sizes[name] = sum(size * _count_fields(formats, kind, sizes, depth + 1) for size, kind in parts)
        return _count_fields(formats, name, sizes, depth)
    return sizes[name]


# ROS: wiki.ros.org/Bags/Format/2.0, mcap.dev/spec, design.ros2.org/articles/mapping_dds_types.html. `rosbags`
# reads the containers and the definitions of messages; it would decode messages by code that it makes from
# these definitions, so they are decoded here.

TIME_TYPES = ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration")
NUMBERS = {
    "bool": "u1", "byte": "u1", "char": "u1", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2",
    "int32": "i4", "uint32": "u4", "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8",
}  # fmt: skip
PADDING = 3  # bytes after a message
PACKED = (b"BZh", b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd")  # bz2, lz4, zstd
Types = Mapping[str, Any]


class _Topic(NamedTuple):
    """A topic of bags: the type of its messages, the types in these, its readers with their connections."""

    kind: str
    types: Types
    places: list[tuple[Any, Any]]


def _bags(file: Path, names: Sequence[str] | None, time: str, scale: float | None) -> dict[str, Series]:
    """Columns `/topic.field.x` over s since the start of the bag: when each was recorded, or a field."""
    _need("rosbags", file)
    clock = "" if time == TIMES else time
    series = {}
    try:
        with ExitStack() as stack:
            readers = [stack.enter_context(_reader(part)) for part in _parts(file)]
            start = min(reader.start_time for reader in readers)
            topics = _topics(readers)
            fields: dict[str, list[str]] = {}
            for name in names or [""]:
                topic = max((each for each in topics if name.startswith(f"{each}.")), key=len, default="")
                if topic and topics[topic].kind not in topics[topic].types:
                    actual = f"its messages, {topics[topic].kind}, are not defined in it"
                    raise DataFileError(f"{file}, {topic}", actual, "a bag with definitions, such as mcap")
                paths = [name[len(topic) + 1 :], *([clock] if clock else [])]
                for path in paths:
                    if not topic or re.sub(r"\[\d+\]", "[i]", path) not in _paths(topics[topic]):
                        there = [
                            f"{each}.{part}" if part else f"{each} (not defined)"
                            for each in topics
                            for part in _paths(topics[each]) or [""]
                        ]
                        raise no_column(file, name and f"{topic}.{path}" if topic else name, there)
                fields.setdefault(topic, []).append(paths[0])
            for topic, paths in fields.items():
                stamps, columns = _columns(topics[topic], [*paths, *([clock] if clock else [])])
                times = np.array(stamps, np.int64)
                is_time = not clock or isinstance(columns[clock][0], _Nanoseconds)
                if clock:
                    times = np.array(columns[clock])
                seconds = (
                    (times - start) / 1e9
                    if is_time
                    else convert_to_seconds(times.astype(np.float64), clock, scale, str(file))
                )
                for path in paths:
                    values = columns[path]
                    unit = 1e9 if values and isinstance(values[0], _Nanoseconds) else 1.0
                    series[f"{topic}.{path}"] = Series(seconds, np.array(values, np.float64) / unit)
    except DataFileError:
        raise
    except Exception as error:  # noqa: BLE001  whatever another's reader raises for a broken file
        raise unreadable(file, error, LOG) from None
    return series


def _parts(file: Path) -> list[Path]:
    """The files of a bag: itself, or, of a folder, those in it."""
    if not file.is_dir():
        return [file]
    parts = sorted(part for kind in (".mcap", ".db3", ".bag") for part in file.glob(f"*{kind}"))
    if not parts:
        packed = any(file.glob("*.zstd"))
        actual = "its files are packed as a whole" if packed else "a folder without files of a bag"
        raise DataFileError(str(file), actual, "unpack them, `zstd -d *.zstd`" if packed else LOG)
    return parts


def _reader(file: Path) -> Any:
    """The reader of one file, with packed parts of a bounded size."""
    from rosbags.rosbag1 import Reader as Reader1
    from rosbags.rosbag2 import Reader as Reader2

    @contextmanager
    def open_bag() -> Iterator[Any]:
        if file.suffix.lower() == ".mcap":
            _check_chunks(file)
        with Reader1(file) if file.suffix.lower() == ".bag" else Reader2(file) as reader:
            if isinstance(reader, Reader1):
                chunks = {
                    place: chunk._replace(decompressor=_unpack) for place, chunk in reader.chunks.items()
                }
                reader.chunks = chunks
            yield reader

    return open_bag()


def _check_chunks(file: Path) -> None:
    """Unpack the packed parts of an mcap file, so that their size is checked. Raises ValueError."""
    with file.open("rb") as stream:
        stream.seek(8)  # the mark of the format
        while len(head := stream.read(9)) == 9:
            size = int.from_bytes(head[1:], "little")
            if head[0] == 6:  # an operation code: a chunk
                if size > CHUNK:
                    raise ValueError(f"a part has more than {CHUNK} bytes")
                body = stream.read(size)
                (name,) = struct.unpack_from("<I", body, 28)
                if name:
                    _unpack(body[40 + name :])
            else:
                stream.seek(size, 1)


def _unpack(data: bytes) -> bytes:
    """Decompress bz2, lz4 or zstd data; return other data unchanged. Raises ValueError for too many."""
    import bz2

    from lz4.frame import LZ4FrameDecompressor

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor
    else:
        from backports.zstd import ZstdDecompressor

    for mark, kind in zip(PACKED, (bz2.BZ2Decompressor, LZ4FrameDecompressor, ZstdDecompressor), strict=True):
        if data.startswith(mark):
            unpacker = kind()
            content: bytes = unpacker.decompress(data, CHUNK)
            if not unpacker.eof:
                raise ValueError(f"a packed part has more than {CHUNK} bytes, or is cut off")
            return content
    return data


def _topics(readers: Sequence[Any]) -> dict[str, _Topic]:
    """The topics by name, each with the type of its first connection."""
    topics: dict[str, _Topic] = {}
    for reader in readers:
        for connection in reader.connections:
            kind = connection.msgtype
            if connection.topic not in topics:
                topics[connection.topic] = _Topic(kind, _types(kind, connection.msgdef), [])
            if topics[connection.topic].kind == kind:
                topics[connection.topic].places.append((reader, connection))
    return topics


def _types(kind: str, definition: Any) -> Types:
    """The types in a message as the bag defines them, or else as ROS 2 Humble does; empty if unreadable."""
    from rosbags.interfaces import MessageDefinitionFormat as Form
    from rosbags.typesys import Stores, TypesysError, get_types_from_idl, get_types_from_msg, get_typestore

    try:
        if definition.format == Form.MSG:
            return get_types_from_msg(definition.data, kind)
        if definition.format == Form.IDL:
            parts = [part for part in re.split(r"={80}\n(?:IDL: .*\n)?", definition.data) if part.strip()]
            return {name: each for part in parts for name, each in get_types_from_idl(part).items()}
    except TypesysError:  # the other topics of the bag stay readable
        return {}
    usual: Types = get_typestore(Stores.ROS2_HUMBLE).fielddefs
    return usual


def _paths(topic: _Topic) -> list[str]:
    """The paths of the numbers in a message, `angular_velocity.x`, `position[i]`."""
    paths: list[str] = []

    def visit(kind: str, path: str, depth: int) -> None:
        if depth > len(topic.types) or len(paths) > FIELDS:
            raise ValueError(f"the definition of {topic.kind[:60]} has more than {FIELDS} fields")
        if kind in NUMBERS or kind in TIME_TYPES:
            paths.append(path)
        if kind in topic.types:
            for field, description in topic.types[kind][1]:
                inner, size = _element(description)
                below = f"{path}.{field}" if path else field
                visit(inner, below if size is None else f"{below}[i]", depth + 1)

    visit(topic.kind, "", 0)
    return paths


def _element(description: Any) -> tuple[str, int | None]:
    """The type of a field or of its elements, and their number: None if it is not a list, -1 if it varies."""
    from rosbags.interfaces import Nodetype

    node, content = description
    if node == Nodetype.BASE:
        return content[0], None
    if node == Nodetype.NAME:
        return content, None
    return _element(content[0])[0], content[1] if node == Nodetype.ARRAY else -1


def _columns(topic: _Topic, paths: Sequence[str]) -> tuple[list[int], dict[str, list[Any]]]:
    """The times of recording, ns, and the numbers at these paths, of each message. Raises ValueError."""
    from rosbags.rosbag1 import Reader as Reader1

    rows = []
    for reader, connection in topic.places:
        for _, stamp, data in reader.messages(connections=[connection]):
            message = _Message(data, topic.types, {*paths}, is_cdr=not isinstance(reader, Reader1))
            message.read(topic.kind, "")
            if not 0 <= len(message.data) - message.place <= (PADDING if message.is_cdr else 0):
                raise ValueError(f"a message of {connection.topic} does not have the length of {topic.kind}")
            for path in paths:
                if path not in message.values:
                    raise ValueError(f"a message of {connection.topic} ends before {path}")
            rows.append((stamp, message.values))
    rows.sort(key=itemgetter(0))
    return [stamp for stamp, _ in rows], {path: [values[path] for _, values in rows] for path in paths}


class _Nanoseconds(int):
    """A time of ROS, ns."""


class _Message:
    """Numbers of one message by path: XCDR 1 of ROS 2, with aligned numbers, or the packed form of ROS 1."""

    def __init__(self, data: bytes, types: Types, paths: set[str], *, is_cdr: bool) -> None:
        if is_cdr and data[:2] not in (b"\0\0", b"\0\1"):
            raise ValueError(f"a message is encoded in another way than plain CDR: {data[:2]!r}")
        self.order = ">" if is_cdr and data[1] == 0 else "<"
        self.data, self.types, self.paths, self.is_cdr = data[4:] if is_cdr else data, types, paths, is_cdr
        self.lists = {path.partition("[")[0] for path in paths if "[" in path}
        self.values: dict[str, Any] = {}
        self.place = 0

    def number(self, kind: str) -> Any:
        """The number at this place."""
        return self.numbers(kind, 1)[0]

    def numbers(self, kind: str, count: int) -> Any:
        """Consecutive numbers."""
        code = np.dtype(self.order + NUMBERS[kind])
        if self.is_cdr and count:
            self.place += -self.place % code.itemsize
        numbers = np.frombuffer(self.data, code, count, self.place) if count else np.zeros(0)
        self.place += count * code.itemsize
        return numbers

    def read(self, kind: str, path: str) -> None:
        """Read a value of this type; the numbers at `paths` are kept."""
        if kind in NUMBERS:
            value = self.number(kind)
            if path in self.paths:
                self.values[path] = value
        elif kind in TIME_TYPES:
            seconds = self.number("int32" if self.is_cdr or kind != TIME_TYPES[0] else "uint32")
            parts = (
                int(seconds),
                int(self.number("uint32" if self.is_cdr or kind == TIME_TYPES[0] else "int32")),
            )
            named = (
                (path, _Nanoseconds(parts[0] * 10**9 + parts[1])),
                (f"{path}.sec", parts[0]),
                (f"{path}.nanosec", parts[1]),
            )
            self.values |= {name: value for name, value in named if name in self.paths}
        elif kind == "string":
            length = int(self.number("uint32"))
            self.place += length
        elif kind in self.types:
            fields = self.types[kind][1]
            for field, description in fields:
                self.read_field(description, f"{path}.{field}" if path else field)
            if not fields and self.is_cdr:
                self.place += 1
        else:
            raise ValueError(f"the definition of {kind[:60]} is missing, or its numbers are not supported")

    def read_field(self, description: Any, path: str) -> None:
        """Read a field: a value, or a list of them."""
        kind, size = _element(description)
        if size is None:
            return self.read(kind, path)
        count = int(self.number("uint32")) if size < 0 else size
        if count > len(self.data) - self.place + 1:
            raise ValueError(f"{path} claims {count} elements, more than the message has bytes")
        if kind in NUMBERS:
            numbers = self.numbers(kind, count)
            if path in self.lists:
                named = ((f"{path}[{i}]", value) for i, value in enumerate(numbers))
                self.values |= {name: value for name, value in named if name in self.paths}
            return None
        for i in range(count):
            self.read(kind, f"{path}[{i}]")
        return None

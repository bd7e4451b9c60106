"""Open the file of an FMU within limits, and unpack the library and resources that a run needs."""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import shutil
import stat
import sys
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from .description import Description, FmuError, read_description

DESCRIPTION = "modelDescription.xml"
MOST_FILES = 20_000
LARGEST_DESCRIPTION = 256 * 2**20  # bytes
LARGEST = 2 * 2**30  # bytes of all files that are unpacked
RATIO = 200  # largest compression ratio; repetitive text reaches 100
ANY_RATIO = 16 * 2**20  # bytes: smaller files may have any ratio
PIECE = 2**20
_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "darwin"}
_PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_OLD_SYSTEMS = {"linux": "linux", "windows": "win", "darwin": "darwin"}
_SUFFIXES = {"linux": ".so", "windows": ".dll", "darwin": ".dylib"}
_lock = threading.Lock()
_read: dict[tuple[int, ...], Description] = {}
_unpacked: dict[tuple[int, ...], Path] = {}
_libraries: dict[tuple[int | str, ...], str] = {}


def description_of(file: str) -> Description:
    """The description in an FMU's file; it is read again when the file has changed. Raises FmuError."""
    key = identity(file)
    if key not in _read:
        with _opened(file) as archive:
            if DESCRIPTION not in archive.namelist():
                raise FmuError(file, f"it holds no {DESCRIPTION}", "an FMU")
            data = b"".join(_pieces(file, archive, archive.getinfo(DESCRIPTION), LARGEST_DESCRIPTION))
        _read[key] = read_description(file, data)
    return _read[key]


def library_name(file: str, description: Description, kind: str) -> str:
    """The name of this machine's library in the archive. Raises FmuError if there is none."""
    key: tuple[int | str, ...] = (*identity(file), kind)
    if key in _libraries:
        return _libraries[key]
    attributes = description.kinds[kind]
    if attributes.get("needsExecutionTool") == "true":
        problem = "during a run it needs the tool that has exported it (needsExecutionTool)"
        raise FmuError(file, problem, "an FMU that holds its own code: export it as a standalone one")
    system, processor = this_platform()
    word = f"{_OLD_SYSTEMS[system]}{64 if ctypes.sizeof(ctypes.c_void_p) == 8 else 32}"
    places = [f"{processor}-{system}"]
    if description.version == 2 and processor == "x86_64":
        places.insert(0, word)
    ending = f"/{attributes['modelIdentifier']}{_SUFFIXES[system]}"
    with _opened(file) as archive:
        names = set(archive.namelist())
    for place in places:
        if f"binaries/{place}{ending}" in names:
            _libraries[key] = f"binaries/{place}{ending}"
            return _libraries[key]
    parts = (name.split("/") for name in names)
    held = sorted({part[1] for part in parts if len(part) > 2 and part[0] == "binaries"})
    code = sorted({part.partition("/")[0] for part in names})
    problem = f"it holds no library for this machine, {places[0]}"
    if held:
        problem += f", but for {', '.join(held)}"
        if all(name.endswith("32") or name.startswith("x86-") for name in held):
            problem += ", which is 32-bit"
    elif "sources" in code:
        problem += ", only its source code"
    raise FmuError(file, problem, f"binaries/{places[0]}{ending}: export it for this platform")


def this_platform() -> tuple[str, str]:
    """System and processor, as FMI 3.0 names them."""
    machine = platform.machine().lower()
    return _SYSTEMS.get(sys.platform, sys.platform), _PROCESSORS.get(machine, machine)


def unpacked(file: str, library: str) -> Path:
    """A folder, owned by this process, with the library and the resources of an FMU. Raises FmuError."""
    key = identity(file)
    with _lock:
        if key not in _unpacked:
            folder = Path(tempfile.mkdtemp(prefix="blockdyn-fmu-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            with _opened(file) as archive:
                _unpack(file, archive, folder, (f"{library.rpartition('/')[0]}/", "resources/"))
            (folder / "resources").mkdir(exist_ok=True)
            _unpacked[key] = folder
        folder = _unpacked[key]
        if not (folder / library).exists():  # the other kind of the same FMU
            with _opened(file) as archive:
                _unpack(file, archive, folder, (library,))
        return folder


def identity(file: str) -> tuple[int, ...]:
    """Numbers that change when a file changes. Raises FmuError."""
    try:
        status = os.stat(file)
    except OSError as error:
        raise FmuError(file, f"it cannot be read: {error.strerror}", "the path of an FMU") from None
    if not stat.S_ISREG(status.st_mode):
        raise FmuError(file, "it is not a file", "the path of an FMU, a zip archive")
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _opened(file: str) -> zipfile.ZipFile:
    """The archive, whose names have been checked. Raises FmuError."""
    try:
        archive = zipfile.ZipFile(file)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise FmuError(file, f"it is not a zip archive: {error}", "an FMU") from None
    infos = archive.infolist()
    wrong = f"more than {MOST_FILES} files" if len(infos) > MOST_FILES else ""
    for info in infos[: MOST_FILES + 1]:
        parts = info.filename.replace("\\", "/").split("/")
        if ".." in parts or info.filename.startswith(("/", "\\")) or ":" in parts[0]:
            wrong = wrong or f"the file `{info.filename:.80}` in it leads out of the archive"
        if stat.S_ISLNK(info.external_attr >> 16):
            wrong = wrong or f"`{info.filename:.80}` in it is a link"
        if info.flag_bits & 1:
            wrong = wrong or f"`{info.filename:.80}` in it is encrypted"
    if wrong:
        archive.close()
        raise FmuError(file, wrong, "an archive of plain files")
    return archive


def _pieces(file: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    """The unpacked content of a file in an archive, limited by its real size, not the declared one."""
    size = 0
    try:
        with archive.open(info) as stream:
            while piece := stream.read(PIECE):
                size += len(piece)
                if size > most or size > max(RATIO * info.compress_size, ANY_RATIO):
                    raise FmuError(file, f"`{info.filename:.80}` in it unpacks to over {size} bytes", "less")
                yield piece
    except (OSError, EOFError, zipfile.BadZipFile, NotImplementedError, zlib.error) as error:
        raise FmuError(file, f"`{info.filename:.80}` in it is damaged: {error}", "a sound archive") from None


def _unpack(file: str, archive: zipfile.ZipFile, folder: Path, begins: tuple[str, ...]) -> None:
    room = LARGEST
    for info in archive.infolist():
        if info.is_dir() or not info.filename.startswith(begins):
            continue
        place = folder / info.filename
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as target:
            for piece in _pieces(file, archive, info, room):
                room -= len(piece)
                target.write(piece)
        if info.external_attr >> 16 & stat.S_IXUSR:
            place.chmod(0o700)

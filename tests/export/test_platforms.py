"""One FMU for all platforms has the bits of this machine's library on each, in the hands of an importer in C.

Windows is Wine, aarch64 is qemu. The libraries for macOS run here too, where `flat` and the importer take the
part of its loader; whether macOS itself loads them is not tested.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.export.errors import ExportError
from blockdyn.export.fmu.platforms import PLATFORMS, ROUNDING, WINDOWS_LIBRARY
from blockdyn.native.engine import load_object, object_of

from .units import RUNS_HERE, ball

STEPS, STEP = 40, 0.05
HERE = Path(__file__).parent
STRICT = ("-O1", "-w", "-ffp-contract=off", "-fno-sanitize=undefined")
KERNEL32 = "LoadLibraryA GetProcAddress CreateFileA ReadFile WriteFile CloseHandle ExitProcess"
FOLDERS = {"x86_64-linux": "linux64", "x86_64-windows": "win64", "x86_64-darwin": "darwin64"}
LIBRARIES = "-Wl,--no-as-needed", "-ldl", "-lm"  # the last one for `MACOS`
ARM = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
pytestmark = [RUNS_HERE, pytest.mark.xdist_group("fmu")]


@dataclass(frozen=True)
class Machine:
    """A platform, the compiler of the importer for it, and the command that runs it."""

    platform: str
    compiler: tuple[str, ...]
    command: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The programs that are not installed."""
        tools = [*self.compiler[:1], *self.command[:1]]
        return [tool for tool in tools if shutil.which(tool) is None] + ["ziglang"] * (not LINKS)


LINKS = importlib.util.find_spec("ziglang") is not None
MACHINES = (
    Machine("x86_64-linux", ("gcc",), ()),
    Machine("aarch64-linux", ("aarch64-linux-gnu-gcc",), ARM),
    Machine("x86_64-windows", (), ("wine",)),
    Machine("x86_64-darwin", ("gcc", "-DMACOS"), ()),
    Machine("aarch64-darwin", ("aarch64-linux-gnu-gcc", "-DMACOS"), ARM),
)


def busy() -> bd.Diagram:
    """A heater with noise, a delay, a table, a relay, rounding and a sampled controller."""
    d = bd.Diagram("busy", parameters={"gain": 4.0})
    heat = d.add("heat", bd.TransferFunction([1.0], [0.5, 1.0]))
    d.add("noise", bd.BandLimitedWhiteNoise(sample_time=0.05, power=0.01))
    d.add("pid", bd.DiscretePID(sample_time=0.1, kp=bd.expression("gain"), ki=1.0))
    d.add("table", bd.Lookup1D([-9.0, 0.0, 1.0, 9.0], [2.0, 1.0, 0.3, 0.0]))
    d.add("sum", bd.Sum("+++"))
    d.connect(
        heat, d.add("late", bd.TransportDelay(0.13)), "table", d.add("sine", bd.Trigonometry("sin")), "sum[0]"
    )
    d.connect("table", d.add("relay", bd.Relay(switch_on=0.6, switch_off=0.4)), "sum[1]")
    d.connect("noise", d.add("whole", bd.Round("floor")), "sum[2]")
    d.connect("sum", "pid", [heat, d.add("command", bd.Outport())])
    d.connect("noise", d.add("y", bd.Outport()))
    d.settings(stop=3.0, method="dopri5", rtol=1e-9, atol=1e-12)
    return d


class Work:
    """Two exported FMUs in a folder, and the rows that the importer writes on each machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rows = folder, dict[str, list[Any]]()
        self.environment = os.environ | {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
        self.environment |= {f"ZIG_{kind}_CACHE_DIR": str(folder / "zig") for kind in ("GLOBAL", "LOCAL")}
        self.files = [
            ball().export_fmu(folder / "ball.fmu", fmi=3, platforms=["all"]).file,
            busy().export_fmu(folder / "busy.fmu", type="cs", platforms=["all"]).file,
        ]
        for file in self.files:
            with zipfile.ZipFile(file) as archive:
                archive.extractall(folder / file.stem)

    def run(self, machine: Machine) -> list[Any]:
        """The rows of each job, one for each step and one for messages."""
        if machine.platform not in self.rows:
            jobs = [job for file in self.files for job in self._jobs(file, machine)]
            (self.folder / "jobs").write_bytes(b"".join(job for job, _ in jobs))
            self._call(*machine.command, self._compile(machine))
            numbers, rows = np.fromfile(self.folder / "rows"), []
            for _, variables in jobs:
                count = variables * (STEPS + 1)
                rows.append(numbers[:count].reshape(STEPS + 1, variables))
                numbers = numbers[count:]
            assert numbers.size == 0
            self.rows[machine.platform] = rows
        return self.rows[machine.platform]

    def _jobs(self, file: Path, machine: Machine) -> Iterator[tuple[bytes, int]]:
        """The jobs of a file and their numbers of variables."""
        place, platform = self.folder / file.stem, machine.platform
        root = ElementTree.parse(place / "modelDescription.xml").getroot()
        two = root.get("fmiVersion") == "2.0"
        (library,) = (place / "binaries" / (FOLDERS.get(platform, platform) if two else platform)).iterdir()
        if library.suffix == ".dylib":
            library = _flattened(library, machine)
        identity = root.get("guid") or root.get("instantiationToken") or ""
        variables = len(list(root.find("ModelVariables") or ()))
        states = len(root.findall("ModelStructure/ContinuousStateDerivative"))
        crossings = len(root.findall("ModelStructure/EventIndicator"))
        for exchange, kind in enumerate(("CoSimulation", "ModelExchange")):
            if root.find(kind) is not None:
                name = str(library.relative_to(self.folder)).encode()
                numbers = (2 if two else 3, exchange, states, crossings, variables, STEPS, STEP)
                yield struct.pack("<256s64s6qd", name, identity.encode(), *numbers), variables

    def _compile(self, machine: Machine) -> str:
        """The importer for a machine."""
        source, program = HERE / "importer.c", f"./{machine.platform}"
        if machine.compiler:
            self._call(*machine.compiler, *STRICT, source, "-o", program, *LIBRARIES)
            return program
        zig = sys.executable, "-m", "ziglang"
        (self.folder / "system.def").write_text(
            "\n".join(["LIBRARY kernel32.dll", "EXPORTS", *KERNEL32.split()])
        )
        free = (
            "-target",
            "x86_64-windows-gnu",
            "-ffreestanding",
            "-fno-sanitize=undefined",
            "-fno-stack-protector",
        )
        self._call(*zig, "cc", *STRICT, *free, "-c", source, "-o", "importer.obj")
        self._call(*zig, "dlltool", "-m", "i386:x86-64", "-d", "system.def", "-l", "system.lib")
        options = "/entry:start", "/subsystem:console", "/nodefaultlib", "/out:importer.exe"
        self._call(*zig, "lld-link", *options, "importer.obj", "system.lib")
        return "importer.exe"

    def _call(self, *command: str | Path) -> None:
        words = [*map(str, command)]
        subprocess.run(
            words, check=True, cwd=self.folder, env=self.environment, capture_output=True, timeout=100
        )


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    return Work(tmp_path_factory.mktemp("platforms"))


# ---- libraries of macOS ----

SEGMENT, SYMBOLS, INDIRECT, REBASES = 0x19, 0x2, 0xB, 0x80000022  # commands of a loader
POINTERS = 6, 7  # kinds of sections with addresses of imported functions
HERE_NAMED = {b"___bzero": b"bzero"}
UNDEFINED, DEFINED = 0x01, 0x0F  # a symbol of another library, one for other libraries


def _slice(data: bytes, machine: Machine) -> bytes:
    """The part of a universal file for a processor."""
    magic, count = struct.unpack_from(">II", data)
    if magic != 0xCAFEBABE:
        return data
    slices = [struct.unpack_from(">5I", data, 8 + 20 * k) for k in range(count)]
    processor = 0x01000007 if machine.platform.startswith("x86_64") else 0x0100000C
    (found,) = (each for each in slices if each[0] == processor)
    return data[found[2] : found[2] + found[3]]


def _flattened(library: Path, machine: Machine) -> Path:
    """The memory of a library for macOS, with the places of addresses, imports and exports, as a file."""
    data = _slice(library.read_bytes(), machine)
    commands, at = {}, 32
    segments: list[tuple[int, ...]] = []
    sections: list[tuple[int, ...]] = []
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        kind, size = struct.unpack_from("<II", data, at)
        commands[kind] = struct.unpack_from(f"<{size // 4 - 2}I", data, at + 8)
        if kind == SEGMENT:
            segments.append(struct.unpack_from("<4Q", data, at + 24))
            count = struct.unpack_from("<I", data, at + 64)[0]
            sections += [struct.unpack_from("<QQ8I", data, at + 72 + 80 * k + 32) for k in range(count)]
        at += size
    memory = bytearray(max(place + size for place, size, _, _ in segments))
    for place, _, start, size in segments:
        memory[place : place + size] = data[start : start + size]
    symbols = []
    first, count, texts = commands[SYMBOLS][:3]
    for k in range(count):
        name, kind, _, _, value = struct.unpack_from("<IBBHQ", data, first + 16 * k)
        symbols.append((data[texts + name : data.index(0, texts + name)], kind, value))
    table = commands[INDIRECT][12]
    imports = []
    for place, size, *more in sections:
        for k in range(size // 8 if more[4] & 0xFF in POINTERS else 0):
            (index,) = struct.unpack_from("<I", data, table + 4 * (more[5] + k))
            name, kind, _ = symbols[index]
            if kind == UNDEFINED and name.startswith(b"_"):  # not the function that binds later
                imports.append((place + 8 * k, HERE_NAMED.get(name, name[1:])))
    exports = [(value, name[1:]) for name, kind, value in symbols if kind == DEFINED]
    start, size = commands[REBASES][:2]
    bound = {place for place, _ in imports}
    rebases = [p for p in _rebases(data[start : start + size], [s[0] for s in segments]) if p not in bound]
    flat = struct.pack("<4q", len(memory), len(rebases), len(imports), len(exports)) + memory
    flat += struct.pack(f"<{len(rebases)}q", *rebases)
    flat += b"".join(struct.pack("<q56s", *each) for each in (*imports, *exports))
    out = library.with_suffix(f".{machine.platform}")
    out.write_bytes(flat)
    return out


def _rebases(code: bytes, segments: Sequence[int]) -> Iterator[int]:
    """The places of addresses, from the loader's opcodes (Apple, mach-o/loader.h, REBASE_OPCODE_...)."""
    i = place = 0

    def number() -> int:
        nonlocal i
        value = shift = 0
        while True:
            i += 1
            value |= (code[i - 1] & 0x7F) << shift
            shift += 7
            if code[i - 1] < 0x80:
                return value

    while i < len(code):
        opcode, small = code[i] & 0xF0, code[i] & 0xF
        i += 1
        times, skip = 0, 0
        if opcode == 0x20:
            place = segments[small] + number()
        elif opcode == 0x30:
            place += number()
        elif opcode == 0x40:
            place += 8 * small
        elif opcode == 0x50:
            times = small
        elif opcode == 0x60:
            times = number()
        elif opcode == 0x70:
            times, skip = 1, number()
        elif opcode == 0x80:
            times = number()
            skip = number()
        elif opcode == 0:
            return
        for _ in range(times):
            yield place
            place += 8 + skip


# ---- tests ----


@pytest.mark.parametrize("machine", MACHINES[1:], ids=lambda machine: machine.platform)
def test_a_library_of_another_platform_has_the_bits_of_this_one(
    machine: Machine, request: pytest.FixtureRequest
) -> None:
    """In Model Exchange and Co-Simulation, by FMI 2.0 and 3.0; messages arrive in the importer, too."""
    if missing := {*machine.missing, *MACHINES[0].missing}:
        pytest.skip(f"without {', '.join(sorted(missing))}")
    work: Work = request.getfixturevalue("work")
    for ours, theirs in zip(work.run(MACHINES[0]), work.run(machine), strict=True):
        assert np.sum(np.ptp(ours[:-1], axis=0) > 0.0) >= 5  # signals that change
        np.testing.assert_array_equal(ours[:-1].view(np.int64), theirs[:-1].view(np.int64))
        assert machine.platform == "aarch64-darwin" or theirs[-1, 0] == ours[-1, 0] > 0.0


def test_the_functions_in_a_library_for_windows_are_those_of_c() -> None:
    """Rounding on both sides of halves and of 2^52, to the sign of zero; copies that overlap."""
    declared = "\n".join(
        f"declare double @llvm.{name}" for name in ("fabs.f64(double)", "copysign.f64(double, double)")
    )
    text = declared + "\n" + WINDOWS_LIBRARY[WINDOWS_LIBRARY.index("define i64 @strlen") :]
    renamed = re.sub(r"(define|call) (\w+) @(?!llvm)(\w+)", r"\1 \2 @tested_\3", text)
    names = [f"tested_{name}" for name in (*ROUNDING, "memmove", "memcpy", "memset", "strlen")]
    code = load_object(object_of(renamed, [], names), names)
    halves = np.arange(-8.0, 8.25, 0.25)
    large = 2.0**52 + np.arange(-3.0, 3.0, 0.5)
    special = -0.0, np.inf, -np.inf, np.nan, 5e-324, 1e300
    numbers = [*halves, *np.nextafter(halves, 9.0), *np.nextafter(halves, -9.0), *large, *-large, *special]
    for name in ROUNDING:
        call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.addresses[f"tested_{name}"])
        c = getattr(ctypes.CDLL("libm.so.6"), name)
        c.restype, c.argtypes = ctypes.c_double, [ctypes.c_double]
        results, expected = np.array([call(x) for x in numbers]), np.array([c(x) for x in numbers])
        np.testing.assert_array_equal(results, expected, name)
        np.testing.assert_array_equal(np.signbit(results), np.signbit(expected), name)
    data = np.arange(100, dtype=np.uint8) + 1
    move = ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 2, ctypes.c_size_t)
    for name, to, source, count in (("memmove", 3, 10, 70), ("memmove", 10, 3, 71), ("memcpy", 40, 0, 37)):
        expected = data.copy()
        expected[to : to + count] = data[source : source + count]
        moved = data.copy()
        at = moved.ctypes.data
        assert move(code.addresses[f"tested_{name}"])(at + to, at + source, count) == at + to
        np.testing.assert_array_equal(moved, expected)
    fill = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)
    fill(code.addresses["tested_memset"])(data.ctypes.data + 1, 0x107, 37)
    np.testing.assert_array_equal(data, [1, *[7] * 37, *range(39, 101)])
    length = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_char_p)(code.addresses["tested_strlen"])
    assert [length(text) for text in (b"", b"abc")] == [0, 3]


def test_an_unknown_platform_and_a_missing_linker_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ExportError, match="win64") as error:
        ball().export_fmu(tmp_path / "ball.fmu", platforms=["x86_64-linux", "win64"])
    assert all(platform in str(error.value) for platform in PLATFORMS)
    monkeypatch.setattr("blockdyn.export.fmu.platforms.remedy", lambda package: f"install {package}")
    with pytest.raises(ExportError, match=r"x86_64-windows.*\n.*install ziglang"):
        ball().export_fmu(tmp_path / "ball.fmu", platforms=["x86_64-windows"])
    ball().export_fmu(tmp_path / "ball.fmu", platforms=["x86_64-linux"])

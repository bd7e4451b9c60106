"""Link the libraries of an FMU for the platforms, processors with a system, that run it.

Linux on x86-64 needs no linker but `export.elf`. The objects for other platforms come from LLVM, too. LLD and
Zig of the package ziglang link them; these compile nothing. A library for Windows imports three functions of
the system, and of its C library only mathematical functions that a diagram calls.

Sources: Functional Mock-up Interface 2.0.5, section 2.3, and 3.0.1, section 2.5.1.4 (names of platforms);
Microsoft, x64 prolog and epilog (probes of the stack); Apple, mach-o/fat.h (universal files).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import environ
from pathlib import Path
from subprocess import run
from sys import executable
from tempfile import TemporaryDirectory
from typing import Any

from ...base.extras import remedy
from ...native.elementary import definitions
from ...native.engine import join_module
from ...native.kernel import Kernel
from ...native.target import Target, optimise
from .. import elf
from ..errors import ExportError

LINUX = Target("x86_64-unknown-linux-gnu", relocation="pic")
WITHOUT_LINKER = "x86_64-linux"
C_LIBRARY = frozenset(("calloc", "free", "malloc", "memcpy", "memmove", "memset", "strlen"))
ROUNDING = frozenset(("floor", "ceil", "trunc", "rint", "nearbyint", "round"))
MATHEMATICS = ROUNDING | {"asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "tgamma", "lgamma", "ldexp"}
LEVEL = 2  # of LLVM's effort
MACOS = "11.0"  # the first version for both processors
FAT, SLICE = (
    0xCAFEBABE,
    14,
)  # the magic number of universal files, the binary logarithm of a slice's alignment


@dataclass(frozen=True)
class Platform:
    """A processor and its system.

    suffix  of its libraries
    two     its folder in files of FMI 2.0; that of FMI 3.0 is its name
    link    the library of objects that exports names, with the name of its file. Raises ExportError
    """

    target: Target
    suffix: str
    two: str
    link: Callable[[str, Sequence[bytes], Sequence[str], str], bytes]


def check_platforms(name: str, platforms: Sequence[str]) -> list[str]:
    """The platforms, each once. Raises ExportError if one is unknown or the package that links is missing."""
    unknown = [(each, "not a platform of FMUs") for each in platforms if each not in (*PLATFORMS, "all")]
    if unknown or not platforms:
        raise ExportError(name, unknown or [("platforms", "none")], f"{', '.join(PLATFORMS)}, or all")
    chosen = [*PLATFORMS] if "all" in platforms else [*dict.fromkeys(platforms)]
    linked = [(each, "no linker") for each in chosen if each != WITHOUT_LINKER]
    if linked and (missing := remedy("ziglang")):
        raise ExportError(name, linked, f"{missing}, or {WITHOUT_LINKER} alone")
    return chosen


def libraries(
    diagram: str, objects: Mapping[str, Sequence[bytes]], exports: Sequence[str], name: str, fmi: int
) -> dict[str, bytes]:
    """The libraries by their paths in the file, from the objects by platform. Raises ExportError.

    The standard FMI 2.0 has one folder for macOS, which tools read on both of its processors.
    """
    files, mac = {}, {}
    for platform, codes in objects.items():
        form = PLATFORMS[platform]
        library = form.link(diagram, codes, exports, f"{name}{form.suffix}")
        folder = form.two if fmi == 2 else platform
        files[f"binaries/{folder}/{name}{form.suffix}"] = library
        if form.suffix == ".dylib":
            mac[folder] = library
    if fmi == 2 and len(mac) > 1:
        files[f"binaries/darwin64/{name}.dylib"] = universal([*mac.values()])
    return files


def optimised(text: str, kernels: list[Kernel], names: Sequence[str], exports: Sequence[str]) -> bytes:
    """LLVM's bitcode of a text with its kernels, the same for all platforms, so that runs have equal bits.

    names    the symbols for other objects
    exports  the symbols for users of the library
    """
    machine = LINUX.machine(LEVEL)
    module = join_module(text, kernels, names, LINUX, machine)
    definitions.link(module)
    optimise(module, machine, LEVEL)
    for item in (*module.functions, *module.global_variables):
        if item.name in names and item.name not in exports:
            item.visibility = "hidden"
    return bytes(module.as_bitcode())


def object_of_code(bitcode: bytes, target: Target) -> bytes:
    """Relocatable machine code."""
    import llvmlite.binding as llvm

    return _emit(llvm.parse_bitcode(bitcode), target)


def universal(libraries: Sequence[bytes]) -> bytes:
    """One file for macOS with a slice per processor."""
    head, at = struct.pack(">II", FAT, len(libraries)), 1 << SLICE
    body = bytearray(at)
    for library in libraries:
        kind = struct.unpack_from("<II", library, 4)  # processor and its model, in the library's own header
        head += struct.pack(">5I", *kind, len(body), len(library), SLICE)
        body += library + bytes(-len(library) % at)
    body[: len(head)] = head
    return bytes(body)


def _text_object(text: str, target: Target) -> bytes:
    """The object of a text, which stays as it is written: a copying loop does not become a call of itself."""
    import llvmlite.binding as llvm

    return _emit(llvm.parse_assembly(text), target)


def _emit(module: Any, target: Target) -> bytes:
    machine = target.machine(LEVEL)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))


# ---- linkers ----


def _link_here(diagram: str, codes: Sequence[bytes], exports: Sequence[str], name: str) -> bytes:
    imports = {*elf.imported_functions(codes)} - C_LIBRARY
    if unknown := sorted(imports - MATHEMATICS):
        obstacle = "the diagram", f"its code calls {', '.join(unknown)}, which no C library has"
        raise ExportError(diagram, [obstacle], "other functions")
    needed = ["libm.so.6", "libc.so.6"] if imports else ["libc.so.6"]
    return elf.link(codes, exports, needed=needed, name=name)


def _link_linux(diagram: str, codes: Sequence[bytes], exports: Sequence[str], name: str) -> bytes:
    """By LLD, with stand-ins for the libraries of the system: their names, and functions without content."""
    target = PLATFORMS["aarch64-linux"].target
    with TemporaryDirectory() as folder:
        files = _write(folder, codes)
        stand_ins = []
        for library, functions in (("libc.so.6", C_LIBRARY), ("libm.so.6", MATHEMATICS)):
            text = "\n".join(f"define void @{each}() {{\n  ret void\n}}" for each in sorted(functions))
            (empty,) = _write(folder, [_text_object(text, target)], library)
            stand_ins.append(f"{folder}/{library}")
            _call(diagram, folder, "ld.lld", "-shared", "-soname", library, "-o", stand_ins[-1], empty)
        options = (
            "-shared",
            "-soname",
            name,
            "-z",
            "defs",
            "-z",
            "noexecstack",
            "--hash-style=both",
            "--strip-all",
        )
        out = Path(folder) / "out"
        _call(diagram, folder, "ld.lld", *options, "-o", f"{out}", *files, "--as-needed", *stand_ins)
        return out.read_bytes()


def _link_windows(diagram: str, codes: Sequence[bytes], exports: Sequence[str], name: str) -> bytes:
    """By LLD, with the functions of the C library that code calls without its knowledge."""
    imported = {
        "kernel32.dll": ("GetProcessHeap", "HeapAlloc", "HeapFree"),
        "ucrtbase.dll": sorted(MATHEMATICS - ROUNDING),
    }
    with TemporaryDirectory() as folder:
        files = _write(folder, [*codes, _text_object(WINDOWS_LIBRARY, PLATFORMS["x86_64-windows"].target)])
        for library, functions in imported.items():
            definition, offered = Path(folder) / f"{library}.def", f"{folder}/{library}.lib"
            definition.write_text("\n".join([f"LIBRARY {library}", "EXPORTS", *functions, ""]))
            _call(diagram, folder, "dlltool", "-m", "i386:x86-64", "-d", str(definition), "-l", offered)
            files.append(offered)
        out = Path(folder) / name  # the name is written into the library, too
        options = "/dll", "/noentry", "/nodefaultlib", "/Brepro", "/noimplib", "/opt:ref", f"/out:{out}"
        _call(diagram, folder, "lld-link", *options, *(f"/export:{each}" for each in exports), *files)
        return out.read_bytes()


def _link_macos(diagram: str, codes: Sequence[bytes], exports: Sequence[str], name: str) -> bytes:
    """By Zig, which lists the functions of the system, and signs the file as the system requires."""
    (processor,) = struct.unpack_from("<I", codes[0], 4)
    triple = f"{'x86_64' if processor == 0x01000007 else 'aarch64'}-macos.{MACOS}"
    with TemporaryDirectory() as folder:
        out = Path(folder) / name
        options = "-dynamic", "-target", triple, "-fno-compiler-rt", "-fno-ubsan-rt", "-fstrip", "-lc"
        places = "--name", Path(name).stem, "-install_name", f"@rpath/{name}", f"-femit-bin={out}"
        _call(diagram, folder, "build-lib", *options, *places, *_write(folder, codes))
        return out.read_bytes()


def _write(folder: str, codes: Sequence[bytes], name: str = "part") -> list[str]:
    files = [Path(folder) / f"{name}{k}.o" for k in range(len(codes))]
    for file, code in zip(files, codes, strict=True):
        file.write_bytes(code)
    return [*map(str, files)]


def _call(diagram: str, folder: str, *command: str) -> None:
    """Call a tool of ziglang, which keeps nothing outside the folder. Raises ExportError."""
    places = {f"ZIG_{kind}_CACHE_DIR": folder for kind in ("GLOBAL", "LOCAL")}
    words = [executable, "-m", "ziglang", *command]
    ended = run(words, env=environ | places, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise ExportError(diagram, [(command[0], (ended.stderr or ended.stdout).strip())], "code that links")


PLATFORMS = {
    WITHOUT_LINKER: Platform(LINUX, ".so", "linux64", _link_here),
    "aarch64-linux": Platform(
        Target("aarch64-unknown-linux-gnu", relocation="pic"), ".so", "aarch64-linux", _link_linux
    ),
    "x86_64-windows": Platform(
        Target("x86_64-pc-windows-gnu", relocation="pic"), ".dll", "win64", _link_windows
    ),
    "x86_64-darwin": Platform(
        Target(f"x86_64-apple-macosx{MACOS}", relocation="pic"), ".dylib", "darwin64", _link_macos
    ),
    "aarch64-darwin": Platform(
        Target(f"arm64-apple-macosx{MACOS}", relocation="pic"), ".dylib", "aarch64-darwin", _link_macos
    ),
}

# A frame of more than a page calls ___chkstk_ms with its size in rax, which touches each page, and keeps all
# registers: push rcx, rax; rcx = rsp + 24; while rax >= 4096 {rcx -= 4096; test [rcx]; rax -= 4096};
# rcx -= rax; test [rcx]; pop rax, rcx; ret. Below 2^52, x + 2^52 - 2^52 rounds to an integer.
_PROBE = "5150488d4c2418483d0010000072124881e900100000488509482d00100000ebe64829c14885095859c3"
WINDOWS_LIBRARY = """
declare ptr @GetProcessHeap()
declare ptr @HeapAlloc(ptr, i32, i64)
declare i32 @HeapFree(ptr, i32, ptr)
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)
define void @___chkstk_ms() naked prologue [42 x i8] c"PROBE" {
  unreachable
}
define ptr @calloc(i64 %count, i64 %size) {
  %bytes = mul i64 %count, %size
  %heap = call ptr @GetProcessHeap()
  %block = call ptr @HeapAlloc(ptr %heap, i32 8, i64 %bytes)
  ret ptr %block
}
define void @free(ptr %block) {
  %heap = call ptr @GetProcessHeap()
  %done = call i32 @HeapFree(ptr %heap, i32 0, ptr %block)
  ret void
}
define i64 @strlen(ptr %text) {
entry:
  br label %next
next:
  %k = phi i64 [0, %entry], [%after, %next]
  %at = getelementptr i8, ptr %text, i64 %k
  %letter = load i8, ptr %at
  %after = add i64 %k, 1
  %end = icmp eq i8 %letter, 0
  br i1 %end, label %done, label %next
done:
  ret i64 %k
}
define ptr @memset(ptr %to, i32 %value, i64 %count) {
entry:
  %byte = trunc i32 %value to i8
  %one = insertelement <16 x i8> poison, i8 %byte, i64 0
  %all = shufflevector <16 x i8> %one, <16 x i8> poison, <16 x i32> zeroinitializer
  br label %wide
wide:
  %k = phi i64 [0, %entry], [%next, %fill]
  %next = add i64 %k, 16
  %fits = icmp ule i64 %next, %count
  br i1 %fits, label %fill, label %narrow
fill:
  %at = getelementptr i8, ptr %to, i64 %k
  store <16 x i8> %all, ptr %at, align 1
  br label %wide
narrow:
  %i = phi i64 [%k, %wide], [%after, %put]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %put, label %done
put:
  %place = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %place
  %after = add i64 %i, 1
  br label %narrow
done:
  ret ptr %to
}
define ptr @memcpy(ptr %to, ptr %from, i64 %count) {
  %same = tail call ptr @memmove(ptr %to, ptr %from, i64 %count)
  ret ptr %same
}
define ptr @memmove(ptr %to, ptr %from, i64 %count) {
entry:
  %target = ptrtoint ptr %to to i64
  %source = ptrtoint ptr %from to i64
  %distance = sub i64 %target, %source
  %overlap = icmp ult i64 %distance, %count
  br i1 %overlap, label %back, label %wide
wide:
  %k = phi i64 [0, %entry], [%next, %move]
  %next = add i64 %k, 16
  %fits = icmp ule i64 %next, %count
  br i1 %fits, label %move, label %narrow
move:
  %here = getelementptr i8, ptr %from, i64 %k
  %there = getelementptr i8, ptr %to, i64 %k
  %words = load <16 x i8>, ptr %here, align 1
  store <16 x i8> %words, ptr %there, align 1
  br label %wide
narrow:
  %i = phi i64 [%k, %wide], [%after, %step]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %step, label %done
step:
  %in = getelementptr i8, ptr %from, i64 %i
  %out = getelementptr i8, ptr %to, i64 %i
  %byte = load i8, ptr %in
  store i8 %byte, ptr %out
  %after = add i64 %i, 1
  br label %narrow
back:
  %j = phi i64 [%count, %entry], [%before, %last]
  %left = icmp ne i64 %j, 0
  br i1 %left, label %last, label %done
last:
  %before = sub i64 %j, 1
  %old = getelementptr i8, ptr %from, i64 %before
  %new = getelementptr i8, ptr %to, i64 %before
  %each = load i8, ptr %old
  store i8 %each, ptr %new
  br label %back
done:
  ret ptr %to
}
define double @rint(double %x) {
  %size = call double @llvm.fabs.f64(double %x)
  %large = fcmp uge double %size, 0x4330000000000000
  %sum = fadd double %size, 0x4330000000000000
  %whole = fsub double %sum, 0x4330000000000000
  %signed = call double @llvm.copysign.f64(double %whole, double %x)
  %result = select i1 %large, double %x, double %signed
  ret double %result
}
define double @nearbyint(double %x) {
  %result = call double @rint(double %x)
  ret double %result
}
define double @floor(double %x) {
  %near = call double @rint(double %x)
  %above = fcmp ogt double %near, %x
  %below = fsub double %near, 1.0
  %result = select i1 %above, double %below, double %near
  ret double %result
}
define double @ceil(double %x) {
  %minus = fneg double %x
  %low = call double @floor(double %minus)
  %result = fneg double %low
  ret double %result
}
define double @trunc(double %x) {
  %size = call double @llvm.fabs.f64(double %x)
  %low = call double @floor(double %size)
  %result = call double @llvm.copysign.f64(double %low, double %x)
  ret double %result
}
define double @round(double %x) {
  %size = call double @llvm.fabs.f64(double %x)
  %low = call double @floor(double %size)
  %part = fsub double %size, %low
  %up = fcmp oge double %part, 0.5
  %high = fadd double %low, 1.0
  %near = select i1 %up, double %high, double %low
  %result = call double @llvm.copysign.f64(double %near, double %x)
  ret double %result
}
""".replace("PROBE", "".join(f"\\{byte:02X}" for byte in bytes.fromhex(_PROBE)))

"""Link a relocatable WebAssembly object into a module that a browser loads.

In an object of one module LLVM has filled in all addresses; it lacks a section of exports, and has sections
for a linker. Source: WebAssembly Core Specification 2.0, section 5.5 (binary format of modules);
WebAssembly Object File Linking (tool-conventions), symbol table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

CUSTOM, IMPORT, EXPORT, DATA = 0, 2, 7, 11
AFTER_EXPORT = (9, 12, 10, DATA)  # sections after the exports; start is not used
LINKING = b"\x07linking"
FUNCTION, GLOBAL, EVENT, TABLE = 0, 2, 4, 5  # kinds of symbols that have an index
DATA_SYMBOL, SYMBOLS = 1, 8
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


def link(code: bytes, names: Sequence[str]) -> bytes:
    """The module of an object, which exports functions by name."""
    sections = list(_sections(code))
    linking = next(body for kind, body in sections if kind == CUSTOM and body.startswith(LINKING))
    places = _functions(linking)
    entries = [_number(len(name)) + name.encode() + b"\0" + _number(places[name]) for name in names]
    exports = _section(EXPORT, _number(len(entries)) + b"".join(entries))
    code_sections = [(kind, body) for kind, body in sections if kind != CUSTOM]
    before = b"".join(_section(*each) for each in code_sections if each[0] not in AFTER_EXPORT)
    after = b"".join(_section(*each) for each in code_sections if each[0] in AFTER_EXPORT)
    return code[:8] + before + exports + after


def imported_functions(code: bytes) -> list[str]:
    """The names of the functions that a module imports."""
    body = next((body for kind, body in _sections(code) if kind == IMPORT), b"\0")
    count, i = _read(body, 0)
    names = []
    for _ in range(count):
        for _ in range(2):  # of the module, of the item
            size, i = _read(body, i)
            name, i = body[i : i + size].decode(), i + size
        kind, i = body[i], i + 1
        if kind == FUNCTION:
            names.append(name)
            _, i = _read(body, i)
        elif kind == 3:  # a global: its type, whether it changes
            i += 2
        else:  # a table has a type before its limits, a memory none
            i += kind == 1
            flags, i = body[i], i + 1
            for _ in range(1 + (flags & 1)):
                _, i = _read(body, i)
    return names


def data_end(code: bytes) -> int:
    """The address, in bytes, up to which constants fill the memory."""
    body = next((body for kind, body in _sections(code) if kind == DATA), b"\0")
    count, i = _read(body, 0)
    end = 0
    for _ in range(count):
        i += 2  # an active segment; i32.const
        at, i = _read(body, i)
        size, i = _read(body, i + 1)  # after `end`
        i, end = i + size, max(end, at + size)
    return end


def _functions(linking: bytes) -> dict[str, int]:
    """The index of each function that is defined, by its name."""
    i = len(LINKING)
    _, i = _read(linking, i)  # the version
    indices: dict[str, int] = {}
    while i < len(linking):
        kind = linking[i]
        size, i = _read(linking, i + 1)
        end = i + size
        if kind == SYMBOLS:
            count, i = _read(linking, i)
            for _ in range(count):
                i = _read_symbol(linking, i, indices)
        i = end
    return indices


def _read_symbol(linking: bytes, i: int, functions: dict[str, int]) -> int:
    """Read one symbol, and record a defined function. Returns the place after it."""
    kind = linking[i]
    flags, i = _read(linking, i + 1)
    if kind in (FUNCTION, GLOBAL, EVENT, TABLE):
        index, i = _read(linking, i)
        if not flags & UNDEFINED or flags & EXPLICIT_NAME:
            size, i = _read(linking, i)
            if kind == FUNCTION and not flags & UNDEFINED:
                functions[linking[i : i + size].decode()] = index
            i += size
    elif kind == DATA_SYMBOL:
        size, i = _read(linking, i)
        i += size
        if not flags & UNDEFINED:
            for _ in range(3):  # segment, offset, size
                _, i = _read(linking, i)
    else:  # a section
        _, i = _read(linking, i)
    return i


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    i = 8
    while i < len(code):
        kind = code[i]
        size, i = _read(code, i + 1)
        yield kind, code[i : i + size]
        i += size


def _section(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + _number(len(body)) + body


def _read(code: bytes, i: int) -> tuple[int, int]:
    """A number in LEB128, and the place after it."""
    value = shift = 0
    while True:
        byte, i = code[i], i + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, i


def _number(value: int) -> bytes:
    """A number in LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])

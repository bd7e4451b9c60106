"""Build an ELF shared library from relocatable objects for x86-64, without a linker.

Sources: System V Application Binary Interface, edition 4.1, chapters 4 and 5; its AMD64 supplement, version
1.0, sections 4.4 (relocation types) and 5.2 (dynamic linking).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.errors import BlockdynError

PAGE, LINE = 4096, 64  # bytes, to which segments and sections are aligned
PROGBITS, SYMTAB, RELA, NOBITS = 1, 2, 4, 8
WRITE, ALLOC, EXECUTE = 1, 2, 4  # flags of sections
UNDEFINED = 0
R_64, R_PC32, R_PLT32, R_GOTPCREL, R_GOTPCRELX, R_REX_GOTPCRELX, R_PC64 = 1, 2, 4, 9, 41, 42, 24
THROUGH_TABLE = R_GOTPCREL, R_GOTPCRELX, R_REX_GOTPCRELX
R_GLOB_DAT, R_RELATIVE = 6, 8
NEEDED, HASH, STRTAB, SYMTAB_AT, RELA_AT, RELASZ, RELAENT, STRSZ, SYMENT, SONAME, RELACOUNT = (
    1, 4, 5, 6, 7, 8, 9, 10, 11, 14, 0x6FFFFFF9,
)  # fmt: skip
LOAD, DYNAMIC, GNU_STACK = 1, 2, 0x6474E551
STUB = b"\xff\x25"  # jmp *distance(%rip): to the function whose address the table has
WORD, SYMBOL, RELOCATION, DYNAMIC_ENTRY = 8, 24, 24, 16
HEADER, PROGRAM_HEADER = 64, 56


@dataclass(eq=False)
class Section:
    """A section of an object that is loaded; `at` is its address in the library."""

    flags: int
    align: int
    data: bytearray
    size: int
    at: int = 0


@dataclass(frozen=True)
class Symbol:
    """A symbol of an object: its section, none if another object defines it, and its place there."""

    name: str
    section: Section | None
    value: int
    shared: bool  # with other objects


@dataclass(frozen=True)
class Relocation:
    """An address to be filled in."""

    section: Section
    offset: int
    kind: int
    symbol: Symbol
    addend: int


@dataclass
class Objects:
    """The parts of relocatable objects that a library needs."""

    sections: list[Section] = field(default_factory=list)
    relocations: list[Relocation] = field(default_factory=list)
    defined: dict[str, Symbol] = field(default_factory=dict)  # for other objects
    undefined: list[str] = field(default_factory=list)

    def read(self, code: bytes) -> None:
        """Add an object."""
        (table,) = struct.unpack_from("<Q", code, 40)
        size, count, _ = struct.unpack_from("<HHH", code, 58)
        heads = [struct.unpack_from("<IIQQQQIIQQ", code, table + k * size) for k in range(count)]
        sections: dict[int, Section] = {}
        for k, (_, kind, flags, _, at, length, _, _, align, _) in enumerate(heads):
            if flags & ALLOC and kind in (PROGBITS, NOBITS):
                data = bytearray() if kind == NOBITS else bytearray(code[at : at + length])
                sections[k] = Section(flags, align, data, length)
        self.sections += sections.values()
        symbols = _symbols(code, heads, sections)
        for symbol in symbols:
            if symbol.section is not None and symbol.shared:
                self.defined[symbol.name] = symbol
            elif symbol.shared and symbol.name not in self.undefined:
                self.undefined.append(symbol.name)
        for _, kind, _, _, at, length, _, target, _, _ in heads:
            for place in range(at, at + length, RELOCATION) if kind == RELA and target in sections else ():
                offset, info, addend = struct.unpack_from("<QQq", code, place)
                symbol = symbols[info >> 32]
                self.relocations.append(
                    Relocation(sections[target], offset, info & 0xFFFFFFFF, symbol, addend)
                )

    @property
    def imports(self) -> list[str]:
        """The names that no object defines."""
        return [name for name in self.undefined if name not in self.defined]


def _symbols(code: bytes, heads: Sequence[Any], sections: dict[int, Section]) -> list[Symbol]:
    """The symbols of an object, in their order."""
    symbols = []
    for _, kind, _, _, at, length, link_to, _, _, _ in heads:
        if kind == SYMTAB:
            start, size = heads[link_to][4:6]
            names = code[start : start + size]
            for place in range(at, at + length, SYMBOL):
                name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", code, place)
                text = names[name : names.index(0, name)].decode()
                symbols.append(Symbol(text, sections.get(section), value, info >> 4 != 0))
    return symbols


def imported_functions(codes: Sequence[bytes]) -> list[str]:
    """The names that objects expect from other libraries."""
    objects = Objects()
    for code in codes:
        objects.read(code)
    return objects.imports


class Library:
    """A shared library under construction.

    Its memory has three segments: headers, tables and constants; code; data. Calls of other libraries go
    through stubs; the addresses of their functions are in a table that the system fills when it loads the
    library.
    """

    def __init__(
        self, codes: Sequence[bytes], exports: Sequence[str], needed: Sequence[str], name: str
    ) -> None:
        self.objects = Objects()
        for code in codes:
            self.objects.read(code)
        self.imports, self.exports, self.needed = self.objects.imports, [*exports], [*needed]
        strings = b"\0"
        self.places: dict[str, int] = {}  # of names in the table of strings
        for text in (*self.imports, *exports, *needed, name):
            self.places[text] = len(strings)
            strings += text.encode() + b"\0"
        self.strings, self.name = strings, name
        words = [r for r in self.objects.relocations if r.kind == R_64]
        through = dict.fromkeys(r.symbol for r in self.objects.relocations if r.kind in THROUGH_TABLE)
        self.table: dict[str | Symbol, int] = {}  # entries, of imported functions by name
        for key in (*self.imports, *map(self._key, through)):
            self.table.setdefault(key, len(self.table))
        self.dynamic_count = len(words) + len(self.table)
        self._place()

    def _key(self, symbol: Symbol) -> str | Symbol:
        """The symbol of a reference, or the name of an imported one."""
        if symbol.section is not None or not symbol.name:
            return symbol
        return self.objects.defined.get(symbol.name, symbol.name)

    def _place(self) -> None:
        """Assign an address to every part."""
        symbols = 1 + len(self.imports) + len(self.exports)
        self.symbols_at = HEADER + 5 * PROGRAM_HEADER
        self.hash_at = self.symbols_at + symbols * SYMBOL
        self.strings_at = self.hash_at + 4 * (2 + 1 + symbols)
        self.relocations_at = _up(self.strings_at + len(self.strings), WORD)
        end = self._place_sections(self.relocations_at + self.dynamic_count * RELOCATION, 0)
        self.constants_end = end
        self.code_at = _up(end, PAGE)
        end = _up(self._place_sections(self.code_at, EXECUTE), LINE)
        self.stubs_at = end
        self.code_end = end + WORD * len(self.imports)
        self.data_at = self.dynamic_at = _up(self.code_end, PAGE)
        self.table_at = self.dynamic_at + DYNAMIC_ENTRY * (len(self.needed) + 12)
        end = self._place_sections(self.table_at + WORD * len(self.table), WRITE)
        self.data_end = end

    def _place_sections(self, at: int, flags: int) -> int:
        """Place the sections of one segment one after the other. Returns the address after them."""
        for section in self.objects.sections:
            if section.flags & (WRITE | EXECUTE) == flags:
                section.at = _up(at, max(section.align, 1))
                at = section.at + section.size
        return at

    def _address(self, symbol: Symbol) -> int:
        """The address of a symbol; for an imported one, the address of its stub."""
        key = self._key(symbol)
        if isinstance(key, str):
            return self.stubs_at + WORD * self.imports.index(key)
        return key.value + (key.section.at if key.section is not None else 0)

    def _relocate(self) -> list[bytes]:
        """Fill in addresses. Returns the entries that are filled in when the library is loaded."""
        relative, external = [], []
        for r in self.objects.relocations:
            place = r.section.at + r.offset
            if r.kind == R_64:
                relative.append(struct.pack("<QQq", place, R_RELATIVE, self._address(r.symbol) + r.addend))
            elif r.kind == R_PC64:
                struct.pack_into("<q", r.section.data, r.offset, self._address(r.symbol) + r.addend - place)
            elif r.kind in (R_PC32, R_PLT32):
                struct.pack_into("<i", r.section.data, r.offset, self._address(r.symbol) + r.addend - place)
            elif r.kind in THROUGH_TABLE:
                entry = self.table_at + WORD * self.table[self._key(r.symbol)]
                struct.pack_into("<i", r.section.data, r.offset, entry + r.addend - place)
            else:
                raise BlockdynError(
                    f"an object with relocations of type {r.kind}\nexpected: llvmlite 0.46 or newer"
                )
        for key, k in self.table.items():
            entry = self.table_at + WORD * k
            if isinstance(key, str):
                number = 1 + self.imports.index(key)
                external.append(struct.pack("<QQq", entry, number << 32 | R_GLOB_DAT, 0))
            else:
                relative.append(struct.pack("<QQq", entry, R_RELATIVE, self._address(key)))
        self.relative = len(relative)
        return relative + external

    def _stubs(self) -> bytes:
        """The jumps to the imported functions."""
        out = b""
        for k, name in enumerate(self.imports):
            after = self.stubs_at + WORD * k + 6
            out += STUB + struct.pack("<i", self.table_at + WORD * self.table[name] - after) + b"\x90\x90"
        return out

    def _symbols(self) -> bytes:
        """The dynamic symbols: imported, then exported ones."""
        out = bytes(SYMBOL)
        for name in self.imports:
            out += struct.pack("<IBBHQQ", self.places[name], 1 << 4 | 2, 0, UNDEFINED, 0, 0)
        for name in self.exports:
            at = self._address(self.objects.defined[name])
            out += struct.pack("<IBBHQQ", self.places[name], 1 << 4 | 2, 0, 1, at, 0)
        return out

    def _hash(self) -> bytes:
        """A table of one bucket, a chain through all symbols."""
        count = 1 + len(self.imports) + len(self.exports)
        chain = [0, *range(2, count), 0][:count] if count > 1 else [0]
        return struct.pack(f"<{3 + count}I", 1, count, 1 if count > 1 else 0, *chain)

    def _dynamic(self) -> bytes:
        """The data for the system's loader."""
        entries = [(NEEDED, self.places[name]) for name in self.needed]
        entries += [
            (SONAME, self.places[self.name]), (HASH, self.hash_at), (STRTAB, self.strings_at),
            (SYMTAB_AT, self.symbols_at), (STRSZ, len(self.strings)), (SYMENT, SYMBOL),
            (RELA_AT, self.relocations_at), (RELASZ, self.dynamic_count * RELOCATION),
            (RELAENT, RELOCATION), (RELACOUNT, self.relative), (0, 0), (0, 0),
        ]  # fmt: skip
        return b"".join(struct.pack("<qQ", *entry) for entry in entries)

    def file(self) -> bytes:
        """The file."""
        relocations = b"".join(self._relocate())
        file_end = max(
            [self.table_at + WORD * len(self.table)]
            + [s.at + len(s.data) for s in self.objects.sections if s.data]
        )
        out = bytearray(file_end)
        parts = [
            (0, self._header()), (self.symbols_at, self._symbols()), (self.hash_at, self._hash()),
            (self.strings_at, self.strings), (self.relocations_at, relocations),
            (self.stubs_at, self._stubs()), (self.dynamic_at, self._dynamic()),
        ]  # fmt: skip
        parts += [(section.at, bytes(section.data)) for section in self.objects.sections]
        for at, part in parts:
            out[at : at + len(part)] = part
        return bytes(out)

    def _header(self) -> bytes:
        """The header of the file and of its segments, whose places in the file are their addresses."""
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        head = ident + struct.pack(
            "<HHIQQQIHHHHHH", 3, 62, 1, 0, HEADER, 0, 0, HEADER, PROGRAM_HEADER, 5, 64, 0, 0
        )
        written = [s.at + len(s.data) for s in self.objects.sections if s.flags & WRITE and s.data]
        data_file_end = max([self.table_at + WORD * len(self.table), *written])
        segments = (
            (LOAD, 4, 0, self.constants_end, self.constants_end, PAGE),
            (LOAD, 5, self.code_at, self.code_end - self.code_at, self.code_end - self.code_at, PAGE),
            (LOAD, 6, self.data_at, data_file_end - self.data_at, self.data_end - self.data_at, PAGE),
            (
                DYNAMIC,
                6,
                self.dynamic_at,
                self.table_at - self.dynamic_at,
                self.table_at - self.dynamic_at,
                WORD,
            ),
            (GNU_STACK, 6, 0, 0, 0, 16),
        )
        for kind, flags, at, in_file, in_memory, align in segments:
            head += struct.pack("<IIQQQQQQ", kind, flags, at, at, at, in_file, in_memory, align)
        return head


def link(codes: Sequence[bytes], exports: Sequence[str], *, needed: Sequence[str] = (), name: str) -> bytes:
    """The shared library of objects, which exports functions by name. Raises BlockdynError."""
    return Library(codes, exports, needed, name).file()


def _up(number: int, multiple: int) -> int:
    """The next multiple."""
    return -(-number // multiple) * multiple

"""Mutations: text damaged the way hands, editors, networks and attackers damage it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

_TOKEN = re.compile(rb"[A-Za-z_]\w*|[0-9.eE+-]+|->|[^\s\w]|[ \t]+|\n")
_VALUE = re.compile(rb"(?<=: )[^\s,{}\[\]]+|(?<=\[)[^\s,{}\[\]]+|(?<=, )[^\s,:{}\[\]]+(?=[,\]}])")
_WORD = re.compile(rb"[A-Za-z_]\w*")
NUMBERS = [
    b"0", b"-1", b"1e308", b"-1e-308", b".nan", b".inf", b"-.inf", b"true", b"null", b"text", b"[1, 2]",
    b"[[1, 2], [3, 4]]", b"[]", b"{}", b"=1/0", b"=kp", b"=[kp, 1]", b"=w ** 99", b"1000000", b"3.5", b"'2'",
    b'""', b"[text]", b"=frequency",
]  # fmt: skip
NASTY = [
    b"&a ", b"*a", b"*axis", b"!!python/object/apply:os.mkdir [made]", b"!x ", b"!!binary ", b"\t", b"\0",
    b"\r", b"=", b"=1/0", b"=__import__('os')", b"=[1,=2]", b"=" + b"(" * 90, b".nan", b"-.inf", b"1e999",
    b"9" * 400, b"0x" + b"f" * 300, b"-0.0", b"1e-320", b"[" * 120, b"{a: " * 50, b"]", b"}", b"- ", b": ",
    b"? ", b"<<: *axis", b"---\n", b"...\n", b"%YAML 1.1\n", b"#", b'"', b"'", b"|\n", b">-\n", b"\xff",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc3\xa9", b'"\\UFFFFFFFF"', b'"\\ud800"',
    b'"\\x00"', b"null", b"true", b"~", b"[]", b"{}", b"function: 'os:abort'", b"file: ../../etc/passwd",
    b"file: inner.yaml", b"file: .", b"type: Subsystem", b"[[1, 2], [3]]", b"[[], []]", b"-1", b"0",
    b"1000000000", b"a->b", b"->", b"[0]", b"[99999999999]", b".y",
]  # fmt: skip


def mutated(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """The text with one to six damages."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        text = random.choice(_WAYS)(text, corpus, random)
    return text[:100_000]


def _span(text: bytes, random: Random, longest: int) -> tuple[int, int]:
    start = random.randrange(len(text) + 1)
    return start, min(len(text), start + random.randrange(1, longest))


def _flip(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    if not text:
        return text
    at = random.randrange(len(text))
    return text[:at] + bytes([text[at] ^ 1 << random.randrange(8)]) + text[at + 1 :]


def _delete(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(text, random, 40)
    return text[:start] + text[end:]


def _double(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(text, random, 200)
    return text[:end] + text[start:end] * random.choice((1, 1, 3, 40)) + text[end:]


def _insert(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(NASTY) + text[at:]


def _splice(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    other = random.choice(corpus)
    start, end = _span(other, random, 300)
    at, until = _span(text, random, 100)
    return text[:at] + other[start:end] + text[until:]


def _lines(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    lines = text.split(b"\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            lines[i], lines[j] = lines[j], lines[i]
        case 1:
            lines.insert(i, lines[j])
        case 2:
            del lines[i]
        case _:
            lines[i] = b" " * random.randrange(8) + lines[i].lstrip()
    return b"\n".join(lines)


def _tokens(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    tokens = list(_TOKEN.finditer(text))
    words = [token for token in tokens if token.group().strip()]
    if not words:
        return text
    place = random.choice(words)
    new = random.choice((random.choice(words).group(), random.choice(NASTY), b""))
    return text[: place.start()] + new + text[place.end() :]


def _values(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """One value replaced by another one, so that the file mostly stays YAML."""
    values = list(_VALUE.finditer(text))
    if not values:
        return text
    place = random.choice(values)
    new = random.choice(
        (random.choice(values).group(), random.choice(values).group(), random.choice(NUMBERS))
    )
    return text[: place.start()] + new + text[place.end() :]


def _words(text: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """One name replaced by another one."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    place = random.choice(words)
    return text[: place.start()] + random.choice(words).group() + text[place.end() :]


_WAYS = (
    _flip, _delete, _double, _insert, _splice, _lines, _tokens, _tokens,
    _values, _values, _values, _words, _words, _words,
)  # fmt: skip

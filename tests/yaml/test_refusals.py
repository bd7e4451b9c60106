"""What is no diagram is refused with file, line, column, the expectation and the nearest correct spelling."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from blockdyn.diagrams.model.errors import (
    BadExpression,
    BadName,
    BadParameter,
    BadWire,
    DiagramError,
    UnknownParameter,
)
from blockdyn.diagrams.yaml import errors as y, load, loads

HEAD = "blockdyn: 1\nblocks:\n  a: {type: Constant}\n  g: {type: Gain, k: 2}\n"
CASES = [  # added to HEAD; line and column; a part of the message
    ("wire: []", y.YamlError, 5, 1, "did you mean `wires`?"),
    ("  b: {type: Saturation, uper: 3}", UnknownParameter, 5, 25, "did you mean `upper`?"),
    ("  b: {type: Gian}", y.YamlError, 5, 13, "did you mean `Gain`?"),
    ("  b: {type: 'laws.py:Drag'}", y.NotTrusted, 5, 13, "--trust code"),
    ("  b: {type: subsystem}", y.YamlError, 5, 13, "did you mean `Subsystem`?"),
    ("  b: {k: 2}", y.YamlError, 5, 6, "`type:"),
    ("  b: {type: ZeroOrderHold}", y.YamlError, 5, 6, "sample_time"),
    ("  b: Gain", y.YamlError, 5, 6, "{type: Gain"),
    ("  b: {type: Gain, k: two}", BadParameter, 5, 22, "a number"),
    ("  b: {type: Gain, k: true}", y.YamlError, 5, 22, "a number"),
    ("  b: {type: Gain, k: [1, true]}", y.YamlError, 5, 26, "b.k[1] is true"),
    ("  b: {type: MatrixGain, K: [[1, 2], [3, true]]}", y.YamlError, 5, 41, "b.K[1][1] is true"),
    ("  b: {type: Gain, k: .nan}", BadParameter, 5, 22, "finite"),
    ("  b: {type: Gain, k: .inf}", BadParameter, 5, 22, "finite"),
    ("  b: {type: Gain, k: 1e999}", y.YamlError, 5, 22, ".inf"),
    ("  b: {type: Sum, signs: 3}", y.YamlError, 5, 25, "text"),
    ("  b: {type: ZeroOrderHold, sample_time: 0}", BadParameter, 5, 41, "greater than zero"),
    ("  b: {type: Gain, k: =__import__('os')}", BadExpression, 5, 22, "not a function"),
    ("  b: {type: Gain, k: =max(1, 2)}", BadExpression, 5, 22, "quotes"),
    ("  b: {type: Gain, k: [=kp, text]}", y.YamlError, 5, 28, "expressions"),
    ("  a: {type: Gain}", y.YamlError, 5, 3, "3:3"),
    ("  a/b: {type: Gain}", BadName, 5, 3, "letters, digits"),
    ("  3: {type: Gain}", y.YamlError, 5, 3, '"3"'),
    ("wires: [a > g]", y.YamlSyntaxError, 5, 9, "a -> b"),
    ("wires:\n  - a -> g[x]", BadWire, 6, 5, "block[0]"),
    ("wires:\n  - {from: a, too: g}", y.YamlError, 6, 15, "did you mean `to`?"),
    ("wires:\n  - {from: a, to: 3}", y.YamlError, 6, 19, "text or a list"),
    ("wires:\n  - 3", y.YamlError, 6, 5, "a -> b"),
    ("log: a", y.YamlError, 5, 6, "a list"),
    ("simulate: {stopp: 1}", y.YamlError, 5, 12, "did you mean `stop`?"),
    ("simulate: {stop: ten}", y.YamlError, 5, 18, "a finite number"),
    ("simulate: {stop: 1, start: 1}", y.YamlError, 5, 18, "later than start"),
    ("simulate: {rtol: 0}", y.YamlError, 5, 18, "greater than zero"),
    ("simulate: {max_step: 0}", y.YamlError, 5, 22, "greater than zero"),
    ("simulate: {method: dorpi5}", y.YamlError, 5, 20, "did you mean `dopri5`?"),
    ("simulate: {times: [0, 2, 1]}", y.YamlError, 5, 26, "increasing"),
    ("parameters: {k: text}", BadParameter, 5, 17, "a number"),
    ("parameters: [1]", y.YamlError, 5, 13, "a mapping"),
    ("  s: {type: Subsystem}", y.YamlError, 5, 6, "file: other.yaml"),
    ("  s: {type: Subsystem, diagramm: {}}", y.YamlError, 5, 24, "did you mean `diagram`?"),
    ("  s: {type: Subsystem, diagram: {block: {}}}", y.YamlError, 5, 34, "did you mean `blocks`?"),
    ("  s: {type: Subsystem, diagram: {parameters: {m: 1}}, parameters: {M: 2}}",
     UnknownParameter, 5, 68, "no parameter `M`"),
    ("  s: {type: Subsystem, diagram: {blocks: {q: {type: Gain, kk: 2}}}}", UnknownParameter, 5, 59, "s/q"),
    ("\tb: 1", y.YamlSyntaxError, 5, 1, "tab"),
    ("  b: {type: Gain}\n \t c: 1", y.YamlSyntaxError, 6, 2, "tab"),
    ("\0", y.YamlSyntaxError, 5, 1, "NUL"),
    ("  b: !!python/object/apply:os.system [true]", y.YamlSyntaxError, 5, 6, "no tag"),
    ("  b: !mine {type: Gain}", y.YamlSyntaxError, 5, 6, "no tag"),
    ("  b: *nowhere", y.YamlSyntaxError, 5, 6, "anchor"),
    ("  b: &x {y: *x}", y.YamlSyntaxError, 5, 13, "contains"),
    ("  b: &x {<<: {k: 1}}", y.YamlError, 5, 6, "type"),
    ("---\nblockdyn: 1", y.YamlSyntaxError, 5, 1, "second document"),
    ("  b: {type: Gain", y.YamlSyntaxError, 6, 1, "commas"),
    ('  b: {type: "\\ud800"}', y.YamlSyntaxError, 5, 13, "half a character"),
    ('  b: {type: "\\UFFFFFFFF"}', y.YamlSyntaxError, 5, None, "a character that does not exist"),
    ('  b: {type: "\\U99999999"}', y.YamlSyntaxError, 5, None, "a character that does not exist"),
    ('  b: {type: "\\U00110000"}', y.YamlSyntaxError, 5, None, "a character that does not exist"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "line", "column", "part"), CASES)
def test_refusals_name_the_place_and_the_remedy(
    text: str, kind: type[DiagramError], line: int, column: int | None, part: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(HEAD + text + "\n", encoding="utf-8")
    with pytest.raises(kind) as caught:
        load(path)
    error = caught.value
    assert (error.file, error.line) == (str(path), line)
    assert column is None or error.column == column
    assert part in str(error)
    assert str(error).startswith(f"{path}:{line}:")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", y.YamlFileError),
        ("\n", y.YamlSyntaxError),
        ("- a\n", y.YamlError),
        ("blocks: {}\n", y.YamlError),
        ("blockdyn: 2\n", y.YamlError),
        ("blockdyn: true\n", y.YamlError),
        ('blockdyn: "1"\n', y.YamlError),
        ("blockdyn: 1.0\n", y.YamlError),
        ("%YAML 1.1\n---\nblockdyn: 1\n", y.YamlSyntaxError),
        ("blockdyn: 1\nx: " + "[" * 5000 + "\n", y.YamlSyntaxError),
        ("blockdyn: 1\n" + "".join(f"{' ' * i}a:\n" for i in range(150)), y.YamlSyntaxError),
    ],
)
def test_documents_that_are_no_diagram(text: str, kind: type[DiagramError]) -> None:
    with pytest.raises(kind):
        load(text)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        ("blockdyn: 1\n".encode("utf-16"), 1, 1),
        ("blockdyn: 1\n".encode("utf-16-le"), 1, 2),
        ("blockdyn: 1\n".encode("utf-32"), 1, 1),
        ("blockdyn: 1\nname: né\n".encode("latin-1"), 2, 8),
    ],
)
def test_other_encodings_than_utf_8(data: bytes, line: int, column: int, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(data)
    with pytest.raises(y.YamlSyntaxError) as caught:
        load(path)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_byte_order_mark_of_utf_8_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.encode())
    assert list(load(path).blocks) == ["a", "g"]


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    lines = ["blockdyn: 1", "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    tracemalloc.start()
    with pytest.raises(y.YamlSyntaxError):
        loads("\n".join(lines))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30e6  # written out, it would be 10**12 values


def test_a_file_of_100_mb_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with open(path, "wb") as stream:
        stream.truncate(100_000_000)
    tracemalloc.start()
    with pytest.raises(y.YamlFileError, match="100 MB"):
        load(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1e6


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("nothing.yaml", "pipe", "."):
        with pytest.raises(y.YamlFileError):
            load(tmp_path / name)


@pytest.mark.parametrize(("line", "name"), [("wire: []", "wires"), ("  b: {type: Gian}", "Gain")])
def test_an_unknown_name_comes_with_the_known_ones(line: str, name: str) -> None:
    with pytest.raises(y.YamlError) as caught:
        loads(HEAD + line)
    assert name in caught.value.choices

"""What is no YAML is told at its place in a user's words, not in a parser's."""

from __future__ import annotations

import re

import pytest

from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.yaml import loads

PARSERS = re.compile(
    r"while (parsing|scanning)|block end|stream end|scalar|flow (mapping|sequence)|token|node content"
)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("blocks: {a: {type: Gain k: 2}}", 2, 26, "`:` inside { }"),
        ("blocks:\n  a: type: Gain", 3, 10, "a colon where no key can stand"),
        ("blocks: {a: {type: 'Gain}}\n", 2, 20, "quotes that does not end"),
        ('blocks: {a: {type: "Gain}}\n\nwires: []\n', 2, 20, "quotes that does not end"),
        ("blocks:\n  a:\n    type: Gain\n   k: 2\n", 5, 4, "indented differently"),
        ("blocks:\n  a: {type: Gain}\n b: {type: Gain}", 4, 2, "indented differently"),
        ("wires: [a -> b", 2, 15, "the text ends inside [ ]"),
        ("blocks: {a: {type: Gain}", None, None, "the text ends inside { }"),
        ("blocks: {a: {type: Gain}}}", 2, 26, "`}` that closes nothing"),
        ("blocks: {a: @x}", 2, 13, "text that begins with `@`"),
        ('blocks: {a: "\\q"}', 2, 15, r"the escape `\q`"),
        ("blocks: *", 2, 10, "without a name"),
        ("name: 'a' b", 2, 11, "more text after the end of a value"),
        ("wires:\n  - a -> b\n  c -> d", 4, 9, "without a colon"),
        ("blocks: {a:{type: Gain}}", 2, 12, "`{` inside { }"),
        ("wires: [a -> b\nlog: [a]\n", 3, 4, "`:` inside [ ]"),
        ("- a\nblocks: {}", 2, 1, "`-` among keys"),
        ("blocks: {a: {type:Gain}}", 2, 14, "`type: Gain`, with a space after the colon"),
        ("blocks: {", None, None, "the text ends"),
        ("wires: [", None, None, "the text ends"),
        ("blocks: {a: {type: Gain, k: 2,0e-3}}", 2, 31, "decimals have a point"),
    ],
)
def test_found_expected_and_where(text: str, line: int | None, column: int | None, says: str) -> None:
    with pytest.raises(DiagramError) as caught:
        loads(f"blockdyn: 1\n{text}")
    errors = caught.value.errors
    last = errors[-1]
    assert says in str(last)
    assert "\nexpected: " in str(last)
    assert not PARSERS.search(str(caught.value)), caught.value
    assert line is None or (last.line, last.column) == (line, column)

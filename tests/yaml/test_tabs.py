"""Tabs separate values, as in YAML 1.2.2, section 6.2; only indentation is spaces."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.base.yaml.reader import parse
from blockdyn.base.yaml.words import Form
from blockdyn.diagrams.yaml.errors import YamlSyntaxError

FORM = Form("text", "a: 1", "")
TEXT = """blockdyn: 1
name: tabs
blocks:
  ramp: {type: Ramp}
  x: {type: Integrator, initial: 2}
wires:
  - ramp -> x
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("foo:\n \tbar\n", {"foo": "bar"}),  # DK95/00 of the YAML test suite, and others of DK95 and Y79Y
        ('foo: "bar\n  \tbaz"\n', {"foo": "bar baz"}),
        ("foo: 1\n\t\nbar: 2\n", {"foo": 1, "bar": 2}),
        ("foo: 1\n \t\nbar: 2\n", {"foo": 1, "bar": 2}),
        ("a: [\n  \tb,\tc\n ]\n", {"a": ["b", "c"]}),
        ("a:\n -\t1\n - 2\t\n", {"a": [1, 2]}),
        ("a:\t1\t# one\nb\t: 'two'\t# 2\n", {"a": 1, "b": "two"}),
        ("a: one\ttwo \t three\t\n", {"a": "one\ttwo \t three"}),
        ("a: x\n \t\n  y\n", {"a": "x\ny"}),
        ("a: |\n  \tx\n", {"a": "\tx\n"}),
        ("a: &x\t1\nb:\t*x\n", {"a": 1, "b": 1}),
    ],
)
def test_tabs_between_values(text: str, value: object) -> None:
    assert parse(text, "<text>", FORM).plain() == value


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("  ramp:", "\tramp:", 4),
        ("  x:", "  \tx:", 5),
        ("  - ramp", "\t- ramp", 7),
        ("  - ramp", "  -\t- ramp", 7),
    ],
)
def test_tabs_as_indentation_are_refused_where_they_are(old: str, new: str, line: int) -> None:
    with pytest.raises(YamlSyntaxError) as caught:
        bd.load(TEXT.replace(old, new))
    assert (caught.value.line, caught.value.column) == (line, new.index("\t") + 1)


def test_a_diagram_is_read_with_tabs_and_a_byte_order_mark() -> None:
    for text in (TEXT.replace(": {type: ", ":\t{type:\t"), TEXT.replace("}", "}\t# why"), "\ufeff" + TEXT):
        assert bd.load(text).simulate(stop=1.0).final("x.y") == pytest.approx(2.5)
    with pytest.raises(YamlSyntaxError):
        bd.load(TEXT + "\ufeff")

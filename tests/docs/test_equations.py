"""Equations of docstrings are typeset as MathML from the text that terminals show."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.equations import typeset
from blockdyn.cli.specimen import documentation
from blockdyn.robots import symbolic
from blockdyn.robots.equations.shown import describe_equations
from website.prose import markdown, restructured


def written(block: str) -> str:
    """The MathML of a block in one line: fractions as {a}/{b}, indices and powers as x_{i}^{n}."""
    html = typeset(block)
    assert html is not None
    return _text(ElementTree.fromstring(html))


def _text(node: ElementTree.Element) -> str:
    parts = [_text(child) for child in node]
    forms = {
        "mfrac": "{{{}}}/{{{}}}", "msub": "{}_{{{}}}", "msup": "{}^{{{}}}", "msubsup": "{}_{{{}}}^{{{}}}",
        "munder": "{}_{{{}}}", "munderover": "{}_{{{}}}^{{{}}}", "mover": "{}{}",
    }  # fmt: skip
    shown = forms[node.tag].format(*parts) if node.tag in forms else (node.text or "") + "".join(parts)
    return shown + ("; " if node.tag in ("tr", "mtr") else "") + (node.tail or "")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("dx/dt = A x + B u", "{dx}/{dt}=Ax+Bu; "),
        ("J dw/dt = -w x J w", "J{dw}/{dt}=−w×Jw; "),
        ("d2y/dt2 = w^2 (k u - y)", "{d^{2}y}/{dt^{2}}=w^{2}(ku−y); "),
        ("y = (u - x) / time_constant", "y={u−x}/{time_constant}; "),
        ("y = a / 2 sin u / v", "y={{a}/{2}sinu}/{v}; "),
        ("y = sum_k a_k / (b_k + 1)", "y=∑_{k}{a_{k}}/{b_{k}+1}; "),
        ("y = (a, b) / c", "y={(a,b)}/{c}; "),
        ("K = (R + G^T P G)^-1 P_{k+1}", "K=(R+G^{T}PG)^{−1}P_{k+1}; "),
        ("q <- 1/2 sin |e|/2", "q←{{1}/{2}sin|e|}/{2}; "),
        ("(v/L)^(5/6) = qd_ref", "({v}/{L})^{5/6}=q˙_{ref}; "),
        ("T = [R^T, -p; 0, 1]", "T=[R^{T}−p; 01; ]; "),
        ("y = upper for u > upper", "y=upper for u>upper; "),
        ("forward  y = u\nbackward y = 0", "forwardy=u; backward y=0; "),
    ],
)
def test_an_equation_keeps_its_meaning(text: str, formula: str) -> None:
    assert written(text) == formula


@pytest.mark.parametrize("kind", library().values(), ids=lambda kind: kind.__name__)
def test_every_equation_of_a_block_is_typeset(kind: type[bd.Block]) -> None:
    literal = re.findall(r"```text\n(.*?)\n```", markdown(documentation(kind)[0]), re.DOTALL)
    assert not [text for text in literal if "=" in text]


@pytest.mark.parametrize(
    "text",
    [
        'd.simulate(stop=1.0, inputs={"u": 2.0})',
        "blocks:\n  u: {type: Constant, value: 1}",
        "u  the inputs\nt  s",
    ],
)
def test_code_and_lists_stay_as_they_are(text: str) -> None:
    assert typeset(text) is None


def test_a_docstring_of_the_api_has_its_equations_typeset() -> None:
    lines = restructured(["Torques.", "", "    tau = J(q)^T w", "", "See above."])
    assert lines[:4] == ["Torques.", "", ".. raw:: html", ""]
    assert "<math" in lines[4]


def test_equations_of_small_arms_are_typeset() -> None:
    """Rates get dots, and inertial numbers of links an index."""
    names = ["stanford_rrp", "twolink"]
    for name in names:
        for _, lines in describe_equations(symbolic(name, "symbols")):
            assert all(typeset(line) for line in lines)
    assert "<mover><mi>q</mi><mo>˙</mo></mover>" in (typeset("V1 = qd1 cx2") or "")
    assert "<mi>I</mi></mrow><mrow><mi>xx1</mi>" in (typeset("M11 = Ixx1") or "")

"""Where text is meant and YAML reads something else, the error names the element and says to quote it."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DiagramError, MissingInput
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import YamlError


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("blocks: {s: {type: Scope, labels: [wanted, true]}}", ["s.labels[1] is true", '"true"']),
        ("blocks: {s: {type: Scope, labels: [1, two]}}", ["s.labels[0] is the number 1", '"1"']),
        ("blocks: {s: {type: Scope, title: 3}}", ["s.title is the number 3", '"3"']),
        ("log: [a, true]", ["true in `log`", '"true"']),
        ("name: 5", ["`name` is the number 5", '"5"']),
        ("signals: {s: 2.5}", ["`s` is the number 2.5", '"2.5"']),
    ],
)
def test_the_element_is_named_and_quotes_are_the_remedy(line: str, told: list[str]) -> None:
    with pytest.raises(YamlError) as caught:
        loads(f"blockdyn: 1\n{line}\n")
    assert [part for part in [*told, "in quotes it is text"] if part not in str(caught.value)] == []
    assert caught.value.line == 2


FORMULA = """\
blockdyn: 1
parameters: {k: 2}
blocks: {c: {type: Clock}, p: {type: Expression, formula: k*u}}
wires: [c -> p.u]
simulate: {stop: 1}
"""


@pytest.mark.parametrize(("wire", "error"), [("c -> p.u", MissingInput), ("c -> p", DiagramError)])
def test_a_parameter_in_a_formula_is_told_to_be_a_coefficient(wire: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        loads(FORMULA.replace("c -> p.u", wire)).compile()
    remedy = "coefficients: {k: =k}"
    assert f"`{remedy}`" in str(caught.value)
    mended = loads(FORMULA.replace("k*u", f"k*u, {remedy}").replace("c -> p.u", wire))
    assert mended.simulate().final("p") == pytest.approx(2.0)


def test_several_parameters_are_told_together_and_other_names_are_not() -> None:
    two = FORMULA.replace("{k: 2}", "{k: 2, m: 3}").replace("k*u", "k*u + m").replace("p.u", "p")
    with pytest.raises(DiagramError, match=r"`coefficients: \{k: =k, m: =m\}`"):
        loads(two).compile()
    with pytest.raises(DiagramError) as caught:
        loads(FORMULA.replace("{k: 2}", "{n: 2}").replace("p.u", "p")).compile()
    assert "coefficient" not in str(caught.value)


@pytest.mark.parametrize("port", ["u", None])
def test_the_remedy_in_python_works_too(port: str | None) -> None:
    d = bd.Diagram("d", {"k": 2.0})
    p = d.add("p", bd.Expression("k*u"))
    d.connect(d.add("c", bd.Clock()), p[port] if port else p)
    with pytest.raises((MissingInput, DiagramError)) as caught:
        d.compile()
    assert 'coefficients={"k": expression("k")}' in str(caught.value)
    d = bd.Diagram("d", {"k": 2.0})
    d.connect(d.add("c", bd.Clock()), d.add("p", bd.Expression("k*u", {"k": bd.expression("k")})))
    assert d.simulate(stop=1.0).final("p") == pytest.approx(2.0)

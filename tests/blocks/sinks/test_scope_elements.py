"""A Scope labels the elements of a vector, and says where labels and elements do not fit."""

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

TEXT = """
blockdyn: 1
blocks:
  circle: {type: Circle}
  clock: {type: Clock}
  view: {type: Scope, OPTIONS}
wires:
  - circle.position -> view[0]
  - WIRE
simulate: {stop: 1}
"""


def diagram(options: str, wire: str = "clock -> view[1]") -> bd.Diagram:
    """A circle's position and the time in a Scope."""
    return loads(TEXT.replace("OPTIONS", options).replace("- WIRE", f"- {wire}" if wire else ""))


@pytest.mark.parametrize(
    ("options", "wire"),
    [
        ("labels: [[x, y, z], time]", "clock -> view[1]"),
        ("count: 2, labels: [x, y, z, time]", "clock -> view[1]"),
    ],
)
def test_each_element_has_its_label(options: str, wire: str) -> None:
    r = diagram(options, wire).simulate()
    (scope,) = r.scopes
    assert scope.labels == ("x", "y", "z", "time")
    assert scope.unit == "m, m, m, s"
    figure = r.plot()
    shown = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert shown == ["x (m)", "y (m)", "z (m)", "time (s)"]


def test_one_vector_alone() -> None:
    r = diagram("count: 1, labels: [x, y, z]", "").simulate()
    (scope,) = r.scopes
    assert scope.traces == ("circle.position[0]", "circle.position[1]", "circle.position[2]")
    assert r.trace(scope.traces[1]).unit == "m"
    assert r.plot().axes[0].get_ylabel() == "m"


def test_one_label_for_a_whole_vector_counts_its_elements() -> None:
    r = diagram("labels: [place, time]").simulate()
    shown = [text.get_text() for text in r.plot().axes[0].get_legend().get_texts()]
    assert shown == ["place[x] (m)", "place[y] (m)", "place[z] (m)", "time (s)"]


def test_units_by_element_reach_the_legend() -> None:
    text = TEXT.replace("{type: Circle}", "{type: Constant, value: [1, 2, 3]}").replace(
        "circle.position", "circle"
    )
    r = loads(text.replace("OPTIONS", 'units: ["m, m, rad"]').replace("  - WIRE\n", "")).simulate()
    shown = [text.get_text() for text in r.plot().axes[0].get_legend().get_texts()]
    assert shown == ["circle.y[0] (m)", "circle.y[1] (m)", "circle.y[2] (rad)"]


@pytest.mark.parametrize(
    ("options", "wire", "told"),
    [
        ("labels: [[x, y], time]", "clock -> view[1]", "2 elements, one for each of the labels x, y"),
        ("count: 2, labels: [a, b, c]", "clock -> view[1]", "3 elements, one for each of the labels a, b, c"),
        ("count: 1, labels: [x, y]", "", "2 elements"),
    ],
)
def test_labels_that_do_not_fit_are_an_error_of_the_diagram(options: str, wire: str, told: str) -> None:
    with pytest.raises(bd.DiagramError, match=told) as caught:
        diagram(options, wire).check()
    assert "view" in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([["x", 1]], r"labels\[0\]\[1\] is 1\nexpected: text"),
        ([[["x"]]], r"labels\[0\]\[0\] is \['x'\]\nexpected: text"),
        ("xyz", "a list, each item text or a list of text"),
        ([1, 2], r"labels\[0\] is 1\nexpected: text or a list of text"),
        ({"u0": ["x"]}, "a list, each item text or a list of text"),
    ],
)
def test_labels_that_are_no_texts(wrong: object, told: str) -> None:
    with pytest.raises(bd.ParameterError, match=told):
        bd.Scope(labels=wrong)  # type: ignore[arg-type]

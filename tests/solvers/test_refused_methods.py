"""Methods that are none: refused where they are made or asked for, and a broken package spoils no other."""

from __future__ import annotations

from typing import Any

import pytest

import blockdyn as bd
from blockdyn import solvers
from blockdyn.base.plugins import PluginWarning
from blockdyn.solvers.methods import GROUP, METHODS, methods
from blockdyn.solvers.methods.data import InvalidMethod

EULER = bd.butcher_tableau([[]], [1], order=1)


@pytest.mark.parametrize(
    ("rows", "b", "facts", "says"),
    [
        ([], [], {"order": 1}, "no stage"),
        ([[]], [1], {"order": 0}, "order 0"),
        ([[]], [1], {"order": 10**9}, "order 1000000000"),
        ([[]], [True], {"order": 1}, "true and false are not numbers"),
        ([[], ["1/2"]], [0, 1], {"order": 2, "b_hat": [0, 1], "error_order": 1}, "b_hat equal to b"),
    ],
)
def test_a_tableau_that_is_none(rows: Any, b: Any, facts: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidMethod, match=says):
        bd.butcher_tableau(rows, b, **facts)


KUTTA = [[], ["1/2"], [0, "1/2"], [0, 0, 1]], ["1/6", "1/3", "1/3", "1/6"]


def test_an_order_that_is_not_there_is_refused() -> None:
    """The midpoint rule has order 2, Kutta's method order 4, and with two weights exchanged order 1."""
    for rows, b, order, met in (
        ([[], ["1/2"]], [0, 1], 3, 2), (*KUTTA, 5, 4), (KUTTA[0], ["1/3", "1/6", "1/3", "1/6"], 4, 1),
    ):  # fmt: skip
        with pytest.raises(InvalidMethod, match=f"order {order}, .* of order {met}\nexpected: order={met}"):
            bd.butcher_tableau(rows, b, order=order)
    with pytest.raises(InvalidMethod, match="expected: error_order=1"):
        bd.butcher_tableau([[], [1]], ["1/2", "1/2"], order=2, b_hat=["3/4", "1/4"], error_order=2)


@pytest.mark.parametrize("name", ["bs32", "rk4", "dopri5", "tsit5", "dop853"])
def test_coefficients_of_ten_decimals_have_their_order(name: str) -> None:
    """As they are printed: rounded; the weights are made to sum to 1 again."""
    data: Any = METHODS[name].data
    a = [[round(w, 10) for w in row] for row in data.a]
    weights = [round(w, 10) for w in data.b]
    weights[0] += 1 - sum(weights)
    assert bd.butcher_tableau(a, weights, order=data.order).order == data.order


@pytest.mark.parametrize("names", [{"name": "dopri5"}, {"name": "mine", "aliases": ("RK45",)}])
def test_a_name_of_the_library_is_the_librarys(names: dict[str, Any]) -> None:
    """A result says by which method it was computed, and says it by name."""
    d = bd.Diagram("still")
    d.add("c", bd.Constant(1.0))
    method = bd.Method(title="Euler", source="Euler (1768)", data=EULER, **names)
    with pytest.raises(bd.BlockdynError, match="a Method with names of its own"):
        d.simulate(stop=1.0, step=0.5, method=method)


class Point:
    """An entry point of a package that is broken, or offers something else."""

    group, name, value = GROUP, "mine", "broken:METHOD"
    dist, module = None, "broken"

    def __init__(self, offer: Any) -> None:
        self.offer = offer

    def load(self) -> Any:
        if isinstance(self.offer, Exception):
            raise self.offer
        return self.offer


@pytest.mark.parametrize("offer", [AttributeError("METHOD"), ImportError("broken"), 3])
def test_a_broken_package_is_left_out(offer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    good = bd.Method("good", "Euler", "Euler (1768)", EULER)
    points = [Point(offer), Point(good)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == GROUP else [])
    solvers.methods._offered_methods.cache_clear()
    try:
        with pytest.warns(PluginWarning, match="mine = broken:METHOD"):
            assert methods()[-1] is good
    finally:
        solvers.methods._offered_methods.cache_clear()


@pytest.mark.parametrize(
    "facts",
    [{"period": float("nan")}, {"period": -1.0}, {"offset": float("inf"), "period": 1.0},
     {"next": "due", "offset": 3.0}, {"next": "due", "closed": True}, {"next": "due", "phases": (1, 2)}],
)  # fmt: skip
def test_a_timer_of_no_instants(facts: dict[str, Any]) -> None:
    with pytest.raises(bd.BlockdynError, match="Timer: found"):
        bd.Timer(**facts)


def test_an_instant_that_is_no_number() -> None:
    with pytest.raises(bd.BlockdynError, match=r"Timer\.at: found"):
        bd.Timer.at([float("nan"), 0.5])

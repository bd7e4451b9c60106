"""Functions that keep something beside the run are noticed, with what they write to; pure ones are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import blockdyn as bd

kept = {"integral": 0.0}
calls: list[float] = []
count = 0


def indexed(e):
    kept["integral"] += 0.02 * e
    return kept["integral"]


def listed(e):
    calls.append(e)
    return e


def counted(e):
    global count
    count += 1
    return e * count


class Adder:
    """An object that is called, and has a method."""

    def __init__(self) -> None:
        self.total = 0.0

    def __call__(self, e):
        self.total += e
        return self.total

    def added(self, e):
        self.total += e
        return self.total


def pure(e):
    own = {"e": e}
    own["e"] = 2.0 * e
    rows = [e]
    rows.append(e)
    return own["e"] + rows[-1]


def sampled(function: Callable[..., Any]) -> bd.Diagram:
    d = bd.Diagram("d")
    law = d.add("law", bd.SampledFunction(function, sample_time=0.1))
    d.connect(d.add("one", bd.Constant(1.0)), law)
    return d


@pytest.mark.parametrize(
    ("function", "name"),
    [(indexed, "kept"), (listed, "calls"), (counted, "count"), (Adder(), "self"), (Adder().added, "self")],
)
def test_what_outlives_the_run_is_named(function: Callable[..., Any], name: str) -> None:
    d = sampled(function)
    (notice,) = d.simulate(stop=0.3).notices
    assert notice.startswith(f"law writes to `{name}` (line ")
    swept = d.sweep({"one.value": [1.0, 1.0]}, {"end": {"final": "law"}}, stop=0.3).run()
    assert notice in swept.notices
    assert notice in str(swept)


def test_a_function_with_variables_of_its_own_is_pure() -> None:
    d = sampled(pure)
    assert d.simulate(stop=0.3).notices == ()
    assert d.simulate(stop=0.3).identical(d.simulate(stop=0.3))


def test_runs_that_took_another_time_are_identical_and_others_not() -> None:
    d = sampled(listed)
    first, again = d.simulate(stop=0.3), d.simulate(stop=0.3)
    assert first.identical(again)
    assert not first.identical(d.simulate(stop=0.4))
    assert not first.identical(d.simulate(stop=0.3, set={"one.value": 2.0}))


def test_a_function_made_of_text_has_no_module() -> None:
    names: dict[str, Any] = {"__name__": None}
    exec("rows = []\ndef law(e):\n    rows.append(e)\n    return e\n", names)
    assert sampled(names["law"]).simulate(stop=0.2).notices == ()  # its lines are nowhere

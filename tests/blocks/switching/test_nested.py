"""Every kind of subsystem in every other: how often a block inside both works, by their two signals."""

from __future__ import annotations

import itertools
from math import inf
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DiagramError

TIMES, VALUES = (([0.0, 1.0, 3.0, 5.0, 8.0], [0.0, 2.0, 6.0, 7.0, 9.0]), [0.0, 1.0, 0.0, 1.0, 0.0])
PERIOD, OFFSET = 0.1, 0.05
GATES = ("Enable", "If", "SwitchCase")
KINDS = (*GATES, "Trigger", "ForEach", "While")


def holds(level: int, t: float) -> bool:
    """Whether the signal of the outer subsystem, 0, or of the inner one, 1, is true from t on."""
    return bool(VALUES[np.searchsorted(TIMES[level], t, side="right") - 1])


def expected(kinds: tuple[str, str]) -> int:
    """Ticks of a clock, or edges of a trigger, while the gates are open; by copies, by iterations."""
    open_at = list(np.arange(OFFSET, 10.0, PERIOD))
    for level, kind in enumerate(kinds):
        if kind == "Trigger":  # one in another sees its signal at the edges of that one's only
            seen = open_at if "Trigger" in kinds[:level] else TIMES[level]
            truth = [holds(level, t) for t in seen]
            open_at = [t for before, t, now in zip([False, *truth], seen, truth) if now and not before]
    for level, kind in enumerate(kinds):
        if kind in GATES:
            open_at = [t for t in open_at if holds(level, t)]
    return int(len(open_at) * np.prod([{"ForEach": 2, "While": 3}.get(kind, 1) for kind in kinds]))


def around(content: bd.Diagram, kind: str, level: int, kinds: tuple[str, str]) -> bd.Diagram:
    """A diagram with a subsystem of this kind, which holds another; `n` sums what its copies count."""
    inside = bd.Diagram(f"in {kind}")
    inside.connect(inside.add("signals", bd.Inport()), inside.add("content", content)["signals"])
    inside.connect(inside["content"]["n"], inside.add("n", bd.Outport()))
    ticks = {"sample_time": inf} if "Trigger" in kinds else {"sample_time": PERIOD, "offset": OFFSET}
    blocks: dict[str, Any] = {
        "Trigger": bd.Trigger(), "ForEach": bd.ForEach(count=2, shared=["signals"]),
        "While": bd.While(**ticks, limit=3),
    }  # fmt: skip
    inside.add("works", blocks.get(kind) or bd.Enable())
    d = bd.Diagram(kind)
    d.connect(d.add("signals", bd.Inport()), d.add("inside", inside)["signals"])
    mine = d.add("mine", bd.Demux(2))
    d.connect("signals", mine)
    if kind in ("If", "SwitchCase"):
        choice = bd.If({"yes": "u > 0.5"}) if kind == "If" else bd.SwitchCase({"yes": 1})
        d.connect(mine[level], d.add("choice", choice))
        d.connect(d["choice"]["yes"], d["inside"]["works"])
    elif kind in ("Enable", "Trigger"):
        d.connect(mine[level], d["inside"]["works"])
    elif kind == "While":
        inside.connect(inside.add("always", bd.Constant(1.0)), "works")
    if kind == "ForEach":
        each, total = d.add("each", bd.Demux(2)), d.add("sum", bd.Sum("++"))
        d.connect(d["inside"]["n"], each)
        d.connect(each[0], total[0])
        d.connect(each[1], total[1])
        d.connect(total, d.add("n", bd.Outport()))
    else:
        d.connect(d["inside"]["n"], d.add("n", bd.Outport()))
    return d


@pytest.mark.parametrize("kinds", [*itertools.product(KINDS, KINDS)], ids=" of ".join)
def test_works_as_often_as_both_let_it(kinds: tuple[str, str]) -> None:
    counter = bd.Diagram("counter")
    held = {"Trigger", "While"} & {*kinds}
    ticks = {"sample_time": inf} if held else {"sample_time": PERIOD, "offset": OFFSET}
    more = counter.add("more", bd.Expression("u + 1"))
    counter.connect(counter.add("last", bd.UnitDelay(**ticks)), more, "last")
    counter.connect(more, counter.add("n", bd.Outport()))
    counter.connect(counter.add("signals", bd.Inport()), counter.add("end", bd.Terminator()))
    d = bd.Diagram("nested")
    d.add("both", around(around(counter, kinds[1], 1, kinds), kinds[0], 0, kinds))
    for level, times in enumerate(TIMES):
        d.add(f"s{level}", bd.PiecewiseConstant(times, VALUES))
    mux = d.add("signals", bd.Mux(2))
    d.connect("s0", mux[0])
    d.connect("s1", mux[1])
    d.connect(mux, d["both"]["signals"])
    if kinds[0] == "While" and kinds[1] != "ForEach":
        with pytest.raises(
            DiagramError, match=r"test_nested.py:\d+: both/inside/content/inside|a While in a"
        ):
            d.compile()
        return
    assert d.simulate(stop=10.0).final("both.n") == expected(kinds)

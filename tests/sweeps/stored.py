"""A store of scenarios whose numbers are functions of the scenario alone, for tests of stores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from blockdyn.sweeps.store.layout import Layout
from blockdyn.sweeps.store.part import Part
from blockdyn.sweeps.store.store import Store

COUNT, CHUNK = 23, 5
TIMES = np.linspace(0.0, 1.0, 4)
IDENTITY = {
    "format": 1,
    "diagram": "3fb2",
    "versions": {"blockdyn": "0.1.0", "numpy": "2.4.6"},
    "axes": {"controller.Kp": [10, 20, 40], "mass": {"normal": {"mean": 1.0, "sd": 0.1}}},
    "seed": 1,
    "measures": {"worst": {"max": "abs(error)"}},
}


def coordinates(start: int, stop: int) -> dict[str, Any]:
    k = np.arange(start, stop)
    return {"controller.Kp": 10.0 + k % 3, "end": [f"robot {i % 2}" for i in k], "n": [[int(i)] for i in k]}


def layout(**changes: Any) -> Layout:
    kept = {"plant/arm.q": (len(TIMES), 2), "error": (len(TIMES),)}
    base = Layout(COUNT, CHUNK, ("worst", "rms"), ("m", "m"), kept, TIMES, coordinates)
    return replace(base, **changes)


def part(start: int, stop: int) -> Part:
    """Numbers that are a function of the scenario alone."""
    k = np.arange(start, stop)
    return Part(
        start,
        np.stack([np.sin(k), np.where(k % 4 == 3, np.nan, np.cos(k))], axis=1),
        np.where(k % 4 == 3, 2, 0).astype(np.int8),
        [f"not finite: x = ∞ in scenario {i}" if i % 4 == 3 else "" for i in k],
        k * 0.5,
        k.astype(np.int64) + 100,
        {"plant/arm.q": k[:, None, None] + np.ones((len(k), 4, 2)), "error": k[:, None] * TIMES},
    )


def same(one: Part, other: Part) -> None:
    assert one.start == other.start
    for name in ("measures", "outcome", "end", "steps"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=True)
    assert one.reason == other.reason
    assert one.signals.keys() == other.signals.keys()
    for name in one.signals:
        np.testing.assert_array_equal(one.signals[name], other.signals[name], strict=True)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def fill(store: Store) -> None:
    for start, stop in store.missing():
        store.write(part(start, stop))


def filled(path: Path) -> Store:
    store = Store.open(path, IDENTITY, layout(), resume=False)
    fill(store)
    return store

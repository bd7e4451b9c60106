"""Print digests of many results: two trees with equal digests give the same bits.

    python -m tools.benchmarks.digest > before.txt
    python -m tools.benchmarks.digest fit linear   # lines with these words alone

One line for each gallery diagram (times, signals and event times of its run), then runs by other methods,
two sweeps, a fit, sensitivities, linear models and a run in Python, each with the SHA-256 of its numbers.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import blockdyn as bd

GALLERY = Path(bd.__file__).parent / "diagrams" / "gallery"
RUNS = [
    ("two-tanks", "tsit5"), ("two-tanks", "dop853"), ("two-tanks", "rodas5p"), ("two-tanks", "radau5"),
    ("two-tanks", "bdf"), ("quadrotor", "tsit5"), ("battery", "bdf"), ("battery", "radau5"),
    ("sampled-joint", "rodas5p"), ("passive-walker", "dop853"), ("weak-motor", "bdf"),
]  # fmt: skip


def digest(arrays: Iterable[Any]) -> str:
    """Return the first 16 digits of the SHA-256 of the shapes and bytes of arrays of doubles."""
    total = hashlib.sha256()
    for array in arrays:
        values = np.ascontiguousarray(array, dtype=float)
        total.update(repr(values.shape).encode() + values.tobytes())
    return total.hexdigest()[:16]


def run_arrays(name: str, **settings: Any) -> list[Any]:
    """Return the times, signals and event times of the run of a gallery diagram."""
    result = bd.load(name).simulate(**settings)
    signals = [np.asarray(result[signal]) for signal in result.signals]
    return [result.time, *signals, [event.time for event in result.events]]


def motor() -> bd.Diagram:
    """Return a motor under a square wave: J dw/dt = u - b w."""
    d = bd.Diagram("motor", parameters={"inertia": 0.01, "friction": 0.02})
    d.add("u", bd.Square(period=1.4))
    d.add("rotor", bd.TransferFunction(num=[1.0], den=bd.expression("[inertia, friction]")))
    d.connect("u", "rotor")
    d.log("rotor")
    return d


def fit_arrays() -> list[Any]:
    """Return the parameters of the motor from data of a motor with others."""
    times = np.linspace(0.02, 3.0, 150)
    run = motor().simulate(stop=3.0, times=times, set={"inertia": 0.012, "friction": 0.025})
    fit = motor().fit({"time": times, "rotor": run["rotor"].values}, ["inertia", "friction"])
    return [fit.values["inertia"], fit.values["friction"], fit.covariance]


def derivative_arrays() -> list[Any]:
    """Return the motor's speed derived by its two parameters."""
    found = motor().sensitivities(["inertia", "friction"], ["rotor"], stop=3.0)
    return [found["rotor", name].values for name in ("inertia", "friction")]


def linear_arrays(diagram: bd.Diagram, source: str, target: str) -> list[Any]:
    """Return the matrices of the linear model from one signal to another."""
    model = diagram.linearize(source, target)
    return [model.A, model.B, model.C, model.D]


def sweep_arrays(name: str, **axes: Any) -> list[Any]:
    """Return the measures of a gallery diagram's sweep."""
    table = bd.load_sweep(name, **axes).run(progress=False).dataset
    return [table[measure].values for measure in sorted(table.data_vars) if table[measure].dtype.kind == "f"]


def main(words: list[str]) -> None:
    """Print a line for each result whose label has one of the words."""
    cases: list[tuple[str, Any]] = [
        (path.stem, lambda name=path.stem: run_arrays(name)) for path in sorted(GALLERY.glob("*.yaml"))
    ]
    cases += [
        (f"{name} {how}", lambda name=name, how=how: run_arrays(name, method=how)) for name, how in RUNS
    ]
    cases += [
        (f"sweep of {name}", lambda name=name: sweep_arrays(name)) for name in ("sampled-joint", "weak-motor")
    ]
    cases += [("fit", fit_arrays), ("sensitivities", derivative_arrays)]
    cases += [
        ("linear motor", lambda: linear_arrays(motor(), "u", "rotor")),
        ("linear two-tanks", lambda: linear_arrays(bd.load("two-tanks"), "valve", "h2")),
        ("linear flexible-joints", lambda: linear_arrays(bd.load("flexible-joints"), "motors", "arm.q")),
    ]
    cases.append(("in Python", lambda: run_arrays("weak-motor", compiled=False, stop=0.05)))
    for label, numbers in cases:
        if words and not any(word in label for word in words):
            continue
        try:
            print(f"{label:36} {digest(numbers())}", flush=True)
        except Exception as error:
            print(f"{label:36} {type(error).__name__}: {str(error).splitlines()[0][:100]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

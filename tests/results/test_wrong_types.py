"""What methods of results and ensembles are given by mistake: a typed error that names it, or an answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.results import Result, Trace, load_result


class Nothing:
    """An object that no result knows."""


WRONG: dict[str, Any] = {
    "none": None,
    "true": True,
    "number": 5,
    "negative": -2,
    "nan": float("nan"),
    "infinite": float("inf"),
    "huge": 10**400,
    "complex": 1j,
    "empty": "",
    "text": "a b",
    "bracket": "[",
    "nul": "\0",
    "nul.png": "a\0.png",
    "nul.nc": "a\0.nc",
    "bytes": b"a",
    "no list": [],
    "list": [1, "a", None],
    "tuple": (2,),
    "set": {1},
    "no mapping": {},
    "mapping": {1: 2},
    "object": Nothing(),
    "class": Nothing,
    "function": lambda: None,
    "matrix": np.zeros((2, 2)),
    "texts": np.array(["a"]),
    "slice": slice(1, 2),
    "date": date(2026, 1, 1),
}
Use = Callable[[Any, Any], Any]
RESULT: dict[str, Use] = {
    "r[v]": lambda r, v: r[v],
    "r[path, v]": lambda r, v: r["arm.q", v],
    "r[v, element]": lambda r, v: r[v, "x"],
    "v in r": lambda r, v: v in r,
    "trace": lambda r, v: r.trace(v),
    "trace at": lambda r, v: r.trace("arm.q").at(v),
    "trace at, method": lambda r, v: r.trace("arm.q").at(0.1, v),
    "final": lambda r, v: r.final(v),
    "to_pandas": lambda r, v: r.to_pandas(v),
    "save": lambda r, v: r.save(v),
    "load_result": lambda r, v: load_result(v),
    "plot([v])": lambda r, v: r.plot([v]),
    "plot(file)": lambda r, v: r.plot("arm.q", file=v),
    "plot_xy(x)": lambda r, v: r.plot_xy(v, "arm.q[0]"),
    "plot_xy(y)": lambda r, v: r.plot_xy("arm.q[0]", v),
    "plot_xy(file)": lambda r, v: r.plot_xy("arm.q[0]", "arm.q[1]", file=v),
    "animate(file)": lambda r, v: r.animate(v, fps=1, size=(100, 100)),
    "strip(file)": lambda r, v: r.strip(v, times=1),
    "identical": lambda r, v: r.identical(v),
    "element": lambda r, v: r.trace("arm.q").element(v),
    "at": lambda r, v: r.trace("arm.q").at(v),
}
RESULT |= {
    f"to_dataset({name})": lambda r, v, name=name: r.to_dataset(**{name: v})
    for name in ("times", "dt", "method", "paths")
}
RESULT |= {
    f"animate({name})": lambda r, v, name=name: r.animate("m.gif", **{"fps": 1, "size": (100, 100), name: v})
    for name in ("robot", "signal", "block", "fps", "speed", "size", "view", "trail")
}
RESULT |= {
    f"strip({name})": lambda r, v, name=name: r.strip(**{"times": 1, name: v})
    for name in ("robot", "signal", "block", "times", "view", "trail")
}
MADE: dict[str, Use] = {
    f"Trace({name})": lambda r, v, name=name: Trace(
        **{"path": "a.y", "time": [0.0], "values": [0.0], name: v}
    )
    for name in ("path", "time", "values", "unit", "labels", "kind")
} | {
    f"Result({name})": lambda r, v, name=name: repr(Result(**{"signals": {}, name: v}))
    for name in ("signals", "states", "events", "provenance", "scopes", "finals")
}
ENSEMBLE: dict[str, Use] = {
    "e[v]": lambda e, v: e[v],
    "worst": lambda e, v: e.worst(v),
    "worst(n)": lambda e, v: e.worst("top", v),
    "failures": lambda e, v: e.failures(v),
    "result": lambda e, v: e.result(v),
    "report": lambda e, v: e.report(v),
    "save_table": lambda e, v: e.save_table(v),
    "sensitivity": lambda e, v: e.sensitivity(v),
    "sensitivity(kind)": lambda e, v: e.sensitivity("top", v),
    "sensitivity(at)": lambda e, v: e.sensitivity("top", at=v),
    "envelope": lambda e, v: e.plot.envelope(v),
    "envelope(worst)": lambda e, v: e.plot.envelope("angle", worst=v),
    "envelope(file)": lambda e, v: e.plot.envelope("angle", file=v),
    "histogram": lambda e, v: e.plot.histogram(v),
    "distribution": lambda e, v: e.plot.distribution(v),
    "heat": lambda e, v: e.plot.heat(v, "Kp", "end"),
    "heat(x)": lambda e, v: e.plot.heat("top", v, "Kp"),
    "heat(reduce)": lambda e, v: e.plot.heat("top", "Kp", "end", reduce=v),
    "heat(at)": lambda e, v: e.plot.heat("top", "Kp", "end", at=v),
    "tornado": lambda e, v: e.plot.tornado(v),
    "tornado(kind)": lambda e, v: e.plot.tornado("top", v),
    "parallel": lambda e, v: e.plot.parallel(v),
    "parallel([v])": lambda e, v: e.plot.parallel([v]),
    "scatter(x)": lambda e, v: e.plot.scatter(v, "top"),
    "scatter(passed)": lambda e, v: e.plot.scatter("Kp", "top", passed=v),
    "scatter(limits)": lambda e, v: e.plot.scatter("Kp", "top", passed={"top": v}),
}


@pytest.fixture(scope="module")
def arm() -> Result:
    return bd.load("computed-torque").simulate(stop=0.02)


@pytest.fixture(scope="module")
def ensemble() -> Any:
    measures, keep = {"top": {"max": "angle"}}, {"signals": ["angle"], "every": 0.1}
    sweep = bd.Sweep(bd.load("sampled-joint"), axes={"Kp": [50.0, 100.0]}, measures=measures, keep=keep)
    return sweep.run(progress=False)


def refuse_foreign(use: Use, subject: Any) -> None:
    """Fail for an exception that is not ours."""
    for name, value in WRONG.items():
        try:
            use(subject, value)
        except Exception as error:  # noqa: BLE001  those that are not ours are foreign
            found = error
        else:
            continue
        assert isinstance(found, BlockdynError), f"{name}: {type(found).__name__}: {found}"


@pytest.mark.parametrize("use", RESULT.values(), ids=RESULT)
def test_a_result(use: Use, arm: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refuse_foreign(use, arm)


@pytest.mark.parametrize("use", MADE.values(), ids=MADE)
def test_a_result_made_by_hand(use: Use) -> None:
    refuse_foreign(use, None)


@pytest.mark.parametrize("use", ENSEMBLE.values(), ids=ENSEMBLE)
@pytest.mark.filterwarnings("ignore")
def test_an_ensemble(use: Use, ensemble: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refuse_foreign(use, ensemble)


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda r: r[5], r"signal: found 5\nexpected: a path as text, such as 'motion.q'"),
        (lambda r: r.plot(5), r"paths: found 5\nexpected: text or a list"),
        (lambda r: r.to_dataset(dt="x"), r"dt: found 'x'\nexpected: a number or nothing"),
        (lambda r: r.save(5), r"path: found 5\nexpected: text or the path of a file"),
        (lambda r: load_result(5), r"path: found 5\nexpected: text or the path of a file"),
    ],
)
def test_the_error_names_what_was_found_and_what_is_expected(
    use: Callable[[Result], Any], told: str, arm: Result
) -> None:
    with pytest.raises(bd.BlockdynError, match=told):
        use(arm)


def test_an_element_by_its_number(arm: Result) -> None:
    np.testing.assert_array_equal(arm["arm.q", 1], arm["arm.q"].values[:, 1])


@pytest.mark.parametrize("lost", [1, 2, 3, 20])
def test_a_table_that_lost_its_last_characters_is_not_whole(arm: Result, tmp_path: Path, lost: int) -> None:
    file = tmp_path / "run.csv"
    arm.save(file)
    file.write_bytes(file.read_bytes()[:-lost])
    with pytest.raises(bd.BlockdynError, match="not a complete result file"):
        load_result(file)

"""What no table is: told with parameter or file, line and column; and tables that files hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import BadParameter

GRID = "rows\\columns,0,1,2\n0,1,2,3\n10,4,5,6.5\n"


@pytest.mark.parametrize(
    ("block", "values", "message"),
    [
        (bd.Lookup1D, {}, r"Lookup1D\.file is None\nexpected: either"),
        (bd.Lookup1D, {"breakpoints": [0, 1]}, r"Lookup1D\.table .*its shape is \(0,\)"),
        (bd.Lookup1D, {"breakpoints": [0, 1, 1], "table": [1, 2, 3]}, r"element 2 is 1, after 1"),
        (bd.Lookup1D, {"breakpoints": [0], "table": [1]}, r"at least two numbers"),
        (bd.Lookup1D, {"breakpoints": [0, np.nan], "table": [1, 2]}, r"breakpoints\[1\] is nan"),
        (bd.Lookup1D, {"breakpoints": [0, 1], "table": [1, 2], "method": "spline"}, r"Lookup1D\.method"),
        (bd.Lookup1D, {"breakpoints": [0, 1], "table": [1, 2, 3]}, r"shape is \(3,\)\nexpected: .*\(2,\)"),
        (bd.Lookup2D, {"rows": [0, 1], "columns": [0, 1]}, r"Lookup2D\.file is None"),
        (
            bd.Lookup2D,
            {"rows": [0, 1], "columns": [2, 1], "table": [[1, 2], [3, 4]]},
            r"Lookup2D\.columns .*after 2",
        ),
        (
            bd.Lookup2D,
            {"rows": [0, 1], "columns": [0, 1], "table": [[1, 2]]},
            r"shape is \(1, 2\)\n.*\(2, 2\)",
        ),
        (
            bd.LookupND,
            {"breakpoints": [[0, 1], [1, 0]], "table": [[1, 2], [3, 4]]},
            r"element 1 of axis 1 is 0, after 1",
        ),
        (bd.LookupND, {"breakpoints": [[0, 1]] * 7, "table": [1]}, r"expected: 1 to 6 axes"),
        (bd.LookupND, {"breakpoints": [[0, 1], [0, 1]], "table": [[1, 2], [3]]}, r"LookupND\.table"),
        (
            bd.LookupND,
            {"breakpoints": [[0, 1]], "table": [1, float("inf")]},
            r"inf.*\n.*finite numbers, also at \[1\]",
        ),
        (bd.Prelookup, {"breakpoints": [2, 1]}, r"Prelookup\.breakpoints .*element 1 is 1, after 2"),
        (bd.InterpolationPrelookup, {"table": [1]}, r"two numbers along each axis"),
        (
            bd.InverseLookup,
            {"breakpoints": [0, 1, 2], "table": [0, 2, 1]},
            r"increase, or decrease, throughout",
        ),
    ],
)
def test_wrong_tables_are_refused(block: type[bd.Block], values: dict[str, Any], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        block(**values)


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        (
            "Lookup1D",
            "x,y\n0,1\n1,2\n1,3\n",
            r"t\.csv, line 4, column x: 1 follows 1\nexpected: increasing numbers",
        ),
        ("Lookup1D", "x,y\n0,1\n1,\n", r"t\.csv, line 3, column y: a gap"),
        ("Lookup1D", "x|y\n0|1\n", r"t\.csv, line 1: [\s\S]*separated by commas, not by bars"),
        ("Lookup1D", "x,y\n0,1\n", r"at least two numbers of .*t\.csv"),
        ("Lookup2D", GRID.replace("6.5", "nan"), r"t\.csv, line 3, column 4: 'nan'"),
        ("Lookup2D", GRID.replace(",6.5", ""), r"t\.csv, line 3: there are 3 cells\nexpected: 4"),
        ("Lookup2D", GRID.replace("10,", "0,"), r"element 1 of rows in .*t\.csv is 0, after 0"),
        ("Lookup2D", GRID.replace(",", "|"), r"t\.csv: [\s\S]*separated by commas"),
        ("Lookup2D", "", r"t\.csv: 0 lines"),
    ],
)
def test_wrong_files_are_refused_with_line_and_column(
    tmp_path: Path, kind: str, content: str, message: str
) -> None:
    (tmp_path / "t.csv").write_text(content)
    (tmp_path / "d.yaml").write_text(f"blockdyn: 1\nblocks:\n  f:\n    type: {kind}\n    file: t.csv\n")
    with pytest.raises(BadParameter, match=message) as refused:
        bd.load(tmp_path / "d.yaml")
    assert refused.value.location is not None
    assert refused.value.location.line == 5


def test_archives_of_grids(tmp_path: Path) -> None:
    file = tmp_path / "t.npz"
    good = {"x0": np.array([0.0, 1.0]), "x1": np.array([0.0, 2.0]), "table": np.eye(2)}
    for wrong, message in (
        ({"table": np.eye(3)}, r"array table: its shape is \(3, 3\)\nexpected: \(2, 2\)"),
        ({"table": np.full((2, 2), np.nan)}, r"array table, element \[0, 0\]: nan"),
        ({"x1": np.array([[0.0]])}, r"array x1: it is float64 of shape \(1, 1\)"),
        ({"x0": np.array([0.0, 0.0])}, r"element 1 of rows in .*t\.npz is 0, after 0"),
    ):
        np.savez(file, **{**good, **wrong})
        with pytest.raises(bd.ParameterError, match=message):
            bd.Lookup2D(file=file)
    np.savez(file, x0=np.arange(2))
    with pytest.raises(bd.ParameterError, match=r"t\.npz: x0\nexpected: arrays x0, x1, table"):
        bd.LookupND(file=file, count=2)


def test_files_hold_what_is_written_in_place_too(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(GRID)
    np.savez(tmp_path / "g.npz", x0=[0.0, 10.0], x1=[0.0, 1.0, 2.0], table=[[1.0, 2, 3], [4, 5, 6.5]])
    (tmp_path / "l.csv").write_text("speed,power\n0,0\n10,5\n20,40\n")
    d = bd.Diagram()
    a, b = d.add("a", bd.Constant(5.0)), d.add("b", bd.Constant(1.5))
    for name, block in {
        "csv": bd.Lookup2D(file=tmp_path / "g.csv"),
        "npz": bd.Lookup2D(file=tmp_path / "g.npz"),
        "place": bd.Lookup2D([0, 10], [0, 1, 2], [[1, 2, 3], [4, 5, 6.5]]),
    }.items():
        d.add(name, block)
        d.connect(a, f"{name}.u0")
        d.connect(b, f"{name}.u1")
    d.connect(a, d.add("line", bd.Lookup1D(file=tmp_path / "l.csv", columns=("speed", "power"))))
    d.add("pair", bd.Mux(2))
    d.connect(a, "pair[0]")
    d.connect(b, "pair[1]")
    d.connect("pair", d.add("any", bd.LookupND(file=tmp_path / "g.npz", count=2)))
    r = d.simulate(stop=0.0)
    assert [float(r.final(name)) for name in ("csv", "npz", "place", "any")] == [4.125] * 4
    assert r.final("line") == 2.5


def test_tables_in_place_are_parameters_of_a_run() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(0.5)), d.add("f", bd.Lookup1D([0, 1], [0, 1])))
    assert d.simulate(stop=0.0, set={"f.table": [0.0, 8.0]}).final("f") == 4.0
    assert d.simulate(stop=0.0, set={"f.breakpoints": [0.0, 5.0]}).final("f") == 0.1

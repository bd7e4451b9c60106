"""A sweep in YAML and in Python is the same sweep; a file of scenarios is read as it is written."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from blockdyn.diagrams.yaml import dump, dumps, load, loads
from blockdyn.diagrams.yaml.errors import NotTrusted
from blockdyn.robots.library.catalogue import DATA
from blockdyn.sweeps.declare.keep import Keep
from blockdyn.sweeps.declare.sampling import SamplingWarning
from blockdyn.sweeps.errors import SweepError
from blockdyn.sweeps.sweep import Sweep, load_sweep

TEXT = """\
blockdyn: 1
name: oscillator
parameters: {stiffness: 4.0}
blocks:
  force:    {type: Gain, k: -1.0}
  spring:   {type: Gain, k: =stiffness}
  velocity: {type: Integrator, initial: 0.0}
  place:    {type: Integrator, initial: 1.0}
wires:
  - force -> velocity -> place -> spring -> force
log: [place]
simulate: {stop: 1.0}
sweep:
  number: 4
  seed: 1
  sampling: latin-hypercube
  axes:
    force.k: [-1, -2]
    stiffness: {normal: {mean: 4.0, sd: 0.1}}
    start: {paths: [place.initial, velocity.initial], linspace: [1, 2, 3]}
  measures:
    worst: {max: "abs(place)"}
  keep: {signals: [place], every: 0.01}
  chunk: 8
  common_random_numbers: true
"""


def test_yaml_and_python_declare_the_same_sweep() -> None:
    diagram = loads(TEXT)
    written = Sweep(diagram)
    del diagram.sections["sweep"]
    made = diagram.sweep(
        {
            "force.k": np.array([-1, -2]),
            "stiffness": {"normal": {"mean": 4.0, "sd": 0.1}},
            "start": {"paths": ("place.initial", "velocity.initial"), "linspace": (1, 2, 3)},
        },
        {"worst": {"max": "abs(place)"}},
        number=4,
        seed=1,
        sampling="latin-hypercube",
        keep={"signals": ["place"], "every": 0.01},
        chunk=8,
        common_random_numbers=True,
    )
    assert made.design.described() == written.design.described()
    assert made.count == written.count == 24
    assert made.keep == written.keep == Keep(("place",), 0.01)
    assert made.declaration.chunk == written.declaration.chunk == 8
    assert made.declaration.measures == written.declaration.measures
    assert made.declaration.common_random_numbers is written.declaration.common_random_numbers is True


def test_a_written_diagram_keeps_its_sweep(tmp_path: Path) -> None:
    diagram = loads(TEXT)
    dump(diagram, tmp_path / "again.yaml")
    again = load(tmp_path / "again.yaml")
    assert again.sections["sweep"].data == diagram.sections["sweep"].data
    assert dumps(again) == dumps(diagram)
    assert load_sweep(tmp_path / "again.yaml").design == Sweep(diagram).design


def test_keys_given_in_python_take_the_place_of_the_file_s() -> None:
    sweep = Sweep(loads(TEXT), number=16, seed=2)
    assert (sweep.design.number, sweep.design.seed, sweep.count) == (16, 2, 96)


def test_a_sweep_is_out_of_reach_of_later_changes_of_its_diagram() -> None:
    diagram = loads(TEXT)
    sweep = Sweep(diagram)
    diagram.parameter("stiffness", 9.0)
    assert sweep.diagram.parameters["stiffness"] == 4.0


def test_a_diagram_runs_as_before_with_a_sweep_in_its_file() -> None:
    place = loads(TEXT).simulate()["place"].values[-1]
    assert place == pytest.approx(np.cos(2.0), abs=1e-5)  # x'' = -4 x from 1 at rest


def test_scenario_k_is_the_diagram_with_its_values() -> None:
    """x'' = -w^2 x with x(0) = v(0) = x0, w^2 = 2 k: closed form."""
    sweep = Sweep(loads(TEXT), rtol=1e-9)
    for k in (0, 7, 23):
        values = sweep.scenario(k)
        w = np.sqrt(-values["force.k"] * values["stiffness"])
        x0 = values["place.initial"]
        result = sweep.simulate(k, every=0.1)
        t = result["place"].time.values
        expected = x0 * np.cos(w * t) + values["velocity.initial"] / w * np.sin(w * t)
        assert result["place"].values == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("k", [-1, 24, 1.5, True, "0"])
def test_a_scenario_that_is_none_is_an_error(k: object) -> None:
    with pytest.raises(SweepError, match="0 to 23"):
        Sweep(loads(TEXT)).scenario(k)  # type: ignore[arg-type]


# ---- files of scenarios ----

TABLE = "force.k, place.initial\n-1,0.5\n-2,1e-3\n\n-3,7\n"


def sweep_of(folder: Path, name: str) -> Sweep:
    start = TEXT.partition("sweep:")[0]
    (folder / "diagram.yaml").write_text(f"{start}sweep: {{file: {name}, axes: {{stiffness: [1, 2]}}}}\n")
    return load_sweep(folder / "diagram.yaml")


def test_a_csv_file_is_one_dimension_of_scenarios(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(TABLE, encoding="utf-8-sig")
    sweep = sweep_of(tmp_path, "s.csv")
    assert [(d.name, d.size) for d in sweep.design.dimensions] == [("stiffness", 2), ("file", 3)]
    assert sweep.scenario(4) == {"stiffness": 2.0, "force.k": -2.0, "place.initial": 1e-3}


def test_without_pyarrow_a_parquet_file_is_refused_with_what_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SweepError, match=r'\.csv file, or pip install "blockdyn\[parquet\]"'):
        sweep_of(tmp_path, "s.parquet")


def test_a_parquet_file_reads_as_its_table(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"force.k": [-1.0, -2.0], "simulate.method": ["rk4", "bs32"]}), tmp_path / "s.parquet"
    )
    sweep = sweep_of(tmp_path, "s.parquet")
    assert sweep.scenario(3) == {"stiffness": 2.0, "force.k": -2.0, "simulate.method": "bs32"}


def test_a_file_is_looked_for_beside_the_diagram_only(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(TABLE)
    (tmp_path / "inner").mkdir()
    with pytest.raises(NotTrusted, match=r"lies outside the diagram's folder"):
        sweep_of(tmp_path / "inner", "../s.csv")


def test_robots_from_files_are_looked_for_there_too(tmp_path: Path) -> None:
    text = (
        "blockdyn: 1\nblocks:\n  g: {type: Gravload, robot: puma560}\n"
        "  q: {type: Constant, value: [0, 0, 0, 0, 0, 0]}\n"
        "wires: [q -> g]\nsimulate: {stop: 1}\nsweep: {axes: {g.robot: [puma560, {file: FILE}]}}\n"
    )
    own = Path(DATA) / "puma560.yaml"
    (tmp_path / "mine.yaml").write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "diagram.yaml").write_text(text.replace("FILE", "mine.yaml"))
    sweep = load_sweep(tmp_path / "diagram.yaml")
    assert sweep.scenario(1) == {"g.robot": {"file": str(tmp_path / "mine.yaml")}}
    (tmp_path / "diagram.yaml").write_text(text.replace("FILE", "/etc/passwd"))
    with pytest.raises(NotTrusted, match=r"lies outside the diagram's folder"):
        load_sweep(tmp_path / "diagram.yaml")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "no scenarios"),
        ("force.k\n", "no scenarios"),
        ("force.k,force.k\n1,2\n", "two columns"),
        ("force.k,\n1,2\n", "column 2 has no name"),
        ("force.k,place.initial\n1\n", "line 2 has 1 cells"),
        ("force.k,place.initial\n1,\n", "line 2, column `place.initial` is empty"),
        ("force.k\nnan\n", "row 1 of column `force.k` is not a number"),
        ("force.k\n1\ntwo\n", "'1' is no|is '1'"),
        ("forc.k\n1\n", "did you mean `force`"),
        ("stiffness\n1\n", "another axis"),
    ],
)
def test_bad_tables_are_refused_at_the_line_that_names_them(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "s.csv").write_text(table)
    with pytest.raises(SweepError, match=said) as caught:
        sweep_of(tmp_path, "s.csv")
    assert caught.value.line == 13
    assert str(caught.value.file).endswith("diagram.yaml")


def test_a_file_that_is_not_there_is_an_error_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="No such file"):
        sweep_of(tmp_path, "s.csv")


# ---- warnings ----


def test_sobol_points_that_are_no_power_of_two_are_remarked_upon() -> None:
    axes = {"stiffness": {"uniform": {"low": 3, "high": 5}}}
    with pytest.warns(SamplingWarning, match="number: 64 or 128") as caught:
        Sweep(loads(TEXT), axes, number=100, sampling="sobol")
    assert caught[0].filename == __file__


def test_an_empty_keep_keeps_nothing() -> None:
    assert Sweep(loads(TEXT), keep={}).keep is None


def test_a_diagram_begins_its_own_sweep() -> None:
    diagram = loads(TEXT)
    assert diagram.sweep().design == Sweep(diagram).design

"""A store keeps what was finished, whatever ends the process, and reads as plain Zarr."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
import zarr

import blockdyn as bd
from blockdyn.sweeps.errors import StoreError, SweepError
from blockdyn.sweeps.running import identity
from blockdyn.sweeps.store.integrity import differences
from blockdyn.sweeps.store.layout import Layout
from blockdyn.sweeps.store.part import OUTCOMES, Part
from blockdyn.sweeps.store.store import Store

from .stored import CHUNK, COUNT, IDENTITY, TIMES, bytes_of, coordinates, filled, layout, part, same


def test_what_was_written_is_read_across_chunks(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.zarr")
    assert store.missing() == []
    assert store.safe == COUNT
    for start, stop in [(0, COUNT), (0, 5), (3, 17), (22, 23), (4, 5)]:
        same(store.part(start, stop), part(start, stop))
        same(Store.at(tmp_path / "s.zarr").part(start, stop), part(start, stop))


def test_zarr_and_xarray_read_a_store(tmp_path: Path) -> None:
    """Two libraries that know nothing of blockdyn, with every warning an error."""
    store = filled(tmp_path / "s.zarr")
    group = zarr.open_group(tmp_path / "s.zarr", mode="r")
    whole = part(0, COUNT)
    np.testing.assert_array_equal(group["measures"][:], whole.measures)  # type: ignore[index]
    assert group.attrs["blockdyn_sweep"]["identity"] == IDENTITY  # type: ignore[index,call-overload]
    data = xr.open_zarr(tmp_path / "s.zarr")
    assert data["measures"].dims == ("scenario", "measure")
    assert list(data["measure"].values) == ["worst", "rms"]
    assert data["plant.arm.q"].dims[:2] == ("scenario", "time")
    np.testing.assert_array_equal(data["time"], TIMES)
    np.testing.assert_array_equal(data["plant.arm.q"], whole.signals["plant/arm.q"])
    np.testing.assert_array_equal(data["outcome"], whole.outcome)
    assert list(data["reason"].values) == whole.reason
    assert data["outcome"].attrs["flag_meanings"].split()[2] == OUTCOMES[2].replace(" ", "_")
    np.testing.assert_array_equal(data["controller.Kp"], coordinates(0, COUNT)["controller.Kp"])
    assert {"controller.Kp", "end_2", "n"} <= set(data.coords)  # an axis named like an array gives way
    assert bool(data["done"].all())
    assert store.dataset()["end"].attrs["units"] == "s"


def test_scenarios_that_have_not_run_read_as_not_run(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)
    store.write(part(5, 10))
    data = xr.open_zarr(tmp_path / "s.zarr")
    assert data["done"].values.tolist() == [5 <= k < 10 for k in range(COUNT)]
    assert (data["outcome"].values == -1).sum() == COUNT - 5
    assert store.missing() == [(0, 5), (10, 15), (15, 20), (20, 23)]
    with pytest.raises(
        StoreError, match=r"scenarios 8 to 12 are not all in the store.*has 5 of\s23.*\n.*resume=True"
    ):
        store.part(8, 12)


def test_the_summary_has_a_row_for_each_finished_scenario(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.zarr")
    store.close()
    table = pd.read_parquet(tmp_path / "s.zarr" / "summary.parquet")
    whole = part(0, COUNT)
    assert table["scenario"].tolist() == list(range(COUNT))
    np.testing.assert_array_equal(table["rms"], whole.measures[:, 1])
    assert table["end (axis)"].tolist() == coordinates(0, COUNT)["end"]
    assert table["n"].iloc[7] == "[7]"
    assert set(table["outcome"]) == {"complete", "not finite"}
    assert table["reason"].tolist() == whole.reason


def test_without_pyarrow_the_summary_is_the_same_table_in_csv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(tmp_path / "s.zarr")
    store.close()
    parquet = pd.read_parquet(tmp_path / "s.zarr" / "summary.parquet")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        store.close()
    names = sorted(path.name for path in (tmp_path / "s.zarr").glob("summary.*"))
    assert names == ["summary.csv"]
    table = pd.read_csv(tmp_path / "s.zarr" / "summary.csv", keep_default_na=False, na_values=["nan"])
    pd.testing.assert_frame_equal(table, parquet, check_dtype=False, check_exact=True)


def test_without_zarr_a_store_is_filled_and_read_and_a_dataset_of_it_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zarr", None)
    store = filled(tmp_path / "s.zarr")
    np.testing.assert_array_equal(store.part(0, COUNT).measures, part(0, COUNT).measures)
    with pytest.raises(SweepError, match=r'pip install "blockdyn\[zarr\]"'):
        store.dataset()


def test_a_summary_of_half_a_sweep_has_half_the_rows(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)
    store.write(part(20, 23))
    store.write(part(0, 10))
    store.close()
    table = pd.read_parquet(tmp_path / "s.zarr" / "summary.parquet")
    assert table["scenario"].tolist() == [*range(10), 20, 21, 22]


def test_order_threads_and_repetition_do_not_change_a_byte(tmp_path: Path) -> None:
    filled(tmp_path / "a.zarr").close()
    store = Store.open(tmp_path / "b.zarr", IDENTITY, layout(), resume=False)
    chunks = store.missing() * 3
    random.Random(1).shuffle(chunks)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda chunk: store.write(part(*chunk)), chunks))
    store.close()
    assert bytes_of(tmp_path / "b.zarr") == bytes_of(tmp_path / "a.zarr")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"diagram": "77aa"}, "diagram: '3fb2' in the store, '77aa' in this sweep"),
        ({"seed": 2}, "seed: 1 in the store, 2 in this sweep"),
        (
            {"axes": {"controller.Kp": [10, 20, 41]}},
            r"axes.controller.Kp\[2\]: 40 in the store, 41 in this sweep",
        ),
        ({"axes": {}}, "axes.mass: .* in the store, nothing in this sweep"),
        (
            {"versions": {"blockdyn": "0.2.0", "numpy": "2.4.6"}},
            "versions.blockdyn: '0.1.0' in the store, '0.2.0'",
        ),
        ({"measures": {"worst": {"max": "error"}}}, "measures.worst.max: "),
        ({"keep": {"every": 0.1}}, "keep: nothing in the store"),
    ],
)
def test_the_store_of_another_sweep_is_refused(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    filled(tmp_path / "s.zarr")
    before = bytes_of(tmp_path / "s.zarr")
    with pytest.raises(StoreError, match=said):
        Store.open(tmp_path / "s.zarr", {**IDENTITY, **change}, layout(), resume=True)
    assert bytes_of(tmp_path / "s.zarr") == before


def test_a_difference_in_an_axis_is_named_by_the_axis() -> None:
    def axes(*names: str, low: float = 0.4) -> dict[str, Any]:
        return {"axes": [{"name": name, "uniform": {"low": low}} for name in names]}

    def named(one: dict[str, Any], other: dict[str, Any]) -> list[tuple[str, str, str]]:
        return list(differences(one, other))

    assert named(axes("kp", "mass"), axes("kp", "mass", low=0.5))[1] == (
        "axes.mass.uniform.low",
        "0.4",
        "0.5",
    )
    assert named(axes("kp", "mass"), axes("mass", "kp")) == [("axes", "['kp', 'mass']", "['mass', 'kp']")]
    assert named(axes("kp"), axes("kp", "mass")) == [("axes", "['kp']", "['kp', 'mass']")]
    assert named(axes("kp"), axes("kp")) == []


def test_a_store_of_other_columns_is_refused(tmp_path: Path) -> None:
    filled(tmp_path / "s.zarr")
    with pytest.raises(StoreError, match="scenarios: 23 in the store, 24 in this sweep"):
        Store.open(tmp_path / "s.zarr", IDENTITY, layout(count=24), resume=True)
    with pytest.raises(StoreError, match=r"measures\[1\]: 'rms' in the store, 'last' in this sweep"):
        Store.open(tmp_path / "s.zarr", IDENTITY, layout(measures=("worst", "last")), resume=True)


def test_a_store_goes_on_in_the_chunks_that_it_has(tmp_path: Path) -> None:
    filled(tmp_path / "s.zarr")
    store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(chunk=7), resume=True)
    assert store.layout.chunk == CHUNK


def test_the_order_of_an_identity_and_its_tuples_do_not_matter(tmp_path: Path) -> None:
    filled(tmp_path / "s.zarr")
    turned = dict(reversed(IDENTITY.items())) | {"axes": {**IDENTITY["axes"], "controller.Kp": (10, 20, 40)}}  # type: ignore[dict-item]
    Store.open(tmp_path / "s.zarr", turned, layout(), resume=True)


def test_an_existing_store_is_not_written_over(tmp_path: Path) -> None:
    filled(tmp_path / "s.zarr")
    with pytest.raises(StoreError, match=r"a store exists at .* already\n.*resume"):
        Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)


def make_file(path: Path) -> None:
    path.write_text("text", encoding="utf-8")


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "precious").write_text("text", encoding="utf-8")


def make_other_group(path: Path) -> None:
    zarr.open_group(path, mode="w")


@pytest.mark.parametrize("made", [make_file, make_folder, make_other_group])
@pytest.mark.parametrize("resume", [True, False])
def test_what_is_no_store_is_left_alone(made: Callable[[Path], None], resume: bool, tmp_path: Path) -> None:
    made(tmp_path / "s.zarr")
    with pytest.raises(StoreError):
        Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=resume)
    with pytest.raises(StoreError):
        Store.at(tmp_path / "s.zarr")
    assert (tmp_path / "s.zarr").exists()
    if made is make_folder:
        assert (tmp_path / "s.zarr" / "precious").exists()


def test_an_address_is_no_folder() -> None:
    with pytest.raises(StoreError, match="is not a folder"):
        Store.open("s3://bucket/sweep.zarr", IDENTITY, layout(), resume=False)


def test_parts_must_be_whole_chunks(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)
    for start, stop in [(0, 4), (1, 5), (20, 22), (20, 25)]:
        with pytest.raises(StoreError, match="not whole chunks of 5"):
            store.write(part(start, stop))


def test_a_store_without_measures_and_signals(tmp_path: Path) -> None:
    bare = Layout(3, 2)
    store = Store.open(tmp_path / "s.zarr", {}, bare, resume=False)
    none = np.zeros((3, 0))
    given = Part(0, none, np.zeros(3, np.int8), [""] * 3, np.ones(3), np.ones(3, np.int64))
    store.write(given)
    store.close()
    same(store.part(0, 3), given)
    assert xr.open_zarr(tmp_path / "s.zarr")["end"].values.tolist() == [1.0, 1.0, 1.0]


def test_a_part_is_read_from_its_own_chunks_alone(tmp_path: Path) -> None:
    """So a million scenarios are never in memory at once."""
    store = filled(tmp_path / "s.zarr")
    for file in (tmp_path / "s.zarr" / "measures").glob("c.*"):
        if file.name != "c.2.0":
            file.unlink()
    same(store.part(11, 14), part(11, 14))


def test_the_files_that_a_diagram_names_belong_to_its_identity(tmp_path: Path) -> None:
    """A sweep does not go on with a table or a robot that is another one by now."""
    (tmp_path / "wind.csv").write_text("t,x\n0,1\n1,2\n")
    (tmp_path / "arm.yaml").write_text("robot: arm\nsource: this test\ndh:\n  - {a: 1.0}\n")
    (tmp_path / "d.yaml").write_text(
        "blockdyn: 1\nblocks:\n  wind: {type: FromFile, file: wind.csv, columns: x}\n"
        "  arm: {type: FKine, robot: {file: arm.yaml}}\n  q: {type: Constant, value: [0.1]}\n"
        "wires: [q -> arm]\nsimulate: {stop: 1}\nsweep: {axes: {q.value: [[1], [2]]}}\n"
    )

    def digest() -> str:
        return str(identity(bd.load_sweep(tmp_path / "d.yaml"))["diagram"]["sha256"])

    first = digest()
    assert digest() == first
    (tmp_path / "wind.csv").write_text("t,x\n0,1\n1,3\n")
    second = digest()
    (tmp_path / "arm.yaml").write_text("robot: arm\nsource: this test\ndh:\n  - {a: 2.0}\n")
    assert len({first, second, digest()}) == 3

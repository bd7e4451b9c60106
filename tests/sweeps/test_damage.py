"""A store whose files a disk has changed: found, named, and computed again when the sweep goes on."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.errors import StoreError
from blockdyn.sweeps.store import store as stores
from blockdyn.sweeps.store.files import checksum
from blockdyn.sweeps.store.integrity import DamagedStore
from blockdyn.sweeps.store.store import Store

from .decays import decays

TEXT = decays(20, 0.1)
CHUNKS = [
    f"{name}/c.2{'.0' * more}"
    for name, more in (("measures", 1), ("outcome", 0), ("reason", 0), ("end", 0), ("steps", 0), ("done", 0),
                       ("x.y", 1))
]  # fmt: skip
OTHERS = ["a/c.0", "measure/c.0", "time/c.0", "x.y/zarr.json", "a/zarr.json"]


def sweep() -> bd.Sweep:
    return bd.Sweep(loads(TEXT))


def contents(store: Path) -> dict[str, bytes]:
    files = (f for f in store.rglob("*") if f.is_file() and ".unfinished" not in f.parts)
    return {str(f.relative_to(store)): f.read_bytes() for f in files}


def zeros(file: Path) -> None:
    file.write_bytes(b"\0" * file.stat().st_size)


def flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    bit = random.Random(str(file.name)).randrange(8 * len(data))
    data[bit // 8] ^= 1 << bit % 8
    file.write_bytes(data)


def shorter(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


DAMAGES: list[Callable[[Path], None]] = [zeros, flipped, shorter]


def test_the_checksum_is_that_of_the_standard() -> None:
    """RFC 3720, appendix B.4: 32 bytes of zeros have the CRC-32C aa 36 91 8a."""
    assert checksum(bytes(32)) == bytes.fromhex("aa36918a")


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", CHUNKS + OTHERS)
def test_a_damaged_file_is_named_and_made_again(
    name: str, damage: Callable[[Path], None], tmp_path: Path
) -> None:
    place = tmp_path / "s.zarr"
    sweep().run(store=place)
    whole = contents(place)
    damage(place / name)
    with pytest.warns(DamagedStore, match=name):
        again = sweep().run(store=place, resume=True)
    assert again.info["ran"] == (5 if name in CHUNKS else 0)
    changed = {file for file, data in contents(place).items() if data != whole[file]}
    assert changed <= {"summary.parquet"}


@pytest.mark.parametrize("damage", DAMAGES)
def test_reading_a_damaged_store_names_the_file(damage: Callable[[Path], None], tmp_path: Path) -> None:
    place = tmp_path / "s.zarr"
    sweep().run(store=place)
    damage(place / "x.y" / "c.2.0")
    store = Store.at(place)
    with pytest.raises(StoreError, match=r"is damaged: .*c\.2\.0"):
        store.part(0, 20)
    assert store.part(0, 10).signals["x.y"].shape == (10, 11)
    data = xr.open_zarr(place, chunks=None)
    with pytest.raises(ValueError):  # noqa: PT011  Zarr's own words
        data["x.y"].load()
    (place / "x.y" / "c.1.0").unlink()
    with pytest.raises(StoreError, match=r"c\.1\.0"):
        store.part(5, 10)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("resume", [False, True])
def test_metadata_that_say_whose_store_it_is_are_not_made_up(
    damage: Callable[[Path], None], resume: bool, tmp_path: Path
) -> None:
    place = tmp_path / "s.zarr"
    sweep().run(store=place)
    damage(place / "zarr.json")
    before = contents(place)
    with pytest.raises(StoreError, match=r"zarr\.json is not what was written"):
        sweep().run(store=place, resume=True) if resume else Store.at(place)
    assert contents(place) == before


def test_the_disk_has_a_chunk_before_it_counts_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe: set[Path] = set()
    real, put = stores.make_durable, stores.put

    def make_durable(files: list[Path]) -> None:
        real(files)
        safe.update(files)

    def putting(root: Path, file: Path, data: bytes) -> None:
        if file.parent.name == "done":
            others = ("done", "a", "time", "measure")
            own = {f for f in root.glob(f"*/{file.name}*") if f.parent.name not in others}
            assert len(own) == 7
            assert own <= safe
        put(root, file, data)

    monkeypatch.setattr(stores, "make_durable", make_durable)
    monkeypatch.setattr(stores, "put", putting)
    sweep().run(store=tmp_path / "s.zarr")
    assert {tmp_path / "s.zarr" / "done" / f"c.{i}" for i in range(4)} <= safe


def test_a_store_without_checksums_goes_on(tmp_path: Path) -> None:
    """Stores of the first format: the same files without the last four bytes, without the codec, and without
    checksums elsewhere.
    """
    place = tmp_path / "s.zarr"
    expected = np.array(sweep().run(store=place)["x"])
    shutil.rmtree(place / ".checksums")
    for file in place.rglob("c.*"):
        file.write_bytes(file.read_bytes()[:-4])
    for file in place.rglob("zarr.json"):
        text = json.loads(file.read_text())
        text["attributes"].pop("blockdyn_checksum", None)
        text["attributes"].get("blockdyn_sweep", {}).pop("checksums", None)
        document = json.dumps(text).replace(', {"name": "crc32c"}', "").replace('"format": 2', '"format": 1')
        file.write_text(document)
    (place / "done" / "c.1").unlink()
    again = sweep().run(store=place, resume=True)
    assert again.info["ran"] == 5
    np.testing.assert_array_equal(again["x"], expected)
    np.testing.assert_array_equal(xr.open_zarr(place)["measures"][:, 0], expected)
    assert len((place / "end" / "c.1").read_bytes()) == 40

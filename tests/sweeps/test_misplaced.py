"""Files of a store in which a bit has changed, or that stand in each other's place, or are no files."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.errors import StoreError
from blockdyn.sweeps.store.integrity import DamagedStore
from blockdyn.sweeps.store.store import Store
from blockdyn.sweeps.store.tried import DEATHS, RUNNING, CrashRecord

TEXT = """\
blockdyn: 1
parameters: {a: 1.0, b: 1.0}
blocks: {x: {type: Integrator, initial: =b}, g: {type: Gain, k: =-a}}
wires: [x -> g -> x]
simulate: {stop: 1.0}
sweep:
  number: 18
  chunk: 5
  axes: {a: {uniform: {low: 0, high: 1}}, b: {uniform: {low: 0, high: 1}}}
  measures: {x: {final: x}, y: {max: x}}
  keep: {signals: [x, g], every: 0.1}
"""
CHUNKED = [
    "measures/c.{}.0",
    "outcome/c.{}",
    "end/c.{}",
    "steps/c.{}",
    "x.y/c.{}.0",
    "g.y/c.{}.0",
    "done/c.{}",
]
CHUNKED += [".checksums/c.{}.0"]
posix = pytest.mark.skipif(os.name == "nt", reason="no pipes among files here")


@cache
def sweep() -> bd.Sweep:
    return bd.Sweep(loads(TEXT))


def contents(store: Path) -> dict[str, bytes]:
    files = (f for f in store.rglob("*") if f.is_file() and ".unfinished" not in f.parts)
    return {str(f.relative_to(store)): f.read_bytes() for f in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("whole") / "s.zarr"
    sweep().run(store=place)
    return place


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the store; what waits for ever is an error after a minute."""
    shutil.copytree(whole, tmp_path / "s.zarr")
    if os.name == "nt":
        yield tmp_path / "s.zarr"
        return
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(60)
    yield tmp_path / "s.zarr"
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _too_long(*_: object) -> None:
    raise TimeoutError("it waits")


def values_of(store: Path) -> dict[str, bytes]:
    """All but the summary, which says the same in bytes that depend on its writer."""
    return {name: data for name, data in contents(store).items() if name != "summary.parquet"}


def resumed(store: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedStore)
        sweep().run(store=store, resume=True)


@pytest.mark.parametrize("name", CHUNKED)
def test_files_of_two_chunks_swapped_are_found_and_made_again(name: str, store: Path, whole: Path) -> None:
    first, second = store / name.format(1), store / name.format(3)
    if first.read_bytes() == second.read_bytes():
        pytest.skip("they are the same")
    first.rename(store / "kept")
    second.rename(first)
    (store / "kept").rename(second)
    with pytest.warns(DamagedStore, match=name.format(1)):
        again = sweep().run(store=store, resume=True)
    assert again.info["ran"] == 5 + 3
    assert values_of(store) == values_of(whole)


@pytest.mark.parametrize("pair", [("a/c.0", "b/c.0"), ("x.y/c.2.0", "g.y/c.2.0")])
def test_files_of_two_arrays_swapped_are_found_and_made_again(
    pair: tuple[str, str], store: Path, whole: Path
) -> None:
    first, second = (store / name for name in pair)
    first.rename(store / "kept")
    second.rename(first)
    (store / "kept").rename(second)
    with pytest.warns(DamagedStore, match=pair[0]):
        sweep().run(store=store, resume=True)
    assert values_of(store) == values_of(whole)


def test_all_files_of_two_chunks_swapped_are_found(store: Path, whole: Path) -> None:
    for name in (*CHUNKED, "reason/c.{}"):
        first, second = store / name.format(0), store / name.format(2)
        first.rename(store / "kept")
        second.rename(first)
        (store / "kept").rename(second)
    with pytest.warns(DamagedStore, match="it is that of chunk 2"):
        again = sweep().run(store=store, resume=True)
    assert again.info["ran"] == 10
    assert values_of(store) == values_of(whole)


@pytest.mark.parametrize("seed", range(2))
def test_a_bit_changed_anywhere_is_mended_or_refused(seed: int, store: Path, whole: Path) -> None:
    """Four bits of every file, among them the first and the last; after each the store is whole again."""
    random_bits = random.Random(seed)
    expected = values_of(whole)
    for name, data in expected.items():
        for bit in ([0, 8 * len(data) - 1][seed], random_bits.randrange(8 * len(data))):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            (store / name).write_bytes(changed)
            if name == "zarr.json":
                with pytest.raises(StoreError, match=r"zarr\.json is not what was written\n.*from a copy"):
                    sweep().run(store=store, resume=True)
                (store / name).write_bytes(data)
                continue
            resumed(store)
            assert values_of(store) == expected, (name, bit)


def test_a_store_without_its_metadata_is_not_made_anew(store: Path) -> None:
    (store / "zarr.json").unlink()
    before = contents(store)
    for resume in (False, True):
        with pytest.raises(
            StoreError, match=r"finished scenarios, but its zarr\.json is gone\n.*from a copy"
        ):
            sweep().run(store=store, resume=resume)
    assert contents(store) == before


def pipe(place: Path) -> None:
    os.mkfifo(place)


def folder(place: Path) -> None:
    (place / "inside").mkdir(parents=True)


def bound(place: Path) -> None:
    here = Path.cwd()
    os.chdir(place.parent)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(place.name)
    finally:
        os.chdir(here)


def dangling(place: Path) -> None:
    place.symlink_to("nowhere")


def elsewhere(place: Path) -> None:
    (place.parent.parent.parent / "elsewhere").write_bytes(b"x" * 400)
    place.symlink_to(place.parent.parent.parent / "elsewhere")


KINDS = [pipe, folder, bound, dangling, elsewhere]
Kind = Callable[[Path], None]


@posix
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", [*(name.format(2) for name in CHUNKED), "a/c.0", "x.y/zarr.json", "time/c.0"]
)
def test_what_is_no_file_of_the_store_is_made_again_or_named(
    name: str, kind: Kind, store: Path, whole: Path
) -> None:
    (store / name).unlink()
    kind(store / name)
    if kind is folder:  # which may hold what is not ours
        with pytest.raises(StoreError, match=rf"a folder is .*\n.*{name}(.*\n)+.*remove it"):
            resumed(store)
        assert (store / name / "inside").is_dir()
        return
    with pytest.warns(DamagedStore, match=name):
        sweep().run(store=store, resume=True)
    assert values_of(store) == values_of(whole)
    assert (store / name).is_file()
    assert not (store / name).is_symlink()
    if kind is elsewhere:
        assert (store.parent / "elsewhere").read_bytes() == b"x" * 400


@posix
@pytest.mark.parametrize("kind", KINDS)
def test_reading_what_is_no_file_is_an_error_that_names_it(kind: Kind, store: Path) -> None:
    (store / "end" / "c.1").unlink()
    kind(store / "end" / "c.1")
    with pytest.raises(StoreError, match=r"end/c\.1"):
        Store.at(store).part(0, 18)


@posix
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("resume", [False, True])
def test_metadata_that_are_no_file_are_refused(kind: Kind, resume: bool, store: Path) -> None:
    (store / "zarr.json").unlink()
    kind(store / "zarr.json")
    with pytest.raises(StoreError):
        sweep().run(store=store, resume=resume)
    assert len([*store.glob("measures/c.*")]) == 4


@posix
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [RUNNING, DEATHS, f"{DEATHS}.new", "trial", "mark-0"])
def test_what_is_no_file_among_the_unfinished_is_passed_over(
    name: str, kind: Kind, store: Path, whole: Path
) -> None:
    kind(store / ".unfinished" / name)
    (store / "done" / "c.2").unlink()
    resumed(store)
    assert values_of(store) == values_of(whole)


def test_deaths_with_a_changed_bit_blame_nobody(tmp_path: Path) -> None:
    tried = CrashRecord(tmp_path)
    tried.died(7)
    assert CrashRecord(tmp_path).deaths == {7: 1}
    data = (tmp_path / DEATHS).read_bytes()
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        (tmp_path / DEATHS).write_bytes(changed)
        with pytest.warns(DamagedStore, match="tried again"):
            assert CrashRecord(tmp_path).deaths == {}

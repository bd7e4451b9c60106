"""What counts as written is on the disk: data, then the names in their folders, then what says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.sweeps.store import folder as store_durable

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors have no names here")
Event = tuple[str, Path]


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """What the system is asked for, in order: ("move", the new name), ("sync", a file or folder), "all"."""
    seen: list[Event] = []

    def note(kind: str, function: Callable[..., Any], which: int) -> Callable[..., Any]:
        def noted(*given: Any) -> Any:
            place = given[which]
            path = Path(os.readlink(f"/proc/self/fd/{place}") if isinstance(place, int) else place)
            answer = function(*given)
            seen.append((kind, path))
            return answer

        return noted

    monkeypatch.setattr(os, "fsync", note("sync", os.fsync, 0))
    monkeypatch.setattr(os, "replace", note("move", os.replace, 1))
    whole = store_durable._syncfs()
    monkeypatch.setattr(store_durable, "_syncfs", lambda: whole and note("all", whole, 0))
    return seen


def diagram() -> bd.Diagram:
    d = bd.Diagram("d")
    d.connect(d.add("c", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    return d


@pytest.mark.parametrize("many", [1, 10_000])
def test_a_chunk_is_done_when_the_disk_has_its_files_and_their_names(
    many: int, events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File by file (POSIX fsync of a file and of its folder), or the whole file system (syncfs)."""
    monkeypatch.setattr(store_durable, "MANY", many)
    store = tmp_path / "s.zarr"
    bd.Sweep(
        diagram(), {"c.value": [float(i) for i in range(12)]}, {"x": {"final": "x"}}, stop=1.0, chunk=3,
        keep={"signals": ["x"], "every": 0.5},
    ).run(store=store)  # fmt: skip
    marks = [i for i, (kind, path) in enumerate(events) if kind == "move" and path.match("done/c.*")]
    assert len(marks) == 4
    names = ["measures", "outcome", "reason", "end", "steps", "x.y", ".checksums"]
    for mark in marks:
        chunk = events[mark][1].name.split(".")[1]
        for name in names:
            (file,) = (store / name).glob(f"c.{chunk}*")
            moved = events.index(("move", file))
            between = events[moved:mark]
            all_of_it = any(kind == "all" for kind, _ in between)
            assert all_of_it or {("sync", file), ("sync", file.parent)} <= {*between}, (chunk, name)
        behind = events[mark:]
        assert any(kind == "all" for kind, _ in behind) or {
            ("sync", events[mark][1]), ("sync", store / "done")
        } <= {*behind}  # fmt: skip
    made = events.index(("move", store / "zarr.json"))
    assert made < min(marks)
    behind = events[made : min(marks)]
    assert ("sync", store / "zarr.json") in behind or any(kind == "all" for kind, _ in behind)


@pytest.mark.parametrize("suffix", [".nc", ".parquet", ".csv"])
def test_a_result_has_its_name_when_the_disk_has_its_bytes(
    suffix: str, events: list[Event], tmp_path: Path
) -> None:
    result = diagram().simulate(stop=1.0)
    events.clear()  # a program that was not in the store is put there in the same way
    result.save(tmp_path / f"r{suffix}")
    (written, file), moved, (named, folder) = events
    assert (written, file.parent, file.suffix) == ("sync", tmp_path, ".part")
    assert moved == ("move", tmp_path / f"r{suffix}")
    assert (named, folder) == ("sync", tmp_path)


def test_a_summary_of_a_sweep_too(events: list[Event], tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    bd.Sweep(diagram(), {"c.value": [1.0, 2.0]}, {"x": {"final": "x"}}, stop=1.0).run(store=store)
    moved = events.index(("move", store / "summary.parquet"))
    assert events[moved - 2][0] == "sync" or events[moved - 1][0] == "all"
    assert events[moved + 1] == ("sync", store)

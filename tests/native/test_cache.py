"""The store of compiled code never hands out anything but what was put in."""

import os
from types import ModuleType

import pytest

from blockdyn.native import cache
from blockdyn.native.fingerprint import fingerprint


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "store"))
    cache.folder.cache_clear()
    yield tmp_path / "store"
    cache.folder.cache_clear()


def test_what_was_written_comes_back(place):
    cache.write("a.program", b"code")
    assert cache.read("a.program") == b"code"
    assert cache.read("b.program") is None


@pytest.mark.parametrize(
    "damage", [lambda d: d[:-1], lambda d: d[:-1] + b"x", lambda d: b"", lambda d: d + b"x"]
)
def test_a_damaged_file_counts_as_absent(place, damage):
    cache.write("a.program", b"code")
    file = place / "a.program"
    file.write_bytes(damage(file.read_bytes()))
    assert cache.read("a.program") is None


def test_only_so_many_files_are_kept(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 10)
    for i in range(30):
        cache.write(f"{15:x}{i:063x}.program", b"code")
        os.utime(place / f"{15:x}{i:063x}.program", (i, i))
    cache.write(f"{0:064x}.program", b"newest")
    assert len(list(place.iterdir())) == 10
    assert cache.read(f"{0:064x}.program") == b"newest"
    assert cache.read(f"{15:x}{0:063x}.program") is None


def test_what_is_used_outlives_what_is_only_newer(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 2)
    for i in range(3):
        cache.write(f"{15:x}{i:063x}.kernel", b"code")
        os.utime(place / f"{15:x}{i:063x}.kernel", (i, i))
    assert cache.read(f"{15:x}{0:063x}.kernel") == b"code"
    cache.write(f"{0:064x}.kernel", b"newest")
    assert {path.name for path in place.iterdir()} == {f"{15:x}{0:063x}.kernel", f"{0:064x}.kernel"}


def test_a_constant_of_a_module_is_part_of_a_kernel() -> None:
    """A number read from a module is compiled in: with another number it is another kernel."""
    places = ModuleType("places")
    namespace = {"places": places}
    exec("def read(row):\n    return row[places.SPEED]", namespace)
    vars(places)["SPEED"] = 1
    first = fingerprint(namespace["read"])  # type: ignore[arg-type]
    assert fingerprint(namespace["read"]) == first  # type: ignore[arg-type]
    vars(places)["SPEED"] = 2
    assert fingerprint(namespace["read"]) != first  # type: ignore[arg-type]

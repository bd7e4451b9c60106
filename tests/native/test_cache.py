"""The store of compiled code never hands out anything but what was put in."""

import os
import subprocess
import sys
from pathlib import Path
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


def test_a_store_of_rubbish_changes_no_result(tmp_path):
    """The same run with an empty store, a filled one and a damaged one gives the same bits."""
    text = (
        "import blockdyn as bd\n"
        "d = bd.Diagram()\n"
        "d.connect(d.add('c', bd.Sine(frequency=2.0)), d.add('x', bd.Integrator()))\n"
        "print(d.simulate(stop=1.0, method='dopri5').final('x').hex())\n"
    )
    environment = os.environ | {cache.ENVIRONMENT: str(tmp_path)}

    def run() -> str:
        done = subprocess.run(
            [sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = run()
    for file in Path(tmp_path).glob("*.program"):
        file.write_bytes(file.read_bytes()[:-7] + b"rubbish")
    assert run() == first


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

"""What is no file, in the place of a result: an error that names it, and nobody waits."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.results.errors import ResultFileError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no pipes among files here")


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """What waits for ever is an error after a minute."""

    def too_long(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("suffix", [".nc", ".parquet", ".csv"])
@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "dangling"])
def test_loading_and_saving(kind: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    place = Path(f"r{suffix}")
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(place))
    else:
        place.symlink_to("nowhere")
    with pytest.raises(ResultFileError, match=rf"r\{suffix}"):
        bd.load_result(place)
    d = bd.Diagram("d")
    d.connect(d.add("c", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    result = d.simulate(stop=1.0)
    if kind == "dangling":  # a link says where the file goes
        result.save(place)
        assert (place.is_symlink(), Path("nowhere").is_file()) == (True, True)
        assert bd.load_result(place).final("x") == result.final("x")
        return
    with pytest.raises(ResultFileError, match=rf"r\{suffix}"):
        result.save(place)
    with pytest.raises(ResultFileError, match=rf"r\{suffix}"):
        d.simulate(stop=1.0, stream=place)

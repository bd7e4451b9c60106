"""`blockdyn run --live`: a page until somebody ends the run, whose result is kept."""

from __future__ import annotations

import json
import os
import signal
import threading
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from blockdyn import load_result


def _look(url: str) -> None:
    """What a browser does: touch the run, then end it."""
    with connect(f"{url.replace('http', 'ws', 1)}socket", origin=url[: url.index("/", 8)]) as socket:
        socket.send(json.dumps({"type": "seek", "time": 0.5}))
        socket.send(json.dumps({"type": "touch", "changes": {"rate": 3.0}}))
        while True:
            message = socket.recv(timeout=20.0)
            if isinstance(message, str) and '"touched": [[' in message:
                socket.send(json.dumps({"type": "end"}))
            if isinstance(message, str) and json.loads(message)["type"] == "ended":
                return


def test_a_run_ended_in_the_page_is_kept_with_what_was_touched(
    command: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(url: str) -> bool:
        threading.Thread(target=_look, args=(url,), daemon=True).start()
        return True

    monkeypatch.setattr(webbrowser, "open", opened)
    done = command("run", "decay.yaml", "--live", "--out", "decay.nc")
    assert done.returncode == 0, done.stderr
    assert "live at http://127.0.0.1:" in done.stdout
    kept = load_result(folder / "decay.nc")
    assert kept.touched[0]["set"] == {"rate": 3.0}
    assert kept.provenance.message.startswith("ended at t = ")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_signal_ends_the_run_its_viewers_are_told_and_it_is_kept(
    command: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def look(url: str) -> None:
        with connect(f"{url.replace('http', 'ws', 1)}socket", origin=url[: url.index("/", 8)]) as socket:
            socket.recv(timeout=20.0)
            os.kill(os.getpid(), signal.SIGHUP)  # the terminal is closed
            told.extend(message for message in socket if isinstance(message, str))

    viewer = threading.Thread(target=lambda: look(url), daemon=True)

    def opened(address: str) -> bool:
        nonlocal url
        url = address
        viewer.start()
        return True

    url = ""
    monkeypatch.setattr(webbrowser, "open", opened)
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored where the tests run under nohup
    try:
        done = command("run", "decay.yaml", "--live", "--out", "hung-up.nc")
    finally:
        signal.signal(signal.SIGHUP, before)
    viewer.join(20.0)
    assert done.returncode == 0, done.stderr
    assert json.loads(told[-1]) == {"type": "ended", "text": "the run has ended"}
    assert load_result(folder / "hung-up.nc").provenance.message.startswith("ended at t = ")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--pace", "2"), "--pace without --live"),
        (("--live", "--port", "70000"), "not a port"),
        (("--live", "--pace", "-1"), "above 0"),
    ],
)
def test_what_cannot_be_live_is_told(command: Any, options: tuple[str, ...], told: str) -> None:
    done = command("run", "decay.yaml", *options)
    assert done.returncode == 2
    assert told in done.stderr

"""Pages in the system's Firefox, which is driven by WebDriver BiDi (W3C) over its own socket."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import connect

import blockdyn as bd

from ..export.units import oscillator
from .test_simulated import ROWS, columns

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
ARGUMENTS = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile"]
PATIENCE = 60.0  # s: a first run compiles, on a machine that has other work
pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker


class Firefox:
    """One tab of a browser, and the errors in its console."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._calls = socket, 0
        self.errors: list[str] = []
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._tab = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def _call(self, method: str, **parameters: Any) -> Any:
        self._calls += 1
        self._socket.send(json.dumps({"id": self._calls, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == self._calls:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, file: Path) -> None:
        """Load a page, and wait until its first run is drawn."""
        self._call("browsingContext.navigate", context=self._tab, url=file.as_uri(), wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, or of its promise; an object has to be JSON."""
        target = {"context": self._tab}
        done = self._call("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert done["type"] == "success", done
        return done["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds in the page."""
        self.evaluate(
            f"(async () => {{ while (!({condition})) await new Promise((go) => setTimeout(go, 20)); }})()"
        )


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox to open pages in: apt install firefox-esr")
    folder = tmp_path_factory.mktemp("firefox")
    messages = folder / "messages"
    with messages.open("w") as out:
        process = subprocess.Popen([FIREFOX, *ARGUMENTS, str(folder)], stdout=out, stderr=out)
    try:
        with connect(f"{_address(messages)}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait()


def _address(messages: Path) -> str:
    """The address of Firefox's socket, which is among its messages."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        line = re.search(
            r"BiDi listening on (ws://\S+)", messages.read_text(encoding="utf-8", errors="replace")
        )
        if line is not None:
            return line[1]
        time.sleep(0.05)
    raise TimeoutError(messages.read_text(encoding="utf-8", errors="replace"))


def test_a_page_that_simulates_has_the_bits_of_the_engine(firefox: Firefox, tmp_path: Path) -> None:
    d = oscillator()
    d.log("x", "v")
    file = d.export_page(tmp_path / "oscillator.html").file
    firefox.open(file)
    firefox.wait("document.querySelector('[data-ready=true]')")
    for mu in (100.0, 200.0):
        seen = json.loads(firefox.evaluate(f"({ROWS})({{mu: {mu}}}).then(JSON.stringify)"))
        rows = np.reshape(seen["rows"], (-1, seen["columns"]))
        expected = d.simulate(refine=4, parameters={"mu": mu})
        for name in ("x", "v"):
            np.testing.assert_array_equal(rows[:, columns(file)[f"{name}.y"]], expected.trace(name).values)
    assert firefox.errors == []


def test_the_page_of_a_result_is_drawn_without_an_error(firefox: Firefox, tmp_path: Path) -> None:
    result = bd.load("two-tanks").simulate(stop=5.0)
    firefox.open(Path(result.page(tmp_path / "run.html").file))
    firefox.wait("document.querySelector('canvas, svg')")
    assert firefox.errors == []

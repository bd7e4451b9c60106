"""ELK: the layered layout of the Eclipse Layout Kernel, run by V8 inside this process."""

from __future__ import annotations

import atexit
import gzip
import json
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from ..base.errors import BlockdynError
from ..base.extras import remedy

_BUILT = Path(__file__).with_name("built") / "elk.js.gz"
_LOCK = Lock()
_LONGEST = 60.0  # s: a layout that takes longer is taken to be endless
# the script expects the interface of a browser's worker: messages go in and out at once, and nothing waits
_BEFORE = """
var self = globalThis, window = globalThis, answers = [];
self.postMessage = function (message) { answers.push(message); };
self.setTimeout = function (call) { call(); return 0; };
self.clearTimeout = function () {};
self.console = { log: function () {}, error: function () {}, warn: function () {} };
"""
_AFTER = """
self.onmessage({ data: { id: 0, cmd: "register", algorithms: ["layered"] } });
function laidOut(text) {
  answers.length = 0;
  self.onmessage({ data: { id: 1, cmd: "layout", graph: JSON.parse(text), layoutOptions: {}, options: {} } });
  var error = answers[0].error;
  return JSON.stringify(error ? { error: String(error.message || error) } : answers[0].data);
}
"""


class DrawingError(BlockdynError):
    """A diagram cannot be drawn: a part is missing, or the request is wrong."""


def laid_out(graph: dict[str, Any]) -> dict[str, Any]:
    """The graph with positions, in ELK's JSON format.

    Raises DrawingError if mini-racer is not installed. Source: C. D. Schulze, M. Spönemann, R. von
    Hanxleden, "Drawing layered graphs with port constraints", J. Visual Languages and Computing 25 (2014).
    """
    code = f"laidOut({json.dumps(json.dumps(graph))})"
    with _LOCK:
        text: Future[str] = Future()
        _thread().put((code, text))
        answer: dict[str, Any] = json.loads(text.result())
    if "error" in answer:
        raise DrawingError(f"no layout of this diagram: {answer['error']}")
    return answer


def open_engine() -> None:
    """Start V8 in its thread, if it is installed, to shorten the wait for the first layout."""
    if not remedy("py_mini_racer"):
        _thread().put(("1", Future()))


@cache
def _thread() -> SimpleQueue[tuple[str, Future[str]] | None]:
    """Queue of scripts for the thread of V8.

    One thread opens, uses and closes V8. It has no event loop, unlike the main thread of a notebook. V8 ends
    the process if it is closed by a thread that existed before it.
    """
    calls: SimpleQueue[tuple[str, Future[str]] | None] = SimpleQueue()

    def work() -> None:
        engine: Any = None
        while (call := calls.get()) is not None:
            code, text = call
            try:
                engine = engine or _engine()
                text.set_result(engine.eval(code, timeout_sec=_LONGEST))
            except Exception as error:  # noqa: BLE001  raised in the thread that waits for the answer
                text.set_exception(error)
        if engine is not None:
            engine.close()

    thread = Thread(target=work, daemon=True)
    thread.start()

    def end() -> None:
        calls.put(None)
        thread.join()

    atexit.register(end)  # later all threads are stopped, and closing would wait forever
    return calls


def _engine() -> Any:
    """V8 with ELK's script loaded; loading takes a third of a second, once."""
    how = remedy("py_mini_racer")
    if how:
        raise DrawingError(
            f"pictures of diagrams need the package mini-racer, which is not here\ninstall: {how}"
        )
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(_BEFORE)
    engine.eval(gzip.decompress(_BUILT.read_bytes()).decode("utf-8"))
    engine.eval(_AFTER)
    return engine

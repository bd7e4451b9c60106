"""The page of a live run is served to who knows its address, and to nobody else; viewers see one run."""

from __future__ import annotations

import http.client
import json
import math
import socket
import struct
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import blockdyn as bd
from blockdyn.pages.live import server as serving
from blockdyn.pages.live.controls import controls
from blockdyn.pages.live.host import Host
from blockdyn.pages.live.moment import thinned
from blockdyn.pages.live.server import Server
from blockdyn.pages.serving import LiveError
from blockdyn.robots import functions, load

WAIT = 20.0  # s for what comes at once


@pytest.fixture(scope="module")
def program() -> Any:
    d = bd.Diagram("decay", parameters={"rate": 1.0, "push": 0.0})
    x, slope = d.add("x", bd.Integrator(1.0)), d.add("slope", bd.Gain(bd.expression("-rate")))
    total = d.add("total", bd.Sum("++"))
    d.connect(x, slope, total[0])
    d.connect(d.add("force", bd.Constant(bd.expression("push"))), total[1])
    d.connect(total, x)
    d.connect(x, d.add("hit", bd.HitCrossing(level=0.5)))
    return d.compile()


class Served:
    """A server in a thread, as long as the test needs it."""

    def __init__(self, live: Any, **arguments: Any) -> None:
        ready = threading.Event()
        self.live = live
        self.server = Server(live, opened=lambda _url: ready.set(), **arguments)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        assert ready.wait(WAIT)
        parts = urlsplit(self.server.url)
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def get(self, path: str, **headers: str) -> tuple[int, bytes, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def viewer(self, **arguments: Any) -> Viewer:
        return Viewer(f"ws://{self.host}{self.path}socket", **{"origin": f"http://{self.host}", **arguments})


class Viewer:
    """The other end of a socket."""

    def __init__(self, url: str, **arguments: Any) -> None:
        self.socket = connect(url, **arguments).__enter__()

    def ask(self, kind: str, **message: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **message}))

    def wait(self, kind: str, **facts: Any) -> dict[str, Any]:
        """The next message of a kind, with these facts; pictures are answered on the way."""
        while True:
            message = self._next()
            if message["type"] == kind and all(message[name] == value for name, value in facts.items()):
                return message

    def _next(self) -> dict[str, Any]:
        data = self.socket.recv(timeout=WAIT)
        if isinstance(data, str):
            return json.loads(data)  # type: ignore[no-any-return]
        kind, n, m, last = struct.unpack_from("<4I", data)
        head = struct.unpack_from("<3d", data, 16)
        times = np.frombuffer(data, "<f8", n, 40)
        values = np.frombuffer(data, "<f4", n * m, 40 + 8 * n).reshape(m, n)
        if kind == 1:
            self.ask("shown", frame=int(head[0]))
            return {"type": "frame", "time": head[1], "times": times, "values": values}
        return {"type": "range", "id": last, "times": times, "values": values}


@pytest.fixture
def served(program: Any) -> Iterator[Served]:
    one = Served(bd.LiveRun(program, stop=8.0, pace=math.inf))
    yield one
    one.server.host.ended = True
    one.thread.join(WAIT)
    assert not one.thread.is_alive()


def test_the_page_is_there_for_who_knows_its_address_on_this_machine(served: Served) -> None:
    status, body, headers = served.get(served.path)
    assert status == 200
    assert b"blockdynLive.start" in body
    assert b"http://" not in body.partition(b"<style>")[0].replace(f"ws://{served.host}".encode(), b"")
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    token = served.path.strip("/")
    assert len(token) >= 32
    for wrong in ("/", "/token/", f"/{token[:-1]}/", f"/{token}/more", f"/{token}x/socket"):
        assert served.get(wrong)[0] == 404
    assert served.get(served.path, Host="rebound.example")[0] == 403
    assert socket.gethostbyname("localhost") == serving.HERE


def test_a_socket_from_another_page_is_refused(served: Served) -> None:
    for arguments in ({"origin": "http://rebound.example"}, {"origin": f"http://localhost:{served.port}"}):
        with pytest.raises(InvalidStatus):
            served.viewer(**arguments)


def test_what_no_browser_sends_is_refused_without_a_trace(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """RFC 9112, section 3.2: two Host fields are answered by 400."""
    for name in ("Host", "Origin"):
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=WAIT)
        connection.putrequest("GET", f"{served.path}socket", skip_host=name == "Host")
        for value in (served.host, "rebound.example"):
            connection.putheader(name, value)
        connection.endheaders()
        assert connection.getresponse().status == 400
    viewer = served.viewer()
    viewer.socket.send("[" * 100_000 + "]" * 100_000)
    viewer.socket.send('{"type": ' + "[" * 100_000)
    viewer.ask("pace", pace=2.0)
    viewer.wait("hello")
    assert "Traceback" not in caplog.text


def test_what_a_run_no_longer_asks_for_has_no_slider() -> None:
    """An initial value, the level of an integrator without a reset, a parameter that nothing names."""
    d = bd.Diagram("decay", parameters={"rate": 1.0, "unused": 2.0, "begin": 3.0})
    x = d.add("x", bd.Integrator(bd.expression("begin")))
    y = d.add("y", bd.Integrator(1.0, reset="rising", level=2.0))
    slope = d.add("slope", bd.Gain(bd.expression("-rate")))
    d.connect(x, slope, x)
    d.connect(x, y[0])
    d.connect(x, y[1])
    d.connect(slope, y[2])
    live = bd.LiveRun(d.compile(), stop=1.0)
    paths = {control.path for control in controls(live)}
    assert paths == {"rate", "y.level"}


def test_inputs_have_their_units() -> None:
    d = bd.Diagram("pushed")
    d.connect(
        d.add("push", bd.Inport(default=[0.0, 0.0], unit="N, N m")), d.add("v", bd.Integrator([0.0, 0.0]))
    )
    live = bd.LiveRun(d.compile(), stop=1.0)
    assert [(each.path, each.unit) for each in controls(live)] == [("push[0]", "N"), ("push[1]", "N m")]


def test_two_viewers_see_one_run_and_one_that_comes_back_is_told_all(served: Served, program: Any) -> None:
    one = served.viewer()
    hello = one.wait("hello")
    assert (hello["title"], hello["start"], hello["stop"]) == ("decay", 0.0, 8.0)
    assert {control["path"] for control in hello["controls"]} >= {"rate", "push", "hit.level"}
    one.wait("state", status="complete")
    two = served.viewer()
    two.wait("hello")
    assert one.wait("state", viewers=2)["time"] == 8.0
    frame = two.wait("frame")
    x = [series["name"] for series in hello["series"]].index("x.y")
    np.testing.assert_allclose(frame["values"][x], np.exp(-frame["times"]), rtol=1e-5)
    two.ask("seek", time=2.0)
    while two.wait("frame")["time"] != 2.0:
        pass
    two.ask("touch", changes={"rate": 0.5})
    assert one.wait("truncate")["time"] == 2.0
    state = one.wait("state", touched=[[2.0, "rate", 0.5]])
    assert state["values"]["rate"] == 0.5
    one.ask("push", path="push", value=1.0)
    one.wait("state", touched=[[2.0, "rate", 0.5], [2.0, "push", 1.0]])
    one.ask("release", path="push")
    one.wait("state", touched=[[2.0, "rate", 0.5], [2.0, "push", 0.0]])
    one.ask("play")
    one.wait("state", status="complete")
    one.socket.close()
    again = served.viewer()
    assert again.wait("hello")["state"]["touched"][0] == [2.0, "rate", 0.5]
    frame = again.wait("frame")
    later = frame["times"] >= 2.0
    expected = np.exp(-2.0 - 0.5 * (frame["times"][later] - 2.0))
    np.testing.assert_allclose(frame["values"][x][later], expected, rtol=1e-5)
    again.ask("range", id=7, **{"from": 0.0, "to": 1.0}, pixels=10)
    stretch = again.wait("range")
    assert stretch["id"] == 7
    assert stretch["times"][-1] <= 1.0
    assert len(stretch["times"]) <= 22
    again.ask("end")
    again.wait("ended")
    served.thread.join(WAIT)
    result = served.live.result()
    simulated = program.simulate(stop=8.0, refine=4, touches=result.touched)
    np.testing.assert_array_equal(result["x"].values, simulated["x"].values)


def test_what_cannot_be_done_is_told_and_the_run_goes_on(served: Served) -> None:
    viewer = served.viewer()
    viewer.wait("state", status="complete")
    viewer.ask("seek", time=0.5)
    for message, told in (
        ({"type": "dance"}, "dance"),
        ({"type": "touch", "changes": {"rote": 1.0}}, "did you mean"),
        ({"type": "touch"}, "changes"),
        ({"type": "pace", "pace": -1}, "above 0"),
        ({"type": "seek", "time": "soon"}, "soon"),
        ([], "null"),
    ):
        viewer.socket.send(json.dumps(message))
        assert told in viewer.wait("error")["text"]
    viewer.socket.send("no JSON")
    assert "null" in viewer.wait("error")["text"]
    viewer.ask("next")
    while viewer.wait("frame")["time"] != pytest.approx(math.log(2.0), rel=1e-6):
        pass


def test_a_run_whose_viewers_have_gone_ends_where_that_is_asked_for(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "GRACE", 0.0)
    one = Served(bd.LiveRun(program, stop=1e6, max_step=1.0), when_closed="end")
    viewer = one.viewer()
    viewer.wait("frame")
    viewer.socket.close()
    one.thread.join(WAIT)
    assert not one.thread.is_alive()
    assert one.live.result().provenance.message.startswith("ended at t = ")


def test_a_viewer_who_comes_back_finds_a_paused_run_as_it_was(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "GRACE", 0.0)
    one = Served(bd.LiveRun(program, stop=1e6, max_step=1.0), when_closed="pause")
    viewer = one.viewer()
    viewer.wait("frame")
    assert one.live.playing
    viewer.ask("pause")
    viewer.wait("state", playing=False)
    viewer.socket.close()
    time.sleep(0.2)
    viewer = one.viewer()
    viewer.wait("frame")
    assert not one.live.playing
    one.server.host.ended = True
    one.thread.join(WAIT)


def test_a_port_in_use_and_a_missing_package_are_told(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    live = bd.LiveRun(program, stop=1.0)
    with socket.socket() as taken:
        taken.bind((serving.HERE, 0))
        taken.listen()
        # in a thread of its own: in this one the browser of other tests runs a loop
        taken_already = pytest.raises(LiveError, match=r": [Aa]ddress already in use\n.*another --port")
        with taken_already, ThreadPoolExecutor(1) as thread:
            thread.submit(Server(live, port=taken.getsockname()[1]).run).result()
    monkeypatch.setattr("blockdyn.pages.serving.remedy", lambda _package: 'pip install "blockdyn[live]"')
    with pytest.raises(LiveError, match=r"pip install \"blockdyn\[live\]\""):
        Server(live)


def test_thinned_samples_keep_every_peak_and_two_of_a_pixel() -> None:
    times = np.linspace(0.0, 1.0, 10_001)
    values = np.array([np.sin(40.0 * times), times])
    values[0, 4567] = 9.0
    few, shown = thinned(times, values, 0.01)
    assert len(few) <= 2 * 101
    assert np.all(np.diff(few) >= 0.0)
    assert shown[0].max() == 9.0
    assert shown[0].min() == values[0].min()
    np.testing.assert_array_equal(thinned(times[:50], values[:, :50], 1e-6)[1], values[:, :50])


def test_a_viewer_that_does_not_answer_gets_no_more_pictures(program: Any) -> None:
    live = bd.LiveRun(program, stop=8.0)
    host, sent = Host(live), list[Any]()
    viewer = host.join(sent.append)
    live.playing = True
    for _ in range(30):
        host.tick(1 / 60)
    assert sum(isinstance(message, bytes) for message in sent) == 2
    host.heard(viewer, {"type": "shown", "frame": 2})
    last = sent[-1]  # at once
    n = struct.unpack_from("<4I", last)[1]
    times = np.frombuffer(last, "<f8", n, 40)
    assert times[-1] == live.time
    assert times[0] <= 3 / 60


def test_who_touches_does_not_wait_for_pictures_of_what_was_before(program: Any) -> None:
    live = bd.LiveRun(program, stop=8.0)
    host, sent = Host(live), list[Any]()
    viewer = host.join(sent.append)
    live.playing = True
    for _ in range(5):
        host.tick(1 / 60)
    before = len(sent)
    host.heard(viewer, {"type": "touch", "changes": {"rate": 2.0}})
    told = sent[before:]
    assert {"type": "truncate", "time": live.time} in told
    assert isinstance(told[-1], bytes)
    assert struct.unpack_from("<4I3d", told[-1])[5] == live.time


def test_who_comes_late_sees_the_way_that_bodies_have_gone() -> None:
    d = bd.Diagram("turning")
    angle = d.add("angle", bd.Integrator([0.3, 0.0]))
    d.connect(d.add("rate", bd.Constant([1.0, 0.0])), angle)
    d.connect(angle, d.add("arm", bd.FKine("twolink")))
    live = bd.LiveRun(d.compile(), stop=2.0, max_step=0.01)
    host = Host(live)
    live.go_to(2.0)
    sent = list[Any]()
    host.join(sent.append)
    host.tick(0.0)
    (path,) = [m for m in sent if isinstance(m, bytes) and struct.unpack_from("<I", m)[0] == 3]
    _, n, m, _ = struct.unpack_from("<4I", path)
    times = np.frombuffer(path, "<f8", n, 40)
    tips = np.frombuffer(path, "<f4", n * m, 40 + 8 * n).reshape(m, n)
    assert (m, times[0], times[-1]) == (3, 0.0, 2.0)
    assert n > 150
    robot = load("twolink")
    for k in (0, n // 2, n - 1):
        tip = functions.fkine(robot, [0.3 + times[k], 0.0])[:3, 3]
        np.testing.assert_allclose(tips[:, k], tip, atol=1e-6)

"""Those who look at a live run: what they press is let go when they leave, and all that holds can be told."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.pages.live.host import Host


@pytest.fixture(scope="module")
def program() -> Any:
    d = bd.Diagram("pushed", parameters={"limit": 2.0})
    total = d.add("total", bd.Sum("++"))
    x = d.add("x", bd.Integrator([1.0, 2.0]))
    y = d.add("y", bd.Integrator())
    d.connect(d.add("force", bd.Inport(default=0.0)), total[0])
    most, least = d.add("most", bd.Constant(bd.expression("1 / limit"))), d.add("least", bd.Constant(1.0))
    smaller = d.add("smaller", bd.MinMax("min"))
    d.connect(most, smaller[0])
    d.connect(least, smaller[1])
    d.connect(smaller, total[1])
    d.connect(total, y)
    d.connect(d.add("still", bd.Constant([0.0, 0.0])), x)
    return d.compile()


def states(sent: list[Any]) -> list[Any]:
    return [message for message in sent if isinstance(message, dict) and message["type"] == "state"]


def test_what_a_viewer_pushes_is_let_go_when_it_leaves(program: Any) -> None:
    """A closed browser or a lost connection does not let go by itself."""
    live = bd.LiveRun(program, stop=8.0)
    host, sent = Host(live), list[Any]()
    one, two = host.join(sent.append), host.join(sent.append)
    live.go_to(1.0)
    host.heard(one, {"type": "push", "path": "force", "value": 3.0})
    live.go_to(2.0)
    host.leave(one)
    assert [(touch.at, touch.set) for touch in live.touches] == [(1.0, {"force": 3.0}), (2.0, {"force": 0.0})]
    assert states(sent)[-1]["viewers"] == 1
    host.heard(two, {"type": "push", "path": "force", "value": 1.0})
    host.heard(two, {"type": "open"})  # its page was made anew
    assert live.values()["force"] == 0.0


def test_two_who_push_one_input_leave_it_as_it_was(program: Any) -> None:
    live = bd.LiveRun(program, stop=8.0)
    host = Host(live)
    one, two = host.join(lambda _: None), host.join(lambda _: None)
    for viewer, message in (
        (one, {"type": "push", "path": "force", "value": 3.0}),
        (two, {"type": "push", "path": "force", "value": 5.0}),
        (one, {"type": "release", "path": "force"}),
        (two, {"type": "release", "path": "force"}),
    ):
        live.go_to(live.time + 0.5)
        host.heard(viewer, message)
    assert live.values()["force"] == 0.0


def test_a_run_that_has_ended_stays_as_it_is_when_a_viewer_leaves(program: Any) -> None:
    live = bd.LiveRun(program, stop=2.0)
    host = Host(live)
    viewer = host.join(lambda _: None)
    live.go_to(1.0)
    host.heard(viewer, {"type": "push", "path": "force", "value": 3.0})
    live.go_to(2.0)
    host.leave(viewer)
    assert [touch.at for touch in live.touches] == [1.0]


def test_infinite_values_and_vectors_are_told_as_texts(program: Any) -> None:
    live = bd.LiveRun(program, stop=8.0)
    host, sent = Host(live), list[Any]()
    host.join(sent.append)
    live.touch({"limit": math.inf})
    live.touch({"x.x": [3.0, 4.0]}, at=1.0)
    live.go_to(1.0)
    host.tick(0.0)
    host.join(sent.append)
    for message in sent:
        if isinstance(message, dict):
            json.dumps(message, allow_nan=False)
    told = states(sent)[-1]
    assert told["touched"] == [[0.0, "limit", "inf"], [1.0, "x.x", "[3.0, 4.0]"]]
    assert told["values"]["limit"] == "inf"


def test_a_message_without_sense_is_refused_and_no_more(program: Any) -> None:
    host, sent = Host(bd.LiveRun(program, stop=8.0)), list[Any]()
    host.heard(host.join(sent.append), {"type": "touch", "changes": {1: 2.0}})
    (told,) = [message for message in sent if isinstance(message, dict) and message["type"] == "error"]
    assert "paths are texts" in told["text"]

"""A run served on this machine, watched and touched in a browser, then run again as it was touched."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.pages.live.server import Server

pytestmark = pytest.mark.xdist_group("browser")  # the modules share a worker
PENDULUM = """\
blockdyn: 1
name: pendulum
parameters: {torque: 0.0}
blocks:
  pushed: {type: Constant, value: "=[torque, 0]"}
  arm: {type: FDyn, robot: twolink}
wires: [pushed -> arm]
log: [arm.q]
simulate: {stop: 1000}
"""


def test_a_browser_touches_a_run_that_can_be_run_again(tab: Any) -> None:
    diagram = loads(PENDULUM)
    live = bd.LiveRun(diagram.compile())
    ready = threading.Event()
    server = Server(live, opened=lambda _: ready.set())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ready.wait(20.0)
    tab.goto(server.url)
    expect(tab.locator("h1")).to_have_text("pendulum")
    tab.wait_for_selector(".film canvas")
    torque = tab.get_by_label("torque", exact=True)
    tab.get_by_label("torque, number").fill("0.5")
    tab.get_by_label("torque, number").press("Enter")
    expect(tab.locator(".touched tbody tr")).to_have_count(1)
    expect(torque).to_have_value("0.5")
    tab.locator("h1").click()
    tab.keyboard.press(" ")
    expect(tab.get_by_role("button", name="play, pause")).to_have_text("Play")
    tab.get_by_label("moment of the run").fill("5")
    expect(tab.locator(".clock")).to_have_text("5.00 of 1000 s")
    expect(tab.locator(".scope output").first).not_to_have_text("\N{EN DASH}")
    end = tab.get_by_role("button", name="end the run")
    end.click()
    end.click()
    expect(tab.locator(".banner")).to_contain_text("ended")
    thread.join(20.0)
    watched = live.result()
    ((touch,),) = [watched.touched]
    assert touch["set"] == {"torque": 0.5}
    again = diagram.simulate(refine=4, touches=live.touches)
    seen, repeated = watched.trace("arm.q"), again.trace("arm.q")
    rows = int(np.searchsorted(seen.time, 0.9 * seen.time[-1]))
    assert rows > 3
    np.testing.assert_array_equal(seen.time[:rows], repeated.time[:rows])
    np.testing.assert_array_equal(seen.values[:rows], repeated.values[:rows])

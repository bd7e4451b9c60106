"""The run that these tests look at: one of every kind of signal, with both limits at two events."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.diagrams.results import EventRecord, Provenance, Result, ScopeFigure, Trace

EVENTS = (1.0, 2.5)


def switching_run(*, complete: bool = True) -> Result:
    """A relay that switches at 1 s and 2.5 s, an arm, a pose with names, a matrix, and a 4 Hz controller."""
    time = np.sort(np.concatenate([np.linspace(0.0, 4.0, 33), EVENTS]))
    after = np.append(False, np.diff(time) == 0.0)
    passed = sum(((time > event) | ((time == event) & after)).astype(float) for event in EVENTS)
    ticks = 0.25 * np.arange(16)
    traces = (
        Trace("relay.y", time, 1.0 - 2.0 * (np.asarray(passed) % 2), "V"),
        Trace("plant/arm.q", time, np.stack([np.sin(time), np.cos(time)], axis=1), "rad"),
        Trace("uav.pose", time, np.stack([time, time**2, -time], axis=1), "m, m, rad", ("x", "y", "yaw")),
        Trace("frame.T", time, time[:, None, None] * np.eye(4), "m"),
        Trace("control.u", ticks, np.floor(ticks), "N m", kind="discrete"),
    )
    states = (Trace("plant/arm.q", time, np.stack([time, -time], axis=1), "rad"),)
    events = tuple(EventRecord(event, "relay", "mode", "on -> off") for event in EVENTS)
    provenance = Provenance(
        diagram="switching",
        description='blockdyn: 1\nname: "switching, °C"\n',
        parameters={"gain": np.float64(0.1), "axes": np.eye(2), "limit": np.inf, "signs": ("+", "-")},
        solver={"method": "dopri5", "rtol": 1e-6},
        versions={"blockdyn": "0.1.0"},
        seed=7,
        statistics={"steps": np.int64(33), "rejected": 0},
        complete=complete,
        stopped_by=None if complete else "keyboard interrupt",
        message="" if complete else "interrupted at t = 4 s of 10 s",
    )
    scopes = (
        ScopeFigure("scope", "Pose", ("uav.pose[x]", "uav.pose[y]"), ("east", "north"), "m"),
        ScopeFigure("watch", "", ("control.u", "relay.y")),
    )
    return Result(
        {trace.path: trace for trace in traces},
        {trace.path: trace for trace in states},
        events,
        provenance,
        scopes,
    )


@pytest.fixture
def run() -> Result:
    """The complete run."""
    return switching_run()


@pytest.fixture
def partial_run() -> Result:
    """The same, interrupted."""
    return switching_run(complete=False)

"""A host serves one live run to all its viewers, whatever carries their messages."""

from __future__ import annotations

import asyncio
import json
import math
import struct
import time as clock
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np

from ...base.errors import BlockdynError
from ...solvers import layout
from ...solvers.layout import Floats
from .description import Description
from .moment import moment, thinned
from .run import LiveRun

Send: TypeAlias = "Callable[[dict[str, Any] | bytes], None]"
SECONDS, PIXELS = 10.0, 1000  # of a viewer's plots, until it reports its own
PICTURE, RANGE, PATH = 1, 2, 3


class Viewer:
    """A viewer of the run: the data it has received, and the width of its plots."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.sent = 0  # rows
        self.last = -math.inf  # time of the last sample sent
        self.events = 0
        self.number = self.answered = 0  # pictures sent, and shown
        self.pixel = SECONDS / PIXELS
        self.stale = True  # there is something to show
        self.pushed: set[str] = set()  # paths at which it holds another value


PICTURES = 60  # a second


async def beats() -> AsyncIterator[float]:
    """The seconds since the beat before. A late beat does not put off those that follow; missed ones are not
    made up for.
    """
    before = due = clock.perf_counter()
    while True:
        now = clock.perf_counter()
        yield now - before
        before = now
        due = max(due + 1.0 / PICTURES, now)
        await asyncio.sleep(due - clock.perf_counter())


PATIENCE = 0.010  # s of computing for one picture: the rest of its sixtieth is for sending
UNANSWERED = 2  # pictures that a viewer may have before it reports that it has shown one
MOST_PIXELS = 20_000  # of a viewer's plots
FEW_ROWS, PATH_ROWS = 8, 1000  # beyond FEW_ROWS between two frames, a body's path gets PATH_ROWS of them
TOUCHES = ("touch", "push", "release")
BEHIND = 0.1  # s of the clock that a run may be late before this is reported


class Host:
    """Runs the simulation and informs viewers. `tick` is called once a picture, `heard` for every message.

    `ended` is true after a viewer has ended the run. Everything is called from one thread.
    """

    def __init__(self, live: LiveRun) -> None:
        self.live = live
        self.viewers: list[Viewer] = []
        self.ended = False
        self._description = Description(live)
        self._aim: float | None = None  # a time that is not computed yet, on the way to it
        self._seeking = False  # the next event
        self._pushed: dict[str, float] = {}  # the values before
        self._late = 0.0
        self._facts: tuple[Any, ...] = ()  # that viewers have received
        self._answers: dict[str, Callable[[Viewer, Mapping[str, Any]], None]] = {
            "open": lambda viewer, _: self._greet(viewer),
            "shown": self._was_shown,
            "play": lambda _viewer, _: self._play(True),
            "pause": lambda _viewer, _: self._play(False),
            "pace": self._pace,
            "next": lambda _viewer, _: self._next(),
            "seek": self._seek,
            "touch": lambda _viewer, m: self._touch(m["changes"]),
            "push": self._push,
            "release": self._release,
            "view": self._view,
            "range": self._range,
            "drawing": lambda viewer, _: viewer.send({"type": "drawing", "svg": self._description.drawing}),
            "end": lambda _viewer, _: self._end(),
        }

    # ---- viewers ----

    def join(self, send: Send, *, greet: bool = True) -> Viewer:
        """Somebody has begun to look."""
        viewer = Viewer(send)
        self.viewers.append(viewer)
        if greet:
            self._greet(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer, and release its pressed buttons."""
        if viewer not in self.viewers:
            return
        self.viewers.remove(viewer)
        self._let_go(viewer)
        self._tell()

    def heard(self, viewer: Viewer, message: Any) -> None:
        """Handle a viewer's message; errors are sent to that viewer."""
        kind = message.get("type") if isinstance(message, dict) else None
        answer = self._answers.get(kind) if isinstance(kind, str) else None
        try:
            if answer is None:
                raise ValueError(f"there is no message {json.dumps(kind)[:80]}")
            answer(viewer, message)
        except (BlockdynError, ValueError, TypeError, KeyError, OverflowError) as error:
            text = f"{kind}: {error}" if not isinstance(error, BlockdynError) else str(error)
            viewer.send({"type": "error", "about": str(kind)[:40], "text": text})
        self._tell()
        self._show(viewer if kind in TOUCHES else None)

    # ---- going on ----

    def tick(self, seconds: float) -> None:
        """Advance the run by so much wall-clock time, and send news."""
        live = self.live
        before = live.time
        if self._aim is not None:
            live.timeline.compute(self._aim, PATIENCE)
            live.time = min(self._aim, live.computed)
            if live.timeline.ended or live.computed >= self._aim:
                self._aim = None
        elif self._seeking:
            self._seeking = not live.next_event(patience=PATIENCE)
        elif live.playing:
            live.advance(seconds, patience=PATIENCE)
            ahead = seconds * live.pace
            lost = 0.0 if math.isinf(ahead) or live.at_end else ahead - (live.time - before)
            self._late = max(0.0, 0.95 * self._late + lost / live.pace)
        if live.time != before:
            self._stale()
        self._tell()
        self._show()

    def farewell(self, text: str) -> None:
        """The run is over."""
        for viewer in list(self.viewers):
            viewer.send({"type": "ended", "text": text})

    def _stale(self) -> None:
        for viewer in self.viewers:
            viewer.stale = True

    def _show(self, touching: Viewer | None = None) -> None:
        """Send a picture to each viewer that has news, and has shown the earlier ones.

        The viewer that touches gets one more: it must not wait for earlier pictures.
        """
        for viewer in list(self.viewers):
            if viewer.stale and viewer.number - viewer.answered < UNANSWERED + (viewer is touching):
                self._picture(viewer)

    def _picture(self, viewer: Viewer) -> None:
        """News for a viewer, up to the time of the run."""
        live, rows = self.live, self.live.timeline.rows
        self._events(viewer)
        count = rows.until(live.time)
        new = rows.all[viewer.sent : count] if count > viewer.sent else rows.all[:0]
        times, values = thinned(new[:, 0], self._description.shown.values(new), viewer.pixel)
        now = moment(rows.all, live.time)
        if live.time > max(viewer.last, float(now.before[0])):
            times = np.append(times, live.time)
            values = np.column_stack([values, self._description.shown.at(now)])
        self._path(viewer, new)
        viewer.sent, viewer.last = max(viewer.sent, count), max(viewer.last, live.time)
        viewer.number += 1
        viewer.stale = False
        numbers = self._description.poses.at(now)
        viewer.send(picture(viewer.number, live.time, live.computed, times, values, numbers))

    def _path(self, viewer: Viewer, new: Floats) -> None:
        """The way of bodies in between, for who has seen too few pictures of it to draw it, or none yet."""
        if len(new) <= FEW_ROWS or self._description.poses.scene is None:
            return
        full = new[new[:, 1] != layout.HELD_ONLY]
        if len(full) > PATH_ROWS:
            full = full[np.linspace(0, len(full) - 1, PATH_ROWS).astype(np.int64)]
        viewer.send(path_message(full[:, 0], self._description.poses.paths(full)))

    # ---- messages to viewers ----

    def _greet(self, viewer: Viewer) -> None:
        self._let_go(viewer)  # it was there before, and its buttons are new
        viewer.sent, viewer.events, viewer.last = 0, 0, -math.inf
        viewer.number = viewer.answered = 0
        viewer.stale = True
        viewer.send(self._description.hello(self._state()))
        self._tell()

    def _events(self, viewer: Viewer) -> None:
        """Events up to now that the viewer has not received."""
        events = self.live.timeline.events
        count = events.until(self.live.time)
        if count > viewer.events:
            named = self.live.named(events.all[viewer.events : count])
            rows = [[e.time, e.path, e.kind, e.detail, e.direction] for e in named]
            viewer.events = count
            viewer.send({"type": "events", "events": rows})

    @property
    def going(self) -> bool:
        """True if time passes for the run, or it is on the way to a time."""
        return self.live.playing or self._seeking or self._aim is not None

    def _state(self) -> dict[str, Any]:
        return self._description.state(
            playing=self.going, behind=self._late > BEHIND, viewers=len(self.viewers), ended=self.ended
        )

    def _tell(self) -> None:
        """Send everybody the state, if more has changed than time."""
        live = self.live
        facts = (
            self.going, live.pace, self._late > BEHIND, len(self.viewers), self.ended, live.at_end,
            live.timeline.branches, len(live.timeline.touches), live.passed,
        )  # fmt: skip
        if facts != self._facts:
            self._facts = facts
            state = self._state()
            for viewer in list(self.viewers):
                viewer.send(state)

    # ---- messages from viewers ----

    def _was_shown(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        viewer.answered = max(viewer.answered, int(message["frame"]))

    def _play(self, on: bool) -> None:
        self._aim, self._seeking = None, False
        self.live.playing = on and not (self.ended or self.live.at_end)
        self._late = 0.0

    def _pace(self, _viewer: Viewer, message: Mapping[str, Any]) -> None:
        pace = message["pace"]
        self.live.pace = math.inf if pace is None else pace
        self._late = 0.0

    def _next(self) -> None:
        self._play(False)
        self._seeking = True

    def _seek(self, _viewer: Viewer, message: Mapping[str, Any]) -> None:
        self._play(False)
        time = float(message["time"])
        if math.isnan(time):
            raise ValueError("a time in s")
        self._aim = min(max(time, self.live.start), self.live.stop)
        if self._aim <= self.live.computed:
            self.live.time, self._aim = self._aim, None
            self._stale()

    def _touch(self, changes: Mapping[str, Any]) -> None:
        live = self.live
        if not isinstance(changes, Mapping):
            raise TypeError("`changes` are values by path")
        if not all(isinstance(path, str) for path in changes):
            raise TypeError("paths are texts")
        branches = live.timeline.branches
        touch = live.touch(changes)
        if live.timeline.branches != branches:
            self._cut(touch.at)
        self._stale()

    def _cut(self, time: float) -> None:
        """Another future begins: discard the viewers' data of the old one."""
        rows, events = self.live.timeline.rows.all, self.live.timeline.events.all
        first = int(np.searchsorted(rows[:, 0], time, side="left"))
        before = int(np.searchsorted(events[:, 0], time, side="left"))
        for viewer in self.viewers:
            viewer.send({"type": "truncate", "time": time})
            viewer.sent, viewer.last = min(viewer.sent, first), min(viewer.last, time)
            viewer.events = min(viewer.events, before)

    def _push(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        path = str(message["path"])
        before = self._description.values()[path]
        self._touch({path: float(message["value"])})
        self._pushed.setdefault(path, before)
        viewer.pushed.add(path)

    def _release(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        path = str(message["path"])
        viewer.pushed.discard(path)
        if path in self._pushed:
            self._touch({path: self._pushed.pop(path)})

    def _let_go(self, viewer: Viewer) -> None:
        """Release the buttons that this viewer pressed; a run that has ended stays as it is."""
        for place in sorted(viewer.pushed):
            with suppress(BlockdynError):
                self._release(viewer, {"path": place})

    def _view(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        viewer.pixel = _width(float(message["seconds"]), message["pixels"])

    def _range(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        """Send the viewer a stretch of time, as fine as it can be shown."""
        start, end = float(message["from"]), float(message["to"])
        sent_rows = self.live.timeline.rows.all[: viewer.sent]
        first = int(np.searchsorted(sent_rows[:, 0], start))
        chosen = sent_rows[first : max(first, int(np.searchsorted(sent_rows[:, 0], end, side="right")))]
        pixel = _width(end - start, message["pixels"])
        times, values = thinned(chosen[:, 0], self._description.shown.values(chosen), pixel)
        viewer.send(stretch(int(message["id"]) % 2**32, start, end, times, values))

    def _end(self) -> None:
        self._play(False)
        self.ended = True


def _width(seconds: float, pixels: Any) -> float:
    """Seconds a pixel."""
    if not 0.0 < seconds < math.inf:
        raise ValueError("expected a positive number of seconds")
    return seconds / min(max(int(pixels), 1), MOST_PIXELS)


def picture(number: int, time: float, computed: float, times: Floats, values: Floats, poses: object) -> bytes:
    """News since the picture before: times (n,), values (lines, n), positions of the bodies."""
    numbers = np.asarray(poses, "<f4")
    head = struct.pack("<4I3d", PICTURE, len(times), len(values), numbers.size, float(number), time, computed)
    return head + _body(times, values) + numbers.tobytes()


def stretch(number: int, start: float, end: float, times: Floats, values: Floats) -> bytes:
    """All samples of a stretch of time, the answer to question `number`."""
    head = struct.pack("<4I3d", RANGE, len(times), len(values), number, start, end, 0.0)
    return head + _body(times, values)


def path_message(times: Floats, tips: Floats) -> bytes:
    """The way that bodies have gone since the picture before: times (n,), coordinates (3 a body, n)."""
    return struct.pack("<4I3d", PATH, len(times), len(tips), 0, 0.0, 0.0, 0.0) + _body(times, tips)


def _body(times: Floats, values: Floats) -> bytes:
    return np.ascontiguousarray(times, "<f8").tobytes() + np.ascontiguousarray(values, "<f4").tobytes()

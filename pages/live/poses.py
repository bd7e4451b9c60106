"""Poses: what moves in a live run: its bodies once, and where their frames are at each time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...diagrams.results.actors import Actor, ArmActor, CraftActor, WheelActor, from_angles
from ...diagrams.results.errors import ResultError
from ...robots.errors import RobotError
from ...solvers.layout import Floats
from .run import LiveRun
from .shown import places

_STAY = ("low", "high", "floor", "step", "view", "triad", "grey", "still")
_BODY = ("frames", "solids", "reference", "trail", "extent")


class Poses:
    """The bodies of a live run; `scene` is None where nothing moves."""

    def __init__(self, live: LiveRun) -> None:
        self.scene: dict[str, Any] | None = None
        self._moved: list[tuple[Actor, list[int], list[int]]] = []
        from ...diagrams.results.animation import animation
        from ...robots.animation.page import scene

        result = live.so_far()
        try:
            animated = animation(result, flat=live.program.flat)
            films = animated.films(np.array([live.start]))
        except (ResultError, RobotError):
            return
        drawn = scene(films, animated.labels, animated.title)
        bodies = [
            {"label": label, "joints": film.motion.strokes.shape[1]} | {name: body[name] for name in _BODY}
            for label, film, body in zip(animated.labels, films, drawn["films"], strict=True)
        ]
        self.scene = {name: drawn[name] for name in _STAY} | {"bodies": bodies}
        columns = places(live, result)
        for actor in animated.actors:
            turned = actor.attitude if isinstance(actor, CraftActor) else None
            traces = [actor.trace, *([turned] if turned is not None else [])]
            at = [[columns[trace.path] + i for i in range(trace.size)] for trace in traces]
            self._moved.append((actor, at[0], at[1] if len(at) > 1 else []))

    def at(self, before: Floats, after: Floats, time: float) -> Floats:
        """Where the frames are at a time between two rows: places, quaternions, strokes, body after body."""
        from ...robots.animation.carried import motion_of
        from ...robots.animation.page import quaternions

        gap = after[0] - before[0]
        part = (time - before[0]) / gap if gap > 0.0 else 0.0
        row = before + part * (after - before)
        numbers = []
        for actor, at, attitude in self._moved:
            if isinstance(actor, ArmActor):
                motion = motion_of(actor.robot, row[at][None])
            elif isinstance(actor, WheelActor):
                motion = actor.body.motion(row[at][None])
            else:
                assert isinstance(actor, CraftActor)
                turns = [_attitude(each, at, attitude) for each in (before, after)]
                if turns[0] @ turns[1] < 0.0:  # q and -q are the same attitude
                    turns[1] = -turns[1]
                q = turns[0] + part * (turns[1] - turns[0])
                motion = actor.body.motion(np.array([time]), row[at[:3]][None], q[None])
            numbers += [motion.p.ravel(), quaternions(motion.R).ravel(), motion.strokes.ravel()]
        return np.concatenate(numbers) if numbers else np.zeros(0)


def _attitude(row: Floats, at: list[int], attitude: list[int]) -> Floats:
    """The quaternion that a row holds, or that of its angles."""
    return row[attitude] if attitude else from_angles(row[at[3:6]][None])[0]

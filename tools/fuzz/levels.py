"""Levels: gradients of when a step response passes a level at which blocks have events too, by closed form.

The response of k w^2 / (s^2 + 2 z w s + w^2) to a unit step is y = k (1 - exp(-z w t) (cos + z sin / r)),
with r = sqrt(1 - z^2) and cos, sin of r w t. A passage at T moves by -y_p / y_t with a number p.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import numpy as np

import blockdyn as bd
from blockdyn.base.errors import BlockdynError

PATHS = ("k", "z", "w")
POINTS = 4001  # of a run, between which passages are looked for
CLOSE = 1e-3  # of k: a turn so near to a level makes a passage that is hardly there
RIGHT = 1e-3  # relative, and of a time by its number: runs have an rtol of 1e-6
STOP = 4.0
SETTINGS: Mapping[str, Any] = {"stop": STOP, "rtol": 1e-8, "atol": 1e-10}
AT_LEVEL: tuple[Callable[[float], Any], ...] = (
    lambda level: bd.Saturation(lower=-99.0, upper=level),
    lambda level: bd.Saturation(lower=level, upper=99.0),
    lambda level: bd.Compare(">", level),
    lambda level: bd.Compare("<=", level),
    lambda level: bd.HitCrossing(level=level),
    lambda level: bd.DeadZone(lower=-99.0, upper=level),
    lambda level: bd.Relay(switch_on=level, switch_off=0.5 * level),
    lambda level: bd.Quantizer(interval=2.0 * level),
    lambda level: bd.ZeroOrderHold(sample_time=0.25),
)


class Response:
    """The response in closed form, complex numbers included."""

    def __init__(self, numbers: Mapping[str, float]) -> None:
        self.numbers = numbers
        self.times = np.linspace(0.0, STOP, POINTS)

    def at(self, t: Any, k: Any, z: Any, w: Any) -> Any:
        root = np.sqrt(1.0 - z * z)
        angle = root * w * t
        return k * (1.0 - np.exp(-z * w * t) * (np.cos(angle) + z / root * np.sin(angle)))

    def passages(self, level: float) -> list[tuple[float, bool, dict[str, float]]]:
        """When it passes a level, whether upwards, and how that moves with each number."""
        from scipy.optimize import brentq

        away, found = self.at(self.times, **self.numbers) - level, []
        for i in np.flatnonzero(away[:-1] * away[1:] < 0.0):
            now = brentq(
                lambda t: self.at(t, **self.numbers) - level, *self.times[i : i + 2], xtol=1e-15, rtol=1e-14
            )
            rate = self.at(now + 1e-30j, **self.numbers).imag / 1e-30
            moves = {}
            for path in PATHS:
                moved = {**self.numbers, path: complex(self.numbers[path], 1e-30)}
                moves[path] = -self.at(now, **moved).imag / 1e-30 / rate
            found.append((float(now), bool(rate > 0.0), moves))
        return found

    def turns_at(self, level: float) -> bool:
        """Whether it turns, or the run ends, so near to a level that it hardly passes."""
        y = self.at(self.times, **self.numbers)
        turns = np.flatnonzero((y[1:-1] - y[:-2]) * (y[2:] - y[1:-1]) <= 0.0) + 1
        return bool(np.any(np.abs(y[[*turns, -1]] - level) < CLOSE * self.numbers["k"]))


def fuzz_levels(count: int, seed: int) -> int:
    """So many random diagrams; 1 where a gradient is wrong or refused."""
    wrong = 0
    for number in range(count):
        random = Random(f"levels {seed}/{number}")
        try:
            problems = [*_case(random)]
        except BlockdynError as error:
            problems = [f"refused: {error}"]
        for problem in problems:
            sys.stdout.write(f"levels {seed}/{number}: {problem}\n")
        wrong += bool(problems)
    sys.stdout.write(f"{count} cases, {wrong} failures\n")
    return int(wrong > 0)


def _case(random: Random) -> Iterator[str]:
    """What is wrong with the gradients of one diagram."""
    numbers = {"k": random.uniform(0.5, 3.0), "z": random.uniform(0.05, 0.9), "w": random.uniform(1.0, 6.0)}
    response = Response(numbers)
    level = numbers["k"] * random.choice((1.0, random.uniform(0.1, 1.6)))
    levels = [level, 1.1 * numbers["k"], 0.9 * numbers["k"], 0.1 * numbers["k"]]
    if any(response.turns_at(each) for each in levels):
        return
    measures: dict[str, Any] = {
        "above": {"time_above": "y", "level": level},
        "below": {"time_below": "y", "level": level},
        "size": {"absolute": f"y - {level!r}"},
    }
    exact = _exact(response, level, measures)
    if random.random() < 0.3:
        del measures["size"]
    gradient = _diagram(random, numbers, level).gradient(measures, PATHS, **SETTINGS)
    for name, moves in exact.items():
        for path, move in moves.items():
            found, least = gradient[name, path], RIGHT * STOP / numbers[path]
            if not abs(found - move) <= RIGHT * max(abs(move), least):
                yield f"{name} by {path} is {found:.9g}, not {move:.9g}, with {numbers}, level {level!r}"


def _diagram(random: Random, numbers: Mapping[str, float], level: float) -> bd.Diagram:
    """The response, with one to three blocks that have events at the level."""
    d = bd.Diagram("level", parameters=dict(numbers))
    numerator, denominator = bd.expression("[k*w**2]"), bd.expression("[1, 2*z*w, w**2]")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("y", bd.TransferFunction(numerator, denominator)))
    d.log("y")
    for i in range(random.randint(1, 3)):
        d.connect("y", d.add(f"b{i}", random.choice(AT_LEVEL)(level)))
    if random.random() < 0.3:
        d.connect("b0", d.add("x", bd.Integrator()))
    return d


def _exact(
    response: Response, level: float, measures: dict[str, Any]
) -> dict[str, dict[str, float]]:  # fmt: skip
    """The derivatives of measures, some of which are added where they are defined."""
    k, passed = response.numbers["k"], response.passages(level)
    share = {path: sum((-1.0 if up else 1.0) * m[path] for _, up, m in passed) / STOP for path in PATHS}
    exact = {"above": share, "below": {path: -slope for path, slope in share.items()}}
    for (name, side), (now, _, moves) in zip((("rises", "above"), ("falls", "below")), passed, strict=False):
        before = passed[0][0] if side == "below" else 0.0
        measures[name] = {"time_to": "y", side: level, "after": 0.5 * (before + now)}
        exact[name] = moves
    if not response.passages(0.9 * k):
        return exact
    rise = {"from": 0.0, "target": k}
    low, high = response.passages(0.1 * k)[0], response.passages(0.9 * k)[0]
    measures["rise"] = {"rise_time": "y", **rise}
    exact["rise"] = {path: high[2][path] - low[2][path] for path in ("z", "w")}
    edges = [edge for part in (0.9, 1.1) for edge in response.passages(part * k)]
    measures["settled"] = {"settling_time": "y", **rise, "band": 0.1}
    last = max(edges, key=lambda edge: edge[0])
    if abs(response.at(STOP, **response.numbers) / k - 1.0) < 0.1:
        exact["settled"] = {path: last[2][path] for path in ("z", "w")}
    else:
        del measures["settled"]
    return exact

"""Machines: random state machines with equal timers and names of our own, against timers advanced by hand."""

from __future__ import annotations

import inspect
from functools import cache
from random import Random
from typing import Any

import numpy as np

from blockdyn.blocks.contract.equations import argument_paths
from blockdyn.blocks.contract.registry import library
from blockdyn.blocks.sources.constant import Constant
from blockdyn.blocks.switching.state_machine import RESERVED, StateMachine
from blockdyn.diagrams.model.diagram import Diagram

from .judge import Judge

STOP = 6.0
TIMES = (0.25, 0.5, 0.5, 0.75, 1.0)  # in states; sums of these never meet those of the outer state
OUTER_TIMES = (1.3, 2.1)
OURS = ("mode", "state", "begin", "never", "since_a", "last_u", "first_u", "crossed_condition", "stream", "y")
COMPILED = 8  # one machine in that many is run in machine code too
WEIGHT = 3.0


class WrongMachine(Exception):
    """A machine that moves at other times, or to other states, than its timers say."""


Move = tuple[int, int, float]
"""A transition: the numbers of its states, -1 for the outer state, and how long the first one lasts."""


@cache
def names() -> list[str]:
    """The names of arguments and numbers of all library blocks, and those that machines once had."""
    found = dict.fromkeys(OURS)
    for kind in library().values():
        found |= dict.fromkeys(kind.rules())
        for name in dir(kind):
            function = inspect.getattr_static(kind, name)
            if isinstance(function, staticmethod):
                found |= dict.fromkeys(name for _, name in argument_paths(function.__func__))
    return [name for name in found if name not in RESERVED]


def fuzz_machines(count: int, seed: int) -> int:
    """Try `count` machines; the exit status."""
    judge, random = Judge(), Random("compiles")  # the loop, which the time limit of a case is not about
    states, inner, moves = random_moves(random)
    check_machine(diagram(random, states, inner, moves), len(states), inner, moves, True)
    for number in range(count):
        random = Random(f"{seed}/{number}")
        states, inner, moves = random_moves(random)
        d = diagram(random, states, inner, moves)
        compiled = number % COMPILED == 0
        judge.run(
            f"machines {seed}/{number}",
            lambda d=d, i=inner, m=moves, s=states, c=compiled: check_machine(d, len(s), i, m, c),
            lambda d=d: repr(d.blocks["m"]),
        )
    return judge.report()


def random_moves(random: Random) -> tuple[list[str], int, list[Move]]:
    """The names of the states, how many of the last ones are in an outer state, and the transitions."""
    count = random.randint(2, 6)
    states = random.sample(names(), count)
    inner = random.choice((0, 0, 2)) if count > 3 else 0
    moves = [(i, (i + 1) % count, random.choice(TIMES)) for i in range(count)]
    if random.random() < 0.5:
        source = random.randrange(count)
        target = random.choice([i for i in range(count) if i != source])
        moves.insert(random.randrange(count), (source, target, random.choice(TIMES)))
    if inner and random.random() < 0.7:
        moves.append((-1, random.randrange(count - inner), random.choice(OUTER_TIMES)))
    return states, inner, moves


def diagram(random: Random, states: list[str], inner: int, moves: list[Move]) -> Diagram:
    """The machine, whose durations are numbers, coefficients or inputs, with an output of all these."""
    given, unused = {}, [name for name in names() if name not in states]
    random.shuffle(unused)
    outer, paths = unused.pop(), [*states[: len(states) - inner]]
    chart: dict[str, Any] = {state: {} for state in paths}
    if inner:
        chart[outer] = {"states": {state: {} for state in states[-inner:]}}
        paths += [f"{outer}/{state}" for state in states[-inner:]]
    transitions = []
    for source, target, time in moves:
        text = str(time)
        if random.random() < 0.6:
            text = unused.pop()
            given[text] = time
        start = outer if source < 0 else paths[source]
        transitions.append({f"{start} -> {paths[target]}": f"after > {text}"})
    split = random.randrange(len(given) + 1)
    coefficients, inputs = dict([*given.items()][:split]), dict([*given.items()][split:])
    for state in chart.values():
        state["during"] = {"total": " + ".join([f"{WEIGHT} * {name}" for name in given] or ["0.0"])}
    machine = StateMachine(
        chart={"states": chart, "transitions": transitions}, competing="first", coefficients=coefficients,
        signals={"total": 0.0},
    )  # fmt: skip
    d = Diagram("machine")
    m = d.add("m", machine)
    for name, value in inputs.items():
        d.connect(d.add(f"c_{name}", Constant(value)), m[name])
    return d


def check_machine(d: Diagram, count: int, inner: int, moves: list[Move], compiled: bool) -> str:
    """Hold the instants and states of a run against the timers."""
    times, states = advanced(count, inner, moves)
    for in_machine_code in (False, True)[: 1 + compiled]:
        trace = d.simulate(stop=STOP, compiled=in_machine_code).trace("m.state")
        changes = np.flatnonzero(np.diff(trace.values.ravel())) + 1
        found = trace.time[changes], trace.values.ravel()[changes]
        if found[0].shape != (len(times),) or not np.allclose(found[0], times, atol=1e-6):
            raise WrongMachine(f"it moves at {found[0]}, its timers say {times}")
        if not np.array_equal(found[1], states):
            raise WrongMachine(f"its states are {found[1]}, its timers say {states}")
    return f"{'nested' if inner else 'flat'}, {'machine code' if compiled else 'interpreted'}"


def advanced(count: int, inner: int, moves: list[Move]) -> tuple[list[float], list[int]]:
    """When a machine moves, and to which states: the shortest time first, of equal ones the first listed."""
    now, state, entered, outer_entered = 0.0, 0, 0.0, 0.0
    times, states = [], []
    while True:
        inside = state >= count - inner
        due = [
            ((outer_entered if source < 0 else entered) + time, number, target, source)
            for number, (source, target, time) in enumerate(moves)
            if source == state or (source < 0 and inside)
        ]
        now, _, target, source = min(due)
        if now >= STOP:
            return times, states
        if target >= count - inner and (not inside or source < 0):
            outer_entered = now
        entered, state = now, target
        times.append(now)
        states.append(state)

"""What changes at an instant: modes, states that jump, states of sampled blocks."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ..plan.unit import Unit
from .body import BASES, Body
from .entry import finish
from .roles import run
from .writer import InMemory, copy


def update(body: Body) -> str:
    """The next states of sampled blocks whose clocks tick."""
    plan = body.plan
    for unit in plan.units:
        if unit.block.sampled and "update" in unit.functions:
            after = when_hit(body, unit)
            for name, value in run(body, unit, "update").items():
                base, offset = unit.states_at[name]
                copy(body.writer, value, BASES[base], offset)
            body.writer.put(f"br label %{after}")
            body.writer.begin(after)
    return finish(body, "update")


def react(body: Body) -> str:
    """Modes asked again, states that jump; 1 when any has changed."""
    plan, writer = body.plan, body.writer
    changed = writer.slot("i64")
    writer.put(f"store i64 0, ptr {changed}")
    for unit in plan.units:
        if unit.inline_mode:
            continue
        if "mode" in unit.functions and unit.block.timers() is None:
            _change_modes(body, unit, changed)
        if "jump" in unit.functions:
            for name, value in run(body, unit, "jump").items():
                base, offset = unit.states_at[name]
                fresh = [value.element(writer, i) for i in range(prod(value.shape))]
                for i, item in enumerate(fresh):
                    old = writer.load(BASES[base], offset + i)
                    _note(body, changed, writer.do(f"fcmp une double {old}, {item}"))
                    writer.store(item, BASES[base], offset + i)
    return finish(body, "react", writer.load(changed, 0, "i64"))


def _note(body: Body, changed: str, truth: str) -> str:
    writer = body.writer
    bit = writer.do(f"zext i1 {truth} to i64")
    old = writer.load(changed, 0, "i64")
    writer.put(f"store i64 {writer.do(f'or i64 {old}, {bit}')}, ptr {changed}")
    return bit


def _change_modes(body: Body, unit: Unit, changed: str) -> None:
    writer = body.writer
    for e, new in enumerate(_modes(body, unit)):
        old = writer.load("%m", unit.mode_at + e, "i64")
        bit = _note(body, changed, writer.do(f"icmp ne i64 {old}, {new}"))
        writer.store(new, "%m", unit.mode_at + e, "i64")
        for slot in unit.rearmed(e):
            before = writer.load("%fresh", slot, "i64")
            writer.store(writer.do(f"or i64 {before}, {bit}"), "%fresh", slot, "i64")


def store_modes(body: Body, unit: Unit) -> None:
    """The modes of a unit, asked where they stand."""
    for e, mode in enumerate(_modes(body, unit)):
        body.writer.store(mode, "%m", unit.mode_at + e, "i64")


def _modes(body: Body, unit: Unit) -> Iterator[str]:
    """What a unit's `mode` gives, element by element."""
    modes = run(body, unit, "mode")["mode"]
    for e in range(unit.count):
        place = e if prod(modes.shape) > 1 else 0
        if isinstance(modes, InMemory):
            yield body.writer.load(modes.base, place, "i64")
        else:
            yield modes.element(body.writer, place)


def when_hit(body: Body, unit: Unit) -> str:
    """Open the part that runs at a tick of the unit's clock; the label after it comes back."""
    writer = body.writer
    hit = writer.load("%hit", unit.clock, "i64")
    inside, after = writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp ne i64 {hit}, 0')}, label %{inside}, label %{after}")
    writer.begin(inside)
    return after

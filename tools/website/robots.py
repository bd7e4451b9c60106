"""Robots: a page of all arms and one of all vehicles, each with its picture; equations of small arms."""

from __future__ import annotations

from pathlib import Path

import blockdyn as bd
from blockdyn.cli.equations import typeset
from blockdyn.cli.robots import pose, save
from blockdyn.cli.vehicles import save as save_vehicle
from blockdyn.robots.equations.shown import break_lines, describe_equations

from .prose import cell, raw
from .staging import toctree

JOINTS = 3  # of arms whose equations fit a page
LETTERS = 85  # of a line of equations


def write(out: Path) -> None:
    """Both pages and their pictures."""
    out.mkdir()
    pages = (
        "- [Arms](arms.md): manipulators, arms and legs of humanoids, chains, and the examples of textbooks\n"
        "- [Multirotors](vehicles.md): from 27 g to 6 kg, with motors and drag\n"
        "- [Vehicles on wheels](../wheels.md#vehicles-of-the-library): a table of those that come along\n"
    )
    (out / "index.md").write_text(
        "# Robots\n\n" + pages + toctree("", ("arms", "vehicles")), encoding="utf-8"
    )
    names = bd.robots.catalogue()
    small = [name for name in names if bd.robots.load(name).n <= JOINTS]
    for name in small:
        (out / f"{name}.md").write_text(_equations(name), encoding="utf-8")
    arms = [_arm(name, out, equations=name in small) for name in names]
    said = (
        "# Arms\n\nThe arms that come with blockdyn, in the pose that shows most. `blockdyn robots NAME`"
        " prints their numbers with their sources, `bd.robots.load(NAME)` loads one, and a block names it:"
        " `{type: FDyn, robot: NAME}`. See [robots](../robots.md) for others.\n\n"
    )
    pages = toctree("", tuple(small))
    (out / "arms.md").write_text(said + _grid(arms) + pages, encoding="utf-8")
    vehicles = [_vehicle(name, out) for name in bd.robots.vehicle_catalogue()]
    said = (
        "# Multirotors\n\nThe vehicles that come with blockdyn, from above and from behind."
        " `blockdyn vehicles NAME` prints their numbers with their sources, and a block names one:"
        " `{type: NRotor, vehicle: NAME}`. See [vehicles](../vehicles.md) for others.\n\n"
    )
    (out / "vehicles.md").write_text(said + _grid(vehicles), encoding="utf-8")


def _equations(name: str) -> str:
    """The page of a small arm: picture, source, and its equations in symbols, or in numbers if these fit."""
    robot = bd.robots.load(name)
    choices = [bd.robots.symbolic(robot, parameters) for parameters in ("symbols", "numbers")]
    described = [list(describe_equations(each)) for each in choices]
    unfit = [sum(not lines and "too long" in heading for heading, lines in each) for each in described]
    best = unfit.index(min(unfit))
    parts = [f"# {name}", f"![{name}]({name}.png)", f"{cell(robot.title)}, {robot.structure}."]
    parts += [f"Source: {cell(robot.source)}"] if robot.source else []
    parts.append(
        f"These are the equations of `robots.symbolic({name!r}, {('symbols', 'numbers')[best]!r})`: see"
        f" [symbolic equations](../symbolic.md). `blockdyn robots {name} --equations` prints them, and"
        f" `blockdyn export robot {name}` writes them as C, Python or LaTeX."
    )
    if values := choices[best].parameters:
        parts.append(
            "Values: " + ", ".join(f"{symbol} = {value:.6g}" for symbol, value in values.items()) + "."
        )
    for heading, lines in described[best]:
        parts.append(f"**{cell(heading)}**")
        text = "\n".join(line for equation in lines for line in break_lines(equation, LETTERS))
        if text:
            parts.append(raw(typeset(text, [str(symbol) for symbol in values]) or f"<pre>{text}</pre>"))
    return "\n\n".join(parts) + "\n"


def _arm(name: str, out: Path, *, equations: bool = False) -> str:
    robot = bd.robots.load(name)
    where, q = pose(robot, None)
    save(robot, where, q, str(out / f"{name}.png"))
    about = f"{cell(robot.title)}, {robot.structure}" + (", dynamics" if robot.has_dynamics else "")
    return _card(name, about + (f"; [equations]({name}.md)" if equations else ""))


def _vehicle(name: str, out: Path) -> str:
    vehicle = bd.robots.load_vehicle(name)
    save_vehicle(vehicle, str(out / f"{name}.png"))
    return _card(name, f"{cell(vehicle.title)}; {vehicle.n} rotors, {vehicle.mass:g} kg")


def _card(name: str, about: str) -> str:
    return f":::{{grid-item-card}} {name}\n![{name}]({name}.png)\n\n{about}\n:::"


def _grid(cards: list[str]) -> str:
    return "::::{grid} 2 3 3 3\n:gutter: 2\n\n" + "\n".join(cards) + "\n::::\n"

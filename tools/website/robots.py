"""Robots: a page of all arms and one of all vehicles, each with its picture."""

from __future__ import annotations

from pathlib import Path

import blockdyn as bd
from blockdyn.cli.robots import pose, save
from blockdyn.cli.vehicles import save as save_vehicle

from .prose import cell
from .staging import toctree


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
    arms = [_arm(name, out) for name in bd.robots.catalogue()]
    said = (
        "# Arms\n\nThe arms that come with blockdyn, in the pose that shows most. `blockdyn robots NAME`"
        " prints their numbers with their sources, `bd.robots.load(NAME)` loads one, and a block names it:"
        " `{type: FDyn, robot: NAME}`. See [robots](../robots.md) for others.\n\n"
    )
    (out / "arms.md").write_text(said + _grid(arms), encoding="utf-8")
    vehicles = [_vehicle(name, out) for name in bd.robots.vehicle_catalogue()]
    said = (
        "# Multirotors\n\nThe vehicles that come with blockdyn, from above and from behind."
        " `blockdyn vehicles NAME` prints their numbers with their sources, and a block names one:"
        " `{type: NRotor, vehicle: NAME}`. See [vehicles](../vehicles.md) for others.\n\n"
    )
    (out / "vehicles.md").write_text(said + _grid(vehicles), encoding="utf-8")


def _arm(name: str, out: Path) -> str:
    robot = bd.robots.load(name)
    where, q = pose(robot, None)
    save(robot, where, q, str(out / f"{name}.png"))
    return _card(
        name, f"{cell(robot.title)}, {robot.structure}" + (", dynamics" if robot.has_dynamics else "")
    )


def _vehicle(name: str, out: Path) -> str:
    vehicle = bd.robots.load_vehicle(name)
    save_vehicle(vehicle, str(out / f"{name}.png"))
    return _card(name, f"{cell(vehicle.title)}; {vehicle.n} rotors, {vehicle.mass:g} kg")


def _card(name: str, about: str) -> str:
    return f":::{{grid-item-card}} {name}\n![{name}]({name}.png)\n\n{about}\n:::"


def _grid(cards: list[str]) -> str:
    return "::::{grid} 2 3 3 3\n:gutter: 2\n\n" + "\n".join(cards) + "\n::::\n"

"""`blockdyn vehicles`: the multirotors of the library, or one of them shown and drawn."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..robots.convert.vehicle_text import describe_vehicle
from ..robots.errors import UnknownRobot
from ..robots.library.vehicles import (
    load_vehicle,
    vehicle_catalogue as catalogue,
    vehicle_data,
    vehicle_document,
    vehicle_from_file,
)
from ..robots.vehicles.multirotor import Multirotor
from .console import show, show_json


def vehicles(arguments: Namespace) -> int:
    """List the vehicles that have all the words, or show the one that is named; draw it with --plot."""
    words: list[str] = arguments.words
    vehicle = _single(words)
    if vehicle is None:
        if arguments.plot:
            problem = f"`{' '.join(words)}` is not a vehicle's name" if words else "no vehicle is named"
            expected = "one vehicle, such as `blockdyn vehicles crazyflie --plot FILE`"
            raise BlockdynError(f"--plot: {problem}\nexpected: {expected}")
        _show_list(words, arguments.json)
        return 0
    parts: list[str | Table] = [] if arguments.json else describe_vehicle(vehicle)
    if arguments.plot:
        save(vehicle, arguments.plot)
        parts += ["", f"picture: {arguments.plot}"]
    if arguments.json:
        show_json(vehicle_data(vehicle))
    else:
        show(*parts)
    return 0


def _single(words: list[str]) -> Multirotor | None:
    """The vehicle that the words name, if they name one."""
    if len(words) != 1:
        return None
    word = words[0]
    if word in catalogue():
        return load_vehicle(word)
    is_file = Path(word).suffix.lower() in (".yaml", ".yml") or os.sep in word
    return vehicle_from_file(word) if is_file else None


def _show_list(words: list[str], as_json: bool) -> None:
    entries = [_entry(name) for name in catalogue()]
    entries = [entry for entry in entries if all(_has(entry, word) for word in words)]
    if not entries:
        raise UnknownRobot(" ".join(words), catalogue(), "vehicle")
    if as_json:
        show_json([{key: entry[key] for key in ("name", "rotors", "mass", "title")} for entry in entries])
        return
    rows = [
        (entry["name"], f"{entry['rotors']} rotors", f"{entry['mass']:g} kg", entry["title"])
        for entry in entries
    ]
    title = f"Vehicles with {' and '.join(f'`{word}`' for word in words)}" if words else "Vehicles"
    hint = "`blockdyn vehicles NAME` shows one, `--plot FILE` draws it; any word searches."
    show(Table(title, ("", "", "", ""), rows, wide=3), "", hint)


def _entry(name: str) -> dict[str, Any]:
    vehicle = load_vehicle(name)
    words = [name, vehicle.title, *vehicle_document(name).values.get("keywords", [])]
    return {
        "name": name, "rotors": vehicle.n, "mass": vehicle.mass, "title": vehicle.title, "words": words,
    }  # fmt: skip


def _has(entry: dict[str, Any], word: str) -> bool:
    return any(word.lower() in text.lower() for text in entry["words"])


def save(vehicle: Multirotor, file: str) -> None:
    """Draw the vehicle into a file. Raises ResultFileError."""
    from ..plots import canvas
    from ..plots.robots.vehicle import SIZE, draw

    canvas.check_picture(file)
    figure = canvas.new(SIZE, False)
    draw(vehicle, figure)
    title = f"{vehicle.name}, {vehicle.n} rotors, {vehicle.mass:g} kg"
    figure.suptitle(title, fontsize=9, x=0.02, ha="left", weight="bold", parse_math=False)
    canvas.finished(figure, file, False)

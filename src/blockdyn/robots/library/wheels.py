"""Wheels: vehicles on wheels by name, as the numbers that their blocks take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from ...base.nearest import nearest
from ...base.yaml.form import Form
from ..errors import InvalidRobot
from ..model.arithmetic import number
from .files import read

DATA = Path(__file__).parents[1] / "data" / "wheels"
FORM = Form("vehicle on wheels", "vehicle: NAME", "a vehicle on wheels is a page of numbers")


@dataclass(frozen=True)
class WheeledVehicle:
    """A vehicle of the library: the block that it is, and the parameters of that block."""

    name: str
    type: str
    numbers: Mapping[str, float]
    title: str = ""
    source: str = ""
    notes: str = ""


@lru_cache(maxsize=1)
def wheeled_catalogue() -> Mapping[str, Path]:
    """The files of the library by the names of their vehicles."""
    return {path.stem: path for path in sorted(DATA.glob("*.yaml"))}


@lru_cache(maxsize=16)
def load_wheeled(name: str) -> WheeledVehicle:
    """A vehicle on wheels of the library. Raises InvalidRobot."""
    if name not in wheeled_catalogue():
        names = sorted(wheeled_catalogue())
        told = f"there is no vehicle on wheels `{name}`{nearest(name, names)}"
        raise InvalidRobot("vehicle", told, f"one of: {', '.join(names)}")
    values = read(wheeled_catalogue()[name], FORM).values
    numbers = {
        key: number(value[1:], {}) if isinstance(value, str) else float(value)
        for key, value in values["numbers"].items()
    }
    texts = {key: " ".join(str(values.get(key, "")).split()) for key in ("title", "source", "notes")}
    return WheeledVehicle(values["vehicle"], values["type"], MappingProxyType(numbers), **texts)

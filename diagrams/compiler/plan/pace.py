"""Some inputs require sources that tick with the block, so that it takes in each value once."""

from __future__ import annotations

from math import inf

from ....blocks.contract.errors import ParameterError
from ...model.errors import BadParameter
from .unit import Unit

ROUNDING = 1e-9  # of a period


def check_pace(units: list[Unit]) -> None:
    """Raise BadParameter for a sampled source of an input with a `pace` that has another sample time."""
    for unit in units:
        for port in unit.block.input_ports():
            source = unit.inputs.get(port.name)
            if port.pace is None or source is None or not units[source.unit].block.sampled:
                continue
            maker, sample_time = units[source.unit], float(unit.numbers["sample_time"])
            period = float(maker.numbers["sample_time"])
            least, most = (inf if sample_time == inf else bound * sample_time for bound in port.pace)
            if least * (1.0 - ROUNDING) <= period <= most * (1.0 + ROUNDING):
                continue
            less = "" if least == most else " or less"
            expected = f"{most:g} s{less}, after which {unit.path} takes in its next {port.name}"
            error = ParameterError(maker.block.kind(), "sample_time", period, expected)
            raise BadParameter(maker.path, "sample_time", error, location=maker.flat.location)

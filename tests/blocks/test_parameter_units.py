"""Every number of every block has a unit."""

from __future__ import annotations

import re

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.registry import library
from blockdyn.cli.specimen import conditional, documentation, specimen


@pytest.mark.parametrize("kind", library().values(), ids=lambda kind: kind.__name__)
def test_a_parameter_has_a_unit_or_is_a_number_without_one(kind: type[bd.Block]) -> None:
    """`1` is a number without a unit; `[y]/[u]` names ports, or what the block's equations name."""
    units = {name: rule.unit for name, rule in kind.rules().items() if rule.number}
    assert all(units.values())
    block = specimen(kind)
    ports = (*block.input_ports(), *block.output_ports())
    more = (port for side in ("input_ports", "output_ports") for port, _ in conditional(block, side))
    names = {port.name for port in (*ports, *more)} | set(re.findall(r"\w+", documentation(kind)[0]))
    assert set(re.findall(r"\[(\w+)\]", " ".join(units.values()))) <= names

"""Runs of the gallery have one digest on every processor, the one in the table of digests."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from .machines import MACHINES, Machine, digest_of_engine, digest_of_rows, exports, module_of, rows_of, table

NAMES = (
    "two-tanks",
    "quadrotor",
    "sampled-cascade",
    "stanford",
    "late-steering",
    "series-elastic",
    "battery",
)
pytestmark = pytest.mark.xdist_group("machines")  # one worker makes the module


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the table was made on x86-64")
@pytest.mark.parametrize("name", ["two-tanks", "late-steering", "series-elastic", "cruise-gears", "pursuit"])
def test_the_engine_has_the_digests_of_the_table(name: str) -> None:
    """The numbers of these diagrams are computed by arithmetic alone, and not by a library of the system."""
    assert digest_of_engine(exports([name])[name]) == table()[name]


@pytest.fixture(scope="module")
def module() -> str:
    return module_of([*exports(NAMES).values()])


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_every_machine_has_the_digests_of_the_engine(machine: Machine, module: str, tmp_path: Path) -> None:
    if machine.missing:
        pytest.skip(f"without {', '.join(machine.missing)}")
    runs = exports(NAMES)
    rows = rows_of(machine, module, [*runs.values()], tmp_path)
    digests = {name: digest_of_rows(run, rows[k]) for k, (name, run) in enumerate(runs.items())}
    assert digests == {name: digest_of_engine(run) for name, run in runs.items()}

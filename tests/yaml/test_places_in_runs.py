"""What goes wrong while a file's diagram runs is told with the place where the block stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import AssertionFailed, Chattering, NotFinite, RunError, StepCollapse

HEAD = "blockdyn: 1\nblocks:\n"
POLE = 'p: {type: Expression, formula: "1 / (t - 1)"}\n  x: {type: Integrator}\nwires: [p -> x]'
RUNAWAY = "sq: {type: Expression, formula: u**2}\n  x: {type: Integrator, initial: 1}\nwires: [x -> sq -> x]"
FALSE = "s: {type: Step, initial: 1, final: 0}\n  a: {type: Assert, message: too low}\nwires: [s -> a]"
RELAY = "r: {type: Relay, on: -1, off: 1}\n  x: {type: Integrator, initial: 1}\nwires: [x -> r -> x]"


@pytest.mark.parametrize(
    ("text", "kind", "path", "settings"),
    [
        (POLE, NotFinite, "p", {"method": "rk4", "step": 0.25}),
        (RUNAWAY, (NotFinite, StepCollapse), "", {}),
        (RELAY, Chattering, "r", {}),
        (FALSE, AssertionFailed, "a", {}),
    ],
)
def test_the_file_the_line_and_the_column(
    text: str, kind: type[RunError], path: str, settings: dict[str, object], tmp_path: Path
) -> None:
    file = tmp_path / "d.yaml"
    file.write_text(f"{HEAD}  {text}\n")
    with pytest.raises(kind) as caught:
        bd.load(file).simulate(stop=3, **settings)
    error = caught.value
    assert path in ("", error.path)
    lines = file.read_text().splitlines()
    assert error.line is not None
    assert lines[error.line - 1].startswith(f"  {error.path}: ")
    assert (error.file, error.column) == (str(file), 3)
    assert str(error).startswith(f"{file}:{error.line}:3: ")
    assert error.partial.provenance.message == str(error)

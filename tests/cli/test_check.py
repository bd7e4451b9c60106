"""`blockdyn check`: the facts of a diagram that is known by heart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.report import HISTORY, Report, make_report


@pytest.fixture
def sampled(folder: Any) -> Report:
    return make_report(bd.load(folder / "sampled.yaml").compile())


def test_blocks_with_the_parameters_that_differ_from_their_defaults(sampled: Report) -> None:
    assert [block.path for block in sampled.blocks] == [
        "control", "error", "plant", "touch", "unread", "wanted",
    ]  # fmt: skip
    control = sampled.blocks[0]
    assert control.type == "DiscretePID"
    assert {k: control.parameters[k] for k in ("kp", "ki", "sample_time")} == {
        "kp": 2.0, "ki": 1.0, "sample_time": 0.1,
    }  # fmt: skip


def test_signals_change_as_their_causes_do(sampled: Report) -> None:
    changes = {signal.path: signal.changes for signal in sampled.signals}
    assert changes == {
        "control.y": "every 0.1 s",
        "error.y": "continuously",
        "plant.y": "continuously",
        "touch.y": "at events",
        "unread.y": "never",
        "wanted.y": "at events",
    }
    assert {signal.path for signal in sampled.signals if signal.logged} == {"plant.y", "touch.y"}


def test_states_of_the_plant_and_the_controller(sampled: Report) -> None:
    changes = {state.path.partition(".")[0]: state.changes for state in sampled.states}
    assert changes["plant"] == "continuously"
    assert changes["control"] == "every 0.1 s"


def test_sample_times_and_events(sampled: Report) -> None:
    assert [(clock.period, clock.offset, clock.blocks) for clock in sampled.clocks] == [
        (0.1, 0.0, ("control",))
    ]
    events = {(event.path, event.kind): event.what for event in sampled.events}
    assert events["wanted", "timer"] == "at 1 s"
    assert events["touch", "zero crossing"].endswith("rising")
    assert len(events) == 2


def test_an_output_comes_after_those_it_needs(sampled: Report) -> None:
    flight = make_report(bd.load(_gallery("quadrotor-corke")).compile())
    for report in (sampled, flight):
        known: set[str] = set()
        for step in report.order:
            assert known.issuperset(step.inputs)
            known.update(step.outputs)
        assert known == {signal.path for signal in report.signals}


def _gallery(name: str) -> Any:
    from blockdyn.diagrams.yaml.finding import gallery_files

    return gallery_files()[name]


def test_what_may_not_be_meant_is_noticed(sampled: Report) -> None:
    found = "\n".join(sampled.notices)
    assert "`spare`" in found
    assert "unread is unused" in found
    assert "`period`" not in found


def test_an_open_input_is_noticed() -> None:
    diagram = bd.Diagram("open")
    diagram.add("clock", bd.Clock())
    diagram.add("x", bd.Integrator(reset="rising"))
    diagram.connect("clock", ["x.u", "x.trigger"])
    notices = "\n".join(make_report(diagram.compile()).notices)
    assert "x.value is open and takes 0" in notices
    assert "no stop time" in notices


def test_functions_that_stay_in_python_are_told_with_the_reason() -> None:
    diagram = bd.Diagram("python")
    diagram.connect(diagram.add("clock", bd.Clock()), diagram.add("own", bd.Function(_opens_a_file)))
    python = make_report(diagram.compile()).python
    assert list(python) == ["own"]
    assert python["own"]


def _opens_a_file(x: float) -> float:
    with open(__file__) as file:
        return x if file.readable() else 0.0


def test_the_report_is_printed(command: Any) -> None:
    done = command("check", "sampled.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sampled is valid: 6 blocks, 6 signals, ")
    for title in ("Blocks", "Signals", "States", "Sample times", "Events", "Order of evaluation", "Notices"):
        assert f"\n{title}\n" in done.stdout
    assert "\x1b" not in done.stdout


def test_what_is_evaluated_when_is_told_on_request(command: Any) -> None:
    """dx/dt = -rate x: the state's output, the gain and the slope in every evaluation."""
    plain, told = command("check", "decay.yaml").stdout, command("check", "decay.yaml", "--explain").stdout
    assert "Evaluated" not in plain
    assert told.startswith(plain)
    listed = told[len(plain) :].split()
    assert listed[:2] == ["Evaluated", "derivative"]
    assert "slopes" in listed
    as_json = json.loads(command("check", "decay.yaml", "--json", "--explain").stdout)
    assert " ".join(as_json["evaluated"]).split() == listed[1:]


def test_the_report_as_json(command: Any) -> None:
    done = command("check", "decay.yaml", "--json")
    report = json.loads(done.stdout, parse_constant=pytest.fail)
    assert report["parameters"] == {"rate": 1.0}
    assert [state["initial"] for state in report["states"]] == [1.0]


def test_the_history_of_a_delay_is_no_state() -> None:
    """An integrator behind a delay: one state, and whether the delay has passed."""
    d = bd.Diagram("late")
    d.connect(d.add("r", bd.Step()), d.add("x", bd.Integrator()), d.add("late", bd.TransportDelay(0.3)))
    facts = {state.path: state.changes for state in make_report(d.compile()).states}
    assert [path for path, changes in facts.items() if changes != HISTORY] == ["late.passed", "x.x"]


def test_fixes_are_shown_and_written(tmp_path: Path, command: Any) -> None:
    file = tmp_path / "lag.yaml"
    text = "blockdyn: 1\nblocks:\n  u: {type: Constant}\n  x: {type: Integrator}  # m\nwires: [u -> x]\n"
    file.write_text(text.replace("Integrator", "Integrater").replace("->", "=>"))
    shown = command("check", str(file), "--fix")
    assert shown.returncode == 1
    assert "+  x: {type: Integrator}  # m" in shown.stdout
    assert "Integrater" in file.read_text()
    assert command("check", str(file), "--fix", "--write").returncode == 0
    assert file.read_text() == text
    assert command("check", str(file), "--fix").returncode == 0

"""Diagrams as blocks of their own type: parameters that say what they may be, options, checks, packages."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.plugins import PluginWarning
from blockdyn.cli import main
from blockdyn.diagrams.yaml import finding as registry, loads

MOTOR = """\
blockdyn: 1
name: Motor
icon: M
doc: A motor as a lag of first order. Its gain may be anything above 0.
parameters:
  gain: {unit: rad/(s V), above: 0, doc: speed over voltage}
  time: {default: 0.5, unit: s, minimum: 0.1, maximum: 2}
  poles: {default: 2, choices: [2, 4, 8]}
  low: -10
  high: {default: 10}
  form: {default: tustin, choices: [tustin, zoh], doc: of nothing}
  speed: {default: "=gain*poles", doc: another way to say it}
checks:
  - {that: low < high, message: the lower limit is above the upper one}
blocks:
  u: {type: Inport, unit: V}
  cut: {type: Saturation, lower: =low, upper: =high}
  lag: {type: TransferFunction, num: [=gain], den: [=time, 1]}
  note: {type: Constant, value: =speed}
  y: {type: Outport, unit: rad/s}
  z: {type: Outport}
wires: [u -> cut -> lag -> y, note -> z]
"""
USER = """\
blockdyn: 1
parameters: {k: 3.0}
blocks:
  step: {type: Constant, value: 2.0}
  motor: {type: %s, %s}
wires: [step -> motor]
log: [motor.y, motor.z]
simulate: {stop: 1.0, rtol: 1.0e-10, atol: 1.0e-12}
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `acme` whose folder holds Motor.yaml, and one that holds none."""
    for name in ("acme_models", "empty_models"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "acme_models" / "Motor.yaml").write_text(MOTOR)
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        importlib.metadata.EntryPoint("acme", "acme_models", registry.GROUP),
        importlib.metadata.EntryPoint("empty", "empty_models", registry.GROUP),
    ]
    asked = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **about: points if about == {"group": registry.GROUP} else asked(**about),
    )
    registry._packaged_types.cache_clear()
    with pytest.warns(PluginWarning, match="holds no YAML file"):
        registry.packaged()
    yield tmp_path
    registry._packaged_types.cache_clear()
    for name in ("acme_models", "empty_models"):
        sys.modules.pop(name, None)


def refused(folder: Path, kind: str, parameters: str, **simulation: Any) -> str:
    with pytest.raises(bd.BlockdynError) as told:
        loads(USER % (kind, parameters), folder=folder).simulate(**simulation)
    return str(told.value)


def test_reads_like_a_block_and_its_numbers_change_without_compiling_again(packages: Path) -> None:
    d = loads(USER % ("acme_models/Motor", "gain: =2*k, time: 0.4"))
    result = d.simulate()
    lag = 1.0 - np.exp(-1.0 / 0.4)
    assert result.final("motor.y") == pytest.approx(2.0 * 6.0 * lag, rel=1e-8)
    assert result.final("motor.z") == 12.0
    again = d.simulate(set={"motor.gain": 1.0, "motor.poles": 8})
    assert (again.final("motor.y"), again.final("motor.z")) == (pytest.approx(2.0 * lag, rel=1e-8), 8.0)
    gains = {"uniform": {"low": -1.0, "high": 1.0}}
    run = bd.Sweep(d, {"motor.gain": gains, "motor.high": [1.0, 20.0]}, {"y": {"final": "motor.y"}}, number=6)
    ensemble = run.run(progress=False, workers=1)
    gain, u = ensemble["motor.gain"], np.minimum(2.0, ensemble["motor.high"])
    np.testing.assert_allclose(ensemble["y"][gain > 0], (u * gain * lag)[gain > 0], rtol=1e-7)
    assert np.isnan(ensemble["y"][gain <= 0]).all()
    assert 0 < np.count_nonzero(gain > 0) < gain.size


@pytest.mark.parametrize("kind", ["acme_models/Motor", "motor.yaml"])
def test_what_it_may_not_be_is_told_at_the_users_place_with_the_declaration(
    packages: Path, kind: str
) -> None:
    (packages / "motor.yaml").write_text(MOTOR)
    home = str(packages / "acme_models" / "Motor.yaml") if kind.startswith("acme") else "motor.yaml"
    for parameters, words in {
        "gain: 0": (
            "<text>:5:",
            "motor: Motor.gain is 0.0",
            f"greater than zero, in rad/(s V) (declared at {home}:6:9)",
        ),
        "gain: =k-3": ("<text>:5:", "Motor.gain is 0.0", f"{home}:6:9"),
        "gain: 1, time: 3": ("<text>:5:", "Motor.time is 3.0", "2 or less, in s"),
        "gain: 1, poles: 3": ("<text>:5:", "Motor.poles is 3.0", "one of 2, 4, 8"),
        "gain: 1, low: 11": (
            "<text>:5:",
            "the lower limit is above the upper one",
            "low is 11.0, high is 10.0",
            ":14:",
        ),
        "time: 1": ("<text>:5:", "motor: `gain` is not given, and has no default: speed over voltage"),
        "gain: 1, tme: 1": ("<text>:5:", "has no parameter `tme`, did you mean `time`?"),
        "gain: 1, form: best": ("<text>:5:", "motor.form is the text `best`", "one of 'tustin', 'zoh'"),
    }.items():
        text = refused(packages, kind, parameters)
        assert all(word in text for word in words), text
        assert "errors:" not in text, text


def test_what_a_caller_changes_is_held_to_it_too(packages: Path) -> None:
    text = refused(packages, "acme_models/Motor", "gain: 1", set={"motor.gain": -1.0})
    assert "Motor.gain is -1.0" in text
    text = refused(packages, "acme_models/Motor", "gain: 1", set={"motor.low": 12.0})
    assert "the lower limit is above the upper one" in text
    with pytest.raises(bd.BlockdynError, match="greater than zero"):
        bd.Sweep(loads(USER % ("acme_models/Motor", "gain: 1")), {"motor.gain": [1.0, -1.0]})


def test_names_are_known_where_they_are_misspelt(packages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean `acme_models/Motor`?" in refused(packages, "acme_models/Moter", "gain: 1")
    assert "did you mean `motor.yaml`?" in (
        (packages / "motor.yaml").write_text(MOTOR) and refused(packages, "moter.yaml", "gain: 1")
    )
    assert main(["blocks", "acme_models/Motor"]) == 0
    shown = capsys.readouterr().out
    for words in (
        "A motor as a lag",
        "> 0",
        "2 | 4 | 8",
        "tustin | zoh",
        "Icon: M",
        "low < high, or the lower",
        "required",
    ):
        assert words in shown
    assert main(["blocks"]) == 0
    assert "acme_models/Motor" in capsys.readouterr().out
    (packages / "acme_models" / "Motor.yaml").write_text(MOTOR.replace("above: 0", "abov: 0"))
    assert main(["blocks"]) == 0  # a file that is wrong does not hide the others
    listed = capsys.readouterr().out
    assert "cannot be read: acme_models/Motor:" in listed
    assert "Integrator" in listed


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("above: 0", "abov: 0", "did you mean `above`?"),
        ("default: 0.5", "default: 5", "Motor.time is 5.0"),
        ("that: low < high,", "", "`that:"),
        ("that: low < high", "that: low < hihg", "hihg"),
        ("icon: M", "icon: 3", "icon"),
        ("choices: [2, 4, 8]", "choices: []", "choices"),
    ],
)
def test_a_wrong_declaration_has_its_line(packages: Path, old: str, new: str, words: str) -> None:
    (packages / "motor.yaml").write_text(MOTOR.replace(old, new))
    text = refused(packages, "motor.yaml", "gain: 1")
    assert words in text
    assert "motor.yaml:" in text


def test_a_file_that_uses_itself_is_told(packages: Path) -> None:
    (packages / "motor.yaml").write_text("blockdyn: 1\nblocks: {m: {type: motor.yaml}}\n")
    assert "contains itself" in refused(packages, "motor.yaml", "gain: 1")


def test_in_python_as_in_a_file(packages: Path) -> None:
    motor = bd.Diagram("Motor")
    motor.parameter("gain", unit="rad/s", above=0.0)
    motor.parameter("limit", 2.0, maximum=5.0, choices=[2.0, 5.0])
    motor.require("gain < limit", "it is too strong")
    u, y = motor.add("u", bd.Inport()), motor.add("y", bd.Outport())
    motor.connect(u, motor.add("k", bd.Gain(k=bd.expression("gain"))), y)
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("motor", bd.Subsystem(motor, gain=1.5)))
    assert d.simulate(stop=0.1, compiled=False).final("motor.y") == 1.5
    again = loads(bd.dumps(d))
    assert bd.dumps(again) == bd.dumps(d)
    for what in (d, again):
        with pytest.raises(bd.BlockdynError, match="it is too strong"):
            what.simulate(stop=0.1, set={"motor.gain": 3.0})
    with pytest.raises(bd.BlockdynError, match="greater than zero"):
        bd.Subsystem(motor, gain=-1.0)
    with pytest.raises(bd.BlockdynError, match="5 or less"):
        motor.parameter("limit", 7.0, maximum=5.0)
    with pytest.raises(bd.BlockdynError, match="did you mean `acme_models/Motor`"):
        bd.subsystem("acme_models/Moter", gain=1.0)
    assert bd.subsystem("acme_models/Motor", gain=2.0).parameters() == {"gain": 2.0}


GUIDED = """\
blockdyn: 1
parameters: {m: 0.6}
blocks:
  place: {type: Constant, value: [0, 0, -1]}
  craft: {type: blockdyn/GuidedMultirotor%s}
wires: [place -> craft.position_ref]
simulate: {stop: 0.05}
"""


@pytest.mark.parametrize(
    ("option", "words", "count"),
    [
        ("", "has no key `vehicle`", 1),
        (", vehicle: crazyfly", "did you mean `crazyflie`?", 1),  # of the vehicle, its loops and its mixer
        (", vehicle: {name: hummingbird, mass: =mm}", "`mm` in `=mm` for craft.vehicle_mass is not known", 1),
        (", vehicle: {name: hummingbird, mass: =m-1}", "greater than 0", 1),
    ],
)
def test_what_is_wrong_with_an_option_is_told_where_its_user_wrote_it(
    option: str, words: str, count: int
) -> None:
    with pytest.raises(bd.BlockdynError) as told:
        loads(GUIDED % option).check()
    lines = str(told.value).splitlines()
    assert sum(words in line for line in lines) == count
    assert sum("<text>:5:" in line for line in lines) == count


def test_numbers_in_an_option_are_those_of_a_run() -> None:
    d = loads(GUIDED % ", vehicle: {name: hummingbird, mass: =m}")
    heavy = loads(GUIDED % ", vehicle: {name: hummingbird, mass: 0.8}").simulate().final("craft.velocity")
    assert d.simulate(parameters={"m": 0.8}).final("craft.velocity").tolist() == heavy.tolist()
    assert d.simulate(set={"craft.vehicle_mass": 0.8}).final("craft.velocity").tolist() == heavy.tolist()
    ensemble = bd.Sweep(d, {"m": [0.6, 0.8]}, {"v": {"final": "craft.velocity[2]"}}).run(progress=False)
    assert ensemble["v"][1] == heavy[2]


PUMP = """\
blockdyn: 1
name: Pump
parameters:
  measured: {default: false}
  kind: {default: ideal, choices: [ideal, slow]}
blocks:
  u: {type: Inport}
  slow: {type: TransferFunction, num: [1], den: [0.5, 1]}
  same: {type: Gain}
  y: {type: Outport}
  flow: {type: Outport}
when:
  slow: {kind: [slow]}
  same: {kind: ideal}
  flow: measured
wires:
  - u -> slow -> y
  - same -> y
  - u -> [flow, same]
log: [flow, y]
"""
WITH_PUMP = """\
blockdyn: 1
blocks:
  u: {type: Constant, value: 3}
  pump: {type: pump.yaml%s}
wires: [u -> pump]
simulate: {stop: 1.0, rtol: 1.0e-10, atol: 1.0e-12}
"""


def test_options_say_which_ports_and_blocks_are_there(tmp_path: Path) -> None:
    (tmp_path / "pump.yaml").write_text(PUMP)
    plain = loads(WITH_PUMP % "", folder=tmp_path)
    assert [port.name for port in plain.blocks["pump"].output_ports()] == ["y"]
    assert plain.simulate().final("pump.y") == 3.0
    full = loads(WITH_PUMP % ", measured: true, kind: slow", folder=tmp_path)
    assert [port.name for port in full.blocks["pump"].output_ports()] == ["y", "flow"]
    r = full.simulate()
    assert r.final("pump.flow") == 3.0
    np.testing.assert_allclose(r.final("pump.y"), 3 * (1 - np.exp(-2.0)), rtol=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "flow: measured",
            "flow: measurd",
            "measurd` is not an option of the diagram, did you mean `measured`",
        ),
        ("flow: measured", "flow: kind", "'ideal', not true or false"),
        (
            "flow: measured",
            "flaw: measured",
            "no block or signal `flaw` in this diagram, did you mean `flow`",
        ),
    ],
)
def test_a_wrong_condition_has_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    (tmp_path / "pump.yaml").write_text(PUMP.replace(old, new))
    with pytest.raises(bd.BlockdynError) as told:
        loads(WITH_PUMP % "", folder=tmp_path)
    assert words in str(told.value)
    assert "pump.yaml:15:" in str(told.value).splitlines()[0]
    assert "errors:" not in str(told.value)


def test_a_guided_vehicle_flies_in_wind_with_a_weak_rotor_and_a_battery() -> None:
    """Without its options it has none of these ports; the air carries what nothing else holds."""
    sources = "  gale: {type: Constant, value: [4, 0, 0]}\n  weak: {type: Constant, value: [1, 1, 1, 0.98]}\n"
    wires = "wires: [gale -> craft.wind, weak -> craft.health, "
    blown = GUIDED.replace("wires: [", wires).replace("  craft:", sources + "  craft:")
    with pytest.raises(bd.BlockdynError, match=r"craft\.wind is not an input"):
        loads(blown % ", vehicle: hummingbird").check()
    given = ", vehicle: hummingbird, rotor_drag: true, health: true"
    r = loads(blown % given).simulate()
    assert r.final("craft.velocity")[0] > 0.001
    ports = loads(GUIDED % ", vehicle: hummingbird, battery: true").blocks["craft"].output_ports()
    assert "battery" in [port.name for port in ports]


def changed(text: str) -> str:
    """What a diagram is written as that has a block more than its text, which reads back as it ran."""
    d = loads(text)
    d.add("more", bd.Clock())
    written = bd.dumps(d)
    a, b = d.simulate(stop=0.05), loads(written).simulate(stop=0.05)
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a.final(name), b.final(name), err_msg=name)
    return written


def test_a_changed_diagram_keeps_its_packaged_subsystems_by_their_types(packages: Path) -> None:
    motor = "{type: acme_models/Motor, gain: =2*k, form: zoh}"
    assert motor in changed(USER % ("acme_models/Motor", "gain: =2*k, form: zoh"))
    craft = ", vehicle: {name: hummingbird, mass: =m}"
    assert f"type: blockdyn/GuidedMultirotor{craft}" in changed(GUIDED % craft)
    d = bd.Diagram("built in Python")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("motor", bd.subsystem("acme_models/Motor", gain=2.0)))
    assert "motor: {type: acme_models/Motor, gain: 2.0}" in bd.dumps(d)
    inside = d.blocks["motor"]
    assert isinstance(inside, bd.Subsystem)
    inside.diagram.add("more", bd.Clock())
    assert "acme_models/Motor" not in bd.dumps(d)
    assert "more: {type: Clock}" in bd.dumps(d).replace("  ", " ").replace("  ", " ")

"""What errors lead to is there: all code that they suggest runs, in a world that has what it names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn import elsewhere, robots
from blockdyn.analysis.models import elsewhere as models
from blockdyn.blocks.contract.elsewhere import BLOCK
from blockdyn.cli.arguments import parse
from blockdyn.diagrams.model import bdsim, diagram, handle, linearizable
from blockdyn.diagrams.results import absent, pictured
from blockdyn.gradients import elsewhere as gradients
from blockdyn.plots import canvas
from blockdyn.plots.ensembles import pictures
from blockdyn.robots.model import elsewhere as machines
from blockdyn.sweeps import sweep
from blockdyn.sweeps.answer import ensemble, summary, tables

CODE = re.compile(r"`([^`]+)`")
STOP = 2.0
TIMES = np.linspace(0.1, STOP, 20)
NOT_RUN = ("...", "live(", "help(", "help()")
"""Code that stands for other code, or waits for a person."""


def loop() -> bd.Diagram:
    """A loop whose blocks have the names that errors take for examples."""
    d = bd.Diagram("loop", parameters={"kp": 0.5, "ki": 1.0, "inertia": 1.0})
    reference = d.add("reference", bd.Step(final=1.0, time=0.1))
    control = d.add("control", bd.PID(kp=bd.expression("kp"), ki=bd.expression("ki")))
    motor = d.add("motor", bd.TransferFunction(num=[1.0], den=bd.expression("[inertia, 1.0]")))
    block = d.add("block", bd.Gain(1.0))
    d.connect(reference - motor, control, motor, block)
    error = d.signal("error", d["sum1"])
    a, b, gain = d.add("a", bd.Gain(1.0)), d.add("b", bd.Gain(1.0)), d.add("gain", bd.Gain(1.0))
    d.connect(motor, [a, b, gain])
    d.log(reference, control, motor, block, error, a, b, gain, d.add("pair", bd.Constant([1.0, 2.0])))
    return d


def free() -> bd.Diagram:
    """A motor with an input, to be brought to rest."""
    d = bd.Diagram("free")
    voltage = d.add("voltage", bd.Inport(default=0.0))
    d.connect(voltage, d.add("motor", bd.TransferFunction(num=[1.0], den=[1.0, 1.0])))
    d.connect("motor", d.add("speed", bd.Outport()))
    return d


def flown() -> bd.Result:
    """A run in which an arm moves."""
    d = bd.Diagram("arm")
    arm = d.add("arm", bd.FDyn(robot="puma560"))
    d.connect(d.add("torque", bd.Constant([0.0] * 6)), arm)
    return d.simulate(stop=0.1)


@cache
def world() -> dict[str, Any]:
    """What the suggested code names, but for the diagram itself."""
    d, still = loop(), free()
    model, result = still.linearize(), d.simulate(stop=STOP)
    axes = {"kp": np.linspace(0.5, 1.0, 6), "ki": [0.5, 1.0, 1.5]}
    swept = d.sweep(axes, {"top": {"max": "motor"}}, keep={"signals": ["motor"], "every": 0.5}, stop=STOP)
    answer, iae = swept.run(), {"iae": {"absolute": "error"}}
    arm = robots.load("puma560")
    modules = ("control", "copy", "dataclasses", "matplotlib.pyplot", "numpy", "pandas", "scipy.signal")
    return {name: getattr(bd, name) for name in bd.__all__} | {
        **{name.partition(".")[0]: __import__(name) for name in modules},
        "bd": bd, "robots": robots, "result": result, "trace": result.trace("pair"),
        "event": result.events[0], "other": result,
        "model": model, "models": still.linearize_along([0.5, 1.0]), "response": model.step(),
        "margins": model.margins(), "pole": model.damping()[0], "locus": model.root_locus(),
        "point": still.trim(outputs={"speed": 1.0}), "figure": result.plot("motor"),
        "sines": still.frequency_response([1.0], "voltage", "speed", amplitude=0.1),
        "fit": d.fit({"time": TIMES, "motor": d.simulate(times=TIMES)["motor"].values}, ["kp", "ki"]),
        "tuned": d.tune(["kp"], "iae", iae, bounds={"kp": (0.1, 2.0)}, stop=STOP),
        "gradient": d.gradient({"top": {"max": "motor"}}, ["kp"], stop=STOP),
        "sensitivities": d.sensitivities("kp", "motor", stop=STOP),
        "sweep": swept, "ensemble": answer, "pictures": answer.plot, "summary": answer.summary(),
        "table": answer.worst("top"), "k": 0, "still": still, "block": bd.Gain(2.0),
        "robot": arm, "first": arm, "second": arm, "q": [0.0] * 6, "link": arm.links[1],
        "joint": arm.joints[0], "vehicle": robots.load_vehicle("crazyflie"), "moved": flown(),
        "t": TIMES, "times": TIMES, "y": np.ones(TIMES.size), "T": TIMES, "U": np.ones(TIMES.size),
        "omega": [1.0],
    }  # fmt: skip


TABLES: dict[str, tuple[Mapping[str, str], str]] = {
    "Diagram": (bdsim.TABLE, "diagram"),
    "Diagram, calls": (diagram.CALLS, "diagram"),
    "Linearizable": (linearizable.CALLS, "still"),
    "Handle": (handle.ELSEWHERE, "a"),
    "Block": (BLOCK, "block"),
    "blockdyn": (elsewhere.KINDS, "bd"),
    "Result": (absent.RESULT, "result"),
    "Result, calls": (absent.CALLS, "result"),
    "Pictured": (pictured.CALLS, "result"),
    "Trace": (absent.TRACE, "trace"),
    "EventRecord": (absent.EVENT, "event"),
    "Picture": (canvas.ELSEWHERE, "figure"),
    "LinearModel": (models.MODEL, "model"),
    "LinearModels": (models.MODELS, "models"),
    "Response": (models.RESPONSE, "response"),
    "Margins": (models.MARGINS, "margins"),
    "Pole": (models.POLE, "pole"),
    "FrequencyResponse": (models.FREQUENCY, "sines"),
    "RootLocus": (models.LOCUS, "locus"),
    "OperatingPoint": (models.POINT, "point"),
    "Fit": (gradients.FIT, "fit"),
    "Tuned": (gradients.TUNED, "tuned"),
    "Gradient": (gradients.GRADIENT, "gradient"),
    "Sensitivities": (gradients.SENSITIVITIES, "sensitivities"),
    "Sweep": (sweep.ELSEWHERE, "sweep"),
    "Ensemble": (ensemble.ELSEWHERE, "ensemble"),
    "Pictures": (pictures.ELSEWHERE, "pictures"),
    "Summary": (summary.ELSEWHERE, "summary"),
    "Table": (tables.ELSEWHERE, "table"),
    "Robot": (machines.ROBOT, "robot"),
    "Vehicle": (machines.VEHICLE, "vehicle"),
    "Link": (machines.LINK, "link"),
    "Joint": (machines.JOINT, "joint"),
}
"""Each table of hints, and the name of what they are told about."""


OTHERS = {
    "OperatingPoint": {"diagram": "still"}, "Robot": {"result": "moved"}, "Vehicle": {"result": "moved"},
}  # fmt: skip
"""What a name stands for in the hints of a table."""


@pytest.mark.parametrize("kind", TABLES)
def test_suggested_code_runs(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("control", reason='needs python-control: pip install "blockdyn[control]"')
    monkeypatch.chdir(tmp_path)
    bd.dump(loop(), "loop.yaml")
    request.addfinalizer(lambda: world()["matplotlib"].pyplot.close("all"))
    table, owner = TABLES[kind]
    for code in dict.fromkeys(code for hint in table.values() for code in CODE.findall(hint)):
        run(code, owner, OTHERS.get(kind, {}))


def run(code: str, owner: str, others: Mapping[str, str]) -> None:
    """Run what a hint suggests; of code that stands for other code, see that it is some."""
    if code.startswith("blockdyn "):
        parse(shlex.split(code.replace("FILE", "loop.yaml").replace("NAME", "quadrotor"))[1:])
        return
    d = loop()
    names = {**world(), "diagram": d, "a": d["a"], "b": d["b"], "amp": d["gain"], "gain": d["gain"]}
    names |= {name: names[other] for name, other in others.items()}
    first = re.match(r"[A-Za-z_]+", code)
    if first and first[0] not in (owner, "diagram", "result") and hasattr(names[owner], first[0]):
        code = f"{owner}.{code}"
    program = compile(code, code, "eval")
    if not any(part in code for part in NOT_RUN):
        eval(program, names)

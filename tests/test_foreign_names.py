"""Names of other simulators and misspelt names lead to the names here, and all of these exist."""

from __future__ import annotations

import builtins
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.analysis import point
from blockdyn.analysis.models import (
    frequency_response,
    linear_model,
    linear_models,
    margins,
    pole,
    response,
    root_locus,
)
from blockdyn.base import hints
from blockdyn.blocks.contract.registry import library, names
from blockdyn.blocks.contract.synonyms import counterpart, normal, suggest_type, synonyms
from blockdyn.cli import main
from blockdyn.cli.arguments import parse
from blockdyn.diagrams.model.handle import Wirable
from blockdyn.diagrams.model.settings import NAMES
from blockdyn.diagrams.results.provenance import EventRecord
from blockdyn.diagrams.results.trace import Trace
from blockdyn.gradients import fitted, gradient, sensitivities, tuned
from blockdyn.plots.ensembles import pictures
from blockdyn.robots.model.joint import Joint
from blockdyn.robots.model.link import Link
from blockdyn.robots.vehicles.multirotor import Multirotor
from blockdyn.sweeps.answer import summary, tables
from blockdyn.sweeps.answer.ensemble import Ensemble

PAGE = Path(__file__).parents[1] / "docs" / "coming-from.md"
ROW = re.compile(r"^\| (\S+) \|.*\|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
FIRST = re.compile(r"\W*(\w+)(?:\.(\w+))?")
TYPES = {*names(), "Subsystem"}
SECTIONS = hints._sections()
OTHER = ("keywords", "blocks", "methods", "commands", "options")


def diagram() -> bd.Diagram:
    d = bd.Diagram("d", parameters={"rate": 1.0})
    d.connect(d.add("u", bd.Step(time=0.5)), d.add("g", bd.Gain(2.0)))
    return d


@pytest.mark.parametrize(
    ("use", "hint"),
    [
        ("bd.jtraj", "trajectories.quintic"),
        ("bd.TransferFcn", "did you mean `TransferFunction`"),
        ("bd.gain", "did you mean `Gain`"),
        ("bd.DiagramBuilder", "Diagram("),
        ("bd.SharedPointerSystem", "nor one that does"),
        ("bd.linearize", "`diagram.linearize"),
        ("bd.Robot", "`blockdyn.robots.Robot`"),
        ("d.conect", "did you mean `connect`?"),
        ("d.AddSystem", 'use `add("name", block)`'),
        ("d.GAIN(3)", "did you mean `Gain`"),
        ("d.g", "use diagram['g']"),
        ("setattr(d, 'rate', 3)", "use .parameters['rate']"),
        ("d['g'].k", "use `.block.k`"),
        ("d['g'].gain", "did you mean `k`"),
        ("d['g'].connect(d['u'])", "use `diagram.connect(a, b)`"),
        ("bd.Gain(2).gain", "did you mean `k`"),
        ("bd.Gain(2).weight", "its parameters are k"),
        ("r.t", "use `time`"),
        ("r.g", "use result['g']"),
        ("r.zyx", "it has signals, states, events"),
        ("r.trace('g').interp", "use `at(times)`"),
        ("r.events[0].source", "use `path`"),
        ("robots.load('puma560').jacob0", "functions.jacobian(robot, q)"),
        ("robots.load('puma560').dof", "use `n`"),
        ("robots.load('puma560').links[0].m", "use `mass`"),
        ("m.dcgain()", "use `gain()`"),
        ("m.step().y", "use `values`"),
        ("m.margins().gm", "use `gain`"),
    ],
)  # fmt: skip
def test_an_unknown_attribute_has_a_hint(use: str, hint: str) -> None:
    d = diagram()
    scope = {"bd": bd, "robots": robots, "d": d}
    if use[0] == "r":
        scope["r"] = d.simulate(stop=1.0)
    if use[0] == "m":
        scope["m"] = d.linearize("u", "g")
    with pytest.raises(AttributeError) as caught:
        eval(use, scope)
    assert hint in str(caught.value)
    assert use.startswith("bd.") or isinstance(caught.value, bd.BlockdynError)


@pytest.mark.parametrize(
    ("use", "hint"),
    [
        ("d.simulate(T=1)", "`stop`"),
        ("d.simulate(stop=1, dt=0.1)", "`every` for even rows"),
        ("d.simulate(stop=1, k=1)", "set={...}"),
        ("d.settings(solver='rk4')", "`method`"),
        ("d.linearize(input='u')", "has no argument `input`, did you mean `inputs`?"),
        ("d.linearize(operating_point={})", "did you mean `at`?"),
        ("d.sweep({'g.k': [1]}, stop=1, n=3)", "did you mean `number`?"),
        ("d.measure({}, t_end=3)", "one of"),
        ("d.simulate(stop=1).plot(title='x')", "plot has no argument `title`"),
        ("bd.Diagram('d', params={'k': 1})", "did you mean `parameters`?"),
        ("bd.load('position-loop', trusted=True)", "did you mean `trust`?"),
        ("bd.PID(limits=(-1, 1))", "did you mean `lower` and `upper`?"),
        ("bd.Gain(gain=2)", "did you mean `k`?"),
        ("bd.Integrator(x0=1)", "did you mean `initial`?"),
        ("bd.Step(T=1)", "did you mean `time`?"),
        ("bd.ZeroOrderHold(Ts=1)", "did you mean `sample_time`?"),
        ("bd.PID(kp=1, ti=0.5)", "`ki`? (ki = kp / ti)"),
        ("bd.PID(kp=1, sample_time=0.1)", "the block `DiscretePID`"),
        ("robots.Link('a', m=1)", "Link has no argument `m`, did you mean `mass`?"),
        ("robots.Joint('j', qlim=[0, 1])", "did you mean `lower` and `upper`?"),
    ],
)  # fmt: skip
def test_an_unknown_keyword_has_a_hint(use: str, hint: str) -> None:
    with pytest.raises(bd.BlockdynError) as caught:
        eval(use, {"bd": bd, "robots": robots, "d": diagram()})
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("use", "hint"),
    [
        ("d['gg']", "did you mean `g`?"),
        ("d.simulate(stop=1, set={'g.gain': 1})", "did you mean `k`?"),
        ("d.simulate(stop=1, parameters={'g.k': 3})", "set={'g.k': ...}"),
        ("d.connect('u', 'g.uu') or d.compile()", "did you mean `u`?"),
        ("d.connect('u', 'gg') or d.compile()", "did you mean `g`?"),
        ("bd.load('blockdyn: 1\\nblocks: {b: {type: TransferFcn}}\\n')", "did you mean `TransferFunction`?"),
        ("bd.load('blockdyn: 1\\nblocks: {}\\nsimulate: {T: 10}\\n')", "did you mean `stop`?"),
    ],
)  # fmt: skip
def test_an_unknown_block_port_or_key_has_a_hint(use: str, hint: str) -> None:
    with pytest.raises(bd.BlockdynError) as caught:
        eval(use, {"bd": bd, "d": diagram()})
    assert hint in str(caught.value)


def test_an_unknown_name_that_resembles_nothing_has_no_guess() -> None:
    for name in ("Banana", "Hydraulics", "Telephone", "Xyz", "ThermalConductor"):
        assert suggest_type(name, TYPES) == ""
    assert not hasattr(bd, "nothing_of_it")
    assert not hasattr(bd.Diagram(), "nothing_of_it")
    with pytest.raises(ImportError, match="nothing_of_it"):
        exec("from blockdyn.robots import nothing_of_it", {})


def test_a_run_reads_no_foreign_name() -> None:
    code = (
        "import sys, blockdyn as bd; from blockdyn.base import hints; d = bd.load('quadrotor');"
        "d.simulate(stop=0.1); sys.exit(hints._sections.cache_info().currsize)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ---- the table ----


def test_block_types_of_the_table_exist() -> None:
    rows = synonyms()
    assert {row.type for row in rows} - {"-"} <= TYPES
    assert {row.name for row in rows}.isdisjoint(TYPES)
    listed = [normal(row.name) for row in rows]
    assert len(listed) == len(set(listed))


def test_keywords_of_the_table_exist() -> None:
    parameters = {name for kind in library().values() for name in kind.rules()}
    parts = {name for kind in (Link, Joint) for name in kind.__dataclass_fields__}
    files = {"wires", "parameters", "simulate", "log", "axes", "measures", "linspace", "uniform", "normal"}
    there = parameters | parts | files | {*NAMES, "number", "at", "theta", "d", "a", "alpha"}
    meanings = [m for row in SECTIONS["keywords"].values() for m in ([row] if isinstance(row, str) else row)]
    assert {name for each in meanings for name in each.partition(" ")[0].split("+")} <= there


KINDS: Mapping[str, Any] = {
    "blockdyn": bd, "Diagram": bd.Diagram, "Wirable": Wirable, "Block": bd.Block, "Result": bd.Result,
    "Trace": Trace, "EventRecord": EventRecord, "LinearModel": linear_model.LinearModel,
    "LinearModels": linear_models.LinearModels, "Response": response.Response,
    "Margins": margins.Margins, "Pole": pole.Pole,
    "FrequencyResponse": frequency_response.FrequencyResponse,
    "RootLocus": root_locus.RootLocus, "OperatingPoint": point.OperatingPoint, "Fit": fitted.Fit,
    "Tuned": tuned.Tuned, "Gradient": gradient.Gradient, "Sensitivities": sensitivities.Sensitivities,
    "Sweep": bd.Sweep, "Ensemble": Ensemble, "Pictures": pictures.Pictures, "Summary": summary.Summary,
    "Table": tables.Table, "RateLimiter": bd.RateLimiter, "FMU": bd.FMU,
    "Robot": robots.Robot, "Link": Link, "Joint": Joint, "Multirotor": Multirotor,
}  # fmt: skip
VARIABLES = {
    "diagram": "Diagram", "result": "Result", "model": "LinearModel", "models": "LinearModels",
    "response": "Response", "margins": "Margins", "sines": "FrequencyResponse", "point": "OperatingPoint",
    "fit": "Fit", "tuned": "Tuned", "gradient": "Gradient", "sensitivities": "Sensitivities",
    "sweep": "Sweep", "ensemble": "Ensemble", "robot": "Robot", "link": "Link", "joint": "Joint",
    "vehicle": "Multirotor",
}  # fmt: skip
LIBRARIES = ("copy", "scipy", "numpy", "control", "matplotlib", "a")  # and a block


def test_every_class_of_the_table_is_one() -> None:
    sections = {name for name in SECTIONS if not name.startswith("Robotics Toolbox")} - {*OTHER}
    assert sections == set(KINDS)
    assert sections - {"blockdyn"} == {kind.__name__ for name, kind in KINDS.items() if kind is not bd}


def attributes(kind: Any) -> set[str]:
    fields = getattr(kind, "__dataclass_fields__", {}), getattr(kind, "__annotations__", {})
    return {*dir(kind), *vars(kind), *fields[0], *fields[1], "residual", "outputs", "design", "measures"}


@pytest.mark.parametrize("section", KINDS)
def test_code_of_the_table_names_what_exists(section: str) -> None:
    for hint in SECTIONS[section].values():
        for code in CODE.findall(hint):
            if code.startswith("blockdyn "):
                parse([word.strip('"') for word in code.replace("FILE", "loop.yaml").split()[1:]])
                continue
            compile(code, code, "eval")
            variable, name = FIRST.match(code).groups()  # type: ignore[union-attr]
            if variable in VARIABLES:
                assert not name or name in attributes(KINDS[VARIABLES[variable]]), code
            elif variable not in LIBRARIES and not variable.isdecimal():
                assert variable in attributes(KINDS[section]) | attributes(bd) | attributes(builtins), code


# ---- the page, and the search for blocks ----


def row(match: re.Match[str]) -> str:
    """A row of the page, from the foreign name in its first cell; headings stay."""
    name = match[1]
    if name == "there":
        return match[0]
    ours = {normal(kind): kind for kind in TYPES}
    if normal(name) in ours:
        return f"| {name} | {ours[normal(name)]} | |"
    entry = counterpart(name)
    assert entry is not None, f"{name} of {PAGE.name} is neither a block nor in the table"
    here, how = ("none" if entry.type == "-" else entry.type), entry.how.replace("|", "\\|")
    return f"| {name} | {here} | {how} |".replace("|  |", "| |")


def rendered(page: str) -> str:
    return ROW.sub(row, page)


def test_the_page_of_foreign_blocks_holds_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(ROW.findall(page)) > 250
    assert page == rendered(page), "run: python tests/test_foreign_names.py"


@pytest.mark.parametrize(
    ("word", "first_hit"),
    [
        ("Lookup", "Lookup1D"), ("mux", "Mux"), ("From Workspace", "Table"), ("LTI_SS", "StateSpace"),
        ("limiter", "RateLimiter"), ("edge detection", "EdgeDetector"), ("sampled PID", "DiscretePID"),
        ("autopilot", "blockdyn/FlightCascade"), ("waypoints", "MinimumSnap"), ("mask", "Subsystem"),
    ],
)  # fmt: skip
def test_a_foreign_word_finds_blocks(word: str, first_hit: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocks", "--search", word, "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)
    assert first_hit in [hit["type"] for hit in hits[:3]]


def test_a_search_without_a_hit_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    main(["blocks", "--search", "Goto"])
    assert "signals" in capsys.readouterr().out
    main(["blocks", "--search", "banana"])
    assert "no block matches `banana`" in capsys.readouterr().out


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

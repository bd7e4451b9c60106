"""The API pages: what methods return has its entry, and the names in docstrings lead to entries."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from website.api import PAGES, classes, write
from website.named import target
from website.prose import restructured
from website.returned import members

ROOT = Path(__file__).parents[2]
ROOMS = ("analysis", "blocks", "diagrams", "gradients", "pages", "robots", "solvers", "sweeps")
MODULES = {file.stem for room in ROOMS for file in (ROOT / "src" / "blockdyn" / room).rglob("*.py")}
INTERNAL = {"deferred", "memory", "overrides", "prepared", "problem", "room", "table"}  # blockdyn calls them


def test_what_methods_return_has_an_entry_with_its_methods() -> None:
    d = bd.Diagram("loop", parameters={"k": 2.0})
    u, lag = d.add("u", bd.Inport(default=1.0)), d.add("lag", bd.TransferFunction([1.0], [1.0, 1.0]))
    gain = d.add("gain", bd.Gain(k=bd.expression("k")))
    d.connect(u - lag, gain)
    d.connect(gain, lag)
    d.connect(lag, d.add("y", bd.Outport()))
    result, model, program = d.simulate(stop=1.0), d.linearize("u", "y"), d.compile()
    sweep = d.sweep({"k": [1.0, 2.0]}, {"top": {"max": "lag"}}, stop=1.0)
    data = {"time": result.trace("lag").time, "lag": result.trace("lag").values}
    things: list[object] = [
        d, lag, d.wires[0], result, result.trace("lag"), result.provenance, program, program.states[0],
        model, model.margins(), model.damping()[0], model.step(),
        model.root_locus(), d.trim(), d.fit(data, {"k": 1.5}, stop=1.0), d.sensitivities(["k"], stop=1.0),
        d.gradient({"top": {"max": "lag"}}, ["k"], stop=1.0), sweep, sweep.run(progress=False),
    ]  # fmt: skip
    for kind in map(type, things):
        assert kind in classes()
        names = {name for base in kind.__mro__ for name in vars(base) if not name.startswith("_")}
        public = {name for name in names if callable(getattr(kind, name, None)) and ours(kind, name)}
        assert public - {*members(kind)} <= INTERNAL, kind


def ours(kind: type, name: str) -> bool:
    """Whether blockdyn defines it: a tuple has methods of its own."""
    owner = next(base for base in kind.__mro__ if name in vars(base))
    return owner.__module__.startswith("blockdyn")


def test_methods_of_bases_are_listed_once(tmp_path: Path) -> None:
    write(tmp_path / "api")
    text = (tmp_path / "api" / "blockdyn.md").read_text(encoding="utf-8")
    diagram = next(entry for entry in text.split("autoclass:: ") if entry.startswith("blockdyn.Diagram\n"))
    listed = re.findall(r"\w+", diagram.split(":members:")[1].split("\n")[0])
    assert {"add", "simulate", "linearize", "loop", "trim", "fit", "tune", "sweep", "live"} <= {*listed}
    assert len(listed) == len({*listed})


@pytest.mark.parametrize("kind", list(classes()), ids=lambda kind: kind.__name__)
def test_names_that_docstrings_of_classes_lead_to_have_entries(kind: type) -> None:
    leads_on(classes()[kind], kind)
    for name in members(kind):
        leads_on(f"{classes()[kind]}.{name}", getattr(kind, name))


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_names_that_docstrings_of_functions_lead_to_have_entries(page: Any) -> None:
    for name in page.module.__all__:
        if inspect.isfunction(getattr(page.module, name)):
            leads_on(f"{page.module.__name__}.{name}", getattr(page.module, name))


def leads_on(place: str, value: Any) -> None:
    """What its text says to see, and what it names in modules of blockdyn, is on the site."""
    text = " ".join((inspect.getdoc(value) or "").split())
    dotted = re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", text)
    inside = [name for name in dotted if name.split(".")[0] in MODULES]
    arguments = inspect.signature(value).parameters if inspect.isfunction(value) else {}
    for name in (*re.findall(r"\b[sS]ee `([^`]+)`", text), *inside):
        page = re.fullmatch(r"docs/[\w/-]+\.md", name)
        known = (ROOT / name).exists() if page else target(name, place, value) or name in arguments
        assert known, f"{place} says: see `{name}`"


def test_what_a_docstring_explains_name_by_name_is_a_list() -> None:
    lines: list[str] = [
        "Two numbers.", "", "gain    by which it grows", "        or shrinks",
        "phase   of `Result`, in degrees",
    ]  # fmt: skip
    assert restructured(lines, {"Result": "blockdyn.Result"}.get) == [
        "Two numbers.", "",
        "- ``gain``: by which it grows or shrinks",
        "- ``phase``: of :py:obj:`Result <blockdyn.Result>`, in degrees", "",
    ]  # fmt: skip

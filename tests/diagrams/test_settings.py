"""The settings of a run stand once: signatures, files, options, axes and documents have the same."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.cli.arguments import parse
from blockdyn.diagrams.compiler.program import Program
from blockdyn.diagrams.model.errors import RunArgumentError
from blockdyn.diagrams.model.settings import IN_FILES, NAMES, SETTINGS, Arguments, Settings
from blockdyn.diagrams.yaml.schema import json_schema
from blockdyn.solvers.methods import DEFAULT, METHODS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_types_for_editors_are_those_of_the_settings() -> None:
    types = {each.name: str(each.type).removesuffix(" | None") + " | None" for each in fields(Settings)}
    assert {name: each.__forward_arg__ for name, each in Arguments.__annotations__.items()} == types


@pytest.mark.parametrize("simulate", [bd.Diagram.simulate, Program.simulate])
def test_signatures_show_every_setting(simulate: Any) -> None:
    parameters = inspect.signature(simulate).parameters
    assert set(NAMES) <= set(parameters)
    assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in NAMES)


def test_every_setting_is_explained() -> None:
    text = bd.Diagram.simulate.__doc__ or ""
    for each in SETTINGS.values():
        assert re.search(rf"^ +{each.name} ", text, re.MULTILINE)
        assert each.default_text in " ".join(text.split())


def test_every_method_is_named() -> None:
    assert set(re.findall(r"\w+", SETTINGS["method"].about)) >= set(METHODS)
    assert SETTINGS["method"].default == DEFAULT


def test_files_and_the_command_line_have_the_same_settings() -> None:
    assert list(json_schema()["$defs"]["Simulate"]["properties"]) == list(IN_FILES)
    options = vars(parse(["run", "quadrotor"]))
    assert set(IN_FILES) <= set(options)


def test_the_table_of_the_documentation_is_that_of_the_settings() -> None:
    page = (DOCS / "yaml.md").read_text(encoding="utf-8")
    rows = [f"| `{s.name}` | {s.text} | {s.default_text} |" for s in map(SETTINGS.__getitem__, IN_FILES)]
    table = re.search(r"\| key of `simulate` .*\n\|[-|]+\n((?:\|.*\n)+)", page)
    assert table is not None
    assert table[1].splitlines() == rows


def test_settings_do_not_change() -> None:
    settings = Settings(stop=1.0)
    with pytest.raises(AttributeError):
        settings.stop = 2.0  # type: ignore[misc]
    assert replace(settings, stop=2.0).stop == 2.0


def diagram() -> bd.Diagram:
    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    return d


def test_a_diagram_refuses_settings_where_they_are_declared() -> None:
    d = diagram()
    with pytest.raises(RunArgumentError) as caught:
        d.settings(stop="soon", rtol=-1e-6, toll=3)  # type: ignore[arg-type,call-arg]
    assert [error.argument for error in caught.value.errors] == ["stop", "rtol", "toll"]
    assert d.simulation == {}


@pytest.mark.parametrize("name", ["stream", "scenario"])
def test_what_is_the_callers_to_say_is_no_setting_of_a_diagram(name: str) -> None:
    with pytest.raises(RunArgumentError, match=name):
        diagram().settings(**{name: 1})  # type: ignore[arg-type]


def test_none_takes_a_setting_back() -> None:
    d = diagram()
    d.settings(stop=1.0, method="rk4", step=0.1)
    d.settings(method=None, step=None)
    assert d.simulation == {"stop": 1.0}
    assert d.simulate().final("x") == pytest.approx(1.0)


def test_the_table_of_methods_is_that_of_the_registry() -> None:
    page = (DOCS / "execution-model.md").read_text(encoding="utf-8")
    rows = [
        f"| `{each.name}` | {', '.join(each.aliases)} | {each.kind} | {each.order} | {each.title} |"
        for each in METHODS.values()
    ]
    table = re.search(r"\| name \| also \| kind .*\n\|[-|]+\n((?:\|.*\n)+)", page)
    assert table is not None
    assert table[1].splitlines() == rows


def test_the_command_lists_every_method(capsys: pytest.CaptureFixture[str]) -> None:
    from blockdyn.cli import main

    assert main(["methods"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert [words[0] for words in lines[1:]] == list(METHODS)

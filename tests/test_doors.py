"""Doors: each leads to a body, becomes a plain method, and stands in the stub for type checkers."""

from __future__ import annotations

import ast
import inspect
import pydoc
from importlib import import_module
from pathlib import Path

import pytest

from blockdyn.base.door import body, door

SOURCE = Path(__file__).parents[1] / "src" / "blockdyn"
STUB = ast.parse((SOURCE / "doors.pyi").read_text(encoding="utf-8"))
FILES = [path for folder in (SOURCE, *(SOURCE / d for d in ("blocks", "diagrams", "solvers")))
         for path in sorted(folder.rglob("*.py"))]  # fmt: skip


def doors() -> list[tuple[str, str, str, str]]:
    """Module, class, name and place of every door."""
    return [
        (module_of(path), kind.name, line.targets[0].id, line.value.args[0].value)
        for path in FILES
        if ' = door("' in (text := path.read_text(encoding="utf-8"))
        for kind in ast.parse(text).body
        if isinstance(kind, ast.ClassDef)
        for line in ast.walk(kind)
        if isinstance(line, ast.Assign)
        and isinstance(line.value, ast.Call)
        and isinstance(line.value.func, ast.Name)
        and line.value.func.id == "door"
        and isinstance(line.targets[0], ast.Name)
        and isinstance(line.value.args[0], ast.Constant)
    ]


def module_of(path: Path) -> str:
    return ".".join(("blockdyn", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


DOORS = doors()


@pytest.mark.parametrize(("module", "kind", "name", "place"), DOORS, ids=[f"{d[1]}.{d[2]}" for d in DOORS])
def test_a_door_is_a_method_with_the_signature_and_docstring_of_its_body(
    module: str, kind: str, name: str, place: str
) -> None:
    owner = getattr(import_module(module), kind)
    method, behind = getattr(owner, name), body(place)
    if isinstance(behind, property):
        assert method is behind
        return
    assert inspect.isfunction(method)
    assert vars(owner)[name] is method  # the door is gone
    assert inspect.signature(method) == inspect.signature(behind)
    assert name.startswith("_") or inspect.getdoc(method)
    assert method.__doc__ == behind.__doc__


def test_the_stub_has_every_public_door_and_no_other() -> None:
    stated = {
        (kind.name, line.targets[0].id, ast.unparse(line.value).removeprefix("blockdyn."))
        for kind in STUB.body
        if isinstance(kind, ast.ClassDef)
        for line in kind.body
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)
    }
    properties = {
        (kind.name, line.name)
        for kind in STUB.body
        if isinstance(kind, ast.ClassDef)
        for line in kind.body
        if isinstance(line, ast.FunctionDef)
    }
    declared = {
        (kind, name, place.replace(":", "."))
        for _, kind, name, place in DOORS
        if not name.startswith("_") and (kind, name) not in properties
    }
    assert stated == declared


def test_a_door_opens_at_the_first_use() -> None:
    class Box:
        short = door("base.words:short")

    assert isinstance(vars(Box)["short"], door)
    box = Box()
    assert inspect.ismethod(box.short)
    assert inspect.isfunction(vars(Box)["short"])
    assert "short(self" not in pydoc.render_doc(Box)

"""Block types are found by name; packages add theirs through entry points, and a broken one harms nobody."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from blockdyn.base.plugins import PluginWarning
from blockdyn.blocks.contract import registry
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.diagrams.yaml import dumps, loads

CODE = "from blockdyn.blocks.contract.block import Block\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, as pip leaves them."""
    monkeypatch.syspath_prepend(tmp_path)
    registry._plugins.cache_clear()
    yield tmp_path
    registry._plugins.cache_clear()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def install(site: Path, package: str, module: str, code: str, *values: str) -> None:
    (site / f"{module}.py").write_text(code)
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"p{i} = {value}" for i, value in enumerate(values)]
    (info / "entry_points.txt").write_text("\n".join(["[blockdyn.blocks]", *lines, ""]))


def test_the_library_is_found_by_name() -> None:
    assert registry.block_type("Gain") is Gain
    assert registry.type_name(Gain) == "Gain"
    assert "Gain" in [kind.kind() for family in registry.families() for kind in family.types]
    assert {"sources", "mathematics", "continuous"} <= {family.name for family in registry.families()}
    assert all(family.doc for family in registry.families())


@pytest.mark.parametrize(("name", "near"), [("Gian", "Gain"), ("gain", "Gain"), ("integrator", "Integrator")])
def test_an_unknown_name_gets_the_nearest(name: str, near: str) -> None:
    with pytest.raises(registry.UnknownBlockType, match=f"did you mean `{near}`"):
        registry.block_type(name)


def test_packages_add_modules_and_classes(site: Path) -> None:
    imported = "from blockdyn.blocks.mathematics.gain import Gain\n"
    code = CODE + imported + "class Tank(Block): outputs = ()\nclass _Base(Block): outputs = ()\n"
    install(site, "process-blocks", "process_blocks", code, "process_blocks")
    install(site, "one-block", "one_block", CODE + "class Valve(Block): outputs = ()\n", "one_block:Valve")
    assert issubclass(registry.block_type("Tank"), Block)
    assert registry.block_type("process-blocks:Tank") is registry.block_type("Tank")
    assert registry.type_name(registry.block_type("Valve")) == "one-block:Valve"
    found = {
        family.package: [kind.kind() for kind in family.types]
        for family in registry.families()
        if family.package not in ("", "blockdyn")
    }
    assert found == {"process-blocks": ["Tank"], "one-block": ["Valve"]}


def test_of_two_equal_names_the_library_keeps_its_own(site: Path) -> None:
    install(site, "loud", "loud", CODE + "class Gain(Block): outputs = ()\n", "loud")
    assert registry.block_type("Gain") is Gain
    other = registry.block_type("loud:Gain")
    assert other is not Gain
    assert registry.type_name(other) == "loud:Gain"
    assert "loud:Gain" in registry.names()


def test_a_name_of_two_packages_has_to_say_which(site: Path) -> None:
    install(site, "north", "north", CODE + "class Tank(Block): outputs = ()\n", "north")
    install(site, "south", "south", CODE + "class Tank(Block): outputs = ()\n", "south")
    with pytest.raises(registry.UnknownBlockType, match="`north:Tank` or `south:Tank`"):
        registry.block_type("Tank")
    assert registry.block_type("south:Tank").__module__ == "south"


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("import no_such_library_at_all\n", "broken"),
        ("raise SystemExit(3)\n", "broken"),
        ("def (\n", "broken"),
        ("x = 1\n", "broken"),
        ("x = 1\n", "broken:x"),
        ("x = 1\n", "broken:missing"),
    ],
)
def test_a_broken_package_warns_by_name_and_harms_nobody(code: str, value: str, site: Path) -> None:
    install(site, "broken-blocks", "broken", code, value)
    install(site, "whole", "whole", CODE + "class Tank(Block): outputs = ()\n", "whole")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert registry.block_type("Gain") is Gain  # the library does not even look at packages
    with pytest.warns(PluginWarning, match="package broken-blocks"):
        assert registry.block_type("Tank").kind() == "Tank"


DECORATED = """\
import blockdyn as bd

@bd.block
def drag(v, c=0.2):
    '''Air drag.

        y = c v |v|
    '''
    return c * v * abs(v)

def helper(v):
    return v
"""


def test_a_decorated_function_is_a_block_of_its_package(site: Path) -> None:
    install(site, "air", "air", DECORATED, "air")
    kind = registry.block_type("drag")
    assert registry.type_name(kind) == "air:drag"
    assert [f.types for f in registry.families() if f.package == "air"] == [(kind,)]
    text = (
        "blockdyn: 1\nparameters: {rho: 1.2}\nblocks:\n  v: {type: Constant, value: -3}\n"
        "  a: {type: drag, c: =rho/4}\n  b: {type: 'air:drag'}\nwires: [v -> a, v -> b]\n"
    )
    diagram = loads(text)
    r = diagram.simulate(stop=1.0)
    assert (r.final("a"), r.final("b")) == (pytest.approx(-2.7), pytest.approx(-1.8))
    assert "air:drag" in dumps(diagram)
    assert loads(dumps(diagram)).simulate(stop=1.0, set={"b.c": 1.0}).final("b") == -9.0


def test_an_entry_point_may_name_one_decorated_function(site: Path) -> None:
    install(site, "one-law", "laws", DECORATED, "laws:drag")
    assert registry.block_type("drag").kind() == "drag"


def test_a_broken_package_warns_once_in_a_process(site: Path) -> None:
    install(site, "broken-blocks", "broken", "import no_such_library_at_all\n", "broken")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            registry.names()
            registry.families()
            with pytest.raises(registry.UnknownBlockType):
                registry.block_type("Tank")
    assert [warning.category for warning in told] == [PluginWarning]

"""Block classes in Python files as types of a diagram's file, for callers who trust it."""

import json
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml.errors import YamlError

VALVE = '''
import blockdyn as bd

class ReliefValve(bd.Block):
    """Opens in proportion above its set pressure."""

    inputs = (bd.Port("pressure", 1, "Pa"),)
    outputs = (bd.Port("flow", 1),)
    setting: bd.Real = bd.parameter(default=2.0, unit="Pa", dimensions=(0,))
    slope: bd.Real = bd.parameter(default=1.0, dimensions=(0,), above=0)

    @staticmethod
    def output(pressure: float, setting: float, slope: float) -> float:
        return slope * max(pressure - setting, 0.0)

@bd.block
def twice(u, k=2.0):
    return k * u

def plain(u):
    return u + 1.0

class Base(bd.Block):
    """What others derive from."""
    abstract = True
'''

DIAGRAM = """
blockdyn: 1
name: tank
parameters: {opening: 3.0}
blocks:
  source: {type: Constant, value: 5.0}
  valve: {type: "parts/valve.py:ReliefValve", slope: =opening}
  spare: {type: "parts/valve.py:ReliefValve", setting: 4.0}
  twice: {type: "parts/valve.py:twice", k: 10}
  added: {type: Function, function: "parts/valve.py:plain"}
wires:
  - source -> [valve, spare]
  - valve -> twice -> added
log: [valve, spare, twice, added]
"""


@pytest.fixture
def tank(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "valve.py").write_text(VALVE)
    (tmp_path / "tank.yaml").write_text(DIAGRAM)
    return tmp_path / "tank.yaml"


def finals(d: bd.Diagram) -> list[float]:
    r = d.simulate(stop=1.0)
    return [float(r.final(name)) for name in ("valve", "spare", "twice", "added")]


def test_a_class_in_a_file_is_a_block_type(tank: Path) -> None:
    d = bd.load(tank, trust="code")
    assert finals(d) == [9.0, 1.0, 90.0, 91.0]
    assert type(d.blocks["valve"]) is type(d.blocks["spare"])
    assert float(d.simulate(stop=1.0, parameters={"opening": 1.0}).final("valve")) == 3.0


@pytest.mark.parametrize("trust", [False, "files"])
def test_without_trust_no_code_is_run(tank: Path, trust: object) -> None:
    (tank.parent / "parts" / "valve.py").write_text("raise SystemExit")
    with pytest.raises(bd.BlockdynError, match="names Python code"):
        bd.load(tank, trust=trust)  # type: ignore[arg-type]
    with pytest.raises(YamlError):
        bd.load("blockdyn: 1\nblocks: {a: {type: 'valve:ReliefValve'}}\n", trust=trust)  # type: ignore[arg-type]


def test_what_is_saved_names_the_classes_of_its_files(tank: Path, tmp_path: Path) -> None:
    d = bd.load(tank, trust="code")
    (tmp_path / "elsewhere").mkdir()
    bd.dump(d, tmp_path / "elsewhere" / "copy.yaml")
    again = bd.load(tmp_path / "elsewhere" / "copy.yaml", trust="code")
    assert finals(again) == finals(d)


def test_a_module_that_is_installed_offers_its_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "valves_of_mine.py").write_text(VALVE)
    monkeypatch.syspath_prepend(str(tmp_path))
    valve = "v: {type: 'valves_of_mine:ReliefValve'}"
    text = f"blockdyn: 1\nblocks: {{a: {{type: Constant, value: 5}}, {valve}}}\nwires: [a -> v]\nlog: [v]\n"
    d = bd.load(text, trust="code")
    assert float(d.simulate(stop=1.0).final("v")) == 3.0
    assert "valves_of_mine:ReliefValve" in bd.dumps(d)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("parts/valve.py:ReliefValv", "ReliefValve"),
        ("parts/valve.py:plain", "type: Function"),
        ("parts/valve.py:Base", "abstract"),
        ("parts/valves.py:ReliefValve", "no file"),
        ("../valve.py:ReliefValve", "no file"),
    ],
)
def test_what_is_no_class_is_refused_at_its_line(tank: Path, written: str, says: str) -> None:
    tank.write_text(f"blockdyn: 1\nblocks:\n  v: {{type: '{written}'}}\n")
    with pytest.raises(YamlError, match=says) as caught:
        bd.load(tank, trust="code")
    assert caught.value.location is not None
    assert caught.value.location.line == 3


def test_a_parameter_that_the_class_lacks_is_refused_by_name(tank: Path) -> None:
    tank.write_text(DIAGRAM.replace("slope:", "slop:"))
    with pytest.raises(bd.BlockdynError, match="slope"):
        bd.load(tank, trust="code")


def test_the_schema_takes_the_class_of_a_file() -> None:
    from blockdyn.diagrams.yaml.schema import json_schema

    jsonschema = pytest.importorskip("jsonschema")
    document = {"blockdyn": 1, "blocks": {"v": {"type": "parts/valve.py:ReliefValve"}}}
    jsonschema.validate(document, json.loads(json.dumps(json_schema())))

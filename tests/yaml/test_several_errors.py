"""All that is wrong with a file is told at once, each thing with its line and column, and nothing besides."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model.errors import (
    BadParameter,
    DiagramError,
    MissingInput,
    SizeMismatch,
)
from blockdyn.diagrams.yaml import load, loads

MANY = """\
blockdyn: 1
parameters: {k: 2, bad: =nix, if: 3}
blocks:
  a: {type: Constnt, value: 1}
  b: {type: Gain, k: =k, q: 3}
  c: {type: Integrator, initial: yes}
  d: {type: Gain, k: =bad}
  e: {type: Gain, k: =unknown}
  f: {type: Gain, k: =unknown}
  two: {type: Constant, value: [1, 2]}
  three: {type: Constant, value: [1, 2, 3]}
  sum: {type: Sum}
  after: {type: Gain}
  titled: {type: Scope, title: 3}
wires:
  - a -> b -> c
  - two -> sum[0]
  - three -> sum[1]
  - sum -> after
  - aftr -> d
  - two.x -> e
log: [sum, nosuch]
simulate: {stop: x, methd: 3}
"""
TOLD = {
    ("UnknownName", 2, 25), ("BadName", 2, 35), ("YamlError", 4, 13), ("UnknownParameter", 5, 26),
    ("BadParameter", 6, 34), ("UnknownName", 8, 22), ("YamlError", 14, 32),
    ("SizeMismatch", 18, 5), ("UnknownBlock", 20, 5), ("UnknownPort", 21, 5), ("UnknownBlock", 22, 12),
    ("YamlError", 23, 18), ("YamlError", 23, 21),
}  # fmt: skip


def told(text: str) -> set[tuple[str, int | None, int | None]]:
    """Type, line and column of every error of a file."""
    try:
        loads(text).compile()
    except DiagramError as caught:
        error = caught
    else:
        return set()
    errors = error.errors
    assert all(str(each) in str(error) for each in errors)
    assert len({str(each) for each in errors}) == len(errors)
    return {(type(error).__name__, error.line, error.column) for error in errors}


def test_mistakes_of_every_kind_are_told_together_and_none_twice() -> None:
    assert told(MANY) == TOLD


def test_they_come_in_the_order_of_the_file_and_the_first_gives_the_place() -> None:
    with pytest.raises(DiagramError, match=r"^13 errors:\n\n<text>:2:25: ") as caught:
        loads(MANY)
    lines = [error.line or 0 for error in caught.value.errors]
    assert lines == sorted(lines)
    assert (caught.value.line, caught.value.column) == (2, 25)


SOUND = """\
blockdyn: 1
parameters: {k: 2, h: =k/2}
blocks:
  one: {type: Constant, value: 1}
  law: {type: Gain, k: =k}
  plant:
    type: Subsystem
    parameters: {m: =h}
    diagram:
      parameters: {m: 1}
      blocks:
        force: {type: Inport}
        speed: {type: Integrator, initial: 0}
        inside: {type: Gain, k: =m}
        v: {type: Outport}
      wires:
        - force -> inside -> speed -> v
  sum: {type: Sum, signs: "+-"}
  scope: {type: Scope, labels: [v]}
  loose: {type: Gain}
signals: {speed: plant.v}
wires:
  - one -> sum[0]
  - speed -> sum[1]
  - sum -> law -> plant
  - speed -> scope
  - one -> loose
log: [speed, plant/inside]
simulate: {stop: 1, method: bs32}
"""
MISTAKES = [
    ("{k: 2, h", "{k: two, h"),
    ("=k/2", "=k/"),
    ("=k/2", "=kk/2"),
    ("type: Constant", "type: Constante"),
    ("value: 1", "valu: 1"),
    ("value: 1", "value: [[1], [1, 2]]"),
    ("law: {type: Gain, k: =k}", "law: {type: Gain, k: =q}"),
    ("law: {type: Gain, k: =k}", "law: 5"),
    ("parameters: {m: =h}", "parameters: {n: =h}"),
    ("parameters: {m: =h}", "parameters: {m: =z}"),
    ("initial: 0", "initial: no"),
    ("k: =m", "k: =n"),
    ("force: {type: Inport}", "force: {type: Import}"),
    ("-> speed -> v", "-> sped -> v"),
    ('signs: "+-"', 'signs: "+x"'),
    ("labels: [v]", "labels: [2]"),
    ("plant.v", "plant.w"),
    ("one -> sum[0]", "ohne -> sum[0]"),
    ("speed -> sum[1]", "speed -> sum[0]"),
    ("-> law -> plant", "-> law.u -> plant"),
    ("- one -> loose", "- one -> [loose.x]"),
    ("speed -> scope", "speed -> scop"),
    ("  - one -> loose\n", ""),
    ("plant/inside", "plant/outside"),
    ("stop: 1", "stop: -1"),
    ("bs32", "bs33"),
    ("simulate", "simulation"),
    ("log: [speed", "log: [7"),
    ("blockdyn: 1\n", ""),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_one_mistake_is_one_error(number: int) -> None:
    before, after = MISTAKES[number]
    assert SOUND.count(before) >= 1
    assert told(SOUND) == set()
    assert len(told(SOUND.replace(before, after, 1))) == 1


def test_of_two_mistakes_nothing_is_told_that_neither_has_alone() -> None:
    alone = [told(SOUND.replace(*mistake, 1)) for mistake in MISTAKES]
    both = 0
    pairs = [pair for pair in combinations(range(len(MISTAKES)), 2) if separate(*pair)]
    for i, j in pairs:
        found = told(SOUND.replace(*MISTAKES[i], 1).replace(*MISTAKES[j], 1))
        kinds = {kind for kind, _, _ in found}
        assert len(found) in (1, 2), (MISTAKES[i], MISTAKES[j], found)
        assert kinds <= {kind for kind, _, _ in alone[i] | alone[j]}, (MISTAKES[i], MISTAKES[j])
        both += len(found) == 2
    assert both > 0.8 * len(
        pairs
    )  # the others hide one another: a block with one error is not looked at again


def separate(i: int, j: int) -> bool:
    """Whether two mistakes stand in different pieces of the file."""
    (a, _), (b, _) = MISTAKES[i], MISTAKES[j]
    lines = [
        {SOUND[: SOUND.index(text)].count("\n") + k for k in range(text.count("\n") + 1)} for text in (a, b)
    ]
    return lines[0].isdisjoint(lines[1])


def test_the_errors_of_a_subsystems_file_are_among_them_each_once(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        "blockdyn: 1\nblocks:\n  u: {type: Inport}\n  g: {type: Gian}\n  y: {type: Outport}\n"
        "wires: [u -> g -> y]\n"
    )
    (tmp_path / "outer.yaml").write_text(
        "blockdyn: 1\nblocks:\n  one: {type: Constant, value: x}\n  a: {type: Subsystem, file: inner.yaml}\n"
        "  b: {type: Subsystem, file: inner.yaml}\nwires: [one -> a, a -> b, b -> nowhere]\n"
    )
    with pytest.raises(DiagramError) as caught:
        load(tmp_path / "outer.yaml")
    places = {(Path(error.file or "").name, error.line) for error in caught.value.errors}
    assert places == {("outer.yaml", 3), ("inner.yaml", 4), ("outer.yaml", 6)}
    assert len(caught.value.errors) == 3


def test_a_diagram_made_in_python_tells_all_its_errors_with_their_lines() -> None:
    d = bd.Diagram()
    two, three = d.add("two", bd.Constant([1.0, 2.0])), d.add("three", bd.Constant([1.0, 2.0, 3.0]))
    total = d.add("total", bd.Sum())
    d.connect(two, total[0])
    d.connect(three, total[1])
    d.add("open", bd.Gain(k=bd.expression("nothing")))
    d.add("bare", bd.Gain())
    d.log("total", "nosuch")
    with pytest.raises(DiagramError) as caught:
        d.compile()
    kinds = {type(error).__name__: error for error in caught.value.errors}
    assert set(kinds) == {"SizeMismatch", "UnknownName", "MissingInput", "UnknownBlock"}
    assert all(error.file == __file__ and error.line for error in caught.value.errors)
    with pytest.raises(BlockdynError, match="4 errors"):
        d.simulate(stop=1.0)


def test_one_error_is_itself() -> None:
    d = bd.Diagram()
    d.add("g", bd.Gain())
    with pytest.raises(MissingInput):
        d.compile()
    with pytest.raises(BadParameter):
        loads("blockdyn: 1\nblocks: {a: {type: Gain, k: x}}\n")


def test_two_mismatches_that_do_not_depend_on_one_another_are_two_errors() -> None:
    d = bd.Diagram()
    two, three = d.add("two", bd.Constant([1.0, 2.0])), d.add("three", bd.Constant([1.0, 2.0, 3.0]))
    for name in ("a", "b"):
        total = d.add(name, bd.Sum())
        d.connect(two, total[0])
        d.connect(three, total[1])
        d.connect(total, d.add(f"{name}_after", bd.Gain(k=[1.0, 2.0])))
    with pytest.raises(DiagramError) as caught:
        d.compile()
    assert [type(error) for error in caught.value.errors] == [SizeMismatch, SizeMismatch]


def test_a_file_with_hundreds_of_mistakes_shows_the_first_twenty() -> None:
    blocks = "".join(f"  b{i}: {{type: Nothing{i}}}\n" for i in range(500))
    with pytest.raises(DiagramError, match=r"^the first 20 errors:") as caught:
        loads(f"blockdyn: 1\nblocks:\n{blocks}")
    assert [error.line for error in caught.value.errors] == list(range(3, 23))

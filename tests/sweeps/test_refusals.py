"""What is wrong with a sweep is said before anything runs: where, what was found, what was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.errors import DiagramError, RunArgumentError
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import YamlError
from blockdyn.sweeps.errors import (
    SweepError,
    UnknownPath,
)
from blockdyn.sweeps.sweep import Sweep

HEAD = """\
blockdyn: 1
parameters: {kp: 2.0, gains: [1, 2, 3]}
blocks:
  pid:  {type: PID, kp: =kp, ki: 1.0}
  x:    {type: Integrator, initial: [1, 2, 3]}
  hold: {type: ZeroOrderHold, sample_time: 0.1}
  sub:
    type: Subsystem
    diagram:
      parameters: {mass: 1.0}
      blocks: {m: {type: Constant, value: =mass}, y: {type: Outport}}
      wires: [m -> y]
  c:    {type: Constant, value: [0, 0, 0]}
  arm:  {type: Gravload, robot: puma560}
  q:    {type: Constant, value: [0, 0, 0, 0, 0, 0]}
  sum:  {type: Sum, signs: "+"}
wires:
  - sub -> [pid, hold, sum]
  - c -> x
  - q -> arm
simulate: {stop: 1.0}
sweep:
"""
LINE = HEAD.count("\n")


def refusal(section: str, kind: type[BlockdynError] = DiagramError) -> Any:
    """The error of a sweep section; its lines count from 1."""
    with pytest.raises(kind) as caught:
        Sweep(loads(HEAD + "".join(f"  {line}\n" for line in section.splitlines())))
    return caught.value


def where(error: DiagramError) -> tuple[int, int]:
    assert error.line is not None
    assert error.column is not None
    return error.line - LINE, error.column


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("pdi.kp", "did you mean `pid`"),
        ("pid.kP_", "did you mean `kp`"),
        ("pid.gain", "pid has no parameter and no state `gain`"),
        ("kpp", "did you mean `kp`"),
        ("pid", "is a block, and not a parameter"),
        ("sub.mas", "did you mean `mass`"),
        ("sub/mm.value", "did you mean `sub/m`"),
        ("sub/m.valu", "did you mean `value`"),
        ("x.y", "no parameter and no state `y`"),
        ("arm.robot.paylod.mass", "did you mean `payload`"),
        ("arm.robot.payload.mas", "did you mean `mass`"),
        ("arm.robot.links.link7.mass", "did you mean `link"),
        ("arm.robot.links.link2.mas", "did you mean `mass`"),
        ("arm.robot.links.link2", "a number, such as `links.link2.mass`"),
        ("arm.robot.links", "a number, such as"),
        ("arm.robot.joints.joint1.friction", "no `friction`"),
        ("arm.robot.payload.mass[0]", "is one value"),
        ("arm.robot.links.link2.inertia.xw", "no `xw`"),
        ("arm.robot[0]", "has no elements"),
        ("arm.robot.file", "has no `file`"),
        ("simulate.rtoll", "did you mean `rtol`"),
        ("simulate.every", "no setting `simulate.every`"),
        ("simulate", "no setting `simulate`"),
        ("pid.kp.", "is not a path"),
        ("pid..kp", "is not a path"),
        ("", "expected: a path"),
        ("a b", "is not a path"),
        ("sum.signs[0]", "an option, which changes as a whole"),
        ("pid.kp.more", "only an index can follow a number"),
    ],
)
def test_unknown_paths_are_named_with_the_nearest(path: str, said: str) -> None:
    error = refusal(f'axes:\n  "{path}": [1, 2]', SweepError)
    assert said in str(error)
    assert where(error) == (2, 5)
    assert isinstance(error, UnknownPath) or not path


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("pid.kp[0]", "it is one number"),
        ("gains[3]", "it is 3 numbers\nexpected: 1 index, 0 to 2"),
        ("gains[0,0]", "it is 3 numbers"),
        ("x.initial[7]", "0 to 2"),
        ("x.x[3]", "0 to 2"),
    ],
)
def test_elements_that_are_not_there(path: str, said: str) -> None:
    error = refusal(f"axes:\n  {path}: [1, 2]", SweepError)
    assert said in str(error)
    assert where(error) == (2, 5)


@pytest.mark.parametrize(
    ("axis", "said"),
    [
        ("kp: []", "it has no values"),
        ("kp: 3", "for one value, [3]"),
        ("kp: fast", "expected: a list of values"),
        ("kp: {}", "it has no values"),
        ("kp: {paths: [kp]}", "it has no values"),
        ("kp: {linspace: [0, 1, 2], count: 3}", "both `linspace` and `count`"),
        ("kp: {linspace: [0, 1]}", "[first, last, how many]"),
        ("kp: {linspace: [0, 1, 0]}", "a whole number from 1"),
        ("kp: {linspace: [0, 1, 2.5]}", "a whole number from 1"),
        ("kp: {linspace: [0, .inf, 2]}", "finite ends"),
        ("kp: {linspace: [0, 1, 1e12]}", "a whole number from 1 to 10000000"),
        ("kp: {logspace: [0, 1, 2]}", "neither of them 0"),
        ("kp: {logspace: [-1, 1, 2]}", "ends of one sign"),
        ("kp: {count: 0}", "`count` is 0"),
        ("kp: {count: many}", "`count` is 'many'"),
        ("kp: [1, null]", "value 1 is nothing"),
        ("kp: [.nan]", "value 0 is not a number"),
        ("kp: [9007199254740993]", "2^53"),
        ("kp: [1, two]", "a number, a list of numbers, or an expression"),
        ('kp: ["=kp +"]', "kp +"),
        ("gains[0]: [[1, 2]]", "it goes to one element"),
        ("hold.sample_time: [0.1, 0]", "greater than zero"),
        ("hold.sample_time: {linspace: [-1, 1, 11]}", "greater than zero"),
        ("x.x: [1, 2]", "an axis for an element: `x.x[0]`"),
        ("simulate.method: [rk5]", "one of"),
        ("simulate.rtol: [0]", "positive"),
        ("simulate.seed: [0.5]", "a whole number, zero or greater"),
        ("arm.robot: [puma561]", "did you mean `puma560`"),
        ("arm.robot.payload.mass: [1, -1]", "at least 0 kg"),
        ("arm.robot.payload.at[0]: [1]", "no `mass`"),
        ("arm.robot.perturb.fraction: [0.1]", "no `seed`"),
        ("arm.robot.gravity: [[0, 0]]", "3 finite numbers"),
        ("sum.signs: [3]", "is not a valid value"),
        ("m: {paths: kp, values: [1]}", "a list of paths"),
        ("m: {paths: [kp, kp], values: [1]}", "`kp` twice"),
        ("m: {paths: [kp, 3], values: [1]}", "paths as text"),
        ("sample: {paths: [kp], values: [1]}", "the name of a dimension"),
        ("m: [1, 2]", "no parameter of the diagram `m`"),
    ],
)
def test_axes_that_cannot_be(axis: str, said: str) -> None:
    error = refusal(f"axes:\n  {axis}", SweepError)
    assert said in str(error)
    assert where(error)[0] == 2


@pytest.mark.parametrize(
    ("section", "at", "said"),
    [
        ("number: 4\naxes:\n  kp: {normal: {mean: 1, sd: -1}}", (3, 18), "`sd` is -1"),
        ("number: 4\naxes:\n  kp: {uniform: {low: 2, high: 1}}", (3, 19), "low below high"),
        ("number: 4\naxes:\n  kp: {normal: 3}", (3, 18), "a mapping of mean, sd"),
        ("number: 4\naxes:\n  kp: {normal: {mean: 1}}", (3, 18), "no `sd`"),
    ],
)
def test_distributions_at_their_place(section: str, at: tuple[int, int], said: str) -> None:
    error = refusal(section, SweepError)
    assert said in str(error)
    assert where(error) == at


@pytest.mark.parametrize(
    ("section", "kind", "line", "said"),
    [
        ("axes: {kp: {normal: {mean: 1, sd: 1}}}", SweepError, 1, "`number` is missing"),
        ("number: 10\naxes: {kp: [1]}", SweepError, 1, "no axis has a distribution"),
        (
            "axes: {kp: [1, 2], 'gains[0]': [1]}\nzip: [[kp, 'gains[0]']]",
            SweepError, 1, "1 values, and `kp` 2",
        ),
        ("axes: {kp: [1, 2]}\nzip: [[kp, gains]]", SweepError, 2, "`gains`, which is not an axis"),
        ("axes: {kp: [1, 2]}\nzip: [[kp, kp]]", SweepError, 2, "twice"),
        ("axes: {kp: [1, 2]}\nzip: [[]]", SweepError, 2, "empty group"),
        ("axes: {kp: [1], gains: [[1, 2, 3]]}\nzip: [[kp], [gains, kp]]", SweepError, 2, "axis `kp` twice"),
        (
            "number: 4\naxes: {kp: {normal: {mean: 1, sd: 1}}, 'gains[0]': [1]}\nzip: [[kp, 'gains[0]']]",
            SweepError, 3, "drawn from a distribution",
        ),
        ("axes: {kp: [1], m: {paths: [kp], values: [1]}}", SweepError, 1, "which axis `kp` has too"),
        ("axes: {'pid.kp': [1], ' pid.kp': [1]}", SweepError, 1, "also the target `pid.kp` of axis `pid.kp`"),
        ("axes: {kp: {count: 100000}, 'gains[0]': {count: 100000}}", SweepError, 1, "at most 1000000000"),
        ("axes: {arm.robot: {normal: {mean: 0, sd: 1}}}\nnumber: 2", SweepError, 1, "a list of values"),
        ("axes: {simulate.method: {uniform: {low: 0, high: 1}}}\nnumber: 2", SweepError, 1, "structure"),
        ("axes: {arm.robot.parameters.n: {count: 200}}", SweepError, 1, "at most 100 different"),
        ("axes: {kp: [1]}\nkeep: {worst: 3}", SweepError, 2, "no `by`"),
        ("axes: {kp: [1]}\nmeasures: {a: {max: hold}}\nkeep:"
" {worst: 3, by: b}", SweepError, 3, "not a measure"),
        ("axes: {kp: [1]}\nkeep: {signals: [c]}", SweepError, 2, "`every` is missing"),
        ("axes: {kp: [1]}\nkeep:\n  every: 1\n  signals:\n  - c\n  - hlod", DiagramError, 6, "`hold`"),
        ("axes: {kp: [1]}\nkeep: {every: 1, signals: [c.z]}", DiagramError, 2, "c.z"),
    ],
)  # fmt: skip
def test_sweeps_that_cannot_be(section: str, kind: type[DiagramError], line: int, said: str) -> None:
    error = refusal(section, kind)
    assert said in str(error)
    assert where(error)[0] == line


@pytest.mark.parametrize(
    ("section", "kind", "at", "said"),
    [
        ("nmber: 4", YamlError, (1, 3), "did you mean `number`"),
        ("axes: {kp: {normall: {mean: 1}}}", YamlError, (1, 15), "did you mean `normal`"),
        ("axes: {kp: {normal: {mena: 1}}}", YamlError, (1, 24), "did you mean `mean`"),
        ("sampling: sobl", YamlError, (1, 13), "sobol"),
        ("number: ten", YamlError, (1, 11), "a whole number"),
        ("number: 0", YamlError, (1, 11), "1 or greater"),
        ("seed: -1", YamlError, (1, 9), "zero or greater"),
        ("zip: [gains]", YamlError, (1, 9), "a list"),
        ("axes: [kp]", YamlError, (1, 9), "a mapping"),
        ("keep: {signal: [a]}", YamlError, (1, 10), "did you mean `signals`"),
        ("common_random_numbers: 1", YamlError, (1, 26), "true or false"),
        ("chunk: 0", YamlError, (1, 10), "1 or greater"),
        ("measures: [a]", YamlError, (1, 13), "a mapping"),
    ],
)
def test_keys_of_the_section_are_checked_when_it_is_read(
    section: str, kind: type[YamlError], at: tuple[int, int], said: str
) -> None:
    error = refusal(section, kind)
    assert said in str(error)
    assert where(error) == at


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"axes": {"kp": 3}}, "[3]"),
        ({"axes": [1]}, "a mapping of paths to values"),
        ({"axes": np.zeros(3)}, "a mapping of paths to values"),
        ({"axes": {"kp": [1]}, "set": [1]}, "a mapping of paths to values"),
        ({"axes": {"kp": [1]}, "sampling": np.zeros(3)}, "latin-hypercube"),
        ({"axes": {"kp": [1]}, "keep": np.zeros(3)}, "`keep` is [0.0, 0.0, 0.0]"),
        ({"axes": {3: [1]}}, "the axis 3"),
        ({"axes": {"kp": {"normall": {}}}}, "did you mean `normal`"),
        ({"axes": {"kp": [1]}, "zip": "kp"}, "groups of axes"),
        ({"axes": {"kp": [1]}, "zip": ["kp"]}, "groups of axes"),
        ({"axes": {"kp": [1]}, "seed": -1}, "`seed` is -1"),
        ({"axes": {"kp": [1]}, "chunk": 0.5}, "`chunk` is 0.5"),
        ({"axes": {"kp": [1]}, "sampling": "lhs"}, "latin-hypercube"),
        ({"axes": {"kp": [1]}, "measures": [1]}, "a mapping: measures"),
        ({"axes": {"kp": [1]}, "common_random_numbers": 1}, "true or false"),
        ({"axes": {"kp": [1]}, "stopp": 1}, "did you mean `stop`"),
        ({"axes": {"kp": [1]}, "initial": {}}, "an axis over the state"),
        ({"axes": {"kp": {"uniform": {"low": 0, "high": 1}}}, "number": 2.5}, "`number` is 2.5"),
        ({"file": 3}, "the file of scenarios `3`"),
        ({"axes": {"kp": [1]}, "keep": "all"}, "`keep` is 'all'"),
        ({"axes": {"kp": [1]}, "keep": {"evry": 1}}, "did you mean `every`"),
        ({"axes": {"kp": [1]}, "keep": {"signals": "c", "every": 1}}, "the signals to keep, or all"),
        ({"axes": {"kp": [1]}, "keep": {"every": 0}}, "`every` is 0"),
        ({"axes": {"kp": [1]}, "keep": {"worst": 0, "by": "a"}}, "1 or greater"),
    ],
)
def test_python_is_told_the_same_with_its_own_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SweepError) as caught:
        Sweep(loads(HEAD.removesuffix("sweep:\n")), **given)
    assert said in str(caught.value)
    assert caught.value.file == __file__


def test_a_sweep_of_something_else_than_a_diagram() -> None:
    with pytest.raises(SweepError, match=r"Sweep\.load"):
        Sweep("quadrotor", {"kp": [1]})  # type: ignore[arg-type]


def test_what_is_wrong_with_the_diagram_is_said_as_always() -> None:
    diagram = Diagram("empty", {"k": 1.0})
    with pytest.raises(DiagramError):
        Sweep(diagram, {"k": [1]}, stop=1.0).simulate(0)


def test_a_sweep_without_an_end_is_refused_before_it_runs() -> None:
    diagram = Diagram("plain", {"k": 1.0})
    with pytest.raises(RunArgumentError, match=r"stop.*\n*.*Sweep\(\.\.\., stop=10\)"):
        Sweep(diagram, {"k": [1]})


def test_a_file_without_a_sweep_says_so() -> None:
    with pytest.raises(SweepError, match="declares no sweep"):
        Sweep.load("quadrotor")

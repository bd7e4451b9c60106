"""Errors name the thing that is wrong: the port and the parameter, the reason, what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model import errors as e
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.errors import YamlSyntaxError
from blockdyn.solvers.methods import METHODS

SIZES = """\
blockdyn: 1
blocks:
  two: {type: Constant, value: [1, 2]}
  three: {type: Constant, value: [1, 2, 3]}
  end: {type: BLOCK}
wires:
  - two -> end[0]
  - three -> end[1]
simulate: {stop: 1}
"""


def test_inputs_of_two_sizes_are_told_with_their_sources() -> None:
    with pytest.raises(e.SizeMismatch) as caught:
        loads(SIZES.replace("BLOCK", "Sum")).check()
    assert caught.value.line == 8
    assert "end do not fit: u0 is vector 2 (from two.y), u1 is vector 3 (from three.y)" in str(caught.value)


def test_an_input_and_a_parameter_of_two_sizes_are_told_apart() -> None:
    text = SIZES.replace("BLOCK", "Integrator, initial: [0, 0, 0]").replace("  - three -> end[1]\n", "")
    with pytest.raises(e.SizeMismatch) as caught:
        loads(text).check()
    assert caught.value.line == 7
    assert "end do not fit: u is vector 2 (from two.y), initial is vector 3" in str(caught.value)


@pytest.mark.parametrize("name", ["pi", "inf", "if"])
def test_a_name_that_means_something_else_needs_another_one(name: str) -> None:
    with pytest.raises(e.BadName, match="expected: another name"):
        bd.Diagram(parameters={name: 1.0})


@pytest.mark.parametrize(
    ("make", "first"),
    [
        (
            lambda: bd.Expression("foo(u)"),
            "Expression.formula is 'foo(u)': `foo` in `foo(u)` is not a function",
        ),
        (lambda: bd.FKine("puma5600"), "FKine.robot is 'puma5600': there is no robot `puma5600`"),
        (lambda: bd.FKine("puma560", of="hand"), "FKine.of is 'hand': "),
    ],
)
def test_the_reason_stands_beside_what_was_found(make, first: str) -> None:
    with pytest.raises(BlockdynError) as caught:
        make()
    assert str(caught.value).startswith(first)


def test_a_parameter_that_a_block_has_not_is_told_with_those_it_has() -> None:
    for attempt in (
        lambda: bd.PID(kpp=1.0),
        lambda: bd.PID().with_parameters(kpp=1.0),
    ):
        with pytest.raises(BlockdynError) as caught:
            attempt()
        first, second = str(caught.value).split("\n")
        assert first == "PID has no parameter `kpp`, did you mean `kp`?"
        assert set(bd.PID.rules()) == set(second.removeprefix("expected one of: ").split(", "))
    with pytest.raises(BlockdynError, match="`kI`, did you mean `ki`"):
        bd.PID(kI=1.0)


def test_a_run_without_end_is_told_all_ways_to_give_one() -> None:
    d = loads("blockdyn: 1\nblocks: {c: {type: Constant}}\n")
    with pytest.raises(e.RunArgumentError) as caught:
        d.simulate()
    assert all(way in str(caught.value) for way in ("simulate(stop=10)", "--stop 10", "simulate: {stop: 10}"))


@pytest.mark.parametrize(("wire", "side"), [("c ->", "after"), ("-> c", "before"), ("c -> -> c", "after")])
def test_an_arrow_without_an_end(wire: str, side: str) -> None:
    text = f"blockdyn: 1\nblocks: {{c: {{type: Gain}}}}\nwires: ['{wire}']\n"
    with pytest.raises(YamlSyntaxError, match=f"`{wire}` has no end {side} an arrow") as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (3, 9)


def test_a_file_of_quite_another_name_is_not_proposed(tmp_path: Path) -> None:
    (tmp_path / "pendulum.yaml").write_text("blockdyn: 1\nblocks: {c: {type: Constant}}\n")
    with pytest.raises(e.DiagramError) as caught:
        bd.load(tmp_path / "motor.yaml")
    assert "did you mean" not in str(caught.value)


def test_a_result_that_is_not_there_is_told_what_a_reader_can_do(tmp_path: Path) -> None:
    with pytest.raises(BlockdynError) as caught:
        bd.load_result(tmp_path / "nope.nc")
    assert "check its name" in str(caught.value)
    assert "make the folder" not in str(caught.value)


def test_a_diagram_without_a_name_is_the_diagram() -> None:
    d = bd.Diagram(parameters={"gain": 1.0})
    d.add("c", bd.Constant(1.0))
    with pytest.raises(e.UnknownParameter, match=r"^the diagram has no parameter `k`"):
        d.simulate(stop=1, parameters={"k": 3.0})


def test_both_ways_to_a_wrong_method_list_the_same_ones() -> None:
    d = loads("blockdyn: 1\nblocks: {c: {type: Constant}}\n")
    with pytest.raises(BlockdynError) as by_argument:
        d.simulate(stop=1, method="nothing")
    with pytest.raises(BlockdynError) as by_file:
        loads("blockdyn: 1\nblocks: {c: {type: Constant}}\nsimulate: {stop: 1, method: nothing}\n")
    told, written = (str(caught.value).split("one of ")[1] for caught in (by_argument, by_file))
    assert told == written
    assert {*METHODS, "rk45", "rk23", "qndf", "radau"} == set(told.split(", "))


def test_a_function_that_raises_is_told_what_to_do() -> None:
    def wrong(u: float) -> float:
        raise ValueError("never")

    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("f", bd.Function(wrong)))
    with pytest.raises(e.BlockFailed) as caught:
        d.simulate(stop=1)
    found, expected, remedy, inputs = str(caught.value).split("\n")
    assert "the function of f raised ValueError" in found
    assert expected.startswith("expected: ")
    assert "correct" in remedy
    assert inputs == "its inputs: u: scalar"

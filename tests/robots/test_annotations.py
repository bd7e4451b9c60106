"""Every public function of robots refuses what the annotations of its signature exclude."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_origin

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import functions, inverse, lie, load, modern_robotics, planning, trajectories

PUMA = load("puma560")
JOINTS, POSE = [0.1] * 6, np.eye(4)
RIGHT: dict[str, Any] = {  # the rest is 1.0
    "robot": "puma560", "q": JOINTS, "qd": JOINTS, "qdd": JOINTS, "tau": JOINTS, "wrench": JOINTS,
    "v": JOINTS,
    "T": POSE, "T0": POSE, "T1": POSE, "A": POSE, "B": POSE, "R": np.eye(3), "M": np.eye(3), "J": np.eye(6),
    "poses": [POSE], "Je": np.eye(6)[:1], "link": "link3", "text": "Rz(q1)", "points": [[0.0], [1.0]],
    "axis": [0, 0, 1], "p": [1, 0, 0, 0], "point": [0, 0, 0], "name": "joint1", "seed": 1, "fraction": 0.1,
    "file": "flight.csv", "start": [0, 0, 0], "goal": [1, 0, 0], "starts": [0, 0, 0], "goals": [1, 0, 0],
    "map": planning.OccupancyMap([[0]]), "path": planning.dubins([0, 0, 0], [4, 0, 0], radius=1.0),
}  # fmt: skip
WRONG: dict[Any, tuple[Any, ...]] = {
    bool: (0, 1, 1.0, "no", "none", [0, 0, 0], [], None, {}, np.zeros(3)),
    str: (3, 1.5, True, None, [], ["tool"], {}, b"tool", np.zeros(2)),
    float: ("1", True, np.True_, None, [], [1.0, 2.0], {}, 1j),
    int: (1.5, "1", True, np.False_, None, [], {}),
    Literal: ("nonsense", "", 3, True, None, [], ["world"], {}, np.zeros(2)),
}  # fmt: skip
HELD = (
    "__init__",
    "table",
    "dh",
    "payload",
    "perturb",
    "link",
    "joint",
    "with_tool",
    "with_link",
    "with_joint",
)


def public() -> Iterator[Callable[..., Any]]:
    for module in (functions, inverse, trajectories, planning, lie, modern_robotics):
        yield from (thing for name in module.__all__ if inspect.isfunction(thing := getattr(module, name)))
    yield from (getattr(PUMA, name) for name in HELD if name != "__init__")


def cases() -> Iterator[Any]:
    """Each argument of each function whose annotation is a flag, a word, text or a number by itself."""
    for function in public():
        inner: Any = inspect.unwrap(getattr(function, "__func__", function))
        for name in inspect.signature(function).parameters:
            text = inner.__annotations__.get(name, "Any")
            hint = {"bool": bool, "str": str, "float": float, "int": int}.get(text)
            hint = hint or inner.__globals__.get(text, Literal["x"] if text.startswith("Literal") else Any)
            kind = Literal if get_origin(hint) is Literal else hint
            if kind in WRONG:
                wrong = [value for value in WRONG[kind] if value is not None or "None" not in text]
                yield pytest.param(function, name, wrong, id=f"{function.__name__}-{name}")


@pytest.mark.parametrize(("function", "name", "wrong"), list(cases()))
def test_an_argument_that_its_annotation_excludes(
    function: Callable[..., Any], name: str, wrong: list[Any]
) -> None:
    parameters = inspect.signature(function).parameters.values()
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    needed = {p.name: RIGHT.get(p.name, 1.0) for p in parameters if p.default is p.empty and p.kind in plain}
    for value in wrong:
        with pytest.raises(bd.BlockdynError, match=name):
            function(**needed | {name: value})


def test_there_are_flags_words_and_numbers_to_check() -> None:
    found = [case.id for case in cases()]
    assert {
        "rne-gravity",
        "accel-method",
        "jacobian-frame",
        "ikine-limits",
        "rpy-order",
        "velocity_jacobian-same_body",
    } <= set(found)
    assert len(found) > 100


def test_numbers_of_numpy_are_numbers() -> None:
    on, off = np.True_, np.False_
    rest = [0.0] * 6
    with_weight = functions.rne("puma560", JOINTS, rest, rest, gravity=on)
    np.testing.assert_array_equal(with_weight, functions.rne("puma560", JOINTS, rest, rest))
    np.testing.assert_array_equal(functions.rne("puma560", JOINTS, rest, rest, gravity=off), rest)
    np.testing.assert_array_equal(lie.rotx(np.float32(0.5)), lie.rotx(0.5))
    np.testing.assert_array_equal(lie.rotx(np.array(0.5)), lie.rotx(0.5))


@pytest.mark.parametrize(
    "call",
    [
        lambda: lie.exp3(["0.1", "0.2", "0.3"]),
        lambda: lie.exp3([True, False, True]),
        lambda: lie.log3(10**400),
        lambda: lie.wrap([[1.0], [1.0, 2.0]]),
        lambda: lie.angle_difference(None, 1.0),
        lambda: lie.transform_points(POSE, "points"),
        lambda: functions.jsingu(object()),
        lambda: functions.paycap("puma560", JOINTS, JOINTS, ["a"]),
        lambda: functions.fkine("puma560", JOINTS, of=[]),
        lambda: modern_robotics.MassMatrix([0.1], object(), [], []),
        lambda: modern_robotics.QuinticTimeScaling("1", 2),
        lambda: bd.robots.load(["puma560"]),
        lambda: bd.robots.from_dh(None),
        lambda: bd.robots.Robot("arm", 1.0, 1.0),
        lambda: PUMA.with_poses(3),
        lambda: PUMA.with_link(np.zeros(2), mass=1.0),
        lambda: bd.Timer.at("soon"),
    ],
)
def test_no_exception_of_python_or_numpy_escapes(call: Callable[[], Any]) -> None:
    with pytest.raises(bd.BlockdynError, match="expected"):
        call()


@pytest.mark.parametrize(
    "call", [lambda: lie.rotx(0.5), lambda: lie.exp3([0.1, 0.2, 0.3]), lambda: lie.wrap(4.0)]
)
def test_the_checks_are_one_call_beside_the_function(call: Callable[[], Any]) -> None:
    """However much annotations say: what is called in base.checked, once they are read, is the wrapper."""
    call()
    files: list[str] = []
    sys.setprofile(
        lambda frame, event, _: files.append(frame.f_code.co_filename) if event == "call" else None
    )
    try:
        call()
    finally:
        sys.setprofile(None)
    assert [Path(name).name for name in files].count("checked.py") == 1


def test_a_call_with_wrong_names_is_a_type_error_as_in_all_of_python() -> None:
    with pytest.raises(TypeError, match="angle"):
        lie.rotx()
    with pytest.raises(TypeError, match="limit"):
        inverse.ikine("puma560", POSE, limit=True)

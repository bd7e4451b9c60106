"""Functions of robots as C and Python: compiled, run, and compared with the functions of blockdyn."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.export.robot import FUNCTIONS, robot_code
from blockdyn.robots import SymbolicError, functions, load, symbolic
from blockdyn.robots.mechanics.errors import MechanicsError

ARMS = "puma560", "stanford_rrp", "twolink", "panda"
ARGUMENTS = {"jacobian_dot": "q qd", "rne": "q qd qdd", "coriolis": "q qd", "accel": "q qd tau"}
Pointer = ctypes.POINTER(ctypes.c_double)


def expected(name: str, function: str, state: dict[str, Any]) -> tuple[list[Any], Any]:
    """Arguments of a function, and what blockdyn gives for them."""
    values = [state[key] for key in ARGUMENTS.get(function, "q").split()]
    frame = function.removeprefix("jacobian_") if function in ("jacobian_body", "jacobian_space") else ""
    if frame:
        return values, functions.jacobian(name, *values, frame=frame)  # type: ignore[arg-type]
    return values, getattr(functions, function)(name, *values)


def states(name: str) -> dict[str, Any]:
    values = np.random.default_rng(4).uniform(-1.0, 1.0, (4, load(name).n))
    return dict(zip(("q", "qd", "qdd", "tau"), values))


def close(result: Any, right: Any) -> None:
    np.testing.assert_allclose(result, right, rtol=0, atol=1e-12 * max(1.0, np.abs(right).max()))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c_and_python_agree_with_blockdyn(tmp_path: Path) -> None:
    """All functions of four arms in one library, and one with parameters as arguments."""
    made = symbolic("twolink", {"a1": "x1", "m2": "g"})  # names that code uses itself
    texts = [robot_code(name, FUNCTIONS, name=f"r_{name}").text for name in ARMS]
    texts.append(made.code(["gravload", "rne"], name="free").text)
    (tmp_path / "robots.c").write_text("\n".join(texts))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", "robots.so", "robots.c", "-lm"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "robots.so"))

    def call(function: str, values: list[Any], right: Any, *more: float) -> Any:
        result = np.full(right.shape, np.nan)
        arrays = [np.ascontiguousarray(value).ctypes.data_as(Pointer) for value in values]
        status = library[function](*arrays, *map(ctypes.c_double, more), result.ctypes.data_as(Pointer))
        assert status == 0 or "accel" not in function
        return result

    for name in ARMS:
        module: dict[str, Any] = {}
        exec(robot_code(name, FUNCTIONS, language="python", name="arm").text, module)
        state = states(name)
        for function in FUNCTIONS:
            values, right = expected(name, function, state)
            close(call(f"r_{name}_{function}", values, right), right)
            close(module[f"arm_{function}"](*values), right)
    values, right = expected("twolink", "rne", states("twolink"))
    close(call("free_rne", values, right, *made.parameters.values()), right)
    exec(made.code(["rne"], language="python", name="free").text, module)
    close(module["free_rne"](*values, *made.parameters.values()), right)


def test_a_joint_that_nothing_resists() -> None:
    module: dict[str, Any] = {}
    exec(robot_code("ur5", ["accel"], language="python").text, module)
    with pytest.raises(ValueError, match="resists"):
        module["ur5_accel"](*np.zeros((3, 6)))


@pytest.mark.filterwarnings("ignore:.*no masses")
@pytest.mark.parametrize("name", ["twolink_mdh", "onelink", "hyper2d"])
def test_accelerations_without_inertia_are_refused_as_by_the_functions(name: str) -> None:
    """Robots without masses: M = 0."""
    n = load(name).n
    with pytest.raises(MechanicsError) as right:
        functions.accel(name, *np.zeros((3, n)))
    calls: list[Any] = [lambda: robot_code(name, ["accel"]), lambda: symbolic(name).shared("accel")]
    if n <= 3:
        calls.append(lambda: symbolic(name).accel())
    for call in calls:
        with pytest.raises(MechanicsError) as caught:
            call()
        assert caught.value.joint == right.value.joint


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_c_has_no_warnings(tmp_path: Path, compiler: str) -> None:
    """Functions that ignore some arguments too: poses do not depend on m2, and a robot without masses."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    kinematic = [function for function in FUNCTIONS if function != "accel"]
    texts = [
        robot_code("twolink", FUNCTIONS, parameters=["m2", "a1"]).text,
        robot_code("twolink_mdh", kinematic).text,
        robot_code("p8", FUNCTIONS).text,
    ]
    (tmp_path / "robots.c").write_text("\n".join(texts))
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror"]
    subprocess.run([compiler, *strict, "-c", "robots.c"], cwd=tmp_path, check=True)


RESERVED = {
    "c": ("tau", "q", "qd", "qdd", "double", "FP_NAN", "math_errhandling", "M_PI", "linux", "fabs"),
    "python": ("tau", "q", "qd", "qdd", "lambda", "None", "async", "abs", "ValueError"),
}


@pytest.mark.parametrize(("language", "name"), [(k, name) for k, names in RESERVED.items() for name in names])
def test_an_argument_has_no_name_of_the_language_or_of_a_state(language: Any, name: str) -> None:
    with pytest.raises(SymbolicError, match=f"`{name}` cannot be an argument"):
        robot_code("twolink", ["rne", "accel"], language=language, parameters={"m2": name})


def test_parameters_may_have_all_names_of_intermediate_results() -> None:
    names = {"a1": "x0", "a2": "w0", "m1": "v0", "m2": "xx0"}
    made = symbolic("twolink", names)
    module: dict[str, Any] = {}
    exec(made.code(["rne"], language="python", name="arm").text, module)
    values, right = expected("twolink", "rne", states("twolink"))
    close(module["arm_rne"](*values, *made.parameters.values()), right)

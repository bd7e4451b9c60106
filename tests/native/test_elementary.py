"""Elementary functions of compiled programs: within one ulp of mpmath's, with the special values of C99."""

from __future__ import annotations

import math
import re
from concurrent.futures import ThreadPoolExecutor
from math import atan2, inf, nan, pi
from threading import Barrier

import llvmlite.binding as llvm
import numpy as np
import pytest

from blockdyn.blocks.contract.formula import parse
from blockdyn.native.elementary import called, constants
from blockdyn.native.elementary.called import with_ours
from blockdyn.native.elementary.definitions import bitcode, link
from blockdyn.native.elementary.names import OF_TWO, PREFIX, declaration, replace_functions
from blockdyn.native.engine import join_module
from blockdyn.native.target import Target, host, optimise
from fuzz.elementary import FUNCTIONS, errors, points, values

LARGEST, LEAST = 1.7976931348623157e308, 5e-324


@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_one_ulp(name: str, fresh_seed: int) -> None:
    x, y = points(name, 300, np.random.default_rng(fresh_seed))
    found = errors(name, x, y)
    worst = int(np.argmax(found))
    assert found[worst] <= 1.0, f"{name}({x[worst]!r}, {y[worst]!r}): {found[worst]} ulp"


# ISO/IEC 9899:1999, annex F.9: for each function arguments and values
AT_ONE = [
    ("sin", 0.0, 0.0), ("sin", -0.0, -0.0), ("sin", inf, nan), ("sin", nan, nan), ("sin", LEAST, LEAST),
    ("cos", 0.0, 1.0), ("cos", -0.0, 1.0), ("cos", -inf, nan), ("cos", nan, nan),
    ("tan", 0.0, 0.0), ("tan", -0.0, -0.0), ("tan", inf, nan), ("tan", -LEAST, -LEAST),
    ("asin", 0.0, 0.0), ("asin", -0.0, -0.0), ("asin", 1.0, pi / 2), ("asin", 1.0000000000000002, nan),
    ("acos", 1.0, 0.0), ("acos", -1.0, pi), ("acos", -1.0000000000000002, nan), ("acos", nan, nan),
    ("atan", 0.0, 0.0), ("atan", -0.0, -0.0), ("atan", inf, pi / 2), ("atan", -inf, -pi / 2),
    ("atan", nan, nan),
    ("sinh", 0.0, 0.0), ("sinh", -0.0, -0.0), ("sinh", inf, inf), ("sinh", -inf, -inf), ("sinh", nan, nan),
    ("sinh", -710.4758600739440, -inf), ("sinh", LEAST, LEAST),
    ("cosh", 0.0, 1.0), ("cosh", inf, inf), ("cosh", -inf, inf), ("cosh", 710.4758600739440, inf),
    ("tanh", 0.0, 0.0), ("tanh", -0.0, -0.0), ("tanh", inf, 1.0), ("tanh", -inf, -1.0), ("tanh", nan, nan),
    ("exp", 0.0, 1.0), ("exp", -0.0, 1.0), ("exp", -inf, 0.0), ("exp", inf, inf), ("exp", nan, nan),
    ("exp", 709.7827128933841, inf), ("exp", -745.1332191019412, 0.0), ("exp", -745.1332191019411, LEAST),
    ("exp2", 0.0, 1.0), ("exp2", -inf, 0.0), ("exp2", inf, inf), ("exp2", 1024.0, inf),
    ("exp2", 1023.0, 2.0**1023),
    ("exp2", -1074.0, LEAST), ("exp2", -1076.0, 0.0), ("exp2", nan, nan),
    ("expm1", 0.0, 0.0), ("expm1", -0.0, -0.0), ("expm1", -inf, -1.0), ("expm1", inf, inf),
    ("expm1", nan, nan),
    ("expm1", -800.0, -1.0), ("expm1", -LEAST, -LEAST),
    ("log", 1.0, 0.0), ("log", 0.0, -inf), ("log", -0.0, -inf), ("log", -1.0, nan), ("log", inf, inf),
    ("log2", 8.0, 3.0), ("log2", LEAST, -1074.0), ("log2", 0.0, -inf), ("log2", -1.0, nan),
    ("log2", inf, inf),
    ("log10", 1000.0, 3.0), ("log10", 1e22, 22.0), ("log10", 0.0, -inf), ("log10", -inf, nan),
    ("log1p", 0.0, 0.0), ("log1p", -0.0, -0.0), ("log1p", -1.0, -inf), ("log1p", -2.0, nan),
    ("log1p", inf, inf),
    ("log1p", LEAST, LEAST), ("log1p", nan, nan),
]  # fmt: skip
AT_TWO = [
    ("atan2", 0.0, 0.0, 0.0), ("atan2", -0.0, 0.0, -0.0), ("atan2", 0.0, -0.0, pi),
    ("atan2", -0.0, -0.0, -pi),
    ("atan2", 0.0, -1.0, pi), ("atan2", -0.0, -1.0, -pi), ("atan2", 0.0, 1.0, 0.0),
    ("atan2", -0.0, 1.0, -0.0),
    ("atan2", 1.0, 0.0, pi / 2), ("atan2", -1.0, -0.0, -pi / 2), ("atan2", 1.0, -inf, pi),
    ("atan2", -1.0, inf, -0.0),
    ("atan2", inf, 1.0, pi / 2), ("atan2", -inf, -1.0, -pi / 2), ("atan2", inf, -inf, 2.356194490192345),
    ("atan2", -inf, inf, -pi / 4), ("atan2", nan, 1.0, nan), ("atan2", 1.0, nan, nan),
    ("atan2", LEAST, LEAST, pi / 4), ("atan2", LARGEST, LARGEST, pi / 4), ("atan2", LEAST, LARGEST, 0.0),
    ("hypot", inf, nan, inf), ("hypot", nan, -inf, inf), ("hypot", nan, 1.0, nan), ("hypot", -3.0, 4.0, 5.0),
    ("hypot", 0.0, -0.0, 0.0), ("hypot", LEAST, 0.0, LEAST), ("hypot", LARGEST, LARGEST, inf),
    ("hypot", LARGEST, 1.0, LARGEST), ("hypot", 3 * LEAST, 4 * LEAST, 5 * LEAST),
    ("fmod", 0.0, 1.0, 0.0), ("fmod", -0.0, 1.0, -0.0), ("fmod", 1.0, 0.0, nan), ("fmod", inf, 1.0, nan),
    ("fmod", 1.0, inf, 1.0), ("fmod", -1.0, -inf, -1.0), ("fmod", nan, 1.0, nan), ("fmod", 5.5, -2.0, 1.5),
    ("fmod", -4.0, 2.0, -0.0), ("fmod", LARGEST, LEAST, 0.0), ("fmod", 1.0, 0.1, 0.09999999999999995),
    ("pow", 0.0, -3.0, inf), ("pow", -0.0, -3.0, -inf), ("pow", -0.0, -2.0, inf), ("pow", 0.0, -inf, inf),
    ("pow", -0.0, 3.0, -0.0), ("pow", -0.0, 2.5, 0.0), ("pow", -1.0, inf, 1.0), ("pow", -1.0, -inf, 1.0),
    ("pow", 1.0, nan, 1.0), ("pow", nan, 0.0, 1.0), ("pow", nan, 1.0, nan), ("pow", 2.0, nan, nan),
    ("pow", -8.0, 1.0 / 3.0, nan), ("pow", 0.5, -inf, inf), ("pow", 2.0, -inf, 0.0), ("pow", 0.5, inf, 0.0),
    ("pow", 2.0, inf, inf), ("pow", -inf, -3.0, -0.0), ("pow", -inf, -2.0, 0.0), ("pow", -inf, 3.0, -inf),
    ("pow", -inf, 2.0, inf), ("pow", inf, -1.0, 0.0), ("pow", inf, 0.5, inf), ("pow", -2.0, 3.0, -8.0),
    ("pow", 3.0, 2.0, 9.0), ("pow", 10.0, 22.0, 1e22), ("pow", 2.0, -1074.0, LEAST),
    ("pow", 2.0, 1024.0, inf),
    ("pow", -1.0, 1e300, 1.0), ("pow", -1.0, 9007199254740991.0, -1.0), ("pow", LEAST, 0.5, 2.0**-537),
    ("pow", 0.9999999999999999, 1e300, 0.0), ("pow", 7.0, LEAST, 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "x", "value"), AT_ONE)
def test_special_values(name: str, x: float, value: float) -> None:
    (got,) = values(name, x)
    assert np.array_equal(got, value, equal_nan=True)
    assert np.isnan(value) or np.signbit(got) == np.signbit(value)


@pytest.mark.parametrize(("name", "x", "y", "value"), AT_TWO)
def test_special_values_of_two(name: str, x: float, y: float, value: float) -> None:
    (got,) = values(name, x, y)
    assert np.array_equal(got, value, equal_nan=True)
    assert np.isnan(value) or np.signbit(got) == np.signbit(value)


def test_symmetries_hold_to_the_bit(fresh_seed: int) -> None:
    rng = np.random.default_rng(fresh_seed)
    for name in ("sin", "tan", "asin", "atan", "sinh", "tanh"):
        x, _ = points(name, 300, rng)
        assert np.array_equal(values(name, -x), -values(name, x))
    for name in ("cos", "cosh"):
        x, _ = points(name, 300, rng)
        assert np.array_equal(values(name, -x), values(name, x))


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="a simpler model of x86-64")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_bits_without_fused_operations(name: str, fresh_seed: int) -> None:
    x, y = points(name, 600, np.random.default_rng(fresh_seed))
    plain = values(name, x, y, Target(host().triple, "x86-64"))
    assert np.array_equal(plain.view(np.int64), values(name, x, y).view(np.int64))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_number_has_the_bits_that_it_has_in_an_array(name: str, fresh_seed: int) -> None:
    x, y = points(name, 60, np.random.default_rng(fresh_seed))
    single = np.array([values(name, a, b)[0] for a, b in zip(x, y, strict=True)])
    assert np.array_equal(single.view(np.int64), values(name, x, y).view(np.int64))


def test_tables_stay_under_four_kilobytes() -> None:
    for name in ("exp", "log", "pow", "sincos", "tan", "atan2"):
        module = llvm.parse_bitcode(bitcode(name))
        sizes = [int(size) for size in re.findall(r"constant \[(\d+) x i8\]", str(module))]
        assert max(sizes) <= 1024  # bytes of each table
        assert sum(sizes) <= 5120
    assert constants.TWO_OVER_PI_WORDS.nbytes <= 512


def test_calls_of_the_c_library_become_ours() -> None:
    text = """
declare double @llvm.sin.f64(double) #1
declare double @sin(double)
declare double @sqrt(double)
define double @f(double %a, double %b) {
  %1 = call double @llvm.sin.f64(double %a)
  %2 = tail call double @sin(double %1)
  %3 = frem double %2, %b
  %4 = call double @sqrt(double %3)
  ret double %4
}
attributes #1 = { nounwind }
"""
    module = llvm.parse_assembly(replace_functions(text))
    assert {item.name for item in module.functions if item.is_declaration} == {
        f"{PREFIX}sin", f"{PREFIX}fmod", "llvm.sqrt.f64"
    }  # fmt: skip


@pytest.mark.parametrize(
    "target",
    [host(), Target("aarch64-unknown-linux-gnu"), Target("riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d")],
    ids=lambda target: target.triple,
)
def test_no_fused_operations_and_nothing_of_the_c_library(target: Target) -> None:
    text = ""
    for name in FUNCTIONS:
        arguments = "double %a, double %b" if name in OF_TWO else "double %a"
        text += declaration(name) + f"define double @f_{name}(double %a, double %b) {{\n"
        text += f"  %r = call double @{PREFIX}{name}({arguments})\n  ret double %r\n}}\n"
    machine = target.machine(2)
    module = join_module(text, [], [f"f_{name}" for name in FUNCTIONS], target, machine)
    link(module)
    optimise(module, machine, 2)
    assembly = machine.emit_assembly(module)
    assert not re.search(r"\bv?fn?m(?:add|sub)", assembly)
    assert all(item.name.startswith("llvm.") for item in module.functions if item.is_declaration)
    assert not re.search(r"(?:call\w*|bl)\s+(?:sin|cos|exp|log|pow|sqrt|floor|fmod)\b", assembly)


def steered(x: float) -> float:
    """A kernel that names functions of `math` and NumPy, and one more function."""
    return math.sin(x) + np.exp(x) + bent(x)


def bent(x: float) -> float:
    return atan2(x, 2.0) - np.power(x, 1.5)


def test_threads_that_need_a_function_first_at_one_time() -> None:
    """Each may load its machine code, which lasts while it is called."""
    x, threads = np.linspace(0.1, 0.9, 200_000), 8
    for _ in range(30):
        called._calls.cache_clear()
        together = Barrier(threads)

        def call(together: Barrier = together) -> np.ndarray:
            together.wait()
            return called.of_arrays("tanh")(x)

        with ThreadPoolExecutor(threads) as pool:
            results = [future.result() for future in [pool.submit(call) for _ in range(threads)]]
        assert all(np.array_equal(result, results[0]) for result in results)


def test_a_kernel_that_python_runs_computes_with_ours() -> None:
    x = 0.7391
    called = steered.__code__
    expected = values("sin", x) + values("exp", x) + (values("atan2", x, 2.0) - values("pow", x, 1.5))
    assert with_ours(steered)(x) == expected
    assert with_ours(with_ours(steered)) is with_ours(steered)
    assert with_ours(steered).__code__ is called  # where breakpoints lie
    assert math.sin is steered.__globals__["math"].sin


def test_numpy_keeps_complex_numbers() -> None:
    def turned(x: complex) -> complex:
        return np.exp(x)

    assert with_ours(turned)(1j * pi) == np.exp(1j * pi)


@pytest.mark.parametrize(("text", "name"), [("sin(u)", "sin"), ("exp(u)", "exp"), ("log10(u)", "log10")])
def test_formulas_compute_with_ours(text: str, name: str, rng: np.random.Generator) -> None:
    x = rng.uniform(0.1, 9.0, 50)
    assert np.array_equal(parse(text)(x), values(name, x))


def test_squares_in_formulas_are_products() -> None:
    x = np.linspace(-3.0, 3.0, 101)
    assert np.array_equal(parse("u ** 2")(x), x * x)

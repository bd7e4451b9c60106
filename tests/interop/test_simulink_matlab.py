"""MATLAB text as Simulink files hold it: its numbers, scripts of assignments, and formulas of signals."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import blockdyn as bd
from blockdyn.interop.simulink.matlab import (
    FormulaText,
    UnknownName,
    UnreadableText,
    assignments,
    evaluate,
    formula,
    function_formulas,
    parse,
    plain,
    read_values,
)  # fmt: skip


def rows(text: str, **variables: Any) -> Any:
    return plain(evaluate(text, variables))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4), ("2^-1", 0.5), ("2^3^2", 64), ("-2^-2", -0.25), ("2^-2^2", 0.0625), ("~1 == 0", 1),
        ("~0 + 1", 2), ("1:3 == 1:3", [[1, 1, 1]]), ("1:2+1", [[1, 2, 3]]), ("1 | 0 & 0", 1),
        ("0 & 0 == 0", 0), ("1 < 2 < 1", 0), ("3 - 2 - 1", 0), ("2 / 4 / 2", 0.25), ("2 \\ 4", 2),
        ("-[1 2]'", [[-1], [-2]]), ("[1 2]'.^2", [[1], [4]]), ("2^[1 2 ; 3 4](1,2)", 4), ("!0", 1),
        ("1 ~= 2", 1), ("1 != 2", 1), ("1e3 + .5 + 1.", 1001.5), ("1d2", 100), ("[2 3].^2", [[4, 9]]),
        ("1./[1 2]", [[1, 0.5]]), ("[1 2]*[3;4]", 11), ("[1;2]*[3 4]", [[3, 4], [6, 8]]),
        ("1 || 1/0 > undefined", 1), ("3 -1", 2), ("+-+3", -3),
    ],
)  # fmt: skip
def test_operators_bind_as_matlabs_table_of_precedence_says(text: str, value: Any) -> None:
    """MathWorks, "Operator Precedence": powers, signs, products, sums, ranges, comparisons, & |."""
    assert rows(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1 -2]", [[1, -2]]), ("[1 - 2]", -1), ("[1 -2 + 3]", [[1, 1]]), ("[a -b]", [[2, -3]]),
        ("[a - b]", -1), ("[a' b']", [[2, 3]]), ("[a', b']", [[2, 3]]), ("[1,2\n3 4]", [[1, 2], [3, 4]]),
        ("[1 2 ... comment\n 3]", [[1, 2, 3]]), ("[1 2 % comment\n 3 4]", [[1, 2], [3, 4]]),
        ("[a (1)]", [[2, 1]]), ("[v(1) (2)]", [[5, 2]]), ("[1 ~0]", [[1, 1]]), ("[1 ~= 0]", 1),
        ("[1 +2]", [[1, 2]]), ("[(1 -2)]", -1), ("[1, 2, ; 3, 4;]", [[1, 2], [3, 4]]), ("[]", []),
        ("[v; v]", [[5, 6], [5, 6]]), ("[v (1) -a]", [[5, 6, 1, -2]]), ("[a*-b]", -6),
        ("[1 2]';", [[1], [2]]),
    ],
)  # fmt: skip
def test_spaces_separate_elements_in_brackets(text: str, value: Any) -> None:
    assert rows(text, a=2, b=3, v=np.array([5.0, 6.0])) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it's"), ('"say ""no"""', 'say "no"'), ("['ab' 'cd']", "abcd"), ("['a' 66]", "aB"),
        ("'abc'(2)", "b"), ("'%'", "%"), ("'a' + 1", 98), ("'ab' == 'ab'", [[1, 1]]), ('"ab" == "ab"', 1),
        ('"a" + "b"', "ab"), ("strcmp('a', 'a')", 1), ("num2str(2.5)", "2.5"),
    ],
)  # fmt: skip
def test_texts(text: str, value: Any) -> None:
    assert rows(text) == value


def test_ranges_have_matlabs_count_of_elements() -> None:
    """MathWorks, "colon": 0:0.1:1 has 11 elements although 0.1 is rounded; an unreachable stop gives none."""
    assert evaluate("0:0.1:1").shape == (1, 11)
    assert evaluate("0:0.1:1")[0, -1] == 1.0
    assert_allclose(evaluate("0:0.1:0.3"), [[0, 0.1, 0.2, 0.3]])
    assert evaluate("10:-3:0").tolist() == [[10, 7, 4, 1]]
    assert evaluate("5:1").shape == evaluate("1:0:5").shape == (1, 0)
    for count in (3, 7, 10, 49, 93, 1000):
        assert evaluate(f"0:1/{count}:1").shape == (1, count + 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A(2)", 4), ("A(3)", 2), ("A(:)'", [[1, 4, 2, 5, 3, 6]]), ("A(2,:)", [[4, 5, 6]]),
        ("A(:,end)", [[3], [6]]), ("A(end)", 6), ("A(end,1)", 4), ("A([1 2;3 4])", [[1, 4], [2, 5]]),
        ("A(A > 3)'", [[4, 5, 6]]), ("v([1 1 3])", [[7, 7, 9]]), ("v([3;1])", [[9, 7]]),
        ("v(logical([1 0 1]))", [[7, 9]]), ("v(end:-1:1)", [[9, 8, 7]]), ("s.p.q(2)", 8), ("s.('p').q(1)", 7),
        ("c{2}", "x"), ("c{1}(2)", 5), ("v(min(end, 5))", 9), ("v(A(1,end))", 9), ("numel(A)", 6),
        ("size(A)", [[2, 3]]), ("size(A, 1)", 2), ("A(1, 2, 1)", 2),
    ],
)  # fmt: skip
def test_indices_count_from_one_along_columns(text: str, value: Any) -> None:
    A, v = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([7.0, 8, 9])
    assert rows(text, A=A, v=v, s={"p": {"q": v}}, c=[np.array([[4.0, 5]]), "x"]) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("round([0.5 -0.5 2.5 -2.5 0.49999999999999994])", [[1, -1, 3, -3, 0]]),
        ("fix([-1.5 1.5])", [[-1, 1]]), ("mod([5 -5 5 -5], [3 3 -3 -3])", [[2, 1, -1, -2]]),
        ("rem([5 -5 5 -5], [3 3 -3 -3])", [[2, -2, 2, -2]]), ("mod(5, 0)", 5), ("mod(-1, 3)", 2),
        ("int8(127.6)", 127), ("int8(-200)", -128), ("uint8(2.5)", 3), ("uint8(200) + uint8(100)", 255),
        ("int32(7) / int32(2)", 4), ("int16(5) * 2.5", 13), ("double(int8(3.7))", 4), ("max([1 5 2])", 5),
        ("max([1 5; 7 2])", [[7, 5]]), ("max([1 5; 7 2], [], 2)", [[5], [7]]), ("max(3, [1 5])", [[3, 5]]),
        ("min([NaN 2])", 2), ("sum([1 2; 3 4])", [[4, 6]]), ("sum([1 2; 3 4], 2)", [[3], [7]]),
        ("sum([])", 0), ("prod([])", 1), ("mean([1 2 6])", 3), ("cumsum([1 2 3])", [[1, 3, 6]]),
        ("any([0 0 1])", 1), ("all([1 0])", 0), ("find([0 1 1])", [[2, 3]]),
        ("sort([3 1 2], 'descend')", [[3, 2, 1]]), ("length(zeros(3, 7))", 7), ("isempty(zeros(0, 3))", 1),
        ("repmat([1 2], 2, 2)", [[1, 2, 1, 2], [1, 2, 1, 2]]), ("diag([1 2])", [[1, 0], [0, 2]]),
        ("diag([1 2; 3 4])'", [[1, 4]]), ("reshape(1:6, 2, [])", [[1, 3, 5], [2, 4, 6]]),
        ("fliplr([1 2])", [[2, 1]]), ("kron([1 2], [1 1])", [[1, 1, 2, 2]]),
        ("cross([1 0 0], [0 1 0])", [[0, 0, 1]]), ("dot([1 2], [3 4])", 11),
        ("conv([1 2], [1 3])", [[1, 5, 6]]), ("deconv([1 5 6], [1 2])", [[1, 3]]),
        ("polyval([1 2 3], 2)", 11), ("roots([1 -3 2])'", [[2, 1]]), ("poly([1 2])", [[1, -3, 2]]),
        ("interp1([0 1 2], [0 10 40], 1.5)", 25), ("norm([3 4])", 5), ("norm([1 2; 3 4], 1)", 6),
        ("det([1 2; 3 4])", -2), ("trace([1 2; 3 4])", 5), ("rank([1 2; 2 4])", 1),
        ("linspace(0, 1, 3)", [[0, 0.5, 1]]), ("eye(2)", [[1, 0], [0, 1]]), ("ones(2)*3", [[3, 3], [3, 3]]),
        ("numel(linspace(0, 1))", 100), ("hypot(3, 4)", 5), ("bitand(1, 1)", None), ("cosd(60)", 0.5),
        ("eps", 2.0**-52), ("[1 2; 3 4] \\ [5; 11]", [[1], [2]]), ("[1 2; 3 4]^2", [[7, 10], [15, 22]]),
        ("2.^[1 2; 3 4]", [[2, 4], [8, 16]]), ("zeros(2, 0)", [[], []]), ("struct('a', 3).a", 3),
        ("true + true", 2), ("xor(true, false)", 1),
    ],
)  # fmt: skip
def test_functions_have_matlabs_documented_values(text: str, value: Any) -> None:
    if value is None:
        with pytest.raises(UnknownName):
            rows(text)
    else:
        assert_allclose(rows(text), value, rtol=1e-14)


def test_linear_systems_equal_scipys() -> None:
    from scipy import linalg, signal

    A, b = np.array([[4.0, 1, 2], [0, 3, -1], [1, 0, 2]]), np.array([1.0, 3, 2, 5])
    assert_allclose(evaluate("expm(A)", {"A": A}), linalg.expm(A), rtol=1e-13)
    assert_allclose(evaluate("A / B", {"A": A, "B": A.T}), A @ np.linalg.inv(A.T), rtol=1e-13)
    scope = assignments("[A, B, C, D] = tf2ss([2 1], [1 3 2 5]); [n, d] = ss2tf(A, B, C, D);")
    for name, matrix in zip("ABCD", signal.tf2ss([2, 1], b), strict=True):
        assert_allclose(scope[name], matrix)
    assert_allclose(scope["n"], [[0, 0, 2, 1]], atol=1e-12)
    assert_allclose(scope["d"], [b], atol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(-1)", "log(-1)", "(-8)^(1/3)", "3i", "1 + 2j", "i", "roots([1 0 1])", "eig([0 1; -1 0])",
        "asin(2)", "inv([1 2; 2 4])", "[1 2; 3 4] * [1 2 3]", "[1 2] + [1 2 3]", "[1 2; 3]", "v(0)", "v(1.5)",
        "v(4)", "unknown", "rand(3)", "system('ls')", "eval('1')", "1 +", "(1", "[1 2", "'open", "1 2", "f(",
        "x.", "@", "a = 1", "#", "{1,2;3,4}", "int8(1) + int16(1)", "[1 2 3](end + 1)", "~[NaN]",
    ],
)  # fmt: skip
def test_errors_name_the_problem_and_its_column(text: str) -> None:
    with pytest.raises(UnreadableText) as error:
        rows(text, v=np.array([1.0, 2, 3]))
    assert 1 <= error.value.column <= len(text) + 1
    assert error.value.problem
    assert error.value.text == text


@pytest.mark.parametrize(
    "text",
    [
        "zeros(1e9)", "ones(1e5, 1e5)", "1:1e-9:1e9", "0:1e300", "repmat(1, 1e4, 1e4)", "eye(1e8)",
        "linspace(0, 1, 1e12)", "kron(ones(1e3), ones(1e3))", "ones(1000)^1e15", "(1:1e5)'*(1:1e5)",
        "(1:1e5)'+(1:1e5)", "inv(ones(1e3)*eye(1e3))", "(" * 500 + "1" + ")" * 500, "[" * 500,
        "-" * 5000 + "1", "1" + "'" * 5000, "2" + "^2" * 5000, "1" + "+1" * 5000, "a" + ".b" * 5000,
        "diag(1:1e4)", "reshape(1:4, 1e308, 1e308)", "'a'" + "(1)" * 5000, "@(x) " * 500,
        "conv(1:1e6, 1:1e6)", "poly(1:1e5)", "u.x", "{" * 500, "zeros(-1e300, 1e300)", "diag(1, 1e18)",
    ],
)  # fmt: skip
def test_hostile_expressions_end_soon(text: str) -> None:
    with pytest.raises(UnreadableText):
        evaluate(text)


@pytest.mark.parametrize(
    "script",
    [
        "a = {1};" + "a = {a, a};" * 60, "a.x = 1;" + "b.p = a; b.q = a; a = b;" * 60,
        "a = 1:2;" + "a = [a a];" * 60, "f = @(x) x + x;" + "f = @(x) f(f(x));" * 40 + "y = f(1);",
        "c = {1};" + "c = [c c];" * 60, "a = 'x" * 99,
    ],
)  # fmt: skip
def test_hostile_scripts_end_soon(script: str) -> None:
    with pytest.raises(UnreadableText):
        assignments(script)


def test_recursion_of_functions_ends() -> None:
    with pytest.raises(UnreadableText, match="nested too deep"):
        assignments("f = @(g, x) g(g, x + 1); y = f(f, 1);")


def test_only_unreadable_text_is_raised() -> None:
    words = [
        "1", "2.5", "a", "s.x", "'t'", '"t"', "(", ")", "[", "]", "{", "}", ",", ";", " ", "\n", "+", "-",
        "*", "/", "\\", "^", ".*", "'", "~", "==", "<", "&&", "||", ":", "end", "@(x)", "sin(", "zeros(",
        "sum(", "inv(", "=", "if", "for", "%c\n", "...\n", "i", "NaN", "inf", "sort(", "c{1}", "1e308",
        "u(1)", "u", "interp1(", "reshape(", "é",
    ]  # fmt: skip
    draw = random.Random(35)
    variables = {"a": 3.0, "s": {"x": 2.0}, "c": [1.0, "q"], "b": np.eye(2)}
    for _ in range(2000):
        text = "".join(draw.choice(words) for _ in range(draw.randrange(1, 16)))
        with contextlib.suppress(UnreadableText):
            plain(evaluate(text, variables, limit=1000))
        with contextlib.suppress(UnreadableText):
            assignments(text, variables, limit=1000)
        with contextlib.suppress(UnreadableText):
            formula(text, 3, variables, limit=1000)
        with contextlib.suppress(UnreadableText):
            function_formulas(f"function y = f(u)\ny = {text}", {"u": 2}, limit=1000)


def test_scripts_of_assignments() -> None:
    values = assignments(
        """%% Parameters of the arm
        clc; clear all; close all
        format long
        m1 = 2; m2 = 0.5*m1   % a comment; with = signs
        %{
        skipped = 1;
        %}
        p.mass = [m1 m2];
        p.link.length = 1e-1;
        x(3) = 4;  x(end + 1) = 5;
        M = zeros(2); M(2, :) = [1 2]; M(:, 1) = 7;
        K = [1, 2, ...  the first row
             3
             4 5 6];
        name = 'it''s'; f = @(x) x.^2 + m1;  y = f(3);
        [r, c] = size(K); [top, where] = max([3 9 4]);
        disp('done'), figure(1)
        """
    )
    assert plain(values["m2"]) == 1.0
    assert plain(values["p"]) == {"mass": [[2, 1]], "link": {"length": 0.1}}
    assert plain(values["x"], vector=True) == [0, 0, 4, 5]
    assert plain(values["M"]) == [[7, 0], [7, 2]]
    assert plain(values["K"]) == [[1, 2, 3], [4, 5, 6]]
    assert (values["name"], plain(values["y"])) == ("it's", 11)
    assert [plain(values[name]) for name in ("r", "c", "top", "where")] == [2, 3, 9, 2]
    assert "skipped" not in values


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a = 1;\nif a, b = 2; end", 2, "if"), ("for k = 1:3\n x(k) = 1;\nend", 1, "for"),
        ("a = 1;\n\nb = a +* 2", 3, "expected"), ("a = sqrt(2);\nb = mystery(a)", 2, "mystery"),
        ("load data", 1, "expected"), ("x = [1 2];\nx(1,1,2) = 3", 2, "two dim"),
        ("a = 1\nwhile a\nend", 2, "while"), ("system('ls')", 1, "not an assignment"),
        ("x = 1; x.y = 2", 1, "struct"),
    ],
)  # fmt: skip
def test_errors_of_scripts_name_line_and_problem(text: str, line: int, problem: str) -> None:
    with pytest.raises(UnreadableText, match=problem) as error:
        assignments(text)
    assert error.value.line == line


def test_values_of_files(tmp_path: Path) -> None:
    from scipy.io import savemat

    content = {
        "k": 2.0,
        "A": np.eye(2),
        "s": {"a": 1.0, "b": {"c": "text"}},
        "v": np.arange(3, dtype=np.int16),
    }
    savemat(tmp_path / "values.mat", content)
    values = read_values(tmp_path / "values.mat")
    assert plain(values["k"]) == 2
    assert plain(values["s"]) == {"a": 1, "b": {"c": "text"}}
    assert values["v"].dtype == np.int16
    (tmp_path / "values.m").write_text("k = 3;\r\nm = k*2;\r\n")
    assert plain(read_values(tmp_path / "values.m")) == {"k": 3, "m": 6}
    (tmp_path / "new.mat").write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(600, b" "))
    with pytest.raises(UnreadableText, match=r"7\.3"):
        read_values(tmp_path / "new.mat")
    (tmp_path / "bad.mat").write_bytes(b"no such thing" * 50)
    with pytest.raises(UnreadableText, match="MAT file"):
        read_values(tmp_path / "bad.mat")
    with pytest.raises(UnreadableText, match="No such file"):
        read_values(tmp_path / "absent.m")


def computed(result: FormulaText, u: np.ndarray) -> np.ndarray:
    """The values of formulas, computed by the Expression block's own reader."""
    from blockdyn.blocks.contract.formula import parse as read

    values = {name: float(u.ravel(order="F")[element - 1]) for name, element in result.inputs.items()}
    numbers = [float(read(text).value(values)) for text in result.texts]
    return np.array(numbers).reshape(result.shape, order="F")


@pytest.mark.parametrize(
    "text",
    [
        "[cos(u(1)); sin(u(2))]", "A*u(1:2)", "u.^2", "norm(u)", "sum(u)", "u'*u", "cross(u, [1;2;3])",
        "dot(u, u)", "u(end)", "mod(u, 2)", "rem(u, 2)", "mod(u, -0.7)", "round(u)", "fix(u)", "max(u)",
        "min(u, [1;0;-1])", "any(u > 1)", "all(u > -9)", "u(1)^2 + u(2)/u(3) - k", "-u(1)^2", "2^-u(1)",
        "(u > 0).*u", "u([3 1])'", "[u; 1]'", "prod(u)", "mean(u)", "cumsum(u)", "diag(u)*u",
        "inv([u(1) 1; 2 5])*u(1:2)", "det([u(1) 1; 2 5])", "A\\u(1:2)", "polyval([1 2 3], u)", "~(u > 0)",
        "u(1) > 0 && u(2) < 3 || k", "kron([1 2], u')", "sum(reshape([u; u], 2, 3))", "abs(sign(u))",
        "u(1) - (u(2) - u(3))", "u(1)/(u(2)/u(3))", "(u(1)^2)^2", "u(1) == u(1) > u(2)",
        "atan2(u(1), u(2)) + hypot(u(1), u(2))", "exp(-u).*floor(u)", "zeros(3,1) + u", "repmat(u(1), 2, 2)",
        "flipud(u)", "xor(u(1) > 0, u(2) > 0)", "max([1 u(1); u(2) 2])", "(u(1) > 0) + (u(2) > 0)",
        "norm(u - [1;2;3])^2", "2*(k*u(1) + 1)", "-(-u(1))", "-(u(1) - k)",
    ],
)  # fmt: skip
def test_formulas_have_the_values_of_the_expression(text: str) -> None:
    """Formulas of signals against the expression evaluated with the signals' numbers."""
    constants = {"A": np.array([[1.0, 2], [-3, 0.5]]), "k": 0.3}
    result = formula(text, 3, constants)
    draw = np.random.default_rng(7)
    for _ in range(20):
        u = np.round(draw.normal(size=(3, 1)) * 3, draw.integers(0, 4)) + 0.0
        if "inv" in text or "/u" in text or "/(u" in text:
            u[u == 0] = 1.5
        value = np.asarray(evaluate(text, {**constants, "u": u}), np.float64)
        assert_allclose(computed(result, u), value, rtol=1e-12, atol=1e-12)


def test_fcn_blocks_have_the_operators_of_c() -> None:
    assert formula("u[1] + u[3]", fcn=True).inputs == {"u1": 1, "u3": 3}
    assert formula("sin(u) * 2", 1, fcn=True).texts == ("sin(u) * 2",)
    assert formula("u * 2", 3, fcn=True).texts == ("u1 * 2",)
    result = formula("(u(1) >= 1 && !(u(2) == 0)) * pow(u(3), 2) + ln(u(4)) + sgn(u(1))", fcn=True)
    assert_allclose(computed(result, np.array([2.0, 1, 3, np.e])), [[11.0]])
    assert_allclose(computed(formula("1 == u(1) < 2", fcn=True), np.array([0.0])), [[1.0]])  # 1 == (u < 2)
    assert formula("k * u(1)", variables={"k": 2.5}, fcn=True).texts == ("2.5 * u",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("interp1([1 2], [3 4], u)", "interp1"), ("foo(u)", "foo"), ("int8(u)", "int8"), ("u(4)", "index 4"),
        ("zeros(u)", "zeros"), ("int8(2)*u", "int8"), ("sort(u)", "sort"), ("1:u(1)", "signal"),
        ("A(u(1))", "signal"), ("NaN*u", "NaN"), ("log1p(u)", "log1p"), ("u(1" + "+u(1)" * 900 + ")", "."),
        ("'a':u", "signal"), ("{u}", "number"),
    ],
)  # fmt: skip
def test_signals_without_a_formula_are_refused_by_name(text: str, problem: str) -> None:
    with pytest.raises(UnreadableText, match=problem):
        formula(text, 3, {"A": np.eye(2)})


MACHINE = """
function [y, flag] = arm(u, k, gains)   %#codegen
% friction and a saturated command
y = zeros(2, 1);
for i = 1:2
    y(i) = k*u(i) + offset(i, gains);
end
if u(1) > 2 && u(2) < 1
    flag = 1;
    y(1) = 0;
elseif u(3) == 0
    flag = 2;
else
    switch gains(1)
        case {1, 2}
            flag = u(3);
        otherwise
            flag = -1;
    end
    if abs(u(3)) > 4
        y = -y;
        return
    end
end
y = y + 1;
end

function b = offset(i, gains)
b = gains(i)^2;
end
"""


def test_functions_become_formulas_of_their_outputs() -> None:
    """The formulas against the same function written in Python."""
    gains = np.array([2.0, 3.0])

    def arm(u: np.ndarray) -> tuple[np.ndarray, float]:
        y = np.array([4 * u[0] + 4, 4 * u[1] + 9])
        if u[0] > 2 and u[1] < 1:
            flag, y[0] = 1.0, 0.0
        elif u[2] == 0:
            flag = 2.0
        else:
            flag = u[2]
            if abs(u[2]) > 4:
                return -y, flag
        return y + 1, flag

    result = function_formulas(MACHINE, {"u": 3}, {"k": 4.0, "gains": gains})
    assert result.name == "arm"
    assert list(result.outputs) == ["y", "flag"]
    for u in np.random.default_rng(3).integers(-6, 7, (200, 3)).astype(float):
        y, flag = arm(u)
        assert_array_equal(computed(result.outputs["y"], u).ravel(), y)
        assert_array_equal(computed(result.outputs["flag"], u), [[flag]])


LONG_FUNCTION = """
function y = f(u)
s = sin(u(1)) * cos(u(2)) + sqrt(u(1)^2 + u(2)^2 + 1) - exp(-u(1)^2) * atan2(u(2), u(1)^2 + 1);
s = s + tanh(u(1) - u(2)) * 0.125;
p = s^3 + s^2*u(1) + s*u(2) + 1;
if abs(s) + abs(p) > 2 && s > u(1) || ...
        p < u(2) && s < 4 && p > -8 && u(1) + u(2) > 0.125 && s*p > -100 && s + p < 300
    p = p - 2*s;
end
y = [s*p; p^2 - s];
"""


def test_long_functions_are_written_in_steps() -> None:
    """The formulas of the steps, one after another, against the function written in Python."""
    from blockdyn.blocks.contract.formula import parse as read

    result = function_formulas(LONG_FUNCTION, {"u": 2}, steps=True)
    assert result.steps
    draw = np.random.default_rng(5)
    for u in draw.normal(size=(50, 2)):
        a, b = u
        s = np.sin(a) * np.cos(b) + np.sqrt(a**2 + b**2 + 1) - np.exp(-(a**2)) * np.arctan2(b, a**2 + 1)
        s += np.tanh(a - b) * 0.125
        p = s**3 + s**2 * a + s * b + 1
        near = p < b and s < 4 and p > -8 and a + b > 0.125 and s * p > -100 and s + p < 300
        p -= 2 * s * ((abs(s) + abs(p) > 2 and s > a) or near)
        values = {"u1": a, "u2": b}
        for name, step in result.steps.items():
            assert len(step.texts) == 1
            values[name] = float(read(step.texts[0]).value(values))
        computed_y = [read(text).value(values) for text in result.outputs["y"].texts]
        assert_allclose(computed_y, [s * p, p**2 - s], rtol=1e-12)


def test_conditions_of_functions_are_events_of_a_run() -> None:
    result = function_formulas("function y = f(u)\nif u > 0.5\n  y = 1;\nelse\n  y = u;\nend\nend", {"u": 1})
    diagram = bd.Diagram("switched")
    diagram.add("clock", bd.Clock())
    diagram.add("f", bd.Expression(result.outputs["y"].texts[0]))
    diagram.add("sum", bd.Integrator(0.0))
    diagram.connect("clock", "f")
    diagram.connect("f", "sum")
    final = float(diagram.simulate(stop=1.0).final("sum"))
    assert abs(final - (0.125 + 0.5)) < 1e-9  # t up to 0.5, then 1


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("persistent n\ny = u;", 2, "persistent"), ("y = u;\nwhile u > 0\n y = 1;\nend", 3, "while"),
        ("y = mystery(u);", 2, "mystery"), ("coder.extrinsic('f');\ny = u;", 2, "not an assignment"),
        ("if u > 0\n y = 1;\nend", 1, "no value"), ("z = u;", 1, "no value"),
        ("for k = 1:u\n y = k;\nend", 2, "signal"), ("for k = 1:20000\n y = u;\nend", 3, "statements"),
        ("y = rand;", 2, "rand"), ("if u > 0\n y = [1 2];\nelse\n y = 1;\nend\ny = y(1);", 7, "another size"),
        ("y = f(u);", 2, "f"),
    ],
)  # fmt: skip
def test_what_functions_cannot_hold_is_named_with_its_line(body: str, line: int, problem: str) -> None:
    with pytest.raises(UnreadableText, match=problem) as error:
        function_formulas(f"function y = f(u)\n{body}\nend", {"u": 1})
    assert error.value.line == line


def test_trees_of_expressions() -> None:
    assert parse("a.b(1, :)") == parse("a.b(1,:)  % comment")
    assert parse("-2^2") != parse("(-2)^2")

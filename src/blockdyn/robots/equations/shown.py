"""Expressions are shown as text for terminals and pages, in the notation of the docstrings, and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

import sympy as sp

from ..mechanics.kinematics import FRAMES, WORLD
from .expressions import SymbolicRobot
from .symbolic import SymbolicError

WIDTH = 100
PAGE = 6000  # characters of one matrix that fit a page
FRACTIONS = (2, 3, 4, 6, 8)  # denominators written as fractions even if a short decimal exists
GREEK = frozenset(
    ("alpha", "beta", "gamma", "delta", "theta", "phi", "psi", "omega", "tau", "mu", "lambda", "pi")
)
SYMBOL = re.compile(r"(sign_)?(qdd|qd|[A-Za-z]+?)_?(\d*)")
GLUE, INDENT = "\N{NO-BREAK SPACE}", "      "
SUM, PRODUCT, POWER = range(3)  # precedence


class Writer:
    """Writes expressions as text: factors set apart by spaces, powers by ^."""

    def text(self, x: Any, level: int = SUM) -> str:
        """An expression as an operand of an operator of a level."""
        if isinstance(x, sp.Add):
            terms = sorted(x.args, key=_term_order)
            joined = self.text(terms[0]) + "".join(self._signed(term) for term in terms[1:])
            return joined if level == SUM else self.group(joined)
        if isinstance(x, (sp.Mul, sp.Rational, sp.Float)):
            written = self._product(x)
            return written if level < POWER or (written.isalnum()) else self.group(written)
        if isinstance(x, sp.Pow):
            if x.exp == sp.Rational(1, 2):
                return self.call("sqrt", self.text(x.base))
            if x.exp.is_negative:
                return self._product(x)
            return self.power(self.text(x.base, POWER), self.text(x.exp))
        if isinstance(x, sp.Symbol):
            return self.name(str(x))
        if isinstance(x, sp.Piecewise):
            pairs: Any = x.args
            return self.cases([(self.text(value), self.text(condition)) for value, condition in pairs])
        if isinstance(x, (sp.Gt, sp.Lt, sp.Eq)):
            return f"{self.text(x.lhs)} {x.rel_op} {self.text(x.rhs)}"
        if x == sp.pi:
            return self.name("pi")
        if isinstance(x, sp.Function):
            return self.call(type(x).__name__.lower(), ", ".join(self.text(a) for a in x.args))
        return str(x)

    def _signed(self, term: Any) -> str:
        written = self.text(term)
        return f" - {written[1:]}" if written.startswith("-") else f" + {written}"

    def _product(self, x: Any) -> str:
        factor, rest = x.as_coeff_Mul()
        inverse = any(isinstance(a, sp.Pow) and a.exp.is_negative for a in sp.Mul.make_args(rest))
        over, under = rest.as_numer_denom() if inverse else (rest, sp.Integer(1))
        factors = sorted((a for a in sp.Mul.make_args(over) if a != 1), key=_factor_order)
        sign, factor = ("-", -factor) if factor < 0 else ("", factor)
        numerator, denominator = factor, sp.Integer(1)
        if isinstance(factor, sp.Rational) and not factor.is_Integer:
            if factor.q in FRACTIONS or (factor.q < 10**4 and 10**8 % factor.q):
                numerator, denominator = sp.Integer(factor.p), sp.Integer(factor.q)
            else:
                numerator = None
                lead = self.decimal(factor)
        parts = [self.text(a, POWER if not isinstance(a, sp.Pow) else SUM) for a in factors]
        if numerator is None:
            parts.insert(0, lead)
        elif numerator != 1 or not parts:
            parts.insert(0, self.decimal(numerator))
        below = [self.text(denominator)] if denominator != 1 else []
        below += [] if under == 1 else [self.text(under, POWER)]
        return sign + self.quotient(" ".join(parts), below)

    def decimal(self, x: Any) -> str:
        """A positive number."""
        if isinstance(x, sp.Integer):
            return str(x)
        return f"{float(x):.10g}"

    def name(self, name: str) -> str:
        """A symbol."""
        return name

    def call(self, function: str, argument: str) -> str:
        """A function's value."""
        return f"{function}({argument})"

    def power(self, base: str, exponent: str) -> str:
        """A power."""
        return f"{base}^{exponent}"

    def group(self, text: str) -> str:
        """Brackets."""
        return f"({text})"

    def cases(self, cases: Sequence[tuple[str, str]]) -> str:
        """Values and their conditions; the last condition is true."""
        *first, (last, _) = cases
        return "(" + "".join(f"{value} if {condition} else " for value, condition in first) + f"{last})"

    def quotient(self, over: str, under: Sequence[str]) -> str:
        """A fraction."""
        return over + "".join(f"/{each}" for each in under)


class LatexWriter(Writer):
    """Writes expressions as LaTeX: indices, dots of rates, fractions."""

    def name(self, name: str) -> str:
        """q1, qd1, Ixx1, theta2 with index, dots and Greek letters."""
        match = SYMBOL.fullmatch(name)
        if match is None:
            return rf"\mathrm{{{name}}}"
        _, word, index = match.groups()
        if word in ("qd", "qdd"):
            return rf"\{'d' * (len(word) - 1)}ot{{q}}_{{{index}}}"
        if word in GREEK:
            return rf"\{word}_{{{index}}}" if index else rf"\{word}"
        index = word[1:] + index
        return f"{word[0]}_{{{index}}}" if index else word

    def call(self, function: str, argument: str) -> str:
        """\\sin(...), \\sqrt{...}."""
        if function == "sqrt":
            return rf"\sqrt{{{argument}}}"
        word = rf"\{function}" if function in ("sin", "cos") else rf"\operatorname{{{function}}}"
        return rf"{word}({argument})"

    def power(self, base: str, exponent: str) -> str:
        r"""\sin^2(...), and x^{2}."""
        match = re.fullmatch(r"(\\(?:sin|cos))(\(.*\))", base)
        return rf"{match[1]}^{{{exponent}}}{match[2]}" if match else f"{base}^{{{exponent}}}"

    def group(self, text: str) -> str:
        """Brackets that grow."""
        return rf"\left({text}\right)"

    def cases(self, cases: Sequence[tuple[str, str]]) -> str:
        """Rows after a brace."""
        *first, (last, _) = cases
        rows = [rf"{value} & {condition} \\ " for value, condition in first]
        return rf"\begin{{cases}} {''.join(rows)}{last} & \text{{otherwise}} \end{{cases}}"

    def quotient(self, over: str, under: Sequence[str]) -> str:
        """A fraction."""
        return rf"\frac{{{over}}}{{{' '.join(under)}}}" if under else over


def _term_order(term: Any) -> tuple[Any, ...]:
    names = {str(symbol) for symbol in term.free_symbols}
    rank = (
        0 if any(n.startswith("qdd") for n in names) else 1 if any(n.startswith("qd") for n in names) else 2
    )
    rates = sorted(n for n in names if n.startswith("qd"))
    return (
        rank,
        rates,
        term.could_extract_minus_sign(),
        len(sp.Mul.make_args(term)),
        sp.default_sort_key(term),
    )


def _factor_order(factor: Any) -> tuple[Any, ...]:
    base = factor.base if isinstance(factor, sp.Pow) else factor
    if isinstance(base, sp.Symbol):
        name = str(base)
        rank = 5 if name.startswith("qd") else 2 if name.startswith("q") else 0 if name[0] in "mIJg" else 1
        return rank, name
    return (3 if isinstance(base, sp.Add) else 4), sp.default_sort_key(base)


ELEMENTS: dict[str, tuple[str, str]] = {
    "fkine": ("T", "Pose of the tool in the world, rotation and position (m)"),
    "jacobian": ("J", "Jacobian of the tool, [v; w] = J qd in world axes"),
    "inertia": ("M", "Mass matrix"),
    "coriolis": ("C", "Coriolis matrix"),
    "coriolis_torque": ("V", "Centrifugal and Coriolis terms, V = C qd"),
    "gravload": ("g", "Gravity load"),
    "friction": ("f", "Friction"),
}
LETTERS = {"jacobian_dot": r"\dot{J}", "rne": r"\tau", "accel": r"\ddot{q}"}
SYMMETRIC = ("inertia",)
MATRICES = ("fkine", "jacobian", "inertia", "coriolis")
SHOWN = ("fkine", "jacobian", "inertia", "coriolis_torque", "gravload", "friction")


def equations(model: SymbolicRobot, name: str, writer: Writer | None = None) -> list[tuple[str, str]]:
    """Nonzero elements of a matrix as (name, text); of a symmetric matrix only up to the diagonal.

    Raises SymbolicError.
    """
    writer = writer or Writer()
    matrix, letter = getattr(model, name)(), ELEMENTS[name][0]
    written = []
    for i in range(matrix.rows if name != "fkine" else 3):
        for j in range(matrix.cols):
            if matrix[i, j] == 0 or (name in SYMMETRIC and j < i):
                continue
            index = f"{i + 1}{j + 1}" if name in MATRICES else f"{i + 1}"
            written.append((f"{letter}{index}", writer.text(matrix[i, j])))
    return written


def describe_equations(model: SymbolicRobot, names: Sequence[str] = SHOWN) -> Iterator[tuple[str, list[str]]]:
    """Headings and equations of all functions that fit a page."""
    robot = model.robot
    chosen = [name for name in names if name in ("fkine", "jacobian") or robot.has_dynamics]
    for name in chosen:
        letter, heading = ELEMENTS[name]
        try:
            lines = [f"{element} = {text}" for element, text in equations(model, name)]
        except SymbolicError:
            lines = []
        if sum(map(len, lines)) > PAGE or not lines:
            if name == "friction" and not lines:
                continue
            zero = bool(lines) is False and _fits(model, name)
            text = "0" if zero else "too long for a page; `blockdyn export robot` writes it as code"
            yield f"{heading}: {text}", []
        else:
            others = (
                ""
                if len(lines) == len(list(getattr(model, name)())) or name == "fkine"
                else "; the others are 0"
            )
            if name in SYMMETRIC:
                others = f"; {letter} is symmetric" + (
                    ", and the others are 0" if others and _sparse(model, name) else ""
                )
            yield heading + others, lines


def _fits(model: SymbolicRobot, name: str) -> bool:
    try:
        getattr(model, name)()
    except SymbolicError:
        return False
    return True


def _sparse(model: SymbolicRobot, name: str) -> bool:
    return any(x == 0 for x in getattr(model, name)())


def break_lines(equation: str, width: int = WIDTH) -> list[str]:
    """An equation on several lines, broken before the signs of its sums."""
    joined = re.sub(r"\([^()]*\)(?=\^| |$|\))", lambda argument: argument[0].replace(" ", GLUE), equation)
    joined = re.sub(r" (?![-+] )", GLUE, joined)
    lines = wrap(joined, width, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False)
    return [line.replace(GLUE, " ") for line in lines]


def latex(model: SymbolicRobot, name: str, flags: tuple[int, ...] = ()) -> str:
    """A function's matrix as LaTeX, or its elements with named common subexpressions if it is long.

    flags: the frame of a Jacobian. Raises SymbolicError.
    """
    writer = LatexWriter()
    letter = ELEMENTS.get(name, (LETTERS.get(name, "y"), ""))[0]
    try:
        if name.startswith("jacobian"):
            (frame,) = (frame for frame, number in FRAMES.items() if number == (flags or (WORLD,))[0])
            matrix = getattr(model, name)(frame=frame)
        else:
            matrix = getattr(model, name)()
        rows = [" & ".join(writer.text(x) for x in matrix.row(i)) for i in range(matrix.rows)]
        if sum(map(len, rows)) > PAGE:
            return _latex_shared(model, name, letter, writer)
    except SymbolicError:
        return _latex_shared(model, name, letter, writer)
    inner = " \\\\\n".join(rows)
    return f"{letter} =\n\\begin{{bmatrix}}\n{inner}\n\\end{{bmatrix}}"


def _latex_shared(model: SymbolicRobot, name: str, letter: str, writer: LatexWriter) -> str:
    shared = model.shared(name)
    lines = [f"{writer.name(str(symbol))} &= {writer.text(value)}" for symbol, value in shared.replacements]
    matrix = shared.results[name]
    for i in range(matrix.rows):
        for j in range(matrix.cols):
            index = f"{i + 1}{j + 1}" if matrix.cols > 1 else f"{i + 1}"
            lines.append(f"{letter}_{{{index}}} &= {writer.text(matrix[i, j])}")
    inner = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{inner}\n\\end{{aligned}}"

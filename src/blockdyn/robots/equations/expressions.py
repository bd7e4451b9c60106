"""Expressions of a robot's kinematics and dynamics, from the kernels that compute its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import sympy as sp

from ...base.door import door
from ...base.words import nearest
from ...native.substitution import substitute
from ..mechanics.bodies import ARMATURE, work_shape
from ..mechanics.energy import gravity_load
from ..mechanics.errors import singular_mass_matrix
from ..mechanics.inverse_dynamics import rnea
from ..mechanics.jacobian_rate import jacobian_rate
from ..mechanics.kinematics import FRAMES, jacobian, tool_pose
from ..model import table as columns
from ..model.robot import Robot
from .polynomial import DIGITS, Angle, TooManyTerms, exact, expression
from .symbolic import SymbolicError
from .symbolic_table import Builder, Objects
from .tape import StraightLine
from .trace import EQUATIONS, PARAMETERS, Parameters, regular, trace

if TYPE_CHECKING:
    from ...doors import SymbolicRobot as Doors
else:
    Doors = object


@dataclass(frozen=True)
class Shared:
    """Matrices with named common subexpressions, as from `sympy.cse`: names in order, then results."""

    replacements: tuple[tuple[sp.Symbol, sp.Expr], ...]
    results: dict[str, sp.ImmutableDenseMatrix]

    @property
    def operations(self) -> int:
        """The number of operations; common subexpressions count once."""
        matrices = sum(sp.count_ops(matrix.flat()) for matrix in self.results.values())
        return int(matrices + sum(sp.count_ops(value) for _, value in self.replacements))


class SymbolicRobot(Doors):
    """A robot's equations in symbols; `robots.symbolic` makes it.

        M(q) qdd + C(q, qd) qd + g(q) + f(qd) = tau

    `q`, `qd`, `qdd` and `tau` are the symbols of coordinates, rates, accelerations and torques;
    `parameters` maps the symbols of numbers to their values. Methods return SymPy matrices. Expressions for
    three joints are as in textbooks; expressions longer than a page raise SymbolicError, and `shared` returns
    them with named common subexpressions.
    """

    def __init__(self, robot: Robot, chosen: Mapping[str, Any], numbers: Mapping[str, float]) -> None:
        self.robot = robot
        self._chosen = {name: _parameter(robot.name, name, value) for name, value in chosen.items()}
        self._numbers = numbers
        self._builders: dict[str, Builder] = {}
        self._results: dict[Any, Any] = {}
        n = range(1, robot.n + 1)
        self.q, self.qd, self.qdd, self.tau = (
            tuple(sp.Symbol(f"{word}{i}") for i in n) for word in ("q", "qd", "qdd", "tau")
        )
        free: set[Any] = set().union(*(value.free_symbols for value in self._chosen.values()))
        if taken := free & {*self.q, *self.qd, *self.qdd, *self.tau}:
            actual = f"`{min(map(str, taken))}` names a coordinate, rate or torque"
            raise SymbolicError(f"{robot.name}, parameters", actual, "another name")
        self.parameters: dict[sp.Symbol, float] = {
            symbol: self._value_of(symbol) for symbol in sorted(free, key=str)
        }

    def __repr__(self) -> str:
        return f"SymbolicRobot({self.robot.name!r}, {', '.join(map(str, self.parameters)) or 'numbers'})"

    def _value_of(self, symbol: sp.Symbol) -> float:
        """The robot's value of a symbol, NaN if it does not follow from one quantity."""
        for name, value in self._chosen.items():
            if value.free_symbols == {symbol}:
                roots = sp.solve(value - sp.Float(self._numbers[name], 17), symbol) if value != symbol else []
                return self._numbers[name] if value == symbol else float(roots[0]) if roots else float("nan")
        return float("nan")

    # ---- kinematics ----

    def fkine(self, *, of: str = "tool") -> sp.ImmutableDenseMatrix:
        """Pose of the tool, or of another frame, in the world, (4, 4)."""
        return self._matrix("fkine", of, ())

    def jacobian(
        self, *, frame: Literal["world", "body", "space"] = "world", of: str = "tool"
    ) -> sp.ImmutableDenseMatrix:
        """[v; w] = J(q) qd, (6, n), as `robots.functions.jacobian` in this frame."""
        return self._matrix("jacobian", of, (self._frame(frame),))

    def jacobian_dot(
        self, *, frame: Literal["world", "body", "space"] = "world", of: str = "tool"
    ) -> sp.ImmutableDenseMatrix:
        """dJ/dt, (6, n)."""
        return self._matrix("jacobian_dot", of, (self._frame(frame),))

    def _frame(self, frame: str) -> int:
        if frame not in FRAMES:
            raise SymbolicError(
                f"{self.robot.name}, frame", f"found {frame!r:.60}", f"one of {', '.join(FRAMES)}"
            )
        return FRAMES[frame]

    # ---- dynamics ----

    def inertia(self) -> sp.ImmutableDenseMatrix:
        """Mass matrix M(q), (n, n), with the motors' inertia."""
        return self._matrix("inertia")

    def coriolis(self) -> sp.ImmutableDenseMatrix:
        """Coriolis matrix C(q, qd), (n, n), of the Christoffel symbols of M."""
        return self._matrix("coriolis")

    def coriolis_torque(self) -> sp.ImmutableDenseMatrix:
        """C(q, qd) qd, (n, 1): the centrifugal and Coriolis terms, V of Craig's textbook."""
        return self._matrix("coriolis_torque")

    def gravload(self) -> sp.ImmutableDenseMatrix:
        """Gravity load g(q), (n, 1)."""
        return self._matrix("gravload")

    def friction(self) -> sp.ImmutableDenseMatrix:
        """f(qd), (n, 1): viscous and Coulomb friction."""
        return self._matrix("friction")

    def rne(self) -> sp.ImmutableDenseMatrix:
        """tau for the motion q, qd, qdd, (n, 1): M qdd + C qd + g + f."""
        return self._matrix("rne")

    def accel(self) -> sp.ImmutableDenseMatrix:
        """qdd for the torques tau, (n, 1): M^-1 (tau - C qd - g - f), for at most three joints.

        Raises MechanicsError if nothing resists the motion of a joint.
        """
        if self.robot.n > LONGEST_INVERSE:
            raise self._too_long("accel")
        if "accel" not in self._results:
            load = sp.Matrix(self.tau) - self.coriolis_torque() - self.gravload() - self.friction()
            M: Any = self.inertia()
            determinant: Any = M.det(method="berkowitz")
            if determinant == 0:
                minors = (M[:k, :k].det(method="berkowitz") for k in range(1, self.robot.n + 1))
                joint = next(joint for joint, minor in zip(self.robot.moving, minors) if minor == 0)
                raise singular_mass_matrix(self.robot.name, joint.name)
            self._results["accel"] = sp.ImmutableDenseMatrix(
                (M.adjugate() * load) / sp.factor_terms(determinant)
            )
        return self._results["accel"]

    # ---- shared subexpressions ----

    def shared(self, *names: str) -> Shared:
        """Several results, by their methods' names, with common subexpressions named x0, x1, ...

        It takes seconds at any size. Names: fkine, jacobian, jacobian_dot, inertia, coriolis, gravload, rne,
        accel.
        """
        lines = {name: self.straight_line(name) for name in names}
        replacements: list[tuple[sp.Symbol, sp.Expr]] = []
        results: dict[str, sp.ImmutableDenseMatrix] = {}
        index: dict[sp.Expr, sp.Symbol] = {}
        for name, line in lines.items():
            results[name] = _expressions(line, self._places(line), replacements, index)
        return Shared(*_inline(replacements, results))

    def straight_line(
        self, name: str, flags: Sequence[int] | None = None, *, of: str = "tool"
    ) -> StraightLine:
        """The operations of one function in order, each once, with the parameters as a last input.

        Code printers read it. Raises SymbolicError, and MechanicsError for accelerations if nothing resists
        the motion of a joint.
        """
        if name not in EQUATIONS:
            actual = f"there are no equations `{name}`{nearest(name, list(EQUATIONS))}"
            raise SymbolicError(self.robot.name, actual, f"one of {', '.join(EQUATIONS)}")
        kernel, usual = EQUATIONS[name]
        symbols = list(self.parameters)

        def table(values: Objects) -> Objects:
            return self._builder(of).evaluate(dict(zip(symbols, values)))

        line = trace(
            kernel, self.robot.table(of), usual if flags is None else flags,
            name=name, parameters=Parameters(len(symbols), table),
        )  # fmt: skip
        return regular(self.robot, line)

    def _places(self, line: StraightLine) -> list[sp.Expr]:
        """The symbols of a line's inputs, by index."""
        by_name = {
            "q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau, PARAMETERS: tuple(self.parameters),
        }  # fmt: skip
        return [symbol for variable in line.inputs for symbol in by_name[variable.name]]

    if not TYPE_CHECKING:  # see doors.pyi
        code = door("export.robot:robot_code")

    # ---- polynomials ----

    def _builder(self, of: str = "tool") -> Builder:
        if of not in self._builders:
            self._builders[of] = Builder(self.robot, of, self._chosen)
        return self._builders[of]

    def _matrix(self, name: str, of: str = "tool", flags: tuple[int, ...] = ()) -> Any:
        key = name, of, flags
        if key not in self._results:
            builder = self._builder(of)
            leading = [*self.qd, *self.qdd, *builder.signs]
            try:
                values = self._polynomials(name, of, flags)
                made = [expression(builder.space.value(x), leading, builder.inertial) for x in values.ravel()]
            except TooManyTerms:
                raise self._too_long(name) from None
            signs = {s: sp.sign(rate) for s, rate in zip(builder.signs, self.qd)}
            shape = values.shape if values.ndim == 2 else (len(values), 1)
            self._results[key] = sp.ImmutableDenseMatrix(*shape, [x.xreplace(signs) for x in made])
        return self._results[key]

    def _polynomials(self, name: str, of: str = "tool", flags: tuple[int, ...] = ()) -> Objects:
        key = "polynomials", name, of, flags
        if key not in self._results:
            if name in DYNAMIC and self.robot.n > LONGEST_DYNAMICS:
                raise TooManyTerms
            self._results[key] = getattr(Derivation(self._builder(of), self._polynomials), name)(*flags)
        values: Objects = self._results[key]
        return values

    def _too_long(self, name: str) -> SymbolicError:
        return SymbolicError(
            self.robot.name,
            f"`{name}` of {self.robot.n} joints is too long to be written out",
            f'shared("{name}"), with common subexpressions named, or fewer parameters as symbols',
        )


DYNAMIC = ("inertia", "coriolis", "coriolis_torque", "rne")
LONGEST_DYNAMICS = 4  # joints; for more joints polynomials exceed LARGEST or take minutes
LONGEST_INVERSE = 3  # joints whose mass matrix is inverted by cofactors


class Derivation:
    """Functions of a robot as arrays of polynomials; `of` returns the arrays of other names."""

    def __init__(self, builder: Builder, of: Callable[[str], Objects]) -> None:
        self.builder, self.of = builder, of
        self.n = builder.robot.n
        self.q = np.array([Angle(i) for i in range(self.n)], object)
        self.qd, self.qdd = (
            np.array([builder.space.symbol(symbol) for symbol in symbols], object)
            for symbols in (builder.qd, builder.qdd)
        )

    def _run(self, function: Callable[..., Any], *arguments: Any, shape: tuple[int, ...]) -> Objects:
        """A kernel's source evaluated on polynomials."""
        sine_cosine = self.builder.sine_cosine
        names = {
            "sin": lambda angle: sine_cosine(angle)[0],
            "cos": lambda angle: sine_cosine(angle)[1],
            "float": lambda x: x,
        }
        table = self.builder.table
        work = np.zeros(work_shape(self.n, len(table) - 1), object)
        result = np.zeros(shape, object)
        substitute(function, names)(table, *arguments, work, result)
        return result

    def fkine(self) -> Objects:
        return self._run(tool_pose, self.q, shape=(4, 4))

    def jacobian(self, frame: int) -> Objects:
        return self._run(jacobian, self.q, frame, shape=(6, self.n))

    def jacobian_dot(self, frame: int) -> Objects:
        return self._run(jacobian_rate, self.q, self.qd, frame, shape=(6, self.n))

    def gravload(self) -> Objects:
        return self._run(gravity_load, self.q, shape=(self.n,))

    def inertia(self) -> Objects:
        """Column j is the torque for unit acceleration of joint j; body axes need few terms."""
        rest, M = np.zeros(self.n, object), np.zeros((self.n, self.n), object)
        for j in range(self.n):
            unit = np.array([int(i == j) for i in range(self.n)], object)
            M[:, j] = self._run(rnea, self.q, rest, unit, np.zeros(6), ARMATURE, shape=(self.n,))
        return M

    def coriolis(self) -> Objects:
        """C_ij = sum over k of (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_k / 2."""
        M, n, space = self.of("inertia"), self.n, self.builder.space
        D = np.empty((n, n, n), object)
        for i, j, k in np.ndindex(n, n, n):
            D[i, j, k] = space.value(M[i, j]).derivative(k, self.builder.q[k])
        C = np.empty((n, n), object)
        for i, j in np.ndindex(n, n):
            terms = ((D[i, j, k] + D[i, k, j] - D[j, k, i]) * self.qd[k] for k in range(n))
            C[i, j] = sum(terms, space.value(0)) * Fraction(1, 2)
        return C

    def coriolis_torque(self) -> Objects:
        return np.asarray(self.of("coriolis") @ self.qd)

    def friction(self) -> Objects:
        """Coulomb friction by the sign of the rate, and by its square if the directions differ."""
        total = np.empty(self.n, object)
        for i in range(self.n):
            row = self.builder.table[i]
            plus, minus = row[columns.COULOMB_PLUS], row[columns.COULOMB_MINUS]
            sign = self.builder.space.symbol(self.builder.signs[i])
            both = (plus + minus) * sign + (plus - minus) * (sign * sign)
            total[i] = row[columns.VISCOUS] * self.qd[i] + both * Fraction(1, 2)
        return total

    def rne(self) -> Objects:
        inertial, bias = self.of("inertia") @ self.qdd, self.of("coriolis_torque")
        return np.asarray(inertial + bias + self.of("gravload") + self.of("friction"))


def _parameter(robot: str, name: str, value: Any) -> sp.Expr:
    """A name, number or expression of a mapping. Raises SymbolicError."""
    try:
        if isinstance(value, str) and value.isidentifier():
            return sp.Symbol(value)
        made: Any = sp.sympify(value, rational=True)  # pyright: ignore[reportCallIssue]
    except (sp.SympifyError, TypeError, ValueError, AttributeError) as error:
        actual = f"found {value!r:.60} ({error})"
        raise SymbolicError(f"{robot}, parameters, {name}", actual, "a name, a number or a formula") from None
    angle = "alpha" in name and not (made.is_number or made.is_Symbol)
    if angle or not isinstance(made, sp.Expr) or not made.is_polynomial(*made.free_symbols):
        expected = "a symbol or a number" if "alpha" in name else "a polynomial in symbols, such as -a1/2"
        raise SymbolicError(f"{robot}, parameters, {name}", f"found {value!r:.60}", expected)
    return made


def _expressions(
    line: StraightLine, inputs: Sequence[sp.Expr],
    replacements: list[tuple[sp.Symbol, sp.Expr]], index: dict[sp.Expr, sp.Symbol],
) -> sp.ImmutableDenseMatrix:  # fmt: skip
    """The first output of a straight line; each operation gets a new name, or an equal one's name."""
    places: list[Any] = list(inputs)

    def operand(x: int | float) -> Any:
        if isinstance(x, int):
            return places[x]
        value = exact(x)
        return (
            sp.Rational(value.numerator, value.denominator)
            if value.denominator < 10**DIGITS
            else sp.Float(x, 17)
        )

    for operation in line.operations:
        operands = [operand(x) for x in operation.operands]
        made = MEANING[operation.name](*operands)
        if operation.name in ("greater", "less", "equal", "require", "neg", "abs"):
            places.append(made)
            continue
        if made not in index:
            index[made] = sp.Symbol(f"x{len(replacements)}")
            replacements.append((index[made], made))
        places.append(index[made])
    output = line.outputs[0]
    rows, width = (*output.shape, 1)[:2]
    return sp.ImmutableDenseMatrix(rows, width, [operand(x) for x in output.elements])


def _select(condition: Any, a: Any, b: Any) -> Any:
    """A case of a branch, without the mass matrix's safeguards against rounding."""
    return b if condition.has(sp.Abs) else sp.Piecewise((a, condition), (b, True))


MEANING: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "sin": sp.sin,
    "cos": sp.cos,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "greater": lambda a, b: a > b,
    "less": lambda a, b: a < b,
    "equal": sp.Eq,
    "require": lambda *_: sp.Integer(0),
    "select": _select,
}
"""Operations of a tape as SymPy writes them."""


def _inline(
    replacements: list[tuple[sp.Symbol, sp.Expr]], results: Mapping[str, Any]
) -> tuple[tuple[tuple[sp.Symbol, sp.Expr], ...], dict[str, sp.ImmutableDenseMatrix]]:
    """Remove names that are used at most once, and renumber the others."""
    uses: Counter[sp.Symbol] = Counter()
    names = {name for name, _ in replacements}
    for value in (*(value for _, value in replacements), *(x for matrix in results.values() for x in matrix)):
        uses.update(symbol for symbol in _leaves(value) if symbol in names)
    inside: dict[Any, Any] = {}
    shared: list[tuple[Any, Any]] = []
    for name, value in replacements:
        text = value.xreplace({x: inside[x] for x in value.free_symbols if x in inside})
        if uses[name] < 2 or text.is_Symbol:
            inside[name] = text
        else:
            inside[name] = sp.Symbol(f"x{len(shared)}")
            shared.append((inside[name], text))
    return tuple(shared), {
        name: matrix.xreplace({x: inside[x] for x in matrix.free_symbols if x in inside})
        for name, matrix in results.items()
    }


def _leaves(value: sp.Expr) -> Iterator[sp.Symbol]:
    for node in sp.preorder_traversal(value):
        if isinstance(node, sp.Symbol):
            yield node

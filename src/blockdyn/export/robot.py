"""Write functions of one robot as plain C, plain Python or LaTeX, with its numbers."""

from __future__ import annotations

import itertools
import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from ..base.checked import checked
from ..base.files import check_place, replacing
from ..base.words import nearest
from ..diagrams.results.errors import ResultFileError
from ..robots.calls.kernel import as_robot
from ..robots.equations.symbolic import SymbolicError, symbolic
from ..robots.equations.tape import Operation, StraightLine, Variable
from ..robots.equations.trace import EQUATIONS, PARAMETERS, regular, trace
from ..robots.mechanics.kinematics import BODY, SPACE
from ..robots.model import table as columns
from ..robots.model.robot import Robot
from .c.export import identifier
from .c.expressions import (
    ATOM,
    CHOICE,
    EQUALITY,
    KEYWORDS,
    PRODUCT,
    RELATION,
    SUM,
    UNARY,
    Expression,
    binary,
    free,
    join,
    real,
)

if TYPE_CHECKING:
    from ..robots.equations.expressions import SymbolicRobot

Language = Literal["c", "python", "latex"]
SUFFIXES = {"c": ".c", "python": ".py", "latex": ".tex"}
WIDTH = 100
LONGEST = 88  # characters of an expression that is written in place
ROUNDING = 2e-15  # of a right angle's sine and cosine
ARRAYS = frozenset({"q", "qd", "qdd", "tau"})
MACROS = frozenset((
    "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "FP_INFINITE", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO",
    "FP_FAST_FMA", "FP_FAST_FMAF", "FP_FAST_FMAL", "FP_ILOGB0", "FP_ILOGBNAN", "MATH_ERRNO",
    "MATH_ERREXCEPT", "math_errhandling", "M_E", "M_LOG2E", "M_LOG10E", "M_LN2", "M_LN10", "M_PI", "M_PI_2",
    "M_PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2", "MAXFLOAT", "linux", "unix", "i386",
))  # fmt: skip
"""Macros of <math.h> in C99 and POSIX, and of compilers without -std=c99, that replace an argument's name."""
VARIANTS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "jacobian_body": ("jacobian", (BODY,)),
    "jacobian_space": ("jacobian", (SPACE,)),
}
"""Further names: of which equations, with which flags."""
FUNCTIONS = (*EQUATIONS, *VARIANTS)
MEANING: Mapping[str, tuple[str, str]] = {
    "fkine": ("pose of the tool in the world", "4 x 4; m"),
    "jacobian": ("[v; w] = J(q) qd of the tool, in world axes", "6 x n; m/s, rad/s per rad/s or m/s"),
    "jacobian_body": ("[v; w] = J(q) qd of the tool, in its own axes", "6 x n; m/s, rad/s per rad/s or m/s"),
    "jacobian_space": ("spatial twist [v; w] = J(q) qd", "6 x n; m/s, rad/s per rad/s or m/s"),
    "jacobian_dot": ("dJ/dt of the tool, in world axes", "6 x n"),
    "rne": ("tau = M(q) qdd + C(q, qd) qd + g(q) + f(qd): inverse dynamics", "n; N m or N"),
    "gravload": ("g(q): the torques that hold the arm", "n; N m or N"),
    "coriolis": ("C(q, qd) of the Christoffel symbols", "n x n"),
    "inertia": ("mass matrix M(q), motors included", "n x n; kg m2, kg m, kg"),
    "accel": ("qdd = M(q)^-1 (tau - C(q, qd) qd - g(q) - f(qd)): forward dynamics", "n; rad/s2 or m/s2"),
}
UNITS = {"q": "rad or m", "qd": "rad/s or m/s", "qdd": "rad/s2 or m/s2", "tau": "N m or N"}
RESULT = {"fkine": "T", "rne": "tau", "gravload": "g", "coriolis": "C", "inertia": "M", "accel": "qdd"}


@dataclass(frozen=True)
class RobotCode:
    """Text of a robot's functions in one language; `str` returns it."""

    language: str
    text: str
    functions: tuple[str, ...]

    def __str__(self) -> str:
        return self.text

    def save(self, file: str | PathLike[str]) -> None:
        """Write the text into a file. Raises ResultFileError."""
        check_place(Path(file), ResultFileError)
        with replacing(Path(file), ResultFileError) as target:
            target.write(self.text.encode())


@checked(SymbolicError)
def robot_code(
    robot: Any, functions: Sequence[str] = ("fkine", "jacobian", "rne"), *, language: Language = "c",
    parameters: str | Iterable[str] | Mapping[str, Any] = "numbers", name: str | None = None,
) -> RobotCode:  # fmt: skip
    """Functions of one robot as source text without dependencies: straight-line code, each product once.

    robot       a Robot, its name in the library, or what `robots.symbolic` returns: its parameters are then
                arguments of the functions
    functions   names of `robots.functions`: fkine, jacobian, jacobian_body, jacobian_space, jacobian_dot,
                rne, gravload, coriolis, inertia, accel
    language    "c": C99 with <math.h>; "python": Python with `math`; "latex": equations, by SymPy
    parameters  numbers that become arguments, as in `robots.symbolic`; this needs SymPy too
    name        the prefix of the functions; default: the robot's name

    The code agrees with the functions of `blockdyn` to rounding. Raises SymbolicError, NotTraceable,
    UnknownRobot, and MechanicsError for the `accel` of a robot with a joint that nothing resists.
    """
    model = robot if hasattr(robot, "straight_line") else None
    robot = as_robot(robot if model is None else model.robot)
    for function in functions:
        if function not in FUNCTIONS:
            actual = f"there is no function `{function}` to export{nearest(function, FUNCTIONS)}"
            raise SymbolicError(robot.name, actual, f"some of {', '.join(FUNCTIONS)}")
    if not functions:
        raise SymbolicError(robot.name, "no functions to export", f"some of {', '.join(FUNCTIONS)}")
    if model is None and (
        language == "latex" or not (isinstance(parameters, str) and parameters == "numbers")
    ):
        model = symbolic(robot, parameters)
    if language == "latex" and model is not None:
        return RobotCode(language, _latex(model, functions), tuple(functions))
    if model is None:
        lines, symbols = [straight_line(robot, function) for function in functions], []
    else:
        lines = [model.straight_line(*find_equations(function)) for function in functions]
        symbols = list(model.parameters.items())
    style: type[CStyle | PythonStyle] = CStyle if language == "c" else PythonStyle
    printer = style(robot, identifier(name or robot.name), symbols)
    return RobotCode(language, printer.text(functions, lines), tuple(functions))


def _latex(model: SymbolicRobot, functions: Sequence[str]) -> str:
    """Equations under a comment each."""
    from ..robots.equations.shown import latex

    head = [f"% {model.robot.name}: {model.robot.title or model.robot.structure}. By blockdyn, for amsmath."]
    if model.parameters:
        values = ", ".join(f"{symbol} = {value:.12g}" for symbol, value in model.parameters.items())
        head.append(f"% {values}")
    parts = [f"% {MEANING[f][0]}\n\\[\n{latex(model, *find_equations(f))}\n\\]" for f in functions]
    return "\n".join([*head, *parts, ""])


def find_equations(function: str) -> tuple[str, tuple[int, ...]]:
    """The equations of a name, and their flags."""
    return VARIANTS.get(function) or (function, EQUATIONS[function][1])


def straight_line(robot: Robot, function: str) -> StraightLine:
    """The operations of a function with the robot's numbers, right angles exact. Raises NotTraceable,
    MechanicsError."""
    equations, flags = find_equations(function)
    table = np.array(robot.table())
    for first, width in ((columns.PLACE_R, 12), (columns.LINK_R, 12)):
        part = table[:, first : first + width]
        whole = np.round(part)
        part[...] = np.where(np.abs(part - whole) < ROUNDING, whole, part)
    return regular(robot, trace(EQUATIONS[equations][0], table, flags, name=function))


class Style:
    """Prints straight-line code in one language; C's precedence is valid for both."""

    declaration, end, comment = "", "", ("", "")
    calls: ClassVar[Mapping[str, str]] = {}
    reserved: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, robot: Robot, prefix: str, parameters: Sequence[tuple[Any, float]]) -> None:
        self.robot, self.prefix, self.parameters = robot, prefix, parameters
        names = {str(symbol) for symbol, _ in parameters}
        for name in names:
            if not name.isidentifier() or not name.isascii() or name in self.reserved or name in ARRAYS:
                actual = f"`{name}` cannot be an argument of a function"
                expected = (
                    "a name of letters, digits and _ that neither the language nor an array of states has"
                )
                raise SymbolicError(f"{robot.name}, parameters", actual, expected)
        self.taken = names | ARRAYS
        letters = (letter * k for k in itertools.count(1) for letter in "xwv")
        self.letter = next(x for x in letters if not any(name.startswith(x) for name in names))

    def result(self, function: str) -> str:
        """The name of the result's array, which no input has."""
        inputs = self.taken - {"tau", "qdd"} | ({"tau"} if function == "accel" else {"qdd"})
        return free(RESULT.get(function, "J"), inputs)

    def text(self, functions: Sequence[str], lines: Sequence[StraightLine]) -> str:
        """The whole file."""
        raise NotImplementedError

    def constant(self, x: float) -> Expression:
        """The text of a number that reads back as the same double."""
        return real(float(x).hex() if x != x else repr(float(x)))

    def choose(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        """`a` if the condition holds, otherwise `b`."""
        raise NotImplementedError

    def refuse(self, condition: str) -> str:
        """Return from the function if a requirement fails."""
        raise NotImplementedError

    def statements(self, line: StraightLine) -> tuple[list[str], list[Expression]]:
        """Statements, and the expressions of the results. Operations used once are written in place."""
        uses = [0] * (line.first + len(line.operations))
        for operands in (
            *(operation.operands for operation in line.operations),
            *(r.elements for r in line.outputs),
        ):
            for x in operands:
                if isinstance(x, int):
                    uses[x] += 1
        places = [*map(Expression, self.arguments(line))]
        lines: list[str] = []
        count = 0

        def read(x: int | float) -> Expression:
            return places[x] if isinstance(x, int) else self.constant(x)

        for k, operation in enumerate(line.operations):
            if operation.name == "require":
                condition, usual = operation.operands
                text = read(condition)
                refused = f"!({text.text})" if usual and self.calls["not"] == "!" else text.text
                refused = f"not ({text.text})" if usual and self.calls["not"] == "not" else refused
                lines += self._wrapped(self.refuse(refused))
                places.append(Expression(""))
                continue
            printed = self.expression(operation, [read(x) for x in operation.operands])
            relation = operation.name in ("greater", "less", "equal")
            if (
                not relation
                and operation.name != "neg"
                and (uses[line.first + k] > 1 or len(printed.text) > LONGEST)
            ):
                name = f"{self.letter}{count}"
                count += 1
                lines += self._wrapped(f"{self.declaration}{name} = {printed.text}{self.end}")
                printed = Expression(name)
            places.append(printed)
        return lines, [read(x) for x in line.outputs[0].elements]

    def expression(self, operation: Operation, operands: list[Expression]) -> Expression:
        """One operation."""
        match operation.name, operands:
            case ("add", [a, b]):
                return binary("+", a, b, SUM)
            case ("sub", [a, b]):
                return binary("-", a, b, SUM)
            case ("mul", [a, b]):
                return binary("*", a, b, PRODUCT)
            case ("div", [a, b]):
                return binary("/", a, b, PRODUCT)
            case ("neg", [a]):
                return join(f"-{a.within(ATOM)}", UNARY, a)
            case (("greater" | "less") as word, [a, b]):
                return binary(">" if word == "greater" else "<", a, b, RELATION)
            case ("equal", [a, b]):
                return binary("==", a, b, EQUALITY)
            case ("select", [condition, a, b]):
                return self.choose(condition, a, b)
            case (name, [a]):
                return join(f"{self.calls[name]}({a.text})", ATOM, a)
        raise AssertionError(operation)

    def arguments(self, line: StraightLine) -> list[str]:
        """The text of every input's element."""
        names = [str(symbol) for symbol, _ in self.parameters]
        return [
            names[index[0]] if name == PARAMETERS else f"{name}[{index[0]}]" for name, index in line.places()
        ]

    def inputs(self, line: StraightLine) -> list[Variable]:
        """The arrays, without parameters."""
        return [variable for variable in line.inputs if variable.name != PARAMETERS]

    def about(self, function: str, line: StraightLine) -> str:
        """The sentence above a function."""
        meaning, unit = MEANING[function]
        inputs = "; ".join(f"{v.name} ({v.size}) in {UNITS[v.name]}" for v in self.inputs(line))
        shape = (
            unit.replace("n", str(self.robot.n), 1)
            if unit.startswith("n")
            else unit.replace("x n", f"x {self.robot.n}")
        )
        shape = shape.replace("x n", f"x {self.robot.n}")
        return f"{meaning}. {inputs}. Result: {shape}. {line.count} sums and products."

    def head(self) -> list[str]:
        """Lines about the robot."""
        title = f": {self.robot.title}" if self.robot.title else ""
        lines = [f"{self.robot.name}{title}, {self.robot.structure}. Written by blockdyn."]
        if self.robot.source:
            lines.append(f"Numbers: {self.robot.source}")
        lines.append(
            "Base and tool included; gravity "
            + ", ".join(f"{x:g}" for x in self.robot.gravity)
            + " m/s2 in world axes. Matrices are stored row by row."
        )
        if self.parameters:
            values = ", ".join(f"{symbol} = {value:.12g}" for symbol, value in self.parameters)
            lines.append(f"Parameters and the values of this robot: {values}.")
        return [part for line in lines for part in wrap(line, WIDTH - 4)]

    def _wrapped(self, text: str) -> list[str]:
        return wrap(
            text, WIDTH, initial_indent="    ", subsequent_indent="        ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip


class CStyle(Style):
    """C99."""

    declaration, end = "const double ", ";"
    calls: ClassVar[Mapping[str, str]] = {
        "sin": "sin",
        "cos": "cos",
        "sqrt": "sqrt",
        "abs": "fabs",
        "not": "!",
    }
    reserved: ClassVar[frozenset[str]] = KEYWORDS | MACROS | frozenset(calls.values())

    def choose(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return join(
            f"{condition.within(EQUALITY)} ? {a.within(EQUALITY)} : {b.within(CHOICE)}",
            CHOICE,
            condition,
            a,
            b,
        )

    def refuse(self, condition: str) -> str:
        return f"if ({condition}) return 1;"

    def _find_unused(self, line: StraightLine) -> list[str]:
        """Names of arguments that the function does not read, for which compilers warn."""
        lists = [o.operands for o in line.operations] + [r.elements for r in line.outputs]
        read = {x for operands in lists for x in operands if isinstance(x, int)}
        names = [text.partition("[")[0] for text in self.arguments(line)]
        used = {name for place, name in enumerate(names) if place in read}
        return [name for name in dict.fromkeys(names) if name not in used]

    def text(self, functions: Sequence[str], lines: Sequence[StraightLine]) -> str:
        """A source file; each function stands alone."""
        parts = [
            "/* " + "\n   ".join(line.replace("*/", "* /") for line in self.head()) + " */",
            "#include <math.h>",
            "",
        ]
        for function, line in zip(functions, lines, strict=True):
            result, status = self.result(function), any(o.name == "require" for o in line.operations)
            shape = "".join(f"[{size}]" for size in line.outputs[0].shape)
            arrays = [f"const double {v.name}[{v.size}]" for v in self.inputs(line)]
            numbers = [f"double {symbol}" for symbol, _ in self.parameters]
            inputs = ", ".join([*arrays, *numbers])
            kind = "int" if status else "void"
            head = f"{kind} {self.prefix}_{function}({inputs}, double {result}{shape})"
            about = self.about(function, line)
            if status:
                about += " Returns 0, or 1 if nothing resists the motion of a joint."
            parts += wrap(f"/* {about} */", WIDTH, subsequent_indent="   ")
            parts += [*wrap(head, WIDTH, subsequent_indent="    ", break_long_words=False), "{"]
            parts += [f"    (void){name};" for name in self._find_unused(line)]
            body, values = self.statements(line)
            parts += body
            for index, value in zip(np.ndindex(line.outputs[0].shape), values):
                place = result + "".join(f"[{i}]" for i in index)
                parts += self._wrapped(f"{place} = {value.text};")
            parts += ["    return 0;"] if status else []
            parts += ["}", ""]
        return "\n".join(parts)


class PythonStyle(Style):
    """Python, with only `math`."""

    calls: ClassVar[Mapping[str, str]] = {
        "sin": "sin",
        "cos": "cos",
        "sqrt": "sqrt",
        "abs": "abs",
        "not": "not",
    }
    reserved: ClassVar[frozenset[str]] = frozenset((*keyword.kwlist, *calls.values(), "ValueError"))

    def choose(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return Expression(f"({a.text} if {condition.text} else {b.text})")

    def refuse(self, condition: str) -> str:
        return f"if {condition}: raise ValueError('nothing resists the motion of a joint')"

    def _wrapped(self, text: str) -> list[str]:
        return [f"    {text}"]

    def text(self, functions: Sequence[str], lines: Sequence[StraightLine]) -> str:
        """A module; matrices are lists of rows."""
        parts = ['"""' + "\n".join(self.head()) + '\n"""', "", "from math import cos, sin, sqrt", ""]
        for function, line in zip(functions, lines, strict=True):
            arguments = [
                *(v.name for v in self.inputs(line)),
                *(str(symbol) for symbol, _ in self.parameters),
            ]
            parts += ["", f"def {self.prefix}_{function}({', '.join(arguments)}):"]
            about = wrap(f'"""{self.about(function, line)}"""', WIDTH - 4)
            parts += [f"    {each}" for each in about]
            body, values = self.statements(line)
            parts += body
            texts = [value.text for value in values]
            shape = line.outputs[0].shape
            if len(shape) == 1:
                parts += [f"    return [{', '.join(texts)}]"]
            else:
                rows = [", ".join(texts[i : i + shape[1]]) for i in range(0, len(texts), shape[1])]
                parts += ["    return [", *(f"        [{row}]," for row in rows), "    ]"]
            parts += [""]
        return "\n".join(parts)

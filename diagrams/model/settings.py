"""Settings: the arguments of a run, each declared once.

Files, the command line, sweeps, the paths `simulate.NAME`, the documentation and the signatures of both
`simulate` use these declarations. `Arguments` repeats their names and types for type checkers and editors; a
test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from inspect import Parameter, signature
from os import PathLike
from re import findall
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from ...base.error_collector import ErrorCollector
from ...base.hints import nearest_word
from ...base.schema import POSITIVE, TEXT, TEXTS, TRUTH, Schema, integer
from .errors import RunArgumentError, several_arguments
from .setting import (
    COUNTED,
    Inputs,
    Instants,
    Kind,
    Number,
    OfMethod,
    Plain,
    Setting,
    Sweeps,
    Tolerances,
    Touches,
    Whole,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...solvers.methods.method import Method

Function = TypeVar("Function", bound=Callable[..., Any])
SOME = Number(POSITIVE)
LIMIT = Number({"type": "number", "exclusiveMinimum": 0})
_FILE: Schema = {"anyOf": [TEXT, {"type": "path"}]}


def setting(
    kind: Kind, about: str, default: Any = None, *, unit: str = "", otherwise: str = "",
    in_files: bool = True, in_sweeps: Sweeps = "", in_diagrams: bool = True,
) -> Any:  # fmt: skip
    """A field of Settings; see Setting."""
    facts = {
        "kind": kind, "about": about, "unit": unit, "otherwise": otherwise, "in_files": in_files,
        "in_sweeps": in_sweeps, "in_diagrams": in_diagrams,
    }  # fmt: skip
    return field(default=default, metadata=facts)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The arguments of a run: the caller's replace the diagram's, which replace the defaults."""

    stop: float = setting(
        Number(), "end of the run", MISSING, unit="s", otherwise="the last of `times`", in_sweeps="axis"
    )
    start: float = setting(Number(), "start of the run", 0.0, unit="s", in_sweeps="axis")
    method: str | Method = setting(  # noqa: RUF009  a field
        OfMethod(),
        "the method: auto, which is dopri5 and switches to rodas5p where the diagram is stiff; dopri5,"
        " tsit5, bs32, dop853; with fixed steps euler, heun, rk4, ab4; rodas5p and radau5, for stiff"
        " diagrams; bdf, for stiff diagrams with hundreds of states or more",
        "auto",
        in_sweeps="axis",
    )
    rtol: float | Sequence[float] = setting(
        Tolerances(), "relative tolerance of a step's error, one number or one per state", 1e-6,
        in_sweeps="axis",
    )  # fmt: skip
    atol: float | Sequence[float] = setting(
        Tolerances(), "absolute tolerance of a step's error, one number or one per state", 1e-9,
        in_sweeps="axis",
    )  # fmt: skip
    max_step: float | None = setting(
        LIMIT, "longest step", unit="s", in_sweeps="axis",
        otherwise="a fiftieth of the span; less if a source requires it",
    )  # fmt: skip
    first_step: float | None = setting(
        SOME, "first step to try", unit="s", otherwise="estimated", in_sweeps="axis"
    )
    max_steps: int | None = setting(
        Whole(integer(1, COUNTED)), "maximum number of accepted steps; a run that needs more fails",
        otherwise="ten million, and ten for each tick, time event, and `step` or `max_step` in the span",
        in_sweeps="all",
    )  # fmt: skip
    max_log: float | None = setting(
        LIMIT, "maximum memory for rows; beyond it the result keeps fewer steps, evenly spaced, and says so",
        unit="B", otherwise="2e9", in_sweeps="output",
    )  # fmt: skip
    max_time: float | None = setting(
        LIMIT,
        "maximum wall-clock time; a run that takes longer fails, even inside a block that does not return",
        unit="s", otherwise="no limit", in_sweeps="all",
    )  # fmt: skip
    step: float | None = setting(
        SOME, "step of methods with fixed steps; an error with other methods", unit="s",
        otherwise="none", in_sweeps="axis",
    )  # fmt: skip
    times: ArrayLike | None = setting(  # noqa: RUF009  a field
        Instants(), "increasing times of the rows; by dense output", unit="s",
        otherwise="at every step", in_sweeps="output",
    )  # fmt: skip
    every: float | None = setting(
        SOME, "time between rows, counted from `start`; by dense output", unit="s",
        otherwise="at every step", in_sweeps="output",
    )  # fmt: skip
    refine: int = setting(Whole(integer(1, 1000)), "rows per step, by dense output", 1, in_sweeps="output")
    log: Sequence[str] | None = setting(
        Plain(TEXTS, 'a list of paths, such as log=["motor", "plant/arm.q"]'),
        "the signals to keep, by path", in_files=False, in_sweeps="output",
        otherwise="the diagram's `log`, or all outputs of its own blocks",
    )  # fmt: skip
    states: bool = setting(
        Plain(TRUTH), "whether continuous states are kept too", True, in_files=False, in_sweeps="output"
    )
    compiled: bool = setting(
        Plain(TRUTH), "False runs every block in Python, for breakpoints", True,
        in_files=False, in_sweeps="all",
    )  # fmt: skip
    progress: bool | None = setting(
        Plain(TRUTH), "progress bar: True always, False never", in_files=False, in_sweeps="output",
        otherwise="on a terminal, once a run has lasted a second",
    )  # fmt: skip
    seed: int | None = setting(
        Whole(integer(0)), "seed of all random streams", otherwise="0", in_sweeps="axis"
    )
    scenario: int = setting(
        Whole(integer(0)),
        "which of the random streams of this seed: scenario k of a sweep has number k",
        0,
        in_files=False,
        in_diagrams=False,
    )
    on_zeno: Literal["error", "stop"] = setting(
        Plain({"type": "string", "enum": ["error", "stop"]}),
        "reaction to events that accumulate: an error, or `stop`, which ends the run, incomplete",
        "error", in_sweeps="axis",
    )  # fmt: skip
    loops: Literal["error", "solve"] = setting(
        Plain({"type": "string", "enum": ["error", "solve"]}),
        "treatment of algebraic loops: an error, or `solve`, which solves them as equations",
        "error", in_sweeps="all",
    )  # fmt: skip
    stream: str | PathLike[str] | None = setting(  # noqa: RUF009  a field
        Plain(_FILE, "the path of a .parquet or .csv file"),
        "a .parquet or .csv file that takes the rows as they come; the result then names its `file`, for"
        " `load_result`. It is loadable, and marked incomplete, also when the run fails, the disk fills up,"
        " SIGINT or SIGTERM ends it; events stay in memory until then",
        in_files=False, in_sweeps="output", in_diagrams=False, otherwise="none",
    )  # fmt: skip
    initial: Mapping[str, ArrayLike] | None = setting(
        Plain({"type": "object"}, 'states by path: {"plant.x": [0.0, 1.0]}'),
        "initial values of states and of outputs of sampled blocks, by path:"
        ' {"plant.x": [1.0, 0.0]}; see Result.final_states',
        otherwise="initial values of the blocks", in_files=False,
    )  # fmt: skip
    inputs: Mapping[str, Any] | None = setting(
        Inputs(),
        'values of the outermost Inports, by name: a number or an array; {"times": [...], "values": [...]},'
        ' with "hold": true for steps',
        otherwise="their defaults",
    )  # fmt: skip
    touches: Sequence[Any] | None = setting(
        Touches(),
        'values of parameters, inputs and states that change during the run: [{"at": 2.0, "set":'
        ' {"kp": 3.0}}], times in s',
        otherwise="none",
    )


class Arguments(TypedDict, total=False):
    """Settings as keyword arguments; None means not given."""

    stop: float | None
    start: float | None
    method: str | Method | None
    rtol: float | Sequence[float] | None
    atol: float | Sequence[float] | None
    max_step: float | None
    first_step: float | None
    max_steps: int | None
    max_log: float | None
    max_time: float | None
    step: float | None
    times: ArrayLike | None
    every: float | None
    refine: int | None
    log: Sequence[str] | None
    states: bool | None
    compiled: bool | None
    progress: bool | None
    seed: int | None
    scenario: int | None
    on_zeno: Literal["error", "stop"] | None
    loops: Literal["error", "solve"] | None
    stream: str | PathLike[str] | None
    initial: Mapping[str, ArrayLike] | None
    inputs: Mapping[str, Any] | None
    touches: Sequence[Any] | None


SETTINGS = {each.name: Setting(each.name, default=each.default, **each.metadata) for each in fields(Settings)}
NAMES = tuple(SETTINGS)
IN_DIAGRAMS = tuple(name for name, each in SETTINGS.items() if each.in_diagrams)
IN_FILES = tuple(name for name, each in SETTINGS.items() if each.in_files)
AXES = tuple(name for name, each in SETTINGS.items() if each.in_sweeps == "axis")
COMMON = tuple(name for name, each in SETTINGS.items() if each.in_sweeps == "all")
OUTPUT = tuple(name for name, each in SETTINGS.items() if each.in_sweeps == "output")
"""What says which rows are kept, and where; in a sweep its measures say it."""


def checked(simulation: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a diagram's runs, each value checked separately.

    Raises one RunArgumentError for all invalid values.
    """
    errors = ErrorCollector(RunArgumentError, several_arguments)
    for name, value in simulation.items():
        with errors:
            if name not in IN_DIAGRAMS:
                hint = nearest_word(name, IN_DIAGRAMS)
                expected = f"a diagram's settings to be among {', '.join(IN_DIAGRAMS)}{hint}"
                raise RunArgumentError(name, value, expected)
            if value is not None:
                SETTINGS[name].read(value)
    errors.finish()
    return dict(simulation)


def takes_settings(function: Function) -> Function:
    """Decorate a function of `Arguments`: add them to its signature and at `{settings}` in its docstring."""
    declared = signature(function)
    named = [
        each for each in declared.parameters.values()
        if each.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    ]  # fmt: skip
    types = Arguments.__annotations__
    settings = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=types[name].__forward_arg__)
        for name in NAMES
    ]
    function.__signature__ = declared.replace(parameters=[*named, *settings])  # type: ignore[attr-defined]
    text = function.__doc__ or ""
    before, place, after = text.partition("{settings}")
    if place:
        margin = before.rpartition("\n")[2]  # none from Python 3.13 on
        function.__doc__ = before + f"\n{margin}".join(described()) + after
    return function


def described() -> list[str]:
    """The docstring lines of the settings, one or more for each."""
    lines: list[str] = []
    for each in SETTINGS.values():
        default = f" [{each.default_text}]" if each.default_text else ""
        first, *more = findall(r".{1,88}(?: |$)", f"{each.text}{default}")  # textwrap takes milliseconds
        lines += [f"{each.name:<12}{first}", *(" " * 12 + line for line in more)]
    return [line.rstrip() for line in lines]

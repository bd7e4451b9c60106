"""Write a step of the default method into a program: its stages, and rows at the quarters of the step.

The program's equations are inlined in the step, so that states and derivatives stay in registers.
Each sum has the same order as in `make_written_out` of `solvers.steps.explicit`: both take the same step,
bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ....solvers.methods import WRITTEN_OUT
from ..instructions.functions import between_events
from ..plan.layout import Plan
from ..plan.unit import Source
from .functions import POINTERS, TABLE, Text, finish
from .printing import write
from .writer import InMemory, Writer, copy, double

NAMES = ("stages", "quarters")
INNER = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
_ARRAYS = ("x", "K", "out", "G", "memory")
_HEAD = "double %t, double %t_new, double %h, " + ", ".join(f"ptr noalias %{name}" for name in _ARRAYS)


def step_functions(text: Text, columns: Sequence[tuple[Source, int]]) -> list[str]:
    """`stages` and `quarters`; `columns` are the signals of a row and their numbers of elements.

        stages(t, t_new, h, x, K, x_new, G, memory)    the state at t_new = t + h, and all signals there;
                                                      derivatives into K, crossings into G, from row 2 on
        quarters(t, t_new, h, x, K, rows, G, memory)   three rows: a quarter, a half, three quarters of a step

    K has the derivative at the start in its first row. `stages` returns as `derivative` and `evaluate` do,
    `quarters` 1 when a signal of a row is not finite.
    """
    return [_inner(text, columns), _stages(text.plan), _quarters(text.plan, 2 + sum(n for _, n in columns))]


def _inner(text: Text, columns: Sequence[tuple[Source, int]]) -> str:
    """A row's signals at (t, x), into %dx after time and flag."""
    body = text.body()
    writer = body.writer
    write(body, between_events(text.plan, [source for source, _ in columns]))
    at, total = 2, double(0.0)
    for source, count in columns:
        copy(writer, body.values[source], "%dx", at)
        for i in range(at, at + count):
            part = writer.do(f"fmul double {writer.load('%dx', i)}, 0.0")
            total = writer.do(f"fadd double {total}, {part}")
        at += count
    bad = writer.do(f"fcmp uno double {total}, {total}")
    return finish(body, "inner", writer.do(f"zext i1 {bad} to i64"), entered=False)


def _stages(plan: Plan) -> str:
    writer, method, n = Writer(), WRITTEN_OUT, plan.states
    table = _table(writer)
    x = [writer.load("%x", i) for i in range(n)]
    slopes = [[writer.load("%K", i) for i in range(n)]]
    last = method.stages - 1
    for j in range(1, last + 1):
        weights = [float(w) for w in method.a[j]]
        trial = "%out" if j == last else writer.slot(f"[{max(n, 1)} x double]")
        for i in range(n):
            total = _sum(writer, [(w, slopes[k][i]) for k, w in enumerate(weights) if w])
            moved = writer.do(f"fmul double %h, {total}")
            writer.store(writer.do(f"fadd double {x[i]}, {moved}"), trial, i)
        if j == last:
            _call(writer, "evaluate", "%t_new", trial, writer.at("%K", last * n), table)
            break
        slope = writer.slot(f"[{max(n, 1)} x double]")
        _call(writer, "derivative", _time(writer, float(method.c[j])), trial, slope, table)
        slopes.append([writer.load(slope, i) for i in range(n)])
        for i in range(n):
            writer.store(slopes[j][i], "%K", j * n + i)
        copy(writer, InMemory((plan.crossings,), table["g"]), "%G", j * plan.crossings)
    writer.put("ret i64 0")
    return writer.text(f"define i64 @stages({_HEAD})")


def _quarters(plan: Plan, width: int) -> str:
    writer, method, n = Writer(), WRITTEN_OUT, plan.states
    table = _table(writer)
    x = [writer.load("%x", i) for i in range(n)]
    first = [writer.load("%K", i) for i in range(n)]
    used = [j for j in range(1, method.stages) if any(method.dense[j])]
    apart = {
        j: [writer.do(f"fsub double {writer.load('%K', j * n + i)}, {first[i]}") for i in range(n)]
        for j in used
    }
    for place, theta in enumerate(INNER):
        weights = {
            j: float(sum(w * theta ** (power + 1) for power, w in enumerate(method.dense[j]))) for j in used
        }
        trial = writer.slot(f"[{max(n, 1)} x double]")
        for i in range(n):
            terms = [(float(theta), first[i]), *((weights[j], apart[j][i]) for j in used)]
            moved = writer.do(f"fmul double %h, {_sum(writer, terms)}")
            writer.store(writer.do(f"fadd double {x[i]}, {moved}"), trial, i)
        time = _time(writer, float(theta))
        row = writer.at("%out", place * width)
        writer.store(time, row)
        writer.store(double(0.0), row, 1)
        _call(writer, "inner", time, trial, row, table)
    writer.put("ret i64 0")
    return writer.text(f"define i64 @quarters({_HEAD})")


def _sum(writer: Writer, terms: Sequence[tuple[float, str]]) -> str:
    """w1 v1 + w2 v2 + ..., from the left."""
    products = [writer.do(f"fmul double {double(w)}, {value}") for w, value in terms]
    total = products[0]
    for product in products[1:]:
        total = writer.do(f"fadd double {total}, {product}")
    return total


def _time(writer: Writer, fraction: float) -> str:
    """t + fraction h."""
    return writer.do(f"fadd double %t, {writer.do(f'fmul double {double(fraction)}, %h')}")


def _table(writer: Writer) -> dict[str, str]:
    """The program's arrays by name."""
    return {name: writer.load("%memory", word, "ptr") for name, word in TABLE.items()}


def _call(writer: Writer, name: str, time: str, x: str, dx: str, table: dict[str, str]) -> None:
    """A function of the program, written in place; a status other than 0 ends the step."""
    places = {"x": x, "dx": dx, **table}
    passed = ", ".join(f"ptr {places[pointer]}" for pointer in POINTERS)
    status = writer.do(f"call i64 @{name}_body(double {time}, {passed}) alwaysinline")
    good, bad = writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp eq i64 {status}, 0')}, label %{good}, label %{bad}")
    writer.begin(bad)
    writer.put(f"ret i64 {status}")
    writer.begin(good)

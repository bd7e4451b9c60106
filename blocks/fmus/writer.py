"""Write the code that every FMU needs: initialization, iteration at events, inputs and outputs.

Each evaluation sets time, states and inputs, unless the instance has them already, so that steps may be
tried, rejected and tried again.

Sources: Functional Mock-up Interface 2.0.4, sections 3.2 and 4.2, and 3.0.2, sections 2.3, 3.2 and 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .function_text import HEAD, Function
from .interface import (
    CHANGED,
    ERROR,
    FIRST,
    INFO,
    INITIALIZING,
    NEXT,
    PHASE,
    READ,
    ROUNDS,
    RUNNING,
    STATUS,
    STOP,
    TIME,
    TOLERANCE,
    TOO_MANY_ROUNDS,
    Interface,
    Places,
    Signal,
    passed_as,
)

TANGENT = "_tangent"  # suffix of the name of a function's tangent


class Writer:
    """Writes the text of an FMU of either kind."""

    def __init__(self, spec: Interface) -> None:
        self.spec, self.places = spec, Places(spec)
        self.three = spec.version == 3

    def text(self) -> str:
        """The functions that the block calls, and those that they call."""
        spec = self.spec
        parts = [HEAD, self._enter(), self._leave()]
        parts += [self._iterate()] if spec.exchange or spec.event_mode else []
        parts += [self._set(k) for k in range(len(spec.inputs))]
        parts += [self._get(k) for k in range(len(spec.outputs))]
        parts += [self._read(g) for g in range(len(spec.groups))]
        parts += [self._output(k) for k in range(len(spec.outputs))]
        return "".join([*parts, *self.parts(), self._mode()])

    def tangents(self) -> list[str]:
        """The tangents of functions that the block calls."""
        return []

    def parts(self) -> list[str]:
        """The functions for one kind only."""
        return []

    def arguments(self, role: str, inputs: Sequence[int] | None = None) -> list[str]:
        """The names of the arguments that the block gives to one of these functions."""
        spec = self.spec
        needed = range(len(spec.inputs)) if inputs is None else inputs
        names = ["instance", "t"]
        names += ["states"] if spec.states and spec.exchange and role != "update" else []
        names += ["sample_time"] if role == "update" else []
        names += [spec.inputs[k].port for k in needed]
        return names

    def _head(self, name: str, inputs: Sequence[int], *others: str, result: str = "void") -> Function:
        spec = self.spec
        typed = ["i64 %handle", "double %t"]
        typed += ["ptr %x"] if spec.states and spec.exchange and name != "update" else []
        typed += ["double %h"] if name == "update" else []
        typed += [self._typed(k) for k in inputs]
        return Function(f"{result} @{name}({', '.join([*typed, *others])})", spec, self.places, handle=True)

    def _typed(self, k: int) -> str:
        return f"{'ptr' if self.spec.inputs[k].shape else 'double'} %u{k}"

    def _inner(self, head: str) -> Function:
        return Function(f"internal i1 {head}", self.spec, self.places, handle=False)

    def _enter(self) -> str:
        """Begin the initialization at a time."""
        f = self._inner("@enter(ptr %i, double %t)")
        tolerance = f.load("double", TOLERANCE)
        defined = f.do(f"fcmp ogt double {tolerance}, 0.0")
        if self.three:
            arguments = f"i1 zeroext {defined}", f"double {tolerance}", "double %t", "i1 zeroext false"
            f.fmi("EnterInitializationMode", *arguments, "double 0.0")
        else:
            defined = f.do(f"zext i1 {defined} to i32")
            arguments = f"i32 {defined}", f"double {tolerance}", "double %t", "i32 0"
            f.fmi("SetupExperiment", *arguments, "double 0.0")
            f.fmi("EnterInitializationMode")
        f.store(f"i64 {INITIALIZING}", PHASE)
        f.store("double %t", TIME)
        f.store("i64 1", FIRST)
        return f.end("i1 false", "i1 true")

    def _leave(self) -> str:
        """End the initialization."""
        spec = self.spec
        f = self._inner("@leave(ptr %i)")
        f.fmi("ExitInitializationMode")
        if spec.exchange or spec.event_mode:
            f.call("iterate", "ptr %i")
        if spec.exchange:
            if spec.states:
                f.fmi("GetContinuousStates", f"ptr {f.word('initial x')}", f"i64 {spec.states}")
            f.fmi("EnterContinuousTimeMode")
            f.store("double 0x7FF8000000000000", TIME)  # any value counts as new
        elif spec.event_mode:
            f.fmi("EnterStepMode")
        f.store(f"i64 {RUNNING}", PHASE)
        return f.end("i1 false", "i1 true")

    def _iterate(self) -> str:
        """Iterate the discrete states until they settle; record the next event and a request to stop."""
        f = self._inner("@iterate(ptr %i)")
        f.store("i64 0", CHANGED)
        f.put("br label %again")
        f.begin("again")
        f.put("%round = phi i64 [ 0, %entry ], [ %next_round, %more ]")
        if self.three:
            for k in range(2):
                f.store("i64 0", INFO + k)
            info = f.word(INFO)
            places = [f.do(f"getelementptr i8, ptr {info}, i64 {k}") for k in range(5)]
            place = f.word(INFO, 1)
            f.fmi("UpdateDiscreteStates", *(f"ptr {p}" for p in places), f"ptr {place}")
            flags = [f.do(f"load i8, ptr {p}") for p in places]
            needed, stop, _, values, defined = (f.do(f"icmp ne i8 {flag}, 0") for flag in flags)
        else:
            for k in range(4):
                f.store("i64 0", INFO + k)
            info = f.word(INFO)
            f.fmi("NewDiscreteStates", f"ptr {info}")
            flags = [
                f.do(f"load i32, ptr {f.do(f'getelementptr i32, ptr {info}, i64 {k}')}") for k in range(5)
            ]
            needed, stop, _, values, defined = (f.do(f"icmp ne i32 {flag}, 0") for flag in flags)
            place = f.word(INFO, 3)
        upcoming = f.do(f"load double, ptr {place}")
        upcoming = f.do(f"select i1 {defined}, double {upcoming}, double 0x7FF0000000000000")
        f.store(f"double {upcoming}", NEXT)
        f.note(values, CHANGED)
        f.note(stop, STOP)
        goes_on = f.do(f"and i1 {needed}, {f.do(f'xor i1 {stop}, true')}")
        f.put(f"br i1 {goes_on}, label %more, label %end")
        f.begin("more")
        f.put("%next_round = add i64 %round, 1")
        f.put(f"%few = icmp ult i64 %next_round, {ROUNDS}")
        f.put("br i1 %few, label %again, label %unsettled")
        f.begin("unsettled")
        f.do(f"call i1 @note(ptr %i, i32 {ERROR}, i64 {TOO_MANY_ROUNDS})")
        f.put("ret i1 true")
        f.begin("end")
        return f.end("i1 false", "i1 true")

    def _set(self, k: int) -> str:
        """Pass an input to the FMU if its value has changed; a discrete input only when it may change."""
        signal, start = self.spec.inputs[k], self.places.inputs[k]
        f = self._inner(f"@set{k}(ptr %i, {self._typed(k)}, i1 %discrete)")
        now, last = f.word("now", start), f.word("last", start)
        if signal.shape:
            f.copy(now, f"%u{k}", signal.count)
        else:
            f.put(f"store double %u{k}, ptr {now}")
        f.leave_if(f.do(f"xor i1 {f.differ(now, last, signal.count)}, true"), "end")
        if not signal.continuous:
            f.leave_if(f.do("xor i1 %discrete, true"), "end")
        f.copy(last, now, signal.count)
        name, kind, signed = passed_as(signal.type, self.spec.version)
        raw = now
        if kind != "double":
            raw = f.word("room")
            for j in range(signal.count):
                value = f.do(f"load double, ptr {f.do(f'getelementptr double, ptr {now}, i64 {j}')}")
                value = self._narrowed(f, value, signal.type, kind, signed)
                f.put(f"store {kind} {value}, ptr {f.do(f'getelementptr {kind}, ptr {raw}, i64 {j}')}")
        f.fmi(f"Set{name}", *self._values(f, signal, raw))
        f.put("br label %end")
        f.begin("end")
        return f.end("i1 false", "i1 true")

    def _values(self, f: Function, signal: Signal, raw: str) -> Iterator[str]:
        yield f"ptr {f.word(f'of {signal.port}')}"
        yield f"i64 {len(signal.variables)}"
        yield f"ptr {raw}"
        if self.three:
            yield f"i64 {signal.count}"

    @staticmethod
    def _narrowed(f: Function, value: str, of: str, kind: str, signed: bool) -> str:
        """A number in the type of a variable: rounded, or true above 0.5."""
        if of == "Boolean":
            return f.do(f"zext i1 {f.do(f'fcmp ogt double {value}, 0.5')} to {kind}")
        if kind == "float":
            return f.do(f"fptrunc double {value} to float")
        rounded = f.do(f"call double @llvm.rint.f64(double {value})")
        letter = "s" if signed else "u"
        return f.do(f"call {kind} @llvm.fpto{letter}i.sat.{kind}.f64(double {rounded})")

    def _get(self, k: int) -> str:
        """Read an output from the FMU."""
        signal = self.spec.outputs[k]
        f = self._inner(f"@get{k}(ptr %i, ptr %raw)")
        f.fmi(f"Get{passed_as(signal.type, self.spec.version)[0]}", *self._values(f, signal, "%raw"))
        return f.end("i1 false", "i1 true")

    def _read(self, g: int) -> str:
        """Read a group of outputs, unless they have been read since the FMU was changed."""
        signals = [self.spec.outputs[k] for k in self.spec.groups[g]]
        f = self._inner(f"@read{g}(ptr %i)")
        read, bit = f.load("i64", READ), 1 << g
        f.leave_if(f.do(f"icmp ne i64 {f.do(f'and i64 {read}, {bit}')}, 0"), "end")
        counts = sum(len(signal.variables) for signal in signals), sum(signal.count for signal in signals)
        arguments = [f"ptr {f.word(f'of group {g}')}", f"i64 {counts[0]}", f"ptr {f.word(f'group {g}')}"]
        arguments += [f"i64 {counts[1]}"] if self.three else []
        f.fmi(f"Get{passed_as(signals[0].type, self.spec.version)[0]}", *arguments)
        f.store(f"i64 {f.do(f'or i64 {read}, {bit}')}", READ)
        f.put("br label %end")
        f.begin("end")
        return f.end("i1 false", "i1 true")

    def _place(self, f: Function, k: int, target: str) -> str:
        """Read an output, into a target or with its group; the place of its elements."""
        for g, group in enumerate(self.spec.groups):
            if k in group:
                before = group[: group.index(k)]
                f.call(f"read{g}", "ptr %i")
                return f.word(f"group {g}", sum(self.spec.outputs[other].count for other in before))
        f.call(f"get{k}", f"ptr %i, ptr {target}")
        return target

    def _prepare(self, f: Function, inputs: Sequence[int]) -> None:
        """Begin an evaluation with these inputs; the run begins if they are complete, or with a step."""
        spec = self.spec
        x = ", ptr %x" if spec.states else ""
        if spec.exchange:
            f.call("begin", f"ptr %i, double %t{x}")
        else:
            f.leave_if(f.is_set(STATUS), "failed")
            new, here = f.label(), f.label()
            f.put(f"br i1 {f.is_set(PHASE)}, label %{here}, label %{new}")
            f.begin(new)
            f.call("enter", "ptr %i, double %t")
            f.put(f"br label %{here}")
            f.begin(here)
        discrete = "true"
        if spec.exchange:
            discrete = f.do(f"icmp ne i64 {f.load('i64', PHASE)}, {RUNNING}")
        for k in inputs:
            f.call(f"set{k}", f"ptr %i, {self._typed(k)}, i1 {discrete}")

    def _started(self, f: Function) -> None:
        """End the initialization if it has not ended."""
        spec = self.spec
        phase = f.do(f"icmp eq i64 {f.load('i64', PHASE)}, {INITIALIZING}")
        leave, here = f.label(), f.label()
        f.put(f"br i1 {phase}, label %{leave}, label %{here}")
        f.begin(leave)
        f.call("leave", "ptr %i")
        if spec.exchange:
            f.call("begin", f"ptr %i, double %t{', ptr %x' if spec.states else ''}")
        f.put(f"br label %{here}")
        f.begin(here)

    def _output(self, k: int) -> str:
        """An output; in Co-Simulation its value after the last step."""
        spec, signal = self.spec, self.spec.outputs[k]
        needed = spec.feedthrough[k] if spec.exchange else ()
        extra = ("ptr %y",) if signal.shape else ()
        f = self._head(f"output{k}", needed, *extra, result="void" if signal.shape else "double")
        self._prepare(f, needed)
        _, kind, signed = passed_as(signal.type, spec.version)
        raw = "%y" if signal.shape and kind == "double" else f.word("room")
        place = self._place(f, k, raw)
        if place != raw and raw == "%y":
            f.copy("%y", place, signal.count)
        raw = place
        values = []
        for j in range(signal.count) if kind != "double" or not signal.shape else ():
            value = f.do(f"load {kind}, ptr {f.do(f'getelementptr {kind}, ptr {raw}, i64 {j}')}")
            if kind == "float":
                value = f.do(f"fpext float {value} to double")
            elif kind != "double":
                value = f.do(f"{'s' if signed else 'u'}itofp {kind} {value} to double")
            values.append(value)
            if signal.shape:
                f.put(f"store double {value}, ptr {f.do(f'getelementptr double, ptr %y, i64 {j}')}")
        if not signal.shape:
            return f.end(f"double {values[0]}", "double 0x7FF8000000000000")
        f.put("ret void")
        f.begin("failed")
        f.copy("%y", f.word("not numbers"), signal.count)
        return f.end("void")

    def _mode(self) -> str:
        """1 if the FMU requests the end of the run."""
        f = Function("double @mode(i64 %handle)", self.spec, self.places, handle=True)
        return f.end(f"double {f.do(f'uitofp i1 {f.is_set(STOP)} to double')}")

    def names(self) -> list[str]:
        """The functions that the block calls."""
        return [*(f"output{k}" for k in range(len(self.spec.outputs))), "mode"]

"""Write the code of Model Exchange: derivatives, event indicators and events."""

from __future__ import annotations

from collections.abc import Sequence

from .function_text import Function
from .interface import (
    CHANGED,
    ERROR,
    EVENT_TIME,
    FIRST,
    INFO,
    NEW,
    NEXT,
    PHASE,
    RUNNING,
    STATUS,
    STOP,
    TIME,
    WARNING,
)
from .writer import TANGENT, Writer

# rows of tangents: of element k along direction j at k lanes + j; null is zeros
_ROWS = """
declare double @llvm.fabs.f64(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal i1 @gather(ptr %from, ptr %to, i64 %n, i64 %lanes, i64 %lane) {
entry:
  %none = icmp eq ptr %from, null
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %stored ]
  %any = phi i1 [ false, %entry ], [ %any1, %stored ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %one, label %end
one:
  br i1 %none, label %stored, label %moving
moving:
  %row = mul i64 %k, %lanes
  %index = add i64 %row, %lane
  %at = getelementptr double, ptr %from, i64 %index
  %loaded = load double, ptr %at
  br label %stored
stored:
  %value = phi double [ 0.0, %one ], [ %loaded, %moving ]
  %place = getelementptr double, ptr %to, i64 %k
  store double %value, ptr %place
  %moves = fcmp une double %value, 0.0
  %any1 = or i1 %any, %moves
  %k1 = add i64 %k, 1
  br label %next
end:
  ret i1 %any
}
define internal void @scatter(ptr %from, ptr %to, i64 %n, i64 %lanes, i64 %lane) {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %one ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %one, label %end
one:
  %source = getelementptr double, ptr %from, i64 %k
  %value = load double, ptr %source
  %row = mul i64 %k, %lanes
  %index = add i64 %row, %lane
  %at = getelementptr double, ptr %to, i64 %index
  store double %value, ptr %at
  %k1 = add i64 %k, 1
  br label %next
end:
  ret void
}
define internal void @add_slope(ptr %later, ptr %earlier, ptr %to, i64 %n, double %by) {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %one ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %one, label %end
one:
  %p = getelementptr double, ptr %later, i64 %k
  %q = getelementptr double, ptr %earlier, i64 %k
  %r = getelementptr double, ptr %to, i64 %k
  %a = load double, ptr %p
  %b = load double, ptr %q
  %c = load double, ptr %r
  %d = fsub double %a, %b
  %e = fmul double %d, %by
  %f = fadd double %c, %e
  store double %f, ptr %r
  %k1 = add i64 %k, 1
  br label %next
end:
  ret void
}
"""
TIME_STEP = "0x3EB0C6F7A0B5ED8D"
"""1e-6, for differences in time: relative to the time or to 1 s. FMUs provide no derivatives by time."""


class ExchangeWriter(Writer):
    """Writes the text of an FMU for Model Exchange."""

    def parts(self) -> list[str]:
        spec = self.spec
        parts = [self._begin(), self._snapshot(), self._jump()]
        parts += [self._filled("derivative", "d_x", spec.states)] if spec.states else []
        parts += [self._filled("crossing", "z", spec.indicators)] if spec.indicators else []
        if spec.directional is not None:
            parts += [_ROWS, *map(self._tangent, self._differentiated())]
        return [*parts, *([self._remember()] if spec.completed else [])]

    def _differentiated(self) -> list[str]:
        """The functions that have a tangent."""
        outputs = [f"output{k}" for k in self.spec.directional or ()]
        return [*(["derivative"] if self.spec.states else []), *outputs]

    def tangents(self) -> list[str]:
        named = self._differentiated() if self.spec.directional is not None else []
        return [f"{name}{TANGENT}" for name in named]

    def _tangent(self, name: str) -> str:
        """Derivatives, or an output, with tangents: the FMU's directional derivatives, differences in time.

        If the FMU returns an error, the tangents are NaN, and solvers use differences.
        """
        spec = self.spec
        k = -1 if name == "derivative" else int(name.removeprefix("output"))
        needed: Sequence[int] = range(len(spec.inputs)) if k < 0 else spec.feedthrough[k]
        count = spec.states if k < 0 else spec.outputs[k].count
        scalar = k >= 0 and not spec.outputs[k].shape
        target = [] if scalar else ["ptr %y"]
        moved = ["ptr %t_d", *(["ptr %x_d"] if spec.states else []), *(f"ptr %u{j}_d" for j in needed)]
        kind = "double" if scalar else "void"
        f = self._head(f"{name}{TANGENT}", needed, *target, *moved, "ptr %y_d", "i64 %lanes", result=kind)
        passed = ["i64 %handle", "double %t", *(["ptr %x"] if spec.states else [])]
        passed += [*map(self._typed, needed), *target]
        f.put(f"{'%result = ' if scalar else ''}call {kind} @{name}({', '.join(passed)})")
        f.leave_if(f.is_set(STATUS), "failed")
        f.put("br label %begin")
        f.begin("begin")
        f.put("br label %next")
        f.begin("next")
        f.put("%lane = phi i64 [ 0, %begin ], [ %lane_1, %put ]")
        f.put("%more = icmp ult i64 %lane, %lanes")
        f.put("br i1 %more, label %direction, label %end")
        f.begin("direction")
        self._ask(f, k, needed, count)
        f.begin("put")
        f.put(f"call void @scatter(ptr {f.word('answer')}, ptr %y_d, i64 {count}, i64 %lanes, i64 %lane)")
        f.put("%lane_1 = add i64 %lane, 1")
        f.put("br label %next")
        f.begin("failed")
        f.put("br label %fill")
        f.begin("fill")
        f.put("%place = phi i64 [ 0, %failed ], [ %place_1, %filled ]")
        total = f.do(f"mul i64 %lanes, {count}")
        f.put(f"br i1 {f.do(f'icmp ult i64 %place, {total}')}, label %filled, label %end")
        f.begin("filled")
        f.put(f"store double 0x7FF8000000000000, ptr {f.do('getelementptr double, ptr %y_d, i64 %place')}")
        f.put("%place_1 = add i64 %place, 1")
        f.put("br label %fill")
        f.begin("end")
        return f.end("double %result" if scalar else "void")

    def _ask(self, f: Function, k: int, needed: Sequence[int], count: int) -> None:
        """Write the tangents of output k along one direction, or of the derivatives if k is -1, to the
        answer."""
        spec, continuous = self.spec, k < 0 or self.spec.outputs[k].continuous
        answer, at = f.word("answer"), 0
        f.put(f"call void @llvm.memset.p0.i64(ptr {answer}, i8 0, i64 {8 * count}, i1 false)")
        if not continuous:
            f.put("br label %put")
            return
        any_of, listed = "false", 0
        rows = [("%x_d", spec.states, spec.state_variables)] if spec.states else []
        for j in spec.moving:
            source = f"%u{j}_d" if j in needed else "null"
            rows.append((source, spec.inputs[j].count, len(spec.inputs[j].variables)))
        for source, size, variables in rows:
            place = f.word("seed", at)
            moves = f.do(f"call i1 @gather(ptr {source}, ptr {place}, i64 {size}, i64 %lanes, i64 %lane)")
            any_of = f.do(f"or i1 {any_of}, {moves}")
            at, listed = at + size, listed + variables
        f.put(f"br i1 {any_of}, label %ask, label %time")
        f.begin("ask")
        row = "of slopes" if k < 0 else f"of {spec.outputs[k].port}"
        answers = spec.state_variables if k < 0 else len(spec.outputs[k].variables)
        arguments = [f"ptr {f.word(row)}", f"i64 {answers}", f"ptr {f.word('of known')}", f"i64 {listed}"]
        arguments += [f"ptr {f.word('seed')}", *([f"i64 {at}"] if self.three else [])]
        arguments += [f"ptr {answer}", *([f"i64 {count}"] if self.three else [])]
        status = f.status("GetDirectionalDerivative", *arguments)
        f.put(f"br i1 {f.do(f'icmp ule i32 {status}, {WARNING}')}, label %time, label %refused")
        f.begin("refused")
        f.leave_if(f.do(f"icmp ule i32 {status}, {ERROR}"), "failed")
        number = spec.functions().index("GetDirectionalDerivative")
        f.do(f"call i1 @note(ptr %i, i32 {status}, i64 {number})")
        f.put("br label %failed")
        f.begin("time")
        moves = f.do(f"load double, ptr {f.do('getelementptr double, ptr %t_d, i64 %lane')}")
        f.put(f"br i1 {f.do(f'fcmp une double {moves}, 0.0')}, label %shift, label %put")
        f.begin("shift")
        self._shift(f, k, count, moves)
        f.put("br label %put")

    def _shift(self, f: Function, k: int, count: int, moves: str) -> None:
        """Add the partial derivative by time to the answer, by central differences."""
        size = f.do("call double @llvm.fabs.f64(double %t)")
        size = f.do(f"select i1 {f.do(f'fcmp ogt double {size}, 1.0')}, double {size}, double 1.0")
        step = f.do(f"fmul double {size}, {TIME_STEP}")
        for name, sign in (("later", "fadd"), ("earlier", "fsub")):
            f.fmi("SetTime", f"double {f.do(f'{sign} double %t, {step}')}")
            if k < 0:
                f.fmi(self._slopes, f"ptr {f.word(name)}", f"i64 {count}")
            else:
                f.call(f"get{k}", f"ptr %i, ptr {f.word(name)}")
        f.fmi("SetTime", "double %t")
        by = f.do(f"fdiv double {moves}, {f.do(f'fmul double {step}, 2.0')}")
        rows = f"ptr {f.word('later')}, ptr {f.word('earlier')}, ptr {f.word('answer')}, i64 {count}"
        f.put(f"call void @add_slope({rows}, double {by})")

    def names(self) -> list[str]:
        spec = self.spec
        names = [*super().names(), "jump"]
        names += ["derivative"] if spec.states else []
        names += ["crossing"] if spec.indicators else []
        return [*names, *(["remember"] if spec.completed else [])]

    def _begin(self) -> str:
        """Begin an evaluation: set time and states, or begin the initialization."""
        spec = self.spec
        f = self._inner(f"@begin(ptr %i, double %t{', ptr %x' if spec.states else ''})")
        f.leave_if(f.is_set(STATUS), "failed")
        phase = f.load("i64", PHASE)
        f.put(f"switch i64 {phase}, label %end [ i64 {NEW}, label %new i64 {RUNNING}, label %run ]")
        f.begin("new")
        f.call("enter", "ptr %i, double %t")
        f.put("br label %end")
        f.begin("run")
        later = f.do(f"fcmp une double {f.load('double', TIME)}, %t")
        f.put(f"br i1 {later}, label %time, label %state")
        f.begin("time")
        f.fmi("SetTime", "double %t")
        if spec.states:
            f.put("br label %set")
        else:
            f.store("double %t", TIME)
            f.put("br label %end")
        f.begin("state")
        if spec.states:
            f.leave_if(f.do(f"xor i1 {f.differ(f.word('x'), '%x', spec.states)}, true"), "end")
            f.put("br label %set")
            f.begin("set")
            f.fmi("SetContinuousStates", "ptr %x", f"i64 {spec.states}")
            f.store("double %t", TIME)
            f.copy(f.word("x"), "%x", spec.states)
        f.put("br label %end")
        f.begin("end")
        return f.end("i1 false", "i1 true")

    def _filled(self, role: str, target: str, count: int) -> str:
        """A row of numbers that the FMU computes: derivatives, or event indicators."""
        name = {"crossing": "GetEventIndicators"}.get(role, self._slopes)
        inputs = range(len(self.spec.inputs))
        f = self._head(role, inputs, f"ptr %{target}")
        if role == "derivative":
            self._stage(f)
        self._prepare(f, inputs)
        self._started(f)
        f.put("br label %compute")
        f.begin("compute")
        f.fmi(name, f"ptr %{target}", f"i64 {count}")
        f.put("ret void")
        f.begin("failed")
        f.copy(f"%{target}", f.word("not numbers"), count)
        return f.end("void")

    def _stage(self, f: Function) -> None:
        """Set time, states and inputs at a stage of a step, if the states have changed."""
        sound = f.do(f"xor i1 {f.is_set(STATUS)}, true")
        running = f.do(f"icmp eq i64 {f.load('i64', PHASE)}, {RUNNING}")
        f.put(f"br i1 {f.do(f'and i1 {sound}, {running}')}, label %stage, label %other")
        f.begin("stage")
        later = f.do(f"fcmp une double {f.load('double', TIME)}, %t")
        f.put(f"br i1 {later}, label %time, label %state")
        f.begin("time")
        f.fmi("SetTime", "double %t")
        f.put("br label %state")
        f.begin("state")
        f.fmi("SetContinuousStates", "ptr %x", f"i64 {self.spec.states}")
        f.store("double %t", TIME)
        f.copy(f.word("x"), "%x", self.spec.states)
        for k in range(len(self.spec.inputs)):
            f.call(f"set{k}", f"ptr %i, {self._typed(k)}, i1 false")
        f.put("br label %compute")
        f.begin("other")

    @property
    def _slopes(self) -> str:
        return "GetContinuousStateDerivatives" if self.three else "GetDerivatives"

    def _snapshot(self) -> str:
        """Everything that the rest of a diagram reads from the FMU."""
        spec = self.spec
        f = self._inner("@snapshot(ptr %i, ptr %to)")
        if spec.states:
            f.fmi(self._slopes, "ptr %to", f"i64 {spec.states}")
        at = spec.states
        if spec.indicators:
            place = f.do(f"getelementptr i64, ptr %to, i64 {at}")
            f.fmi("GetEventIndicators", f"ptr {place}", f"i64 {spec.indicators}")
            at += spec.indicators
        for k, signal in enumerate(spec.outputs):
            f.call(f"get{k}", f"ptr %i, ptr {f.do(f'getelementptr i64, ptr %to, i64 {at}')}")
            at += signal.count
        return f.end("i1 false", "i1 true")

    def _is_due(self, f: Function, count: int) -> str:
        """True if the FMU has an event, or if anything has changed since its last event."""
        spec = self.spec
        conditions = [f.do(f"fcmp oge double %t, {f.do('load double, ptr %due')}")]
        conditions.append(f.do(f"fcmp une double %t, {f.load('double', EVENT_TIME)}"))
        conditions.append(f.differ("%x", f.word("event x"), spec.states) if spec.states else "false")
        conditions.append(f.differ(f.word("now"), f.word("event u"), count))
        if spec.indicators:
            conditions.append(f.differ("%crossed", f.word("zeros"), spec.indicators))
        any_of = conditions[0]
        for condition in conditions[1:]:
            any_of = f.do(f"or i1 {any_of}, {condition}")
        return any_of

    def _jump(self) -> str:
        """Events: crossings, time events, and any other event that has changed the inputs or states."""
        spec, inputs = self.spec, range(len(self.spec.inputs))
        count = sum(signal.count for signal in spec.inputs)
        extra = ["ptr %due", "ptr %events", *(["ptr %crossed"] if spec.indicators else [])]
        extra += [*(["ptr %next_x"] if spec.states else []), "ptr %next_due", "ptr %next_events"]
        f = self._head("jump", inputs, *extra)
        if spec.states:
            f.copy("%next_x", "%x", spec.states)
        f.copy("%next_due", "%due", 1)
        f.copy("%next_events", "%events", 1)
        self._prepare(f, inputs)
        self._started(f)
        f.put(f"br i1 {f.is_set(FIRST)}, label %first, label %look")
        f.begin("first")
        f.store("i64 0", FIRST)
        if spec.states:
            other = f.differ("%x", f.word("described x"), spec.states)
            begin = f.do(f"select i1 {other}, ptr %x, ptr {f.word('initial x')}")
            f.copy("%next_x", begin, spec.states)
        f.put("br label %done")
        f.begin("look")
        f.put(f"br i1 {self._is_due(f, count)}, label %event, label %end")
        f.begin("event")
        f.call("snapshot", f"ptr %i, ptr {f.word('before')}")
        f.fmi("EnterEventMode")
        for k in inputs:
            f.call(f"set{k}", f"ptr %i, {self._typed(k)}, i1 true")
        f.call("iterate", "ptr %i")
        if spec.states:
            f.put(f"br i1 {f.is_set(CHANGED)}, label %moved, label %same")
            f.begin("moved")
            f.fmi("GetContinuousStates", "ptr %next_x", f"i64 {spec.states}")
            f.put("br label %same")
            f.begin("same")
        f.fmi("EnterContinuousTimeMode")
        f.store("double 0x7FF8000000000000", TIME)
        f.call("snapshot", f"ptr %i, ptr {f.word('after')}")
        seen = spec.states + spec.indicators + sum(signal.count for signal in spec.outputs)
        changed = f.differ(f.word("before"), f.word("after"), seen)
        stopped = f.is_set(STOP)
        f.put(f"br i1 {f.do(f'or i1 {changed}, {stopped}')}, label %done, label %keep")
        f.begin("done")
        more = f.do(f"fadd double {f.do('load double, ptr %events')}, 1.0")
        f.put(f"store double {more}, ptr %next_events")
        f.put("br label %keep")
        f.begin("keep")
        f.copy("%next_due", f.word(NEXT), 1)
        f.store("double %t", EVENT_TIME)
        if spec.states:
            f.copy(f.word("event x"), "%next_x", spec.states)
        f.copy(f.word("event u"), f.word("now"), count)
        f.put("br label %end")
        f.begin("end")
        f.put("ret void")
        f.begin("failed")
        f.put("store double 0x7FF8000000000000, ptr %next_due")
        return f.end("void")

    def _remember(self) -> str:
        """Report a step that the solver has taken; an event that the FMU requests is due there."""
        inputs = range(len(self.spec.inputs))
        f = self._head("remember", inputs, "ptr %due")
        self._prepare(f, inputs)
        self._started(f)
        f.leave_if(f.do(f"fcmp oeq double %t, {f.load('double', EVENT_TIME)}"), "failed")
        f.store("i64 0", INFO)
        info = f.word(INFO)
        stop = f.do(f"getelementptr i32, ptr {info}, i64 1")
        lead = "i1 zeroext true" if self.three else "i32 1"
        f.fmi("CompletedIntegratorStep", lead, f"ptr {info}", f"ptr {stop}")
        wishes = f.do(f"icmp ne i32 {f.load('i32', INFO)}, 0")
        f.note(f.do(f"icmp ne i32 {f.do(f'load i32, ptr {stop}')}, 0"), STOP)
        f.leave_if(f.do(f"xor i1 {wishes}, true"), "failed")
        f.put("store double %t, ptr %due")
        return f.end("void", "void")

"""Write the code of Model Exchange: derivatives, event indicators and events."""

from __future__ import annotations

from .function_text import Function
from .interface import CHANGED, EVENT_TIME, FIRST, INFO, NEW, NEXT, PHASE, RUNNING, STATUS, STOP, TIME
from .writer import Writer


class ExchangeWriter(Writer):
    """Writes the text of an FMU for Model Exchange."""

    def parts(self) -> list[str]:
        spec = self.spec
        parts = [self._begin(), self._snapshot(), self._jump()]
        parts += [self._filled("derivative", "d_x", spec.states)] if spec.states else []
        parts += [self._filled("crossing", "z", spec.indicators)] if spec.indicators else []
        return [*parts, *([self._remember()] if spec.completed else [])]

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
        """Set time, states and inputs at a stage of a step, if the states differ from the last ones."""
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
        """True if there is an event of the FMU, or anything has changed since its last one."""
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
        """Events: of a crossing, of the time, and of anything else that has changed the inputs or states."""
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
        """Report a step that the solver has taken; an event that the FMU requests there is due at once."""
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

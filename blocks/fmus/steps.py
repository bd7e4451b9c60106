"""Write the code of Co-Simulation: communication steps, which may end early."""

from __future__ import annotations

from .function_text import Function
from .interface import COUNT, DISCARD, ERROR, INFO, LAST_TIME, MOST_RETURNS, STOP, TERMINATED, TIME
from .writer import Writer


class StepWriter(Writer):
    """Writes the text of an FMU for Co-Simulation."""

    def parts(self) -> list[str]:
        return [self._update()]

    def names(self) -> list[str]:
        return [*super().names(), "update"]

    def _update(self) -> str:
        """A communication step, from this tick to the next."""
        inputs = range(len(self.spec.inputs))
        f = self._head("update", inputs)
        f.leave_if(f.is_set(STOP), "failed")
        self._prepare(f, inputs)
        self._started(f)
        end = f.do("fadd double %t, %h")
        f.store("i64 0", COUNT)
        f.put("br label %again")
        f.begin("again")
        count = f.do(f"add i64 {f.load('i64', COUNT)}, 1")
        f.store(f"i64 {count}", COUNT)
        time = f.load("double", TIME)
        length = f.do(f"fsub double {end}, {time}")
        f.leave_if(f.do(f"fcmp ole double {length}, 0.0"), "end")
        (self._step_three if self.three else self._step_two)(f, time, length, end, count)
        f.begin("stop")
        f.store("i64 1", STOP)
        f.put("br label %end")
        f.begin("end")
        return f.end("void", "void")

    def _step_three(self, f: Function, time: str, length: str, end: str, count: str) -> None:
        """A step of FMI 3.0, which may end early, with events to handle."""
        spec = self.spec
        for k in range(2):
            f.store("i64 0", INFO + k)
        info = f.word(INFO)
        flags = [f.do(f"getelementptr i8, ptr {info}, i64 {k}") for k in range(3)]
        reached = f.word(INFO, 1)
        f.put(f"store double {end}, ptr {reached}")
        arguments = f"double {time}", f"double {length}", "i1 zeroext true", *(f"ptr {p}" for p in flags)
        f.fmi("DoStep", *arguments, f"ptr {reached}")
        handle, stop, early = (f.do(f"icmp ne i8 {f.do(f'load i8, ptr {p}')}, 0") for p in flags)
        at = f.do(f"load double, ptr {reached}")
        at = f.do(f"select i1 {early}, double {at}, double {end}")
        f.store(f"double {at}", TIME)
        f.leave_if(stop, "stop")
        f.leave_if(f.do(f"icmp ugt i64 {count}, {MOST_RETURNS}"), "stuck")
        if spec.event_mode:
            f.put(f"br i1 {handle}, label %event, label %next")
            f.begin("event")
            f.fmi("EnterEventMode")
            f.call("iterate", "ptr %i")
            f.fmi("EnterStepMode")
            f.leave_if(f.is_set(STOP), "stop")
            f.put("br label %again")
            f.begin("next")
        f.leave_if(f.do(f"fcmp ole double {at}, {time}"), "stuck")
        f.put("br label %again")
        f.begin("stuck")
        f.do(f"call i1 @note(ptr %i, i32 {ERROR}, i64 {spec.functions().index('DoStep')})")
        f.put("ret void")

    def _step_two(self, f: Function, time: str, length: str, end: str, count: str) -> None:
        """A step of FMI 2.0. A discarded step ends the run, or has reached an earlier time."""
        spec = self.spec
        status = f.status("DoStep", f"double {time}", f"double {length}", "i32 1")
        f.put(f"br i1 {f.do(f'icmp eq i32 {status}, {DISCARD}')}, label %ask, label %judge")
        f.begin("judge")
        f.store(f"double {end}", TIME)
        number = spec.functions().index("DoStep")
        f.leave_if(f.do(f"call i1 @note(ptr %i, i32 {status}, i64 {number})"), "failed")
        f.put("br label %end")
        f.begin("ask")
        f.store("i64 0", INFO)
        f.fmi("GetBooleanStatus", f"i32 {TERMINATED}", f"ptr {f.word(INFO)}")
        f.leave_if(f.do(f"icmp ne i32 {f.load('i32', INFO)}, 0"), "stop")
        f.store(f"double {time}", INFO)
        f.fmi("GetRealStatus", f"i32 {LAST_TIME}", f"ptr {f.word(INFO)}")
        at = f.load("double", INFO)
        f.store(f"double {at}", TIME)
        f.leave_if(f.do(f"icmp ugt i64 {count}, {MOST_RETURNS}"), "stuck")
        early = f.do(f"fcmp ogt double {at}, {time}"), f.do(f"fcmp olt double {at}, {end}")
        f.put(f"br i1 {f.do(f'and i1 {early[0]}, {early[1]}')}, label %again, label %stuck")
        f.begin("stuck")
        f.do(f"call i1 @note(ptr %i, i32 {ERROR}, i64 {number})")
        f.put("ret void")

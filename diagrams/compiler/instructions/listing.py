"""List instructions in their order, each after its reads."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ..plan.iterations import members as iterated_units, read_outside
from ..plan.layout import Plan
from ..plan.loops import Loop
from ..plan.order import Task
from ..plan.unit import Source, Unit
from . import instruction as do


class Listing:
    """Instructions in the order of appending; `available` are the signals that the next one can read."""

    def __init__(self, plan: Plan, available: Iterable[Source] = ()) -> None:
        self.plan = plan
        self.items: list[do.Instruction] = []
        self.available = set(available)

    def hold(self, sources: Iterable[Source]) -> None:
        """Read signals from memory that are not available yet."""
        for source in sources:
            if source not in self.available:
                self.items.append(do.Hold(self.plan.units[source.unit], source.port))
                self.available.add(source)

    def put(
        self, unit: Unit, role: str, *instructions: do.Instruction,
        otherwise: tuple[do.Instruction, ...] = (), settled: bool = False,
    ) -> None:  # fmt: skip
        """Append instructions that call a function of a unit, after the reads of that function, while it
        works.
        """
        self.hold(unit.reads(role))
        self.guarded(unit, instructions, otherwise, settled=settled)

    def guarded(
        self, unit: Unit, instructions: tuple[do.Instruction, ...],
        otherwise: tuple[do.Instruction, ...] = (), *, settled: bool = False,
    ) -> None:  # fmt: skip
        """Append instructions that run if the Enable blocks of a unit are true, merged with those before."""
        if not unit.enables:
            self.items += instructions
            return
        enables = tuple(self.plan.units[i] for i in unit.enables)
        last = len(self.items)
        while last and isinstance(self.items[last - 1], do.Hold):
            last -= 1
        before = self.items[last - 1] if last else None
        if isinstance(before, do.IfEnabled) and (before.enables, before.settled) == (enables, settled):
            body = (*before.body, *self.items[last:], *instructions)
            self.items[last - 1 :] = [do.IfEnabled(enables, settled, body, (*before.otherwise, *otherwise))]
            return
        self.items.append(do.IfEnabled(enables, settled, instructions, otherwise))

    def output(self, task: Task, *, keep: bool, solved: Container[Source] = (), joint: bool = False) -> None:
        """Append one output function; with `keep` its signals belong to an instant, and modes are computed.

        With `joint` the mode follows the trial of its loop while modes are solved for.
        """
        unit, role = self.plan.units[task.unit], task.role
        ports = unit.output_roles[role]
        modes: tuple[do.Instruction, ...] = (do.SetModes(unit),) if keep and unit.inline_mode else ()
        if joint and self.plan.joint and unit.index in self.plan.joint_units:
            modes = (do.IfEnabled((self.plan.joint,), False, (do.SetModes(unit),), ()),)
        if modes:
            self.hold(unit.reads("mode"))
        stored = tuple(port for port in ports if (keep or unit.ticked) and port in unit.signals_at)
        fixed = tuple(port for port in ports if Source(unit.index, port) in solved and not unit.ticked)
        output = (do.Gather if unit.wiring else do.Output)(unit, role, stored, fixed)
        checks = (do.Check(unit, ports),) if keep and not unit.wiring else ()
        if unit.ticked:
            holds = [do.Hold(unit, port) for port in ports]
            self.put(unit, role, do.AtTick(unit, (*modes, output)), *holds, *checks)
        else:
            self.put(unit, role, *modes, output, *checks)
        self.available.update(Source(unit.index, port) for port in ports)

    def outputs(self, needed: set[Task], *, keep: bool) -> None:
        """These output functions in the plan's order; loops are solved at their first task."""
        opened = {loop.tasks[0]: loop for loop in self.plan.loops}
        solved: set[Source] = set()
        iterated: set[int] = set()
        for task in self.plan.order:
            iteration = self.plan.units[task.unit].iteration
            if iteration >= 0:
                if keep and iteration not in iterated:
                    self._iterate(iteration)
                iterated.add(iteration)
                continue
            if task in opened:
                tasks = [other for other in opened[task].tasks if other in needed]
                solved.update(self._solve(opened[task], tasks, keep=keep))
            if task in needed:
                self.output(task, keep=keep, solved=solved, joint=True)

    def _iterate(self, number: int) -> None:
        """Append the blocks that a While block repeats, in one piece, and outputs of its last iteration."""
        plan, units = self.plan, self.plan.units
        self.hold(source for source, _, _ in read_outside(units, number))
        tasks = [task for task in plan.order if units[task.unit].iteration == number]
        inner = Listing(plan, self.available)
        for task in tasks:
            unit, ports = units[task.unit], units[task.unit].output_roles[task.role]
            inner.items += [do.SetModes(unit)] if unit.inline_mode else []
            inner.items.append((do.Gather if unit.wiring else do.Output)(unit, task.role, ports))
        updates = tuple(
            do.Update(unit) for unit in iterated_units(units, number) if "update" in unit.functions
        )
        iteration = next(each for each in plan.iterations if each.unit.index == number)
        outputs = [(units[task.unit], units[task.unit].output_roles[task.role]) for task in tasks]
        holds = [do.Hold(unit, port) for unit, ports in outputs for port in ports]
        checks = [do.Check(unit, ports) for unit, ports in outputs if not unit.wiring]
        work = do.AtTick(units[number], (do.Iterate(iteration, tuple(inner.items), updates),))
        self.guarded(units[number], (work, *holds, *checks))
        self.available.update(Source(unit.index, port) for unit, ports in outputs for port in ports)

    def _solve(self, loop: Loop, tasks: list[Task], *, keep: bool) -> list[Source]:
        """Solve for the cut signals that some tasks of a loop compute; the signals returned are final.

        The solution replaces the values that these tasks compute from it: a high gain amplifies
        rounding. The outputs of sampled blocks are left to them.
        """
        plan = self.plan
        unknowns = loop.unknowns(plan.units, tasks)
        if not unknowns:
            return []
        cuts = [source for source, _, _ in unknowns]
        inner = Listing(plan, {*self.available, *cuts})
        for task in tasks:
            inner.output(task, keep=False, joint=True)
        number = plan.loops.index(loop) + 1
        modes = tuple(plan.modes_of({task.unit for task in tasks} & plan.joint_units))
        self.items.append(do.Solve(loop, number, tuple(unknowns), tuple(inner.items), keep, modes))
        self.available.update(cuts)
        return [source for source in cuts if not plan.units[source.unit].ticked]

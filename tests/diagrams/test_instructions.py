"""The instructions of a program: readable, and all that a back end needs to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.parameter import Real, parameter
from blockdyn.blocks.contract.port import Port, State
from blockdyn.diagrams.compiler.instructions import instruction as do
from blockdyn.diagrams.compiler.interpreted_calls import elementwise
from blockdyn.diagrams.compiler.plan import binding
from blockdyn.diagrams.compiler.plan.binding import bind, targets
from blockdyn.diagrams.compiler.plan.unit import Unit
from blockdyn.diagrams.compiler.program import Program
from blockdyn.solvers.addressed import callables


def sampled() -> bd.Diagram:
    """A sampled controller, and a plant behind a limit."""
    diagram = bd.Diagram("sampled")
    error = diagram.add("error", bd.Sum("+-"))
    control = diagram.add("control", bd.DiscreteIntegrator(sample_time=0.1))
    limit = diagram.add("limit", bd.Saturation(lower=-1.0, upper=1.0))
    plant = diagram.add("plant", bd.Integrator(initial=0.5))
    diagram.connect(diagram.add("one", bd.Constant(1.0)), error[0])
    diagram.connect(plant, error[1])
    diagram.connect(error, control, limit, plant)
    return diagram


def test_the_list_tells_what_is_evaluated_when() -> None:
    """Between events the limit's output moves the plant, and it is held; its mode is asked for at ticks."""
    assert str(sampled().compile().with_log([]).instructions).splitlines() == [
        "derivative",
        "  hold limit.y",
        "  slopes plant",
        "evaluate",
        "  at ticks of clock 0, every 0.1 s from 0 s",
        "    output control.y into w",
        "  hold control.y",
        "  check control.y",
        "  set modes limit",
        "  output limit.y into w",
        "  check limit.y",
        "  output one.y into w",
        "  check one.y",
        "  output plant.y",
        "  check plant.y",
        "  output error.y into w",
        "  check error.y",
        "  slopes plant",
        "update",
        "  hold error.y",
        "  hold control.y",
        "  at ticks of clock 0, every 0.1 s from 0 s",
        "    update control",
        "react",
        "observe",
        "remember",
    ]


def watched() -> bd.Diagram:
    """A sampled controller, its error squared for a sensor, and a held signal behind the sensor."""
    diagram = sampled()
    square = diagram.add("square", bd.Product("**"))
    diagram.connect(diagram["error"], [square[0], square[1]])
    diagram.connect(square, diagram.add("late", bd.UnitDelay(0.3)), diagram.add("tenth", bd.Gain(0.1)))
    return diagram


def test_ticks_that_only_read_ask_for_what_they_read() -> None:
    program = watched().compile().with_log(["tenth"])
    assert program.plan.reading == {1}
    _, _, observe = str(program.instructions).partition("observe\n")
    assert observe.splitlines() == [
        "  at ticks of clock 1, every 0.3 s from 0 s",
        "    output late.y into w",
        "  hold late.y",
        "  check late.y",
        "  output one.y",
        "  output plant.y",
        "  output error.y",
        "  output square.y",
        "  output tenth.y into w",
        "  check tenth.y",
        "  at ticks of clock 1, every 0.3 s from 0 s",
        "    update late",
        "remember",
    ]


class PythonSource:
    """A third back end: Python source, in which every signal is a variable; for blocks of scalars."""

    def __init__(self, program: Program) -> None:
        self.units = program.plan.units
        lines: list[str] = []
        for name, instructions in program.instructions._asdict().items():
            lines += [f"def {name}(t, x, dx, m):", "    status = changed = 0"]
            lines += [*self.lines(instructions), "    return status or changed"]
        self.text = "\n".join(lines)
        self.functions: dict[str, Any] = {"np": np, "call": self.call, "solved": solved}
        exec(self.text, self.functions)

    def call(self, unit: int, role: str, *values: Any) -> list[Any]:
        u = self.units[unit]
        arguments = bind(u, role, u.names[role])
        return list(elementwise(u, role, arguments, targets(u, role))(list(values)).values())

    def lines(self, instructions: Iterable[do.Instruction]) -> list[str]:
        return ["    " + line for instruction in instructions for line in self.printed(instruction)]

    def signal(self, unit: int, port: str) -> str:
        return f"s{unit}_{port}"

    def read(self, unit: Unit, port: str) -> str:
        source = unit.inputs[port]
        assert source is not None
        return self.signal(*source)

    def state(self, unit: Unit, name: str) -> str:
        base, at = unit.states_at[name]
        return f"{'x' if base == 'x' else 'm.z'}[{at}]"

    def argument(self, unit: Unit, a: binding.Argument) -> str:
        match a.kind:
            case binding.TIME:
                return "t"
            case binding.MODE:
                return f"m.modes[{unit.mode_at}]"
            case binding.CROSSED:
                return f"m.fired[{unit.crossing_slots[a.name][0]}]"
            case binding.INPUT:
                return self.read(unit, a.name)
            case binding.NUMBER:
                return f"m.p[{unit.numbers_at[a.name]}]"
            case binding.STATE:
                return self.state(unit, a.name)
        assert a.kind == binding.OUTPUT
        return self.signal(unit.index, a.name)

    def called(self, unit: Unit, role: str) -> str:
        arguments = bind(unit, role, unit.names[role])
        values = [self.argument(unit, a) for a in arguments]
        return f"call({', '.join([str(unit.index), repr(role), *values])})"

    def published(self, instruction: do.Output | do.Gather, ports: Iterable[str]) -> Iterator[str]:
        unit = instruction.unit
        for i, port in enumerate(ports):
            if port not in instruction.solved:
                yield f"{self.signal(unit.index, port)} = values[{i}]"
            if port in instruction.stored:
                at, count = unit.signals_at[port], unit.out_sizes[port].count
                yield f"m.w[{at} : {at + count}] = {self.signal(unit.index, port)}"

    def printed(self, instruction: do.Instruction) -> Iterator[str]:
        match instruction:
            case do.Hold(unit, port):
                yield f"{self.signal(unit.index, port)} = m.w[{unit.signals_at[port]}]"
            case do.Output(unit, role):
                yield f"values = {self.called(unit, role)}"
                yield from self.published(instruction, unit.output_roles[role])
            case do.Gather(unit):
                gathered: Any = unit.block
                parts = gathered.gather(unit.in_sizes)
                for port, elements in parts.items():
                    items = [f"np.ravel({self.read(unit, name)})[{i}]" for name, i in elements]
                    yield f"{port}_ = np.reshape([{', '.join(items)}], {unit.out_sizes[port].shape})"
                yield f"values = [{', '.join(f'{port}_' for port in parts)}]"
                yield from self.published(instruction, parts)
            case do.Check(unit, ports):
                for port in ports:
                    yield f"if not np.isfinite({self.signal(unit.index, port)}): status = 1"
            case do.SetModes(unit):
                yield f"m.modes[{unit.mode_at}] = {self.called(unit, 'mode')}[0]"
            case do.ChangeModes(unit):
                yield f"mode = {self.called(unit, 'mode')}[0]"
                yield f"if m.modes[{unit.mode_at}] != mode: changed = 1; m.fresh[{unit.rearmed(0)}] = 1"
                yield f"m.modes[{unit.mode_at}] = mode"
            case do.Slopes(unit):
                for i, (name, _) in enumerate(targets(unit, "derivative")):
                    yield f"d{self.state(unit, name)} = {self.called(unit, 'derivative')}[{i}]"
            case do.Crossings(unit):
                slots = [slots[0] for slots in unit.crossing_slots.values()]
                yield f"m.g[{slots}] = {self.called(unit, 'crossing')}"
            case do.Update(unit):
                yield f"values = {self.called(unit, 'update')}"
                for i, (name, _) in enumerate(targets(unit, "update")):
                    yield f"{self.state(unit, name)} = values[{i}]"
            case do.Jump(unit):
                yield f"values = {self.called(unit, 'jump')}"
                for i, (name, _) in enumerate(targets(unit, "jump")):
                    yield f"if {self.state(unit, name)} != values[{i}]: changed = 1"
                    yield f"{self.state(unit, name)} = values[{i}]"
            case do.AtTick(unit, body):
                yield f"if m.hit[{unit.clock}]:"
                yield from self.lines(body)
            case do.Solve(_, _, unknowns, body):
                cuts = "".join(self.signal(*source) + ", " for source, _, _ in unknowns)
                yield "def body(trial):"
                yield f"    {cuts} = trial"
                yield from self.lines(body)
                yield f"    return [{cuts}]"
                yield f"{cuts} = solved(body, {len(unknowns)})"


def solved(body: Any, count: int) -> Any:
    """v = body(v) for a body that is affine."""
    rest = np.array(body(np.zeros(count)))
    factors = np.array([body(column) for column in np.eye(count)]).T - rest[:, None]
    return np.linalg.solve(np.eye(count) - factors, rest)


class Decay(Block):
    """y = 2 x, dx/dt = -y: a function may name outputs of its own block."""

    outputs: ClassVar = (Port("y"),)
    states: ClassVar = (State("x", "initial"),)
    elementwise: ClassVar = True
    initial: Real = parameter(default=1.0)

    @staticmethod
    def output(x: float) -> float:
        return 2.0 * x

    @staticmethod
    def derivative(y: float) -> float:
        return -y


def switched() -> bd.Diagram:
    """Modes found by events, and a state that counts them."""
    diagram = bd.Diagram("switched")
    wave = diagram.add("wave", bd.Sine(frequency=0.3))
    diagram.connect(wave, diagram.add("relay", bd.Relay(switch_on=0.3, switch_off=-0.3)))
    diagram.connect(wave, diagram.add("hits", bd.HitCrossing(level=0.1)))
    diagram.connect("relay", diagram.add("x", bd.Integrator(initial=0.2)))
    diagram.add("decay", Decay())
    return diagram


def looped() -> bd.Diagram:
    """y = u - 2 y through a Mux and a Demux, integrated."""
    diagram = bd.Diagram("looped")
    difference, gain = diagram.add("difference", bd.Sum("+-")), diagram.add("gain", bd.Gain(2.0))
    mux, demux = diagram.add("mux", bd.Mux(2)), diagram.add("demux", bd.Demux(2))
    state = diagram.add("x", bd.Integrator(initial=3.0))
    diagram.connect(state, difference[0])
    diagram.connect(difference, mux[0])
    diagram.connect(state, mux[1])
    diagram.connect(mux, demux)
    diagram.connect(demux[0], gain, difference[1])
    diagram.connect(demux[1], diagram.add("end", bd.Integrator()))
    diagram.connect(difference, state)
    return diagram


@pytest.mark.parametrize("diagram", [sampled, switched, looped, watched])
def test_a_third_back_end_needs_nothing_but_the_list(diagram: Any) -> None:
    """Python source printed from the list does what machine code does, at ticks, at events and between."""
    program = diagram().compile(loops="solve")
    printed = PythonSource(program).functions
    machine = dict(zip(program.instructions._fields, callables(program.addresses), strict=True))
    memories = program.memory(), program.memory()
    slopes = np.zeros(memories[0].x.size), np.zeros(memories[0].x.size)
    random = np.random.default_rng(5)
    for turn in range(40):
        asked = [["evaluate", "update"], ["evaluate", "react"], ["derivative"], ["observe"]]
        t, names = 0.1 * turn, asked[turn % 4]
        for m in memories:
            m.hit[:], m.fired[:] = turn % 4 in (0, 3), turn % 4 == 1
            m.x[:] = random.normal(size=m.x.size) if m is memories[0] else memories[0].x
        for name in names:
            status = machine[name](None, t, memories[0].x, slopes[0], memories[0])
            assert printed[name](t, memories[1].x, slopes[1], memories[1]) == status
        assert slopes[1] == pytest.approx(slopes[0], rel=1e-12, abs=1e-12)
        for name in ("x", "z", "modes", "g", "fresh"):
            there, here = (getattr(m, name) for m in memories)
            assert here == pytest.approx(there, rel=1e-12, abs=1e-12), name
        for unit in program.plan.units:
            for at, count in ((at, unit.out_sizes[port].count) for port, at in unit.signals_at.items()):
                there, here = (m.w[at : at + count] for m in memories)
                assert here == pytest.approx(there, rel=1e-12, abs=1e-12), unit.path


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("log", [["decay.y"], []])
def test_a_function_may_name_outputs_of_its_own_block(compiled: bool, log: list[str]) -> None:
    """dx/dt = -2 x from 1: also where nothing else reads or keeps the output."""
    diagram = bd.Diagram("decay")
    diagram.add("decay", Decay())
    result = diagram.simulate(stop=1.0, log=log, compiled=compiled, rtol=1e-10, atol=1e-12)
    assert result.final_states()["decay.x"] == pytest.approx(np.exp(-2.0), rel=1e-9)

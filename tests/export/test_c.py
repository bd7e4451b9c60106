"""Exported C in compilers that blockdyn does not use: the bits of the engine, no warning, no library."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.export.errors import ExportError

from .compiled import COMPILERS, NEEDS_A_COMPILER, STRICT, Controller, agree

pytestmark = NEEDS_A_COMPILER
STEPS = 400
CPLUSPLUS = {"gcc": "g++", "clang": "clang++"}
TUNED = """
#include <stdio.h>
#include "unit.h"
int main(void)
{
    unit controller;
    unit_inputs u = {1.0};
    unit_outputs y;
    unit_init(&controller);
    for (int k = 0; k < 3; k++) {
        controller.numbers.block_kp = k < 2 ? 2.0 : 5.0;
        (void)unit_step(&controller, &u, &y);
        printf("%.17g\\n", y.out_y);
    }
    return 0;
}
"""


def around(block: bd.Block, *shapes: int) -> bd.Diagram:
    """A block with an Inport at each input and an Outport at each output."""
    d = bd.Diagram("around")
    d.add("block", block)
    for port, size in zip(block.input_ports(), shapes, strict=True):
        d.connect(d.add(f"in_{port.name}", bd.Inport(size=size or None, default=0.0)), f"block.{port.name}")
    for port in block.output_ports():
        d.connect(f"block.{port.name}", d.add(f"out_{port.name}", bd.Outport()))
    return d


def machine(leave: str) -> bd.Block:
    """A state machine that leaves its states by its input, and the busy one by another guard."""
    return bd.StateMachine(
        signals={"y": 0.0},
        chart={
            "states": {
                "idle": {"entry": {"y": 0}},
                "busy": {"entry": {"y": 1}},
                "rest": {"entry": {"y": -1}},
            },
            "transitions": ["idle -> busy: u > 0.5", f"busy -> rest: {leave}", "rest -> idle: u < 0"],
        },
    )


A, B, C = [[1.0, 0.1], [-0.2, 0.9]], [[0.0], [0.1]], [[1.0, 0.0]]
CONTROLLERS: dict[str, Callable[[], bd.Diagram]] = {
    "pid": lambda: around(bd.DiscretePID(sample_time=0.01, kp=2.0, ki=1.5, kd=0.2, lower=-5.0, upper=5.0), 0),
    "transfer function": lambda: around(
        bd.DiscreteTransferFunction(num=[0.2, 0.1], den=[1.0, -1.2, 0.5], sample_time=0.1), 0
    ),
    "state space": lambda: around(bd.DiscreteStateSpace(A=A, B=B, C=C, sample_time=0.1), 1),
    "moving average": lambda: around(bd.MovingAverage(length=7, sample_time=0.1), 0),
    "rate limiter": lambda: around(bd.DiscreteRateLimiter(sample_time=0.1), 0),
    "relay": lambda: around(bd.Relay(switch_on=0.3, switch_off=-0.2), 0),
    "saturation": lambda: around(bd.Saturation(lower=-0.4, upper=0.6), 0),
    "counter": lambda: around(bd.Counter(), 0, 0, 0),
    "state machine": lambda: around(machine("u < -0.3"), 0),
    "trigonometry": lambda: around(bd.Trigonometry("atan2"), 0, 0),
    "arm": lambda: around(bd.RNE("puma560"), 6, 6, 6, 6),
    "plant": lambda: around(bd.TransferFunction([1.0, 2.0], [0.1, 0.3, 1.0]), 0),
}


def walk(diagram: bd.Diagram, seed: int) -> dict[str, Any]:
    """Values of the inputs at each step: they jump, stay, and are exactly 0 now and then."""
    random = np.random.default_rng(seed)
    values = {}
    for name, block in diagram.blocks.items():
        if isinstance(block, bd.Inport):
            rows = random.uniform(-1.0, 1.0, (STEPS, *block.shape))
            rows[random.uniform(size=STEPS) < 0.2] = 0.0
            stays = np.flatnonzero(random.uniform(size=STEPS) < 0.3)
            for k in stays[stays > 0]:
                rows[k] = rows[k - 1]
            values[name] = rows
    return values


@pytest.mark.parametrize("name", CONTROLLERS)
def test_has_the_bits_of_the_engine(name: str, tmp_path: Path) -> None:
    diagram = CONTROLLERS[name]()
    sampled = any(block.sampled for block in diagram.blocks.values() if isinstance(block, bd.Block))
    agree(Controller(diagram, tmp_path, step=None if sampled else 0.1), STEPS, walk(diagram, 3))


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-O0", "-Os", "-O3"])
def test_a_flight_controller_has_them_under_every_compiler_and_level(
    compiler: str, level: str, tmp_path: Path
) -> None:
    controller = Controller(
        bd.load("sampled-cascade"), tmp_path, part="cascade", compiler=compiler, level=level
    )
    random = np.random.default_rng(8)
    values = {name: random.uniform(-0.5, 0.5, (STEPS, *shape)) for name, shape in controller.inputs.items()}
    agree(controller, STEPS, values)


def random_diagram(seed: int) -> bd.Diagram:
    """Blocks of logic, of sampled filters at several rates, and with kinks, wired at random."""
    r = Random(seed)
    d, signals = bd.Diagram("random"), [f"in{k}" for k in range(3)]
    for name in signals:
        d.add(name, bd.Inport(default=0.0))
    makers: list[Callable[[dict[str, Any]], bd.Block]] = [
        lambda clock: bd.Gain(r.choice([-1.0, 0.5, 2.0])), lambda clock: bd.Sum("+-"),
        lambda clock: bd.Saturation(lower=-0.8, upper=0.6), lambda clock: bd.DeadZone(),
        lambda clock: bd.Relay(), lambda clock: bd.Compare(), lambda clock: bd.CompareSignals(),
        lambda clock: bd.Logic(), lambda clock: bd.Counter(), lambda clock: bd.EdgeDetector(),
        lambda clock: bd.SRFlipFlop(), lambda clock: bd.DFlipFlop(), lambda clock: bd.JKFlipFlop(),
        lambda clock: bd.Switch(), lambda clock: bd.HitCrossing(), lambda clock: bd.Backlash(),
        lambda clock: bd.Quantizer(), lambda clock: bd.Abs(), lambda clock: bd.UnitDelay(**clock),
        lambda clock: bd.DiscreteIntegrator(**clock), lambda clock: bd.ZeroOrderHold(**clock),
        lambda clock: bd.RandomNumber(**clock), lambda clock: bd.MovingAverage(length=3, **clock),
        lambda clock: bd.DiscretePID(ki=0.5, lower=-1.0, upper=1.0, **clock),
        lambda clock: bd.Step(time=0.1 * r.randint(1, 9)),
    ]  # fmt: skip
    for k in range(r.randint(4, 12)):
        block = r.choice(makers)({"sample_time": r.choice([0.1, 0.1, 0.2, 0.3])})
        d.add(f"b{k}", block)
        for port in block.input_ports():
            d.connect(r.choice(signals[-6:]), f"b{k}.{port.name}")
        signals += [f"b{k}.{port.name}" for port in block.output_ports()]
    d.connect("in0", d.add("clock", bd.ZeroOrderHold(sample_time=0.1)))
    for k, signal in enumerate(signals[3:]):
        d.connect(signal, d.add(f"out{k}", bd.Outport()))
    return d


@pytest.mark.parametrize("case", range(12))
def test_random_diagrams_of_logic_and_filters_have_them(case: int, fresh_seed: int, tmp_path: Path) -> None:
    diagram = random_diagram(100 * fresh_seed + case)
    agree(Controller(diagram, tmp_path), STEPS, walk(diagram, case))


def test_a_waiting_time_ends_at_the_first_step_that_is_not_earlier(tmp_path: Path) -> None:
    controller = Controller(around(machine("after > 0.3"), 0), tmp_path, step=0.25)
    wanted = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0]
    rows = controller.run(6, {"in_u": wanted})
    y = [*controller.outputs].index("out_y")
    assert rows[:, y].tolist() == [1.0, 1.0, -1.0, -1.0, 0.0, 0.0]  # busy at 0 s, at rest from 0.3 s on


def test_a_sum_over_steps_leaves_out_a_step_with_a_value_that_is_not_finite(tmp_path: Path) -> None:
    controller = Controller(around(bd.DiscreteIntegrator(sample_time=0.5), 0), tmp_path)
    assert [controller.step({"in_u": u})[0] for u in (1.0, np.nan, 1.0)] == [0, 1, 0]
    assert controller.step({"in_u": 0.0}) == (0, [1.0])  # 0.5 s of 1, twice


def test_no_state_event_or_held_output_remembers_such_a_step(tmp_path: Path) -> None:
    d = around(machine("u < -0.3"), 0)
    d.connect("in_u", d.add("sum", bd.Sum("++"))[0])
    d.connect("sum", d.add("memory", bd.Memory()), "sum[1]")
    d.connect("in_u", d.add("slow", bd.ZeroOrderHold(sample_time=1.0)), d.add("held", bd.Outport()))
    d.connect("memory", d.add("total", bd.Outport()))
    controller = Controller(d, tmp_path, step=0.1)
    names = [*controller.outputs]
    random = np.random.default_rng(5)
    wanted = random.uniform(-1.0, 1.0, 60)
    rows = []
    for k, u in enumerate(wanted):
        spoilt, status = k % 7 == 3, 0
        if spoilt:
            status, _ = controller.step({"in_u": np.nan})
            assert status == 1
        else:
            status, row = controller.step({"in_u": u})
            assert status == 0
            rows.append((k, row[names.index("total")], row[names.index("held")], u))
    total = 0.0
    for _, memory, _, u in rows:  # Memory: the signal just before the instant
        assert memory == total
        total += u
    ticks = {k: u for k, _, _, u in rows if k % 10 == 0}  # at 3 s, a step was left out
    for k, _, held, _ in rows:
        assert held == ticks[max(tick for tick in ticks if tick <= k)]


def test_the_ports_of_a_subsystem_are_the_fields(tmp_path: Path) -> None:
    inner = bd.Diagram("inner")
    for name in ("a", "b", "unread"):
        inner.add(name, bd.Inport())
    inner.connect("a", inner.add("sum", bd.Sum("+-"))[0])
    inner.connect("b", "sum[1]")
    for name in ("y1", "y2"):
        inner.connect("sum", inner.add(name, bd.Outport()))
    inner.connect("a", inner.add("through", bd.Outport()))
    d = bd.Diagram("outer")
    d.add("sub", bd.Subsystem(inner))
    for k, name in enumerate(("a", "b", "unread")):
        d.connect(d.add(f"c{k}", bd.Constant(float(k))), f"sub.{name}")
    controller = Controller(d, tmp_path, part="sub", step=0.1)
    header = controller.written.header.read_text(encoding="utf-8")
    fields = re.findall(r"typedef struct \{\n(.*?)\} unit_(?:inputs|outputs);", header, re.S)
    names = [re.findall(r"double (\w+)", each) for each in fields]
    assert names == [["a", "b", "unread"], ["y1", "y2", "through"]]
    assert controller.step({"a@in": 5.0, "b@in": 2.0, "unread@in": 9.0}) == (0, [3.0, 3.0, 5.0])
    d.connect("c0", d.add("again", bd.Subsystem(inner))["a"])
    d.connect("c0", "again.b")
    d.connect("c2", "again.unread")
    with pytest.raises(ExportError):  # c0.y would be one input, for a and for b
        d.export_c(tmp_path, part="again", step=0.1)


@pytest.mark.parametrize("period", [math.pi / 100, 0.0123456789012345, 1 / 3])
def test_the_time_stays_right_for_any_period(period: float, tmp_path: Path) -> None:
    d = bd.Diagram("time")
    d.connect(d.add("clock", bd.Clock()), d.add("held", bd.ZeroOrderHold(sample_time=period)))
    d.connect("held", d.add("t", bd.Outport()))
    controller = Controller(d, tmp_path)
    times = [controller.step({})[1][0] for _ in range(20_000)]
    assert times == pytest.approx(period * np.arange(20_000), rel=1e-15)


@pytest.mark.parametrize("name", ["update", "double", "class", "main", "sqrt", "Größe 2"])
def test_any_name_of_ports_blocks_and_files_compiles(name: str, tmp_path: Path) -> None:
    own = re.sub(r"\W", "_", name)
    d = bd.Diagram(name)
    d.connect(
        d.add(own, bd.Inport(default=0.0)), d.add("direction", bd.Relay()), d.add("first", bd.Outport())
    )
    written = d.export_c(tmp_path, step=0.1)
    main = tmp_path / "of_the_user.cpp"
    unit = written.header.stem
    main.write_text(
        f'#include "{written.header.name}"\nint use({unit} *own) {{ {unit}_init(own); return 0; }}\n'
    )
    subprocess.run([COMPILERS[0], *STRICT, "-c", "-o", tmp_path / "unit.o", written.source], check=True)
    if not shutil.which(CPLUSPLUS[COMPILERS[0]]):
        pytest.skip(f"needs {CPLUSPLUS[COMPILERS[0]]}")
    command = [CPLUSPLUS[COMPILERS[0]], "-Wall", "-Werror", "-c", "-o", tmp_path / "user.o", main]
    subprocess.run(command, check=True)


def test_a_stop_says_so_and_the_time_is_that_of_the_steps(tmp_path: Path) -> None:
    d = bd.Diagram("end")
    d.connect(d.add("time", bd.Clock()), d.add("late", bd.Compare(">=", 0.5)), d.add("stop", bd.Stop()))
    d.connect("time", d.add("t", bd.Outport()))
    controller = Controller(d, tmp_path, step=0.1)
    results = [controller.step({}) for _ in range(6)]
    assert [status for status, _ in results] == [0, 0, 0, 0, 0, 4]
    assert [row[0] for _, row in results] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_nothing_of_the_c_library_is_called_but_copies_and_exact_functions(tmp_path: Path) -> None:
    controller = Controller(CONTROLLERS["arm"](), tmp_path, step=0.1)
    unit = tmp_path / "unit.o"
    subprocess.run([COMPILERS[0], *STRICT, "-Os", "-c", "-o", unit, controller.written.source], check=True)
    listed = subprocess.run(["nm", "-u", unit], check=True, capture_output=True, text=True).stdout
    assert {*re.findall(r"U (\w+)", listed)} <= {"memcpy", "memset", "memmove", "sqrt", "__stack_chk_fail"}


@pytest.mark.skipif(shutil.which("size") is None, reason="needs size, of binutils")
def test_a_pid_takes_less_than_a_kilobyte(tmp_path: Path) -> None:
    controller = Controller(CONTROLLERS["pid"](), tmp_path)
    unit = tmp_path / "unit.o"
    subprocess.run([COMPILERS[0], *STRICT, "-Os", "-c", "-o", unit, controller.written.source], check=True)
    code, data, unset, *_ = subprocess.run(
        ["size", unit], check=True, capture_output=True, text=True
    ).stdout.splitlines()[1].split()  # fmt: skip
    assert int(code) < 1024
    assert data == unset == "0"


@pytest.mark.parametrize("name", ["pid", "state machine", "arm", "plant"])
def test_the_memory_is_the_size_of_an_instance(name: str, tmp_path: Path) -> None:
    written = Controller(CONTROLLERS[name](), tmp_path, step=0.01).written
    (tmp_path / "size.c").write_text(
        '#include <stdio.h>\n#include "unit.h"\nint main(void) { printf("%zu", sizeof(unit)); return 0; }\n'
    )
    subprocess.run([COMPILERS[0], "-o", tmp_path / "size", tmp_path / "size.c"], check=True)
    printed = subprocess.run([tmp_path / "size"], check=True, capture_output=True, text=True).stdout
    assert int(printed) == written.memory


def test_the_operations_of_a_step_are_counted(tmp_path: Path) -> None:
    d = around(bd.Expression("a * b - c / d + 2"), 0, 0, 0, 0)
    written = d.export_c(tmp_path, name="unit", step=0.1)
    text = written.source.read_text(encoding="utf-8")
    (body,) = re.findall(r"static int64_t evaluate\(.*?^}", text, re.M | re.S)
    assert written.operations[0] == len(re.findall(r" [-+*/]\s", body)) >= 4


def test_loops_count_as_often_as_they_run(tmp_path: Path) -> None:
    counts = []
    for order in (2, 5, 9):
        filter_ = bd.DiscreteTransferFunction(num=[1.0] * order, den=[1.0] * (order + 1), sample_time=0.1)
        written = around(filter_, 0).export_c(tmp_path, name="unit")
        assert written.loops == (0, 0)
        counts.append(written.operations[0])
    assert counts[1] - counts[0] == 3 * 4  # each order: a product and a sum in the output and in the state
    assert counts[2] - counts[1] == 4 * 4


def test_a_number_changes_between_two_steps(tmp_path: Path) -> None:
    around(bd.DiscretePID(sample_time=0.5, kp=2.0, ki=1.0, anti_windup="none"), 0).export_c(
        tmp_path, name="unit"
    )
    (tmp_path / "main.c").write_text(TUNED, encoding="utf-8")
    program = tmp_path / "program"
    files = [tmp_path / "main.c", tmp_path / "unit.c"]
    subprocess.run([COMPILERS[0], *STRICT, "-o", program, *files, "-lm"], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert [float(each) for each in printed.split()] == [2.0, 2.5, 6.0]  # kp + 0.5 ki (n - 1); then kp = 5


def test_what_cannot_be_c_is_named_block_by_block(tmp_path: Path) -> None:
    with pytest.raises(ExportError) as caught:
        bd.load("late-steering").export_c(tmp_path, step=0.01)
    assert {path for path, _ in caught.value.obstacles} == {"late"}
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"part": "nobody"}, "nobody"),
        ({"part": "gain"}, "the step"),
        ({"part": "slow", "step": 0.3}, "the step"),
        ({"part": ["slow", "odd"]}, "the step"),
        ({"part": "gain", "step": float("nan")}, "the step"),
        ({"part": "gain", "step": -0.1}, "the step"),
        ({"part": [], "step": 0.1}, "the part"),
    ],
)
def test_a_part_and_a_step_that_do_not_fit_are_refused(
    arguments: dict[str, Any], named: str, tmp_path: Path
) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("slow", bd.UnitDelay(sample_time=0.5)))
    d.connect("slow", d.add("odd", bd.UnitDelay(sample_time=0.1 + 0.2 + 1e-12)), d.add("gain", bd.Gain(2.0)))
    with pytest.raises(ExportError) as caught:
        d.export_c(tmp_path, **arguments)
    assert [path for path, _ in caught.value.obstacles] == [named]


def test_the_command_line_writes_a_part_with_the_ports_of_its_subsystem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "c", "sampled-cascade", "--part", "cascade", "--out", str(tmp_path)]) == 0
    header = (tmp_path / "cascade.h").read_text(encoding="utf-8")
    assert re.findall(r"double (\w+)\[4\]; /\* rad/s \*/\n} cascade_outputs;", header) == ["omega"]
    assert str(tmp_path / "cascade.c") in capsys.readouterr().out
    assert main(["export", "c", "sampled-cascade", "--part", "cascade", "--stop", "3"]) != 0

"""Wirings: random diagrams of all block types, well-posed and mis-wired, built, compiled and run shortly."""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.contract.registry import families
from blockdyn.cli.specimen import SAMPLES
from blockdyn.diagrams.compiler.program import Program
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.subsystem import Subsystem
from blockdyn.diagrams.yaml import loads
from blockdyn.solvers.methods import DEFAULT, method, methods
from blockdyn.solvers.methods.method import Method

from .judge import Judge

METHODS = (*(each for each in methods() if each.compiled), method(DEFAULT))  # that one twice as often
ODD = (0.0, -1.0, 1e-9, 1e6, [1.0, 2.0, 3.0], [[1.0, 0.0], [0.0, 1.0]], "=a", "=a * [1, 2]", 1e300)
_EXAMPLE = re.compile(r"Example:\s*(\{.*?\})\s*$", re.DOTALL | re.MULTILINE)


@cache
def palette() -> tuple[Block, ...]:
    """One block of every type of the library: the example in its docstring."""
    blocks = []
    for family in families():
        for kind in family.types if not family.package else ():
            example = _EXAMPLE.search(kind.__doc__ or "")
            if example is None or "function:" in example.group(1):
                continue  # blocks that name Python code
            text = f"blockdyn: 1\nblocks:\n  b: {example.group(1)}\n"
            block = loads(text, folder=SAMPLES, trust=True).blocks["b"]
            assert isinstance(block, Block)
            blocks.append(block)
    return tuple(blocks)


@cache
def tame() -> tuple[Block, ...]:
    """Those that take scalars and give scalars, so that any of them fits any other."""
    blocks = []
    for block in palette():
        try:
            units = _alone(block).compile().plan.units
        except BlockdynError:
            continue
        if all(size.shape == () for unit in units for size in unit.out_sizes.values()):
            blocks.append(block)
    return tuple(blocks)


def _alone(block: Block) -> Diagram:
    """A block with constants at all its inputs."""
    diagram = Diagram("alone")
    diagram.add("b", block)
    one = next(block for block in palette() if block.kind() == "Constant").with_parameters(value=1.0)
    for i, _ in enumerate(block.input_ports()):
        diagram.connect(diagram.add(f"c{i}", one), f"b[{i}]")
    return diagram


def fuzz_diagrams(count: int, seed: int) -> int:
    """Build, compile and run `count` diagrams; the exit status."""
    warnings.simplefilter("ignore")
    judge = Judge()
    for block in palette():  # the first compilation of its kernels is not what the time limit is about
        with suppress(BlockdynError):
            _alone(block).simulate(stop=1e-3, progress=False)
    for each in METHODS:  # and of the methods' loops
        _run(_alone(next(block for block in palette() if block.kind() == "Integrator")).compile(), each)
    for number in range(count):
        random = Random(f"{seed}/{number}")
        diagrams: list[Diagram] = []
        judge.run(
            f"diagrams {seed}/{number}",
            lambda random=random, diagrams=diagrams: _case(random, diagrams),
            lambda diagrams=diagrams: _shown(diagrams),
        )
    return judge.report()


def _case(random: Random, diagrams: list[Diagram]) -> str:
    diagram = random_diagram(random)
    diagrams.append(diagram)
    program = diagram.compile(parameters={"a": 2.0} if random.random() < 0.1 else None)
    _run(program, random.choice(METHODS))
    return "ran"


def _run(program: Program, chosen: Method) -> None:
    settings: dict[str, Any] = {"stop": 0.02, "method": chosen.name, "progress": False}
    if not chosen.adaptive:
        settings["step"] = 1e-3
    program.simulate(**settings)


def random_diagram(random: Random, depth: int = 0) -> Diagram:
    """A diagram that mostly makes sense, or one of anything wired to anything."""
    diagram = Diagram("case", {"a": 1.5, "b": "=a / 2"})
    careful = random.random() < 0.6
    outputs: list[str] = []
    stateful: list[str] = []
    inputs: list[tuple[str, int]] = []
    for i in range(random.randint(1, 12)):
        name = f"b{i}"
        if depth < 2 and random.random() < 0.08:
            inner = random_diagram(random, depth + 1)
            diagram.add(name, Subsystem(inner, **({"a": "=a"} if random.random() < 0.5 else {})))
            continue
        block = random.choice(tame() if careful else palette())
        diagram.add(name, _varied(block, random, careful))
        before = len(outputs)
        outputs += [f"{name}.{port.name}" for port in block.output_ports()]
        stateful += [f"{name}.y"] if block.kind() in ("Integrator", "UnitDelay") else []
        inputs += [(f"{name}[{k}]", before) for k, _ in enumerate(block.input_ports())]
    if not outputs:
        return diagram
    for target, before in inputs:
        sources = (careful and outputs[:before] + stateful) or outputs
        if careful or random.random() < 0.9:
            diagram.connect(random.choice(sources), target)
    if not careful:
        _miswire(diagram, outputs, random)
    return diagram


def _varied(block: Block, random: Random, careful: bool) -> Block:
    """The block with one number changed, where the block takes it."""
    numbers = [name for name, rule in block.rules().items() if rule.number]
    if not numbers or random.random() < 0.5:
        return block
    wrong = not careful and random.random() < 0.3
    value: Any = random.choice(ODD) if wrong else round(random.uniform(-2, 5), random.randrange(4))
    if isinstance(value, str):
        value = expression(value)
    try:
        return block.with_parameters(**{random.choice(numbers): value})
    except BlockdynError:
        return block


def _miswire(diagram: Diagram, outputs: list[str], random: Random) -> None:
    names = list(diagram)
    for _ in range(random.randint(0, 3)):
        source = random.choice(
            [*outputs, *names, "nobody", f"{random.choice(names)}[7]", f"{names[0]}.nothing"]
        )
        target = random.choice(
            [*names, "nobody", f"{random.choice(names)}[0]", f"{names[-1]}.u", f"{names[0]}.q"]
        )
        diagram.connect(source, target)
    if random.random() < 0.2:
        diagram.signal("named", random.choice([*names, "named", "nobody"]))
        diagram.connect("named", random.choice(names))
    if random.random() < 0.1:
        diagram.log(random.choice(["nobody", f"{names[0]}.y", f"{names[0]}/x.y", names[0]]))


def _shown(diagrams: list[Diagram]) -> str:
    if not diagrams:
        return "no diagram"
    diagram = diagrams[0]
    blocks = "\n".join(f"  {name}: {block!r}" for name, block in diagram.blocks.items())
    return blocks + "\n" + "\n".join(f"  {wire}" for wire in diagram.wires)

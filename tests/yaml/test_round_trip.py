"""A diagram of library blocks, written to YAML and read back, is the same diagram, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.parameter_expression import Parameter, expression
from blockdyn.blocks.discontinuous.saturation import Saturation
from blockdyn.blocks.discrete.zero_order_hold import ZeroOrderHold
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.mathematics.sum import Sum
from blockdyn.blocks.routing.inport import Inport
from blockdyn.blocks.routing.mux import Mux
from blockdyn.blocks.routing.outport import Outport
from blockdyn.blocks.sinks.scope import Scope
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.errors import DiagramError
from blockdyn.diagrams.model.subsystem import Subsystem
from blockdyn.diagrams.yaml import dump, dumps, load, loads
from blockdyn.diagrams.yaml.errors import NotWritable


def facts(value: Any) -> Any:
    """What a value is, down to the sign of zero, comparable by ==."""
    match value:
        case Diagram():
            return {
                "name": value.name,
                "parameters": [(k, facts(v)) for k, v in value.parameters.items()],
                "blocks": [(k, facts(v)) for k, v in value.blocks.items()],
                "wires": [str(wire) for wire in value.wires],
                "signals": {k: str(v) for k, v in value.signals.items()},
                "logged": value.logged,
                "simulation": facts(value.simulation),
            }
        case Subsystem():
            return facts(value.diagram), [(k, facts(v)) for k, v in value.overrides.items()]
        case Block():
            return value.kind(), [(name, facts(getattr(value, name))) for name in value.rules()]
        case Parameter():
            return value.formula.root
        case np.ndarray():
            return value.shape, value.tobytes()
        case float():
            return value.hex()
        case dict():
            return {k: facts(v) for k, v in value.items()}
        case list() | tuple():
            return [facts(item) for item in value]
    return value


WORDS = ("on", "off", "yes", "no", "null", "true", "False", "y", "n", "motor", "_x9", "Δφ", "größe")
names = st.one_of(st.sampled_from(WORDS), st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True))
numbers = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x != 0.0)
vectors = st.lists(numbers, min_size=1, max_size=4)
matrices = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=1, max_size=3)
)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
EXPRESSIONS = (
    "a",
    "2*a",
    "max(a, b) if a > 1 else -b",
    "[a, 1]",
    "[[a, 1.5], [b, -2]]",
    "a**2 % 3",
    "(a, b, 1e-9)",
)
expressions = st.sampled_from(EXPRESSIONS).map(expression)
reals = st.one_of(numbers, vectors, matrices, expressions)


def sampled(period: Any, offset: float) -> Block:
    return ZeroOrderHold(sample_time=period, offset=offset)


blocks = st.one_of(
    reals.map(lambda k: Gain(k=k)),
    reals.map(lambda value: Constant(value=value)),
    st.text("+-", min_size=1, max_size=5).map(lambda signs: Sum(signs=signs)),
    st.integers(1, 9).map(lambda count: Mux(count=count)),
    numbers.map(lambda x: Saturation(lower=-np.inf, upper=x)),
    st.builds(lambda x, edge: Integrator(initial=x, reset=edge), reals, st.sampled_from(("none", "rising"))),
    st.builds(sampled, st.floats(1e-9, 1e9), st.floats(0, 1e9)),
    st.builds(lambda title, labels: Scope(title=title, labels=labels), text, st.lists(text, max_size=3)),
)


@st.composite
def diagrams(draw: st.DrawFn, depth: int = 0) -> Diagram:
    extra = draw(st.dictionaries(names.map("p_".__add__), st.one_of(numbers, vectors), max_size=2))
    diagram = Diagram(draw(text), {"a": 1.5, "b": "=a / 3", **extra})
    labels = draw(st.lists(names, min_size=1, max_size=7, unique=True))
    for label in labels:
        if depth < 2 and draw(st.integers(0, 7)) == 0:
            changes = {"a": draw(reals)} if draw(st.booleans()) else {}
            diagram.add(label, Subsystem(draw(diagrams(depth=depth + 1)), **changes))
        else:
            diagram.add(label, draw(blocks))
    ends = st.sampled_from(
        [form.format(label) for label in labels for form in ("{}", "{}.u", "{}[0]", "{}[3]")]
    )
    for _ in range(draw(st.integers(0, 6))):
        middle = draw(st.lists(st.sampled_from(labels), max_size=2))
        diagram.connect(draw(ends), *middle, draw(ends))
    if draw(st.booleans()):
        diagram.connect(draw(ends), draw(st.lists(ends, min_size=1, max_size=3)))
    if "named" not in labels and draw(st.booleans()):
        diagram.signal("named", draw(ends))
    if draw(st.booleans()):
        diagram.log(*draw(st.lists(ends, max_size=3)))
    if draw(st.booleans()):
        diagram.settings(stop=draw(st.floats(1e-3, 1e9)), method="bs32", times=[0.1, 0.25], seed=7)
    return diagram


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(diagrams())
def test_what_is_read_is_what_was_written(diagram: Diagram) -> None:
    written = dumps(diagram)
    assert facts(loads(written)) == facts(diagram)
    assert anew(loads(written)) == written == dumps(loads(written))


@settings(max_examples=100)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=5).filter(lambda x: 0.0 not in x))
def test_floats_come_back_bit_for_bit(values: list[float]) -> None:
    diagram = Diagram("d", {"x": values})
    found = loads(dumps(diagram)).parameters["x"]
    assert isinstance(found, np.ndarray)
    assert found.tobytes() == np.array(values).tobytes()


def anew(diagram: Diagram) -> str:
    """The text of a diagram without that which it was read from."""
    diagram.source = None
    return dumps(diagram)


LOOP = """\
blockdyn: 1
name: loop
parameters: {kp: 4.0, inertia: 0.01}
blocks:
  reference: {type: Step, final: 10.0}
  error:     {type: Sum, signs: "+-"}
  control:   {type: Gain, k: =kp}
  motor:     {type: TransferFunction, num: [1.0], den: [=inertia, 1]}
wires:
  - reference -> error[0]
  - motor -> error[1]
  - error -> control -> motor
log: [motor, control]
simulate: {stop: 10, method: dopri5, rtol: 1e-6}
"""


def test_the_text_reads_as_one_would_write_it() -> None:
    assert anew(loads(LOOP)) == LOOP


def test_order_of_keys_does_not_matter() -> None:
    head, *sections = LOOP.split("\nblocks:")[0], "blocks:" + LOOP.split("\nblocks:")[1]
    body, tail = sections[0].split("wires:")
    turned = f"blockdyn: 1\nwires:{tail}{body}{head.removeprefix('blockdyn: 1')}\n"
    assert facts(loads(turned)) == facts(loads(LOOP))


def test_nothing_to_log_is_not_the_same_as_no_choice() -> None:
    diagram = Diagram("d")
    assert loads(dumps(diagram)).logged is None
    diagram.log()
    assert loads(dumps(diagram)).logged == ()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    dump(loads(LOOP), path)
    assert facts(load(path)) == facts(loads(LOOP))
    bad = Diagram("bad")
    bad.add("own", Own())
    with pytest.raises(NotWritable):
        dump(bad, path)
    assert path.read_text(encoding="utf-8") == LOOP
    assert [file.name for file in tmp_path.iterdir()] == ["loop.yaml"]


class Own(Block):
    """A user's block that no package offers."""

    outputs = ()


def test_a_class_of_ones_own_is_refused_with_the_remedy() -> None:
    inner, diagram = Diagram("inner"), Diagram("outer")
    inner.add("mine", Own())
    diagram.add("sub", inner)
    with pytest.raises(NotWritable, match=r"(?s)inner/mine|sub/mine") as caught:
        dumps(diagram)
    assert "blockdyn.blocks" in str(caught.value)


def test_a_diagram_that_contains_itself_is_refused() -> None:
    one, two = Diagram("one"), Diagram("two")
    one.add("two", two)
    two.add("one", one)
    with pytest.raises(DiagramError, match="contains itself"):
        dumps(one)


def test_diagrams_that_multiply_are_refused() -> None:
    inner = Diagram("d")
    inner.add("c", Constant())
    for level in range(25):
        outer = Diagram(f"d{level}")
        outer.add("x", inner)
        outer.add("y", inner)
        inner = outer
    with pytest.raises(NotWritable, match="lines"):
        dumps(inner)


def test_subsystems_too_deep_to_be_read_are_not_written() -> None:
    inner = Diagram("d")
    inner.add("u", Inport())
    inner.add("y", Outport())
    for _ in range(31):
        outer = Diagram("d")
        outer.add("x", inner)
        inner = outer
    assert facts(loads(dumps(inner))) == facts(inner)
    outer = Diagram("d")
    outer.add("x", inner)
    with pytest.raises(NotWritable, match="nested"):
        dumps(outer)

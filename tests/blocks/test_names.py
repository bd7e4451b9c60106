"""Names that users give are theirs: none of a block's own is taken for one, whatever it is called."""

import inspect
from itertools import pairwise

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.equations import argument_paths
from blockdyn.blocks.contract.registry import library

WORDS = (
    "mode", "crossed_condition", "crossed_condition0", "condition", "state", "begin", "never", "stream",
    "self", "since_a", "left_a", "last_u", "first_u", "number", "next_x", "d_x", "x", "z", "w", "p", "g", "y",
    "u", "m", "fired", "fresh", "out", "memory", "initial", "offset", "sample_time", "values", "size",
    "compiled",
    "e", "tau",
)  # fmt: skip
"""Words that programs are made of, and those that blocks gave to their own states and numbers."""


def library_names() -> list[str]:
    """All names of arguments, ports, states and parameters in the library, and WORDS."""
    names = dict.fromkeys(WORDS)
    for kind in library().values():
        names |= dict.fromkeys(kind.rules())
        for fact in (kind.inputs, kind.outputs, kind.states, kind.crossings):
            names |= dict.fromkeys(part.name for part in (fact if isinstance(fact, tuple) else ()))
        for name in dir(kind):
            function = inspect.getattr_static(kind, name)
            if isinstance(function, staticmethod):
                names |= dict.fromkeys(name for _, name in argument_paths(function.__func__))
    return [name for name in names if name.isidentifier() and name not in ("t", "after")]


NAMES = library_names()


def weighted(names: tuple[str, ...]) -> str:
    """1 a + 2 b + 3 c ..."""
    return " + ".join(f"{i} * {name}" for i, name in enumerate(names, 1))


def numbers(names: tuple[str, ...]) -> dict[str, float]:
    return {name: float(i) for i, name in enumerate(names, 1)}


def sum_of_squares(names: tuple[str, ...]) -> float:
    """The weighted sum where each name is its own weight."""
    return float(sum(i**2 for i in range(1, len(names) + 1)))


def driven(block: bd.Block, names: tuple[str, ...]) -> bd.Diagram:
    """A diagram in which `block` has a constant on each of these inputs."""
    d = bd.Diagram("named")
    handle = d.add("it", block)
    for name, value in numbers(names).items():
        d.connect(d.add(f"c_{name}", bd.Constant(value)), handle[name])
    return d


def finals(d: bd.Diagram, signal: str) -> list[float]:
    """Its last value, by machine code and by the interpreter."""
    return [float(d.simulate(stop=0.35, compiled=compiled).final(signal)) for compiled in (True, False)]


CHUNKS = [tuple(NAMES[start : start + 40]) for start in range(0, len(NAMES), 40)]
ARGUMENTS = WORDS[:20], WORDS[20:]


@pytest.mark.parametrize("names", CHUNKS)
def test_expressions_have_any_name_as_input_and_coefficient(names: tuple[str, ...]) -> None:
    kinked = f"max(-1, {weighted(names)})"
    wired = driven(bd.Expression(kinked), names)
    assert finals(wired, "it") == [sum_of_squares(names)] * 2
    d = bd.Diagram("numbers")
    d.add("it", bd.Expression(kinked, coefficients=numbers(names)))
    assert finals(d, "it") == [sum_of_squares(names)] * 2


@pytest.mark.parametrize("names", ARGUMENTS)
@pytest.mark.parametrize("kind", [bd.Function, bd.SampledFunction])
def test_functions_have_any_name_as_argument(kind: type[bd.Function], names: tuple[str, ...]) -> None:
    space: dict[str, object] = {}
    exec(f"def law({', '.join(names)}):\n    return {weighted(names)}", space)
    exec(f"def fixed({', '.join(f'{name}=0.0' for name in names)}):\n    return {weighted(names)}", space)
    assert finals(driven(kind(space["law"]), names), "it") == [sum_of_squares(names)] * 2
    d = bd.Diagram("numbers")
    d.add("it", kind(space["fixed"], values=numbers(names)))
    assert finals(d, "it") == [sum_of_squares(names)] * 2


def test_a_sampled_functions_own_clock_is_none_of_its_arguments() -> None:
    """`offset` and `sample_time` of the function are numbers of it, and it's own tick at 0, 1, 2 s."""

    def law(t: float, offset: float = 0.3, sample_time: float = 0.05) -> float:
        return t + offset + sample_time

    d = bd.Diagram("clock")
    d.add("f", bd.SampledFunction(law, sample_time=1.0))
    assert float(d.simulate(stop=1.9).final("f")) == pytest.approx(1.35)


def test_blocks_made_of_functions_have_any_name_as_input() -> None:
    names = WORDS[:20]
    space: dict[str, object] = {}
    exec(f"def law({', '.join(names)}):\n    return {weighted(names)}", space)
    made = bd.block(space["law"])()  # type: ignore[arg-type]
    assert finals(driven(made, names), "it") == [sum_of_squares(names)] * 2


def machine(names: tuple[str, ...], **options: object) -> bd.StateMachine:
    """It waits, with a guard of these names, and then outputs their weighted sum."""
    chart = {
        "states": {"a": {}, "b": {"during": {"total": weighted(names)}}},
        "transitions": [f"a -> b: after > 0.1 and {weighted(names)} > 1"],
    }
    return bd.StateMachine(chart=chart, signals={"total": 0.0}, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("names", ARGUMENTS)
def test_state_machines_have_any_name_as_input_and_number(names: tuple[str, ...]) -> None:
    wired = driven(machine(names), names)
    assert finals(wired, "it.total") == [sum_of_squares(names)] * 2
    for option in ("coefficients", "variables"):
        d = bd.Diagram(option)
        d.add("m", machine(names, **{option: numbers(names)}))
        assert finals(d, "m.total") == [sum_of_squares(names)] * 2


def test_state_machines_have_any_name_as_output_but_that_of_their_state() -> None:
    names = tuple(name for name in WORDS if name != "state")
    d = bd.Diagram("outputs")
    d.add(
        "m",
        bd.StateMachine(
            chart={"states": {"a": {"entry": numbers(names)}}}, signals=dict.fromkeys(names, 0.0)
        ),
    )
    result = d.simulate(stop=0.1)
    assert {name: float(result.final(f"m.{name}")) for name in names} == numbers(names)


def test_states_have_any_name() -> None:
    """Each state waits 10 ms; two paths that differ in `/` and `_` alone are two states."""
    names = WORDS[:12]
    states: dict[str, object] = {name: {} for name in names}
    transitions = [f"{a} -> {b}: after > 0.01" for a, b in pairwise(names)]
    states |= {"q": {"states": {"r": {}, "s": {}}}, "q_r": {}}
    transitions += [f"{names[-1]} -> q: after > 0.01", "q/r -> q/s: after > 0.01", "q/s -> q_r: after > 0.01"]
    d = bd.Diagram("states")
    d.add("m", bd.StateMachine(chart={"states": states, "transitions": transitions}))
    trace = d.simulate(stop=0.2).trace("m.state")
    assert trace.time[1:-1] == pytest.approx([0.01 * k for k in range(1, 15)])


def test_choices_have_any_name_as_input_and_output() -> None:
    names = WORDS[:20]
    d = driven(bd.If({"same": f"{weighted(names)} == {sum_of_squares(names)}"}), names)
    assert finals(d, "it.same") == [1.0, 1.0]
    d = driven(bd.If({name: f"given == {i}" for i, name in enumerate(names[:12])}), ("given",))
    assert finals(d, f"it.{names[1]}") == [1.0, 1.0]


def test_the_time_is_one_word_of_every_formula() -> None:
    with pytest.raises(bd.ParameterError):
        bd.Expression("u * t", coefficients={"t": 2.0})
    with pytest.raises(bd.ParameterError):
        bd.StateMachine(chart={"states": {"a": {}}}, coefficients={"after": 2.0})


def test_what_two_things_of_a_class_are_called_is_refused() -> None:

    class Shadow(bd.Block):
        """A constant with the name of the mode."""

        def constants(self) -> dict[str, float]:
            return {"mode": 1.0}

        @staticmethod
        def output(mode: float) -> float:
            return mode

    class Levels(bd.Block):
        """Crossings with the name of an input, which `crossing` could not read."""

        inputs = (bd.Port("h", 2),)
        crossings = (bd.Crossing("h", count=2),)
        states = (bd.State("n", "zero", held=True),)
        zero: bd.Real = bd.parameter(default=0.0)

        @staticmethod
        def output(n: float) -> float:
            return n

        @staticmethod
        def crossing(h: object) -> None:
            return None

        @staticmethod
        def jump(n: float) -> float:
            return n + 1.0

    with pytest.raises(bd.BlockdynError, match="constants"):
        Shadow()
    with pytest.raises(bd.BlockdynError, match="count"):
        Levels()


def test_two_states_with_the_same_timer_both_leave() -> None:
    """Each of two states lasts 0.5 s; the outer state's timer and the inner one's are two."""
    d = bd.Diagram("blinker")
    chart = {"states": {"on": {}, "off": {}}, "transitions": ["on -> off: after > T", "off -> on: after > T"]}
    d.add("m", bd.StateMachine(chart=chart, coefficients={"T": 0.5}))
    for options in ({}, {"compiled": False}, {"method": "rodas5p"}):
        result = d.simulate(stop=3.0, **options)  # type: ignore[arg-type]
        assert result.trace("m.state").time[1:-1] == pytest.approx([0.5, 1.0, 1.5, 2.0, 2.5])
    assert len({event.detail for event in result.events}) == 2
    nested = {
        "states": {"a": {}, "b": {"states": {"x": {}, "y": {}}}},
        "transitions": ["a -> b: after > 0.3", "b/x -> b/y: after > 0.3", "b -> a: after > 0.7"],
    }
    d = bd.Diagram("nested")
    d.add("m", bd.StateMachine(chart=nested))
    assert d.simulate(stop=1.5).trace("m.state").time[1:-1] == pytest.approx([0.3, 0.6, 1.0, 1.3])


def test_events_are_counted_by_the_name_of_their_crossing() -> None:
    d = bd.Diagram("blinker")
    chart = {
        "states": {"on": {}, "off": {}},
        "transitions": ["on -> off: after > 0.5", "off -> on: after > 0.5"],
    }
    d.add("m", bd.StateMachine(chart=chart))
    names = {event.detail for event in d.simulate(stop=3.2).events}
    counts = {f"n{i}": {"count": f"m.{name}"} for i, name in enumerate(sorted(names))}
    measured = d.measure(counts, stop=3.2)
    assert sorted(float(measured[name]) for name in counts) == [3.0, 3.0]

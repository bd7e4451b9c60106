"""What a user's own block class can get wrong in one line is told where the class is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.declaration import check_declaration
from blockdyn.blocks.contract.errors import DeclarationError
from blockdyn.blocks.contract.registry import library

from .declared import GOOD, SAMPLED, define, written

LINE = 4  # of `class Own` in the files written here

CASES: list[tuple[str, str, str]] = [  # what is replaced, by what, and what the error says
    # ports
    ("inputs", 'inputs = bd.Port("u")', "not a tuple"),
    ("inputs", 'inputs = ("u",)', r'Port\("name"\)'),
    ("inputs", 'inputs = "u"', "not a tuple"),
    ("inputs", 'inputs = [bd.Port("u")]', "not a tuple"),
    ("inputs", "inputs = None", "not a tuple"),
    ("inputs", "inputs = 3", "not a tuple"),
    ("inputs", "inputs = (None,)", "None in the tuple"),
    ("inputs", "inputs = (bd.Port,)", "in the tuple"),
    ("inputs", 'inputs = (bd.State("u", "x0"),)', "State.* in the tuple\nexpected: a Port"),
    ("inputs", 'inputs = (bd.Port("u", "x"),)', "size of `u` is 'x'"),
    ("inputs", 'inputs = (bd.Port("u", 0),)', "size of `u` is 0"),
    ("inputs", 'inputs = (bd.Port("u", -3),)', "size of `u` is -3"),
    ("inputs", 'inputs = (bd.Port("u", 1.0),)', "size of `u` is 1.0"),
    ("inputs", 'inputs = (bd.Port("u", True),)', "size of `u` is True"),
    ("inputs", 'inputs = (bd.Port("u", (3, 3)),)', r"size of `u` is \(3, 3\)\nexpected: .*Size\(\(n, m\)\)"),
    ("inputs", 'inputs = (bd.Port("u", bd.Size(3)),)', "size of `u`"),
    ("inputs", 'inputs = (bd.Port("u", bd.Size((2, 2, 2))),)', "size of `u`"),
    ("inputs", 'inputs = (bd.Port("u", 1, 5),)', "unit of 'u' is 5\nexpected: text"),
    ("inputs", 'inputs = (bd.Port("u", 1, "m", 5),)', "doc of 'u' is 5\nexpected: text"),
    ("inputs", 'inputs = (bd.Port("u", default="0"),)', "default of 'u' is '0'\nexpected: a number"),
    ("inputs", 'inputs = (bd.Port("u", default=True),)', "default of 'u' is True"),
    ("inputs", 'inputs = (bd.Port("u", default=float("nan")),)', "NaN"),
    ("inputs", 'inputs = (bd.Port("u", buses=1),)', "buses of 'u' is 1\nexpected: true or false"),
    ("inputs", "inputs = (bd.Port(5),)", "name of 5 is 5\nexpected: text"),
    ("inputs", 'inputs = (bd.Port(""),)', "the name ''"),
    ("inputs", 'inputs = (bd.Port("my port"),)', "the name 'my port'"),
    ("inputs", 'inputs = (bd.Port("2u"),)', "the name '2u'"),
    ("inputs", 'inputs = (bd.Port("lambda"),)', "the name 'lambda'"),
    ("inputs", 'inputs = (bd.Port("t"),)', "`t`, which is reserved"),
    ("inputs", 'inputs = (bd.Port("mode"),)', "`mode`, which is reserved"),
    ("inputs", 'inputs = (bd.Port("crossed_floor"),)', "reserved"),
    ("inputs", 'inputs = (bd.Port("u"), bd.Port("u"))', "`u` is declared twice"),
    ("inputs", 'inputs = (bd.Port("u"), bd.Port("x0"))', "parameters: `x0` stands in inputs too"),
    ("inputs", 'inputs = (bd.Port("u"), bd.Port("x"))', "states: `x` stands in inputs too"),
    ("inputs", 'inputs = (bd.Port("u"), bd.Port("y"))', "outputs: `y` stands in inputs too"),
    ("inputs", 'inputs: tuple = (bd.Port("u"),)', "annotated as a parameter\nexpected: .*ClassVar"),
    ("inputs", "def inputs(self): return ()", "not a tuple"),
    ("outputs", 'outputs = bd.Port("y")', "not a tuple"),
    ("outputs", 'outputs = ("y",)', "in the tuple"),
    ("outputs", 'outputs = (bd.Port("y"), bd.Port("z"))\noutput_w = staticmethod(abs)', "no output `w`"),
    ("outputs", "outputs = ()", "the block has no output for it"),
    # states
    ("states", 'states = bd.State("x", "x0")', "not a tuple"),
    ("states", 'states = ("x",)', "in the tuple"),
    ("states", 'states = (bd.State("x", 0.0),)', "initial of 'x' is 0.0\nexpected: text"),
    ("states", 'states = (bd.State("x", "y0"),)', "initial of `x` is `y0`.*did you mean `x0`"),
    ("states", 'states = (bd.State("x", "label"),)', "initial of `x` is `label`"),
    ("states", 'states = (bd.State("x", "x0", 3),)', "unit of 'x' is 3"),
    ("states", 'states = (bd.State("x", "x0", held="no"),)', "held of 'x' is 'no'"),
    ("states", 'states = (bd.State("x", "x0"), bd.State("x", "x0"))', "twice"),
    ("states", 'states = (bd.State("x0", "x0"),)', "`x0` stands in states too"),
    ("states", "states = ()", "derivative: it would never be called"),
    # crossings
    ("crossings", 'crossings = (bd.Crossing("floor", 5),)', r"of `floor` is 5\nexpected: 1 \(rises"),
    ("inputs", 'inputs = (bd.Port("u", pace=(1,)),)', r"pace of `u` is \(1,\)"),
    ("crossings", 'crossings = (bd.Crossing("floor", 0.5),)', "direction of 'floor' is 0.5"),
    ("crossings", 'crossings = (bd.Crossing("floor", "down"),)', "direction of 'floor' is 'down'"),
    ("crossings", 'crossings = (bd.Crossing("floor", True),)', "direction of 'floor' is True"),
    ("crossings", 'crossings = (bd.Crossing("floor", None),)', "direction of 'floor' is None"),
    ("crossings", 'crossings = (bd.Crossing("floor", -1, -2),)', "count of `floor` is -2"),
    ("crossings", 'crossings = (bd.Crossing("floor", -1, 2.0),)', "count of 'floor' is 2.0"),
    ("crossings", 'crossings = bd.Crossing("floor")', "not a tuple"),
    ("crossings", 'crossings = (bd.Crossing("flor", -1),)', "jump: its .* did you mean `crossed_flor`"),
    ("crossings", "", "the block declares no crossings"),
    # parameters
    ("x0", "x0 = bd.parameter(default=1.0)", "without an annotation\nexpected: `x0: bd.Real"),
    ("x0", "x0: bd.Real = bd.parameter(default='one')", "default 'one'\nexpected: a number"),
    ("x0", "x0: bd.Real = bd.parameter(default=True)", "default True\nexpected: a number"),
    ("x0", "x0: bd.Real = bd.parameter(default=-1.0, minimum=0)", "default -1.0\nexpected: zero or greater"),
    ("x0", "x0: bd.Real = bd.parameter(default=0.0, above=0)", "expected: greater than zero"),
    ("x0", "x0: bd.Real = bd.parameter(default=[1.0], dimensions=(0,))", "expected: a number"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, dimensions=0)", "dimensions is 0"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, dimensions=(3,))", "dimensions is"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, unit=5)", "unit is 5\nexpected: .*text"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, doc=5)", "doc is 5"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, minimum='0')", "minimum is '0'"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, above=True)", "above is True"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0, infinite='no')", "infinite is 'no'"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0)\nk: bd.Real = bd.parameter()", "default for it too"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0)\nstates_: list = []", "which can change"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0)\nt: bd.Real = bd.parameter(default=1.0)", "reserved"),
    ("x0", "x0: bd.Real = bd.parameter(default=1.0)\ncheck: bd.Real = bd.parameter(default=1.0)", "check"),
    ("label", 'label: str = bd.option(default="c", choices=("a", "b"))', "'c'\nexpected: one of 'a', 'b'"),
    ("label", 'label: str = bd.option(default=3)', "default 3\nexpected: text"),
    ("label", 'label: str = bd.option(default="a", choices="ab")', "choices is 'ab'"),
    ("label", 'label: int = bd.option(default=True)', "default True\nexpected: a whole number"),
    ("label", "label: dict = bd.option(default={})", r"can change\n.*default=None\)`, and `dict\(\)`"),
    ("label", "label: dict | None = {}", r"can change\n.*default=None"),
    ("label", "label: set = bd.option(default={1})", r"can change\n.*default=None\)`, and `set\(\)`"),
    # functions
    ("output", "def output(x):\n    return x", "output: a method\nexpected: .*@staticmethod"),
    ("output", "@classmethod\ndef output(cls, x):\n    return x", "@staticmethod"),
    ("output", "output = 5", "output: 5"),
    ("output", "output = staticmethod(5)", "output: 5"),
    ("output", "output_y = staticmethod(lambda *u: u)", "argument `u` is not a plain one"),
    ("output", "@staticmethod\nasync def output(x):\n    return x", "an async function"),
    ("output", "@staticmethod\ndef output(x):\n    yield x", "a generator"),
    ("output", "@staticmethod\ndef output(x, **named):\n    return x", "argument `named`"),
    ("output", "@staticmethod\ndef output(*, x):\n    return x", "argument `x`"),
    ("output", "@staticmethod\ndef output(self, x):\n    return x", "argument `self`"),
    ("output", "@staticmethod\ndef output(x, v):\n    return x", "argument `v` is not a name of"),
    ("output", "@staticmethod\ndef output(x, label):\n    return x", "declare `label` with bd.parameter"),
    ("output", "@staticmethod\ndef output_z(x):\n    return x", "no output `z`"),
    ("output", "@staticmethod\ndef outputs_y(x):\n    return x", "`y`: `outputs_y`, did you mean `output`"),
    ("output", "", "nothing computes `y`"),
    ("derivative", "", "no function changes `x`\nexpected: a static method `derivative`"),
    ("derivative", "@staticmethod\ndef derivatives(x):\n    return x", "`derivatives`, did you mean"),
    ("derivative", "@staticmethod\ndef derivative(u, x, next_x):\n    return x", "argument `next_x`"),
    ("crossing", "", "nothing computes `floor`"),
    ("jump", "", "no function changes `on`\nexpected: a static method `jump`"),
    ("jump", GOOD["jump"] + "\nupdate = staticmethod(lambda x: x)", "update: it would never be called"),
    # names that nothing uses
    ("label", "@staticmethod\ndef jmp(x, on):\n    return x, on", "jmp: .* calls, did you mean `jump`"),
    ("label", "@staticmethod\ndef kick(x):\n    return x", "kick: .* nothing calls\n.*begins with `_`"),
    ("label", 'output_ = (bd.Port("z"),)', "output_: a Port under .*did you mean `outputs`"),
    ("label", 'output_ports_ = (bd.Port("z"),)', "output_ports_: a Port under .*did you mean `outputs`"),
    ("label", 'input = bd.Port("z")', "input: a Port under .*did you mean `inputs`"),
    ("label", 'state = (bd.State("z", "x0"),)', "state: a State under .*did you mean `states`"),
    ("label", 'crossing_ = [bd.Crossing("z")]', "crossing_: a Crossing under .*did you mean `crossings`"),
    # fields left out, or of another kind
    ("states", 'states = (bd.State("x"),)', "`x` has no initial value"),
    ("outputs", 'outputs = (bd.Port("y", like="u"),)', r"like of `y` is 'u'\n.*: Like\("),
    # what functions return
    ("crossing", "@staticmethod\ndef crossing(x):\n    return x < 0.5", r"truth value \(line \d+\)"),
    ("crossing", "@staticmethod\ndef crossing(x):\n    return not x", "truth value"),
    ("crossing", "@staticmethod\ndef crossing(x):\n    return True", "truth value"),
    ("label", "@staticmethod\ndef mode(x):\n    return 0.5 if x > 0 else 0.0", "it returns 0.5 .*\n.*whole"),
    ("derivative", "@staticmethod\ndef derivative(u, x):\n    return u > x", r"truth value \(line \d+\)"),
    ("derivative", "@staticmethod\ndef derivative(x):\n    return True", "expected: the derivative"),
    # what is computed by methods, flags
    ("label", "from typing import ClassVar\nsmapled: ClassVar = True", "smapled: .*did you mean `sampled`"),
    ("label", "elementwize = True", "elementwize: nothing reads it, did you mean `elementwise`"),
    ("label", "ramdom = True", "ramdom: .*did you mean `random`"),
    ("label", "held_inital = 'x0'", "held_inital: .*did you mean `held_initial`"),
    ("label", "def constnats(self):\n    return {}", "constnats: .*did you mean `constants`"),
    ("label", "def input_port(self):\n    return ()", "input_port: .*did you mean `input_ports`"),
    ("label", "constants = {'k': 1.0}", r"constants: .*\nexpected: a method: `def constants\(self\):`"),
    ("label", "def constants():\n    return {}", "expected: a method"),
    ("label", "check = None", "expected: a method"),
    ("label", "def sizes(self):\n    return {}", r"def sizes\(self, inputs\)"),
    ("label", "elementwise = 1", "elementwise: 1\nexpected: True or False"),
    ("label", "elementwise: bool = True", "annotated as a parameter"),
    ("label", "sampled = True", "sampled block"),
    ("label", "held_initial = 'x0'", "held_initial: 'x0'"),
    ("label", "def __init__(self, k):\n    self.k = k", "a constructor"),
]  # fmt: skip
CASES_SAMPLED = [
    ("crossings", "sample_time: float = bd.option(default=0.1)", "sample_time: a sampled block"),
    ("crossings", "", "sample_time: a sampled block"),
    ("crossings", "sample_time = 0.1", "sample_time: a sampled block"),
    ("crossing", "offset = 0.1", "offset: a sampled block"),
    ("jump", 'held_initial = "first"', "held_initial: 'first'\nexpected: .*x0"),
    ("jump", "held_initial = 0.0", "held_initial: 0.0"),
    ("update", "", "no function changes `x`\nexpected: a static method `update`"),
    ("derivative", "@staticmethod\ndef derivative(x):\n    return x", "derivative: it would never be called"),
]


@pytest.mark.parametrize("parts", [GOOD, SAMPLED])
def test_what_the_cases_spoil_is_right_by_itself(parts: dict[str, str], tmp_path: Path) -> None:
    d = bd.Diagram("own")
    d.connect(d.add("one", bd.Constant(1.0)), d.add("own", define(written(tmp_path, parts))()))
    d.simulate(stop=0.5, compiled=False)


@pytest.mark.parametrize(
    ("parts", "part", "line", "says"),
    [(GOOD, *case) for case in CASES] + [(SAMPLED, *case) for case in CASES_SAMPLED],
)
def test_a_wrong_declaration(parts: dict[str, str], part: str, line: str, says: str, tmp_path: Path) -> None:
    file = written(tmp_path, parts | {part: line})
    with pytest.raises(DeclarationError, match=says) as caught:
        define(file)
    assert str(caught.value).startswith(f"{file}:{LINE}: Own.")
    assert "\nexpected: " in str(caught.value)


def test_a_crossing_at_which_nothing_happens(tmp_path: Path) -> None:
    """Unless a function refuses there, as InverseJacobian does at a singular pose."""
    parts = GOOD | {"states": GOOD["states"].partition(", bd.State")[0] + ",)", "jump": ""}
    with pytest.raises(DeclarationError, match="crossing: nothing happens at its events"):
        define(written(tmp_path, parts))
    refusing = "@staticmethod\ndef output(x):\n    if x < 0.5:\n        raise bd.Refusal('low')\n    return x"
    define(written(tmp_path, parts | {"output": refusing}))


@pytest.mark.parametrize("name", library())
def test_the_library_keeps_the_rules(name: str) -> None:
    check_declaration(library()[name])


def test_a_crossing_in_a_wrong_direction_no_longer_lets_a_ball_through_the_floor() -> None:
    with pytest.raises(bd.BlockError, match=r"test_declarations\.py:\d+: Ball\.crossings"):

        class Ball(bd.Block):
            states = (bd.State("h", "h0"), bd.State("v", "v0"))
            crossings = (bd.Crossing("floor", 5),)
            h0: bd.Real = bd.parameter(default=1.0)
            v0: bd.Real = bd.parameter(default=0.0)

            @staticmethod
            def derivative(v):
                return v, -9.81

            @staticmethod
            def crossing(h):
                return h

            @staticmethod
            def jump(h, v):
                return 0.0, -v

            @staticmethod
            def output(h):
                return h

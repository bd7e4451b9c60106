"""What newcomers try on things that have it under another name: the error says where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.analysis.models.linear_model import LinearModel


@pytest.fixture(scope="module")
def run() -> bd.Result:
    d = bd.Diagram("decay")
    d.log(d.add("motor", bd.Constant(value=2.0)))
    return d.simulate(stop=1.0)


def test_names_of_signals_lead_to_their_paths(run):
    for things in (run.signals, run.states, run.finals):
        with pytest.raises(KeyError, match="there is no 'moter' here"):
            things["moter"]
    with pytest.raises(bd.BlockdynError, match=r"there is no 'motor' here\nhere it is \['motor\.y'\]"):
        run.signals["motor"]
    assert "motor" not in run.signals
    assert run.signals.get("motor") is None
    with pytest.raises(bd.BlockdynError, match="a result never changes"):
        run.signals["motor.y"] = 3
    with pytest.raises(bd.BlockdynError, match="this is no function"):
        run.signals()


@pytest.mark.parametrize(
    "use", [lambda sweep: sweep[0], list, lambda sweep: "kp" in sweep], ids=["index", "iterate", "in"]
)
def test_sweeps_are_asked_for_their_scenarios(use: Callable[[Any], Any]):
    d = bd.Diagram("decay", parameters={"kp": 1.0})
    d.log(d.add("gain", bd.Constant(value=bd.expression("kp"))))
    sweep = d.sweep({"kp": [1.0, 2.0]}, {"top": {"max": "gain"}}, stop=1.0)
    with pytest.raises(bd.BlockdynError, match=r"a Sweep has nothing at \[.*\n.*scenario\(17\)"):
        use(sweep)


def test_a_trace_has_its_numbers_in_arrays(run):
    with pytest.raises(bd.BlockdynError, match=r"values\[0\]"):
        run.signals["motor.y"][0]


def test_the_base_of_blocks_is_no_block():
    with pytest.raises(bd.BlockdynError, match="class Mine"):
        bd.Block()
    with pytest.raises(
        bd.BlockdynError, match=r"block has no argument `inputs`\n.*whose arguments are the inputs"
    ):
        bd.block(inputs=2)  # type: ignore[call-overload]


def test_figures_show_themselves(run, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    windows = []
    monkeypatch.setattr(
        pyplot, "show", lambda: windows.append([pyplot.figure(n) for n in pyplot.get_fignums()])
    )
    figure = run.plot("motor")
    figure.show()
    figure.show()
    assert windows == [[figure], [figure]]
    pyplot.close("all")


def test_a_call_that_lacks_an_argument_is_not_blamed_on_another_one():
    with pytest.raises(bd.BlockdynError, match=r"Diagram\.tune is given no `measures`"):
        bd.Diagram("empty").tune({"kp": [0.5, 3.0]}, {"iae": "error"}, stop=1.0)  # type: ignore[call-arg]


@pytest.fixture(scope="module")
def model() -> LinearModel:
    d = bd.Diagram("lag")
    wanted = d.add("wanted", bd.Step(final=1.0))
    d.connect(wanted, d.add("lag", bd.TransferFunction(num=[2.0], den=[1.0, 1.0])))
    return d.linearize("wanted", "lag")


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda m: m.dcgain(), r"gain\(\)"),
        (lambda m: m.eig(), r"poles\(\)"),
        (lambda m: m.feedback(), r"control\.feedback\(model\.to_control"),
        (lambda m: m["A"], r"model\.A"),
        (lambda m: m * m, "to_control"),
        (lambda m: 2.0 * m, "to_control"),
        (lambda m: m.step(stop=10), r"step\(numpy\.linspace"),
    ],
    ids=["dcgain", "eig", "feedback", "index", "product", "multiple", "step"],
)
def test_linear_models_lead_from_names_of_other_libraries(
    model: LinearModel, use: Callable[[Any], Any], place: str
):
    with pytest.raises(bd.BlockdynError, match=place):
        use(model)


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda d: d.trim(1), r"trim takes no value without a name.*\n.*\n.*trim\(outputs="),
        (lambda d: d.root_locus("kp"), "root_locus is given no `values`"),
        (lambda d: d.frequency_response([1.0], "a"), "frequency_response is given no `amplitude`"),
        (
            lambda d: bd.load(trust=True),  # type: ignore[call-arg]
            "load is given no `path_or_text`",
        ),
        (bd.dump, "dump is given no `path`"),
        (bd.derivative, "derivative is given no `of` and no `by`"),
    ],
    ids=["trim", "root_locus", "frequency_response", "load", "dump", "derivative"],
)
def test_wrong_calls_say_what_is_taken(use: Callable[[Any], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use(bd.Diagram("empty"))


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda arm, craft: arm.dof, "`n`"),
        (lambda arm, craft: arm[0], r"joints\[0\]"),
        (lambda arm, craft: list(arm), r"joints\[0\]"),
        (lambda arm, craft: craft.simulate(), r"NRotor\(vehicle="),
        (lambda arm, craft: craft[0], r"rotors\[0\]"),
    ],
    ids=["dof", "index", "iterate", "simulate", "rotor"],
)
def test_robots_lead_to_what_moves_them(use: Callable[[Any, Any], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use(robots.load("puma560"), robots.load_vehicle("crazyflie"))

"""What newcomers try on things that have it under another name: the error says where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
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


def test_a_diagram_counts_its_blocks():
    d = bd.Diagram("empty")
    assert len(d) == 0
    assert d  # it is one, all the same
    d.add("gain", bd.Gain())
    assert len(d) == len(list(d)) == 1
    with pytest.raises(bd.BlockdynError, match=r"diagram\[.a.\] \+ diagram\[.b.\]"):
        d + d  # type: ignore[operator]
    with pytest.raises(bd.BlockdynError, match=r"wires\[0\]"):
        d.wires()  # type: ignore[operator]
    with pytest.raises(bd.BlockdynError, match="without the block"):
        del d["gain"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda: 2 * bd.Gain(2), r"diagram\.add\(.amp., block\)"),
        (lambda: bd.Gain(2) >> bd.Gain(3), r"a >> b"),
        (lambda: bd.Gain(2)[0], r"amp\[0\]"),
        (lambda: bd.Gain(2).gain, "did you mean `k`"),
        (lambda: bd.Gain(2).weight, "its parameters are k"),
        (lambda: bd.Diagram("d").add("g", bd.Gain(2)).gain, "did you mean `k`"),
        (lambda: list(bd.Diagram("d").add("g", bd.Gain(2))), r"g\[0\]"),
    ],
)
def test_blocks_lead_into_a_diagram(use: Callable[[], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use()


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("fit", r"`diagram\.fit\("),
        ("linearize", r"`diagram\.linearize\("),
        ("solve_ivp", r"diagram\.simulate\(stop=10\)"),
        ("Simulation", r"diagram\.simulate\(stop=10\)"),
        ("margin", r"`margins\(\)`"),
        ("feedback", "`Sum`"),
        ("Robot", r"blockdyn\.robots\.Robot"),
        ("Puma560", r"robots\.load\(.puma560.\)"),
        ("Ensemble", r"\.run\(\)"),
    ],
)
def test_the_module_leads_to_what_its_things_do(name: str, place: str):
    with pytest.raises(AttributeError, match=place):
        getattr(bd, name)


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    d = bd.Diagram("lag", parameters={"k": 1.5})
    d.connect(
        d.add("u", bd.Constant(1.0)), d.add("lag", bd.TransferFunction(bd.expression("[k]"), [1.0, 1.0]))
    )
    d.log("lag")
    t = np.linspace(0.1, 2.0, 20)
    area, limits = {"top": {"max": "lag"}}, {"k": (1.0, 2.0)}
    return {
        "fit": d.fit({"time": t, "lag": 2.0 * (1.0 - np.exp(-t))}, ["k"]),
        "tuned": d.tune(["k"], "top", area, bounds=limits, stop=2.0),
        "gradient": d.gradient(area, "k", stop=2.0),
        "sensitivities": d.sensitivities("k", "lag", stop=2.0),
        "worst": d.sweep({"k": [1.0, 2.0]}, area, stop=2.0).run().worst("top"),
    }


def test_what_is_found_by_a_name_is_in_it(found):
    assert {name: list(things) for name, things in found.items() if name != "worst"} == {
        "fit": ["k"], "tuned": ["k"], "gradient": ["top"], "sensitivities": ["lag.y"],
    }  # fmt: skip
    assert dict(found["fit"]) == pytest.approx({"k": 2.0})
    assert found["tuned"]["k"] == pytest.approx(1.0)
    for name, key in (("fit", "k"), ("tuned", "k"), ("gradient", "top"), ("sensitivities", "lag")):
        assert key in found[name]
        assert "nothing" not in found[name]
        assert len(found[name]) == 1
    assert list(found["worst"]["k"]) == [2.0, 1.0]


@pytest.mark.parametrize(
    ("use", "place"),
    [
        (lambda f: f["fit"].popt, "`values` by path"),
        (lambda f: f["fit"].k, r"fit\['k'\]"),
        (lambda f: f["fit"].errors.k, r"here it is \['k'\]"),
        (lambda f: f["fit"].residuals["lag"], r"residuals\[0\]"),
        (lambda f: f["fit"].intervals["k"], r"intervals\(0\.95\)"),
        (lambda f: f["tuned"].x, "`values`, by path"),
        (lambda f: f["tuned"]["top"], r"tuned\.after\[:, 0\]"),
        (lambda f: f["gradient"].k, r"gradient\['top', 'k'\]"),
        (lambda f: f["sensitivities"].t, "`times`"),
        (lambda f: f["worst"].iloc, r"to_frame\(\)"),
        (lambda f: f["worst"].k, r"table\['k'\]"),
        (lambda f: f["worst"]["q"], "no column 'q'"),
        (lambda f: f["worst"][7], "the table has 2"),
    ],
)
def test_answers_lead_from_names_of_other_libraries(found, use: Callable[[Any], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use(found)


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
        (lambda m: m(1j), r"frequency_response\(\[1\.0"),
        (len, "has no length"),
        (lambda m: m.poles[0], r"poles\(\)\[0\]"),
        (lambda m: m.margins().gm, "`gain`"),
        (lambda m: m.margins()["phase"], r"margins\.phase"),
        (lambda m: m.step().y, "`values`"),
        (lambda m: m.step().plot(), "pyplot"),
        (lambda m: m.damping()[0].zeta, "`damping`"),
        (lambda m: m.bode()[0], r"frequency_response\(\["),
        (lambda m: m.frequency_response([1j]), "real numbers in one list"),
        (lambda m: m.step(stop=10), r"step\(numpy\.linspace"),
    ],
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
        (lambda arm, craft: arm.draw(), "--plot arm.png"),
        (lambda arm, craft: arm.mass, r"sum\(link\.mass"),
        (lambda arm, craft: arm.joints["joint1"], r"joint\(.joint1.\)"),
        (lambda arm, craft: arm.links[0].m, "`mass`"),
        (lambda arm, craft: arm * arm, r"robots\.join"),
    ],
    ids=["dof", "index", "iterate", "simulate", "rotor", "draw", "mass", "joint", "m", "product"],
)
def test_robots_lead_to_what_moves_them(use: Callable[[Any, Any], Any], place: str):
    with pytest.raises(bd.BlockdynError, match=place):
        use(robots.load("puma560"), robots.load_vehicle("crazyflie"))

"""Display: its last value stands in the result's text, on its page and in what the command prints."""

from __future__ import annotations

import numpy as np

import blockdyn as bd


def energy() -> bd.Diagram:
    d = bd.Diagram("heater")
    d.connect(
        d.add("power", bd.Constant(1.5)), d.add("energy", bd.Integrator()),
        d.add("used", bd.Display(title="Energy <used>", unit="J")),
    )  # fmt: skip
    return d


def test_the_last_value_is_told(tmp_path) -> None:
    r = energy().simulate(stop=2.0)
    assert "\n  Energy <used>: 3 J" in repr(r)
    assert "Energy &lt;used&gt;: 3 J" in r._repr_html_()
    page = r.page(tmp_path / "run.html").file.read_text()
    assert "Energy &lt;used&gt;: 3 J" in page


def test_without_a_title_it_has_its_path_and_vectors_have_all_elements() -> None:
    d = bd.Diagram()
    d.connect(d.add("v", bd.Constant(np.arange(4.0))), d.add("show", bd.Display()))
    assert "\n  show: 0, 1, 2, 3" in repr(d.simulate(stop=1.0, log=[]))


def test_it_is_no_plot() -> None:
    r = energy().simulate(stop=1.0)
    assert len(r.plot().axes) == len(r.signals)


def test_the_command_prints_it(tmp_path, capsys) -> None:
    from blockdyn.cli import main

    bd.dump(energy(), tmp_path / "heater.yaml")
    assert main(["run", str(tmp_path / "heater.yaml"), "--stop", "2"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Energy", "<used>", "3", "J"] in rows

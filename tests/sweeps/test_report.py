"""The report is one page that needs nothing else, tells the numbers, and trusts no text."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results.errors import ResultFileError
from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.declare.design import Axis, Design
from blockdyn.sweeps.store.part import OUTCOMES

from .ensembles import TIMES, Named, ensemble, explicit, uniform

pytestmark = pytest.mark.xdist_group("report")
EVIL = "<script>alert('x')</script>\"&{{$title}}"
BAD = (OUTCOMES.index("not finite"), f"plant{EVIL} is not finite at t = 0.5 s")
VOID = {"meta", "img", "wbr", "br", "hr", "link"}


class Page(HTMLParser):
    """Tags, texts and attributes of a page; fails where a tag is closed that is not open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def made(**more: Any) -> Ensemble:
    """Two sampled axes with odd names, a grid of two gains, three measures, one kept signal, failures."""
    axes = (*uniform(1.0, 3.0, rate=None), Axis(EVIL, ("plant.x",), "uniform", {"low": 0.0, "high": 1.0}))
    design = Design(explicit(kp=[1.0, 2.0], kd=[0.0, 0.5, 1.0]), axes, 40, 2, "random")
    measures = {
        "rms": lambda values: values["rate"] * values["kp"],
        f"peak {EVIL}": lambda values: values["rate"] + values[EVIL],
        "flat": lambda values: 1.0,
    }
    kept = {"plant.y": lambda values: np.exp(-np.multiply.outer(values["rate"], TIMES))}
    info = {
        "diagram": f"arm {EVIL}", "file": "my arm.yaml", "declaration": f"sweep:\n  note: {EVIL}\n",
        "seed": 2, "times": TIMES, "versions": {"blockdyn": "0.1.0", "numpy": "2"}, "wall": 2.0, "note": EVIL,
    }  # fmt: skip
    settings = {"failed": {4: BAD, 9: BAD, 90: BAD}, "kept": kept, "info": info} | more
    return ensemble(design, measures, **settings)


def written(tmp_path: Path, one: Ensemble) -> str:
    one.report(tmp_path / "out.html")
    return (tmp_path / "out.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("report"), made())


def test_the_page_is_whole_and_asks_nothing_of_a_network(text: str) -> None:
    page = Page(text)
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "iframe", "object", "form", "a", "base"}
    for _, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name != "href"
            assert name != "src" or str(value).startswith("data:image/")
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style
    assert "default-src 'none'" in text


def test_texts_of_others_stay_texts(text: str) -> None:
    assert "<script" not in text
    page = Page(text)
    shown = "".join(page.texts)
    assert f"arm {EVIL}" in shown
    assert f"note: {EVIL}" in shown
    assert BAD[1] in shown
    for tag, attributes in page.tags:
        if tag == "img":
            data = base64.b64decode(str(attributes["src"]).split(",")[1])
            assert b"<script" not in data
            assert data.startswith(b"<?xml")
            assert attributes["alt"]


def test_the_page_tells_what_the_ensemble_tells(text: str) -> None:
    one = made()
    shown = " ".join(Page(text).texts)
    summary = one.summary()
    assert f"{summary.measures[0].mean:.5g}" in shown
    assert f"{summary.measures[0].quantiles[4]:.5g}" in shown
    for row in one.worst("rms", 5).rows:
        assert f"blockdyn run 'my arm.yaml' --scenario {row[0]}" in shown
        assert f"{row[1]:.5g}" in shown
    assert "blockdyn run 'my arm.yaml' --scenario 4" in shown  # the first of the failures
    assert "flat is the same everywhere" in shown
    assert "0.1.0" in shown


def test_equal_ensembles_make_equal_pages(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, made()) == text


def test_the_size_does_not_grow_with_the_sweep(tmp_path: Path) -> None:
    names = {f"axis_{i}": None for i in range(15)}
    design = Design((), uniform(0.0, 1.0, **names), 8_000, 1, "random")
    measures = {f"measure {i}": lambda values, i=i: values[f"axis_{i}"] ** 2 for i in range(15)}
    kinds = "abcdefghijklmnopqrstuvwxyz"
    failed = {k: (2, f"block {kinds[k % 26]}{kinds[k // 26 % 26]}: {'long ' * 500}") for k in range(3000)}
    info = {"declaration": "x: 1\n" * 100_000}
    text = written(tmp_path, ensemble(design, measures, failed=failed, info=info))
    assert len(text) < 6e6
    shown = " ".join(Page(text).texts)
    assert "7 more measures" in shown
    assert "and " in shown
    assert re.search(r"\d+ more, of \d+ other kinds", shown)
    assert "440000 more characters" in shown


def test_unfinished_and_empty_sweeps_have_a_report(tmp_path: Path) -> None:
    design = Design((), uniform(rate=None), 8, 1, "random")
    text = written(tmp_path, Ensemble(design, Named(("y",), ("m",)), []))
    assert "not run" in text
    assert "unfinished" in text
    assert Page(written(tmp_path, made(failed=dict.fromkeys(range(240), BAD)))).open == []


def test_a_report_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match="make the folder first"):
        made().report(tmp_path / "none" / "out.html")
    assert list(tmp_path.iterdir()) == []


def test_the_diagram_that_was_swept_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("py_mini_racer", reason='needs V8: pip install "blockdyn[drawing]"')
    d = bd.Diagram("lag")
    d.connect(d.add("wanted", bd.Step()), d.add("plant", bd.TransferFunction([1.0], [1.0, 1.0])))
    sweep = bd.Sweep(d, {"wanted.final": [1.0, 2.0]}, {"last": {"final": "plant"}}, stop=1.0)
    sweep.run(progress=False).report(tmp_path / "report.html")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    (source,) = [of["src"] for tag, of in page.tags if tag == "img" and of.get("alt") == "the diagram"]
    assert source is not None
    svg = base64.b64decode(source.partition(",")[2]).decode()
    assert {'data-path="wanted"', 'data-path="plant"'} <= set(re.findall(r'data-path="[^"]*"', svg))

"""The site: Python twins of the gallery's diagrams are these diagrams, and dead links do not pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml.finding import gallery_files
from website.links import faults
from website.twin import python_of


@pytest.mark.parametrize("name", sorted(gallery_files()))
def test_the_python_beside_a_diagram_declares_it(name: str) -> None:
    text = Path(str(gallery_files()[name])).read_text(encoding="utf-8")
    names: dict[str, bd.Diagram] = {}
    exec(python_of(text).replace("r = d.simulate()\n", ""), names)
    declared = bd.load(name)
    declared.source, declared.doc = None, ""  # the text itself, and what nothing looks at
    assert bd.dumps(names["d"]) == bd.dumps(declared, sweep=False)


def test_what_leads_nowhere_and_what_is_fetched_from_elsewhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#here">b</a><a href="#top">up</a><a href="https://example.org">x</a>'
        '<a href="b.html#gone">1</a><a href="c.html">2</a><img src="https://example.org/3.png">'
    )
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert faults(tmp_path) == [
        "a.html: b.html#gone: no such anchor",
        "a.html: c.html: no such file",
        "a.html: https://example.org/3.png: loaded from a network",
    ]

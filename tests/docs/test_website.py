"""The site: Python twins of the gallery's diagrams are these diagrams, and dead links do not pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml.finding import gallery_files
from website import staged
from website.drawn import draw
from website.links import faults
from website.mentions import link
from website.twin import python_of

SUBSYSTEMS = Path(__file__).parents[2] / "docs" / "tutorials" / "11-subsystems.md"


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


def test_a_diagram_that_a_page_declares_is_followed_by_its_picture(tmp_path: Path) -> None:
    pytest.importorskip("py_mini_racer", reason='needs drawing: pip install "blockdyn[drawing]"')
    page = tmp_path / "page.md"
    page.write_text(SUBSYSTEMS.read_text(encoding="utf-8"), encoding="utf-8")
    draw(page)
    parts = page.read_text(encoding="utf-8").split('class="diagram"')
    assert len(parts) == 3  # engine.yaml, and a pair of these
    assert 'data-path="lag"' in parts[1]
    assert 'data-path="right"' in parts[2]


@pytest.mark.parametrize("file", sorted(staged.STAGES.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_block_that_needs_a_diagram_around_it_works_in_its_own(file: Path) -> None:
    """The diagram has the block, and its run says something or has signals that change."""
    assert f"type: {file.stem}" in file.read_text(encoding="utf-8")
    result, said = staged.run(bd.load(file))
    assert said or any(len({*trace.flat[:, 0].tolist()}) > 1 for trace in result.signals.values())


def test_names_of_blocks_lead_to_their_pages(tmp_path: Path) -> None:
    page = tmp_path / "gallery" / "page.md"
    page.parent.mkdir()
    page.write_text(
        "# A `PID`\n\nA `PID`, another `PID`, and `Nothing`.\n\n"
        "| there | here |\n|---|---|\n| Gain | Gain, `Sum` |\n| Delay | a Delay, or Gain |\n\n"
        "```yaml\n`PID`\n```\n",
        encoding="utf-8",
    )
    link(page, tmp_path)
    gain, sum_, pid = (f"../blocks/{name}.md" for name in ("Gain", "Sum", "PID"))
    assert page.read_text(encoding="utf-8") == (
        f"# A `PID`\n\nA [`PID`]({pid}), another `PID`, and `Nothing`.\n\n| there | here |\n|---|---|\n"
        f"| Gain | Gain, [`Sum`]({sum_}) |\n| Delay | a Delay, or Gain |\n\n```yaml\n`PID`\n```\n"
    )
    page.write_text("| block |\n|---|\n| Gain, Sum |\n", encoding="utf-8")
    link(page, tmp_path)
    assert f"| [Gain]({gain}), [Sum]({sum_}) |" in page.read_text(encoding="utf-8")

"""Legends of long signals: the path once, the elements in the order in which they are read."""

import numpy as np

from blockdyn.diagrams.results import Result, Trace


def drawn(size: int, width: str) -> tuple[str, list[str], int]:
    """Title, names row by row, and columns of the legend of one vector."""
    trace = Trace(f"{width}.y", np.arange(3.0), np.ones((3, size)))
    axes = Result({trace.path: trace}).plot().axes[0]
    legend = axes.get_legend()
    assert legend is not None
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    boxes = [(text.get_window_extent(), text.get_text()) for text in legend.get_texts()]
    rows = sorted({round(box.y0) for box, _ in boxes}, reverse=True)
    placed = sorted(boxes, key=lambda found: (rows.index(round(found[0].y0)), found[0].x0))
    return axes.get_title(loc="left"), [name for _, name in placed], len(rows)


def test_a_path_of_many_elements_is_written_once() -> None:
    title, names, rows = drawn(12, "a_rather_long_path/of_a_block")
    assert title == "a_rather_long_path/of_a_block.y"
    assert names == [str(i) for i in range(12)]
    assert rows <= 2


def test_names_are_read_row_by_row() -> None:
    title, names, rows = drawn(5, "a_rather_long_path/of_a_block")
    assert title == ""
    assert names == [f"a_rather_long_path/of_a_block.y[{i}]" for i in range(5)]
    assert rows > 1

"""What an edit leaves of the layout of a file: comments, anchors, quotes, blank lines, ends of lines."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.base.yaml.spans import PieceReader, SpanReader
from blockdyn.diagrams.yaml.finding import GALLERY
from blockdyn.diagrams.yaml.source import parse

CASES: list[tuple[str, Any, str]] = [
    ("wires:\n", lambda t: t.connect("a", "b"), "wires:\n  - a -> b\n"),
    ("wires: [] # none\n", lambda t: t.connect("a", "b"), "wires: # none\n  - a -> b\n"),
    ("", lambda t: t.connect("a", "b"), "wires:\n  - a -> b\n"),
    ("wires:\n- a -> b", lambda t: t.connect("a", "b[1]"), "wires:\n- a -> b\n- a -> b[1]"),
    ("wires:\n- a -> b # x\n\n#y\n", lambda t: t.connect("b", "a"), "wires:\n- a -> b # x\n- b -> a\n\n#y\n"),
    ("wires: [a -> b]\n", lambda t: t.connect("b", "a[0]"), 'wires: [a -> b, "b -> a[0]"]\n'),
    ("wires: [a -> b,\n  b -> a] # z\n", lambda t: t.disconnect("a", "b"), "wires: [b -> a] # z\n"),
    ("wires: [a -> b,\n  b -> a] # z\n", lambda t: t.disconnect("b", "a"), "wires: [a -> b] # z\n"),
    ("wires:\n  - a -> b # only\n", lambda t: t.disconnect("a", "b"), "wires: []\n"),
    ("wires:\n  - a -> [b, b[1]]\n", lambda t: t.disconnect("a", "b"), "wires:\n  - a -> b[1]\n"),
    ("wires:\n  - {from: a, to: b}\n", lambda t: t.rename_block("b", "c"), "wires:\n  - {from: a, to: c}\n"),
    ("wires:\n  - from: a\n    to: b\n", lambda t: t.remove("wires", 0, "from"), "wires:\n  - to: b\n"),
    ("log:\n  -\n    a\n  - b\n", lambda t: t.remove("log", 0), "log:\n  - b\n"),
    ("log: [a, # one\n  b] # two\n", lambda t: t.set("log", 1, to="b.y"), "log: [a, # one\n  b.y] # two\n"),
    ("doc: |\n  two\n  lines\n\nlog: [a]\n", lambda t: t.set("doc", to="x"), "doc: x\n\nlog: [a]\n"),
    ("doc: |+\n  two\n\nlog: [a]\n", lambda t: t.set("doc", to="x"), "doc: x\nlog: [a]\n"),
    ("doc: 'it''s'\n", lambda t: t.set("doc", to="it's"), "doc: 'it''s'\n"),
    ("simulate: {}\n", lambda t: t.set("simulate", "stop", to=1.0), "simulate:\n  stop: 1.0\n"),
    ("simulate: {stop: 1e-3 }\n", lambda t: t.set("simulate", "rtol", to=1e-9),
     "simulate: {stop: 1e-3, rtol: 1e-9 }\n"),
    ("simulate: # how\n  stop: 1 # s\n  rtol: 1e-6\n", lambda t: t.remove("simulate", "stop"),
     "simulate: # how\n  rtol: 1e-6\n"),
    ("view:\n  a: {at: [1, 2], flip: true}\n", lambda t: t.place("a", 3, 4),
     "view:\n  a: {at: [3, 4], flip: true}\n"),
    ("", lambda t: t.place("a", 3, 4), "view:\n  a: [3, 4]\n"),
    ("log: [a, # one\n  b, # two\n ]\n", lambda t: t.remove("log", 0), "log: [b, # two\n ]\n"),
    ("log: [a, # one\n  b # two\n ]\n", lambda t: t.remove("log", 1), "log: [a, # one\n ]\n"),
    ("log: [a, # one\n  # over\n  b] # z\n", lambda t: t.remove("log", 0), "log: [\n  # over\n  b] # z\n"),
    ("log: [a, b, # both\n  a]\n", lambda t: t.remove("log", 1), "log: [a, # both\n  a]\n"),
    ("log: [a # one\n  , b # two\n ]\n", lambda t: t.remove("log", 1), "log: [a # one\n ]\n"),
    ("log: [a, # one\n ] # z\n", lambda t: t.insert("log", value="b"), "log: [a, # one\n      b,\n ] # z\n"),
    ("log: [ # none\n]\n", lambda t: t.insert("log", value="b"), "log: [ # none\n  b\n]\n"),
    ("log: [a,] # z\n", lambda t: t.remove("log", 0), "log: [] # z\n"),
    ("view: {a: [1, 2], # one\n  } # z\n", lambda t: t.remove("view", "a"), "view: {} # z\n"),
    ("view: {a: [1, 2],\n  # over\n  } # z\n", lambda t: t.remove("view", "a"),
     "view: {\n  # over\n  } # z\n"),
    ("log: &kept\n  - a # only\n", lambda t: t.remove("log", 0), "log: &kept []\n"),
    ("doc: &d x # what\n", lambda t: t.set("doc", to="y"), "doc: &d y # what\n"),
    ("doc: | # what + how\n  two\n\nlog: [a]\n", lambda t: t.set("doc", to="x"),
     "doc: x # what + how\n\nlog: [a]\n"),
    ("doc: 'x' # what\n", lambda t: t.set("doc", to="it's"), "doc: 'it''s' # what\n"),
    ("wires:\n  - from: a # one\n    # over\n    to: b\n", lambda t: t.remove("wires", 0, "from"),
     "wires:\n  -\n    # over\n    to: b\n"),
    ("wires:\n  - {from: a, to: [b,  \"b[1]\"]} # z\n", lambda t: t.disconnect("a", "b"),
     "wires:\n  - {from: a, to: [\"b[1]\"]} # z\n"),
    ("wires:\n  - \"a -> b\" # z\n", lambda t: t.reconnect("a", "b", "a"), "wires:\n  - \"a -> a\" # z\n"),
    ("doc: |+\n  two\n\nlog: [a]", lambda t: t.remove("log"), "doc: |+\n  two\n\n"),
    ("log: [a]\n", lambda t: t.insert("log", value="b", after=-1), "log: [b, a]\n"),
    ("log: # which\n  - a # one\n  # over\n  - b # two\n  - a.y # three\n",
     lambda t: t.set("log", to=["b.y", "a", "a.y"]),
     "log: # which\n  - b.y\n  - a # one\n  # over\n  - a.y # three\n"),
    ("view:\n  a: [[1, 2], # one\n    [3, 4]] # z\n",
     lambda t: t.set("view", "a", to=[[0], [1, 2], [3, 5, 6]]),
     "view:\n  a: [[0], [1, 2], # one\n    [3, 5, 6]] # z\n"),
    ("log: # which\n  - a # one\n  - b # two\n", lambda t: t.set("log", to=["a", "b.y"]),
     "log: # which\n  - a # one\n  - b.y # two\n"),
    ("simulate:\n  stop: 1.0e+0 # s\n  rtol: 1e-6 # of it\n",
     lambda t: t.set("simulate", to={"stop": 1.0, "atol": 0.5}),
     "simulate:\n  stop: 1.0e+0 # s\n  atol: 0.5\n"),
    ("log: [a, # one\u2028log: 1 \x85 x\n  b]\n", lambda t: t.remove("log", 0), "log: [b]\n"),
    ("doc: \"a\u2028b\"\nlog: [a, b] # z\n", lambda t: t.remove("log", 0),
     "doc: \"a\u2028b\"\nlog: [b] # z\n"),
]  # fmt: skip
HEAD = "blockdyn: 1\nblocks:\n  a: {type: Sum, signs: ++}\n  b: {type: Sum, signs: ++}\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("before", "edit", "after"), CASES)
def test_the_layout_of_the_file_is_kept(
    before: str, edit: Any, after: str, newline: str, tmp_path: Path
) -> None:
    path = tmp_path / "d.yaml"
    head = b"\xef\xbb\xbf" + HEAD.replace("\n", newline).encode()
    path.write_bytes(head + before.replace("\n", newline).encode())
    text = bd.edit(path)
    edit(text)
    text.save()
    expected = HEAD + after
    if "rename" in repr(edit.__code__.co_names):
        expected = expected.replace("  b: {", "  c: {")
    assert path.read_bytes() == b"\xef\xbb\xbf" + expected.replace("\n", newline).encode()


def test_a_text_read_in_pieces_is_the_text_read_as_a_whole() -> None:
    """Random lines come, go and change; values, places and spans are equal, or the whole text is read."""
    random, read = Random(7), 0
    lines = [
        "  new: {type: Gain}\n", "# c\n", "\n", "  - a -> b\n", "  d: |\n", "    text\n", "  e: &a 3\n",
        "  f: *a\n", "  h: [1,\n", "zz:\n", "  ? a\n", "---\n", "   x: 1\n",
    ]  # fmt: skip
    for _ in range(60):
        text = (GALLERY / random.choice(["two-tanks.yaml", "cruise-gears.yaml", "payload.yaml"])).read_text()
        reader, spans = PieceReader("f", parse), SpanReader(text)
        root = parse(text, "f", also=spans.take)
        assert spans.root is not None
        reader.learn(text, root, spans.root)
        parts = text.splitlines(keepends=True)
        for _ in range(random.randint(1, 2)):
            at = random.randrange(len(parts))
            parts[at : at + random.randint(0, 1)] = random.sample(lines, random.randint(0, 1))
        changed = "".join(parts)
        pieces = reader.read(changed)
        if pieces is not None:
            spans = SpanReader(changed)
            assert pieces == (parse(changed, "f", also=spans.take), spans.root)
            read += 1
    assert read > 10

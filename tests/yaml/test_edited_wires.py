"""Random wires, as text and as mappings, are cut and led elsewhere: what is left keeps its comments."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

from ruamel.yaml import YAML

import blockdyn as bd

HEAD = "blockdyn: 1\nblocks:\n" + "".join(
    f"  {name}: {{type: Sum, signs: '{'+' * 40}'}}\n" for name in "abcde"
)


class Wires:
    """Random wires in random forms; which wires each comment is about."""

    def __init__(self, seed: int) -> None:
        self.random, self.port, self.about = Random(seed), 0, dict[str, list[str]]()
        self.blocks = self.random.choice([self.in_brackets, self.in_lines])
        self.inside = self.random.choice(["", "s/"])
        text = HEAD + "wires:" + self.blocks()
        if self.inside:
            inner = "".join(f"      {line}\n" for line in text.splitlines()[1:])
            text = f"blockdyn: 1\nblocks:\n  s:\n    type: Subsystem\n    diagram:\n{inner}"
        self.text = text

    def end(self) -> str:
        self.port += 1
        return f"{self.random.choice('abcde')}[{self.port % 40}]"

    def ends(self) -> list[str]:
        return [self.end() for _ in range(self.random.randint(1, 3))]

    def comment(self, *about: str) -> str:
        if self.random.random() < 0.2:
            return ""
        name = f"note{len(self.about)}"
        self.about[name] = list(about)
        return f" # {name}."

    def chain(self) -> tuple[str, list[str]]:
        """A wire as text, and the wires that it is."""
        names = self.random.sample("abcde", self.random.randint(1, 3))
        ends = self.ends()
        last = ends[0] if len(ends) == 1 else f"[{', '.join(ends)}]"
        singles = [f"{a} -> {b}" for a, b in pairwise(names)] + [f"{names[-1]} -> {end}" for end in ends]
        return " -> ".join([*names, last]), singles

    def in_brackets(self) -> str:
        text = self.random.choice([" [", " [\n  "])
        count = self.random.randint(1, 3)
        for i in range(count):
            if self.random.random() < 0.5:
                chain, singles = self.chain()
                item = f'"{chain}"'
            else:
                source, ends = self.random.choice("abcde"), self.ends()
                singles = [f"{source} -> {end}" for end in ends]
                quoted = ", ".join(f'"{end}"' for end in ends)
                item = f"{{from: {source}, to: {quoted if len(ends) == 1 else f'[{quoted}]'}}}"
            comma = "," if i < count - 1 or self.random.random() < 0.5 else ""
            text += f"{item}{comma}{self.comment(*singles)}\n  "
        return text + "]\n"

    def in_lines(self) -> str:
        text = self.comment("wires") + "\n"
        for _ in range(self.random.randint(1, 4)):
            if self.random.random() < 0.5:
                chain, singles = self.chain()
                text += f"  - {chain}{self.comment(*singles)}\n"
                continue
            source, ends = self.random.choice("abcde"), self.ends()
            singles = [f"{source} -> {end}" for end in ends]
            text += f"  - from: {source}{self.comment(*singles)}\n"
            if len(ends) == 1:
                text += f"    to: {ends[0]}{self.comment(*singles)}\n"
            elif self.random.random() < 0.5:
                text += f"    to:{self.comment(*singles)}\n"
                text += "".join(f"      - {end}{self.comment(f'{source} -> {end}')}\n" for end in ends)
            else:
                text += "    to: ["
                text += "".join(f'"{end}",{self.comment(f"{source} -> {end}")}\n         ' for end in ends)
                text += "]\n"
        return text


def wires_of(text: str) -> list[str]:
    """The wires of a text, one by one, as another library reads it."""
    data: Any = YAML(typ="safe", pure=True).load(text)
    data = data["blocks"]["s"]["diagram"] if "s" in data["blocks"] else data
    wires = []
    for item in data["wires"]:
        pieces = item.split(" -> ") if isinstance(item, str) else [item["from"], item["to"]]
        last = pieces[-1]
        if isinstance(last, str):
            last = last[1:-1].split(", ") if last.startswith("[") else [last]
        wires += [f"{a} -> {b}" for a, b in pairwise(pieces[:-1])] + [
            f"{pieces[-2]} -> {end}" for end in last
        ]
    return wires


def check(seed: int) -> None:
    """One random edit of random wires."""
    page, random = Wires(seed), Random(seed)
    text, before = bd.edit(page.text), wires_of(page.text)
    if max(Counter(before).values()) > 1:
        return  # which of two equal wires is meant is nobody's to say
    wire, name, inside = random.choice(before), random.choice("abcde"), page.inside
    start, end = (inside + each for each in wire.split(" -> "))
    what = random.choice(["disconnect", "reconnect", "remove", "connect"])
    expected, led = list(before), {}
    if what == "disconnect":
        text.disconnect(start, end)
        expected.remove(wire)
    elif what == "reconnect":
        text.reconnect(start, end, f"{inside}{name}[39]")
        led[wire] = expected[before.index(wire)] = f"{start.removeprefix(inside)} -> {name}[39]"
    elif what == "connect":
        text.connect(inside + name, f"{inside}a[39]")
        expected.append(f"{name} -> a[39]")
    else:
        text.remove_block(inside + name)
        expected = [each for each in before if not re.search(rf"\b{name}\b", each)]
    about = f"seed {seed}: {what} {wire} {name}\n{page.text}\n-----\n{text.text}"
    after = wires_of(text.text)
    assert sorted(after) == sorted(expected), about
    for note, wires in page.about.items():
        stays = wires == ["wires"] or any(led.get(each, each) in after for each in wires)
        assert stays == (f"# {note}." in text.text), (note, about)
    lines, new_lines = Counter(page.text.splitlines()), Counter(text.text.splitlines())
    less, more = (lines - new_lines).total(), (new_lines - lines).total()
    if what == "connect":
        assert (less, more) in ((0, 1), (1, 1), (1, 2)), about
    elif what == "reconnect":
        assert (less, more) in ((1, 1), (1, 2)), about  # two where the chain goes on behind it
    elif what == "disconnect":
        assert max(more, less - 1) <= 2, about


def test_wires_that_are_left_keep_their_lines_and_comments() -> None:
    for seed in range(120):
        check(seed)

"""Random texts with comments everywhere are edited: data, comments and lines are those of the edit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from difflib import SequenceMatcher
from random import Random
from typing import Any

from ruamel.yaml import YAML

import blockdyn as bd

Steps = tuple[str | int, ...]


class Page:
    """A random text of YAML. Each leaf and key is a word of its own, which the comment behind it repeats.

    Comments `over` stand in lines of their own.
    """

    def __init__(self, seed: int) -> None:
        self.random, self.count, self.newline = Random(seed), 0, Random(seed).choice(["\n", "\r\n", "\r"])
        self.text = self.newline.join(["blockdyn: 1 # top", *self.mapping(0, 3)]) + self.newline

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def word(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def comment(self, word: str, share: float = 0.7, *, blanks: tuple[str, ...] = (" ", "  ")) -> str:
        odd = self.random.choice(["", "", " \u2028 \x85 z", " ]", ", [", " 'it"])
        return self.random.choice(blanks) + f"# {word}.{odd}" if self.chance(share) else ""

    def over(self, indent: int) -> list[str]:
        return [" " * indent + f"# {self.word('over')}."] if self.chance(0.25) else []

    def leaf(self) -> tuple[str, str]:
        """A word and how it is written."""
        word = self.word("v")
        forms = [word, word, f"'{word}'", f'"{word}"', f"&{word}a {word}", f"&{word}a  '{word}'"]
        return word, self.random.choice(forms)

    def mapping(self, indent: int, depth: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            key = self.word("k")
            lines += self.over(indent)
            lines += self.value(f"{' ' * indent}{key}:", key, indent, depth)
        return lines

    def sequence(self, indent: int, depth: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.over(indent)
            if depth and self.chance(0.2):
                inner = self.mapping(indent + 2, depth - 1)
                if not inner[0].lstrip().startswith("#"):
                    inner[0] = " " * indent + "- " + inner[0].lstrip()
                    lines += inner
                    continue
            lines += self.value(" " * indent + "-", "", indent, depth)
        return lines

    def value(self, begin: str, key: str, indent: int, depth: int) -> list[str]:
        """A value behind its key or dash, and the comment behind it."""
        kind = self.random.randrange(6) if depth else 0
        if kind == 1:
            return [begin + self.comment(key, 0.4 * bool(key)), *self.mapping(indent + 2, depth - 1)]
        if kind == 2:
            less = 0 if key and self.chance() else 2
            return [begin + self.comment(key, 0.4 * bool(key)), *self.sequence(indent + less, depth - 1)]
        if kind in (3, 4):
            anchor = f" &{self.word('a')}" if self.chance(0.2) else ""
            flow = f"{begin}{anchor} {self.flow(indent + 2, depth - 1)}".split("\n")
            return [*flow[:-1], flow[-1] + self.comment(f"end {key}", bool(key))]
        if kind == 5 and key:
            word = self.word("v")
            header = self.random.choice(["|", ">-", "|+"])
            more = [""] if header == "|+" and self.chance() else []
            return [f"{begin} {header}{self.comment(word)}", f"{' ' * indent}  {word}", *more]
        word, written = self.leaf()
        return [f"{begin} {written}{self.comment(word)}"]

    def flow(self, indent: int, depth: int) -> str:
        """A mapping or list in brackets, in one line or over several, lines divided by a newline."""
        named, several, leading = self.chance(), self.chance(0.7), self.chance(0.15)
        parts = []
        for _ in range(self.random.randint(1, 3)):
            key = f"{self.word('k')}: " if named else ""
            if depth and several and self.chance(0.2):
                parts.append((key + self.flow(indent + 2, depth - 1), ""))
                continue
            word, written = self.leaf()
            parts.append((key + written, word))
        text, close = "{}" if named else "[]"
        if not several:
            return text + ", ".join(part for part, _ in parts) + self.random.choice(["", "", ","]) + close
        if self.chance():
            text += self.comment(self.word("over"), 0.4) + "\n" + " " * indent
        last_closes = self.chance(0.3)
        for i, (part, word) in enumerate(parts):
            last = i == len(parts) - 1
            if last and last_closes:
                return text + part + close
            comma = "" if leading or (last and self.chance()) else ","
            text += part + comma + (self.comment(word, blanks=(" ", "\t")) if word else "")
            text += "\n" + "".join(f"{line}\n" for line in self.over(indent) if not leading) + " " * indent
            text += ", " if leading and not last else ""
        return text + close


def read(text: str) -> Any:
    """What another library reads, whose lines end at LF alone."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "_").replace("\x85", "_")
    return YAML(typ="safe", pure=True).load(plain)


def comments(text: str) -> dict[str, str]:
    """The comments by what they say, each with the line before it."""
    lines = [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if "# " in line]
    return {line.partition("# ")[2].partition(".")[0]: line.partition("# ")[0] for line in lines}


def steps_of(value: Any, steps: Steps = ()) -> Iterator[Steps]:
    """The steps to everything in plain data."""
    if steps:
        yield steps
    pairs = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    for key, inner in pairs:
        yield from steps_of(inner, (*steps, key))


def words(value: Any) -> set[str]:
    """The keys and leaves of plain data."""
    if isinstance(value, dict):
        return set(value).union(*map(words, value.values()))
    return set().union(*map(words, value)) if isinstance(value, list) else {str(value).strip()}


def at(data: Any, steps: Steps) -> Any:
    for step in steps:
        data = data[step]
    return data


def edited(text: Any, data: Any, random: Random) -> tuple[str, Steps]:
    """One random edit, of the text and of the data; which it was."""
    steps = random.choice([steps for steps in steps_of(data) if steps != ("blockdyn",)])
    holder, last = at(data, steps[:-1]), steps[-1]
    match random.choice(["set", "remove", "remove", "insert", "rename"]):
        case "rename" if isinstance(last, str):
            text.rename(*steps, to="new")
            renewed(holder, {last: ["new"]})
            return "rename", steps
        case "insert":
            text.insert(*steps[:-1], name="new" if isinstance(last, str) else None, value="new", after=last)
            if isinstance(last, str):
                renewed(holder, {last: [last, "new"]})
            else:
                holder.insert(last + 1, "new")
            return "insert", steps
        case "set" if isinstance(holder[last], str):
            text.set(*steps, to="new")
            holder[last] = "new"
            return "set", steps
        case _:
            text.remove(*steps)
            del holder[last]
            return "remove", steps


def renewed(holder: dict[str, Any], keys: dict[str, list[str]]) -> None:
    """Other keys in the place of one: those that were not there have the value of that one, or `new`."""
    pairs = [(name, key, value) for key, value in holder.items() for name in keys.get(key, [key])]
    several = max(map(len, keys.values())) > 1
    holder.clear()
    holder.update({name: "new" if several and name != key else value for name, key, value in pairs})


def check(seed: int) -> None:
    """One random edit of one random text."""
    page = Page(seed)
    text, before = bd.edit(page.text), read(page.text)
    after = deepcopy(before)
    what, steps = edited(text, after, Random(seed))
    about = f"seed {seed}: {what} {steps}\n{page.text}\n-----\n{text.text}"
    assert repr(read(text.text)) == repr(after), about  # in the same order too
    there, left = comments(page.text), comments(text.text)
    gone = words(before) - words(after)
    inside = words(at(before, steps)) if isinstance(at(before, steps), (list, dict)) else set()
    for said, line in there.items():
        word = said.removeprefix("end ")
        if word not in gone or (what in ("set", "rename")):
            if word.startswith("over") and what == "remove" and inside:
                continue
            assert said in left, (said, about)
            assert word not in line or word in gone or word in left[said], (said, about)
        else:
            assert said not in left, (said, about)
    lines, new_lines = (Counter(re.split(r"\r\n|\r|\n", each)) for each in (page.text, text.text))
    less, more = (lines - new_lines).total(), (new_lines - lines).total()
    if what == "rename" or (what == "set" and not inside):
        assert more == 1, about
        assert less <= 1 + 2 * (what == "set"), about  # text in lines becomes one
    elif what == "insert":
        assert (less, more) in ((0, 1), (1, 1), (1, 2)), about
    else:
        assert more <= 1, about


def test_data_comments_and_lines_are_those_of_the_edit() -> None:
    for seed in range(250):
        check(seed)


def test_a_list_that_changes_in_length_and_items_keeps_the_comments_of_those_that_stay() -> None:
    for seed in range(200):
        random = Random(seed)
        old = random.sample("abcdefgh", random.randint(1, 6))
        new = random.sample("abcdefgh", random.randint(1, 6))
        if random.random() < 0.5:
            lines = "".join(f"# over {item}\n  - {item} # at {item}\n  " for item in old)
            text = bd.edit(f"log:\n  {lines}# last\nname: x\n")
        else:
            lines = ",".join(f"{item}{', z' * (item == 'c')}, # at {item}\n # over" for item in old)
            text = bd.edit(f"log: [{lines.replace(',,', ',')}\n]\n")
            old = text.get("log")
        text.set("log", to=new)
        assert text.get("log") == new, (seed, text.text)
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        stay = {
            item for block in matcher.get_matching_blocks() for item in old[block.a : block.a + block.size]
        }
        lost = [item for item in stay if f"- {item} " in lines and f"{item} # at {item}" not in text.text]
        assert not lost, (seed, lost, text.text)

"""Values: a YAML text whose values, keys and items are changed one by one, and no other character of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from ...base.nearest import nearest
from ...base.yaml.positions import Node, place
from ...base.yaml.spans import spans
from ..model.section import Steps
from .errors import EditError, NotWritable, YamlError
from .reader import parse
from .source import TEXT
from .splices import Splice
from .text import NoText, flow


class YamlText:
    """A text of YAML. Steps are the keys and list positions that lead to a value.

    An edit is one splice of the text. It is taken if the text then says what the changed data say, and
    nothing else; otherwise it raises EditError and changes nothing.
    """

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self._take(text)

    def get(self, *steps: str | int) -> Any:
        """The value at the end of some steps, as plain data: `get("simulate", "stop")`."""
        return self.node(*steps).plain()

    def set(self, *steps: str | int, to: Any) -> None:
        """Another value at the end of some steps: `set("simulate", "stop", to=5.0)`; a new key is added."""
        value, last = _read_back(to), steps[-1]
        if isinstance(last, str) and last not in self.node(*steps[:-1]).entries:
            self.insert(*steps[:-1], name=last, value=to)
            return
        if same(self.node(*steps).plain(), value):
            return

        def change(data: Any) -> None:
            _holder(data, steps)[last] = value

        self._edit(steps, lambda splice: splice.replaced(steps, to), change)

    def remove(self, *steps: str | int) -> None:
        """Without the key or the item at the end of some steps, and what stands there."""
        self.node(*steps)

        def change(data: Any) -> None:
            del _holder(data, steps)[steps[-1]]

        self._edit(steps, lambda splice: splice.removed(steps), change)

    def rename(self, *steps: str | int, to: str) -> None:
        """Another name for the key at the end of some steps, in its place among the others."""
        last, holder = steps[-1], self.node(*steps[:-1])
        self.node(*steps)
        if to == last:
            return
        if to in holder.entries:
            at = holder.entries[to].at
            raise EditError(f"`{to}` is there already", "another name", key=to, location=at)

        def change(data: Any) -> None:
            inside = _holder(data, steps)
            entries = [(to if key == last else key, value) for key, value in inside.items()]
            inside.clear()
            inside.update(entries)

        self._edit(steps, lambda splice: splice.renamed(steps, to), change)

    def node(self, *steps: str | int) -> Node:
        """What stands at the end of some steps. Raises EditError."""
        node = self.root
        for i, step in enumerate(steps):
            inside: Any = node.entries if isinstance(step, str) else dict(enumerate(node.items))
            if step not in inside:
                near = nearest(step, list(inside)) if isinstance(step, str) else ""
                where = ".".join(map(str, steps[:i])) or "the diagram"
                found = f"{where} has no `{step}`{near}"
                raise EditError(found, "what is in the file", key=str(step), location=node.at)
            node = inside[step].node if isinstance(step, str) else inside[step]
        return node

    def insert(
        self, *steps: str | int, value: Any, name: str | None = None, after: str | int | None = None
    ) -> None:
        """An entry more in a mapping, or without a name an item in a list: the last, or behind `after`."""
        value = _read_back(value)

        def change(data: Any) -> None:
            inside = _inside(data, steps, [] if name is None else {})
            if name is None:
                inside.insert(len(inside) if after is None else int(after) + 1, value)
                return
            entries = list(inside.items())
            at = len(entries) if after is None else list(inside).index(after) + 1
            inside.clear()
            inside.update([*entries[:at], (name, value), *entries[at:]])

        self._edit(steps, lambda splice: splice.inserted(steps, name, value, after), change)

    def _edit(self, steps: Steps, splice: Callable[[Splice], str], change: Callable[[Any], None]) -> None:
        """Take the text with a splice, once it says what the changed data say, and nothing else."""
        data = deepcopy(self.root.plain())
        change(data)
        before = self.text
        try:
            self._take(splice(Splice(before, spans(before))))
            if same(self.root.plain(), data):
                return
            problem = "an alias repeats it elsewhere" if "*" in before else "the text around it would change"
        except (KeyError, IndexError, YamlError) as error:
            problem = str(error) if isinstance(error, YamlError) else "an alias stands for it"
        self._take(before)
        expected = "a value that stands for itself: write aliases out, or edit the text by hand"
        raise EditError(f"this cannot be changed: {problem}", expected, location=place(self.root, steps))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several edits as one: an error in one of them takes all back."""
        before = self.text
        try:
            yield
        except BaseException:
            self._take(before)
            raise

    def _take(self, text: str) -> None:
        self.root = parse(text, self.file)
        self.text = text


def _holder(data: Any, steps: Steps) -> Any:
    """What holds the value at the end of some steps."""
    for step in steps[:-1]:
        data = data[step]
    return data


def _inside(data: Any, steps: Steps, empty: Any) -> Any:
    """The mapping or list at the end of some steps, which may be nothing yet."""
    if not steps:
        return data
    holder = _holder(data, steps)
    if holder[steps[-1]] is None:
        holder[steps[-1]] = empty
    return holder[steps[-1]]


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same in YAML: in kind, order of keys, and to the last bit."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and repr(a) == repr(b)


def _read_back(value: Any) -> Any:
    """A value as the text has it: lists for arrays and tuples. Raises NotWritable for what is no data."""
    try:
        return parse(f"value: {flow(value)}", TEXT).entries["value"].node.plain()
    except NoText as error:
        raise NotWritable("", f"it is {error}", "YAML holds numbers, text, lists and mappings") from None

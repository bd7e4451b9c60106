"""Change values, keys and items of a YAML text one by one, leaving other characters unchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from ...base.checked import checked
from ...base.words import nearest
from ...base.yaml.limits import BYTE_ORDER_MARK
from ...base.yaml.positions import Node, place
from ...base.yaml.scanning import events
from ...base.yaml.spans import PieceReader, Span, SpanReader
from ..model.section import Steps
from .errors import EditError, NotWritable, YamlError
from .source import TEXT, parse
from .splices import FRONT, Splice
from .values import NoText, flow


def refusal(name: str, actual: str, expected: str) -> EditError:
    """The error of an argument that does not match its annotation."""
    return EditError(f"`{name}`: {actual}", expected)


@dataclass(frozen=True)
class _State:
    """A text with its data and their positions."""

    text: str
    root: Node
    spans: Span


class YamlText:
    """A text of YAML. Steps are the keys and list positions that lead to a value.

    An edit is one splice of the text. It is accepted only if the new text reads back as the changed data;
    otherwise it raises EditError and changes nothing.
    """

    def __init__(self, text: str, file: str) -> None:
        self.file, self._pieces = file, PieceReader(file, parse)
        self._state: _State = self._read(text.removeprefix(BYTE_ORDER_MARK))

    @property
    def text(self) -> str:
        """The present text."""
        return self._state.text

    @property
    def root(self) -> Node:
        """Its values with their places."""
        return self._state.root

    def become(self, text: str) -> None:
        """Replace the text by another one, of which only the differences are read. Raises YamlError."""
        self._state = self._read(text)

    def get(self, *steps: str | int) -> Any:
        """The value at the end of some steps, as plain data: `get("simulate", "stop")`."""
        return self.node(*steps).plain()

    def set(self, *steps: str | int, to: Any) -> None:
        """Set the value at the end of some steps: `set("simulate", "stop", to=5.0)`; a new key is added.

        In a mapping or list, only differences are written.
        """
        value, last = _read_back(to), _last_step(steps)
        if isinstance(last, str) and last not in self.node(*steps[:-1]).entries:
            self.insert(*steps[:-1], name=last, value=value)
            return
        old = self.node(*steps).plain()
        with self.together():
            changes = self._differences(steps, old, value)

            def change(data: Any) -> None:
                for path, inner in changes:
                    _holder(data, path)[path[-1]] = inner

            if changes:
                self._edit(steps, lambda splice: splice.replaced(changes), change)

    def spell(self, *steps: str | int, text: str) -> None:
        """Write a number, or a list of numbers, with other characters: 3.50 where 3.5 is written.

        Another value, and a text that does not give this number here, leave everything unchanged.
        """
        if _is_numeric(self.node(*steps).plain()):
            with suppress(EditError):
                self._edit(steps, lambda splice: splice.spelled(steps, text.strip()), lambda _: None)

    def remove(self, *steps: str | int) -> None:
        """Remove the key or the item at the end of some steps."""
        last = _last_step(steps)
        self.node(*steps)

        def change(data: Any) -> None:
            del _holder(data, steps)[last]

        self._edit(steps, lambda splice: splice.removed(steps), change)

    @checked(refusal)
    def rename(self, *steps: str | int, to: str) -> None:
        """Rename the key at the end of some steps, keeping its position."""
        last, holder = _last_step(steps), self.node(*steps[:-1])
        self.node(*steps)
        if isinstance(last, int):
            raise EditError(f"`{last}` is a place in a list", "the key of a mapping", location=holder.at)
        if to == last:
            return
        _check_free(holder, to)

        def change(data: Any) -> None:
            inside = _holder(data, steps)
            entries = [(to if key == last else key, value) for key, value in inside.items()]
            inside.clear()
            inside.update(entries)

        self._edit(steps, lambda splice: splice.renamed(steps, to), change)

    @checked(refusal)
    def insert(
        self, *steps: str | int, value: Any, name: str | None = None, after: str | int | None = None
    ) -> None:
        """Add an entry to a mapping, or without a name an item to a list: the last, or after `after`.

        After -1 is the first place of a list.
        """
        value, holder, kind = _read_back(value), self.node(*steps), list if name is None else dict
        if holder.value is not None and not isinstance(holder.value, kind):
            expected = "a list, or the name of the new key" if kind is list else "a mapping, or no name"
            raise EditError(f"{_steps_text(steps)} is {holder.describe()}", expected, location=holder.at)
        if name is not None:
            _check_free(holder, name)
        front = name is None and after == FRONT and holder.items
        if after is not None and not front:
            self.node(*steps, after)

        def change(data: Any) -> None:
            inside = _inside(data, steps, kind())
            if name is None:
                inside.insert(len(inside) if after is None else int(after) + 1, value)
                return
            entries = list(inside.items())
            at = len(entries) if after is None else list(inside).index(after) + 1
            inside.clear()
            inside.update([*entries[:at], (name, value), *entries[at:]])

        self._edit(steps, lambda splice: splice.inserted(steps, name, value, after), change)

    def lines(self, *steps: str | int) -> list[str]:
        """The entry or item at the end of some steps as it is written, with its comments, from column 0."""
        self.node(*steps)
        return Splice(self._state.text, self._state.spans).lines(steps)

    def cut(self, *steps: str | int) -> None:
        """Remove the key or the item at the end of some steps, with the comments that are in its `lines`."""
        last = _last_step(steps)
        self.node(*steps)

        def change(data: Any) -> None:
            del _holder(data, steps)[last]

        self._edit(steps, lambda splice: splice.without(steps), change)

    def insert_lines(
        self, *steps: str | int, lines: Sequence[str], values: Mapping[str, Any] | Sequence[Any],
        after: str | int | None = None,
    ) -> None:  # fmt: skip
        """Add entries or items with comments, written in `lines`; `values` are their data."""
        added = list(values.items()) if isinstance(values, Mapping) else [(None, value) for value in values]
        if not added:
            return

        def change(data: Any) -> None:
            inside = _inside(data, steps, {} if isinstance(values, Mapping) else [])
            if isinstance(inside, list):
                at = len(inside) if after is None else int(after) + 1
                inside[at:at] = [value for _, value in added]
                return
            entries = list(inside.items())
            at = len(entries) if after is None else list(inside).index(after) + 1
            inside.clear()
            inside.update([*entries[:at], *((str(name), value) for name, value in added), *entries[at:]])

        if Splice(self._state.text, self._state.spans).with_lines(steps, lines, after) is not None:
            self._edit(steps, lambda splice: splice.with_lines(steps, lines, after) or "", change)
            return
        with self.together():
            for name, value in added:
                self.insert(*steps, name=name, value=value, after=after)
                if after is not None:
                    after = int(after) + 1 if name is None else name

    def comments(self) -> list[str]:
        """The comments of the text, in order."""
        return Splice(self._state.text, self._state.spans).comments()

    def return_comments(self, earlier: Sequence[str], *steps: str | int) -> None:
        """Put comments of an earlier text that are missing now above an entry or item."""
        missing = Counter(earlier) - Counter(self.comments())
        if missing:
            self.write_comments(*steps, lines=[*missing.elements()])

    def write_comments(self, *steps: str | int, lines: Sequence[str]) -> None:
        """Put comments, `# ...`, in lines of their own above the entry or item at the end of some steps."""
        self.node(*steps)
        self._edit(steps, lambda splice: splice.commented(steps, lines), lambda data: None)

    def node(self, *steps: str | int) -> Node:
        """The part of the document at the end of some steps. Raises EditError."""
        node = self.root
        for i, step in enumerate(steps):
            if isinstance(step, bool) or not isinstance(step, (str, int)):
                raise EditError(f"the step {step!r:.60}", "a key, or a place in a list such as 0")
            inside: Any = node.entries if isinstance(step, str) else dict(enumerate(node.items))
            if step not in inside:
                near = nearest(step, list(inside)) if isinstance(step, str) else ""
                problem = f"{_steps_text(steps[:i])} has no `{step}`{near}"
                raise EditError(
                    problem, "a key or a place that the file has", key=str(step), location=node.at
                )
            node = inside[step].node if isinstance(step, str) else inside[step]
        return node

    def _differences(self, steps: Steps, old: Any, new: Any) -> list[tuple[Steps, Any]]:
        """The values to replace so that the old value is the new one; keys and items come and go at once."""
        if same(old, new):
            return []
        pairs: list[tuple[str | int, Any, Any]] | None = None
        with suppress(EditError), self.together():
            if isinstance(old, dict) and isinstance(new, dict) and new:
                pairs = self._keys_changed(steps, old, new)
            elif isinstance(old, list) and isinstance(new, list) and old and new:
                pairs = self._items_changed(steps, old, new)
        if pairs is None:
            return [(steps, new)]
        return [change for key, a, b in pairs for change in self._differences((*steps, key), a, b)]

    def _keys_changed(self, steps: Steps, old: Any, new: Any) -> list[tuple[str | int, Any, Any]] | None:
        """Remove keys and add some; returns the common ones, or None if the order would change."""
        both = [key for key in new if key in old]
        if both != [key for key in old if key in new] or next(iter(new)) not in old:
            return None
        for key in old.keys() - new.keys():
            self.remove(*steps, key)
        for after, key in pairwise(new):
            if key not in old:
                self.insert(*steps, name=key, value=new[key], after=after)
        return [(key, old[key], new[key]) for key in both]

    def _items_changed(self, steps: Steps, old: Any, new: Any) -> list[tuple[str | int, Any, Any]]:
        """Remove items and add some, keeping as many as possible; returns the items to be changed."""
        pairs: list[tuple[str | int, Any, Any]] = []
        matcher = SequenceMatcher(None, [*map(repr, old)], [*map(repr, new)], autojunk=False)
        for _, i, i_end, j, j_end in reversed(matcher.get_opcodes()):
            both = min(i_end - i, j_end - j)
            for k in range(both):
                pairs.append((j + k, old[i + k], new[j + k]))
            for k in reversed(range(i + both, i_end)):
                self.remove(*steps, k)
            for k in range(both, j_end - j):
                self.insert(*steps, value=new[j + k], after=i + k - 1)
        return pairs

    def _edit(self, steps: Steps, splice: Callable[[Splice], str], change: Callable[[Any], None]) -> None:
        """Accept the text with a splice if its data are the changed data, and nothing else."""
        document = [self.root.plain()]
        change(document)
        before = self._state
        try:
            self._state = self._read(splice(Splice(before.text, before.spans)))
            if same(self.root.plain(), document[0]):
                return
            aliases = any(type(event).__name__ == "AliasEvent" for event in events(before.text))
            problem = "an alias repeats it elsewhere" if aliases else "the text around it would change"
        except (KeyError, IndexError, YamlError) as error:
            problem = str(error) if isinstance(error, YamlError) else "an alias stands for it"
        self._state = before
        expected = "a value that stands for itself: write aliases out, or edit the text by hand"
        raise EditError(f"this cannot be changed: {problem}", expected, location=place(self.root, steps))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several edits as one: an error in one of them reverts all."""
        before = self._state
        try:
            yield
        except BaseException:
            self._state = before
            raise

    def _read(self, text: str) -> _State:
        read = self._pieces.read(text)
        if read is not None:
            return _State(text, *read)
        reader = SpanReader(text)
        root = parse(text, self.file, also=reader.take)
        assert reader.root is not None
        if reader.plain:
            self._pieces.learn(text, root, reader.root)
        return _State(text, root, reader.root)


def _last_step(steps: Steps) -> str | int:
    """The last step. Raises EditError if there is none."""
    if not steps:
        raise EditError("the whole text", 'the steps to a value in it, such as "simulate", "stop"')
    return steps[-1]


def _steps_text(steps: Steps) -> str:
    return ".".join(map(str, steps)) or "the diagram"


def _check_free(holder: Node, name: str) -> None:
    """Raise EditError if a mapping has the key already."""
    if name in holder.entries:
        at = holder.entries[name].at
        raise EditError(f"`{name}` exists already", "another name", key=name, location=at)


def _holder(document: Any, steps: Steps) -> Any:
    """The parent of the value at the end of some steps of the document."""
    data = document[0] if steps else document
    for step in steps[:-1]:
        data = data[step]
    return data


def _inside(document: Any, steps: Steps, empty: Any) -> Any:
    """The mapping or list at the end of some steps, which may be null yet and is then set to `empty`."""
    holder, last = _holder(document, steps), steps[-1] if steps else 0
    if holder[last] is None:
        holder[last] = empty
    return holder[last]


def same(a: Any, b: Any) -> bool:
    """True if two values are identical in YAML: kinds, order of keys, every bit."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and repr(a) == repr(b)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_numeric, value))
    return type(value) in (int, float)


def _read_back(value: Any) -> Any:
    """A value in the form of the text: lists for arrays and tuples. Raises NotWritable for other objects."""
    try:
        return parse(f"value: {flow(value)}", TEXT).entries["value"].node.plain()
    except NoText as error:
        raise NotWritable("", f"it is {error}", "YAML holds numbers, text, lists and mappings") from None

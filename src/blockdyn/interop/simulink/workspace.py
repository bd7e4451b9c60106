"""Variables of a Simulink model: of its workspace, of its callbacks, and of masks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .matlab import UnreadableText, assignments, evaluate

CALLBACKS = ("PreLoadFcn", "PostLoadFcn", "InitFcn", "StartFcn")
TOOLBOX = {
    "qz": "[0 0 0 0 0 0]", "qr": "[0 pi/2 -pi/2 0 0 0]", "qs": "[0 0 -pi/2 0 0 0]",
    "qn": "[0 pi/4 pi 0 pi/4 0]",
    "rot2": "@(t) [cos(t) -sin(t); sin(t) cos(t)]",
    "se2": "@(q) [cos(q(3)) -sin(q(3)) q(1); sin(q(3)) cos(q(3)) q(2); 0 0 1]",
    "transl": "@(x, y, z) [1 0 0 x; 0 1 0 y; 0 0 1 z; 0 0 0 1]",
    "trotx": "@(t) [1 0 0 0; 0 cos(t) -sin(t) 0; 0 sin(t) cos(t) 0; 0 0 0 1]",
    "troty": "@(t) [cos(t) 0 sin(t) 0; 0 1 0 0; -sin(t) 0 cos(t) 0; 0 0 0 1]",
    "trotz": "@(t) [cos(t) -sin(t) 0 0; sin(t) cos(t) 0 0; 0 0 1 0; 0 0 0 1]",
    "rotx": "@(t) [1 0 0; 0 cos(t) -sin(t); 0 sin(t) cos(t)]",
    "roty": "@(t) [cos(t) 0 sin(t); 0 1 0; -sin(t) 0 cos(t)]",
    "rotz": "@(t) [cos(t) -sin(t) 0; sin(t) cos(t) 0; 0 0 1]",
}  # fmt: skip
"""Poses of the Puma 560, and functions of the Robotics Toolbox: Corke (2017), chapters 2 and 7."""
OPENING = re.compile(r"(?<![\w.])(?:if|for|parfor|while|switch|try)\b")
"""Words whose statements an `end` closes."""
EXISTS = re.compile(r"^\s*if\s+(~|!)?\s*exist\s*\(\s*['\"](\w+)['\"].*$")


class Workspace:
    """Variables of the outermost workspace: values of the user come before callbacks."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.explicit = dict(values or {})
        self.values: dict[str, Any] = {name: evaluate(text) for name, text in TOOLBOX.items()} | self.explicit
        self.skipped: list[str] = []  # statements of callbacks that were not read

    def run(self, fields: Mapping[str, str], path: str) -> None:
        """Read the assignments of a model's callbacks; other statements are kept in `skipped`."""
        for name in CALLBACKS:
            for statement in statements(fields.get(name, "")):
                try:
                    self.values |= assignments(statement, self.values)
                except UnreadableText:
                    self.skipped.append(f"{name}: {statement.strip()}")
                    for unread in assigned_names(statement):
                        self.values.pop(unread, None)
                self.values |= self.explicit


def statements(text: str) -> Iterator[str]:
    """Statements of a callback, loops and conditions as a whole; `if ~exist('x')` counts as its content."""
    depth, level, gathered = 0, 0, ""
    for line in text.splitlines():
        bare = _without_texts(line)
        if not gathered and (EXISTS.match(line) or re.match(r"^(else|end)\b\W*$", bare)):
            continue
        gathered += line + "\n"
        outside = bare
        while (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "", outside)) != outside:
            outside = shorter
        level += len(OPENING.findall(outside)) - len(re.findall(r"(?<![\w.])end\b", outside))
        depth += sum(bare.count(b) for b in "[{(") - sum(bare.count(b) for b in "]})")
        if depth <= 0 and level <= 0 and not bare.endswith("..."):
            yield gathered
            depth, level, gathered = 0, 0, ""
    if gathered.strip():
        yield gathered


def _without_texts(line: str) -> str:
    """A line without its comment, and with empty texts."""
    bare = re.sub(r"(?<![\w\])}.'])'(?:[^'\n]|'')*'|\"[^\"\n]*\"", "''", line.strip())
    return bare.partition("%")[0].rstrip()


def assigned_names(text: str) -> list[str]:
    """Names of the variables to which the statements of a text give values."""
    bare = "\n".join(_without_texts(line) for line in text.splitlines())
    names = re.findall(r"(?<![\w.'=~<>])([A-Za-z]\w*)(?:\.\w+|\([^()\n]*\))*\s*=(?!=)", bare)
    for listed in re.findall(r"\[([\w\s,~.]+)\]\s*=(?!=)", bare):
        names += re.findall(r"(?<![\w.])[A-Za-z]\w*", listed)
    return names


class Scope(Mapping[str, Any]):
    """Variables that parameters of a system see: of its mask, of the systems around it, of the workspace."""

    def __init__(
        self,
        workspace: Workspace,
        mask: Mapping[str, str],
        outer: Scope | None,
        initialization: str = "",
        *,
        closed: bool = False,
    ) -> None:
        self.workspace, self.mask, self.outer = workspace, mask, outer
        self.closed = closed  # a referenced model: it sees its arguments and the workspace
        self.initialization = initialization
        self._evaluated: dict[str, Any] = {}
        self._busy: set[str] = set()
        self._initialized = not initialization
        self._unread: set[str] = set()  # variables that unreadable commands give a value

    def text(self, name: str) -> tuple[str, Scope | None]:
        """The text of a mask parameter, followed through masks, and the scope in which it is written."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.mask:
                text = scope.mask[name].strip()
                if re.fullmatch(r"\w+", text) and scope.outer is not None:
                    return scope.outer.text(text)
                return text, scope.outer
            scope = scope.outer
        return name, None

    def __getitem__(self, name: str) -> Any:
        self._initialize()
        if name in self._unread:
            raise KeyError(name)
        if name in self._evaluated:
            return self._evaluated[name]
        if name in self.mask and name not in self._busy:
            self._busy.add(name)
            try:
                outer: Mapping[str, Any] = self.outer if self.outer is not None else self.workspace.values
                self._evaluated[name] = evaluate(self.mask[name], outer)
            finally:
                self._busy.discard(name)
            return self._evaluated[name]
        if self.outer is None or self.closed:
            return self.workspace.values[name]
        return self.outer[name]

    def _initialize(self) -> None:
        """Read the assignments of the mask's commands, which may change its parameters."""
        if self._initialized:
            return
        self._initialized = True
        for statement in statements(self.initialization):
            names = set(assigned_names(statement))
            try:
                self._evaluated |= assignments(statement, self)
                self._unread -= names
            except (UnreadableText, KeyError):
                self._unread |= names

    def __iter__(self) -> Iterator[str]:
        names = {**self.mask, **self._evaluated}
        yield from names
        yield from (name for name in (self.outer or self.workspace.values) if name not in names)

    def __len__(self) -> int:
        return len(list(iter(self)))

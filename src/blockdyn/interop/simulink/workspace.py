"""Variables of a Simulink model: of its workspace, of its callbacks, and of masks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .document import Document, Node
from .matlab import UnreadableText, assignments, evaluate, read_workspace

CALLBACKS = ("PreLoadFcn", "LoadFcn", "PostLoadFcn", "InitFcn", "StartFcn")  # of models and blocks
TOOLBOX = {
    "qz": "[0 0 0 0 0 0]", "qr": "[0 pi/2 -pi/2 0 0 0]", "qs": "[0 0 -pi/2 0 0 0]",
    "qn": "[0 pi/4 pi 0 pi/4 0]",
    "sensorfield": "@(x, y) 200 ./ ((x - 60).^2 + (y - 90).^2 + 200)",
    "se2_times": "@(q, p) [cos(q(3)) -sin(q(3)); sin(q(3)) cos(q(3))]*p + [q(1); q(2)]",
    "rot2": "@(t) [cos(t) -sin(t); sin(t) cos(t)]",
    "se2": "@(q) [cos(q(3)) -sin(q(3)) q(1); sin(q(3)) cos(q(3)) q(2); 0 0 1]",
    "trotx": "@(t) [1 0 0 0; 0 cos(t) -sin(t) 0; 0 sin(t) cos(t) 0; 0 0 0 1]",
    "troty": "@(t) [cos(t) 0 sin(t) 0; 0 1 0 0; -sin(t) 0 cos(t) 0; 0 0 0 1]",
    "trotz": "@(t) [cos(t) -sin(t) 0 0; sin(t) cos(t) 0 0; 0 0 1 0; 0 0 0 1]",
    "rotx": "@(t) [1 0 0; 0 cos(t) -sin(t); 0 sin(t) cos(t)]",
    "roty": "@(t) [cos(t) 0 sin(t); 0 1 0; -sin(t) 0 cos(t)]",
    "rotz": "@(t) [cos(t) -sin(t) 0; sin(t) cos(t) 0; 0 0 1]",
}  # fmt: skip
"""Poses of the Puma 560, and functions of the Robotics Toolbox: Corke (2017), chapters 2, 4 and 7."""
ROBOTS = {
    "p560": "puma560",
    "tl": "twolink",
    "twolink": "twolink",
    "stanf": "stanford",
    "p560akb": "puma560akb",
}
"""Variables of the Robotics Toolbox's scripts, and the robots of the library here that they hold."""
OPENING = re.compile(r"(?<![\w.])(?:if|for|parfor|while|switch|try)\b")
"""Words whose statements an `end` closes."""
EXISTS = re.compile(r"^\s*if\s+(~|!)?\s*exist\s*\(\s*['\"](\w+)['\"].*$")


MASKED = re.compile(r"(\w+)\s*=\s*([@&])(\d+)\s*;")


def transl(*values: Any) -> Any:
    """The pose of a translation, or the translation of a pose as a column; a row for fkine's pose."""
    if len(values) == 1 and isinstance(values[0], dict):
        return values[0]["t"].T
    if len(values) == 1 and np.shape(values[0]) == (4, 4):
        return values[0][:3, 3:]
    parts = np.concatenate([np.ravel(each) for each in values])
    if parts.size != 3:
        raise ValueError("transl takes a pose, three numbers or a vector of three")
    pose = np.eye(4, dtype=parts.dtype)
    pose[:3, 3] = parts
    return pose


SIMULINK: dict[str, Any] = {"Variant": lambda condition: condition, "Parameter": lambda value: value}
"""Objects of Simulink that hold one value, which stands for them."""


def robot_variable(name: str, friction: str = "") -> dict[str, Any]:
    """A robot of the library as a struct: its name, n, and functions of constants.

    `friction` is the kind that it lacks.
    """
    from ...robots.library.catalogue import load
    from ...robots.mechanics.bodies import work_shape
    from ...robots.mechanics.kinematics import tool_pose

    robot = load(name)

    def fkine(q: Any) -> dict[str, Any]:
        joints, pose = np.asarray(q, float).ravel(), np.eye(4)
        if joints.size != robot.n:
            raise ValueError(f"{robot.n} joint coordinates are expected, not {joints.size}")
        tool_pose(robot.table(), joints, np.zeros(work_shape(robot.n, len(robot.shares))), pose)
        return {"R": pose[:3, :3], "t": pose[:3, 3:], "T": pose}

    def nofriction(which: str = "coulomb") -> dict[str, Any]:
        return robot_variable(name, which)

    number = np.full((1, 1), float(robot.n))
    return {"name": name, "n": number, "fkine": fkine, "nofriction": nofriction, "friction": friction}


class Variables(dict[str, Any]):
    """Values by name; `read` are the names that were looked up. The Toolbox's robots are made when read."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        super().__init__(values or {})
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        value = super().get(name)
        if name in ROBOTS and (value is None or isinstance(value, str)):
            self[name] = robot_variable(ROBOTS[name] if value is None else value)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, or the default."""
        self.read.add(name)
        return self[name] if name in self or name in ROBOTS else default


class Workspace:
    """Variables of the outermost workspace: values of the user come before callbacks."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.explicit = dict(values or {})
        self.values = Variables(
            {name: evaluate(text) for name, text in TOOLBOX.items()}
            | {"transl": transl, "Simulink": SIMULINK}
            | self.explicit
        )
        self.skipped: list[str] = []  # statements of callbacks that were not read
        self.assigned: dict[str, str] = {}  # variables that callbacks set, and the file of each
        self.contradictions: list[tuple[str, str]] = []  # file, and what its callbacks change

    def run(self, fields: Mapping[str, str], path: str) -> None:
        """Read the assignments of a model's callbacks; other statements are kept in `skipped`.

        The callbacks of referenced models assign to the same workspace. A variable to which two files give
        different values goes to `contradictions`, as the order of the files decides there.
        """
        for name in CALLBACKS:
            for statement in statements(fields.get(name, "")):
                names = assigned_names(statement)
                before = {each: self.values[each] for each in names if each in self.values}
                try:
                    self.values |= assignments(statement, self.values)
                except UnreadableText:
                    self.skipped.append(f"{name}: {statement.strip()}")
                    for unread in names:
                        self.values.pop(unread, None)
                self.values |= self.explicit
                for each in names:
                    if self.assigned.setdefault(each, path) != path and not _same(
                        before.get(each), dict.get(self.values, each)
                    ):
                        self.contradictions.append(
                            (path, f"{name} gives `{each}` another value than {self.assigned[each]}")
                        )


STORED = ("", "Model File", "MDL-File", "MDL File")
"""Sources of a model workspace that lie in the model's own file."""


def model_variables(document: Document, workspace: Workspace) -> dict[str, Any]:
    """Variables of a model's own workspace, of the file or of its MATLAB code.

    A workspace that cannot be read is a contradiction; if it is in another file, values of the user stand
    for it.
    """
    source = document.workspace_field("WSDataSource")
    try:
        if source in ("MATLAB Code", "M-Code"):
            return assignments(document.workspace_field("WSMATLABCode", "WSMCode"))
        if source in STORED:
            return read_workspace(document.variables) if document.variables else {}
    except UnreadableText as error:
        workspace.contradictions.append((document.path, f"the model workspace: {error.problem}"))
        return {}
    if not workspace.explicit:
        file = document.workspace_field("WSSourceFileName", "WSMatFile", "WSFileName")
        workspace.contradictions.append((document.path, f"the model workspace is in {file or source}"))
    return {}


def _same(a: Any, b: Any) -> bool:
    """True for equal numbers, texts, structs or cell arrays."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool((a == b).all())
    return a is b or (isinstance(a, str) and a == b)


def statements(text: str) -> Iterator[str]:
    """Statements of a callback, loops and conditions undivided; `if ~exist('x')` counts as its content."""
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
        model: Mapping[str, Any] | None = None,
    ) -> None:
        self.workspace, self.mask, self.outer = workspace, mask, outer
        self.closed = closed  # a referenced model: it sees its arguments, its own workspace and the base's
        self.initialization = initialization
        self._evaluated: dict[str, Any] = {  # at first the variables of the model workspace
            name: value
            for name, value in (model or {}).items()
            if name not in mask and name not in workspace.explicit
        }
        self._busy: set[str] = set()
        self._initialized = not initialization
        self._unread: set[str] = set()  # variables that unreadable commands give a value

    def text(self, name: str) -> tuple[str, Scope | None]:
        """The text of a mask parameter, resolved through masks, and the scope in which it is written."""
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


def mask_of(node: Node, link: Mapping[str, str] | None = None) -> dict[str, str] | None:
    """Parameters of a mask and their texts, a library link's first; None without a mask."""
    link = link or {}
    mask = _mask_node(node)
    if mask is not None:
        parameters = {n.fields["Name"]: n for n in _mask_parameters(mask) if n.fields.get("Name")}
        values = {name: n.fields.get("Value", "") for name, n in parameters.items()}
        for child in node.nodes("InstanceData"):
            values |= {key: value for key, value in child.fields.items() if key in parameters}
        values |= {key: link[key] for key in parameters if key in link}
        return {
            name: _as_expression(
                values[name], n.fields.get("Type", "edit"),
                (n.first("TypeOptions") or n).fields.get("Option", ""),
                n.fields.get("Evaluate", "on") == "on",
            )
            for name, n in parameters.items()
        }  # fmt: skip
    names = {name: (int(k) - 1, mark == "@") for name, mark, k in MASKED.findall(
        node.fields.get("MaskVariables", ""))}  # fmt: skip
    if not names:
        return {} if node.fields.get("MaskType") else None
    texts = node.fields.get("MaskValueString", "").split("|")
    styles = re.findall(r"(\w+)(?:\(([^)]*)\))?", node.fields.get("MaskStyleString", ""))
    styles += [("edit", "")] * (max(k for k, _ in names.values()) + 1 - len(styles))
    return {
        name: _as_expression(
            link.get(name, texts[k] if k < len(texts) else ""), styles[k][0], styles[k][1], evaluated
        )
        for name, (k, evaluated) in names.items()
    }


def arguments_of(fields: Mapping[str, str]) -> dict[str, str]:
    """Arguments of a referenced model and their texts."""
    names = [name for name in re.split(r"[\s,]+", fields.get("ParameterArgumentNames", "")) if name]
    return dict(zip(names, split_list(fields.get("ParameterArgumentValues", "")), strict=False))


def split_list(text: str) -> list[str]:
    """Texts between commas that lie outside of brackets."""
    parts, depth = [""], 0
    for letter in text.strip("{} "):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip().strip("'\"") for part in parts]


def _mask_node(node: Node) -> Node | None:
    """The mask of a block, in the three forms of different releases."""
    objects = (
        n
        for n in node.nodes("Object")
        if "MaskObject" in (n.fields.get("PropName"), n.fields.get("$PropName"))
    )
    return node.first("Mask") or next(objects, None)


def _mask_parameters(mask: Node) -> list[Node]:
    result = list(mask.nodes("MaskParameter"))
    for child in mask.children:
        names = (child.fields.get("Type"), child.fields.get("ClassName"), child.fields.get("$ClassName"))
        if "Simulink.MaskParameter" in names:
            result += list(child.nodes("Object")) if child.kind == "Array" else [child]
    return result


def _as_expression(text: str, style: str, choices: str, evaluated: bool) -> str:
    """A mask parameter as an expression: literal text, if it is not evaluated, in quotes."""
    if style == "popup" and evaluated and text in choices.split("|"):
        return str(choices.split("|").index(text) + 1)
    if style == "checkbox" and evaluated:
        return "1" if text == "on" else "0"
    if style == "popup" or not evaluated:
        return "'" + text.replace("'", "''") + "'"
    return text


def commands_of(node: Node) -> str:
    """Commands with which a mask computes further variables."""
    mask = _mask_node(node)
    return (mask.fields.get("Initialization", "") if mask is not None else "") or node.fields.get(
        "MaskInitialization", ""
    )

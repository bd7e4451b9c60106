"""xacro files are expanded into the elements that ROS's own program makes of them, without ROS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Any

from ...base.files import open_regular
from ...base.words import nearest
from ..errors import RobotFileError
from .element import Element, read_root
from .xacro_values import CONSTANTS, FUNCTIONS, LARGEST, LIBRARIES, MESSAGES, Names, evaluate, yaml_values

PREFIX = "xacro:"
OWN = ("arg", "attribute", "call", "element", "if", "include", "insert_block", "macro", "property", "unless")
MOST = 100_000  # elements
DEEPEST = 300  # macros, conditions and elements inside each other
FILES = 1000  # included
LENGTH = 20_000_000  # characters of all evaluated texts
PACKAGE = "package://"

_PIECE = re.compile(r"\$\$+(?=[{(])|\$\{[^}]*\}|\$\([^)]*\)|[^$]+|\$(?![{($])|\$+$")
_PARAMETER = re.compile(
    r"\s*([^\s:=]+)(?:\s*:?=\s*(\^\|?)?((?:\$\{.*?\}|\$\(.*?\)|'[^']*'|\"[^\"]*\"|[^\s'\"])*))?(?=\s|$)"
)


class Scope:
    """Properties and macros of a file, a namespace or one call of a macro, with the ones of its parent."""

    def __init__(self, parent: Scope | None = None, *, space: bool = False) -> None:
        self.parent, self.space = parent, space
        self.values: dict[str, Any] = {}
        self.macros: dict[str, Element] = {}
        self.lazy: set[str] = set()

    def holder(self, name: str) -> Scope | None:
        """The innermost scope that has a property."""
        scope: Scope | None = self
        while scope is not None and name not in scope.values:
            scope = scope.parent
        return scope

    def put(self, name: str, value: Any, *, lazy: bool = False) -> None:
        """Set a property; a text that is not a number is evaluated when it is first read, if `lazy`."""
        value = literal(value)
        self.values[name] = value
        (self.lazy.add if lazy and isinstance(value, str) else self.lazy.discard)(name)

    def macro(self, name: str) -> tuple[Scope, Element] | None:
        """A macro, and the scope that it is called in."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.macros:
                return self, scope.macros[name]
            scope = scope.parent
        space, _, member = name.partition(".")
        holder = self.holder(space) if member else None
        inner = holder.values[space] if holder is not None else None
        return inner.macro(member) if isinstance(inner, Scope) else None


def literal(value: Any) -> Any:
    """Convert a text to a number or a truth value if it is one; remove quotes."""
    if not isinstance(value, str):
        return value
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1]
    if "_" in value:
        return value
    for kind in (int, float, truth):
        try:
            return kind(value)
        except ValueError:
            pass
    return value


def truth(value: Any) -> bool:
    """The truth value of a condition. Raises ValueError."""
    if isinstance(value, str):
        return value in ("true", "True") or (value not in ("false", "False") and bool(int(value)))
    return bool(value)


def is_xacro(root: Element) -> bool:
    """True if an element is one of xacro's own; calls of macros alone are left over from an expansion."""
    return any(each.tag.removeprefix(PREFIX) in OWN for each in root.inside() if each.tag.startswith(PREFIX))


class Expansion:
    """One file with its included files, its arguments and the folders of packages.

    With a `boundary` it reads only files in this folder and in the folders of packages.
    """

    def __init__(
        self,
        path: Path,
        arguments: Mapping[str, Any],
        packages: Mapping[str, str | Path] | str | Path | None,
        boundary: str | Path | None = None,
    ) -> None:
        folders = packages.values() if isinstance(packages, Mapping) else [packages] if packages else []
        self.roots = [Path(each).resolve() for each in (boundary, *folders) if each] if boundary else []
        self.arguments = {name: str(value) for name, value in arguments.items()}
        self.packages, self.path = packages or {}, path
        self.elements = self.length = self.depth = self.included = 0
        self.files = [path]
        self.reading: list[str] = []
        self.at = Element(str(path), 1, "robot", {})

    def expand(self, root: Element) -> Element:
        """The root with all expressions evaluated. Raises RobotFileError with the place."""
        scope = Scope()
        element = self.element(root, root.tag, scope)
        self.run(root, scope, element)
        return element

    def run(self, source: Element, scope: Scope, into: Element) -> None:
        """Expand all children of an element into another element."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise source.wrong(f"more than {DEEPEST} levels of macros and elements", "a recursion that ends")
        for child in source.children:
            self.at = child
            if not child.tag.startswith(PREFIX):
                element = self.element(child, child.tag, scope)
                into.children.append(element)
                self.run(child, scope, element)
                continue
            kind = child.tag.removeprefix(PREFIX)
            if kind in ("if", "unless"):
                if self.condition(child, scope) is (kind == "if"):
                    self.run(child, scope, into)
            elif kind == "include":
                for root, inner in self.includes(child, scope):
                    into.attributes |= {k: v for k, v in root.attributes.items() if k.startswith("xmlns:")}
                    self.run(root, inner, into)
            elif kind == "property":
                self.set_property(child, scope)
            elif kind == "macro":
                scope.macros[child.text("name").removeprefix(PREFIX)] = child
            elif kind == "arg":
                if child.text("name") not in self.arguments:
                    default = str(self.evaluate(child.attribute("default"), scope, child))
                    self.arguments[child.text("name")] = default
            elif kind == "insert_block":
                self.run(self.block(child, scope), scope, into)
            elif kind == "element":
                name = str(self.evaluate(child.text("xacro:name"), scope, child))
                element = self.element(child, name, scope)
                into.children.append(element)
                self.run(child, scope, element)
            elif kind == "attribute":
                name = str(self.evaluate(child.text("name"), scope, child))
                into.attributes[name] = str(self.evaluate(child.attribute("value"), scope, child))
            else:
                self.run(*self.call(child, kind, scope), into)
        if "$" in source.words:
            into.words += str(self.evaluate(source.words, scope, source))
        else:
            into.words += source.words
        self.depth -= 1

    def element(self, source: Element, tag: str, scope: Scope) -> Element:
        """An empty element with evaluated attributes. Raises RobotFileError."""
        self.elements += 1
        if self.elements > MOST:
            raise source.wrong(f"more than {MOST} elements", "a smaller robot, or a recursion that ends")
        attributes = {
            key: str(self.evaluate(value, scope, source))
            for key, value in source.attributes.items()
            if not key.startswith(PREFIX) and key != "xmlns:xacro"
        }
        return Element(source.file, source.line, tag, attributes)

    def evaluate(self, text: str, scope: Scope, at: Element) -> Any:
        """The value of a text with ${...} and $(...) in it: a text unless it is one expression alone."""
        pieces: list[Any] = []
        end = 0
        for piece in _PIECE.finditer(text):
            if piece.start() != end:
                break
            end = piece.end()
            part = piece[0]
            if part.startswith("${"):
                pieces.append(self.expression(part[2:-1], scope, at))
            elif part.startswith("$("):
                pieces.append(self.substitute(str(self.evaluate(part[2:-1], scope, at)), at))
            else:
                pieces.append(part[1:] if part.startswith("$$") else part)
        if end < len(text):
            raise at.wrong(f"`{text[end:]:.40}` does not end", "${...} or $(...)")
        result = pieces[0] if len(pieces) == 1 else "".join(map(str, pieces))
        self.length += len(result) if isinstance(result, str) else 1
        if self.length > LENGTH or (isinstance(result, str) and len(result) > LARGEST):
            raise at.wrong("texts that are too long", f"at most {LARGEST} characters")
        return result

    def expression(self, text: str, scope: Scope, at: Element) -> Any:
        """The value of a Python expression over properties."""
        if "$" in text:
            text = str(self.evaluate(text, scope, at))
        try:
            return evaluate(text, lambda name: self.look_up(name, scope, at))
        except ValueError as error:
            close = ""
            if "there is no `" in str(error):
                close = nearest(str(error).split("`")[1], self._names(scope))
            expected = "arithmetic of properties, as in Python"
            raise at.wrong(f"${{{text}}}: {error}{close}", expected) from None

    def _names(self, scope: Scope) -> list[str]:
        names: list[str] = [*FUNCTIONS, *CONSTANTS]
        inner: Scope | None = scope
        while inner is not None:
            names += inner.values
            inner = inner.parent
        return names

    def look_up(self, name: str, scope: Scope, at: Element) -> Any:
        """The value of a name in an expression. Raises KeyError."""
        holder = scope.holder(name)
        if holder is None:
            tools: dict[str, Any] = {
                "load_yaml": self.load_yaml,
                "abs_filename": self.absolute,
                "dotify": dict,
            }
            if name == "xacro":
                return Names({**MESSAGES, **tools, "arg": self._argument})
            return {**FUNCTIONS, **CONSTANTS, **LIBRARIES, **tools}[name]
        if name in holder.lazy:
            if name in self.reading:
                circle = " -> ".join([*self.reading[self.reading.index(name) :], name])
                raise at.wrong(
                    f"properties depend on each other: {circle}", 'another order, or lazy_eval="false"'
                )
            self.reading.append(name)
            holder.values[name] = literal(self.evaluate(holder.values[name], holder, at))
            self.reading.pop()
            holder.lazy.discard(name)
        value = holder.values[name]
        return _Space(self, value, at) if isinstance(value, Scope) else value

    def substitute(self, text: str, at: Element) -> str:
        """The value of $(arg x), $(find package), $(env X), $(optenv X default), $(dirname), $(eval ...)."""
        command, _, word = text.strip().partition(" ")
        word = word.strip()
        if command == "find":
            return str(self.package(word, Path(at.file)) or PACKAGE + word)
        if command == "arg" or command == "env":
            if word not in self.arguments:
                problem = f"$({text}) has no value{nearest(word, self.arguments)}"
                raise at.wrong(problem, f'arguments={{"{word}": ...}}')
            return self.arguments[word]
        if command == "optenv":
            name, _, default = word.partition(" ")
            return self.arguments.get(name, default.strip())
        if command in ("dirname", "cwd"):
            return str(Path(at.file if command == "dirname" else self.path).resolve().parent)
        if command == "eval":
            scope = Scope()
            scope.values = {name: literal(value) for name, value in self.arguments.items()}
            scope.values |= {"true": True, "false": False, "arg": lambda name: literal(self._argument(name))}
            return str(self.expression(word, scope, at))
        raise at.wrong(f"$({text})", "$(arg x), $(find package), $(env X), $(eval ...)")

    def _argument(self, name: str) -> str:
        return self.arguments[name]

    def package(self, name: str, near: Path) -> Path | None:
        """The folder of a package: given, or next to a folder around the file, or such a folder itself."""
        if isinstance(self.packages, Mapping):
            if name in self.packages:
                return Path(self.packages[name]).resolve()
        elif (Path(self.packages) / name).is_dir():
            return (Path(self.packages) / name).resolve()
        for folder in near.resolve().parents[:-1]:
            if folder.name == name:
                return folder
            if (folder / name / "package.xml").is_file():
                return folder / name
        return None

    def condition(self, element: Element, scope: Scope) -> bool:
        """The truth value of an <if> or <unless>."""
        value = self.evaluate(element.attribute("value"), scope, element)
        try:
            return truth(value)
        except ValueError:
            raise element.wrong(f"{element.shown()} has the value {value!r:.60}", "true or false") from None

    def includes(self, element: Element, scope: Scope) -> Iterator[tuple[Element, Scope]]:
        """The root elements of included files, each with the scope that it is expanded in."""
        inner = scope
        if space := element.attributes.get("ns"):
            inner = Scope(scope, space=True)
            scope.values[str(self.evaluate(space, scope, element))] = inner
        path = self.resolve(str(self.evaluate(element.text("filename"), scope, element)), element)
        several = any(sign in path for sign in "*?[")
        for each in sorted(glob(path)) if several else [path]:
            self.included += 1
            if self.included > FILES:
                raise element.wrong(
                    f"more than {FILES} included files", "files that do not include themselves"
                )
            self.confine(each, element)
            optional = element.attributes.get("optional", "").lower() in ("true", "1")
            if optional and not Path(each).exists():
                continue
            try:
                root = read_root(Path(each))
            except RobotFileError as error:
                if error.line is not None:
                    raise
                raise element.wrong(f"{each}: {error.problem}", error.expected) from None
            self.files.append(Path(each))
            yield root, inner
            self.files.pop()

    def resolve(self, name: str, at: Element) -> str:
        """The path of a file named in an element, relative to the file that includes the one expanded."""
        if name.startswith(PACKAGE):
            package, _, inside = name.removeprefix(PACKAGE).partition("/")
            folder = self.package(package, Path(at.file))
            if folder is None:
                expected = f'packages={{"{package}": FOLDER}}, or the folder that holds it'
                raise at.wrong(f"the package `{package}` is not found", expected)
            return str(folder / inside)
        return str(self.files[-1].parent / name.removeprefix("file://"))

    def confine(self, path: str, at: Element) -> None:
        """Raise RobotFileError for a file outside of the folders that may be read."""
        real = Path(path).resolve()
        if self.roots and not any(real.is_relative_to(root) for root in self.roots):
            raise at.wrong(
                f"the file `{path}` lies outside the diagram's folder",
                f"a file in {' or '.join(map(str, self.roots))}; move it there, or pass"
                ' trust="files" (command line: --trust files) if you know the file',
            )

    def absolute(self, name: str) -> str:
        """The path of a file relative to the one expanded."""
        return self.resolve(str(name), self.at)

    def load_yaml(self, name: str) -> Any:
        """The values of a YAML file, relative to the file that names it."""
        path = self.resolve(str(name), self.at)
        self.confine(path, self.at)
        try:
            with open_regular(path) as file:
                return yaml_values(file.read(LARGEST + 1))
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise self.at.wrong(f"{path}: {problem}", "a YAML file") from None

    def set_property(self, element: Element, scope: Scope) -> None:
        """A property in its scope: a value, or a block of elements."""
        name = str(self.evaluate(element.text("name"), scope, element))
        if not name.isidentifier():
            raise element.wrong(f"a property `{name}`", "a name of letters, digits and _")
        options = element.attributes
        if "remove" in options and truth(self.evaluate(options["remove"], scope, element)):
            holder = scope.holder(name)
            if holder is not None:
                del holder.values[name]
            return
        target, lazy = scope, truth(self.evaluate(options.get("lazy_eval", "true"), scope, element))
        value: Any = options.get("value", options.get("default"))
        if value is None:
            scope_of(target, options.get("scope", "")).values["**" + name] = element
            return
        if "value" not in options and scope.holder(name) is not None:
            return
        if options.get("scope") in ("global", "parent"):
            target, lazy = scope_of(scope, options["scope"]), False
        if not lazy:
            value = self.evaluate(value, scope, element)
        target.put(name, value, lazy=lazy)

    def block(self, element: Element, scope: Scope) -> Element:
        """An element whose children are the inserted block."""
        name = element.text("name")
        for key in ("**" + name, "*" + name):
            holder = scope.holder(key)
            if holder is not None:
                block: Element = holder.values[key]
                whole = Element(block.file, block.line, block.tag, {}, [block])
                return block if key.startswith("**") else whole
        raise element.wrong(f"there is no block `{name}`", "a block parameter, or a property with elements")

    def call(self, element: Element, name: str, scope: Scope) -> tuple[Element, Scope]:
        """The body of a macro, and the scope with its parameters."""
        passed = dict(element.attributes)
        if name == "call":
            name = str(self.evaluate(element.text("macro"), scope, element))
            del passed["macro"]
        macro = scope.macro(name)
        if macro is None:
            raise element.wrong(f"there is no macro `{name}`{nearest(name, _macros(scope))}", "a macro")
        holder, body = macro
        inner = Scope(holder)
        waiting = _parameters(body)
        for key, text in passed.items():
            if key.startswith("xmlns:"):
                continue
            if key not in waiting:
                raise element.wrong(
                    f"{element.shown()} has no parameter `{key}`", ", ".join(waiting) or "none"
                )
            del waiting[key]
            inner.put(key, self.evaluate(text, scope, element))
        blocks = Element(element.file, element.line, element.tag, {})
        self.run(element, scope, blocks)
        self.at = element
        for key, (forward, default) in waiting.items():
            if key.startswith("*"):
                if not blocks.children:
                    raise element.wrong(f"{element.shown()} has no block for `{key}`", "an element inside")
                inner.values[key] = blocks.children.pop(0)
            elif forward and scope.holder(key) is not None:
                inner.put(key, self.look_up(key, scope, element))
            elif default is not None:
                inner.put(key, self.evaluate(default, scope, element))
            else:
                raise element.wrong(f"{element.shown()} has no {key}", f'{key}="..."')
        if blocks.children:
            raise element.wrong(
                f"{element.shown()} holds a block too many", "a block for each * of the macro"
            )
        return body, inner


class _Space(Mapping[str, Any]):
    """Properties of an included file that has a namespace."""

    def __init__(self, expansion: Expansion, scope: Scope, at: Element) -> None:
        self.expansion, self.scope, self.at = expansion, scope, at

    def __getitem__(self, name: str) -> Any:
        return self.expansion.look_up(name, self.scope, self.at)

    def __iter__(self) -> Iterator[str]:
        return iter(self.scope.values)

    def __len__(self) -> int:
        return len(self.scope.values)


def scope_of(scope: Scope, word: str) -> Scope:
    """The scope that the attribute `scope` of a property names."""
    if word == "global":
        while scope.parent is not None:
            scope = scope.parent
    elif word == "parent" and scope.parent is not None:
        own, scope = scope, scope.parent
        while scope.space and not own.space and scope.parent is not None:
            scope = scope.parent
    return scope


def _macros(scope: Scope) -> list[str]:
    return [*scope.macros, *(_macros(scope.parent) if scope.parent is not None else ())]


def _parameters(macro: Element) -> dict[str, tuple[bool, str | None]]:
    """The parameters of a macro in order: True if the caller's property is the default, and a default."""
    parameters: dict[str, tuple[bool, str | None]] = {}
    text, end = macro.attributes.get("params", "").strip(), 0
    while end < len(text):
        match = _PARAMETER.match(text, end)
        if match is None:
            raise macro.wrong(f"params=`{text[end:]:.40}`", "names, with defaults such as a:=1")
        parameters[match[1]] = bool(match[2]), match[3] or None
        end = match.end()
    return parameters

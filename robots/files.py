"""Files: a robot's YAML 1.2 text as plain values, with the line of everything; nothing is executed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import RobotFileError

LARGEST = 4_000_000  # characters; the largest arms have some thousand
DIGITS = 30
Path_ = tuple[Any, ...]


@dataclass
class Document:
    """The values of a file, and the line where each key or item stands."""

    file: str
    values: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)

    def line(self, *path: Any) -> int | None:
        """The line of the innermost part of a path that the file holds."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None

    def wrong(self, problem: str, expected: str, *path: Any) -> RobotFileError:
        """An error at a path."""
        return RobotFileError(self.file, self.line(*path), problem, expected)


def read(path: Path) -> Document:
    """The document of a file. Raises RobotFileError."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RobotFileError(str(path), None, "the file is not UTF-8 text", "a YAML file") from None
    except OSError as error:
        raise RobotFileError(str(path), None, f"cannot read it: {error.strerror}", "a YAML file") from None
    return parse(text, str(path))


def parse(text: str, file: str) -> Document:
    """The document of a text. Raises RobotFileError: not YAML, equal keys, tags, aliases."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if len(text) > LARGEST:
        raise RobotFileError(file, None, f"{len(text)} characters", f"at most {LARGEST}")
    document = Document(file)
    yaml: Any = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
    except (YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise RobotFileError(
            file, mark.line + 1 if mark else None, f"not YAML: {problem}", "YAML 1.2"
        ) from None
    if root is None:
        raise RobotFileError(file, 1, "the file is empty", "a robot, beginning with `robot: NAME`")
    document.values = _value(root, (), document)
    return document


def _value(node: Any, path: Path_, document: Document) -> Any:
    from ruamel.yaml.nodes import MappingNode, SequenceNode

    document.lines.setdefault(path, node.start_mark.line + 1)
    if node.anchor is not None:
        raise document.wrong("an anchor", "every value written out where it belongs", *path)
    if isinstance(node, MappingNode):
        return _mapping(node, path, document)
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, i), document) for i, item in enumerate(node.value)]
    return _scalar(node, path, document)


def _mapping(node: Any, path: Path_, document: Document) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key_node, item in node.value:
        key = key_node.value
        if not isinstance(key, str):
            raise document.wrong("a list or mapping as a key", "text", *path)
        document.lines[(*path, key)] = key_node.start_mark.line + 1
        if key in found:
            raise document.wrong(f"the key `{key}` a second time", "each key once", *path, key)
        found[key] = _value(item, (*path, key), document)
    return found


def _scalar(node: Any, path: Path_, document: Document) -> Any:
    kind = str(node.tag).rpartition(":")[2]
    text: str = node.value
    match kind:
        case "str":
            return text
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int" if len(text) <= DIGITS:
            return int(text, 0) if text[:2].lower() in ("0x", "0o") else int(text)
        case "int":
            raise document.wrong(f"a number of {len(text)} digits", f"at most {DIGITS}", *path)
        case "float":
            return float(text.replace(".inf", "inf").replace(".Inf", "inf").replace(".nan", "nan"))
    raise document.wrong(
        f"the tag `{node.tag}`", "a value without a tag (quote text that looks like one)", *path
    )

"""`blockdyn studio`: edit and run a diagram in a browser, with the block types of `blockdyn blocks`."""

from __future__ import annotations

import ast
import atexit
import dataclasses
import re
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.text_table import in_lines
from ..blocks.contract.parameter import Rule
from ..blocks.contract.registry import UnknownBlockType, block_type, type_name
from ..diagrams.model.diagram import Diagram
from ..diagrams.yaml.entries import SUBSYSTEM
from ..diagrams.yaml.errors import EditError, YamlError
from ..diagrams.yaml.finding import GALLERY, find, packaged
from ..diagrams.yaml.masks import outside
from ..diagrams.yaml.source import parse
from ..pages.studio import Studio
from ..pages.studio_draft import Draft
from ..pages.studio_server import EditorLock, StudioServer, studio_widget
from .analyses import analyse
from .blocks import explain, in_a_line, list_types, parameter_rows, public_families, search
from .console import show
from .diagrams import trust_of
from .equations import split_paragraphs, typeset
from .specimen import documentation

MOST = 40  # types that a search shows
NEW = "blockdyn: 1\nblocks: {}\n"
Polynomial = tuple[float, ...]
Fraction = tuple[Polynomial, Polynomial]


def studio(arguments: Namespace) -> int:
    """Serve the studio of a diagram until Ctrl-C. Raises BlockdynError."""
    path, text = find_file(arguments.diagram, Path.cwd())
    lock = EditorLock(path)
    draft = Draft(path, text)
    session = Studio(draft, Types(), trust=trust_of(arguments))

    def opened(url: str) -> None:
        lock.announce(url)
        show(f"studio of {draft.path} at {url}", "Ctrl-C ends it; unsaved text stays in a side file")
        if not arguments.no_browser:
            import webbrowser

            webbrowser.open(url)

    try:
        StudioServer(session, port=arguments.port or 0, opened=opened).run()
    except KeyboardInterrupt:
        pass
    finally:
        lock.release()
    return 0


def show_diagram(diagram: Diagram, /) -> Any:
    """The studio of a diagram below the notebook cell: see `docs/studio.md`.

    `diagram` of the returned object is the diagram as edited, `text` its YAML; the given one stays as it is.
    Raises LiveError without the extra `live`, NotWritable for a diagram that no file can hold.
    """
    from ..diagrams.yaml import dumps

    folder = Path(tempfile.mkdtemp(prefix="blockdyn-studio-"))  # for the side file of unsaved text
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    draft = Draft(folder / f"{parse_name(diagram.name or 'diagram')}.yaml", dumps(diagram))
    return studio_widget(Studio(draft, Types(), folder=Path.cwd()))


def make_draft(name: str | None, folder: Path) -> Draft:
    """The draft of a file, or of a gallery diagram. Raises the errors of find_file."""
    return Draft(*find_file(name, folder))


def find_file(name: str | None, folder: Path) -> tuple[Path, str]:
    """A file, which need not exist, and the text to begin with; a new file for a gallery diagram.

    Raises YamlFileError, FileError, and errors of files of other simulators.
    """
    from ..diagrams.yaml import FOREIGN, dumps, load

    if name is None:
        return _unused(folder / "diagram.yaml"), NEW
    path = Path(name)
    if path.suffix.lower() in FOREIGN:
        return _unused(path.with_suffix(".yaml")), dumps(load(path))
    if path.suffix.lower() in (".yaml", ".yml") and not path.exists():
        if not path.parent.is_dir():
            raise BlockdynError(f"there is no folder {path.parent}\nexpected: a file in a folder that exists")
        return path, f"blockdyn: 1\nname: {parse_name(path.stem)}\nblocks: {{}}\n"
    place = find(name)
    if place.parent == GALLERY:
        return _unused(folder / place.name), place.read_text(encoding="utf-8")
    return place, ""


def parse_name(stem: str) -> str:
    """The name of a diagram for a file's: letters, digits, `-` and `_`."""
    return re.sub(r"[^\w-]+", "-", stem).strip("-") or "diagram"


def _unused(path: Path) -> Path:
    """The path, with a number if a file has it; an unsaved draft gets its former path."""
    number, chosen = 1, path
    while chosen.exists():
        number += 1
        chosen = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return chosen


class Types:
    """The block types of the library, of packages and of packaged subsystems, for the page."""

    def palette(self) -> list[dict[str, Any]]:
        """Families with their types and titles."""
        families = [
            {
                "name": family.name, "title": family.doc.rstrip("."),
                "types": [
                    {"type": type_name(kind), "title": documentation(kind)[0].partition("\n")[0]}
                    for kind in family.types
                ],
            }
            for family in public_families()
        ]  # fmt: skip
        types = [{"type": name, "title": in_a_line(name)} for name in packaged()]
        title = "Subsystems in YAML, of blockdyn and of packages"
        return [*families, {"name": "subsystems", "title": title, "types": types}]

    def search(self, words: str) -> list[dict[str, Any]]:
        """Types that fit words, best first."""
        hits = search(words, _types()) if words.strip() else []
        return [{"type": hit.type, "title": hit.title} for hit in hits if hit.type is not None][:MOST]

    def explain(self, kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Text of a type, and its parameters with their values. Raises UnknownBlockType."""
        text = in_lines(explain(kind))
        if kind == SUBSYSTEM:
            return {"text": text, "doc": [], "parameters": []}
        rows = _subsystem_rows(kind) if kind in packaged() else _block_rows(kind)
        doc = [] if kind in packaged() else _document_parts(kind)
        parameters = [{**row, "value": values.get(row["name"])} for row in rows]
        return {"text": text, "doc": doc, "parameters": parameters}

    def picture(self, kind: str) -> dict[str, Any]:
        """The response of a type's example as SVG, with a caption; empty if there is nothing to see."""
        svg, caption = _picture(kind) if kind in dict(_types()) else ("", "")
        return {"svg": svg, "caption": caption}

    def analyse(self, diagram: Diagram, request: Mapping[str, Any]) -> dict[str, Any]:
        """Tables, curves and a picture of an analysis. Raises BlockdynError."""
        return analyse(diagram, request)

    def entry(self, words: str, parameters: Sequence[str]) -> tuple[str, dict[str, Any]]:
        """Name and entry for words such as "gain 3", "1/(s+2)", "pid kp=2", "+-", "5", "Saturation".

        Words that are parameters of the diagram become expressions. Raises EditError.
        """
        words = words.strip()
        for reader in (_read_number, _read_signs, _read_fraction):
            entry = reader(words)
            if entry is not None:
                return _short(str(entry["type"])), entry
        kind, remainder = self._kind(words)
        entry = {"type": kind, **_values(kind, remainder, parameters)}
        return _short(kind), _complete(entry)

    def _kind(self, words: str) -> tuple[str, list[str]]:
        """The type that words begin with, by name or by search, and the words after it."""
        parts = re.findall(r"\w+=\[[^\]]*\]|\[[^\]]*\]|[^\s,]+", words)
        named = [part for part in parts if re.fullmatch(r"[^\W\d][\w:/]*", part)]
        by_name = {name.casefold(): name for name, _ in reversed(_types())}
        if parts and parts[0].casefold() in by_name:
            return by_name[parts[0].casefold()], parts[1:]
        for count in range(len(named), 0, -1):
            if named[:count] == parts[:count] and (hits := self.search(" ".join(parts[:count]))):
                return hits[0]["type"], parts[count:]
        raise EditError(
            f"no block fits `{words[:60]}`", "a type, `gain 3`, a number, or a fraction such as 1/(s+2)"
        )


@cache
def _types() -> list[tuple[str, str]]:
    return list_types()


@cache
def _picture(kind: str) -> tuple[str, str]:
    from .responses import draw_response

    for family in public_families():
        for each in family.types:
            if type_name(each) == kind:
                return draw_response(each, family.name)
    return "", ""


def _document_parts(kind: str) -> list[dict[str, str]]:
    """The docstring of a type: paragraphs, and indented text, with its equations in MathML."""
    cls = block_type(kind)
    names = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    parts = []
    for block, indented in split_paragraphs(documentation(cls)[0]):
        equations = typeset(block, names) if indented else None
        if equations is not None:
            parts.append({"equations": equations})
        else:
            parts.append({"code" if indented else "text": block})
    return parts


def _short(kind: str) -> str:
    """A name for a block of a type: `discrete_pid` for DiscretePID."""
    plain = re.sub(r"\W+", "_", kind.rpartition("/")[2].rpartition(":")[2])
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain).lower()


# ---- parameters ----


def _block_rows(kind: str) -> list[dict[str, Any]]:
    cls = block_type(kind)
    rules = {field.name: field.metadata.get("rule", Rule(False)) for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    return [
        {
            "name": name, "default": default, "unit": unit, "meaning": meaning, "range": range_,
            "choices": [str(choice) for choice in rules[name].choices],
        }
        for name, default, unit, range_, meaning in parameter_rows(cls)
    ]  # fmt: skip


def _subsystem_rows(kind: str) -> list[dict[str, Any]]:
    from .blocks import mask_rows

    return [
        {
            "name": name, "default": default, "unit": unit, "meaning": meaning, "range": range_,
            "choices": [],
        }
        for name, default, unit, range_, meaning in mask_rows(outside(packaged()[kind], kind))
    ]  # fmt: skip


def _values(kind: str, words: Sequence[str], parameters: Sequence[str]) -> dict[str, Any]:
    """Values for the parameters of a type: `k=3`, or in their order."""
    rows = _subsystem_rows(kind) if kind in packaged() else [] if kind == SUBSYSTEM else _block_rows(kind)
    names = [row["name"] for row in rows]
    values: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            name, text = next((name for name in names if name not in values), ""), word
        if name not in names:
            raise EditError(f"`{word[:60]}` for {kind}", f"one of {', '.join(names) or 'no parameters'}")
        if text in parameters:
            text = f"={text}"
        try:
            values[name] = parse(f"value: {text}", "the words").entries["value"].node.plain()
        except YamlError as error:
            raise EditError(f"`{word[:60]}`: {error.actual}", "a value as in YAML") from None
    return values


def _complete(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with the values of the type's example for parameters that it lacks and needs."""
    try:
        kind = block_type(entry["type"])
    except UnknownBlockType:
        return entry
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    needed = [field.name for field in fields if field.default is dataclasses.MISSING]
    if any(name not in entry for name in needed):
        example = parse(documentation(kind)[1] or "{}", "the example").plain()
        if isinstance(example, dict):
            entry |= {name: example[name] for name in needed if name not in entry and name in example}
    return entry


# ---- words that are blocks themselves ----


def _read_number(words: str) -> dict[str, Any] | None:
    try:
        return {"type": "Constant", "value": float(words)}
    except ValueError:
        return None


def _read_signs(words: str) -> dict[str, Any] | None:
    return {"type": "Sum", "signs": words} if re.fullmatch(r"[+-]{2,}", words) else None


def _read_fraction(words: str) -> dict[str, Any] | None:
    """A fraction in s or z as a block; None for other words."""
    variable = next((letter for letter in "sz" if re.search(rf"(?<![a-z]){letter}(?![a-z])", words)), None)
    if variable is None or not re.fullmatch(r"[\d.eE\s()+*/^sz-]+", words):
        return None
    text = re.sub(r"(?<=[\d.)sz])\s*(?=[(sz])", "*", words.replace("^", "**"))
    try:
        num, den = _fraction(ast.parse(text.strip(), mode="eval").body, variable)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    scale = den[0]
    num, den = (tuple(float(f"{c / scale:.12g}") for c in part) for part in (num, den))
    if len(num) > len(den):
        raise EditError(f"`{words[:60]}` has more zeros than poles", "a proper fraction, such as s/(s+1)")
    if (num, den, variable) == ((1.0,), (1.0, 0.0), "s"):
        return {"type": "Integrator"}
    if len(den) == 1:
        return {"type": "Gain", "k": num[0]}
    if variable == "s":
        return {"type": "TransferFunction", "num": list(num), "den": list(den)}
    return {"type": "DiscreteTransferFunction", "sample_time": 0.1, "num": list(num), "den": list(den)}


_HIGHEST = 20  # power of s


def _fraction(node: ast.AST, variable: str) -> Fraction:
    """Numerator and denominator of an expression's syntax tree; nothing is executed. Raises ValueError."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return (float(value),), (1.0,)
        case ast.Name(id=name) if name == variable:
            return (1.0, 0.0), (1.0,)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            num, den = _fraction(inner, variable)
            return tuple(-c for c in num), den
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
            0 <= power <= _HIGHEST
        ):
            base = _fraction(left, variable)
            answer: Fraction = (1.0,), (1.0,)
            for _ in range(power):
                answer = _product(answer, base)
            return answer
        case ast.BinOp(left=left, op=op, right=right):
            return _calculate(_fraction(left, variable), op, _fraction(right, variable))
    raise ValueError("not a fraction")


def _calculate(first: Fraction, op: ast.operator, second: Fraction) -> Fraction:
    match op:
        case ast.Mult():
            return _product(first, second)
        case ast.Div() if any(second[0]):
            return _product(first, (second[1], second[0]))
        case ast.Add() | ast.Sub():
            sign = 1.0 if isinstance(op, ast.Add) else -1.0
            (a, b), (c, d) = first, second
            num = np.polyadd(np.polymul(a, d), sign * np.polymul(c, b))
            return _plain(num), _plain(np.polymul(b, d))
    raise ValueError("not a fraction")


def _product(first: Fraction, second: Fraction) -> Fraction:
    return _plain(np.polymul(first[0], second[0])), _plain(np.polymul(first[1], second[1]))


def _plain(polynomial: np.ndarray[Any, Any]) -> Polynomial:
    trimmed = np.trim_zeros(np.atleast_1d(polynomial), "f")
    return tuple(map(float, trimmed)) or (0.0,)

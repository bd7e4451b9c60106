"""A source holds the origin of a diagram's text and the permissions of its reader.

The text is read as values with positions; its errors are errors of the diagram.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...base.location import Location
from ...base.yaml.limits import read_text as text_of
from ...base.yaml.positions import Node
from ...base.yaml.reader import Document, Listener, parse as document, read_document
from ...base.yaml.words import DocumentError, Form, Kind
from ..model.errors import contains_itself
from ..model.gathered import Errors
from .errors import NotTrusted, YamlError, YamlFileError, YamlSyntaxError, duplicate_key

if TYPE_CHECKING:
    from ...blocks.contract.block import Block
    from ..model.diagram import Diagram

Trust: TypeAlias = bool | Literal["files", "code"]
"""False: data in the diagram's folder; "files": data anywhere; True or "code": that, and Python code."""

TEXT = "<text>"  # stands for the file of a diagram that is given as text
FORM = Form("diagram", "blockdyn: 1", "split it into subsystems, each in a file of its own")
_ERRORS: dict[Kind, type[YamlError]] = {
    "file": YamlFileError,
    "encoding": YamlSyntaxError,
    "syntax": YamlSyntaxError,
    "limit": YamlSyntaxError,
    "type": YamlError,
}


@dataclass(frozen=True)
class Source:
    """A file or text, the folder that its files must lie in, and the caller's consent."""

    file: str
    folder: Path | None = None  # folder of this file, from which relative paths start
    root: Path | None = None  # folder of the first file, which paths may not leave
    trust: Trust = False
    chain: tuple[Path, ...] = ()  # the files that led here, this one last
    loaded: dict[Path, Diagram] = field(default_factory=dict)  # each file is read once
    named: list[str] = field(default_factory=list, compare=False)  # content of files other than the first
    errors: Errors = field(default_factory=Errors, compare=False)  # met in all files, reported together
    modules: dict[Path, ModuleType] = field(
        default_factory=dict, compare=False
    )  # Python files, each run once
    blocks: dict[int, tuple[Node, str, Block]] | None = field(default=None, compare=False)
    """Blocks that entries have declared before, by the identity of their nodes; None to forget them."""

    @classmethod
    def of_file(cls, path: Path, trust: Trust) -> Source:
        """The source of a diagram's own file."""
        file = _resolve_path(path, str(path), Location(str(path)))
        return cls(str(path), file.parent, file.parent, trust, (file,))

    def beside(self, name: str, at: Location) -> Path:
        """The path of a file named in this one.

        Raises NotTrusted if it lies outside the first file's folder without consent.
        """
        self.named.append(name)
        if self.root is None and not self.trust:
            raise NotTrusted(
                f"the file `{name}` in a diagram that is not a file itself",
                "a diagram read from a file, or the caller's consent",
                'pass trust="files" (command line: --trust files) if you know the file',
                location=at,
            )
        path = _resolve_path((self.folder or Path()) / name, name, at)
        if not self.trust and self.root is not None and not path.is_relative_to(self.root):
            raise NotTrusted(
                f"the file `{name}` lies outside the diagram's folder",
                f"a file in {self.root} or below",
                'move it there, or pass trust="files" (command line: --trust files) if you know the file',
                location=at,
            )
        return path

    def inner(self, name: str, path: Path, at: Location) -> Source:
        """The source of a diagram whose file is named in this one.

        Raises DiagramError.
        """
        if path in self.chain:
            cycle = [file.name for file in (*self.chain[self.chain.index(path) :], path)]
            raise contains_itself(cycle, location=at)
        label = name if self.file == TEXT else str(Path(self.file).parent / name)
        return Source(
            label, path.parent, self.root or path.parent, self.trust, (*self.chain, path), self.loaded,
            self.named, self.errors, self.modules,
        )  # fmt: skip

    def of_package(self, name: str, path: Path, at: Location) -> Source:
        """The source of a packaged subsystem; the files that it names lie in its package's folder.

        Raises DiagramError.
        """
        if path in self.chain:
            raise contains_itself([*(file.stem for file in self.chain), name], location=at)
        return Source(
            str(path), path.parent, path.parent, False, (*self.chain, path), self.loaded, self.named,
            self.errors,
        )  # fmt: skip

    def text_of(self, path: Path) -> str:
        """The text of a file. Raises YamlFileError, YamlSyntaxError."""
        return read_text(path, self.file)

    def function(self, name: str, at: Location) -> Callable[..., Any]:
        """The Python callable of a name `module:name` or `file.py:name`; imports code.

        Raises NotTrusted without the caller's full consent; YamlFileError if it does not exist.
        """
        self._require_trust(name, at)
        from .code import callable_named

        return callable_named(name, lambda file: self.beside(file, at), self.modules, at)

    def block_class(self, name: str, at: Location) -> type[Block]:
        """The block class of a name `module:Name` or `file.py:Name`, as `function`."""
        self._require_trust(name, at)
        from .code import block_class_named

        return block_class_named(name, lambda file: self.beside(file, at), self.modules, at)

    def library(self, name: str, at: Location) -> Path:
        """The path of a file that holds machine code. Raises NotTrusted, as `function` does."""
        self._require_trust(name, at, "holds machine code")
        return self.beside(name, at)

    @property
    def runs_code(self) -> bool:
        """True if the caller consents to code."""
        return self.trust in (True, "code")

    def _require_trust(self, name: str, at: Location, what: str = "names Python code") -> None:
        if not self.runs_code:
            first = "read the code" if "Python" in what else "make sure that you know its origin"
            raise NotTrusted(
                f"`{name}` {what}, and loading a file runs no code",
                "the caller's consent",
                f'{first}, then pass trust="code" (command line: --trust code)',
                location=at,
            )
        self.named.append(name)


def _resolve_path(path: Path, name: str, at: Location) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a cycle of links, a NUL in the name
        raise YamlFileError(
            f"`{name}` cannot be found: {error}", "the path of a file", location=at
        ) from error


def read_text(path: Path, file: str) -> str:
    """The text of a file. Raises YamlFileError, YamlSyntaxError."""
    try:
        return text_of(path, file, FORM)
    except DocumentError as error:
        raise _ours(error) from error.__cause__


def parse(text: str, file: str, *, also: Listener | None = None) -> Node:
    """The document of a text, whose events another reader, `also`, receives as well.

    Raises YamlError, the first one.
    """
    try:
        return document(text, file, FORM, also=also)
    except DocumentError as error:
        raise _ours(error) from None


def parse_gathering(text: str, file: str, errors: Errors) -> Document:
    """The document of a text, with its errors gathered."""
    return read_document(text, file, FORM, lambda error: errors.take_of_text(_ours(error), error.first))


def _ours(error: DocumentError) -> YamlError:
    if error.first is not None:
        return duplicate_key(error.key, error.first, error.location)
    kind = _ERRORS[error.kind]
    return kind(error.actual, error.expected, error.remedy, key=error.key, location=error.location)

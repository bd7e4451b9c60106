"""Blocks, systems and signals of a Simulink model, with lines, tags and ports followed to their sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from .document import NODES, BadSimulinkFile, Document, Node, read_document
from .workspace import Scope, Workspace, arguments_of, commands_of, mask_of, model_variables

CONTROLS = ("enable", "trigger", "state", "left", "right", "ifaction", "reset")
"""Ports after inputs and outputs in the field `Ports`, in its order."""
LIBRARIES = re.compile(r"(simulink|sharedutil|dsp|aero|sl|sdo|pid|matrix|fixpt)\w*/")
"""Libraries of the products: blocks of other ones are not known by their names."""
LEVELS = 50  # of subsystems, libraries and referenced models within one another
LARGEST_MODEL = NODES // 5  # blocks and lines, with libraries and models that refer to each other
LARGEST_FUNCTION = 2**20  # bytes of a file of a function


@dataclass(eq=False)
class SimulinkBlock:
    """A block of the file: its type, its parameters as text, defaults included, and the system inside."""

    kind: str
    name: str
    path: str
    fields: Mapping[str, str]
    system: System
    inner: System | None = None
    masked: bool = False
    explicit: Mapping[str, str] = field(default_factory=dict)  # parameters without defaults
    port_names: Mapping[int, str] = field(default_factory=dict)  # names of the signals of outputs
    variables: Scope | None = None  # of its own mask

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of inputs, of outputs and of control ports, as the file lists them."""
        listed = self.fields.get("Ports", "").strip("[]")
        numbers = [int(n) for n in re.findall(r"\d+", listed)]
        if "Ports" not in self.explicit and (self.kind in SHAPES_OF_PORTS or self.kind.endswith("Block")):
            return SHAPES_OF_PORTS.get(self.kind, (0, 0))
        if self.kind in SHAPES_OF_PORTS and "Ports" not in self.explicit:
            return SHAPES_OF_PORTS[self.kind]
        return tuple(numbers) or (0, 0) if "Ports" in self.fields else (1, 1)

    @cached_property
    def is_subsystem(self) -> bool:
        """True if signals pass into the block: its system is translated, not the block as a whole."""
        return self.inner is not None and kind_of(self) == "SubSystem"

    @property
    def inputs(self) -> int:
        """Number of inputs."""
        return self.counts[0] if self.counts else 0

    @property
    def outputs(self) -> int:
        """Number of outputs."""
        return self.counts[1] if len(self.counts) > 1 else 0

    @property
    def controls(self) -> tuple[str, ...]:
        """Control ports: `enable`, `trigger` and others."""
        return tuple(name for name, n in zip(CONTROLS, self.counts[2:], strict=False) if n)


SHAPES_OF_PORTS = {
    **dict.fromkeys((
        "Inport", "Constant", "Clock", "DigitalClock", "Step", "Sin", "Ground", "From", "SignalGenerator",
        "DiscretePulseGenerator", "RandomNumber", "UniformRandomNumber", "FromWorkspace", "FromFile", "Ramp",
        "InportShadow", "EnablePort", "TriggerPort", "ActionPort",
    ), (0, 1)),
    **dict.fromkeys((
        "Outport", "Scope", "Display", "Terminator", "Goto", "ToWorkspace", "ToFile", "Stop", "Assertion",
    ), (1, 0)),
    **dict.fromkeys(("Sum", "Product", "Switch"), (2, 1)),
}  # fmt: skip
"""Ports of blocks whose file does not list them; others have one input and one output."""


@dataclass(frozen=True)
class Wire:
    """The source of an input: a block, its output (or `state`), and the name of the signal."""

    block: SimulinkBlock
    port: int | str
    name: str


@dataclass(eq=False)
class System:
    """A diagram of the file: blocks and the sources of their inputs, with the variables of its masks."""

    path: str
    owner: SimulinkBlock | None
    parent: System | None
    scope: Scope
    blocks: list[SimulinkBlock] = field(default_factory=list)
    sources: dict[tuple[SimulinkBlock, int | str], Wire] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    physical: set[SimulinkBlock] = field(default_factory=set)  # blocks with physical connections

    def of_kind(self, kind: str) -> list[SimulinkBlock]:
        """Blocks of a type in this system."""
        return [block for block in self.blocks if block.kind == kind]

    def walk(self) -> Iterator[SimulinkBlock]:
        """All blocks; the blocks of a subsystem follow it."""
        for block in self.blocks:
            yield block
            if block.inner is not None and block.is_subsystem:
                yield from block.inner.walk()

    @property
    def repeated(self) -> bool:
        """True for a for-each subsystem, at whose ports signals change their sizes."""
        return bool(self.of_kind("ForEach"))

    def port(self, kind: str, number: int) -> SimulinkBlock | None:
        """The Inport or Outport with a number, from 1."""
        return next((b for b in self.of_kind(kind) if port_number(b) == number), None)


@dataclass
class Model:
    """A model: its outermost system, its settings, and the workspace that its callbacks fill."""

    document: Document
    root: System
    workspace: Workspace
    functions: Mapping[str, str]
    """Texts of MATLAB Function blocks by their paths, in libraries and referenced files too."""

    def function_files(self, text: str) -> dict[str, str]:
        """Texts of the files NAME.m next to the model for the functions that a text calls, recursively."""
        folder, files, texts = Path(self.document.path).parent, dict[str, str](), [text]
        while texts:
            for name in re.findall(r"(?<![\w.])[A-Za-z]\w*(?=\s*\()", texts.pop()):
                file = folder / f"{name}.m"
                if name not in files and file.is_file() and file.stat().st_size <= LARGEST_FUNCTION:
                    content = file.read_text(encoding="utf-8", errors="replace")
                    if re.search(r"^\s*function\b", content, re.MULTILINE):
                        files[name] = content
                        texts.append(content)
        return files


def read_model(path: str, workspace: Workspace) -> Model:
    """The model of a file, with libraries and models next to it that it refers to. Raises BadSimulinkFile."""
    document = read_document(path)
    workspace.run(document.model.fields, path)
    builder = _Builder(document, workspace)
    top = document.model.first("System")
    if top is None:
        raise BadSimulinkFile(path, "it has no blocks")
    root = System("", None, None, Scope(workspace, {}, None, model=model_variables(document, workspace)))
    builder.fill(root, top, 0)
    return Model(document, root, workspace, builder.functions)


class _Builder:
    """Makes systems of nodes."""

    def __init__(self, document: Document, workspace: Workspace) -> None:
        self.document, self.workspace = document, workspace
        self.libraries: dict[str, Document | None] = {}
        self.functions = dict(document.functions)
        self.count = 0
        self.variables: dict[str, dict[str, Any]] = {}  # of referenced models, by path

    def fill(self, system: System, node: Node, level: int, document: Document | None = None) -> None:
        """Read the blocks and lines of a node into a system."""
        document = document or self.document
        if level > LEVELS:
            raise BadSimulinkFile(
                self.document.path, f"{system.path}: nested too deeply", f"at most {LEVELS} levels"
            )
        self.count += len(node.children)
        if self.count > LARGEST_MODEL:
            raise BadSimulinkFile(self.document.path, "too many blocks and lines", f"at most {LARGEST_MODEL}")
        by_name: dict[str, SimulinkBlock] = {}
        by_number: dict[str, SimulinkBlock] = {}
        for child in node.nodes("Block"):
            block = self._block(system, child, level, document)
            system.blocks.append(block)
            by_name[child.fields.get("Name", "")] = block
            by_number[child.fields.get("SID", "")] = block
        for line in node.nodes("Line"):
            self._line(system, line, by_name, by_number)
        system.notes = [
            text for n in node.nodes("Annotation") if (text := _plain_text(n.fields.get("Name", "")))
        ]

    def _block(self, system: System, node: Node, level: int, document: Document) -> SimulinkBlock:
        explicit = dict(node.fields)
        for extra in ("InstanceData", "LinkData"):
            for child in node.nodes(extra):
                explicit |= child.fields
                for part in child.walk():
                    if part.kind == "DialogParameters":
                        explicit |= part.fields
        explicit |= {
            child.fields["PropName"]: child.fields["Cells"]
            for child in node.nodes("Array")
            if {"PropName", "Cells"} <= set(child.fields)
        }
        for child in node.nodes("List"):
            if child.fields.get("ListType") == "InterfaceData" and child.fields.get("Element"):
                explicit["IsBusElementPort"] = "on"
        name = " ".join(explicit.get("Name", "").split()) or explicit.get("BlockType", "block")
        path = f"{system.path}/{name}" if system.path else name
        kind = explicit.get("BlockType", "")
        defaults = document.defaults.get(kind, {})
        names = {
            _as_count(n.fields.get("PortNumber", "1")): n.fields["Name"]
            for n in node.nodes("Port")
            if n.fields.get("Name")
        }
        for child in node.nodes("PortProperties"):
            names |= {
                _as_count(n.fields.get("Index", "1")): n.fields.get("Name", "") for n in child.nodes("Port")
            }
        counts = node.first("PortCounts")
        if "PortCounts" in node.fields:  # an empty element
            explicit.setdefault("Ports", "[0, 0]")
        if counts is not None and "Ports" not in explicit:
            numbers = (counts.fields.get(name, "0") for name in ("in", "out", *CONTROLS))
            explicit["Ports"] = f"[{', '.join(numbers)}]"
        mask = mask_of(node)
        block = SimulinkBlock(
            kind, name, path, {**defaults, **explicit}, system, None, mask is not None, explicit, names
        )
        inner, source, masked = node.first("System"), document, node
        if kind == "Reference":
            block.kind = " ".join(explicit.get("SourceBlock", "?").split())
            result = self._library_block(block.kind)
            if result:
                source, masked = result
                self._take_functions(source, path, block.kind.partition("/")[2])
                inner, mask = masked.first("System"), mask_of(masked, explicit)
                block.kind = "SubSystem" if inner is not None else block.kind
                if inner is None and masked.fields.get("BlockType") != "Reference":
                    block.kind = masked.fields.get("BlockType", "")
                    block.fields = {**source.defaults.get(block.kind, {}), **masked.fields, **explicit}
        elif kind == "ModelReference":
            name = (
                explicit.get("ModelNameDialog") or explicit.get("ModelName") or explicit.get("ModelFile", "")
            )
            linked_file = self._file(name)
            if linked_file is not None:
                source, inner = linked_file, linked_file.model.first("System")
                self._take_functions(source, path)
                block.kind = "SubSystem"
        elif inner is None and (linked_file := self._file(explicit.get("ReferencedSubsystem", ""))):
            source, inner = linked_file, linked_file.model.first("System")
            self._take_functions(source, path)
        self.workspace.run(explicit, path)
        if explicit.get("Commented") == "through":
            block.kind = "SignalConversion" if block.counts[:2] == (1, 1) else f"{kind} (commented through)"
            return block
        if inner is not None:
            scope = Scope(self.workspace, mask or {}, system.scope, commands_of(masked))
            if kind == "ModelReference":
                variables = self._prepared(source)
                scope = Scope(
                    self.workspace, arguments_of(explicit), system.scope, closed=True, model=variables
                )
            block.inner = System(path, block, system, scope)
            self.fill(block.inner, inner, level + 1, source)
        elif mask is not None:
            block.fields = {**mask, **block.fields}
            if "/" not in block.kind:
                block.variables = Scope(self.workspace, mask, system.scope, commands_of(masked))
        return block

    def _line(
        self,
        system: System,
        line: Node,
        by_name: Mapping[str, SimulinkBlock],
        by_number: Mapping[str, SimulinkBlock],
    ) -> None:
        """Read a line with its branches."""

        def ends(node: Node, side: str) -> tuple[SimulinkBlock, int | str] | None:
            text = node.fields.get(side, "")
            if text:
                number, _, end = text.partition("#")
                block, (side, _, count) = by_number.get(number), end.partition(":")
                place: int | str = int(count) if side in ("in", "out") and count else side
            else:
                block = by_name.get(node.fields.get(f"{side}Block", ""))
                port = node.fields.get(f"{side}Port", "1")
                place = int(port) if port.isdigit() else port
            return None if block is None else (block, place)

        label = line.fields.get("Name", "")
        source = ends(line, "Src")
        pieces = [n for n in line.walk() if n.kind in ("Line", "Branch")]
        if line.fields.get("LineType", "Signal") != "Signal" or (
            source and str(source[1])[:1] in "lr" and str(source[1])[1:5] == "conn"
        ):
            for piece in pieces:
                system.physical.update(end[0] for side in ("Src", "Dst") if (end := ends(piece, side)))
            return
        if source is None or source[0].fields.get("Commented") == "on":
            return
        block, port = source
        wire = Wire(block, port, label or (block.port_names.get(port, "") if isinstance(port, int) else ""))
        for piece in pieces:
            end = ends(piece, "Dst")
            if end is not None:
                system.sources[end] = wire

    def _take_functions(self, document: Document, path: str, within: str = "") -> None:
        """Texts of the MATLAB functions of another file, or of one of its blocks, which is at a path here."""
        for name, text in document.functions.items():
            bare = " ".join(name.split())
            if bare == within or not within or bare.startswith(f"{within}/"):
                self.functions[f"{path}/{bare[len(within) :].lstrip('/')}".rstrip("/")] = text

    def _prepared(self, document: Document) -> dict[str, Any]:
        """Variables of a referenced model, whose callbacks are run once."""
        if document.path not in self.variables:
            self.workspace.run(document.model.fields, document.path)
            self.variables[document.path] = model_variables(document, self.workspace)
        return self.variables[document.path]

    def _file(self, name: str) -> Document | None:
        """A library or model in the folder of the file."""
        stem = name.removesuffix(".slx").removesuffix(".mdl")
        if not re.fullmatch(r"[\w-]+", stem):
            return None
        if stem not in self.libraries:
            folder = Path(self.document.path).parent
            files = [
                folder / f"{stem}{end}" for end in (".slx", ".mdl") if (folder / f"{stem}{end}").is_file()
            ]
            self.libraries[stem] = read_document(files[0]) if files else None
        return self.libraries[stem]

    def _library_block(self, reference: str) -> tuple[Document, Node] | None:
        """The block of a library in a file next to the model; None for the libraries that are translated."""
        library, _, remainder = reference.partition("/")
        if library in ("roblocks", "simulink"):
            return None
        document = self._file(library)
        node = document.model.first("System") if document else None
        while document and node is not None and remainder:
            candidates = sorted(
                ((n, " ".join(n.fields.get("Name", "").split())) for n in node.nodes("Block")),
                key=lambda pair: -len(pair[1]),
            )
            for child, name in candidates:
                if remainder == name:
                    return document, child
                if remainder.startswith(f"{name}/"):
                    node, remainder = child.first("System"), remainder[len(name) + 1 :]
                    break
            else:
                return None
        return None


def _plain_text(text: str) -> str:
    """Text of an annotation, without its HTML."""
    body = re.sub(r"(?s)<style.*?</style>|<head.*?</head>", "", text)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


class Tracer:
    """Follows signals through subsystems, ports and tags to the blocks that produce them."""

    def __init__(self, root: System) -> None:
        self.root = root
        self.tags: dict[str, list[SimulinkBlock]] = {}
        for block in root.walk():
            if block.kind == "Goto" and not _commented(block):
                self.tags.setdefault(block.fields.get("GotoTag", "A"), []).append(block)

    def goto(self, block: SimulinkBlock) -> SimulinkBlock | None:
        """The Goto of a From, by the visibility of its tag: local, scoped or global."""
        tag = block.fields.get("GotoTag", "A")
        candidates = self.tags.get(tag, [])
        for other in candidates:
            if other.system is block.system:
                return other
        for system in around(block.system):  # from the innermost scope outwards
            for other in candidates:
                scope = around(other.system)
                listed = (b.fields.get("GotoTag", "A") for b in system.of_kind("GotoTagVisibility"))
                if other.fields.get("TagVisibility") == "scoped" and system in scope and tag in listed:
                    return other
        return next((b for b in candidates if b.fields.get("TagVisibility", "local") == "global"), None)

    def driver(self, block: SimulinkBlock, port: int | str, guard: int = 0) -> Wire | None:
        """The output that drives an input, through subsystems and tags; None if nothing is wired to it."""
        wire = block.system.sources.get((block, port))
        return None if wire is None else self.origin(wire, guard)

    def origin(self, wire: Wire, guard: int = 0) -> Wire | None:
        """The block that produces the signal of a wire."""
        if guard > 500:
            return None
        block = wire.block
        inner, system = block.inner, block.system
        if block.kind == "FunctionCallSplit":
            return self.driver(block, 1, guard + 1)
        if inner is not None and block.is_subsystem and isinstance(wire.port, int):
            if inner.repeated:
                return wire
            outport = inner.port("Outport", wire.port)
            return None if outport is None else self.driver(outport, 1, guard + 1)
        if block.kind in ("Inport", "InportShadow") and system.owner is not None and not system.repeated:
            return self.driver(system.owner, port_number(block), guard + 1)
        if block.kind == "From":
            source = self.goto(block)
            return None if source is None else self.driver(source, 1, guard + 1)
        return wire


def _commented(block: SimulinkBlock) -> bool:
    """True for a block that is commented out, or lies in a subsystem that is."""
    owners = [system.owner for system in around(block.system) if system.owner is not None]
    return any(b.fields.get("Commented", "off") == "on" for b in [block, *owners])


def kind_of(block: SimulinkBlock) -> str:
    """Type of a block: for blocks of libraries their name there."""
    if block.inner is not None and {"path", "vaxis", "tseg", "tacc"} <= set(block.inner.scope.mask):
        return (
            "roblocks/mstraj"  # the commands of its mask compute the trajectory, which the file does not hold
        )
    if block.fields.get("SFBlockType") == "MATLAB Function":
        return "MATLAB Function"
    if block.inner is not None:
        if any(
            b.kind == "S-Function" and b.fields.get("FunctionName", "").startswith("sf_sfun")
            for b in block.inner.blocks
        ):
            return "MATLAB Function"
        return "SubSystem"
    if "/" not in block.kind:
        return block.kind
    if block.kind.startswith("simulink_need_slupdate/"):
        return block.kind
    if block.kind.startswith("roblocks/"):
        return "roblocks/" + block.kind.rpartition("/")[2].strip()
    return block.kind.rpartition("/")[2].strip() if LIBRARIES.match(block.kind) else block.kind


def around(system: System | None) -> list[System]:
    result = []
    while system is not None:
        result.append(system)
        system = system.parent
    return result


def port_number(block: SimulinkBlock) -> int:
    """Number of an Inport or Outport, from 1."""
    return _as_count(block.fields.get("Port", "1"))


def _as_count(text: str) -> int:
    """A number of ports; 1 if the text is not a number."""
    return int(text) if re.fullmatch(r"\d{1,4}", text.strip()) else 1

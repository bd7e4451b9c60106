"""Read a Simulink file, .slx or .mdl, into a tree of nodes, within limits of size and depth.

An .slx file is a zip archive of XML parts; an .mdl file is text with nested braces, or the parts of an
archive one after another as text. All three become the same tree: a Node has a kind (`Block`), fields
(`Gain: "5"`) and further nodes.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from xml.etree import ElementTree

from ...base.errors import BlockdynError

LARGEST = 64 * 2**20  # bytes of one part of a file, unpacked
NODES = 1_000_000  # of a file: a block has about ten
SOLVER = "Simulink.SolverCC"
DEPTH = 200  # of nested nodes: two for each level of subsystems


class BadSimulinkFile(BlockdynError):
    """A file that is damaged, not from Simulink, or larger than the limits."""

    def __init__(self, path: str, actual: str, expected: str = "a model that Simulink has saved") -> None:
        self.path, self.actual, self.expected = path, actual, expected
        super().__init__(f"{path}: {actual}\nexpected: {expected}")


@dataclass
class Node:
    """A node of the file: its kind, its fields as text, and the nodes in it."""

    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def nodes(self, kind: str) -> Iterator[Node]:
        """The direct children of a given kind."""
        return (child for child in self.children if child.kind == kind)

    def first(self, kind: str) -> Node | None:
        """The first child of a given kind."""
        return next(self.nodes(kind), None)

    def walk(self) -> Iterator[Node]:
        """This node and all nodes in it."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True)
class Document:
    """A Simulink file: the node `Model`, defaults by type of block, and the settings of the solver."""

    path: str
    model: Node
    defaults: Mapping[str, Mapping[str, str]]
    solver: Mapping[str, str]
    charts: bool = False  # charts of Stateflow, MATLAB functions among them
    data: Mapping[str, str] = field(default_factory=dict)  # settings of input from the workspace
    functions: Mapping[str, str] = field(default_factory=dict)  # text of MATLAB Function blocks, by path
    variables: bytes = b""  # of the model workspace: a MAT file, or an array as MATLAB streams it

    def workspace_field(self, *names: str) -> str:
        """A field of the model workspace, such as its MATLAB code."""
        inner = self.model.first("ModelWorkspace")
        fields = self.model.fields | (inner.fields if inner is not None else {})
        return next((fields[name].strip() for name in names if fields.get(name, "").strip()), "")


def read_document(path: str | PathLike[str]) -> Document:
    """The nodes of a file. Raises BadSimulinkFile."""
    name = str(path)
    try:
        with open(name, "rb") as file:
            start = file.read(4)
            if start == b"PK\x03\x04":
                with zipfile.ZipFile(file) as archive:
                    return _document(name, _archive_parts(name, archive))
            data = start + file.read(LARGEST)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise BadSimulinkFile(name, f"not readable: {error}") from None
    if len(data) > LARGEST:
        raise BadSimulinkFile(name, "longer than the limit", f"at most {LARGEST >> 20} MiB")
    text = _decode(data)
    if "__MWOPC_PART_BEGIN__" in text:
        return _document(name, _text_parts(text))
    return _braces_document(name, text)


def _decode(data: bytes) -> str:
    """Text of an .mdl file, in the encoding that it names."""
    named = re.search(rb'SavedCharacterEncoding\s+"([\w-]+)"', data)
    for encoding in ("utf-8-sig", named[1].decode() if named else "latin-1", "latin-1"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


Parts = Callable[[str], "bytes | None"]


def _archive_parts(path: str, archive: zipfile.ZipFile) -> Parts:
    """A function that gives a part of an archive by its name; parts are unpacked to memory, within limits."""
    left = 4 * LARGEST

    def part(name: str) -> bytes | None:
        nonlocal left
        try:
            info = archive.getinfo(name)
        except KeyError:
            return None
        with archive.open(info) as file:
            data = file.read(min(LARGEST, left) + 1)
        left -= len(data)
        if len(data) > LARGEST or left < 0:
            raise BadSimulinkFile(path, f"{name} is too large when unpacked", f"at most {LARGEST >> 20} MiB")
        return data

    return part


def _text_parts(text: str) -> Parts:
    """A function that gives a part of an .mdl file that holds parts as text, by its name."""
    pieces = re.split(r"^__MWOPC_PART_BEGIN__ (\S+)(?: \S+)?\r?\n", text, flags=re.MULTILINE)
    parts = {name.lstrip("/"): body for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}

    def part(name: str) -> bytes | None:
        body = parts.get(name)
        return None if body is None else body.split("__MWOPC_PACKAGE_END__")[0].encode()

    return part


def _document(path: str, part: Parts) -> Document:
    data = part("simulink/blockdiagram.xml")
    if data is None:
        raise BadSimulinkFile(path, "it has no part simulink/blockdiagram.xml")
    reader = _XmlReader(path, part)
    root = reader.read("simulink/blockdiagram.xml", data)
    model = root.first("Model") or root.first("Library") or root.first("Subsystem")
    if model is None:
        raise BadSimulinkFile(path, "it holds neither a model nor a library nor a subsystem")
    nodes = list(model.children)
    for name in ("simulink/bddefaults.xml", _active_settings(part)):
        extra = part(name)
        if extra is not None:
            nodes.append(reader.read(name, extra))
    functions: dict[str, str] = {}
    result = False
    for name in ("simulink/stateflow.xml", "simulink/stateflow/machine.xml"):  # the latter from R2019a on
        charts = part(name)
        if charts is not None:
            tree = reader.read(name, charts)
            result = result or any(node.kind == "chart" for node in tree.walk())
            functions |= _matlab_functions(tree)
    solver, inputs = _settings(nodes, SOLVER), _settings(nodes, "Simulink.DataIOCC")
    variables = part("simulink/modelWorkspace.mxarray") or part("simulink/modelworkspace.mat") or b""
    return Document(path, model, _defaults(nodes), solver, result, inputs, functions, variables)


def _active_settings(part: Parts) -> str:
    """The name of the part that holds the active settings."""
    listed = part("simulink/configSetInfo.xml") or b""
    for entry in re.findall(rb"<ConfigSet [^>]*>", listed):
        name = re.search(rb'PartName="/?(simulink/configSet\d+\.xml)"', entry)
        if name and b'Active="true"' in entry:
            return name[1].decode()
    return "simulink/configSet0.xml"


def _matlab_functions(tree: Node) -> dict[str, str]:
    """Texts of MATLAB functions, by the path of the block in the model."""
    texts: dict[str, str] = {}
    names = {
        node.fields.get("id", ""): node.fields.get("name", "") for node in tree.walk() if node.kind == "chart"
    }
    for chart in (node for node in tree.walk() if node.kind == "chart"):
        for node in chart.walk():
            script = node.fields.get("script")
            if script:
                texts[names.get(chart.fields.get("id", ""), "")] = script
    return texts


class _XmlReader:
    """XML parts as nodes, with a limit on all of them together; entities and document types are refused."""

    def __init__(self, path: str, part: Parts) -> None:
        self.path, self.part, self.count = path, part, 0

    def read(self, name: str, data: bytes) -> Node:
        """The node of a part, with the systems that lie in separate parts."""
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise BadSimulinkFile(self.path, f"{name} declares entities", "XML without a document type")
        self.count += data.count(b"<")
        if self.count > 2 * NODES:
            raise BadSimulinkFile(self.path, "too many blocks", f"at most {NODES} nodes")
        try:
            return self._node(ElementTree.fromstring(data), 0)
        except (ElementTree.ParseError, LookupError, ValueError) as error:
            raise BadSimulinkFile(self.path, f"{name}: {error}") from None

    def _node(self, element: ElementTree.Element, depth: int) -> Node:
        if depth > DEPTH:
            raise BadSimulinkFile(self.path, "nested too deeply", f"at most {DEPTH} levels")
        kind = element.tag.rpartition("}")[2]
        folder = {"System": "systems", "chart": "stateflow"}.get(kind)
        if folder and element.get("Ref"):
            return self._refer(folder, element.get("Ref", ""), depth)
        node = Node(kind, dict(element.attrib))
        for child in element:
            name = child.tag.rpartition("}")[2]
            if name == "Cell":
                add_cell(node, "".join(child.itertext()))
            elif name == "P":
                node.fields[child.get("Name", child.get("name", ""))] = "".join(child.itertext())
            elif len(child) or child.attrib:
                node.children.append(self._node(child, depth + 1))
            elif name == "Option" and name in node.fields:  # choices of a mask's popup
                node.fields[name] += "|" + (child.text or "")
            else:
                node.fields.setdefault(name, child.text or "")
        return node

    def _refer(self, folder: str, reference: str, depth: int) -> Node:
        """The node of a system or a chart in a part of its own."""
        if not re.fullmatch(r"\w+", reference):
            raise BadSimulinkFile(self.path, f"a system refers to {reference!r:.40}")
        data = self.part(f"simulink/{folder}/{reference}.xml")
        if data is None:
            raise BadSimulinkFile(self.path, f"its part simulink/{folder}/{reference}.xml is missing")
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise BadSimulinkFile(
                self.path, f"{reference}.xml declares entities", "XML without a document type"
            )
        self.count += data.count(b"<")
        if self.count > 2 * NODES:
            raise BadSimulinkFile(self.path, "too many blocks", f"at most {NODES} nodes")
        return self._node(ElementTree.fromstring(data), depth + 1)


TOKEN = re.compile(
    r"\s*(?:(?P<open>[\w.$:-]+)\s*\{|(?P<close>\})|(?P<key>[\w.$:-]+)[ \t]+"
    r'(?P<value>"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s"{}]+)'
    r'|(?P<more>"(?:[^"\\]|\\.)*")|(?P<comment>\#[^\n]*)|(?P<bare>[\w.$:-]+)[ \t]*(?=\n))',
)


def _braces_document(path: str, text: str) -> Document:
    root = read_braces(path, text)
    model = root.first("Model") or root.first("Library") or root.first("Subsystem")
    if model is None:
        raise BadSimulinkFile(path, "it holds neither a model nor a library nor a subsystem")
    charts = [node for child in root.nodes("Stateflow") for node in child.nodes("chart")]
    names = {node.fields.get("id", ""): node.fields.get("name", "") for node in charts}
    texts: dict[str, str] = {}
    for state in (node for child in root.nodes("Stateflow") for node in child.nodes("state")):
        script = next((n.fields["script"] for n in state.walk() if "script" in n.fields), "")
        owner = re.findall(r"\d+", state.fields.get("chart", ""))
        if script and owner:
            texts[names.get(owner[0], "")] = script
    solver = dict(model.fields) | _settings([model], SOLVER)
    data = dict(model.fields) | _settings([model], "Simulink.DataIOCC")
    return Document(
        path, model, _defaults([model]), solver, bool(charts), data, texts, _streamed(root, model)
    )


def _streamed(root: Node, model: Node) -> bytes:
    """The data record of the model workspace: four characters from the blank on are three bytes."""
    tag = model.fields.get("WSMdlFileData", "")
    for record in (n for data in root.nodes("MatData") for n in data.nodes("DataRecord")):
        if tag and record.fields.get("Tag") == tag:
            digits = [(ord(letter) - 32) & 63 for letter in record.fields.get("Data", "")]
            groups = (digits[k : k + 4] for k in range(0, len(digits) - 3, 4))
            return b"".join((a << 18 | b << 12 | c << 6 | d).to_bytes(3, "big") for a, b, c, d in groups)
    return b""


def read_braces(path: str, text: str) -> Node:
    """The tree of a text of nested braces. Raises BadSimulinkFile with the line."""
    root = Node("")
    stack, place, last, count = [root], 0, "", 0
    end = len(text.rstrip())
    while place < end:
        token = TOKEN.match(text, place)
        if token is None:
            line = text.count("\n", 0, place + 1) + 1
            raise BadSimulinkFile(path, f"line {line}: not of the form `Name value` or `Name {{`")
        place = token.end()
        node = stack[-1]
        if token["open"]:
            count += 1
            child = Node(token["open"])
            node.children.append(child)
            stack.append(child)
            if count > NODES or len(stack) > DEPTH:
                raise BadSimulinkFile(path, "too many blocks, or nested too deeply", f"at most {NODES} nodes")
        elif token["close"]:
            if len(stack) == 1:
                line = text.count("\n", 0, place) + 1
                raise BadSimulinkFile(path, f"line {line}: a brace closes nothing")
            stack.pop()
        elif token["key"] == "Cell":
            add_cell(node, _unquote(token["value"]))
        elif token["key"]:
            last = token["key"]
            node.fields[last] = _unquote(token["value"])
        elif token["more"] and last:
            node.fields[last] = node.fields.get(last, "") + _unquote(token["more"])
    if len(stack) > 1:
        raise BadSimulinkFile(path, f"it ends within {stack[-1].kind}", "a closing brace")
    return root


def add_cell(node: Node, text: str) -> None:
    """An element of a cell array: a node holds all of them, as MATLAB writes them, in one field."""
    quoted = "'" + text.replace("'", "''") + "'"
    node.fields["Cells"] = f"{node.fields['Cells']},{quoted}" if "Cells" in node.fields else quoted


ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def _unquote(text: str) -> str:
    if not text.startswith('"'):
        return text
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.DOTALL)


def _defaults(nodes: list[Node]) -> dict[str, dict[str, str]]:
    """Default parameters of each type of block that the file lists."""
    listed: dict[str, dict[str, str]] = {}
    for node in (n for root in nodes if root.kind != "System" for n in root.walk()):
        if node.kind == "BlockParameterDefaults":
            for block in node.nodes("Block"):
                listed[block.fields.get("BlockType", "")] = dict(block.fields)
    return listed


def _settings(nodes: list[Node], name: str) -> dict[str, str]:
    """Settings of a class: of the solver, or of the workspace's data."""
    for node in (n for root in nodes if root.kind != "System" for n in root.walk()):
        kind = node.fields.get("ClassName") or node.fields.get("$ClassName") or node.kind
        if kind == name:
            return dict(node.fields)
    return {}

"""Write small Simulink files: blocks, lines, subsystems and masks as Simulink's archives hold them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

CONTROLS = {"EnablePort": "enable", "TriggerPort": "trigger", "ActionPort": "ifaction"}
PLACES = ("enable", "trigger", "state", "left", "right", "ifaction", "reset")


@dataclass
class Inside:
    """The system in a subsystem: blocks and lines, and a mask with (name, type, value) and commands."""

    blocks: Sequence[tuple[Any, ...]]
    lines: Sequence[str] = ()
    mask: Sequence[tuple[str, str, str]] | None = None
    commands: str = ""


@dataclass
class Writer:
    """Numbers the blocks of a model."""

    count: int = 0
    scripts: list[tuple[str, str]] = field(default_factory=list)

    def system(self, inside: Inside, path: str = "") -> str:
        """A system as XML."""
        numbers: dict[str, int] = {}
        texts = []
        for block in inside.blocks:
            self.count += 1
            numbers[block[1]] = self.count
            texts.append(self.block(block, inside.lines, f"{path}/{block[1]}" if path else block[1]))
        texts += [_line(line, numbers) for line in inside.lines]
        return "<System>" + "\n".join(texts) + "</System>"

    def block(self, block: tuple[Any, ...], lines: Sequence[str], path: str) -> str:
        """A block as XML: (type, name, parameters, inside); a type with a slash is a link to a library."""
        kind, name, *more = block
        fields: dict[str, str] = dict(more[0]) if more else {}
        inside: Inside | None = more[1] if len(more) > 1 else None
        head = f"<Block BlockType={quoteattr('Reference' if '/' in kind else kind)} Name={quoteattr(name)}"
        head += f' SID="{self.count}">'
        if "/" in kind:
            fields = {"SourceBlock": kind, **fields}
        fields.setdefault("Ports", _ports(name, lines, inside))
        parts = [f"<P Name={quoteattr(k)}>{escape(v)}</P>" for k, v in fields.items()]
        if inside is not None:
            if inside.mask is not None:
                rows = [_mask_parameter(*parameter) for parameter in inside.mask]
                commands = f"<Initialization>{escape(inside.commands)}</Initialization>"
                parts.append("<Mask>" + (commands if inside.commands else "") + "".join(rows) + "</Mask>")
            if inside.blocks:
                parts.append(self.system(inside, path))
        return head + "".join(parts) + "</Block>"


def _mask_parameter(name: str, kind: str, value: str) -> str:
    """A parameter of a mask; the choices of a popup follow its type: "popup:first|second", `!` is literal."""
    kind, _, choices = kind.partition(":")
    literal = ' Evaluate="off"' if kind.endswith("!") else ""
    kind = kind.rstrip("!")
    options = "".join(f"<Option>{escape(c)}</Option>" for c in choices.split("|") if choices)
    return (
        f"<MaskParameter Name={quoteattr(name)} Type={quoteattr(kind)}{literal}><Prompt>{name}</Prompt>"
        f"<Value>{escape(value)}</Value>" + (f"<TypeOptions>{options}</TypeOptions>" if options else "")
        + "</MaskParameter>"
    )  # fmt: skip


def _ends(line: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Block and port of the source of a line, and of each destination: "A.1 -> B.2, C"."""
    source, destinations = line.split("->")
    name, _, port = source.strip().partition(".")
    ends = [d.strip().partition(".") for d in destinations.split(",")]
    return name, port or "1", [(d, p or "1") for d, _, p in ends]


def _ports(name: str, lines: Sequence[str], inside: Inside | None) -> str:
    """Counts of ports, of the lines and of the blocks inside."""
    counts = [0, 0, *[0] * len(PLACES)]
    for line in lines:
        source, out, destinations = _ends(line)
        if source == name and out.isdigit():
            counts[1] = max(counts[1], int(out))
        for end, port in destinations:
            if end == name and port.isdigit():
                counts[0] = max(counts[0], int(port))
            elif end == name and port in PLACES:
                counts[2 + PLACES.index(port)] = 1
    if inside is not None and inside.blocks:
        kinds = [block[0] for block in inside.blocks]
        counts[:2] = kinds.count("Inport"), kinds.count("Outport")
        for kind, control in CONTROLS.items():
            counts[2 + PLACES.index(control)] = int(kind in kinds)
    while len(counts) > 2 and not counts[-1]:
        counts.pop()
    return str(counts)


def _line(line: str, numbers: Mapping[str, int]) -> str:
    """A line as XML, with branches for several destinations."""
    source, out, ends = _ends(line)
    start = f'<P Name="Src">{numbers[source]}#{f"out:{out}" if out.isdigit() else out}</P>'
    places = [
        f'<P Name="Dst">{numbers[name]}#{f"in:{port}" if port.isdigit() else port}</P>' for name, port in ends
    ]
    if re.match(r"[lr]conn", out):
        return f'<Line LineType="Connection">{start}{places[0]}</Line>'
    if len(places) == 1:
        return f"<Line>{start}{places[0]}</Line>"
    return f"<Line>{start}" + "".join(f"<Branch>{place}</Branch>" for place in places) + "</Line>"


def write_slx(
    file: Path,
    blocks: Sequence[tuple[Any, ...]],
    lines: Sequence[str],
    *,
    stop: str = "10",
    solver: Mapping[str, str] | None = None,
    model: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
    parts: Mapping[str, bytes] | None = None,
    root: str = "Model",
) -> Path:
    """A model as an .slx file; `model` are its callbacks, `scripts` MATLAB functions by the block's path.

    A `root` other than Model is a file of R2019a or later, with each chart in a part of its own.
    """
    system = Writer().system(Inside(blocks, lines))
    fields = "".join(f"<P Name={quoteattr(k)}>{escape(v)}</P>" for k, v in (model or {}).items())
    settings = {"StartTime": "0.0", "StopTime": stop, "SolverName": "ode45", **(solver or {})}
    rows = "".join(f"<P Name={quoteattr(k)}>{escape(v)}</P>" for k, v in settings.items())
    xml = '<?xml version="1.0" encoding="utf-8"?>\n'
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "simulink/blockdiagram.xml",
            f'{xml}<ModelInformation Version="1.0"><{root}>{fields}{system}</{root}></ModelInformation>',
        )
        archive.writestr(
            "simulink/configSet0.xml",
            f'{xml}<ConfigSet><Object ClassName="Simulink.ConfigSet"><Array PropName="Components">'
            f'<Object ClassName="Simulink.SolverCC">{rows}</Object></Array></Object></ConfigSet>',
        )
        for name, data in (parts or {}).items():
            archive.writestr(f"simulink/{name}", data)
        charts = [
            f'<chart id="{k}"><P Name="name">{escape(name)}</P><Children><state SSID="1"><eml>'
            f'<P Name="isEML">1</P><P Name="script">{escape(text)}</P></eml></state></Children></chart>'
            for k, (name, text) in enumerate((scripts or {}).items(), 2)
        ]
        place = "stateflow.xml"
        if root != "Model":
            for k, chart in enumerate(charts):
                archive.writestr(f"simulink/stateflow/chart_{k}.xml", xml + chart)
            charts = [f'<chart Ref="chart_{k}"/>' for k in range(len(charts))]
            place = "stateflow/machine.xml"
        if charts:
            machine = (
                f'<Stateflow><machine id="1"><Children>{"".join(charts)}</Children></machine></Stateflow>'
            )
            archive.writestr(f"simulink/{place}", xml + machine)
    return file

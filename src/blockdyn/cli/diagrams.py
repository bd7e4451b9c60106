"""Diagrams of the command line: loaded, changed by --param and --set, and compiled."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..diagrams.runs.waiting import waiting
from .console import note
from .interrupts import unheard

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.model.diagram import Diagram


def _bad_assignment(option: str, text: str) -> BlockdynError:
    """Return the error for an option that should read NAME=VALUE."""
    expected = "NAME=VALUE, such as --param kp=3"
    if option == "--touch":
        expected = "INSTANT:PATH=VALUE, such as --touch 2.5:kp=3"
    if option == "--input":
        expected = "NAME=VALUE, such as --input u=1.5 or --input 'u={times: [0, 1], values: [0, 2]}'"
    if option in ("--state", "--output", "--slope", "--near", "--trim"):
        expected = f"NAME=VALUE, such as {option} arm.q[0]=1.5 or {option} 'arm.q=[0.5, 1.0]'"
    if option == "--advance":
        expected = "NAME=VALUE, such as --advance wheel.x=6.283185307179586"
    if option == "--bound":
        expected = "NAME=[LOWER, UPPER], such as --bound 'u=[0, 12]'"
    if option == "--set":
        expected = (
            "PATH.PARAMETER=VALUE, such as --set plant/motor.gain=2, --set arm.robot.payload.mass=1.5 or"
            " --set x.initial[0]=1"
        )
    return BlockdynError(f"{option} {text}\nexpected: {expected}")


def changes(diagram: Diagram, arguments: Namespace) -> dict[str, dict[str, Any]]:
    """The options as arguments of `compile_with_values`. Raises BlockdynError."""
    from ..diagrams.yaml.values import parameter_value

    return {
        name: {
            path: parameter_value(value, path) for path, value in assignments(f"--{option}", texts, diagram)
        }
        for name, option, texts in (("parameters", "param", arguments.param), ("set", "set", arguments.set))
    }


def inputs(texts: list[str] | None) -> dict[str, Any] | None:
    """Values of --input, by name. Raises BlockdynError."""
    return named_values("--input", texts or []) or None


def named_values(option: str, texts: list[str]) -> dict[str, Any]:
    """Values of an option that reads NAME=VALUE, by name. Raises BlockdynError."""
    from ..diagrams.yaml.source import parse

    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise _bad_assignment(option, text)
        values[name] = parse(value, f"{option} {name}").plain()
    return values


def touches(texts: list[str] | None, file: str | None) -> list[tuple[float, Mapping[str, Any]]] | None:
    """Touches in the run of a result, --touches, then the touches of --touch: times, s, with paths and
    values. Raises BlockdynError.
    """
    from ..diagrams.yaml.source import parse

    read: list[tuple[float, Mapping[str, Any]]] = []
    if file is not None:
        from ..diagrams.results.files import load_result

        read += [(touch["at"], touch["set"]) for touch in load_result(file).touched]
    for text in texts or ():
        at, colon, assignment = (part.strip() for part in text.partition(":"))
        name, equals, value = (part.strip() for part in assignment.partition("="))
        try:
            time = float(at)
        except ValueError:
            raise _bad_assignment("--touch", text) from None
        if not colon or not equals or not name or not value:
            raise _bad_assignment("--touch", text)
        read.append((time, {name: parse(value, f"--touch {text}").plain()}))
    return read or None


def assignments(option: str, texts: list[str], diagram: Diagram) -> list[tuple[str, Any]]:
    """Names and values, which are read as YAML: a number, a list, text, `=` and an expression."""
    from ..diagrams.yaml.source import parse

    pairs = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        declared = "." in name or name.partition("[")[0] in {*diagram.parameters, *_inputs(diagram)}
        if not equals or not name or not value or (option == "--set" and not declared):
            raise _bad_assignment(option, text)
        pairs.append((name, parse(value, f"{option} {name}")))
    return pairs


def _inputs(diagram: Diagram) -> set[str]:
    """The names of the inputs of a diagram."""
    return {name for name, block in diagram.blocks.items() if block.kind() == "Inport"}


def compiling() -> AbstractContextManager[None]:
    """Report a long compilation inside, and the time it took."""
    return waiting(_say, unheard)


def _say(text: str) -> None:
    note(text, end="")


def compile_named(arguments: Namespace) -> Program:
    """The program of the diagram that the arguments name, with their parameters, changes and log.

    Raises BlockdynError for whatever is wrong with it.
    """
    from ..diagrams.values.programs import compile_with_values

    diagram = load_named(arguments)
    return compile_with_values(
        diagram,
        **changes(diagram, arguments),
        log=read_log(arguments),
        loops=getattr(arguments, "loops", None),
        inputs=getattr(arguments, "inputs", None),
    )


def read_log(arguments: Namespace) -> list[str] | None:
    """The signals that `--log` names."""
    paths: list[str] | None = getattr(arguments, "log", None)
    return [path.strip() for text in paths for path in text.split(",")] if paths else None


def load_named(arguments: Namespace) -> Diagram:
    """The diagram that the arguments name. Raises BlockdynError."""
    from ..diagrams.yaml import FOREIGN, load

    path = Path(arguments.diagram)
    if path.suffix.lower() in FOREIGN:
        return load_foreign(path, arguments)
    refuse_options(arguments, path, ("value", "values", "replace"), "--param NAME=VALUE, for a YAML diagram")
    return load(path, trust=trust_of(arguments))


def trust_of(arguments: Namespace) -> Any:
    """The consent of `--trust` as an argument of `load`."""
    return {None: False, "files": "files", "code": True}[arguments.trust]


def load_foreign(path: Path, arguments: Namespace) -> Diagram:
    """The diagram of another simulator's file, with the values and replacements of the options."""
    from ..diagrams.yaml.finding import find

    path, pairs = find(path), {}
    for text in arguments.value:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise BlockdynError(f"--value {text}\nexpected: NAME=VALUE, such as Ks=5")
        pairs[name] = value
    if path.suffix.lower() == ".bd":
        refuse_options(arguments, path, ("values", "replace"), "--value NAME=VALUE, for a .bd file")
        from ..interop.bdsim.files import UnreadableValue, value_of
        from ..interop.bdsim.session import load_diagram

        try:
            values = {name: value_of(value, {}) for name, value in pairs.items()}
        except UnreadableValue as error:
            raise BlockdynError(f"--value: {error}\nexpected: NAME=VALUE, such as Ks=5") from None
        return load_diagram(path, values=values, stop=getattr(arguments, "stop", None) or 5.0)
    from ..interop.simulink import load_simulink

    replace = {}
    for text in arguments.replace:
        block, equals, function = (part.strip() for part in text.rpartition("="))
        if not equals or ".py:" not in function:
            raise BlockdynError(f"--replace {text}\nexpected: PATH=FILE.py:FUNCTION")
        replace[block] = function
    return load_simulink(path, values=[*map(Path, arguments.values), pairs], replace=replace)


def refuse_options(arguments: Namespace, path: Path, names: tuple[str, ...], expected: str) -> None:
    """Raise BlockdynError for options that a file of this kind does not take."""
    for name in names:
        if getattr(arguments, name, None):
            raise BlockdynError(
                f"--{name} {getattr(arguments, name)[0]}: {path} does not take it\nexpected: {expected}"
            )


def convert(arguments: Namespace) -> int:
    """Read a file of Simulink or of bdsim's editor, and write YAML."""
    from ..base.words import inflect
    from ..diagrams.yaml import FOREIGN, dump, dumps
    from .console import show

    path = Path(arguments.file)
    if path.suffix.lower() not in FOREIGN:
        known = f"a model of Simulink or of bdsim's editor: {', '.join(FOREIGN)}"
        block = f"\nan FMU is a block of a diagram: {{type: FMU, file: {path.name}}}"
        raise BlockdynError(f"{path}\nexpected: {known}{block if path.suffix.lower() == '.fmu' else ''}")
    diagram = load_foreign(path, arguments)
    if arguments.out:
        dump(diagram, arguments.out)
        note(f"{arguments.out}: {inflect(len(diagram.blocks), 'block')}")
    else:
        show(dumps(diagram).rstrip("\n"))
    return 0

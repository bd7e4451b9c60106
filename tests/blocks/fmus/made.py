"""FMUs that tests make: their description, their library from C, and other files."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

SOURCE = Path(__file__).with_name("model.c")
COMPILER = next((each for each in ("gcc", "clang") if shutil.which(each)), "")
HERE = sys.platform == "linux" and platform.machine() == "x86_64"
NEEDS_A_COMPILER = pytest.mark.skipif(not (COMPILER and HERE), reason="needs gcc or clang on Linux, x86-64")
PLACES = {2: "binaries/linux64/model.so", 3: "binaries/x86_64-linux/model.so"}
# name, type in 2.0, causality, variability, start, more attributes, unit
VARIABLES = (
    ("time", "Real", "independent", "continuous", "", "", "s"),
    ("x", "Real", "output", "continuous", "0", "", "m"),
    ("der(x)", "Real", "local", "continuous", "", "derivative", "m/s"),
    ("k", "Real", "parameter", "fixed", "1", "", ""),
    ("u", "Real", "input", "continuous", "1", "", "m/s"),
    ("n", "Integer", "input", "discrete", "0", "", ""),
    ("ticks", "Integer", "output", "discrete", "0", "", ""),
    ("period", "Real", "parameter", "fixed", "0.25", "", "s"),
    ("last", "Integer", "parameter", "fixed", "1000", "", ""),
    ("wishes", "Integer", "output", "discrete", "0", "", ""),
    ("wish", "Integer", "parameter", "fixed", "0", "", ""),
    ("bad", "Real", "parameter", "fixed", "1e9", "", "m"),
    ("q[0]", "Real", "input", "continuous", "0", "", "V"),
    ("q[1]", "Real", "input", "continuous", "0", "", "V"),
    ("p[0]", "Real", "output", "continuous", "", "", "V"),
    ("p[1]", "Real", "output", "continuous", "", "", "V"),
    ("level", "Real", "parameter", "tunable", "1", "", "m"),
    ("b", "Boolean", "input", "discrete", "false", "", ""),
    ("not_b", "Boolean", "output", "discrete", "", "", ""),
    ("h", "Real", "output", "continuous", "1", "", "m"),
    ("v", "Real", "output", "continuous", "0", "", "m/s"),
    ("der(v)", "Real", "local", "continuous", "", "derivative", "m/s2"),
    ("e", "Real", "parameter", "fixed", "0.7", "", ""),
)
STATES = {"der(x)": "x", "v": "h", "der(v)": "v"}
FEEDTHROUGH = {"p[0]": ("q[0]", "n"), "p[1]": ("q[1]", "n"), "not_b": ("b",)}


def description(version: int, **attributes: str) -> str:
    """The modelDescription.xml of model.c; `attributes` are those of its kinds."""
    return (_second if version == 2 else _third)(attributes)


def _written(attributes: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in attributes.items())


def _second(attributes: Mapping[str, str]) -> str:
    names = [row[0] for row in VARIABLES]
    listed = []
    for k, (name, kind, causality, variability, start, _, unit) in enumerate(VARIABLES):
        of = f' derivative="{1 + names.index(STATES[name])}"' if name in STATES else ""
        unit = f' unit="{unit}"' if unit else ""
        start = f' start="{start}"' if start else ""
        listed.append(
            f'<ScalarVariable name="{name}" valueReference="{k}" causality="{causality}"'
            f' variability="{variability}"><{kind}{start}{unit}{of}/></ScalarVariable>'
        )
    outputs = []
    for name, _, causality, *_ in VARIABLES:
        if causality == "output":
            needed = " ".join(str(1 + names.index(other)) for other in FEEDTHROUGH.get(name, ()))
            outputs.append(f'<Unknown index="{1 + names.index(name)}" dependencies="{needed}"/>')
    slopes = [f'<Unknown index="{1 + names.index(name)}"/>' for name in STATES]
    kinds = _written({"modelIdentifier": "model", **attributes})
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="model" guid="{{test}}" numberOfEventIndicators="2">
<ModelExchange {kinds}/><CoSimulation {kinds} canHandleVariableCommunicationStepSize="true"/>
<DefaultExperiment stepSize="0.125"/>
<ModelVariables>{"".join(listed)}</ModelVariables>
<ModelStructure><Outputs>{"".join(outputs)}</Outputs><Derivatives>{"".join(slopes)}</Derivatives></ModelStructure>
</fmiModelDescription>"""


def _third(attributes: Mapping[str, str]) -> str:
    names = [row[0] for row in VARIABLES]
    types = {"Real": "Float64", "Integer": "Int32", "Boolean": "Boolean"}
    listed = []
    for k, (name, kind, causality, variability, start, _, unit) in enumerate(VARIABLES):
        if name in ("q[1]", "p[1]"):
            continue
        array = name in ("q[0]", "p[0]")
        of = f' derivative="{names.index(STATES[name])}"' if name in STATES else ""
        kind = "UInt8" if name == "wish" else types[kind]
        unit = f' unit="{unit}"' if unit else ""
        start = f' start="{f"{start} {start}" if array else start}"' if start else ""
        inside = '<Dimension start="2"/>' if array else ""
        listed.append(
            f'<{kind} name="{name[:-3] if array else name}" valueReference="{k}" causality="{causality}"'
            f' variability="{variability}"{start}{unit}{of}>{inside}</{kind}>'
        )
    structure = []
    for name, _, causality, *_ in VARIABLES:
        if causality == "output" and name != "p[1]":
            needed = " ".join(str(names.index(other)) for other in FEEDTHROUGH.get(name, ()))
            structure.append(f'<Output valueReference="{names.index(name)}" dependencies="{needed}"/>')
    structure += [f'<ContinuousStateDerivative valueReference="{names.index(name)}"/>' for name in STATES]
    structure += [f'<EventIndicator valueReference="{names.index(name)}"/>' for name in ("x", "h")]
    kinds = _written({"modelIdentifier": "model", **attributes})
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="model" instantiationToken="{{test}}">
<ModelExchange {kinds} needsCompletedIntegratorStep="true"/>
<CoSimulation {kinds} canHandleVariableCommunicationStepSize="true" hasEventMode="true"/>
<DefaultExperiment stepSize="0.125"/>
<ModelVariables>{"".join(listed)}</ModelVariables><ModelStructure>{"".join(structure)}</ModelStructure>
</fmiModelDescription>"""


@cache
def library(version: int) -> bytes:
    """The compiled library of model.c."""
    folder = Path(mkdtemp())
    place = folder / "model.so"
    command = [
        COMPILER,
        "-std=c99",
        "-O2",
        "-fPIC",
        "-shared",
        f"-DFMI={version}",
        "-o",
        place,
        SOURCE,
        "-lm",
    ]
    subprocess.run(command, check=True, capture_output=True)
    data = place.read_bytes()
    shutil.rmtree(folder)
    return data


def fmu(folder: Path, version: int, **attributes: str) -> Path:
    """The FMU of model.c."""
    files: dict[str, bytes | str] = {
        "modelDescription.xml": description(version, **attributes), PLACES[version]: library(version),
        "resources/note.txt": "one",
    }  # fmt: skip
    return archive(folder / f"model{version}.fmu", files)


def archive(file: Path, files: Mapping[str, bytes | str]) -> Path:
    """A zip archive of these files."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return file

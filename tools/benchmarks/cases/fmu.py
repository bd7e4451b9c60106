"""Van der Pol oscillator, mu = 1, T = 30000: an FMU for Model Exchange against blocks of the same equations.

The FMU is the least that FMI 2.0 allows, compiled from C. One that blockdyn exports is measured next to it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from ..contract import Candidate, NotInstalled
from ..peers import ATOL, RTOL

TITLE = "FMU against blocks: van der Pol, mu=1, T=30000, rtol 1e-6, atol 1e-9"
STOP = 30_000.0
# the blocks themselves, which take the same steps: errors of the period add up over 4500 periods
REFERENCE = (0.5167475142500678, -1.6278717679091028)
REQUIRED = {"blocks": 0.667}
SLOW: frozenset[str] = frozenset()
FOLDER = tempfile.TemporaryDirectory()
SOURCE = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct { double x, v; } model;
typedef struct { int needed, end, nominals, values, defined; double next; } information;
model *fmi2Instantiate(void) { model *m = calloc(1, sizeof *m); m->x = 2.0; return m; }
void fmi2FreeInstance(model *m) { free(m); }
int fmi2SetupExperiment(model *m) { (void)m; return 0; }
int fmi2EnterInitializationMode(model *m) { (void)m; return 0; }
int fmi2ExitInitializationMode(model *m) { (void)m; return 0; }
int fmi2EnterEventMode(model *m) { (void)m; return 0; }
int fmi2EnterContinuousTimeMode(model *m) { (void)m; return 0; }
int fmi2Terminate(model *m) { (void)m; return 0; }
int fmi2NewDiscreteStates(model *m, information *i)
{
    (void)m;
    i->needed = i->end = i->nominals = i->values = i->defined = 0;
    return 0;
}
int fmi2SetTime(model *m, double t) { (void)m; (void)t; return 0; }
int fmi2SetContinuousStates(model *m, const double *x, size_t n) { m->x = x[0]; m->v = x[1]; return n != 2; }
int fmi2GetContinuousStates(model *m, double *x, size_t n) { x[0] = m->x; x[1] = m->v; return n != 2; }
int fmi2GetDerivatives(model *m, double *d, size_t n)
{
    d[0] = m->v; d[1] = (1.0 - m->x * m->x) * m->v - m->x;
    return n != 2;
}
int fmi2GetReal(model *m, const uint32_t *r, size_t n, double *y)
{
    for (size_t k = 0; k < n; k++) y[k] = r[k] ? m->v : m->x;
    return 0;
}
int fmi2SetReal(model *m) { (void)m; return 3; }
"""
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="oscillator" guid="{oscillator}" numberOfEventIndicators="0">
<ModelExchange modelIdentifier="oscillator" completedIntegratorStepNotNeeded="true"/><ModelVariables>
<ScalarVariable name="position" valueReference="0" causality="output" initial="exact">
<Real start="2"/></ScalarVariable>
<ScalarVariable name="speed" valueReference="1" causality="output" initial="exact">
<Real start="0"/></ScalarVariable>
<ScalarVariable name="der(position)" valueReference="2"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="der(speed)" valueReference="3"><Real derivative="2"/></ScalarVariable></ModelVariables>
<ModelStructure><Outputs><Unknown index="1" dependencies=""/><Unknown index="2" dependencies=""/></Outputs>
<Derivatives><Unknown index="3"/><Unknown index="4"/></Derivatives></ModelStructure></fmiModelDescription>
"""


def oscillator() -> Any:
    import blockdyn as bd

    d = bd.Diagram("oscillator")
    x = d.add("x", bd.Integrator(initial=2.0))
    y = d.add("y", bd.Integrator(initial=0.0))
    y >> x
    ((1 - x * x) * y - x) >> y
    d.connect(x, d.add("position", bd.Outport()))
    d.connect(y, d.add("speed", bd.Outport()))
    return d


def candidate(diagram: Any, names: tuple[str, str], stop: float) -> Candidate:
    program = diagram.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(stop=stop, method="dopri5", rtol=RTOL, atol=ATOL, log=list(names))

    return Candidate(run, lambda: [float(last[0].final(name)) for name in names])


def imported(file: Path, stop: float) -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("imported")
    d.add("fmu", bd.FMU(file, fmi_type="me"))
    return candidate(d, ("fmu.position", "fmu.speed"), stop)


def ours(stop: float = STOP) -> Candidate:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None or (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise NotInstalled("gcc or clang on Linux, x86-64")
    folder = Path(FOLDER.name)
    (folder / "oscillator.c").write_text(SOURCE, encoding="utf-8")
    library = folder / "oscillator.so"
    subprocess.run(
        [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(folder / "oscillator.c")], check=True
    )
    with zipfile.ZipFile(folder / "c.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", DESCRIPTION)
        archive.write(library, "binaries/linux64/oscillator.so")
    return imported(folder / "c.fmu", stop)


def exported(stop: float = STOP) -> Candidate:
    return imported(Path(oscillator().export_fmu(Path(FOLDER.name) / "oscillator.fmu", stop=stop).file), stop)


def blocks(stop: float = STOP) -> Candidate:
    return candidate(oscillator(), ("x", "y"), stop)


ENGINES = {"ours": ours, "blocks": blocks, "exported": exported}

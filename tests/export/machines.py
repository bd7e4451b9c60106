"""Short runs of the gallery as one program for any machine, and the digests of their rows.

    python -m tests.export.machines            # writes digests.txt anew, by the engine on this machine
    python -m tests.export.machines --compare  # runs the whole gallery on every machine that is installed

The programs share one loop, so that it is compiled once for each machine. A harness of 40 lines, in C or
JavaScript, copies the image of each run, adds its address, advances it, and writes its rows.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

import blockdyn as bd
from blockdyn.diagrams.compiler.emit.functions import NAMES
from blockdyn.diagrams.results.result import Result
from blockdyn.diagrams.runs.logged import FIRST
from blockdyn.export.module import LEVEL, WORDS, family_of, tangent_of, tangent_text
from blockdyn.export.run import STACK, WASM, Export
from blockdyn.export.wasm import data_end, link
from blockdyn.native.elementary import definitions
from blockdyn.native.engine import join_module
from blockdyn.native.target import Target, optimise
from blockdyn.solvers import layout
from blockdyn.solvers.loop.compiled import loop_kernel
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.variation.fields import DERIVATIVE

HERE = Path(__file__).parent
GALLERY = HERE.parents[1] / "diagrams/gallery"
TABLE = HERE / "digests.txt"
PART = 0.05  # of its usual span each diagram runs
RUN = """
define i64 @run{k}(i64 %what, i64 %memory, i64 %work) {{
  %result = alloca i64
  %exception = alloca ptr
  %program = alloca [{count} x i64]
{stores}  %table = ptrtoint ptr %program to i64
  br label %advance
advance:
  %status = call i32 @{loop}(ptr %result, ptr %exception, i64 %what, i64 %table, i64 %memory, i64 %work)
  %value = load i64, ptr %result
  %whole = icmp eq i32 %status, 0
  %told = select i1 %whole, i64 %value, i64 -1
  %switched = icmp eq i64 %told, {switched}
  br i1 %switched, label %advance, label %end
end:
  ret i64 %told
}}
"""
HARNESS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef long long word;
%(declared)s
static word (*const runs[])(word, word, word) = {%(listed)s};
int main(int count, char **arguments) {
    FILE *in = fopen(arguments[1], "rb"), *out = fopen(arguments[2], "wb");
    for (size_t k = 0; count == 3 && k < sizeof runs / sizeof *runs; k++) {
        word head[8];
        if (fread(head, 8, 8, in) != 8) return 1;
        word *words = malloc((size_t)head[2]), *at = malloc(8 * (size_t)head[1]);
        if (fread(words, 8, (size_t)head[0], in) != (size_t)head[0]) return 1;
        if (fread(at, 8, (size_t)head[1], in) != (size_t)head[1]) return 1;
        word base = (word)(size_t)words;
        for (word i = 0; i < head[1]; i++) words[at[i]] += base;
        word status = runs[k](0, base, base + head[3]);
        if (status == 0) status = 1;
        while (status == 1 || status == 2) {
            words[head[4]] = 1000;
            status = runs[k](1, base, base + head[3]);
            word chunk[3] = {(word)k, status, words[head[5]]};
            fwrite(chunk, 8, 3, out);
            fwrite((char *)words + head[6], 8, (size_t)(words[head[5]] * head[7]), out);
            words[head[5]] = words[%(events)s[k]] = 0;
        }
        free(words);
        free(at);
    }
    return fclose(out);
}
"""
NODE = """
const { readFileSync, writeFileSync } = require("fs");
const [input, code, output, guard, events] = process.argv.slice(2), file = readFileSync(input);
const all = new BigInt64Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
const base = Number(guard), memory = new WebAssembly.Memory({ initial: 4096 }), places = JSON.parse(events);
const bytes = () => new Uint8Array(memory.buffer);
const copied = (to, from, count) => (bytes().copyWithin(to, from, from + count), to);
const { asinh, acosh, atanh, cbrt } = Math;
const env = { asinh, acosh, atanh, cbrt, memcpy: copied, memmove: copied,
  memset: (to, value, count) => (bytes().fill(value, to, to + count), to), __linear_memory: memory,
  __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, base),
  __indirect_function_table: new WebAssembly.Table({ initial: 4096, element: "anyfunc" }) };
WebAssembly.instantiate(readFileSync(code), { env }).then(({ instance: { exports } }) => {
  let i = 0;
  const parts = [];
  places.forEach((place, k) => {
    const head = [...all.subarray(i, i += 8)].map(Number);
    const [count, addresses, size, work, budget, rows, log, columns] = head;
    const words = new BigInt64Array(memory.buffer, base, size / 8).fill(0n);
    words.set(all.subarray(i, i += count));
    for (const at of all.subarray(i, i += addresses)) words[Number(at)] += BigInt(base);
    const run = (what) => Number(exports["run" + k](BigInt(what), BigInt(base), BigInt(base + work)));
    let status = run(0) || 1;
    while (status === 1 || status === 2) {
      words[budget] = 1000n;
      status = run(1);
      parts.push(Buffer.from(new BigInt64Array([BigInt(k), BigInt(status), words[rows]]).buffer));
      const end = base + log + 8 * Number(words[rows]) * columns;
      parts.push(Buffer.from(memory.buffer.slice(base + log, end)));
      words[rows] = words[place] = 0n;
    }
  });
  writeFileSync(output, Buffer.concat(parts));
});
"""


@dataclass(frozen=True)
class Machine:
    """A processor and system: its target, the compiler that links for it, the command that runs it."""

    name: str
    target: Target
    compiler: tuple[str, ...]
    command: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and that are not installed."""
        return [tool for tool in (*self.compiler[:1], *self.command[:1]) if shutil.which(tool) is None]


MACHINES = (
    Machine("node", WASM, (), ("node",)),
    Machine(
        "aarch64", Target("aarch64-unknown-linux-gnu"),
        ("aarch64-linux-gnu-gcc", "-static"), ("qemu-aarch64",),
    ),
    Machine(
        "riscv64", Target("riscv64-unknown-linux-gnu", features="+m,+a,+f,+d,+c"),
        ("riscv64-linux-gnu-gcc", "-static"), ("qemu-riscv64",),
    ),
)  # fmt: skip


def exports(names: Sequence[str]) -> dict[str, Export]:
    """The short runs of diagrams that can be exported."""
    ready = {}
    for name in names:
        diagram = bd.load(GALLERY / f"{name}.yaml")
        stop = PART * float(diagram.simulation.get("stop", 10.0))
        export = Export(diagram, {}, {}, {"stop": stop})
        if not export.obstacles():
            ready[name] = export
    return ready


def gallery() -> list[str]:
    """The names of the gallery's diagrams."""
    return sorted(file.stem for file in GALLERY.glob("*.yaml"))


def digest(signals: Iterator[tuple[str, Any, Any]]) -> str:
    """SHA-256 of times and values of signals, as `Result.digest` defines it, at the rows where they change.

    A result has fewer rows of signals that are held.
    """
    total = sha256()
    for path, time, values in sorted(signals, key=lambda signal: signal[0]):
        table = np.reshape(values, (len(time), -1)).view(np.int64)
        changed = np.concatenate([[True], np.any(table[1:] != table[:-1], axis=1)])
        time, values = time[changed], values[changed]
        total.update(path.encode() + b"\0" + len(time).to_bytes(8, "little"))
        for array in (time, values):
            total.update(np.where(np.isnan(array), np.nan, array).astype("<f8").tobytes())
    return total.hexdigest()


def digest_of_engine(export: Export) -> str:
    """The digest of a run in this process."""
    result: Result = export.diagram.simulate(**export.arguments)
    return digest((path, trace.time, trace.values) for path, trace in result.signals.items())


def digest_of_rows(export: Export, rows: Any) -> str:
    """The digest of the rows that a machine wrote."""
    settings, columns = export.prepared.settings, export.prepared.columns
    first = FIRST + (export.prepared.program.plan.states if settings.log_states else 0)

    def signals() -> Iterator[tuple[str, Any, Any]]:
        for column in columns.signals:
            width = int(np.prod(column.heading.shape))
            values = rows[:, first + column.start : first + column.start + width]
            yield column.name, rows[:, 0], values

    return digest(signals())


def module_of(ready: Sequence[Export]) -> str:
    """The text of one optimised LLVM module with the loop, and run0, run1, ... for the diagrams."""
    loop = loop_kernel(family_of(METHODS["auto"]))
    machine = WORDS.machine(LEVEL)
    text = [f"declare i32 @{loop.symbol}(ptr, ptr, i64, i64, i64, i64)"]
    parts = []
    for k, export in enumerate(ready):
        program, moving = export.prepared.program.text, tangent_text(export.run)
        functions = dict(enumerate(NAMES))
        kernels = [*program.kernels.values()]
        text += [f"declare i64 @p{k}.{name}(double, ptr, ptr, ptr)" for name in NAMES]
        if moving is not None:
            kernels.append(tangent_of(moving))
            functions[DERIVATIVE - 1] = kernels[-1].symbol
            text.append(f"declare i64 @p{k}.{kernels[-1].symbol}(double{', ptr' * 7})")
        parts.append(join_module(program.text, kernels, functions.values(), WORDS, machine))
        for function in parts[-1].functions:
            if function.name in functions.values():
                function.name = f"p{k}.{function.name}"
        stores = "".join(
            f"  %at{i} = getelementptr i64, ptr %program, i64 {i}\n"
            f"  store i64 {_address(k, functions.get(i))}, ptr %at{i}\n"
            for i in range(DERIVATIVE)
        )
        text.append(
            RUN.format(k=k, count=DERIVATIVE, stores=stores, loop=loop.symbol, switched=layout.SWITCHED)
        )
    names = [f"run{k}" for k in range(len(ready))]
    module = join_module("\n".join(text), [loop], names, WORDS, machine)
    for part in parts:
        module.link_in(part)
    definitions.link(module)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name not in names:
            item.linkage = "internal"
    optimise(module, machine, LEVEL - 1, loops=False)
    return str(module)


def _address(k: int, function: str | None) -> str:
    return f"ptrtoint (ptr @p{k}.{function} to i64)" if function else "0"


def images(ready: Sequence[Export], file: Path) -> list[int]:
    """Write the images of runs into a file. Returns the words that count their events."""
    places = []
    with file.open("wb") as out:
        for export in ready:
            image, run = export.image, export.run
            out.write(
                struct.pack(
                    "<8q", image.words.size, image.addresses.size, image.bytes, image.work,
                    image.word(run, "budget"), image.word(run, "rows"), image.log.at, image.log.columns,
                )
            )  # fmt: skip
            out.write(image.words.astype("<i8").tobytes() + image.addresses.astype("<i8").tobytes())
            places.append(image.word(run, "event_rows"))
    return places


def rows_of(machine: Machine, text: str, ready: Sequence[Export], folder: Path) -> list[Any]:
    """The rows of all runs on a machine. Raises CalledProcessError."""
    events = images(ready, folder / "images")
    generator = machine.target.machine(1)  # quick, and as exact
    module = llvm.parse_assembly(text)  # anew: machine code leaves attributes of its target
    module.triple, module.data_layout = machine.target.triple, str(generator.target_data)
    code, out = bytes(generator.emit_object(module)), folder / f"{machine.name}.rows"
    names = [f"run{k}" for k in range(len(ready))]
    if machine.target is WASM:
        code = link(code, names)
        (folder / "module.wasm").write_bytes(code)
        (folder / "harness.cjs").write_text(NODE)
        base = -(-data_end(code) // 64) * 64 + STACK
        inputs = [folder / "harness.cjs", folder / "images", folder / "module.wasm", out, base, events]
    else:
        (folder / f"{machine.name}.o").write_bytes(code)
        declared = "\n".join(f"word {name}(word, word, word);" for name in names)
        places = f"((const word[]){{{', '.join(map(str, events))}}})"
        harness = HARNESS % {"declared": declared, "listed": ", ".join(names), "events": places}
        (folder / "harness.c").write_text(harness)
        program = folder / f"{machine.name}.exe"
        sources = [folder / "harness.c", folder / f"{machine.name}.o"]
        subprocess.run([*machine.compiler, "-O1", *sources, "-lm", "-o", program], check=True)
        inputs = [program, folder / "images", out]
    subprocess.run(
        [*machine.command, *map(str, inputs)], check=True, cwd=folder, capture_output=True, timeout=100
    )
    return read_rows(ready, out.read_bytes())


def read_rows(ready: Sequence[Export], data: bytes) -> list[Any]:
    """The rows of each run, from the chunks of a harness."""
    parts: list[list[Any]] = [[] for _ in ready]
    at = 0
    while at < len(data):
        k, _, count = struct.unpack_from("<3q", data, at)
        columns = ready[k].image.log.columns
        numbers = np.frombuffer(data, "<f8", count * columns, at + 24)
        parts[k].append(numbers.reshape(count, columns))
        at += 24 + 8 * count * columns
    return [np.concatenate(part) for part in parts]


def table() -> dict[str, str]:
    """The digests by diagram."""
    return dict(line.split() for line in TABLE.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    warnings.simplefilter("ignore")
    runs = exports(gallery())
    if "--compare" not in sys.argv:
        lines = [f"{name} {digest_of_engine(export)}\n" for name, export in runs.items()]
        TABLE.write_text("".join(lines), encoding="utf-8")
    else:
        expected, whole = table(), module_of([*runs.values()])
        for each in MACHINES:
            if each.missing:
                sys.stdout.write(f"{each.name}: left out, without {', '.join(each.missing)}\n")
                continue
            with TemporaryDirectory() as place:
                arrays = rows_of(each, whole, [*runs.values()], Path(place))
            wrong = [n for (n, e), a in zip(runs.items(), arrays) if digest_of_rows(e, a) != expected[n]]
            sys.stdout.write(
                f"{each.name}: {len(runs) - len(wrong)} of {len(runs)} equal {' '.join(wrong)}\n"
            )

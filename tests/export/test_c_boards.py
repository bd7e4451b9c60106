"""Exported C on emulated boards: the same bits on Cortex-M4, which has no doubles, on Cortex-M7 and here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from .compiled import COMPILERS
from .test_c import CONTROLLERS

BOARD = Path(__file__).parent / "board"
CROSS, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
RISCV = "riscv64-unknown-elf-gcc"  # for those of 32 bits, too
pytestmark = pytest.mark.skipif(
    not COMPILERS or not shutil.which(CROSS) or not shutil.which(EMULATOR),
    reason=f"needs {CROSS}, {EMULATOR}, and gcc or clang",
)
STEPS = 2000
PROCESSORS = {
    "cortex-m4": (["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16"], ["-M", "mps2-an386"]),
    "cortex-m7": (["-mcpu=cortex-m7", "-mfpu=fpv5-d16"], ["-M", "mps2-an500", "-cpu", "cortex-m7"]),
}


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout.strip()


@pytest.mark.parametrize("name", ["pid", "state machine", "trigonometry", "arm", "plant"])
def test_one_hash_on_all_of_them(name: str, tmp_path: Path) -> None:
    diagram = CONTROLLERS[name]()
    sampled = any(getattr(block, "sampled", False) for block in diagram.blocks.values())
    diagram.export_c(tmp_path, name="unit", step=None if sampled else 0.1)
    files = [tmp_path / "unit.c", BOARD / "walk.c"]
    options = ["-std=c99", "-O2", "-ffp-contract=off", f"-DSTEPS={STEPS}", f"-I{tmp_path}"]
    host = tmp_path / "host"
    output(COMPILERS[0], *options, "-o", host, *files, "-lm")
    hashes = {"host": output(host)}
    for processor, (cross, board) in PROCESSORS.items():
        hashes[processor] = on_board([*options, *cross], board, files)
    assert len({*hashes.values()}) == 1, hashes


def on_board(options: list[str], board: list[str], files: list[Path]) -> str:
    """The output of a program of these files."""
    program = files[0].with_suffix(".elf")
    cross = [
        "-mthumb",
        "-mfloat-abi=hard",
        "--specs=rdimon.specs",
        "-nostartfiles",
        "-T",
        BOARD / "memory.ld",
    ]
    output(CROSS, *options, *cross, "-o", program, BOARD / "begin.c", *files, "-lm")
    semihosting = ["-nographic", "-semihosting-config", "enable=on,target=native", "-kernel", program]
    return output(EMULATOR, *board, *semihosting)


def test_objects_have_the_hash_of_the_source(tmp_path: Path) -> None:
    """They are linked by another compiler than the one that made them."""
    pytest.importorskip("ziglang")
    linux = {"aarch64": "aarch64-linux-gnu-gcc", "riscv64": "riscv64-linux-gnu-gcc"}
    others = [each for each in linux if shutil.which(linux[each]) and shutil.which(f"qemu-{each}")]
    small = ["riscv32"] if shutil.which(RISCV) and shutil.which("qemu-riscv32") else []
    processors = [*PROCESSORS, *small, *others, "x86-64"]
    written = CONTROLLERS["trigonometry"]().export_c(tmp_path, name="unit", step=0.1, objects=processors)
    walk, options = BOARD / "walk.c", [f"-DSTEPS={STEPS}", f"-I{tmp_path}", "-ffp-contract=off"]
    host = tmp_path / "host"
    output(COMPILERS[0], *options, "-o", host, walk, written.source, "-lm")
    hashes = {"host": output(host)}
    for processor, (cross, board) in PROCESSORS.items():
        hashes[processor] = on_board([*options, *cross], board, [written.objects[processor], walk])
    for processor in small:
        program = tmp_path / "small.elf"
        files = [BOARD / "begin_riscv.c", walk, written.objects[processor]]
        cross = ["--specs=picolibc.specs", "-nostartfiles", "-march=rv32imac", "-mabi=ilp32"]
        output(RISCV, *options, *cross, "-o", program, *files, "-lm")
        hashes[processor] = output("qemu-riscv32", program)
    for processor in (*others, "x86-64"):
        program = tmp_path / processor
        compiler = linux.get(processor, COMPILERS[0])
        emulator = [f"qemu-{processor}"] if processor in linux else []
        static = ["-static"] if emulator else []
        output(compiler, *options, *static, "-o", program, walk, written.objects[processor], "-lm")
        hashes[processor] = output(*emulator, program)
    assert len({*hashes.values()}) == 1, hashes

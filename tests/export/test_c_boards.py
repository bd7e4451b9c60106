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


@pytest.mark.parametrize("name", ["pid", "state machine", "trigonometry", "arm"])
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
        program = tmp_path / f"{processor}.elf"
        cross = [*cross, "-mthumb", "-mfloat-abi=hard", "--specs=rdimon.specs", "-nostartfiles"]
        output(
            CROSS,
            *options,
            *cross,
            "-T",
            BOARD / "memory.ld",
            "-o",
            program,
            BOARD / "begin.c",
            *files,
            "-lm",
        )
        semihosting = ["-nographic", "-semihosting-config", "enable=on,target=native", "-kernel", program]
        hashes[processor] = output(EMULATOR, *board, *semihosting)
    assert len({*hashes.values()}) == 1, hashes

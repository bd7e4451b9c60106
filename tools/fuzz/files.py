"""Files: mutated YAML, loaded and compiled without consent to anything."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import blockdyn
from blockdyn.diagrams.yaml import load

from .judge import Judge, say
from .mutate import mutated

SAMPLES = Path(__file__).parent / "samples"


def samples() -> list[bytes]:
    """The files to damage: those beside this module, and blockdyn's gallery."""
    gallery = Path(next(iter(blockdyn.__path__))) / "diagrams" / "gallery"
    return [path.read_bytes() for folder in (SAMPLES, gallery) for path in sorted(folder.glob("*.yaml"))]


def fuzz_files(count: int, seed: int) -> int:
    """Load and compile `count` damaged files; the exit status."""
    texts = samples()
    judge = Judge()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "inner.yaml").write_bytes((SAMPLES / "inner.yaml").read_bytes())
        path = folder / "case.yaml"
        for number in range(count):
            random = Random(f"{seed}/{number}")
            text = mutated(random.choice(texts), texts, random)
            path.write_bytes(text)
            judge.run(f"yaml {seed}/{number}", lambda: _read(path), lambda text=text: repr(text))
        left = sorted(file.name for file in folder.iterdir())
        if left != ["case.yaml", "inner.yaml"]:
            judge.failures += 1
            say(f"a file was executed: it made {left}")
    return judge.report()


def _read(path: Path) -> str:
    load(path).compile()
    return "compiled"

"""Judge: runs a case and says whether blockdyn kept its promises: own exceptions only, 5 s of CPU, 1 GB."""

from __future__ import annotations

import faulthandler
import re
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from blockdyn.base.errors import BlockdynError

SLOWEST = 5.0  # s of the processor: others may use it too
LARGEST = 1e9  # bytes
STUCK = 60.0  # s, after which the process reports where it hangs and ends
SHOWN = 20  # failures written out


@dataclass
class Judge:
    """What came of the cases so far."""

    limit: float = SLOWEST  # s, of a case
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    slowest: tuple[float, str] = (0.0, "")

    def run(self, label: str, case: Callable[[], str], material: Callable[[], str]) -> None:
        """Run a case; `material` is what to show where it fails."""
        faulthandler.dump_traceback_later(STUCK, exit=True)
        began = time.process_time()
        problem = ""
        try:
            outcome = case()
        except BlockdynError as error:
            outcome = type(error).__name__
        except Exception as error:  # noqa: BLE001  what this program is here to find
            outcome = f"ESCAPED {type(error).__name__}"
            problem = traceback.format_exc()
        took = time.process_time() - began
        faulthandler.cancel_dump_traceback_later()
        self.slowest = max(self.slowest, (took, label))
        self.outcomes[outcome] += 1
        if took > self.limit:
            problem += f"\ntook {took:.1f} s of the processor"
        if problem:
            self.failures += 1
            if self.failures <= SHOWN:
                say(f"--- {label}: {problem}\n{material()}\n")

    def report(self) -> int:
        """Print the tally; the exit status."""
        for name, count in self.outcomes.most_common():
            say(f"{count:8d}  {name}")
        memory = peak_memory()
        too_large = memory > LARGEST
        say(f"slowest {self.slowest[0]:.2f} s ({self.slowest[1]}), peak memory {memory / 1e6:.0f} MB")
        say(
            f"{sum(self.outcomes.values())} cases, {self.failures} failures"
            + (", too much memory" * too_large)
        )
        return 1 if self.failures or too_large else 0


def peak_memory() -> float:
    """The most memory that this process has had, in bytes; on Linux since it began, not its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        match = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), re.MULTILINE)
        if match:
            return float(match[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * unit


def say(text: str) -> None:
    """One line to the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()

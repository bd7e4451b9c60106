"""The six functions of a program: derivative, evaluate, update, react, observe, remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ....native.kernel import Kernel
from ....solvers.fields import DATA
from ....solvers.layout import Memory
from ..instructions.functions import Instructions
from ..instructions.instruction import Instruction
from ..plan.layout import Plan
from .body import Body
from .callbacks import Callbacks
from .lowering import DECLARATIONS, declare_elementary
from .printing import status, write
from .writer import HEAP

FIELDS = {
    "z": "z",
    "m": "modes",
    "p": "p",
    "w": "w",
    "g": "g",
    "hit": "hit",
    "fired": "fired",
    "fresh": "fresh",
}
TABLE = {pointer: Memory.fields[name].word + DATA for pointer, name in FIELDS.items()}
"""The word of Memory that holds the address of each array."""
POINTERS = ("x", "dx", *TABLE)
_HEAD = "double %t, " + ", ".join(f"ptr noalias nocapture %{name}" for name in POINTERS)


def finish(body: Body, name: str, result: str = "0", *, entered: bool = True) -> str:
    """The text of a function that returns `result`, or -1 if something in it failed.

    If `entered`, solvers call it; if not, other functions of the program do, as `<name>_body`.
    """
    writer = body.writer
    body.restore_modes()
    status = writer.load(body.status, 0, "i32")
    failed = writer.do(f"icmp ne i32 {status}, 0")
    writer.put(f"ret i64 {writer.do(f'select i1 {failed}, i64 -1, i64 {result}')}")
    return writer.text(f"define internal i64 @{name}_body({_HEAD})") + (_entry(name) if entered else "")


def _entry(name: str) -> str:
    """The function that solvers call: (t, x, dx, memory) -> i64."""
    lines = [f"define i64 @{name}(double %t, ptr %x, ptr %dx, ptr %memory) {{", "entry:"]
    for pointer, word in TABLE.items():
        lines.append(f"  %{pointer}_at = getelementptr inbounds ptr, ptr %memory, i64 {word}")
        lines.append(f"  %{pointer} = load ptr, ptr %{pointer}_at, align 8")
    arguments = ", ".join(f"ptr %{pointer}" for pointer in POINTERS)
    lines += [f"  %r = call i64 @{name}_body(double %t, {arguments}) alwaysinline", "  ret i64 %r", "}", ""]
    return "\n".join(lines)


NAMES = ("derivative", "evaluate", "update", "react", "observe", "remember")
_HELPER = """
define internal double @not_finite(ptr %a, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i64 [0, %entry], [%j, %loop]
  %s = phi double [0.0, %entry], [%r, %loop]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p
  %q = fmul double %v, 0.0
  %r = fadd double %s, %q
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %f = phi double [0.0, %entry], [%r, %loop]
  ret double %f
}
"""


class Text:
    """The LLVM text of a program, the kernels it calls and its callbacks into Python."""

    def __init__(
        self,
        plan: Plan,
        instructions: Instructions,
        more: Callable[[Text], list[str]] = lambda text: [],
        *,
        in_python: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`more` writes functions after the six; `in_python` are paths of blocks, or of their
        functions, to call back, and why.
        """
        self.plan, self._in_python = plan, in_python
        self.kernels: dict[str, Kernel] = {}
        self.users: dict[str, set[str]] = {}  # paths of the blocks that call each kernel
        self.callbacks = Callbacks()
        bodies = [self._function(*item) for item in instructions._asdict().items()]
        bodies += more(self)
        declared = [*map(_declare, self.kernels.values()), *declare_elementary(bodies)]
        if any(HEAP in body for body in bodies):
            declared += ["declare ptr @malloc(i64)", "declare void @free(ptr)"]
        self.text = "\n".join([DECLARATIONS, *declared, _HELPER, *bodies])

    def body(self) -> Body:
        """A fresh function."""
        return Body(self.plan, self.kernels, self.users, self.callbacks, self._in_python)

    def _function(self, name: str, instructions: tuple[Instruction, ...]) -> str:
        body = self.body()
        write(body, instructions)
        return finish(body, name, status(body))


def _declare(kernel: Kernel) -> str:
    number = {"d": ["double"], "i": ["i64"], "b": ["i8"]}
    array = ["ptr", "ptr", "i64", "i64", "ptr"]
    types = [
        t
        for letter in kernel.arguments
        for t in number.get(letter) or [*array, *["i64"] * (2 * int(letter[1:]))]
    ]
    return f"declare i32 @{kernel.symbol}({', '.join(['ptr', 'ptr', *types])})"

"""Write functions as LLVM text that call the functions of an FMU by address."""

from __future__ import annotations

from .interface import COMPONENT, DISCARD, READ, STATUS, WARNING, WHERE, Interface, Places

FEW = 4  # maximum number of words copied one by one: a wide load of words that were just stored would stall


class Function:
    """The text of a function, whose first argument is the instance, `%i`."""

    def __init__(self, head: str, spec: Interface, places: Places, *, handle: bool) -> None:
        self.spec, self.places, self.number = spec, places, 0
        self.lines = [f"define {head} {{", "entry:"]
        if handle:
            self.put("%i = inttoptr i64 %handle to ptr")

    def put(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def do(self, text: str) -> str:
        self.number += 1
        self.put(f"%v{self.number} = {text}")
        return f"%v{self.number}"

    def word(self, place: int | str, beyond: int = 0) -> str:
        start = place if isinstance(place, int) else self.places.at[place]
        return self.do(f"getelementptr i64, ptr %i, i64 {start + beyond}")

    def load(self, kind: str, place: int | str) -> str:
        return self.do(f"load {kind}, ptr {self.word(place)}")

    def store(self, typed: str, place: int) -> None:
        self.put(f"store {typed}, ptr {self.word(place)}")

    def copy(self, target: str, source: str, words: int) -> None:
        if words <= FEW:
            for k in range(words):
                one, other = (self.do(f"getelementptr i64, ptr {row}, i64 {k}") for row in (source, target))
                self.put(f"store i64 {self.do(f'load i64, ptr {one}')}, ptr {other}")
        else:
            self.put(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {8 * words}, i1 false)"
            )

    def differ(self, one: str, other: str, words: int) -> str:
        """True if two rows of words differ."""
        if words <= FEW:
            differs = "false"
            for k in range(words):
                rows = [self.do(f"getelementptr i64, ptr {row}, i64 {k}") for row in (one, other)]
                first, second = (self.do(f"load i64, ptr {row}") for row in rows)
                differs = self.do(f"or i1 {differs}, {self.do(f'icmp ne i64 {first}, {second}')}")
            return differs
        result = self.do(f"call i32 @memcmp(ptr {one}, ptr {other}, i64 {8 * words})")
        return self.do(f"icmp ne i32 {result}, 0")

    def is_set(self, place: int) -> str:
        """True if a word is not 0."""
        return self.do(f"icmp ne i64 {self.load('i64', place)}, 0")

    def note(self, flag: str, place: int) -> None:
        """Set a word to 1 if a flag is true."""
        one = self.do(f"zext i1 {flag} to i64")
        before = self.load("i64", place)
        self.store(f"i64 {self.do(f'or i64 {before}, {one}')}", place)

    def label(self) -> str:
        self.number += 1
        return f"l{self.number}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def leave_if(self, condition: str, target: str) -> None:
        """Go to a label if a condition holds, otherwise continue."""
        here = self.label()
        self.put(f"br i1 {condition}, label %{target}, label %{here}")
        self.begin(here)

    def call(self, name: str, arguments: str) -> None:
        """Call one of the functions here, and leave if it has failed."""
        self.leave_if(self.do(f"call i1 @{name}({arguments})"), "failed")

    def fmi(self, name: str, *arguments: str) -> None:
        """Call a function of the FMU, and leave if it has failed."""
        status = self.status(name, *arguments)
        number = self.spec.functions().index(name)
        self.leave_if(self.do(f"call i1 @note(ptr %i, i32 {status}, i64 {number})"), "failed")

    def status(self, name: str, *arguments: str) -> str:
        """The status of a function of the FMU. Functions other than `Get...` invalidate the values read."""
        if not name.startswith("Get"):
            self.store("i64 0", READ)
        function, component = self.load("ptr", name), self.load("ptr", COMPONENT)
        return self.do(f"call i32 {function}({', '.join((f'ptr {component}', *arguments))})")

    def end(self, result: str, failed: str | None = None) -> str:
        """The text; `failed` is the result after a failure, None if there is none."""
        self.put(f"ret {result}")
        if failed is not None:
            self.begin("failed")
            self.put(f"ret {failed}")
        return "\n".join([*self.lines, "}", ""])


HEAD = f"""
declare i32 @memcmp(ptr, ptr, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @llvm.rint.f64(double)
define internal i1 @note(ptr %i, i32 %status, i64 %number) {{
entry:
  %sound = icmp ule i32 %status, {WARNING}
  br i1 %sound, label %good, label %bad
good:
  ret i1 false
bad:
  %place = getelementptr i64, ptr %i, i64 {STATUS}
  %before = load i64, ptr %place
  %lasting = icmp ne i32 %status, {DISCARD}
  %none = icmp eq i64 %before, 0
  %new = and i1 %lasting, %none
  br i1 %new, label %keep, label %end
keep:
  %word = zext i32 %status to i64
  store i64 %word, ptr %place
  %where = getelementptr i64, ptr %i, i64 {WHERE}
  store i64 %number, ptr %where
  br label %end
end:
  ret i1 true
}}
"""

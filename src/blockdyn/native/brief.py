"""Large programs are long, so the text of each block is made short before LLVM reads it."""

from __future__ import annotations

import re

_CALL = re.compile(r"call i32 @(k\w+)\(([^()]*)\)")
LONG = 10  # arguments from which a call is made through a function that has the constant ones


def brief(text: str) -> str:
    """The same program, faster to compile: its functions stay where they are, and long calls become short.

    A kernel takes each array as seven arguments, of which all but the address are constants. They are
    written once, in a function for all calls of the kernel with these constants.
    """
    names: dict[tuple[str, ...], str] = {}
    functions: list[str] = []

    def short(call: re.Match[str]) -> str:
        kernel, arguments = call[1], call[2].split(", ")
        if len(arguments) < LONG:
            return call[0]
        passed = [argument for argument in arguments if _varies(argument)]
        shape = [
            f"{_kind(argument)} %a{place}" if _varies(argument) else argument
            for place, argument in enumerate(arguments)
        ]
        name = names.setdefault((kernel, *shape), f"{kernel}_{len(names)}")
        if len(functions) < len(names):
            head = ", ".join(argument for argument in shape if _varies(argument))
            functions.append(
                f"define internal i32 @{name}({head}) noinline {{\n"
                f"  %r = call i32 @{kernel}({', '.join(shape)}) alwaysinline\n  ret i32 %r\n}}\n"
            )
        return f"call i32 @{name}({', '.join(passed)})"

    return _CALL.sub(short, text.replace(" alwaysinline", "")) + "\n".join(functions)


def _varies(argument: str) -> bool:
    return argument.rpartition(" ")[2].startswith("%")


def _kind(argument: str) -> str:
    return argument.rpartition(" ")[0]

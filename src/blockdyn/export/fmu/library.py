"""Build the code of an FMU, the run of a diagram under the FMI interface, for each of its platforms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np

from ...diagrams.compiler.emit.functions import NAMES as FUNCTIONS_OF_A_PROGRAM, Text
from ...diagrams.compiler.program import Program
from ...native import cache
from ...native.fingerprint import toolchain
from ...native.kernel import Kernel
from ...native.tangent.code import tangent_name
from ...native.target import Target
from ...solvers.differentiated import Shadows
from ...solvers.fields import DATA, WORD, Floats, Integers
from ...solvers.layout import Memory
from ...solvers.loop.compiled import PACKAGE, loop_kernel, loop_key
from ...solvers.loop.run import Run
from ...solvers.methods.method import Method
from ..image import image_of
from ..module import family_of, run_text, tangent_of, tangent_text
from .instance import Instance, Model
from .interface import VERSIONS, Version, interface_text, string
from .platforms import LINUX, PLATFORMS, libraries, object_of_code, optimised

TANGENTS = (
    "seeds", "answers", "cuts", "loop", "pivots", "states_d", "slopes_d", "time_d", "shadows",
)  # fmt: skip
NO_TANGENT = """
define i64 @evaluate_tangent1(double %t, ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr %f, ptr %g) {
  ret i64 -1
}
"""
LINE = 8  # words, to which the parts of an instance are aligned


@dataclass(frozen=True)
class Template:
    """The words with which an instance begins, up to the first run.

    addresses  the indices of words that are addresses, in all three runs
    image      the index of the run's first word
    run        the number of its words
    bytes      size of an instance
    """

    words: Integers
    addresses: Integers
    image: int
    run: int
    bytes: int


@dataclass(frozen=True)
class Directions:
    """The tangents of an FMU's variables: their places, and the code of the equations' tangent.

    seeds, answers  per variable, as a known and as an unknown one: an array of tangents and an index in it,
                    or None; arrays of the run's memory, "states_d", "slopes_d" or "time_d"
    cuts            unknowns of algebraic loops: the places in w of guess and result
    memory          of the run
    code            the tangent, None for equations without one: then there are no directional derivatives
    """

    seeds: Sequence[tuple[str, int] | None]
    answers: Sequence[tuple[str, int] | None]
    cuts: Sequence[tuple[int, int]]
    memory: Memory
    code: Kernel | None

    def sizes(self, states: int) -> dict[str, Any]:
        """The extents of the arrays of an instance."""
        if self.code is None:
            return dict.fromkeys(TANGENTS, 0) | {"cuts": (0, 2), "loop": (0, 0)}
        loops = len(self.cuts)
        return {
            "seeds": len(self.seeds), "answers": len(self.answers), "cuts": (loops, 2),
            "loop": (loops + 1, loops), "pivots": loops, "states_d": states, "slopes_d": states, "time_d": 1,
            "shadows": self._shadows(0)[0].size,
        }  # fmt: skip

    def _shadows(self, at: int) -> tuple[Integers, list[int], dict[str, int]]:
        """The words of the tangents of the run's memory from a word on, those that are addresses, and the
        words at which the arrays begin.
        """
        shadows = Shadows(self.memory, 1)
        words, addresses, moved = shadows.placed(WORD * at)
        starts = {name: moved[shadows.of(name).ctypes.data] // WORD for name, _ in self.memory.arrays()}
        return words, addresses, starts

    def write(self, words: Integers, starts: dict[str, int]) -> list[int]:
        """Write the arrays of an instance; the indices of words that are addresses."""
        if self.code is None:
            return []
        at = starts["shadows"]
        shadows, addresses, arrays = self._shadows(at)
        arrays |= {name: starts[name] for name in ("states_d", "slopes_d", "time_d")}
        words[at : at + shadows.size] = shadows
        for name, places in (("seeds", self.seeds), ("answers", self.answers)):
            numbers = [arrays[place[0]] + place[1] if place else 0 for place in places]
            words[starts[name] : starts[name] + len(numbers)] = numbers
        cuts = [arrays["w"] + place for pair in self.cuts for place in pair]
        words[starts["cuts"] : starts["cuts"] + len(cuts)] = cuts
        words[Instance.fields["signals_d"].word] = arrays["w"]
        return [at + index for index in addresses]


def template_of(
    run: Run, more: Floats, places: Sequence[Sequence[int]], settable: Sequence[int], end: float,
    directions: Directions,
) -> Template:  # fmt: skip
    """The template of an instance with a run that has not begun, and more numbers after it.

    places     per variable the words of the run's image that are its number; of a derivative -1 - its index
    settable   per variable the states in which it can be set
    directions  tangents of the variables
    """
    image = image_of(run, more)
    size = image.words.size
    states, crossings = run.problem.states, run.problem.crossings
    first = np.cumsum([0, *map(len, places)])
    sizes: dict[str, Any] = {
        "first": first.size,
        "places": int(first[-1]),
        "settable": len(settable),
        "slopes": states,
        "scale": crossings,
        "kept": crossings,
        **directions.sizes(states),
    }
    starts, at = {}, Instance.words
    for name, count in sizes.items():
        starts[name], at = _up(at), _up(at) + int(np.prod(count))
    begin = _up(at)
    starts |= {"live": begin, "chosen": begin + size, "mark": begin + 2 * size}
    sizes |= dict.fromkeys(("live", "chosen", "mark"), size)
    words: Integers = np.zeros(begin + size, np.int64)
    for name, start in starts.items():
        field: Any = Instance.fields[name]
        described = field.described(np.zeros(sizes[name], np.int64), WORD * start)
        words[field.word : field.word + field.words] = described
    slopes = starts["slopes"]
    numbers = [begin + place if place >= 0 else slopes - 1 - place for each in places for place in each]
    for name, values in (("first", first), ("places", numbers), ("settable", settable)):
        words[starts[name] : starts[name] + sizes[name]] = values
    words[begin:] = image.words
    own = [Instance.fields[name].word + DATA for name in starts]
    own += directions.write(words, starts)
    for name, distance in (("memory", 0), ("work", image.work)):
        words[Instance.fields[name].word] = WORD * begin + distance
        own.append(Instance.fields[name].word)
    words.view(np.float64)[Instance.fields["end"].word] = end
    of_run = begin + image.addresses
    beyond = words[of_run] >= WORD * size  # the buffers of the log, which follow all three runs
    words[of_run] += WORD * begin + np.where(beyond, WORD * 2 * size, 0)
    addresses = np.array([*own, *of_run, *(of_run + size), *(of_run + 2 * size)], np.int64)
    return Template(words, addresses, begin, size, WORD * (begin + 2 * size) + image.bytes)


def libraries_of(
    program: Program,
    run: Run,
    constants: str,
    direction: Kernel | None,
    name: str,
    fmi: int,
    platforms: Sequence[str],
) -> dict[str, bytes]:
    """The shared libraries by their paths in the file. Raises ExportError."""
    version, targets = VERSIONS[fmi], [PLATFORMS[each].target for each in platforms]
    moving = tangent_text(run)
    solver = solver_objects(run.method, version, targets, tangent=moving is not None)
    parts = zip(solver, program_objects(program, constants, moving, direction, targets), strict=True)
    objects = dict(zip(platforms, parts, strict=True))
    return libraries(program.flat.name, objects, version.names, name, fmi)


def solver_objects(
    method: Method, version: Version, targets: Sequence[Target] = (LINUX,), *, tangent: bool
) -> list[bytes]:
    """The interface over the loop of a family of methods, the same for all diagrams: stored, or compiled."""
    kernels, family = version.kernels(), family_of(method)
    loop = loop_kernel(family)
    declared = [f"declare i64 @{name}(double, ptr, ptr, ptr)" for name in FUNCTIONS_OF_A_PROGRAM]
    declared.append("declare i64 @fmu_compute(i64)")
    declared.append(f"@fmu_constants = external constant [{len(Model.fields)} x i64]")
    text = "\n".join([*declared, run_text(loop, tangent=tangent), interface_text(version, kernels)])
    symbols = sorted(kernel.symbol for kernel in kernels.values())
    content = " ".join([text, *symbols, loop_key(PACKAGE, family), toolchain()])
    names = version.names

    def bitcode() -> bytes:
        return optimised(text, [loop, *kernels.values()], names, names)

    def code(target: Target) -> bytes:
        return object_of_code(_stored(content, bitcode), target)

    return [_stored(f"{content} {target}", partial(code, target)) for target in targets]


def _stored(content: str, make: Callable[[], bytes]) -> bytes:
    """What the store has for this content, or what is made and put there."""
    key = f"{sha256(content.encode()).hexdigest()}.object"
    data = cache.read(key)
    if data is None:
        data = make()
        cache.write(key, data)
    return data


def program_objects(
    program: Program, text: str, moving: Text | None, direction: Kernel | None, targets: Sequence[Target]
) -> list[bytes]:
    """The functions of a diagram, and the text of `constants_text` and of `fmu_compute`; with the tangent of
    a function for an implicit method, and of another one for directional derivatives.
    """
    names = [*FUNCTIONS_OF_A_PROGRAM, "fmu_constants", "fmu_compute", tangent_name("evaluate", 1)]
    kernels = [*program.text.kernels.values()]
    if direction is None:
        text += NO_TANGENT
    else:
        kernels.append(direction)
    if moving is not None:
        kernels.append(tangent_of(moving))
        names.append(kernels[-1].symbol)
    bitcode = optimised(program.text.text + text, kernels, names, ())
    return [object_of_code(bitcode, target) for target in targets]


def constants_text(template: Template, identity: str, kinds: Sequence[int]) -> str:
    """The constants of an FMU as LLVM text: `instance.Model`, and what it refers to."""
    members = {
        "template": "ptrtoint (ptr @fmu_template to i64)",
        "addresses": "ptrtoint (ptr @fmu_addresses to i64)",
        "identity": "ptrtoint (ptr @fmu_identity to i64)", "count": template.addresses.size,
        "kinds": sum(1 << kind for kind in kinds),
        "image": template.image, "run": template.run, "bytes": template.bytes,
    }  # fmt: skip
    ordered = sorted(Model.fields.values(), key=lambda field: field.word)
    model = ", ".join(f"i64 {members[field.name]}" for field in ordered)
    return "\n".join(
        [
            "", string("fmu_identity", identity), _words("fmu_template", template.words),
            _words("fmu_addresses", template.addresses),
            f"@fmu_constants = constant [{len(ordered)} x i64] [{model}]", "",
        ]
    )  # fmt: skip


def _words(name: str, words: Integers) -> str:
    listed = ", ".join(f"i64 {word}" for word in words.tolist())
    return f"@{name} = internal constant [{words.size} x i64] [{listed}]"


def _up(number: int) -> int:
    """The next multiple of a line."""
    return -(-number // LINE) * LINE

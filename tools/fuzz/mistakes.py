"""Mistakes that people make in a diagram's file are planted into the gallery, and mended by `bd.fix`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.values.programs import compile_with_values
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.diagrams.yaml.source import TEXT, parse

from .judge import say

Mistake = Callable[[str, Random], "str | None"]
KINDS: dict[str, Mistake] = {}


def kind(function: Mistake) -> Mistake:
    KINDS[function.__name__] = function
    return function


def replace_one(
    text: str, pattern: str, change: Callable[[re.Match[str]], str], random: Random
) -> str | None:
    """The text with one match, drawn at random, changed; None if there is none."""
    matches = list(re.finditer(pattern, text, re.MULTILINE))
    if not matches:
        return None
    match = random.choice(matches)
    return text[: match.start()] + change(match) + text[match.end() :]


def misspell(word: str, random: Random) -> str:
    """The word with two letters exchanged, one left out, or one doubled."""
    at = random.randrange(len(word) - 1)
    return random.choice(
        (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
        )
    )


WIRE = r"^  - (\w+)((?:\.\w+)?) -> (\w+)((?:\.\w+)?)$"


@kind
def block_type(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=type: )\w{4,}(?=[,}\n])", lambda m: misspell(m.group(), random), random)


@kind
def block_in_wire(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=-> )\w{4,}", lambda m: misspell(m.group(), random), random)


@kind
def port_in_wire(text: str, random: Random) -> str | None:
    return replace_one(
        text, r"(?<=-> )(\w+)\.([a-z]\w{2,})", lambda m: f"{m[1]}.{misspell(m[2], random)}", random
    )


@kind
def parameter_name(text: str, random: Random) -> str | None:
    pattern = r"(?<=, )([a-z_]{4,})(?=: )"
    return replace_one(text, pattern, lambda m: misspell(m.group(), random), random)


@kind
def section_name(text: str, random: Random) -> str | None:
    return replace_one(
        text, r"^(blocks|wires|simulate|parameters)(?=:)", lambda m: misspell(m[1], random), random
    )


@kind
def another_case(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=type: )\w{3,}(?=[,}])", lambda m: m.group().lower(), random)


@kind
def name_in_expression(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=: =)([a-z_]{4,})\b(?!\()", lambda m: misspell(m[1], random), random)


@kind
def setting(text: str, random: Random) -> str | None:
    return replace_one(
        text, r"^simulate: \{stop(?=:)", lambda m: m.group().replace("stop", "stop_time"), random
    )


@kind
def setting_outside(text: str, random: Random) -> str | None:
    return replace_one(
        text,
        r"^simulate: \{stop: ([\d.]+)(, |\})",
        lambda m: f"stop: {m[1]}\nsimulate: {{{m[2].replace(', ', '')}",
        random,
    )


@kind
def method(text: str, random: Random) -> str | None:
    return replace_one(text, r"^simulate: \{", lambda m: m.group() + "method: dopri, ", random)


@kind
def no_version(text: str, random: Random) -> str | None:
    return re.sub(r"(?m)^blockdyn: 1\n", "", text)


@kind
def wire_backwards(text: str, random: Random) -> str | None:
    return replace_one(text, r"^  - (\w+) -> (\w+\.\w+)$", lambda m: f"  - {m[2]} -> {m[1]}", random)


@kind
def wire_missing(text: str, random: Random) -> str | None:
    return replace_one(text, WIRE + "\n", lambda m: "", random)


@kind
def wire_twice(text: str, random: Random) -> str | None:
    return replace_one(text, WIRE, lambda m: f"{m.group()}\n{m.group()}", random)


@kind
def arrow(text: str, random: Random) -> str | None:
    return replace_one(text, r" -> ", lambda m: random.choice((" => ", " > ", " --> ", "→")), random)


@kind
def decimal_comma(text: str, random: Random) -> str | None:
    return replace_one(text, r"^(  \w+: \d+)\.(\d+)$", lambda m: f"{m[1]},{m[2]}", random)


@kind
def quoted_number(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=: )(\d+\.?\d*)(?=[,}])", lambda m: f'"{m[1]}"', random)


@kind
def no_equals_sign(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=: )=(?=\w)", lambda m: "", random)


@kind
def unit_behind_number(text: str, random: Random) -> str | None:
    return replace_one(text, r"^(simulate: \{stop: [\d.]+)", lambda m: f"{m[1]} s", random)


@kind
def tab(text: str, random: Random) -> str | None:
    return replace_one(text, r"^  (?=\w+: \{)", lambda m: "\t", random)


@kind
def bracket_open(text: str, random: Random) -> str | None:
    return replace_one(text, r"\}$", lambda m: "", random)


@kind
def comma_missing(text: str, random: Random) -> str | None:
    return replace_one(text, r", (?=\w+: )", lambda m: " ", random)


@kind
def indentation(text: str, random: Random) -> str | None:
    return replace_one(text, r"^  (?=\w+: \{)", lambda m: "   ", random)


@kind
def no_space_after_colon(text: str, random: Random) -> str | None:
    return replace_one(text, r"(?<=\w): (?=\w)", lambda m: ":", random)


@kind
def hyphen_in_name(text: str, random: Random) -> str | None:
    names = re.findall(r"^  (\w+): \{type", text, re.MULTILINE)
    names = [name for name in names if "_" in name]
    if not names:
        return None
    name = random.choice(names)
    return re.sub(rf"(?<!\w){name}(?!\w)", name.replace("_", "-"), text)


@kind
def parameters_in_a_mapping(text: str, random: Random) -> str | None:
    return replace_one(
        text,
        r"\{type: (\w+), (\w+: [^,{}\[\]]+)\}",
        lambda m: f"{{type: {m[1]}, parameters: {{{m[2]}}}}}",
        random,
    )


@kind
def counted_from_one(text: str, random: Random) -> str | None:
    blocks = [
        name for name in re.findall(r"(\w+)\[0\]", text) if f"{name}[1]" in text and f"{name}[2]" not in text
    ]
    if not blocks:
        return None
    name = random.choice(blocks)
    return text.replace(f"{name}[1]", f"{name}[2]").replace(f"{name}[0]", f"{name}[1]")


@kind
def power(text: str, random: Random) -> str | None:
    return replace_one(text, r"\*\*", lambda m: "^", random)


def fuzz_mistakes(count: int, seed: int) -> int:
    """Plant one mistake a text, in every fifth three; print how many were mended; 1 if a text is worse after.

    A text is worse if it has more errors, or lost a comment. Of single mistakes four in five are mended, or
    the status is 1 as well.
    """
    random, texts = Random(seed), {name: path.read_text() for name, path in gallery_files().items()}
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in [*KINDS, "three"]}
    worse = []
    for number in range(count):
        name = list(KINDS)[number % len(KINDS)]
        file = random.choice(list(texts))
        several = number % 5 == 4
        text = plant(texts[file], [*random.sample(list(KINDS), 2), name] if several else [name], random)
        before = count_errors(text)
        if not before:  # the mistake is none in this file
            continue
        fixed = bd.fix(text, trust="code")
        outcomes["three" if several else name][judge(texts[file], fixed.text, len(fixed.errors))] += 1
        lost = Counter(re.findall(r"#.*", text)) - Counter(re.findall(r"#.*", fixed.text))
        if count_errors(fixed.text) > before or lost:
            worse.append((file, [str(fix) for fix in fixed.fixes]))
    for name, counts in outcomes.items():
        kinds = ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items()))
        say(f"{name:<26} {kinds}")
    for file, fixes in worse:
        say(f"worse than before: {file}: {fixes}")
    single = sum((counts for name, counts in outcomes.items() if name != "three"), Counter[str]())
    mended = single["mended"] + single["mended otherwise"]
    say(f"{mended} of {single.total()} single mistakes are mended")
    return int(bool(worse) or mended < 0.8 * single.total())


def plant(text: str, names: list[str], random: Random) -> str:
    """The text with mistakes of these kinds, where it has a place for them."""
    for name in names:
        text = KINDS[name](text, random) or text
    return text


def count_errors(text: str) -> int:
    """The number of errors of a text."""
    try:
        compile_with_values(bd.load(text, trust="code"))
    except BlockdynError as error:
        return len(error.errors)
    return 0


def judge(original: str, text: str, errors: int) -> str:
    """Whether the text is right, and whether it is the original but for the order of its wires."""
    if errors:
        return "not mended"
    return "mended" if _data(original) == _data(text) else "mended otherwise"


def _data(text: str) -> dict[str, Any]:
    data: Any = parse(text, TEXT).plain()
    settings = {key: value for key, value in data.get("simulate", {}).items() if key != "method"}
    return {**data, "wires": sorted(map(str, data.get("wires", ()))), "simulate": settings}

"""Prose: the text of a docstring as Markdown and as reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from textwrap import dedent

from blockdyn.cli.equations import ENTRY, explains_names, split_paragraphs, typeset
from blockdyn.drawing.drawing import Drawing

PARAGRAPH = re.compile(r"^(?=(?:Source|Sources|Raises|Units): ?|Raises )", re.MULTILINE)
ARRAY = re.compile(r"~?(?:numpy\.)?ndarray\[tuple\[[^\]]*\], ~?(?:numpy\.)?dtype\[[^\]]*\]\]")
PAGE = re.compile(r"`docs/([\w/-]+)\.md`")
CODE = re.compile(r"(`[^`]*`)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+(?=\n|\Z)")


def markdown(text: str, names: Collection[str] = ()) -> str:
    """Paragraphs, typeset equations of parameters and ports `names`, other indented text as it stands."""
    escaped = _escape(r"([*_<>\[\]|#$~{}])")
    parts = []
    for block, indented in split_paragraphs(text):
        if indented:
            equations = typeset(block, names)
            parts.append(f"```text\n{block}\n```" if equations is None else raw(equations))
        else:
            parts.append(_spaced(_each_text(escaped, _entries(block) if explains_names(block) else block)))
    return "\n\n".join(parts)


def restructured(
    lines: list[str],
    target: Callable[[str], str | None] = lambda name: None,
    names: Collection[str] = (),
) -> list[str]:
    """The same for Sphinx's own reader of docstrings; names lead where `target` says."""
    escaped = _escape(r"([*_|\\])")
    result: list[str] = []
    for block, indented in split_paragraphs("\n".join(lines)):
        if indented:
            equations = typeset(block, names)
            directive, literal = ("::", block) if equations is None else (".. raw:: html", equations)
            result += [directive, "", *(f"    {line}" for line in literal.splitlines()), ""]
        else:
            told = _entries(block) if explains_names(block) else block
            spaced = _spaced(_each_text(escaped, told)).replace("``", "`")
            text = CODE.sub(lambda code: _linked(code[1], target(code[1][1:-1])), spaced)
            result += [*text.splitlines(), ""]
    return result


def _linked(code: str, target: str | None) -> str:
    if page := PAGE.fullmatch(code):
        return f":doc:`{code[1:-1]} </{page[1]}>`"
    return f"`{code}`" if target is None else f":py:obj:`{code[1:-1]} <{target}>`"


def short_signature(text: str | None) -> str | None:
    """Arrays as `ndarray`, whatever their numbers, and defaults that are no text of Python as `...`."""
    if text is None:
        return None
    text = ARRAY.sub("ndarray", text)
    return re.sub(r"<function (\w+)>", r"\1", re.sub(r"<factory>|<[\w.]+ object[^>]*>", "...", text))


def cell(text: object) -> str:
    """A text in a table."""
    return _each_text(_escape(r"([*_<>\[\]|#$~{}])"), " ".join(str(text).split()))


def _entries(text: str) -> str:
    """Names and their meanings as a list."""
    items: list[str] = []
    for line in text.splitlines():
        entry = None if line.startswith("  ") else ENTRY.fullmatch(line)
        if entry is None:
            items[-1] += f" {line.strip()}"
        else:
            names = ", ".join(f"`{name.strip('`')}`" for name in entry[1].split(", "))
            items.append(f"- {names}: {entry[2] or ''}".rstrip())
    return "\n".join(items)


def _spaced(text: str) -> str:
    """Sources and errors begin paragraphs of their own."""
    return PARAGRAPH.sub("\n", text).strip()


def _escape(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, r"\\\1", text)


def _each_text(change: Callable[[str], str], text: str) -> str:
    """Change what is not within backticks."""
    return "".join(part if part.startswith("`") else change(part) for part in CODE.split(text))


def figure(drawing: Drawing) -> str:
    """A drawn diagram as a part of the page, whose light or dark colours and width it follows."""
    width = f"--width: {drawing.picture.width:.0f}px"
    return raw(f'<div class="diagram" style="{width}">{drawing.svg}</div>')


def raw(text: str) -> str:
    """HTML as a part of a page in Markdown."""
    return f"```{{raw}} html\n{text}\n```"


def typeset_page(page: Path) -> None:
    """Typeset the equations of a page in Markdown, which are blocks indented by four spaces."""

    def typeset_block(block: re.Match[str]) -> str:
        equations = typeset(dedent(block[0]))
        return block[0] if equations is None else raw(equations) + "\n"

    parts = FENCE.split(page.read_text(encoding="utf-8"))
    parts = [part if part.startswith("```") else INDENTED.sub(typeset_block, part) for part in parts]
    page.write_text("".join(parts), encoding="utf-8")

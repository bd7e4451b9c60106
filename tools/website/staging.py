"""Staging: the pages as the site has them, in one folder, with links that lead to pages."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from .structure import BAR, ELSEWHERE, GUIDES, ROOT, SECTIONS, TUTORIALS, Group, Section

DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def stage(out: Path) -> None:
    """Copy every page of the repository into `out`, and write a page for each section."""
    shutil.copytree(DOCS, out, dirs_exist_ok=True)
    (out / "gallery" / "README.md").rename(out / "gallery" / "index.md")
    for name, path in ELSEWHERE.items():
        shutil.copy(path, out / f"{name}.md")
    names = {path: out / path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    names |= {path: out / f"{name}.md" for name, path in ELSEWHERE.items()}
    names[DOCS / "gallery" / "README.md"] = out / "gallery" / "index.md"
    for origin, page in names.items():
        _mend_links(page, origin, names)
    for section in _complete():
        (out / f"{section.name}.md").write_text(_listing(section, out), encoding="utf-8")
    index = out / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + toctree("", BAR), encoding="utf-8")


def _complete() -> list[Section]:
    """The sections, with the tutorials of the folder, and among the guides the pages that nobody placed."""
    tutorials = sorted((DOCS / "tutorials").glob("*.md"))
    (said,) = TUTORIALS.groups
    names = [f"tutorials/{path.stem}" for path in tutorials]
    steps = Group(said.title, {name: said.pages.get(name, "") for name in names})
    placed = {page for section in SECTIONS for group in section.groups for page in group.pages}
    others = sorted({path.stem for path in DOCS.glob("*.md")} - placed - {"index"})
    more = (Group("More", dict.fromkeys(others, "")),) if others else ()
    whole = {
        TUTORIALS.name: TUTORIALS._replace(groups=(steps,)),
        GUIDES.name: GUIDES._replace(groups=(*GUIDES.groups, *more)),
    }
    return [whole.get(section.name, section) for section in SECTIONS]


def _listing(section: Section, out: Path) -> str:
    """The page of a section: what each of its pages is about."""
    parts = [f"# {section.title}", section.text]
    for group in section.groups:
        if group.title != section.title and len(section.groups) > 1:
            parts.append(f"## {group.title}")
        parts.append("\n".join(_entry(page, text, out) for page, text in group.pages.items()))
        parts.append(toctree(group.title, tuple(group.pages)).strip())
    return "\n\n".join(parts) + "\n"


def toctree(caption: str, pages: tuple[str, ...]) -> str:
    """What has the side bar show these pages."""
    said = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{said}\n" + "\n".join(pages) + "\n```\n"


def _entry(page: str, text: str, out: Path) -> str:
    title = (out / f"{page}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return f"- [{title}]({page}.md)" + (f": {text}" if text else "")


def _mend_links(page: Path, origin: Path, names: dict[Path, Path]) -> None:
    """Links to pages as the site has them; a file that is no page is named by its path."""

    def mended(match: re.Match[str]) -> str:
        text, target, anchor = match[1], match[2], match[3] or ""
        path = Path(os.path.normpath(origin.parent / target))
        if path in names:
            return f"[{text}]({os.path.relpath(names[path], page.parent)}{anchor})"
        return f"{text} (`{path.relative_to(ROOT)}`)"

    page.write_text(_outside_code(LINK, mended, page.read_text(encoding="utf-8")), encoding="utf-8")


def _outside_code(pattern: re.Pattern[str], change: object, text: str) -> str:
    """Replace where the text is no code block."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if part.startswith("```") else pattern.sub(change, part)  # type: ignore[call-overload]
        for part in parts
    )

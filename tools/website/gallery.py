"""Gallery: under each page the diagram's picture, and its declaration in YAML and in Python."""

from __future__ import annotations

import re
from pathlib import Path

from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.finding import gallery_files

from .prose import figure
from .staging import toctree
from .twin import python_of

PAGE = re.compile(r"\]\(([\w-]+)\.md[)#]")


def write(out: Path) -> None:
    """Complete the pages of the folder, and give the list its contents."""
    files = gallery_files()
    for page in out.glob("*.md"):
        if page.stem in files:
            text = Path(str(files[page.stem])).read_text(encoding="utf-8")
            page.write_text(page.read_text(encoding="utf-8") + _declared(text), encoding="utf-8")
    index = out / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + _contents(index), encoding="utf-8")


def _declared(yaml: str) -> str:
    picture = figure(loads(yaml).draw())
    tabs = "\n".join(
        f":::{{tab-item}} {title}\n```{language}\n{text.rstrip()}\n```\n:::"
        for title, language, text in (("YAML", "yaml", yaml), ("Python", "python", python_of(yaml)))
    )
    return f"\n## The diagram\n\n{picture}\n\n::::{{tab-set}}\n{tabs}\n::::\n"


def _contents(index: Path) -> str:
    """The pages by the headings of the list's tables; one that stands in two counts in the first."""
    seen: set[str] = set()
    parts = []
    for section in index.read_text(encoding="utf-8").split("\n## ")[1:]:
        title = section.partition("\n")[0]
        names = [name for name in dict.fromkeys(PAGE.findall(section)) if name not in seen]
        seen.update(names)
        if names:
            parts.append(toctree(title, tuple(names)))
    return "".join(parts)

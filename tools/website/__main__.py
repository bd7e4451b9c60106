"""`python -m tools.website [FOLDER]`: build the site, strictly, from files of this machine alone."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from blockdyn.base.extras import remedy

from .links import faults
from .structure import ROOT

HERE = Path(__file__).parent


def main() -> int:
    """Build into FOLDER, by default `build/site`; any warning or dead link ends it with status 1."""
    if any(word.startswith("-") for word in sys.argv[1:]):
        print(__doc__)
        return 2
    if how := remedy("sphinx"):
        print(f"the site needs the package sphinx\nexpected: {how}", file=sys.stderr)
        return 2
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.mkdir()
        write_sources(source)
        status = _sphinx(source, out)
    wrong = faults(out) if status == 0 else []
    for line in wrong:
        print(line)
    print(f"{out / 'index.html'} in {time.perf_counter() - begun:.0f} s")
    return 1 if status or wrong else 0


def write_sources(source: Path) -> None:
    """All that Sphinx reads: pages of the repository, pages written from the code, settings, styles."""
    from . import api, blocks, drawn, gallery, measured, mentions, prose, robots, staging

    staging.stage(source)
    measured.write(source / "benchmarks.md")
    for page in (*source.glob("*.md"), *(source / "tutorials").glob("*.md")):
        drawn.draw(page)
    for page in source.rglob("*.md"):
        prose.typeset_page(page)
        mentions.link(page, source)
    blocks.write(source / "blocks")
    robots.write(source / "library")
    api.write(source / "api")
    gallery.write(source / "gallery")
    shutil.copy(HERE / "conf.py", source)
    shutil.copytree(HERE / "static", source / "_static")


def _sphinx(source: Path, out: Path) -> int:
    from sphinx.cmd.build import build_main

    shutil.rmtree(out, ignore_errors=True)
    doctrees = source.parent / "doctrees"
    strict = ["--fail-on-warning", "--jobs", "auto", "--quiet"]
    return build_main(["--builder", "html", *strict, "--doctree-dir", str(doctrees), str(source), str(out)])


if __name__ == "__main__":
    sys.exit(main())

"""Bundles: what `front/` builds for a browser, as text, and the rule of what a page that holds it may do."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_BUILT = Path(__file__).with_name("built")


@cache
def script(name: str) -> str:
    """The JavaScript of a bundle: `finished`, `live`."""
    return (_BUILT / f"{name}.js").read_text(encoding="utf-8")


def widget() -> str:
    """The module of a notebook's live run, as anywidget takes it: `export default {render}`."""
    from ..plots.films.page import script as film

    return f"{film()}\n{script('live')}\nexport default {{ render: blockdynLive.render }};\n"


@cache
def style() -> str:
    """The style sheet of all pages; its rules hold below class `blockdyn`."""
    return (_BUILT / "page.css").read_text(encoding="utf-8")


def policy(scripts: Sequence[str], *, connect: str = "'none'") -> str:
    """The Content-Security-Policy of a page that runs these scripts and no others, and loads nothing.

    Each is what stands between `<script>` and `</script>`, to the letter. Source: W3C, Content Security
    Policy Level 3, section 6.7.3.3.
    """
    digests = (hashlib.sha256(text.encode("utf-8")).digest() for text in scripts)
    sources = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; img-src data: blob:;"
        f" connect-src {connect}; base-uri 'none'; form-action 'none'"
    )

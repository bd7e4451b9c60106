"""A page as one HTML file, with style, data and scripts inside; a policy allows no others."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..base.shown import embed_json

_BUILT = Path(__file__).with_name("built")


@cache
def script(name: str) -> str:
    """The JavaScript of a bundle: `finished`, `live`."""
    return (_BUILT / f"{name}.js").read_text(encoding="utf-8")


def widget(name: str = "live") -> str:
    """The module of a notebook's live run or studio, as anywidget takes it: `export default {render}`."""
    from ..plots.films.page import script as film

    return f"{film()}\n{script(name)}\nexport default {{ render: blockdyn{name.title()}.render }};\n"


@cache
def style() -> str:
    """The style sheet of all pages; its rules hold below class `blockdyn`."""
    return (_BUILT / "page.css").read_text(encoding="utf-8")


def policy(scripts: Sequence[str], *, connect: str = "'none'", wasm: bool = False) -> str:
    """The Content-Security-Policy of a page that runs these scripts and no others, and loads nothing.

    Each is the text between `<script>` and `</script>`, to the letter. Source: W3C, Content Security
    Policy Level 3, section 6.7.3.3. With `wasm` they may compile WebAssembly.
    """
    digests = (hashlib.sha256(text.encode("utf-8")).digest() for text in scripts)
    sources = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    sources += " 'wasm-unsafe-eval'" if wasm else ""
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; img-src data: blob:;"
        f" connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


_HEAD = (
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',  # or a browser asks for one, which the policy forbids
)


def document(
    title: str, main: str, scripts: Sequence[str], *, data: object = None, connect: str = "'none'",
    wasm: bool = False,
) -> str:  # fmt: skip
    """The HTML of a page.

    title    text
    main     content before its scripts run, HTML already
    scripts  run in this order, each as it is
    data     their data, as JSON in the element `data`
    connect  addresses to which they may connect, as in `connect-src` of the policy
    wasm     whether they may compile WebAssembly
    """
    rule = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts, connect=connect, wasm=wasm)}">'
    )
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        *_HEAD,
        rule,
        f"<title>{html.escape(title)}</title>",
        f"<style>{style()}</style>",
        "</head>",
        "<body>",
        f'<main class="blockdyn">{main}</main>',
        "" if data is None else f'<script type="application/json" id="data">{embed_json(data)}</script>',
        *(f"<script>{text}</script>" for text in scripts),
        "</body>",
        "</html>",
    )
    return "\n".join(filter(None, parts)) + "\n"

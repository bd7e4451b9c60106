"""Document: a page as one HTML file, with style, data and scripts inside; a policy allows no others."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ..base.html import embedded
from .bundles import policy, style

_HEAD = (
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
)


def document(
    title: str, main: str, scripts: Sequence[str], *, data: Any = None, connect: str = "'none'"
) -> str:
    """The HTML of a page.

    title    text
    main     what stands in it before its scripts run, HTML already
    scripts  run in this order, each as it is
    data     what they find as JSON in the element `data`
    connect  with what they may talk, as in `connect-src` of the policy
    """
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts, connect=connect)}">'
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
        "" if data is None else f'<script type="application/json" id="data">{embedded(data)}</script>',
        *(f"<script>{text}</script>" for text in scripts),
        "</body>",
        "</html>",
    )
    return "\n".join(filter(None, parts)) + "\n"

"""Conf: the settings that Sphinx reads from the folder of the staged pages."""

from __future__ import annotations

from functools import partial

import blockdyn

project = "blockdyn"
author = "The blockdyn authors"
copyright = "the blockdyn authors, MIT licence"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False  # the head of the page says it
version = release = blockdyn.__version__

extensions = ["myst_parser", "sphinx_design", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nitpicky = False
smartquotes = False  # docstrings quote code: "flight.csv", --option
default_role = "code"
highlight_language = "text"
pygments_style = "tango"


def setup(app):  # type: ignore[no-untyped-def]
    """Docstrings are plain text with equations indented, and no markup; signatures are short."""
    from tools.website.named import argument_names, target, with_right_anchors
    from tools.website.prose import restructured, short_signature

    def sign(app, what, name, value, options, arguments, result):  # type: ignore[no-untyped-def]
        return short_signature(arguments), short_signature(result)

    app.connect("autodoc-process-signature", sign)

    def process(app, what, name, value, options, lines):  # type: ignore[no-untyped-def]
        said = not lines or not lines[0].startswith(
            "Alias for field number"
        )  # what Python says of named tuples
        lead = partial(target, place=name, value=value)
        lines[:] = restructured(lines, lead, argument_names(value)) if said else []

    app.connect("autodoc-process-docstring", process)

    bars: dict[str, str] = {}

    def share(app, pagename, templatename, context, doctree):  # type: ignore[no-untyped-def]
        """Blocks of one family have the same side bar: to make it for each takes a third of Sphinx's time."""
        if not pagename.startswith("blocks/") or len(context["parents"]) < 2:
            return
        family, make = context["parents"][-1]["link"], context["generate_toctree_html"]

        def shared(*args, **options):  # type: ignore[no-untyped-def]
            key = f"{family} {args} {options}"
            if key not in bars:
                bars[key] = str(make(*args, **options))
            return bars[key]

        context["generate_toctree_html"] = shared

    def lead_back(app, pagename, templatename, context, doctree):  # type: ignore[no-untyped-def]
        if pagename.startswith("_modules/blockdyn/"):
            module = pagename.removeprefix("_modules/").replace("/", ".")
            context["body"] = with_right_anchors(context["body"], module)

    app.connect("html-page-context", lead_back)
    app.connect("html-page-context", share, priority=900)  # after the theme's own


html_theme = "pydata_sphinx_theme"
html_title = "blockdyn"
html_static_path = ["_static"]
html_css_files = ["blockdyn.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 9,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_depth": 1,  # the tree of all blocks in the bar of each would be half of the build
    "show_prev_next": True,
    "navigation_with_keys": False,
    "show_version_warning_banner": False,
}
html_sidebars = {"index": [], "changes": []}

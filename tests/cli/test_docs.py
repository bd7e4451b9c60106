"""`blockdyn docs`: the site of the repository is opened; without one it says how to build it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_the_site_is_opened_where_it_has_been_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any
) -> None:
    page = tmp_path / "build" / "site" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<h1>blockdyn</h1>")
    below = tmp_path / "deep" / "down"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    done = command("docs")
    assert done.returncode == 0
    assert opened == [page.as_uri()]
    assert done.stdout.replace("\n", "") == str(page)


def test_without_a_site_it_says_how_to_build_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("blockdyn.cli.listings.PLACE", Path("no", "such", "site.html"))
    done = command("docs")
    assert done.returncode == 2
    assert "python -m tools.website" in done.stderr

"""Edits that cannot be made are EditErrors, and a saved file keeps who may read it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd


@pytest.mark.parametrize("text", ["- a\n- b\n", "3\n"])
def test_a_text_that_is_no_mapping(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text)
    with pytest.raises(bd.BlockdynError, match=r"odd.yaml:1:1: the text is"):
        bd.edit(file)


@pytest.mark.parametrize(("block", "says"), [(bd.Gain, "the class Gain"), (3, "3")])
def test_what_is_no_block_is_not_added(block: Any, says: str, tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("name: one\n")
    text = bd.edit(file)
    with pytest.raises(bd.BlockdynError, match=f"block `g` is {says}"):
        text.add_block("g", block)
    assert text.text == "name: one\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_saved_file_is_read_by_those_who_could_read_it(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("name: own\n")
    file.chmod(mode)
    text = bd.edit(file)
    text.add_block("g", bd.Gain(k=2.0))
    text.save()
    assert "Gain" in file.read_text()
    assert os.stat(file).st_mode & 0o777 == mode

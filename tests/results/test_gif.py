"""GIF: what another library reads of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blockdyn.plots.films.movie import write_gif

Image = pytest.importorskip("PIL.Image")


def test_white_stays_white_beside_what_is_nearly_white(tmp_path: Path) -> None:
    """A reader rounds 255 to 252 when it looks for a colour, and (252, 249, 248) is then nearer."""
    frame = np.full((60, 60, 3), 255, np.uint8)
    frame[10:30, 10:30], frame[40:50, 10:30] = (252, 249, 248), (244, 244, 245)
    with (tmp_path / "film.gif").open("wb") as file:
        write_gif(file, 2, lambda k: np.roll(frame, k, axis=1), 10.0, lambda k: None)
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 2
        for k in range(2):
            film.seek(k)
            shown = np.asarray(film.convert("RGB"))
            assert shown[0, 0].tolist() == [255, 255, 255]
            np.testing.assert_allclose(shown[45, 20], [244, 244, 245], atol=4)

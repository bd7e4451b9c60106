"""GIF: moving pictures with one palette, of each frame the rectangle that changed.

Source: Graphics Interchange Format, version 89a, CompuServe, 1990.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

Frame: TypeAlias = NDArray[np.uint8]
"""Pixels of one frame, (height, width, 3): red, green, blue."""
FASTEST = 50.0  # frames a second: viewers slow down what is faster
CLEAR = 255  # the number of the colour that lets the frame before shine through
NEARLY = 248  # white, of 255
LOOKED_UP = 252  # white, of 255, as Pillow rounds colours before it looks them up
SAMPLES = 8  # frames from which the palette is made
_HEAD = b"GIF89a%s%s\xf7\x00\x00%s!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # shown again and again


def write_gif(
    file: BinaryIO, count: int, draw: Callable[[int], Frame], fps: float, drawn: Callable[[int], None]
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each of which lasts 1/fps s; tells `drawn` after each."""
    from PIL import GifImagePlugin, Image

    some = sorted({round(float(k)) for k in np.linspace(0, count - 1, min(count, SAMPLES))})
    samples = [draw(k) for k in some]
    palette = _palette(samples)
    colors = bytes(palette.getpalette() or [])
    height, width = (side.to_bytes(2, "little") for side in samples[0].shape[:2])
    file.write(_HEAD % (width, height, colors.ljust(768, b"\0")))
    before: NDArray[np.uint8] | None = None
    for k in range(count):
        image = Image.fromarray(draw(k)).quantize(palette=palette, dither=Image.Dither.NONE)
        now = np.asarray(image)
        corner, pixels = _changed(before, now)
        lasts = 10 * (
            round(100 * (k + 1) / fps) - round(100 * k / fps)
        )  # ms, in whole hundredths of a second
        options = {"duration": lasts, "transparency": CLEAR, "disposal": 1}
        file.writelines(GifImagePlugin.getdata(Image.fromarray(pixels), corner, **options))
        before = now
        drawn(k)
    file.write(b";")


def _palette(samples: Sequence[Frame]) -> Image:
    """255 colours for all frames, white among them; rare ones of thin lines weigh more than their share."""
    from PIL import Image

    packed: Any = np.concatenate([frame.reshape(-1, 3) for frame in samples]).astype(np.int64)
    packed = packed[:, 0] << 16 | packed[:, 1] << 8 | packed[:, 2]
    colours, counts = np.unique(packed, return_counts=True)
    chosen = np.repeat(colours, np.minimum(np.ceil(np.sqrt(counts)), 64).astype(np.int64))
    pixels = np.stack([chosen >> 16, chosen >> 8 & 255, chosen & 255], axis=-1).astype(np.uint8)
    coloured = pixels[(pixels <= NEARLY).any(axis=1)]
    colors = [255, 255, 255]
    if len(coloured):
        few = Image.fromarray(coloured[None]).quantize(CLEAR - 1, Image.Quantize.MEDIANCUT, kmeans=1)
        found = np.reshape(few.getpalette() or [], (-1, 3))
        away = np.square(found - LOOKED_UP).sum(axis=1) > 3 * (255 - LOOKED_UP) ** 2
        colors += found[away].ravel().tolist()
    palette = Image.new("P", (1, 1))
    palette.putpalette(colors)
    return palette


def _changed(
    before: NDArray[np.uint8] | None, now: NDArray[np.uint8]
) -> tuple[tuple[int, int], NDArray[np.uint8]]:
    """The corner (x, y) and the pixels of the rectangle that changed; what did not change in it is clear."""
    if before is None:
        return (0, 0), now
    same = now == before
    rows, columns = np.flatnonzero(~same.all(axis=1)), np.flatnonzero(~same.all(axis=0))
    if not rows.size:
        return (0, 0), np.full((1, 1), CLEAR, np.uint8)
    window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return (int(columns[0]), int(rows[0])), np.where(same[window], CLEAR, now[window]).astype(np.uint8)

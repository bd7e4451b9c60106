"""Images as numbers: the grey and the opacity of each pixel of a PNG or PGM file."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from .arguments import Array
from .errors import PlanningError
from .occupancy_map import MOST

FORMATS = ("PNG", "PPM")  # as Pillow calls them: the second is PGM and its relatives
WIDE = 65535.0  # white with 16 bits
BROKEN = OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error, zlib.error


def read_pixels(file: Path) -> tuple[Array, Array | None]:
    """Grey from 0, black, to 1, white, and opacity from 0 to 1: (rows, columns), the uppermost row first.

    The grey of a colour is the mean of red, green and blue. The opacity is None if the image has none.
    Raises PlanningError for a file that is no such image, or has more than 2^24 pixels.
    """
    from PIL import Image

    try:
        with file.open("rb") as stream, Image.open(stream, formats=FORMATS) as image:
            if image.width * image.height <= MOST:
                clear = image.info.get("transparency")  # a grey, a colour or entries of a palette
                if image.mode.startswith("I"):
                    wide = np.asarray(image, np.float64)
                    return wide / WIDE, None if clear is None else np.asarray(wide != clear, np.float64)
                if "A" in image.getbands() or clear is not None:
                    pixels = np.asarray(image.convert("RGBA")) / 255.0
                    return _mean(pixels[..., :3]), pixels[..., 3]
                if image.mode in ("1", "L"):
                    return np.asarray(image.convert("L")) / 255.0, None
                return _mean(np.asarray(image.convert("RGB")) / 255.0), None
            size = f"{image.width} by {image.height} pixels"
    except (*BROKEN, Image.DecompressionBombError) as error:
        raise PlanningError("file", f"{file}, not readable: {error}", "an image, PNG or PGM") from None
    raise PlanningError("file", f"{file}, {size}", f"at most {MOST}; take a coarser resolution")


def _mean(colours: Array) -> Array:
    return np.asarray(colours.mean(axis=2))

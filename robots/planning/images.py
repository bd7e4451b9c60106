"""Images as numbers: the grey of each pixel of a PNG or PGM file."""

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


def grey_image(file: Path) -> Array:
    """Grey from 0, black, to 1, white: (rows, columns), the uppermost row first. Colours by their luminance.

    Raises PlanningError for a file that is no such image, or has more than 2^24 pixels.
    """
    from PIL import Image

    try:
        with file.open("rb") as stream, Image.open(stream, formats=FORMATS) as image:
            if image.width * image.height <= MOST:
                if image.mode.startswith("I"):
                    return np.asarray(image, np.float64) / WIDE
                return np.asarray(image.convert("L")) / 255.0
            size = f"{image.width} by {image.height} pixels"
    except (*BROKEN, Image.DecompressionBombError) as error:
        raise PlanningError("file", f"{file}, not readable: {error}", "an image, PNG or PGM") from None
    raise PlanningError("file", f"{file}, {size}", f"at most {MOST}; take a coarser resolution")

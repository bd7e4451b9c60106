"""Frames become a GIF or an MP4 file, written completely or not at all.

Source: Graphics Interchange Format, version 89a, CompuServe, 1990.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.files import make_write_error, replacing
from ...diagrams.results.errors import ResultError, ResultFileError

if TYPE_CHECKING:
    from PIL.Image import Image

Frame: TypeAlias = NDArray[np.uint8]
"""Pixels of one frame, (height, width, 3): red, green, blue."""
FASTEST = 50.0  # frames per second: viewers slow down faster films
CLEAR = 255  # the index of the transparent colour, which shows the previous frame
NEARLY = 248  # white, of 255
LOOKED_UP = 252  # white, of 255, because Pillow rounds colours before its look-up
SAMPLES = 8  # frames that determine the palette
_HEAD = b"GIF89a%s%s\xf7\x00\x00%s!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # endless repetition


def write_gif(
    file: BinaryIO, count: int, draw: Callable[[int], Frame], fps: float, drawn: Callable[[int], None]
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each for 1/fps s; calls `drawn` after each."""
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
        corner, pixels = _find_change(before, now)
        lasts = 10 * (
            round(100 * (k + 1) / fps) - round(100 * k / fps)
        )  # ms, rounded to hundredths of a second
        options = {"duration": lasts, "transparency": CLEAR, "disposal": 1}
        file.writelines(GifImagePlugin.getdata(Image.fromarray(pixels), corner, **options))
        before = now
        drawn(k)
    file.write(b";")


def _palette(samples: Sequence[Frame]) -> Image:
    """255 colours for all frames, white among them; rare colours of thin lines have additional weight."""
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
        reduced = np.reshape(few.getpalette() or [], (-1, 3))
        away = np.square(reduced - LOOKED_UP).sum(axis=1) > 3 * (255 - LOOKED_UP) ** 2
        colors += reduced[away].ravel().tolist()
    palette = Image.new("P", (1, 1))
    palette.putpalette(colors)
    return palette


def _find_change(
    before: NDArray[np.uint8] | None, now: NDArray[np.uint8]
) -> tuple[tuple[int, int], NDArray[np.uint8]]:
    """The corner (x, y) and the pixels of the rectangle that changed; unchanged pixels in it are clear."""
    if before is None:
        return (0, 0), now
    same = now == before
    rows, columns = np.flatnonzero(~same.all(axis=1)), np.flatnonzero(~same.all(axis=0))
    if not rows.size:
        return (0, 0), np.full((1, 1), CLEAR, np.uint8)
    window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return (int(columns[0]), int(rows[0])), np.where(same[window], CLEAR, now[window]).astype(np.uint8)


def encoder() -> str:
    """The path of ffmpeg; matplotlib's setting `animation.ffmpeg_path` may name another."""
    import matplotlib

    path = shutil.which(str(matplotlib.rcParams["animation.ffmpeg_path"]))
    if path is None:
        raise ResultError(
            ".mp4 files need the program ffmpeg, which is not on the path\n"
            "expected: ffmpeg installed (Debian, Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg), or"
            " a .gif or .html file, which needs no program"
        )
    return path


def write_mp4(
    file: BinaryIO, count: int, draw: Callable[[int], Frame], fps: float, drawn: Callable[[int], None]
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each for 1/fps s; calls `drawn` after each.

    Sides of odd length get a white row of pixels, because the format requires even ones. Raises
    ResultError, and OSError if ffmpeg fails.
    """
    first = draw(0)
    size = f"{first.shape[1]}x{first.shape[0]}"
    take = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", f"{fps:.9g}", "-i", "-"]
    form = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v", "libx264", "-crf", "18"]
    form += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"]
    with _running([encoder(), "-v", "error", "-y", *take, *form, file.name]) as frames:
        for k in range(count):
            frames.write((first if k == 0 else draw(k)).tobytes())
            drawn(k)


@contextmanager
def _running(command: list[str]) -> Iterator[IO[bytes]]:
    """The input of a program, which finishes before the block ends. Raises OSError if it fails."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with TemporaryFile() as words:
        process = subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=words, start_new_session=True)
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # it has ended early, and reported the reason
                yield process.stdin
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
            status = process.wait()
        if status:
            words.seek(0)
            said = words.read().decode(errors="replace").strip() or f"it ended with status {status}"
            raise OSError(f"ffmpeg failed: {said.splitlines()[-1]}")


PAGE = ".html"
_WRITERS = {".gif": write_gif, ".mp4": write_mp4}


def check_movie(path: str | PathLike[str], fps: float) -> None:
    """Raise the errors of the target that can be detected before a frame is drawn.

    Raises ResultFileError (unknown suffix, too many frames a second, no such folder), ResultError.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (*_WRITERS, PAGE):
        cause = f"the suffix {suffix!r} is not a known film format"
        remedy = f"use one of {', '.join((*_WRITERS, PAGE))}"
        raise ResultFileError("write", path, cause, remedy)
    if suffix == ".gif" and fps > FASTEST:
        cause = f"{fps:g} frames a second are more than the {FASTEST:g} that viewers of GIF show"
        raise ResultFileError("write", path, cause, "use fewer, or .mp4")
    if suffix == ".mp4":
        encoder()
    if not Path(path).resolve().parent.is_dir():
        raise make_write_error(path, OSError(errno.ENOENT, os.strerror(errno.ENOENT)), ResultFileError, "")


def write_movie(
    path: str | PathLike[str],
    count: int,
    draw: Callable[[int], Frame],
    *,
    fps: float,
    drawn: Callable[[int], None],
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each for 1/fps s; calls `drawn` after each.

    An early end leaves no file. Raises the errors of `check_movie`, and ResultFileError if the system
    or ffmpeg refuses.
    """
    check_movie(path, fps)
    with replacing(path, ResultFileError) as file:
        _WRITERS[Path(path).suffix.lower()](file, count, draw, fps, drawn)

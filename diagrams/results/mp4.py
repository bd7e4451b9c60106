"""MP4: moving pictures as H.264, in the form that browsers and slides play, made by the program ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from .errors import ResultError
from .gif import Frame


class MissingProgram(ResultError):
    """A program that a file format needs and that is not here."""

    def __init__(self, program: str, suffix: str) -> None:
        self.program = program
        super().__init__(
            f"{suffix} files need the program {program}, which is not on the path\n"
            f"expected: {program} installed (Debian, Ubuntu: apt install {program}; macOS: brew install"
            f" {program}), or a .gif or .html file, which needs no program"
        )


def encoder() -> str:
    """The path of ffmpeg; matplotlib's setting `animation.ffmpeg_path` may name another. MissingProgram."""
    import matplotlib

    path = shutil.which(str(matplotlib.rcParams["animation.ffmpeg_path"]))
    if path is None:
        raise MissingProgram("ffmpeg", ".mp4")
    return path


def write_mp4(
    file: BinaryIO, count: int, draw: Callable[[int], Frame], fps: float, drawn: Callable[[int], None]
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each of which lasts 1/fps s; tells `drawn` after each.

    Sides of odd length get a white row of pixels, because the format wants even ones. Raises
    MissingProgram, and OSError where ffmpeg fails.
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
    """The input of a program, which has ended when the block ends. Raises OSError where it fails."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with TemporaryFile() as words:
        process = subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=words, start_new_session=True)
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # it has ended early, and said why
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

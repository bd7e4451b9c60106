"""A draft is the text of a file while it is edited: undo, redo, saving, a side file, changes of others."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..base.errors import FileError
from ..base.files import read_regular, replacing
from ..diagrams.yaml.errors import FileChanged

MARK = b"\xef\xbb\xbf"  # of UTF-8, with which some editors begin a file
STEPS = 1000  # that can be undone


class FileConflict(FileChanged):
    """A file that others have written while its text was edited; `text` is what they wrote."""

    def __init__(self, file: str, text: str) -> None:
        self.text = text
        super().__init__(file)


class Draft:
    """The text of a file, with the steps that led to it.

    Unsaved text is also in the side file `.NAME.studio`, next to the file, and is taken up again by the next
    draft if it is newer than the file. `recovered` is true for such a text.

    path    the file, which need not exist yet
    text    where the file does not exist, the text to begin with
    """

    def __init__(self, path: Path, text: str = "") -> None:
        self.path, self.version, self.recovered = path, 1, False
        self.side = path.with_name(f".{path.name}.studio")
        self._undo: list[str] = []
        self._redo: list[str] = []
        self._stamp = self._stat()
        self._disk = self._bytes()
        self._mark = MARK if (self._disk or b"").startswith(MARK) else b""
        self.text = text if self._disk is None else _decoded(self._disk, path)
        self._reported: bytes | None = None  # the content of the file that browsers were told of
        self._recover()

    @property
    def saved(self) -> bool:
        """True if the file has this text."""
        return self._disk == self._content()

    @property
    def can_undo(self) -> bool:
        """True if there is a step to undo."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """True if there is an undone step."""
        return bool(self._redo)

    def change(self, text: str) -> None:
        """Another text, one step. Raises ValueError for text that no file can hold."""
        text.encode("utf-8")
        if text != self.text:
            self._undo = [*self._undo[-STEPS + 1 :], self.text]
            self._redo.clear()
            self._become(text)

    def undo(self) -> None:
        """The text before the last step."""
        if self._undo:
            self._redo.append(self.text)
            self._become(self._undo.pop())

    def redo(self) -> None:
        """The text after the last undone step."""
        if self._redo:
            self._undo.append(self.text)
            self._become(self._redo.pop())

    def save(self, *, overwrite: bool = False) -> None:
        """Write the text to the file, whole or not at all.

        Raises FileConflict where others have written it, unless `overwrite`; FileError.
        """
        present = self._bytes()
        if not overwrite and present is not None and present not in (self._disk, self._content()):
            self._reported = present
            raise FileConflict(str(self.path), _decoded(present, self.path))
        content = self._content()
        with replacing(self.path) as stream:
            stream.write(content)
        self._disk, self._stamp, self._reported, self.recovered = content, self._stat(), None, False
        self._remove_side()

    def reload(self) -> None:
        """The text that the file has now, one step. Raises FileError if there is none."""
        content = self._bytes()
        if content is None:
            raise FileError("read", self.path, "there is no such file", "save it first")
        text = _decoded(content, self.path)
        self._disk, self._stamp, self._reported = content, self._stat(), None
        self._mark = MARK if content.startswith(MARK) else b""
        self.recovered = False
        self.change(text)
        self._keep()

    def glance(self) -> bool:
        """Take over a change of others; True if the state is another one.

        Raises FileConflict, once for each content, if there are unsaved edits.
        """
        stamp = self._stat()
        if stamp == self._stamp:
            return False
        present, unsaved = self._bytes(), not self.saved
        self._stamp = stamp
        if present == self._disk:
            return False
        if present is None:  # removed: the text is all there is
            self._disk = None
            self._keep()
            return True
        if unsaved and present != self._content():
            if present == self._reported:
                return False
            self._reported = present
            raise FileConflict(str(self.path), _decoded(present, self.path))
        self.reload()
        return True

    # ---- files ----

    def _become(self, text: str) -> None:
        self.text = text
        self.version += 1
        self._keep()

    def _content(self) -> bytes:
        return self._mark + self.text.encode("utf-8")

    def _keep(self) -> None:
        """Write unsaved text to the side file; a folder that takes none is no reason to stop."""
        if self.saved:
            self._remove_side()
            return
        temporary = self.side.with_name(f"{self.side.name}~")
        with suppress(OSError):
            temporary.write_bytes(self._content())
            os.replace(temporary, self.side)

    def _remove_side(self) -> None:
        with suppress(OSError):
            self.side.unlink()

    def _recover(self) -> None:
        """Take up the side file of an earlier draft if it is newer than the file."""
        with suppress(OSError, UnicodeDecodeError):
            if self._stamp is not None and self.side.stat().st_mtime_ns <= self._stamp[0]:
                return
            text = read_regular(self.side).removeprefix(MARK).decode("utf-8")
            if text != self.text:
                self._undo, self.text, self.recovered = [self.text], text, True

    def _stat(self) -> tuple[int, int] | None:
        try:
            facts = self.path.stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def _bytes(self) -> bytes | None:
        """The content of the file; None where there is none. Raises FileError if it cannot be read."""
        try:
            return read_regular(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            why = error.strerror or str(error)
            raise FileError("read", self.path, why, "choose a file that can be read") from None


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.removeprefix(MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError("read", path, f"it is not UTF-8: {error}", "save it as UTF-8") from None

"""Tabs: a scanner that takes them between tokens, as YAML does, and not as indentation."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.scanner import Scanner

BLANKS = " \t"
_BREAKS = "\r\n\x85\u2028\u2029"


class TabScanner(Scanner):
    """The scanner of ruamel.yaml, which refuses all tabs outside { } and [ ].

    Neither a key nor an item of a list follows a tab: its column would be unclear.
    Source: YAML 1.2.2, sections 6.1 and 6.2.
    """

    def scan_to_next_token(self) -> None:
        while True:
            super().scan_to_next_token()
            if self.reader.peek() != "\t":
                return
            self._skip_blanks()
            if self.reader.peek() not in "#\0" + _BREAKS:
                self.allow_simple_key = False

    def scan_plain_spaces(self, indent: Any, start_mark: Any) -> Any:
        length = 0
        while self.reader.peek(length) in BLANKS:
            length += 1
        blanks = self.reader.prefix(length)
        if self.reader.peek(length) not in _BREAKS:
            self.reader.forward(length)
            return [blanks] if blanks else []
        self.reader.forward(length)
        spaces = super().scan_plain_spaces(indent, start_mark)
        while spaces and self.reader.peek() == "\t":
            self._skip_blanks()
            if self.reader.peek() in _BREAKS:  # an empty line of the text: a break in it
                more = super().scan_plain_spaces(indent, start_mark) or ()
                spaces = [each for each in (*spaces, "\n", *more) if each == "\n"]
        return spaces

    def _skip_blanks(self) -> None:
        while self.reader.peek() in BLANKS:
            self.reader.forward()

"""The width of a text, from the widths of Helvetica's characters."""

from __future__ import annotations

# thousandths of the size of type. Source: Adobe, Core 14 AFM files, Helvetica
_WIDTHS = {
    222: "'`ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-r", 334: "{}", 355: '"', 389: "*", 469: "^",
    500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ", 667: "&ABEKPSVXY",
    722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1015: "@",
}  # fmt: skip
_BY_CHARACTER = {character: width for width, characters in _WIDTHS.items() for character in characters}
_OTHER, _WIDE = 600, 1000  # Greek and accented letters; from U+1100 on, square ones


def width_of(text: str, size: float = 10.0) -> float:
    """The width of a line of text, in the unit of `size`."""
    return (
        size
        / 1000
        * sum(_BY_CHARACTER.get(character, _WIDE if character >= "\u1100" else _OTHER) for character in text)
    )


def cut(text: str, most: float, size: float = 10.0) -> str:
    """A text that is not wider than `most`, its end left out if needed."""
    if width_of(text, size) <= most:
        return text
    while text and width_of(text + "…", size) > most:
        text = text[:-1]
    return text + "…"


def lines_of(text: str, most: float, size: float = 10.0) -> list[str]:
    """A text in lines no wider than `most`, broken between its words; a word that is too wide is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, most, size))
    return lines

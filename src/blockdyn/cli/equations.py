"""Typeset the readable equations of docstrings and pages as MathML, which browsers draw without a script.

The text that terminals show is the only source, such as `m dv/dt = F - b v^2/2  while |v| < v_max`. Spaces
set factors apart. `/` takes all factors before it and one after it; `_` and `^` take a name, a number or a
group. `[a, b; c, d]` is a matrix, and an `x` or `.` between two factors a product of vectors. Names with a
hint of mathematics (one letter, Greek, an index, a sign next to them) are symbols, and all others prose.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from textwrap import dedent
from typing import NamedTuple

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "psi": "ψ", "omega": "ω", "pi": "π", "Lambda": "Λ", "Omega": "Ω", "Theta": "Θ", "Phi": "Φ",
}  # fmt: skip
DOTS = {"qd": "q˙", "qdd": "q¨", "qmd": "q˙m", "qmdd": "q¨m", "Jdot": "J˙"}
SIGNS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "<-": "←", "->": "→", "...": "…", "..": "…", "+-": "±",
    "~": "∼", "-": "−", "*": "·", ".": "·", "x": "×",
}  # fmt: skip
OF_EQUATIONS = {"=", "<=", ">=", "<-", "<", ">", "~", "^", "+"}
LARGE = {"sum": "∑", "prod": "∏", "int": "∫"}
FUNCTIONS = {
    "sin", "cos", "tan", "atan", "atan2", "acos", "asin", "exp", "ln", "log2", "log10", "det", "argmin",
    "sqrt",
}  # fmt: skip
FUNCTIONS_OR_WORDS = {  # functions before a bracket
    "log", "min", "max", "sign", "floor", "trunc", "angle", "mean", "function",
}  # fmt: skip
TO_THE_NEXT = FUNCTIONS | {"log", "min", "max"}  # functions that need no brackets: sin u
WORDS = {
    "a", "above", "across", "after", "all", "along", "an", "and", "as", "at", "before", "below", "between",
    "but", "by", "each", "else", "every", "for", "frame", "from", "given", "if", "in", "into", "is", "it",
    "its", "limited", "modulo", "not", "of", "on", "one", "or", "otherwise", "over", "per", "since", "so",
    "stays", "than", "that", "the", "then", "this", "to", "until", "up", "when", "where", "while", "with",
    "within", "xor",
}  # fmt: skip
INDEXED = re.compile(
    r"([Kk])([a-fh-zA-Z]|vf|ff)|([RTvw])([xyz])|(J)([ev])|([LR])(m)|(F)(s)|(q)(f)|([a-zA-Z])(\d+)"
    r"|(qdd?)(\d+)|(I)([xyz]{2}\d+)|(c)([xyz]\d+)|(T)(c[pm]?\d+)"  # rates and inertial numbers of joints
)
DIFFERENTIAL = re.compile(rf"d(2?)((?:[a-np-zA-Z]|[vw][xyz]|{'|'.join(GREEK)})\d*)")
PART = re.compile(r"\S(?:.*?\S)??(?= {2,}(?! |=|<-)|\s*$)")  # set apart by two spaces or more
TOKEN = re.compile(
    r"(?P<space> *)(?:(?P<code>`[^`]*`)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)"
    r"|(?P<prose>[A-Za-z]+'s\b|[a-z]{2,}(?:-[a-z]+)+)|(?P<name>[A-Za-z](?:\w*[A-Za-z0-9])?)"
    r"|(?P<sign>\.\.\.?|<=|>=|!=|==|<-|->|\+-|[-+*/^=<>()\[\]{}|,;:.~'_]))"
)
NO_CODE = re.compile(r"`[^`]*`|_\{[^}]*\}")
CODE = re.compile(r"""["\\@#$%&?]|\*\*|\w=\w|\bbd\.|[\w)]: *[\[{]""")
QUAD = '<span class="quad"></span>'
GAP = '<mspace width="0.22em"/>'


TERM = r"`?\*{0,2}[A-Za-z_][\w.]*`?"
ENTRY = re.compile(rf"({TERM}(?:, {TERM})*)(?: {{2,}}(\S.*))?")


class Unreadable(Exception):
    """Text that is not an equation."""


class Token(NamedTuple):
    """One symbol, number, sign, word of prose or quoted code, and whether a space stands before it."""

    kind: str
    text: str
    spaced: bool


END = Token("end", "", True)


class Factor(NamedTuple):
    """A factor in MathML: also the inside of round brackets; `large` for a sum before its terms."""

    shown: str
    inside: str = ""
    large: bool = False


def typeset(block: str, names: Collection[str] = ()) -> str | None:
    """The equations of a block in HTML; None for other text, such as code and lists of options.

    `names` are parameters and ports, which are symbols wherever they stand.
    """
    if CODE.search(NO_CODE.sub("", block)):
        return None
    lines = [PART.finditer(line) for line in block.splitlines() if line.strip()]
    readers = [[(part.start(), _Reader(part[0], names)) for part in line] for line in lines]
    try:
        cells = [[(at, reader.cell()) for at, reader in line] for line in readers]
    except Unreadable:
        return None
    signs = {token.text for line in readers for _, reader in line for token in reader.tokens}
    return _table(cells) if signs & OF_EQUATIONS else None


def _table(lines: list[list[tuple[int, str]]]) -> str:
    """Rows of cells: parts that begin in one column of two lines are below each other, others follow.

    A line of prose alone in a later column continues the cell above it.
    """
    begins = [at for line in lines for at, _ in line]
    columns = sorted({0, *(at for at in begins if begins.count(at) > 1)})
    table: list[dict[int, str]] = []
    for line in lines:
        first, words = line[0]
        if first > 0 and len(line) == 1 and table and first in table[-1] and not words.startswith("<math"):
            table[-1][first] += f" {words}"
            continue
        cells: dict[int, str] = {}
        table.append(cells)
        for at, text in line:
            if at in columns or not cells:
                column = max(place for place in columns if place <= at)
                cells[column] = text if at == column else QUAD + text
            else:
                cells[column] += QUAD + text
    rows = ""
    for cells in table:
        begin = columns.index(min(cells))
        row = f'<td colspan="{begin}"></td>' if begin else ""
        for (column, text), end in zip(cells.items(), [*cells, columns[-1] + 1][1:], strict=True):
            row += f'<td colspan="{sum(column <= place < end for place in columns)}">{text}</td>'
        rows += f"<tr>{row}</tr>"
    return f'<div class="equations"><table>{rows}</table></div>'


def _tokens(text: str, names: Collection[str]) -> Iterator[Token]:
    """The tokens of a part of a line; names that are no symbols are prose."""
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise Unreadable(text)
        tokens.append(Token(match.lastgroup, match[match.lastgroup], bool(match["space"])))
        at = match.end()
    for number, token in enumerate(tokens):
        symbol = token.kind != "name" or (token.text in names and token.text not in WORDS)
        before = tokens[number - 1] if number else END
        after = tokens[number + 1] if number + 1 < len(tokens) else END
        yield token if symbol or not _is_prose(before, token, after) else token._replace(kind="prose")


def _is_prose(before: Token, token: Token, after: Token) -> bool:
    """True for a word of a sentence, which has words next to it, or no sign that belongs to equations."""
    call = after.text in ("(", "[", "_") and not after.spaced
    if token.text == "a":  # the article
        return after.kind == "name" and _is_word(after.text) and after.text not in WORDS
    if not _is_word(token.text) or (token.text in FUNCTIONS_OR_WORDS and call):
        return False
    if token.text in WORDS or after.text == "of":
        return True
    beside = ([before] if token.spaced else []) + ([after] if after.spaced else [])
    if any(t.kind == "prose" or (t.kind == "name" and _is_word(t.text, WORDS)) for t in beside):
        return True
    signs = tuple("=+-/^<>~|")
    operand = before.text.startswith((*signs, "(", "[")) or after.text.startswith((*signs, ")", "]"))
    return not (call or operand)


def _is_word(text: str, others: Collection[str] = ()) -> bool:
    """True for a name that does not look like a symbol and is not among the others."""
    symbol = any(text in table for table in (GREEK, DOTS, LARGE, FUNCTIONS, others))
    return not (
        symbol or len(text) == 1 or "_" in text or INDEXED.fullmatch(text) or DIFFERENTIAL.fullmatch(text)
    )


class _Reader:
    """Read one part of a line, from left to right."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text, self.names = text, names
        self.tokens: list[Token] = []
        self.at = 0
        self.depth = 0  # of indices and powers around the next token
        self.operand = False  # True if a factor ends before the next token

    def cell(self) -> str:
        """Prose and formulas in turn."""
        self.tokens = list(_tokens(self.text, self.names))
        shown = ""
        while self._next() is not END:
            signed = shown.endswith("</mo></math>")  # with a space of its own
            shown += " " if shown and self._next().spaced and not signed else ""
            if self._is_text():
                shown += self._word()
            else:
                shown += f'<math displaystyle="true">{self._formula("")}</math>'
        return shown

    def _next(self, ahead: int = 0) -> Token:
        """The next token, or a later one; END beyond the text."""
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < len(self.tokens) else END

    def _take(self) -> Token:
        """Read the next token. Raises Unreadable at the end."""
        token = self._next()
        if token is END:
            raise Unreadable(self.text)
        self.at += 1
        return token

    def _is_text(self) -> bool:
        """True at prose and at punctuation next to prose."""
        before, token, after = (self._next(ahead) for ahead in (-1, 0, 1))
        if token.kind in ("prose", "code") or (token.text == "'" and before.kind == "prose"):
            return True
        return token.text in tuple(",;:.") and (
            before.kind in ("prose", "end") or after.kind in ("prose", "code", "end")
        )

    def _word(self) -> str:
        """One word, mark or quoted name of prose."""
        token = self._take()
        shown = html.escape(token.text.strip("`"))
        return f"<code>{shown}</code>" if token.kind == "code" else shown

    def _formula(self, closing: str) -> str:
        """Terms and the signs between them, up to a closing bracket; outside of brackets also up to prose."""
        shown = ""
        term: list[Factor] = []
        self.operand = False
        while (token := self._next()) is not END and not (closing and token.text in closing):
            if not closing and self._is_text():
                break
            if token.text == "/" and term:
                term = self._fraction(term)
            elif self._is_operator():
                shown += "".join(factor.shown for factor in term) + self._operator()
                term = []
            else:
                factor = self._factor()
                term.append(factor._replace(shown=(GAP if token.spaced and term else "") + factor.shown))
                self.operand = True
        return shown + "".join(factor.shown for factor in term)

    def _is_operator(self) -> bool:
        """True at a sign between terms or factors; an x is one between two spaced factors."""
        before, token, after = (self._next(ahead) for ahead in (-1, 0, 1))
        if token.text != "x":
            return token.kind == "sign" and token.text not in "([{|"
        return (
            token.spaced and after.spaced and self.operand and before.kind != "prose"
            and (after.kind in ("name", "number") or after.text in ("(", "|"))
        )  # fmt: skip

    def _operator(self) -> str:
        """The next sign; after no factor, `-` belongs to the next one."""
        token = self._take()
        if token.text in tuple(")]}"):
            raise Unreadable(self.text)
        options = "" if self.operand or token.text not in ("-", "+", "+-") else ' form="prefix"'
        tight = token.text == "." and not token.spaced  # u.field
        self.operand = False
        return '<mo lspace="0" rspace="0">.</mo>' if tight else _sign(token.text, options)

    def _fraction(self, term: list[Factor]) -> list[Factor]:
        """The factors so far over the next one: those since a sum, and of a derivative the last one alone."""
        self.at += 1
        below = self._next()
        count = next((number for number, factor in enumerate(reversed(term)) if factor.large), len(term))
        if DIFFERENTIAL.fullmatch(below.text.partition("_")[0]) and not below.spaced:
            count = 2 if len(term) > 1 and term[-2].shown.endswith("<mi>d</mi>") else 1
        if not count:
            raise Unreadable(self.text)
        before, above = term[:-count], term[-count:]
        factor = self._factor()
        if factor.large:
            factor = Factor(factor.shown + self._product())
        gap = GAP if above[0].shown.startswith(GAP) else ""
        inside = "".join(each.shown for each in above).removeprefix(GAP)
        if self.depth:
            return [*before, Factor(gap + inside + "<mo>/</mo>" + factor.shown)]
        numerator = above[0].inside if count == 1 and above[0].inside else inside
        denominator = factor.inside or factor.shown
        return [*before, Factor(f"{gap}<mfrac>{_row(numerator)}{_row(denominator)}</mfrac>")]

    def _product(self) -> str:
        """The factors up to the next sign."""
        shown = ""
        while self._starts_factor():
            shown += (GAP if self._next().spaced else "") + self._factor().shown
        return shown

    def _starts_factor(self) -> bool:
        """True if a factor begins with the next token."""
        token = self._next()
        return token.kind in ("name", "number") or token.text in ("(", "[", "|")

    def _factor(self) -> Factor:
        """A symbol, number or group with its attached parts."""
        token, after = self._next(), self._next(1)
        if token.text in ("-", "+-"):
            self.operand = False
            return Factor(self._operator() + self._factor().shown)
        if token.text in ("sqrt", "floor") and after.text == "(":
            self.at += 1
            inside = self._group().inside
            root = token.text == "sqrt"
            return self._attached(f"<msqrt>{inside}</msqrt>" if root else _bracket("⌊", inside, "⌋"))
        if token.text in ("(", "[", "{", "|"):
            group = self._group()
            attached = self._attached(group.shown)
            return group if attached.shown == group.shown else attached
        if token.kind in ("prose", "code"):
            return Factor(f"<mtext>{html.escape(self._take().text.strip('`'))}</mtext>")
        if token.kind not in ("name", "number"):
            raise Unreadable(self.text)
        self.at += 1
        if token.kind == "number":
            factor = self._attached(f"<mn>{token.text}</mn>")
            tight = self._next().kind == "name" and not self._next().spaced  # 2u
            return Factor(factor.shown + self._factor().shown) if tight else factor
        factor = self._attached(*_symbol(token.text))
        if token.text in TO_THE_NEXT and self._next().spaced and self._starts_factor():
            return Factor(factor.shown + GAP + self._factor().shown)
        return factor._replace(large=token.text.partition("_")[0] in LARGE)

    def _attached(self, base: str, below: str = "") -> Factor:
        """A factor with its index, power, primes and arguments."""
        above = ""
        while (token := self._next()) is not END:
            ends = self._next(1).spaced or self._next(1).text in tuple(")],")
            if token.text != "^" and token.spaced:
                break
            if token.text in ("(", "["):
                base = _script(base, below, above) + self._group().shown
                below = above = ""
                continue
            if token.text not in ("^", "_", "'") and not (ends and token.text in ("*", "~")):
                break
            self.at += 1
            if token.text == "_":
                below += self._script(power=False)
            elif token.text == "^":
                above += self._script(power=True)
            elif token.text == "~":
                base = f"<mover>{_row(base)}<mo>~</mo></mover>"
            else:
                above += _sign("′" if token.text == "'" else "∗")
        return Factor(_script(base, below, above))

    def _script(self, *, power: bool) -> str:
        """An index or a power."""
        if self._next().text in ("(", "{"):
            self.depth += 1
            group = self._group()
            self.depth -= 1
            return group.inside or group.shown
        token = self._take()
        if token.text == "-":
            return _sign("-", ' form="prefix"') + (self._script(power=power) if self._starts_factor() else "")
        if token.text in ("+", "*"):
            return _sign(token.text)
        if power and token.text in ("T", "v"):
            return '<mi mathvariant="normal">T</mi>' if token.text == "T" else "<mo>∨</mo>"  # v: of so(3)
        if token.kind not in ("name", "number", "prose"):
            raise Unreadable(self.text)
        return _script(*_symbol(token.text)) if power and token.kind == "name" else _index(token.text)

    def _group(self) -> Factor:
        """A group in brackets of any kind; with semicolons a matrix."""
        opening = self._take().text
        closing = (",", ";", *{"{": "}", "|": "|"}.get(opening, ")]"))
        rows: list[list[str]] = [[]]
        end = ","
        while end in (",", ";"):
            if end == ";":
                rows.append([])
            rows[-1].append(self._formula("".join(closing)))
            end = self._take().text
        inside = '<mo separator="true">,</mo>'.join(rows[0])
        if len(rows) > 1:
            cells = ("".join(f"<mtd>{cell}</mtd>" for cell in row) for row in rows)
            inside = f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in cells)}</mtable>"
        bare = opening in ("(", "{") and len(rows[0]) == 1
        return Factor(_bracket(opening, inside, end), inside if bare else "")


def _sign(text: str, options: str = "") -> str:
    """A sign as it is printed."""
    return f"<mo{options}>{html.escape(SIGNS.get(text, text))}</mo>"


def _row(inside: str) -> str:
    """Several parts as one."""
    return f"<mrow>{inside}</mrow>"


def _bracket(before: str, inside: str, after: str) -> str:
    """A group in its brackets, which grow with fractions and matrices alone."""
    grows = str(any(tag in inside for tag in ("<mfrac", "<mtable", "<munder"))).lower()
    opening, closing = (f' form="{form}" stretchy="{grows}"' for form in ("prefix", "postfix"))
    return _row(_sign(before, opening) + inside + _sign(after, closing))


def _script(base: str, below: str = "", above: str = "") -> str:
    """A symbol with its index and its power, which are below and above a sum."""
    large = any(f"<mo>{sign}</mo>" == base for sign in LARGE.values())
    if below and above:
        tag = "munderover" if large else "msubsup"
    elif below or above:
        tag = ("munder" if large else "msub") if below else ("mover" if large else "msup")
    else:
        return base
    return f"<{tag}>{''.join(map(_row, filter(None, (base, below, above))))}</{tag}>"


def _symbol(text: str) -> tuple[str, str]:
    """The symbol of a name and its index: theta_1 is θ with the index 1, `time_constant` stays as it is."""
    base, _, index = text.partition("_")
    if index == "dot":
        return f"<mover>{_row(_script(*_symbol(base)))}<mo>˙</mo></mover>", ""
    if index and ((base in WORDS and len(base) > 1) or (_is_word(base) and len(index) > 1)):
        return f"<mi>{text}</mi>", ""
    below = "<mo>,</mo>".join(map(_index, index.split("_"))) if index else ""
    if base in LARGE:
        return f"<mo>{LARGE[base]}</mo>", below
    if base in DOTS:
        letter, dots, inner = DOTS[base][0], DOTS[base][1], DOTS[base][2:]
        return f"<mover><mi>{letter}</mi><mo>{dots}</mo></mover>", "".join(map(_index, inner)) + below
    if base not in GREEK and (differential := DIFFERENTIAL.fullmatch(base)):
        order, variable = differential.groups()
        if variable == "t2":
            return "<mi>d</mi><msup><mi>t</mi><mn>2</mn></msup>", below
        symbol = _script(*_symbol(f"{variable}_{index}" if index else variable))
        return _script("<mi>d</mi>", above=_index(order) if order else "") + symbol, ""
    if base not in GREEK and (indexed := INDEXED.fullmatch(base)):
        letter, inner = filter(None, indexed.groups())
        return _symbol(letter)[0], _index(inner) + ("<mo>,</mo>" if below else "") + below
    return f"<mi>{GREEK.get(base, base)}</mi>", below


def _index(text: str) -> str:
    """An index: one symbol for each of two letters, as in `ij`, and one for a word."""
    if text.isdigit():
        return f"<mn>{text}</mn>"
    pair = len(text) == 2 and text not in GREEK
    return "".join(map(_index, text)) if pair else f"<mi>{GREEK.get(text, text)}</mi>"


# ---- the text around equations ----


def split_paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs and the indented text between them, without the indentation."""
    part: list[str] = []
    literal = False
    for line in [*text.strip("\n").splitlines(), ""]:
        listed = not literal and (
            any(each.startswith("- ") for each in part) or explains_names("\n".join(part))
        )
        indented = line.startswith("  ") and not listed
        ends = indented != literal if line.strip() else not literal
        if part and ends:
            yield from _part(part, literal)
            part = []
        if line.strip() or (literal and part):
            part.append(line)
            literal = indented if line.strip() else literal
    yield from _part(part, literal)


def _part(lines: list[str], literal: bool) -> Iterator[tuple[str, bool]]:
    text = dedent("\n".join(lines)).strip("\n")
    if text:
        yield text, literal


def explains_names(text: str) -> bool:
    """True if each line has a name, two or more spaces, and its meaning, perhaps continued below."""
    lines = text.splitlines()
    first = ENTRY.fullmatch(lines[0]) if lines else None
    return (
        first is not None
        and bool(first[2] or (lines[1:] and lines[1].startswith("  ")))
        and all(line.startswith("  ") or ENTRY.fullmatch(line) for line in lines)
    )

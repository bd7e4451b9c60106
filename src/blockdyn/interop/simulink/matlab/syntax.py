"""MATLAB's expressions and statements are read into trees by precedence; nothing in them is executed."""

from __future__ import annotations

import re

from .words import (
    DEEPEST,
    KEYWORDS,
    Assign,
    Binary,
    Brace,
    Call,
    CellArray,
    Colon,
    End,
    Field,
    For,
    Function,
    Handle,
    If,
    Matrix,
    Name,
    Node,
    Number,
    Range,
    Statement,
    Text,
    Token,
    Unary,
    UnreadableText,
    tokens,
)  # fmt: skip

CHAIN = 1000  # operators of one level in a row

_COMPARISONS = ("<", "<=", ">", ">=")
LEVELS = {
    "||": 1, "&&": 2, "|": 3, "&": 4, "==": 6, "~=": 6, **dict.fromkeys(_COMPARISONS, 6), ":": 7,
    "+": 8, "-": 8, **dict.fromkeys(("*", "/", "\\", ".*", "./", ".\\"), 9),
}  # fmt: skip
FCN_LEVELS = {**LEVELS, "==": 5, "~=": 5}  # of Fcn blocks: equality binds weaker than order, as in C


class Parser:
    """Reads tokens by precedence: ' .' ^ .^, then unary + - ~, * /, + -, :, comparisons, &, |, &&, ||."""

    def __init__(self, text: str, fcn: bool = False) -> None:
        self.text, self.tokens, self.index = text, tokens(text, fcn), 0
        self.levels = FCN_LEVELS if fcn else LEVELS
        self.depth, self.listing, self.indices = 0, False, 0

    @property
    def token(self) -> Token:
        """The next word."""
        return self.tokens[self.index]

    def refuse(self, problem: str, place: int = -1) -> UnreadableText:
        """The error at a place, by default at the next word."""
        return UnreadableText(problem, self.text, self.token.place if place < 0 else place)

    def surprise(self) -> UnreadableText:
        """The error for a word that fits nothing."""
        token = self.token
        if token.kind == "end" or token.text == "\n":
            return self.refuse("the text ends too early")
        if token.kind == "name" and token.text in KEYWORDS:
            return self.refuse(f"`{token.text}` is a keyword of MATLAB, which is not allowed here")
        return self.refuse(f"`{token.text[:40]}` is not expected here")

    def take(self, *texts: str) -> Token | None:
        """Take the next word if it is one of these operators."""
        token = self.token
        if token.kind in ("op", "row") and token.text in texts:
            self.index += 1
            return token
        return None

    def expect(self, text: str) -> Token:
        """Take the next word, which must be this operator."""
        token = self.take(text)
        if token is None:
            raise self.surprise()
        return token

    def name(self) -> str:
        """Take the next word, which must be a name."""
        token = self.token
        if token.kind != "name" or token.text in KEYWORDS or token.text == "end":
            raise self.surprise()
        self.index += 1
        return token.text

    def expression(self, least: int = 1) -> Node:
        """An expression of operators that bind at least this strongly."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refuse(f"nested deeper than {DEEPEST} levels")
        left, count = self.unary(), 0
        while True:
            token = self.token
            level = self.levels.get(token.text, 0) if token.kind == "op" else 0
            after = self.tokens[self.index + 1] if level else token
            signed = token.text in ("+", "-") and token.space and not after.space
            if level < least or not level or (self.listing and signed):
                self.depth -= 1
                return left
            self.index, count = self.index + 1, count + 1
            if count > CHAIN:
                raise self.refuse(f"more than {CHAIN} operators in a row")
            if token.text != ":":
                left = Binary(token.text, left, self.expression(level + 1), place=token.place)
                continue
            second, third = self.expression(level + 1), None
            if self.take(":"):
                third = self.expression(level + 1)
            left = Range(left, second if third else None, third or second, place=token.place)

    def unary(self) -> Node:
        """Signs and negations before a power: -2^2 is -(2^2)."""
        signs = self.signs()
        operand = self.power()
        for token in reversed(signs):
            operand = Unary(token.text, operand, place=token.place)
        return operand

    def signs(self) -> list[Token]:
        """The signs and negations that follow one another here."""
        signs: list[Token] = []
        while token := self.take("-", "+", "~"):
            signs.append(token)
            if len(signs) > DEEPEST:
                raise self.refuse(f"more than {DEEPEST} signs in a row")
        return signs

    def power(self) -> Node:
        """Powers and transposes bind alike, from the left: 2^3^2 is (2^3)^2, 2^a' is (2^a)', 2^-1 is 1/2."""
        left, count = self.operand(), 0
        while token := self.take("^", ".^", "'", ".'"):
            count += 1
            if count > DEEPEST:
                raise self.refuse(f"more than {DEEPEST} powers in a row")
            if token.text in ("'", ".'"):
                left = Unary(token.text, left, place=token.place)
                continue
            signs = self.signs()
            right = self.operand()
            for sign in reversed(signs):
                right = Unary(sign.text, right, place=sign.place)
            left = Binary(token.text, left, right, place=token.place)
        return left

    def operand(self) -> Node:
        """A number, text, name, bracket or function, with its indices, arguments and fields."""
        value, count = self.primary(), 0
        while self.token.kind == "op" and self.token.text in ("(", "{", "."):
            if self.listing and self.token.space:
                return value
            count += 1
            if count > DEEPEST:
                raise self.refuse(f"more than {DEEPEST} indices in a row")
            token = self.token
            self.index += 1
            if token.text == ".":
                if self.take("("):
                    value = Field(value, self.inside(")"), place=token.place)
                else:
                    value = Field(value, self.name(), place=token.place)
            elif token.text == "(":
                value = Call(value, self.arguments(")"), place=value.place)
            else:
                value = Brace(value, self.arguments("}"), place=value.place)
        return value

    def inside(self, closing: str) -> Node:
        """An expression in parentheses, where spaces separate nothing."""
        listing, self.listing = self.listing, False
        value = self.expression()
        self.expect(closing)
        self.listing = listing
        return value

    def arguments(self, closing: str) -> tuple[Node, ...]:
        """Arguments or indices up to a bracket."""
        listing, self.listing = self.listing, False
        self.indices += 1
        values: list[Node] = []
        while not self.take(closing):
            if values:
                self.expect(",")
            token = self.token
            after = self.tokens[min(self.index + 1, len(self.tokens) - 1)]
            if token.text == ":" and token.kind == "op" and after.text in (",", closing):
                self.index += 1
                values.append(Colon(place=token.place))
            else:
                values.append(self.expression())
        self.listing = listing
        self.indices -= 1
        return tuple(values)

    def primary(self) -> Node:
        """A number, text, name, bracket or function."""
        token = self.token
        if token.kind == "number":
            self.index += 1
            return Number(float(re.sub("[dD]", "e", token.text)), place=token.place)
        if token.kind in ("text", "string"):
            self.index += 1
            return Text(token.text, token.kind == "string", place=token.place)
        if token.kind == "name" and token.text == "end" and self.indices:
            self.index += 1
            return End(place=token.place)
        if token.kind == "name":
            return Name(self.name(), place=token.place)
        if self.take("("):
            return self.inside(")")
        if self.take("["):
            return Matrix(self.rows("]"), place=token.place)
        if self.take("{"):
            return CellArray(self.rows("}"), place=token.place)
        if self.take("@"):
            return self.handle(token.place)
        raise self.surprise()

    def rows(self, closing: str) -> tuple[tuple[Node, ...], ...]:
        """Rows up to a bracket: spaces and commas separate elements, semicolons and line ends rows."""
        listing, self.listing = self.listing, True
        rows: list[list[Node]] = [[]]
        while not self.take(closing):
            if self.take(";"):
                rows.append([])
                continue
            rows[-1].append(self.expression())
            self.take(",")
        self.listing = listing
        return tuple(tuple(row) for row in rows if row)

    def handle(self, place: int) -> Node:
        """A function by its name, or its parameters and its body."""
        if not self.take("("):
            return Handle(None, Name(self.name(), place=place), place=place)
        listing, self.listing = self.listing, False
        parameters: list[str] = []
        while not self.take(")"):
            if parameters:
                self.expect(",")
            parameters.append("~" if self.take("~") else self.name())
        self.listing = listing
        return Handle(tuple(parameters), self.expression(), place=place)

    def close(self) -> None:
        """Require the end of the text, after optional separators."""
        while self.token.kind == "next":
            self.index += 1
        if self.token.kind != "end":
            raise self.surprise()


def parse(text: str, *, fcn: bool = False) -> Node:
    """The tree of a MATLAB expression; with `fcn` in the dialect of Fcn blocks, where u[1] is u(1).

    Raises UnreadableText.
    """
    parser = Parser(text, fcn)
    while parser.token.kind == "next" and parser.token.text == "\n":
        parser.index += 1
    node = parser.expression()
    parser.close()
    return node


class ScriptParser(Parser):
    """Reads statements too: assignments, if, switch, for and functions."""

    def block(self, *ends: str) -> tuple[Node, ...]:
        """Statements up to one of these words, or to the end of the text."""
        statements: list[Node] = []
        while True:
            while self.token.kind == "next":
                self.index += 1
            token = self.token
            if token.kind == "end" or (token.kind == "name" and token.text in ends):
                return tuple(statements)
            self.depth += 1
            if self.depth > DEEPEST:
                raise self.refuse(f"nested deeper than {DEEPEST} levels")
            statements.append(self.statement())
            self.depth -= 1

    def statement(self) -> Node:
        """One statement."""
        token = self.token
        if token.kind == "name" and token.text in ("if", "switch", "for", "function"):
            self.index += 1
            reader = {
                "if": self.condition,
                "switch": self.switch,
                "for": self.loop,
                "function": self.function,
            }
            return reader[token.text](token.place)
        if token.text == "return" and token.kind == "name":
            self.index += 1
            return Statement(Name("return", place=token.place), place=token.place)
        targets = self.targets()
        if targets is None:
            value = self.expression()
            if self.token.kind != "op" or self.token.text != "=":
                self.finish()
                return Statement(value, place=token.place)
            targets = (self.target(value),)
        self.expect("=")
        value = self.expression()
        self.finish()
        return Assign(targets, value, place=token.place)

    def finish(self) -> None:
        """A statement ends at a separator, or at a word that ends a block."""
        token = self.token
        if token.kind not in ("next", "end") and not (
            token.kind == "name" and token.text in ("end", "else", "elseif")
        ):
            raise self.surprise()

    def target(self, node: Node) -> Node:
        """A variable, a field, or a place in a variable, to which values can be assigned."""
        inner = node
        while isinstance(inner, (Call, Field)):
            inner = inner.target
        if not isinstance(inner, Name):
            raise self.refuse("only variables, fields and indexed elements can be assigned", node.place)
        return node

    def targets(self) -> tuple[Node | None, ...] | None:
        """Several targets in brackets before `=`; None if there are none."""
        if self.token.text != "[" or self.token.kind != "op":
            return None
        depth, place = 0, self.index
        while place < len(self.tokens):
            word = self.tokens[place]
            depth += (word.kind == "op") * ((word.text in ("[", "{", "(")) - (word.text in ("]", "}", ")")))
            place += 1
            if depth == 0:
                break
        if place >= len(self.tokens) or self.tokens[place].text != "=" or self.tokens[place].kind != "op":
            return None
        self.index += 1
        listing, self.listing = self.listing, True
        targets: list[Node | None] = []
        while not self.take("]"):
            token = self.token
            after = self.tokens[self.index + 1]
            if token.text == "~" and after.text in (",", "]"):
                self.index += 1
                targets.append(None)
            else:
                targets.append(self.target(self.operand()))
            self.take(",")
        self.listing = listing
        return tuple(targets)

    def passes(self, word: str) -> bool:
        """Take the next word and return True if it is this keyword."""
        if self.token.kind == "name" and self.token.text == word:
            self.index += 1
            return True
        return False

    def close_block(self) -> None:
        """The `end` of a block."""
        if not self.passes("end"):
            raise self.surprise()

    def condition(self, place: int) -> Node:
        """if, with its elseif and else."""
        branches = [(self.expression(), self.block("elseif", "else", "end"))]
        while self.passes("elseif"):
            branches.append((self.expression(), self.block("elseif", "else", "end")))
        otherwise = self.block("end") if self.passes("else") else ()
        self.close_block()
        return If(tuple(branches), otherwise, place=place)

    def switch(self, place: int) -> Node:
        """switch as a chain of comparisons with the numbers of its cases."""
        value = self.expression()
        while self.token.kind == "next":
            self.index += 1
        branches: list[tuple[Node, tuple[Node, ...]]] = []
        while (token := self.token) and self.passes("case"):
            label = self.expression()
            labels = [each for row in label.rows for each in row] if isinstance(label, CellArray) else [label]
            tests: list[Node] = [Binary("==", value, each, place=token.place) for each in labels]
            if not tests:
                raise self.refuse("a case without values", token.place)
            test = tests[0]
            for each in tests[1:]:
                test = Binary("||", test, each, place=token.place)
            branches.append((test, self.block("case", "otherwise", "end")))
        otherwise = self.block("end") if self.passes("otherwise") else ()
        self.close_block()
        return If(tuple(branches), otherwise, place=place)

    def loop(self, place: int) -> Node:
        """for, with its variable in parentheses or not."""
        bracket = self.take("(")
        variable = self.name()
        self.expect("=")
        values = self.expression()
        if bracket:
            self.expect(")")
        body = self.block("end")
        self.close_block()
        return For(variable, values, body, place=place)

    def function(self, place: int) -> Node:
        """A function with its results, name, parameters and statements."""
        outputs: list[str] = []
        if self.take("["):
            while not self.take("]"):
                outputs.append(self.name())
                self.take(",")
            self.expect("=")
            name = self.name()
        else:
            name = self.name()
            if self.take("="):
                outputs, name = [name], self.name()
        inputs: list[str] = []
        if self.take("("):
            while not self.take(")"):
                if inputs:
                    self.expect(",")
                inputs.append("~" if self.take("~") else self.name())
        body = self.block("end", "function")
        self.passes("end")
        return Function(name, tuple(inputs), tuple(outputs), body, place=place)


def parse_script(text: str) -> tuple[Node, ...]:
    """The statements of a script or of a file of functions. Raises UnreadableText."""
    parser = ScriptParser(text)
    statements = parser.block()
    parser.close()
    return statements

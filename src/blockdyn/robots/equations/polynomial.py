"""Polynomials in cosines and sines of joint angles are reduced as kernels compute with them.

The angles are absolute along parallel axes: a joint with its axis parallel to the previous axis adds to that
angle, so cos(q1 + q2) appears instead of cos q1 cos q2 - sin q1 sin q2. With the single rule
sin^2 = 1 - cos^2 the form is canonical: equal expressions have equal polynomials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, pi
from typing import Any

from sympy import QQ, Add, Expr, Float, Mul, Rational, Symbol, cos, ring, sin

Monomial = tuple[int, ...]
LARGEST = 3000  # terms of one polynomial: longer equations are unreadable
DIGITS = 12  # significant digits of a number that counts as a decimal
ROUNDING = 4e-16  # relative: two units in the last place


class TooManyTerms(Exception):
    """A polynomial longer than LARGEST."""


def exact(value: float) -> Fraction:
    """The decimal of at most DIGITS digits that equals a float to rounding, or the float."""
    decimal = float(f"{value:.{DIGITS}g}")
    if abs(decimal - value) <= ROUNDING * abs(value):
        return Fraction(f"{value:.{DIGITS}g}")
    return Fraction(value)


def quarter_turns(angle: float) -> int | None:
    """An angle as a multiple of pi/2, if it is one."""
    turns = round(angle / (pi / 2))
    return turns if abs(angle - turns * (pi / 2)) <= 1e-12 * max(1.0, abs(angle)) else None


@dataclass(frozen=True)
class Angle:
    """A joint's angle: ratio times a coordinate, and an offset."""

    coordinate: int
    ratio: Fraction = Fraction(1)
    offset: Any = Fraction(0)

    def __rmul__(self, ratio: Any) -> Angle:
        return Angle(self.coordinate, self.ratio * Fraction(ratio), self.offset)

    def __add__(self, offset: Any) -> Angle:
        return Angle(self.coordinate, self.ratio, offset)


@dataclass
class Turn:
    """An absolute angle: weights of the coordinates, its constant part, and the places of its generators."""

    weights: dict[int, Fraction]
    shown: Any
    chain: int
    cosine: int
    sine: int
    constant: Any


@dataclass
class Ring:
    """Generators: cosine and sine of each absolute angle, then symbols; rational coefficients."""

    symbols: Sequence[Symbol]
    coordinates: Sequence[Symbol]
    turns: list[Turn] = field(default_factory=list)

    def build(self) -> None:
        """Create SymPy's ring after all angles are listed."""
        names = [f"{kind}{i}" for i in range(len(self.turns)) for kind in ("C", "S")]
        places = [*map(Symbol, names), *self.symbols]
        self.ring, *self.generators = ring(places, QQ) if places else ring("unit", QQ)
        self.place = {symbol: i for i, symbol in enumerate(places)}
        self.sines = [(turn.cosine, turn.sine) for turn in self.turns]

    def value(self, x: Any) -> Value:
        """Convert a number or a polynomial in the symbols to a value of this ring."""
        if isinstance(x, Value):
            return x
        if isinstance(x, Angle):
            moved = self.symbol(self.coordinates[x.coordinate])
            return moved.__mul__(x.ratio).__add__(x.offset)
        if isinstance(x, Expr):
            return Value(self, self.ring.from_expr(x.expand()))
        return Value(self, self.ring.ground_new(QQ(*Fraction(x).as_integer_ratio())))

    def symbol(self, symbol: Symbol) -> Value:
        """A generator."""
        return Value(self, self.generators[self.place[symbol]])

    def pair(self, turn: int) -> tuple[Value, Value]:
        """Cosine and sine of an absolute angle."""
        at = self.turns[turn]
        return Value(self, self.generators[at.cosine]), Value(self, self.generators[at.sine])

    def reduce(self, poly: Any) -> Any:
        """Replace sin^2 by 1 - cos^2 in every term."""
        for c, s in self.sines:
            if all(monomial[s] < 2 for monomial in poly):
                continue
            terms: dict[Monomial, Any] = {}
            for monomial, factor in poly.items():
                m = list(monomial)
                if m[s] > 1:
                    m[s] -= 2
                    _add(terms, tuple(m), factor)
                    m[c] += 2
                    factor = -factor
                _add(terms, tuple(m), factor)
            poly = self.ring.from_dict(terms)
        return poly


def _add(terms: dict[Any, Any], monomial: Any, factor: Any) -> None:
    total = terms.get(monomial, 0) + factor
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


class Value:
    """One reduced polynomial; the arithmetic that kernels need."""

    __slots__ = ("poly", "space")

    def __init__(self, space: Ring, poly: Any) -> None:
        if len(poly) > LARGEST:
            raise TooManyTerms
        self.space, self.poly = space, poly

    def _other(self, other: Any) -> Any:
        if type(other) is Value:
            return other.poly
        return self.space.value(other).poly

    def __add__(self, other: Any) -> Value:
        return Value(self.space, self.poly + self._other(other))

    __radd__ = __add__

    def __neg__(self) -> Value:
        return Value(self.space, -self.poly)

    def __sub__(self, other: Any) -> Value:
        return Value(self.space, self.poly - self._other(other))

    def __rsub__(self, other: Any) -> Value:
        return Value(self.space, self._other(other) - self.poly)

    def __mul__(self, other: Any) -> Value:
        right = self._other(other)
        if len(self.poly) * len(right) > 20 * LARGEST:
            raise TooManyTerms
        return Value(self.space, self.space.reduce(self.poly * right))

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self.poly)

    def __eq__(self, other: object) -> bool:
        return bool(self.poly == self._other(other))

    def __hash__(self) -> int:
        return hash(self.poly)

    def evaluate(self, numbers: Sequence[Any]) -> Any:
        """The value at these values of the generators; constants become floats."""
        total: Any = 0.0
        for monomial, factor in self.poly.items():
            term: Any = float(factor)
            for number, power in zip(numbers, monomial):
                for _ in range(power):
                    term = number * term
            total = term + total
        return total

    def derivative(self, coordinate: int, symbol: Symbol | None) -> Value:
        """The derivative by a coordinate: through the angles that it turns, and its symbol if it slides."""
        total = self.space.ring.zero
        for turn in self.space.turns:
            weight = turn.weights.get(coordinate)
            if weight:
                c, s = self.space.generators[turn.cosine], self.space.generators[turn.sine]
                change = self.poly.diff(s) * c - self.poly.diff(c) * s
                total += change * QQ(*weight.as_integer_ratio())
        if symbol is not None:
            total += self.poly.diff(self.space.generators[self.space.place[symbol]])
        return Value(self.space, self.space.reduce(total))


Terms = dict[tuple[Any, ...], Any]


def expression(value: Value, leading: Iterable[Symbol] = (), inertial: Iterable[Symbol] = ()) -> Expr:
    """The value in the textbook's form: differences of angles, squares of sines, common factors outside.

    Terms are grouped by the `leading` symbols (rates and accelerations), then by the `inertial` symbols, in
    which dynamics are linear.
    """
    space = value.space
    faces: dict[Any, Expr] = {i: symbol for symbol, i in space.place.items()}
    for turn in space.turns:
        faces[turn.cosine], faces[turn.sine] = cos(turn.shown), sin(turn.shown)
    terms = {_sparse(monomial): factor for monomial, factor in value.poly.items()}
    for i, first in enumerate(space.turns):
        for second in space.turns[i + 1 :]:
            if second.chain == first.chain:
                _join(terms, first, second, faces)
    for turn in space.turns:
        _square(terms, turn)
    return _group(terms, faces, *({space.place[symbol] for symbol in group} for group in (leading, inertial)))


def _sparse(monomial: Monomial) -> tuple[tuple[Any, int], ...]:
    return tuple((i, power) for i, power in enumerate(monomial) if power)


def _times(powers: Mapping[Any, int], **_: Any) -> tuple[tuple[Any, int], ...]:
    return tuple(sorted(((k, p) for k, p in powers.items() if p), key=lambda item: str(item[0]).zfill(8)))


def _join(terms: Terms, a: Turn, b: Turn, faces: dict[Any, Expr]) -> None:
    """K (cos b cos a + sin b sin a) = K cos(b - a), K (sin b cos a - cos b sin a) = K sin(b - a)."""
    difference = b.shown - a.shown
    for kind, face, (x, y), (u, v), sign in (
        ("c", cos(difference), (a.cosine, b.cosine), (a.sine, b.sine), 1),
        ("s", sin(difference), (a.cosine, b.sine), (a.sine, b.cosine), -1),
    ):
        name = (kind, a.cosine, b.cosine)
        for key in list(terms):
            powers = dict(key)
            if key not in terms or not (powers.get(x) and powers.get(y)):
                continue
            powers[x] -= 1
            powers[y] -= 1
            partner = _times({**powers, u: powers.get(u, 0) + 1, v: powers.get(v, 0) + 1})
            factor = terms[key]
            if terms.get(partner) == sign * factor:
                del terms[key], terms[partner]
                faces[name] = face
                _add(terms, _times({**powers, name: powers.get(name, 0) + 1}), factor)


def _square(terms: Terms, turn: Turn) -> None:
    """K - K cos^2 = K sin^2."""
    for key in list(terms):
        powers = dict(key)
        if key not in terms or powers.get(turn.cosine, 0) < 2:
            continue
        powers[turn.cosine] -= 2
        partner = _times(powers)
        if terms.get(partner) == -terms[key]:
            factor = terms.pop(partner)
            del terms[key]
            _add(terms, _times({**powers, turn.sine: powers.get(turn.sine, 0) + 2}), factor)


def _group(terms: Terms, faces: Mapping[Any, Expr], leading: set[Any], inertial: set[Any]) -> Expr:
    groups: dict[tuple[Any, ...], Terms] = {}
    for key, factor in terms.items():
        head = tuple(item for item in key if item[0] in leading)
        groups.setdefault(head, {})[tuple(item for item in key if item[0] not in leading)] = factor
    parts = [
        Mul(_product(head, faces), _factor_out(group, faces, inertial)) for head, group in groups.items()
    ]
    return Add(*parts)


def _factor_out(terms: Terms, faces: Mapping[Any, Expr], inertial: set[Any]) -> Expr:
    """Factor out common factors, then the inertial symbols, the most frequent first."""
    common, counts = dict(next(iter(terms))), Counter[Any]()
    for key in terms:
        powers = dict(key)
        common = {k: min(p, powers.get(k, 0)) for k, p in common.items() if k in powers}
        counts.update(k for k in powers if k in inertial)
    size = _content(terms.values())
    inner = {_times({k: p - common.get(k, 0) for k, p in key}): f / size for key, f in terms.items()}
    outside = number(size) * _product(tuple(common.items()), faces)
    if len(terms) == 1:
        return outside
    best = max((k for k in counts if k not in common), key=counts.__getitem__, default=None)
    if best is None or counts[best] < 2:
        return Mul(outside, Add(*(number(f) * _product(key, faces) for key, f in inner.items())))
    inside = {key: f for key, f in inner.items() if best in dict(key)}
    remainder = {key: f for key, f in inner.items() if best not in dict(key)}
    total = _factor_out(inside, faces, inertial)
    return Mul(outside, Add(total, _factor_out(remainder, faces, inertial)) if remainder else total)


def _content(factors: Collection[Any]) -> Any:
    """The common factor of integers; of fractions only if all are equal, because decimals are data."""
    first = next(iter(factors))
    if all(abs(factor) == abs(first) for factor in factors):
        size = abs(first)
    elif all(factor.denominator == 1 for factor in factors):
        size = QQ(gcd(*(int(factor.numerator) for factor in factors)))
    else:
        size = QQ(1)
    return -size if all(factor < 0 for factor in factors) else size


def _product(key: Sequence[tuple[Any, int]], faces: Mapping[Any, Expr]) -> Expr:
    return Mul(*(faces[k] ** p for k, p in key))


def number(factor: Any) -> Expr:
    """An exact number, or a float for a number without a short decimal."""
    if factor.denominator.bit_length() > 60:
        return Float(float(factor), 17)
    return Rational(int(factor.numerator), int(factor.denominator))

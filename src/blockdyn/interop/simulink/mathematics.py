"""Simulink's blocks of mathematics become blocks of blockdyn."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ...blocks.mathematics.abs import Abs
from ...blocks.mathematics.cross import Cross
from ...blocks.mathematics.expression import Expression
from ...blocks.mathematics.gain import Gain
from ...blocks.mathematics.matrix_gain import MatrixGain
from ...blocks.mathematics.min_max import MinMax
from ...blocks.mathematics.polynomial import Polynomial
from ...blocks.mathematics.product import Product
from ...blocks.mathematics.round import Round
from ...blocks.mathematics.sign import Sign
from ...blocks.mathematics.sqrt import Sqrt
from ...blocks.mathematics.sum import Sum
from ...blocks.mathematics.sum_of_elements import SumOfElements
from ...blocks.mathematics.trigonometry import Trigonometry
from ...blocks.matrices.determinant import Determinant
from ...blocks.matrices.diagonal import Diagonal
from ...blocks.matrices.matrix_inverse import MatrixInverse
from ...blocks.matrices.matrix_product import MatrixProduct
from ...blocks.matrices.pseudo_inverse import PseudoInverse
from ...blocks.matrices.transpose import Transpose
from ...blocks.routing.demux import Demux
from ...blocks.routing.mux import Mux
from ...blocks.routing.reshape import Reshape
from ...blocks.routing.selector import Selector
from ...blocks.sources.constant import Constant
from .matlab import FormulaText, UnreadableText, formula, function_formulas
from .model import port_number
from .use import Ends, Maker, Shape, Untranslated, Use, local_shape, plain


def gain(use: Use) -> Ends:
    """Element by element, or a matrix times the vector, or the vector times a matrix."""
    mode = use.text("Multiplication", "Element-wise(K.*u)")
    if mode.startswith("Element"):
        k, size = use.array("Gain", "1"), local_shape(use.shape(1))
        if len(size) == 2 and k.size > 1 and k.shape != size:
            raise Untranslated(f"a gain of {k.shape} for a signal of {size}")
        return use.single(Gain(plain(k) if len(size) < 2 else _rows(k)))
    k = use.array("Gain", "1")
    if k.size == 1:
        return use.single(Gain(float(k.reshape(-1)[0])))
    if mode.startswith("Matrix(u*K)"):
        if len(local_shape(use.shape(1))) == 2:
            return use.chain(Transpose(), MatrixGain(k.T.tolist()), Transpose())
        k = k.T
    if not local_shape(use.shape(1)):
        return use.single(Gain(plain(k)))
    return use.single(MatrixGain(k.tolist() if k.shape[0] > 1 else k[0].tolist()))


def _rows(value: np.ndarray[Any, Any]) -> Any:
    return float(value.reshape(-1)[0]) if value.size == 1 else value.tolist()


def signs_of(text: str, plus: str, minus: str) -> str:
    """Signs of the inputs; a number stands for as many plus signs."""
    bare = text.replace("|", "").replace(" ", "")
    if bare.isdigit():
        return plus * int(bare)
    if not bare or set(bare) - {plus, minus}:
        raise Untranslated(f"Inputs {text}")
    return bare


def total(use: Use) -> Ends:
    """Sum of the inputs, or with one input of its elements."""
    signs = signs_of(use.text("Inputs", "++"), "+", "-")
    if len(signs) == 1:
        if "Specified" in use.text("CollapseMode", "All dimensions"):
            raise Untranslated("a sum over one dimension", "use a Gain with a matrix of ones")
        factor = Gain(-1.0) if signs == "-" else Gain(1.0)
        return use.single(factor) if not local_shape(use.shape(1)) else use.chain(SumOfElements(), factor)
    return use.single(Sum(signs=signs))


def product(use: Use) -> Ends:
    """Products element by element or of matrices, in order; `/` is the inverse of a matrix."""
    signs = signs_of(use.text("Inputs", "2" if use.block.kind == "Product" else "*/"), "*", "/")
    if use.text("Multiplication", "Element-wise(.*)").startswith("Matrix"):
        return _matrix_product(use, signs)
    if len(signs) == 1:
        width = math.prod(local_shape(use.shape(1)))
        if width == 1:
            return use.single(Expression("1 / u") if signs == "/" else Gain(1.0))
        if len(local_shape(use.shape(1))) == 2 or "Specified" in use.text("CollapseMode", "All dimensions"):
            raise Untranslated("a product over the elements of a matrix", "use a Demux and a Product")
        parts, name = use.add(Demux(counts=[1] * width), "elements"), use.add(Product(signs=signs * width))
        for k, port in enumerate(use.diagram.blocks[name].input_ports()):
            use.wire(f"{parts}.y{k}", f"{name}.{port.name}")
        return Ends({1: [f"{parts}.u"]}, [f"{name}.y"])
    return use.single(Product(signs=signs))


def _matrix_product(use: Use, signs: str) -> Ends:
    """Products of matrices from left to right: rows and columns are vectors here."""
    ends = Ends()
    signal = ""
    size: Shape = ()
    for k, sign in enumerate(signs):
        shape = use.shape(k + 1)
        part = f"{k + 1}"
        source = use.add(Gain(1.0), f"in {part}") if sign == "*" else ""
        if sign == "/":
            if math.prod(shape) == 1:
                source = use.add(Expression("1 / u"), f"in {part}")
            else:
                if len(shape) != 2 or shape[0] != shape[1]:
                    raise Untranslated(f"the inverse of a signal of {shape}")
                source = use.add(MatrixInverse(n=shape[0]), f"in {part}")
        port = next(p.name for p in use.diagram.blocks[source].input_ports())
        ends.inputs[k + 1] = [f"{source}.{port}"]
        out = f"{source}.y"
        if k == 0:
            signal, size = out, shape
            continue
        signal, size = _multiply(use, signal, size, out, shape, part)
    ends.outputs = [signal]
    return ends


def _multiply(
    use: Use, left: str, a: tuple[int, ...], right: str, b: tuple[int, ...], part: str
) -> tuple[str, tuple[int, ...]]:
    """The product of two signals as matrices, and its size in Simulink."""
    if math.prod(a) == 1 or math.prod(b) == 1:
        name = use.add(Product(), f"times {part}")
        ends = (left, right)
        size = b if math.prod(a) == 1 else a
    else:
        a2 = a if len(a) == 2 else ((a[0], 1) if len(b) == 2 and b[0] == 1 else (1, a[0]))
        b2 = b if len(b) == 2 else (b[0], 1)
        if len(a) == 1 and a2 == (1, a[0]) and b2[0] != a[0] and b2[0] == 1:
            a2 = (a[0], 1)
        if a2[1] != b2[0]:
            raise Untranslated(f"a product of matrices of {a} and {b}")
        size = (a2[0], b2[1])
        row, column = a2[0] == 1, b2[1] == 1
        if row and column:
            name = use.add(_dot(), f"times {part}")
        elif a2[1] == 1:
            raise Untranslated("a column times a row")
        elif row:  # u' B is B' u
            name = use.add(MatrixProduct(transposed=True), f"times {part}")
            left, right = right, left
        else:
            name = use.add(MatrixProduct(), f"times {part}")
        ends = (left, right)
        if row and column:
            size = ()
        elif column and (len(b) == 1):
            size = (a2[0],)
    for end, port in zip(ends, use.diagram.blocks[name].input_ports(), strict=True):
        use.wire(end, f"{name}.{port.name}")
    return f"{name}.y", size


def _dot() -> Any:
    from ...blocks.mathematics.dot import Dot

    return Dot()


def dot(use: Use) -> Ends:
    return use.single(_dot() if local_shape(use.shape(1)) else Product())


def absolute(use: Use) -> Ends:
    return use.single(Abs())


def sign(use: Use) -> Ends:
    return use.single(Sign())


def square_root(use: Use) -> Ends:
    operator = use.text("Operator", "sqrt")
    if operator in ("rSqrt", "reciprocalSqrt"):
        return use.single(Expression("1 / sqrt(u)"))
    return use.single(Sqrt(signed=operator == "signedSqrt"))


FORMULAS = {
    "exp": "exp(u)", "log": "log(u)", "10^u": "10 ** u", "log10": "log10(u)", "magnitude^2": "u ** 2",
    "square": "u ** 2", "pow": "u ** v", "conj": "u", "reciprocal": "1 / u", "hypot": "hypot(u, v)",
    "sqrt": "sqrt(u)", "1/sqrt": "1 / sqrt(u)", "signedSqrt": "sign(u) * sqrt(abs(u))",
    "mod": "u if v == 0 else u % v", "rem": "u - v * (floor(u / v) if u / v >= 0 else ceil(u / v))",
}  # fmt: skip
NEXT_TO_MULTIPLE = "abs(u / v - floor(u / v + 0.5)) <= 2.220446049250313e-16 * abs(u / v)"
"""mod and rem are 0 there where the quotient is a whole number but for rounding."""


def math_function(use: Use) -> Ends:
    """A formula, or the transpose of a matrix."""
    operator = use.text("Operator", "exp")
    if operator in ("transpose", "hermitian"):
        return use.single(Transpose() if len(local_shape(use.shape(1))) == 2 else Gain(1.0))
    if operator not in FORMULAS:
        raise Untranslated(f"the function {operator}")
    text = FORMULAS[operator]
    if operator in ("mod", "rem") and use.rate.sampled:
        text = f"u if v == 0 else 0 if {NEXT_TO_MULTIPLE} else {text.removeprefix('u if v == 0 else ')}"
    name = use.add(Expression(text))
    ports = [port.name for port in use.diagram.blocks[name].input_ports()]
    return Ends({"uv".index(port) + 1: [f"{name}.{port}"] for port in ports}, [f"{name}.y"])


def trigonometry(use: Use) -> Ends:
    operator = use.text("Operator", "sin")
    more = {
        "asinh": "log(u + sqrt(u ** 2 + 1)) if u >= 0 else -log(sqrt(u ** 2 + 1) - u)",
        "acosh": "log(u + sqrt(u ** 2 - 1))", "atanh": "0.5 * log((1 + u) / (1 - u))",
    }  # fmt: skip
    if operator in more:
        return use.single(Expression(more[operator]))
    if operator == "sincos":
        name, both = use.add(Expression("sin(u)")), use.add(Expression("cos(u)"), "cos")
        return Ends({1: [f"{name}.u", f"{both}.u"]}, [f"{name}.y", f"{both}.y"])
    if operator == "cos + jsin":
        raise Untranslated("complex signals")
    return use.single(Trigonometry(operator))


def min_max(use: Use) -> Ends:
    """The minimum or maximum of the inputs, or of the elements of one input."""
    count, function = int(use.number("Inputs", "1")), use.text("Function", "min")
    if count > 1:
        return use.single(MinMax(function=function, count=count))
    width = use.width(1)
    if width == 1:
        return use.single(Gain(1.0))
    parts = use.add(Demux(counts=[1] * width), "elements")
    name = use.add(MinMax(function=function, count=width))
    for k in range(width):
        use.wire(f"{parts}.y{k}", f"{name}.u{k}")
    return Ends({1: [f"{parts}.u"]}, [f"{name}.y"])


def rounding(use: Use) -> Ends:
    return use.single(Round(use.text("Operator", "floor")))


def polynomial(use: Use) -> Ends:
    return use.single(Polynomial(use.vector("Coefs" if "Coefs" in use.block.fields else "coefs", "[]")))


def bias(use: Use) -> Ends:
    """A constant added."""
    name, offset = use.add(Sum()), use.add(Constant(use.plain("Bias", "0")), "bias")
    use.wire(f"{offset}.y", f"{name}.u1")
    return Ends({1: [f"{name}.u0"]}, [f"{name}.y"])


def minus(use: Use) -> Ends:
    return use.single(Gain(-1.0))


def slider_gain(use: Use) -> Ends:
    return use.single(Gain(use.number("gain", "1")))


def degrees(use: Use) -> Ends:
    """Radians to degrees, or back."""
    factor = 180.0 / math.pi
    return use.single(Gain(factor if "to Degrees" in " ".join(use.block.kind.split()) else 1.0 / factor))


def function(use: Use) -> Ends:
    """A formula of the elements of the input, whose conditions are events."""
    text = use.text("Expr", "sin(u(1)*exp(2.3*(-u(2))))")
    return formula_blocks(use, text, fcn=True)


def function_text(use: Use) -> str:
    """The expression of an Interpreted MATLAB Function; a pose in the plane times a point is a function."""
    text = use.text("MATLABFcn", "sin").rstrip(";").strip()
    return re.sub(r"\bSE2\((\w+)\)\s*\*\s*(\[[^\[\]]*\])", r"se2_times(\1, \2)", text)


def matlab_expression(use: Use) -> Ends:
    """MATLAB arithmetic of the input; `inv` and other functions of a matrix are blocks."""
    text = function_text(use)
    bare = re.fullmatch(r"(\w+)(?:\(u\))?", text)
    shape = local_shape(use.shape(1))
    if bare and bare[1] in ("inv", "pinv", "det", "transpose", "norm") and len(shape) == 2:
        if bare[1] == "inv":
            return use.single(MatrixInverse(n=shape[0]))
        if bare[1] == "pinv":
            return use.single(PseudoInverse(rows=shape[0], columns=shape[1]), outputs=["y"])
        if bare[1] in ("det", "transpose"):
            return use.single(Determinant() if bare[1] == "det" else Transpose())
    if bare and "(" not in text and bare[1] != "u":
        text = f"{bare[1]}(u)"
    return formula_blocks(use, text)


def formula_blocks(use: Use, text: str, *, fcn: bool = False) -> Ends:
    """Expressions for each element of the result, which is a Mux of them."""
    shape = use.shape(1)
    width: Any = None if fcn and not shape else shape if len(shape) == 2 else math.prod(shape)
    try:
        files = {} if fcn else use.translator.model.function_files(text)
        result = formula(text, {"u": width}, use.scope, fcn=fcn, files=files)
    except UnreadableText as error:
        raise Untranslated(
            f"`{text[:60]}`: {error.problem}",
            f'give a function: --replace "{use.block.path}=FILE.py:FUNCTION"',
            sized=True,
        ) from None
    return expressions(use, result, {"u": 1})


def expressions(use: Use, result: FormulaText, ports: dict[str, int], part: str = "") -> Ends:
    """Blocks of formulas over elements of inputs; a result of several elements has its size in Simulink."""
    ends = Ends({port: [] for port in ports.values()})
    taken: dict[tuple[int, int], str] = {}
    names = []
    for k, text in enumerate(result.texts):
        words = set(re.findall(r"[A-Za-z_]\w*", text))
        coefficients = {n: v for n, v in result.coefficients.items() if n in words}
        label = part if len(result.texts) == 1 else f"{part} {k + 1}".strip()
        if not words & set(result.inputs) and "t" not in words:
            names.append(use.add(Constant(_constant(text, coefficients)), label))
            continue
        block = Expression(text, coefficients=coefficients or None)
        name = use.add(block, label)
        names.append(name)
        for port in block.input_ports():
            number, element = ports[result.sources[port.name]], result.inputs[port.name]
            shape = local_shape(use.shape(number))
            if not shape:
                ends.inputs[number].append(f"{name}.{port.name}")
                continue
            if (number, element) not in taken:
                row, column = (element - 1) % shape[0], (element - 1) // shape[0]
                chosen = (
                    Selector(rows=row, columns=column) if len(shape) == 2 else Selector(indices=element - 1)
                )
                taken[number, element] = use.add(chosen, f"{part} in {number} {element}".strip())
                ends.inputs[number].append(f"{taken[number, element]}.u")
            use.wire(f"{taken[number, element]}.y", f"{name}.{port.name}")
    if len(names) == 1:
        ends.outputs = [f"{names[0]}.y"]
        return ends
    mux = use.add(Mux(count=len(names)), f"{part} all".strip())
    for k, name in enumerate(_by_rows(names, result.shape)):
        use.wire(f"{name}.y", f"{mux}.u{k}")
    ends.outputs = [f"{mux}.y"]
    size = local_shape(result.shape)
    if len(size) == 2:
        name = use.add(Reshape(list(size)), f"{part} matrix".strip())
        use.wire(f"{mux}.y", f"{name}.u")
        ends.outputs = [f"{name}.y"]
    return ends


def _by_rows(names: list[str], shape: tuple[int, ...]) -> list[str]:
    """Elements in the order of rows, which Reshape takes, of a list by columns."""
    if len(local_shape(shape)) < 2:
        return names
    rows, columns = shape
    return [names[c * rows + r] for r in range(rows) for c in range(columns)]


def _constant(text: str, coefficients: dict[str, float]) -> float:
    from ...blocks.contract.formula import evaluate, parse

    return float(evaluate(parse(text).root, coefficients))


def cross(use: Use) -> Ends:
    return use.single(Cross())


def square_inverse(use: Use) -> Ends:
    return use.single(MatrixInverse(n=local_shape(use.shape(1))[0]))


def pseudo_inverse(use: Use) -> Ends:
    rows, columns = local_shape(use.shape(1))
    return use.single(PseudoInverse(rows=rows, columns=columns), outputs=["y"])


def diagonal(use: Use) -> Ends:
    return use.single(Diagonal("matrix" if "Create" in use.block.kind else "vector"))


def determinant(use: Use) -> Ends:
    return use.single(Determinant())


def matlab_results(use: Use) -> list[FormulaText]:
    """Formulas of the outputs of a MATLAB Function block. Raises Untranslated."""
    texts = use.translator.model.functions
    path = use.block.path
    blocks = {block.name for block in use.translator.model.root.blocks}
    text = texts.get(path, "")
    for name, other in () if text else texts.items():
        bare = " ".join(name.split())
        model, _, inside = bare.partition("/")  # older files begin with the name of the model
        if bare == path or (inside == path and model not in blocks):
            text = other
    if not text:
        raise Untranslated(
            "a chart of Stateflow, or a MATLAB function whose text is not in the file", replace_remedy(use)
        )
    inner = use.block.inner
    names = re.search(r"function\s*(?:\[?[\w\s,~]*\]?\s*=)?\s*\w+\s*\(([^)]*)\)", text)
    listed = [n.strip() for n in names[1].split(",") if n.strip()] if names else []
    ports = [b.name for b in inner.of_kind("Inport")] if inner else listed
    widths: dict[str, Any] = {}
    for k, name in enumerate(listed):
        if name in ports or (k < len(use.shapes) and not ports):
            place = ports.index(name) if name in ports else k
            number = port_number(inner.of_kind("Inport")[place]) if inner else place + 1
            shape = use.shape(number)
            widths[name] = shape if len(shape) == 2 else math.prod(shape)
        elif name != "~" and use.scope.get(name) is None:
            raise Untranslated(f"its parameter `{name}` has no value", GIVE_VALUES)
    try:
        files = use.translator.model.function_files(text)
        result = function_formulas(text, widths, use.scope, files=files)
    except UnreadableText as error:
        raise Untranslated(
            f"its MATLAB text, line {error.line}: {error.problem}", replace_remedy(use), sized=True
        ) from None
    return list(result.outputs.values())


GIVE_VALUES = "give variables with --value NAME=... or --values FILE.m"


def replace_remedy(use: Use) -> str:
    """The option that gives a function in place of a block."""
    return f'give a function: --replace "{use.block.path}=FILE.py:FUNCTION"'


def matlab_function(use: Use) -> Ends:
    """The formulas of a MATLAB Function block, output by output."""
    results = matlab_results(use)
    inner = use.block.inner
    ports = {b.name: port_number(b) for b in inner.of_kind("Inport")} if inner else {}
    ends = Ends({k + 1: [] for k in range(use.block.inputs)})
    for k, result in enumerate(results):
        part = expressions(use, result, ports, f"out {k + 1}" if len(results) > 1 else "")
        for port, readers in part.inputs.items():
            ends.inputs.setdefault(port, []).extend(readers)
        ends.outputs += part.outputs
    return ends


MATHEMATICS: dict[str, Maker] = {
    "Gain": gain,
    "Sum": total,
    "Product": product,
    "DotProduct": dot,
    "Abs": absolute,
    "Signum": sign,
    "Sqrt": square_root,
    "Math": math_function,
    "Trigonometry": trigonometry,
    "MinMax": min_max,
    "Rounding": rounding,
    "Polyval": polynomial,
    "Bias": bias,
    "UnaryMinus": minus,
    "Slider Gain": slider_gain,
    "Radians to Degrees": degrees,
    "Degrees to Radians": degrees,
    "Fcn": function,
    "MATLABFcn": matlab_expression,
    "Cross Product": cross,
    "LU Inverse": square_inverse,
    "Invert 3x3 Matrix": square_inverse,
    "Pseudoinverse": pseudo_inverse,
    "Create Diagonal Matrix": diagonal,
    "Extract Diagonal": diagonal,
    "Determinant of 3x3 Matrix": determinant,
}

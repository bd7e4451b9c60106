"""The structure of the house: few links, full modules, short functions, no circles of imports."""

from __future__ import annotations

import ast
import gc
import statistics
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

pytestmark = pytest.mark.xdist_group("imports")  # the syntax trees are read once
PACKAGE = Path(__file__).parents[1] / "src" / "blockdyn"


@cache
def trees() -> dict[str, ast.Module]:
    """Every module by its dotted name from the package, the three linked packages included."""
    roots = [path for path in PACKAGE.iterdir() if path.is_dir()]
    files = [*PACKAGE.glob("*.py"), *(file for root in roots for file in root.rglob("*.py"))]
    return {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts): ast.parse(file.read_text(encoding="utf-8"))
        for file in files
    }


@pytest.fixture(autouse=True, scope="module")
def no_garbage_collection() -> Iterator[None]:
    """Each collection visits a million nodes of syntax trees; later tests are spared them, too."""
    gc.disable()
    yield
    trees.cache_clear()
    functions.cache_clear()
    gc.enable()


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        (name, node) for name, tree in trees().items() for node in ast.walk(tree) if isinstance(node, kinds)
    ]


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    first = node.body[0]
    described = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if described else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def sizes() -> list[int]:
    """Lines of the modules that are not blocks."""
    return [
        len((PACKAGE / Path(*name.split("."))).with_suffix(".py").read_text(encoding="utf-8").splitlines())
        for name in trees()
        if not name.startswith("blocks.") and not name.endswith("__init__")
    ]


def imports() -> networkx.DiGraph:
    """Which module imports which, late imports and imports for types included."""
    graph, modules = networkx.DiGraph(), {name.removesuffix(".__init__") for name in trees()}
    for name, tree in trees().items():
        own = name.removesuffix(".__init__")
        package = own.split(".") if name.endswith("__init__") else own.split(".")[:-1]
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            start = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            base = [part for part in start if part]
            for alias in node.names:
                target = ".".join([*base, alias.name])
                graph.add_edge(own, target if target in modules else ".".join(base))
    return graph


def test_three_packages_are_links() -> None:
    links = {path.name for path in PACKAGE.iterdir() if path.is_symlink()}
    assert links == {"blocks", "diagrams", "solvers"}


def test_functions_are_short() -> None:
    long = [f"{name}: {node.name}" for name, node in functions() if code_lines(node) > 60]
    assert len(long) <= 15, long


def test_functions_take_few_positional_arguments() -> None:
    wide = [
        f"{name}: {node.name}"
        for name, node in functions()
        if len(node.args.posonlyargs) + len(node.args.args) > 12
    ]
    assert len(wide) <= 10, wide


def test_imports_make_few_circles() -> None:
    """Diagram, Block and Robot lead to what is done with them; that circle stays small."""
    largest = max(networkx.strongly_connected_components(imports()), key=len)
    assert len(largest) <= 23, sorted(largest)


def test_folders_hold_at_most_thirty_modules() -> None:
    """Families of blocks may hold more."""
    modules = Counter(name.rpartition(".")[0] for name in trees() if not name.startswith("blocks."))
    assert {folder for folder, count in modules.items() if count > 30} <= {"diagrams.model"}


def test_modules_are_full() -> None:
    lines = sizes()
    assert len(lines) <= 700
    assert statistics.median(lines) >= 120
    assert sum(size < 60 for size in lines) <= 110


def test_few_parameters_are_any() -> None:
    annotations = [
        argument.annotation
        for _, node in functions()
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.arg not in ("self", "cls")
    ]
    open_ones = [each for each in annotations if each is not None and ast.unparse(each) == "Any"]
    assert len(open_ones) <= 0.05 * len(annotations)

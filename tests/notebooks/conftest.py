"""A notebook that is run without a window, and what its cells show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Outputs = list[list[Any]]


@pytest.fixture(scope="session")
def run_notebook(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Outputs]:
    """The outputs of every cell; errors are outputs too."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")

    def run(*cells: str) -> Outputs:
        written = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        folder = str(tmp_path_factory.mktemp("notebook"))
        client = nbclient.NotebookClient(
            written, timeout=300, allow_errors=True, resources={"metadata": {"path": folder}}
        )
        client.execute()
        return [cell.outputs for cell in written.cells]

    return run

"""The package `fuzz`, which is not installed, by its place: no folder of the tree enters sys.path."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tools" / "fuzz"

spec = spec_from_file_location("fuzz", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)])
assert spec is not None
assert spec.loader is not None
sys.modules["fuzz"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["fuzz"])

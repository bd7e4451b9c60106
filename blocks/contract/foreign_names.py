"""Foreign names: which block a name may mean that no block has."""

from __future__ import annotations

from collections.abc import Collection

from ...base.absence import absence
from .registry import names
from .synonyms import counterpart, meant


def block_named(name: str, choices: Collection[str]) -> str:
    """What to add to the error for an unknown name: the block meant; in small letters, none that is near."""
    if name[:1].isupper():
        return meant(name, choices)
    exact = {other.casefold(): other for other in choices if other[:1].isupper()}.get(name.casefold())
    entry = counterpart(name)
    if exact is None and entry is not None and entry.type in choices:
        return meant(name, choices)
    return f", did you mean `{exact}`?" if exact else ""


def no_block_here(module: str, name: str) -> AttributeError | ImportError:
    """The error of a package without a block, whose blocks are names of blockdyn itself."""
    block_names = list(names())
    guess = "" if name in block_names else meant(name, block_names)
    block = name if name in block_names else guess.partition("`")[2].partition("`")[0] or "Gain"
    hint = f"\nblocks are names of blockdyn itself: `from blockdyn import {block}`"
    return absence(f"module {module!r} has no attribute {name!r}{guess}{hint}", level=3)

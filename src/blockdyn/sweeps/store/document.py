"""Document: a store's metadata, as they were written or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...base.regular import read_regular
from ..errors import StoreError
from .files import METADATA, SEAL, TEMPORARY, unsealed
from .making import FORMAT, UNCHECKED


def document_of(place: Path) -> dict[str, Any]:
    """The metadata of the store that is there. Raises StoreError, OSError."""
    if not (place / METADATA).is_file():
        raise StoreError(f"there is no store at {place}", "name the folder that a sweep has written")
    damaged = f"the store {place} is damaged: {place / METADATA} is not what was written"
    remedy = "bring this file back from a copy; without it nobody knows which sweep the store is of"
    try:
        document: dict[str, Any] = json.loads(read_regular(place / METADATA))
        if SEAL in document["attributes"] and unsealed(document):
            raise StoreError(damaged, remedy)
        sweep = document["attributes"]["blockdyn_sweep"]
        version = sweep["format"]
    except (KeyError, TypeError):
        if (place / TEMPORARY).is_dir():  # as stores have
            raise StoreError(damaged, remedy) from None
        raise StoreError(f"{place} is no store of a sweep", "name another folder") from None
    except ValueError:
        raise StoreError(damaged, remedy) from None
    if version not in (UNCHECKED, FORMAT):
        raise StoreError(
            f"the store {place} has format {version}; this blockdyn reads and writes format {FORMAT}",
            "use the version of blockdyn that wrote it",
        )
    if version != UNCHECKED and unsealed(document):
        raise StoreError(damaged, remedy)
    return document

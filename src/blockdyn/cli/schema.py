"""`blockdyn schema`: the JSON Schema of diagram files."""

from __future__ import annotations

from argparse import Namespace

from ..diagrams.yaml import json_schema
from .console import show_json


def schema(arguments: Namespace) -> int:
    """Print the schema, with the block types of this installation."""
    show_json(json_schema())
    return 0

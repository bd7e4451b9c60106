"""Construction: a block's constructor, whose errors name the parameter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .errors import wrong_arguments

if TYPE_CHECKING:
    from .block import Block


def naming(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor whose errors name the parameter that is missing, or one that the block has not."""

    @functools.wraps(init)
    def construct(self: Block, *values: Any, **named: Any) -> None:
        try:
            init(self, *values, **named)
        except TypeError:
            told = wrong_arguments(self, values, named)
            if told is None:
                raise
            raise told from None

    return construct

"""Construction: a block's constructor, whose errors name the parameter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .errors import ParameterError, wrong_arguments
from .foreign_systems import check_no_system

if TYPE_CHECKING:
    from .block import Block


def naming(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor whose errors name the missing parameter, or the one that the block does not have."""

    @functools.wraps(init)
    def construct(self: Block, *values: Any, **named: Any) -> None:
        # Checked only after Python has raised an error: valid calls cost nothing extra.
        try:
            init(self, *values, **named)
        except ParameterError:
            check_no_system(self.kind(), (*values, *named.values()))
            raise
        except TypeError:
            check_no_system(self.kind(), (*values, *named.values()))
            clearer = wrong_arguments(self, values, named)
            if clearer is None:
                raise
            raise clearer from None

    return construct

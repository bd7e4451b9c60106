"""The machine code of a text is kept by content, in memory and in the store."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256

from ...native import cache
from ...native.engine import Code, load_object, object_of
from ...native.fingerprint import toolchain
from ...native.kernel import Kernel
from .emit.functions import Text

_codes: OrderedDict[str, Code] = OrderedDict()
_lock = threading.Lock()
FINE, MEDIUM = 40, 250  # output functions up to which LLVM works at levels 2 and 1
KEPT = 128  # programs whose machine code stays loaded although nothing runs it


def compile_text(
    text: Text, names: Sequence[str], make: Callable[[str, list[Kernel], int], bytes] | None = None
) -> Code:
    """The machine code of a text's functions: from memory, the store, or LLVM.

    `make` makes it of text, kernels and level in another way; `names` are then part of the key in the store.
    """
    kernels = list(text.kernels.values())
    runtime = any(kernel.runtime for kernel in kernels)
    digest = sha256(text.text.encode())
    for symbol in sorted(text.kernels):
        digest.update(symbol.encode())
    if make is not None:
        digest.update(" ".join(names).encode())
    digest.update(toolchain().encode())
    key = digest.hexdigest()
    with _lock:
        if key in _codes:
            _codes.move_to_end(key)
            return _codes[key]
    data = None if len(text.callbacks) else cache.read(f"{key}.program")
    if data is None:
        level = _level(len(text.plan.order))
        if make is not None:
            data = make(text.text, kernels, level)
        else:
            data = object_of(text.text, kernels, list(names), level=level)
        if not len(text.callbacks):
            cache.write(f"{key}.program", data)
    code = load_object(data, names, runtime=runtime)
    with _lock:
        _codes[key] = code
        while len(_codes) > KEPT:
            _codes.popitem(last=False)
    return code


def _level(tasks: int) -> int:
    """LLVM's level by a diagram's size: nobody waits for a compiler, and large diagrams are fast enough."""
    return 2 if tasks <= FINE else 1 if tasks <= MEDIUM else 0

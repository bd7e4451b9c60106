"""Control flow of a function as nested statements: loops, branches, and jumps where neither fits.

Source: N. Ramsey, Beyond Relooper: recursive translation of unstructured control flow to structured control
flow, Proc. ACM Program. Lang. 6 (ICFP 2022), https://doi.org/10.1145/3547621. C has `goto`, so that only the
order of the blocks and the natural loops are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...native.tangent.reading import Block


class Flow:
    """The blocks of a function, in reverse postorder, with their dominators and natural loops.

    A block is an index. LLVM's optimised functions are reducible: the header of a loop dominates it.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.index = {block.label: k for k, block in enumerate(blocks)}
        self.followers = [[self.index[label] for label in dict.fromkeys(block.followers)] for block in blocks]
        self.before: list[list[int]] = [[] for _ in blocks]
        for k, following in enumerate(self.followers):
            for each in following:
                self.before[each].append(k)

    @cached_property
    def dominator(self) -> list[int]:
        """The immediate dominator of each block; the first one dominates itself."""
        dominator = [0] + [-1] * (len(self.blocks) - 1)
        changed = True
        while changed:
            changed = False
            for k in range(1, len(self.blocks)):
                reached = [each for each in self.before[k] if dominator[each] >= 0]
                common = reached[0]
                for each in reached[1:]:
                    while common != each:
                        if common > each:
                            common = dominator[common]
                        else:
                            each = dominator[each]
                changed |= dominator[k] != common
                dominator[k] = common
        return dominator

    @cached_property
    def loops(self) -> dict[int, set[int]]:
        """The blocks of each natural loop, by its header."""
        loops: dict[int, set[int]] = {}
        for header in range(len(self.blocks)):
            ends = [each for each in self.before[header] if each >= header]
            inside = {header}
            while ends:
                block = ends.pop()
                if block not in inside:
                    inside.add(block)
                    ends += self.before[block]
            if len(inside) > 1 or header in self.followers[header]:
                loops[header] = inside
        return loops

    @cached_property
    def owned(self) -> list[list[int]]:
        """Per block the blocks that follow its statements, of which it is the dominator, in their order.

        A block after a loop follows the whole loop.
        """
        owned: list[list[int]] = [[] for _ in self.blocks]
        for k in range(1, len(self.blocks)):
            owner = self.dominator[k]
            around = [h for h, inside in self.loops.items() if owner in inside and k not in inside]
            owned[min(around, default=owner)].append(k)
        return owned

    def leaves(self, header: int, block: int) -> bool:
        """True if a block comes after the loop of a header."""
        return header in self.loops and block not in self.loops[header]

    def merges(self, block: int) -> bool:
        """True if a block is reached from several places, or from a loop that it follows."""
        forward = [each for each in self.before[block] if each < block]
        owner = self.dominator[block]
        return len(forward) > 1 or any(
            owner in inside and block not in inside for inside in self.loops.values()
        )

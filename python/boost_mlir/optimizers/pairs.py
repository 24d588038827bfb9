# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the factors of linears among the parameters, by their names."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..naming import named_leaves

Pairs = Callable[[Sequence[str]], Iterable[tuple[str, str]]]


def named_pairs(down: str = "down", up: str = "up") -> Pairs:
    """Finds pairs by the last part of their names: `layers.0.attn.q.down` and
    `layers.0.attn.q.up`, unless a third parameter is beside them. A linear `up` of an MLP that is
    not factored is therefore none.

    down: the last part of the name of a factor `[..., d_in, r]`.
    up:   that of a factor `[..., r, d_out]`.
    """

    def find(names):
        members = {}
        for name in names:
            place, _, last = name.rpartition(".")
            members.setdefault(place, set()).add(last)
        join = lambda place, last: f"{place}.{last}" if place else last
        return [
            (join(place, down), join(place, up))
            for place, found in members.items()
            if found == {down, up}
        ]

    return find


@dataclasses.dataclass(frozen=True)
class Split:
    """The leaves of a tree of parameters, as pairs of factors and the rest.

    structure: that of the tree.
    pairs:     the numbers of the leaves `[..., d_in, r]` and `[..., r, d_out]` of each pair.
    """

    structure: Any
    pairs: tuple[tuple[int, int], ...]

    def factors(self, tree) -> list[tuple[Any, Any]]:
        """The pairs of a tree like the parameters."""
        leaves = self.structure.flatten_up_to(tree)
        return [(leaves[down], leaves[up]) for down, up in self.pairs]

    def rest(self, tree):
        """The tree with None in the place of factors."""
        paired = {number for pair in self.pairs for number in pair}
        leaves = self.structure.flatten_up_to(tree)
        kept = [None if i in paired else leaf for i, leaf in enumerate(leaves)]
        return jax.tree.unflatten(self.structure, kept)

    def only_factors(self, tree):
        """The tree with None in the place of all but factors."""
        return self.tree(self.factors(tree))

    def tree(self, pairs, rest=None):
        """A tree of pairs, and of the leaves that `rest` has in other places."""
        if rest is None:
            leaves = [None] * self.structure.num_leaves
        else:
            leaves = self.structure.flatten_up_to(rest)
        for numbers, pair in zip(self.pairs, pairs, strict=True):
            for number, leaf in zip(numbers, pair):
                leaves[number] = leaf
        return jax.tree.unflatten(self.structure, leaves)


def split(params, pairs: Pairs) -> Split:
    """Divides parameters. Raises ValueError if `pairs` finds none, or what is no pair."""
    named = named_leaves(params)
    shapes = {name: jnp.shape(leaf) for name, leaf in named}
    numbers = {name: i for i, (name, _) in enumerate(named)}
    found = sorted(map(tuple, pairs(list(shapes))), key=lambda pair: numbers.get(pair[0], 0))
    if not found:
        raise ValueError(
            f"expects pairs of factors, but got none among {', '.join(list(shapes)[:4])}, ...; say "
            "by 'pairs' which they are, for example named_pairs('a', 'b')"
        )
    for name, count in Counter(name for pair in found for name in pair).items():
        if name not in shapes:
            raise ValueError(f"expects names of parameters from 'pairs', but got '{name}'")
        if count > 1:
            raise ValueError(f"expects a parameter in one pair, but '{name}' is in {count}")
    for down, up in found:
        _check_pair(down, shapes[down], up, shapes[up])
    return Split(
        jax.tree.structure(params), tuple((numbers[down], numbers[up]) for down, up in found)
    )


def _check_pair(down, down_shape, up, up_shape):
    is_pair = (
        len(down_shape) == len(up_shape) >= 2
        and down_shape[:-2] == up_shape[:-2]
        and down_shape[-1] == up_shape[-2]
    )
    if not is_pair:
        raise ValueError(
            f"expects factors [..., d_in, r] and [..., r, d_out], but '{down}' is "
            f"{list(down_shape)} and '{up}' is {list(up_shape)}"
        )

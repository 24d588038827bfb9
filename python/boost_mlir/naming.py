# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the leaves of a pytree: the path to them, joined with dots.

Parameters that are one array have no path, and are called `params`. A leaf of the batch has the
name of its argument in front of its path.
"""

from __future__ import annotations

import jax
from jax.tree_util import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey


_WHOLE = "params"


def path_name(path) -> str:
    """`(DictKey('layers'), SequenceKey(0), DictKey('norm'))` is `layers.0.norm`."""
    return ".".join(map(_key_name, path)) if path else _WHOLE


def _key_name(key) -> str:
    match key:
        case DictKey(key=value) | FlattenedIndexKey(key=value):
            return str(value)
        case SequenceKey(idx=index):
            return str(index)
        case GetAttrKey(name=name):
            return name
    return str(key)


def tree_names(tree):
    """A tree of the same structure that holds the name of each leaf."""
    return jax.tree_util.tree_map_with_path(lambda path, _: path_name(path), tree)


def named_leaves(tree):
    """The leaves of a tree in order, each with its name."""
    return [(path_name(path), leaf) for path, leaf in jax.tree_util.tree_leaves_with_path(tree)]


def batch_leaves(argument: str, tree):
    """The leaves of an argument of the batch in order, each with its name."""
    return [
        (".".join([argument, *map(_key_name, path)]), leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(tree)
    ]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mesh of ranks in one process, and the collectives over it, for `ir_eval`."""

from __future__ import annotations

import numpy as np

REDUCTIONS = {"sum": np.add, "max": np.maximum, "min": np.minimum, "product": np.multiply}


class Mesh:
    """Ranks in row-major order over named axes; a mesh without axes has one rank."""

    def __init__(self, shape, names):
        self.shape, self.names = tuple(shape), list(names)
        self.size = int(np.prod(self.shape, dtype=int))

    def index(self, rank, axes):
        """The position of a rank among those that differ from it along `axes`."""
        coordinates = np.unravel_index(rank, self.shape) if self.shape else ()
        position = 0
        for axis in axes:
            position = position * self.shape[axis] + int(coordinates[axis])
        return position

    def groups(self, axes):
        """Lists of ranks, each in the order of `index`."""
        members = {}
        others = [axis for axis in range(len(self.shape)) if axis not in axes]
        for rank in range(self.size):
            members.setdefault(self.index(rank, others), []).append(rank)
        return [
            sorted(group, key=lambda rank: self.index(rank, axes)) for group in members.values()
        ]

    def _part(self, rank, split, shape):
        """The slices of a global shape that a rank holds."""
        slices = []
        for dim, size in enumerate(shape):
            axes = [self.names.index(name) for name in (split[dim] if split else [])]
            pieces = int(np.prod([self.shape[axis] for axis in axes], dtype=int))
            if size % pieces:
                raise AssertionError(f"a dimension of {size} is cut into {pieces}")
            begin = self.index(rank, axes) * (size // pieces)
            slices.append(slice(begin, begin + size // pieces))
        return tuple(slices)

    def cut(self, value, split):
        return [value[self._part(rank, split, value.shape)] for rank in range(self.size)]

    def join(self, name, parts, split):
        shape = list(parts[0].shape)
        for dim, axes in enumerate(split or []):
            for axis in axes:
                shape[dim] *= self.shape[self.names.index(axis)]
        result = np.empty(shape, parts[0].dtype)
        for rank, part in enumerate(parts):
            result[self._part(rank, split, shape)] = part
        # Ranks with the same part must agree: what is left partial differs.
        for rank, part in enumerate(parts):
            np.testing.assert_allclose(
                part,
                result[self._part(rank, split, shape)],
                rtol=1e-9,
                atol=1e-12,
                err_msg=f"ranks disagree on '{name}'",
            )
        return result


def _over_groups(mesh, op, values, combine):
    """`combine` maps the values of a group's members to their results."""
    results = [None] * mesh.size
    for group in mesh.groups(op.attributes["grid_axes"]):
        for rank, result in zip(group, combine([values[rank] for rank in group])):
            results[rank] = result
    return results


def _reduce(op, parts):
    return REDUCTIONS[op.attributes.get("reduction", "sum")].reduce(np.stack(parts))


def _all_reduce(mesh, op, operands):
    combine = lambda parts: [_reduce(op, parts)] * len(parts)
    return [_over_groups(mesh, op, value, combine) for value in operands]


def _all_gather(mesh, op, operands):
    combine = lambda parts: [np.concatenate(parts, op.attributes["gather_axis"])] * len(parts)
    return [_over_groups(mesh, op, operands[0], combine)]


def _reduce_scatter(mesh, op, operands):
    combine = lambda parts: np.split(_reduce(op, parts), len(parts), op.attributes["scatter_axis"])
    return [_over_groups(mesh, op, operands[0], combine)]


def _all_slice(mesh, op, operands):
    def combine(parts):
        axis = op.attributes["slice_axis"]
        return [np.split(part, len(parts), axis)[i] for i, part in enumerate(parts)]

    return [_over_groups(mesh, op, operands[0], combine)]


def _all_to_all(mesh, op, operands):
    def combine(parts):
        pieces = [np.split(part, len(parts), op.attributes["split_axis"]) for part in parts]
        axis = op.attributes["concat_axis"]
        return [np.concatenate([piece[i] for piece in pieces], axis) for i in range(len(parts))]

    return [_over_groups(mesh, op, operands[0], combine)]


def _process_index(mesh, op, operands):
    return [[np.int32(mesh.index(rank, op.attributes["grid_axes"])) for rank in range(mesh.size)]]


COLLECTIVES = {
    "boost.all_reduce": _all_reduce,
    "boost.process_index": _process_index,
    "shard.all_gather": _all_gather,
    "shard.all_reduce": _all_reduce,
    "shard.all_slice": _all_slice,
    "shard.all_to_all": _all_to_all,
    "shard.reduce_scatter": _reduce_scatter,
}

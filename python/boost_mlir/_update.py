# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The update of the parameters by an optimizer, as the function `@update` of a module.

An optimizer is a pair of functions, `init(params)` and `update(grads, state, params)`, as
optax has them. docs/HowTo/BringAnUpdate.md says what the compiler expects of the function.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections import Counter
from typing import NamedTuple

import jax
import numpy as np
from jax.tree_util import DictKey, GetAttrKey, tree_leaves_with_path
from jaxlib.mlir import ir

from ._arguments import ArgumentError
from ._initial_states import Constant, Copy, compute, constant_of, initial_states
from ._unsupported import unsupported
from .naming import path_name

_ENTRY = "update"
_PREFIX = "optimizer."
# Kinds of hyper-parameters that `train` computes: the rate of `--lr`, and the number of the step.
_RATE, _STEP = "lr", "step"


@dataclasses.dataclass(frozen=True)
class Described:
    """An argument or result of the update, and what `#boost.tensor` says of it."""

    role: str
    name: str
    fields: dict[str, str] = dataclasses.field(default_factory=dict)

    def attribute(self, context: ir.Context) -> ir.Attribute:
        fields = "".join(f", {field} = {value}" for field, value in self.fields.items())
        text = f"#boost.tensor<{self.role} {_quote(self.name)}{fields}>"
        return ir.Attribute.parse(text, context)


@dataclasses.dataclass(frozen=True)
class Update:
    """A lowered update with its arguments and results, and arrays that states start from."""

    lowered: jax.stages.Lowered
    arguments: list[Described]
    results: list[Described]
    values: dict[str, np.ndarray]
    place: tuple[str, int] | None

    def add_to(self, module: ir.Module) -> None:
        """Adds the function, and those that it calls, to the module of the loss."""
        text = self.lowered.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True)
        context = module.context
        context.allow_unregistered_dialects = True
        own = ir.Module.parse(text, context)
        names = _rename(own, {str(op.name.value) for op in module.body.operations})
        for op in list(own.body.operations):
            module.body.append(op.operation.clone())
            op.operation.erase()
        update = next(op for op in module.body.operations if op.name.value == names["main"])
        update.arg_attrs = self._attributes(self.arguments, context)
        update.res_attrs = self._attributes(self.results, context)
        if self.place:
            definition = ir.Location.file(*self.place, 1, context)
            for argument, described in zip(update.arguments, self.arguments, strict=True):
                argument.set_location(ir.Location.name(described.name, definition))

    @staticmethod
    def _attributes(described, context):
        each = [
            ir.DictAttr.get({"boost.tensor": one.attribute(context)}, context) for one in described
        ]
        return ir.ArrayAttr.get(each, context)


def export_update(optimizer, params, names: list[str], given: list[np.ndarray | None]) -> Update:
    """The update of `params`, a tree of shapes; `names` and `given` have the name and the array,
    if there is one, of each of its leaves. Raises ArgumentError for what is no optimizer."""
    place = _check_optimizer(optimizer)
    maker = _UpdateMaker(optimizer, params, names, given, place)
    return maker.make()


def _check_optimizer(optimizer) -> tuple[str, int] | None:
    """The file and line of its update."""
    functions = [getattr(optimizer, name, None) for name in ("init", "update")]
    if not all(map(callable, functions)):
        raise ArgumentError(
            "expects an optimizer with functions init(params) and update(grads, state, params), "
            f"but got {optimizer!r}"
        )
    code = getattr(inspect.unwrap(functions[1]), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else None


class _RawKeys:
    """An optimizer with random keys in its state as their data, of u32, which programs can keep."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def init(self, params):
        state = self.optimizer.init(params)
        self.makers = jax.tree.map(_key_maker, state)
        return jax.tree.map(_raw, state)

    def update(self, grads, state, params):
        state = jax.tree.map(lambda make, leaf: make(leaf), self.makers, state)
        updates, state = self.optimizer.update(grads, state, params)
        return updates, jax.tree.map(_raw, state)


class _UpdateMaker:
    def __init__(self, optimizer, params, names, given, place):
        self.optimizer = _RawKeys(optimizer)
        self.leaves, self.structure = jax.tree.flatten(params)
        self.paths = [path for path, _ in tree_leaves_with_path(params)]
        self.names = names
        self.place = place
        # Small updates of narrow parameters would be rounded away.
        self.narrow = [jax.numpy.finfo(leaf.dtype).bits < 32 for leaf in self.leaves]
        self.wide = [
            jax.ShapeDtypeStruct(leaf.shape, np.float32) if is_narrow else leaf
            for leaf, is_narrow in zip(self.leaves, self.narrow)
        ]
        self.given = [
            value if value is None else np.asarray(value).astype(leaf.dtype)
            for value, leaf in zip(given, self.wide)
        ]

    def make(self) -> Update:
        start, states = self._trace_init()
        traced = self._trace_update(states)
        self._check_operations(traced)
        hypers = self._find_hypers(states, traced)
        described = self._describe_states(start, states, hypers)
        masters = [
            Described("state", f"master.{name}", self._fields("master", [i], "param"))
            for i, name in enumerate(self.names)
            if self.narrow[i]
        ]
        params = [Described("param", name) for name in self.names]
        gradients = [
            Described("gradient", f"grad.{name}", {"of": _quote(name)}) for name in self.names
        ]
        # Hyper-parameters come back unchanged, and are no results.
        kept = [i for i in range(len(states)) if i not in hypers]
        function = self._function(jax.tree.structure(self.state_tree), kept)
        lowered = jax.jit(function, keep_unused=True).lower(
            *self._arguments([leaf for _, leaf in states])
        )
        new_states = [described[i] for i in kept]
        return Update(
            lowered,
            [*params, *masters, *described, *gradients],
            [*params, *masters, *new_states],
            self.values,
            self.place,
        )

    def _say(self, problem: str) -> ArgumentError:
        where = "{}:{}: ".format(*self.place) if self.place else ""
        return ArgumentError(f"{where}{problem}")

    # Tracing.

    def _trace_init(self):
        """The function that makes the states, and their paths and shapes."""

        def init(*leaves):
            state = self.optimizer.init(jax.tree.unflatten(self.structure, leaves))
            for path, leaf in tree_leaves_with_path(state):
                if not _is_array(leaf):
                    raise self._say(
                        f"expects states that are arrays, but {_spell(path)} is {leaf!r}"
                    )
            return state

        closed, self.state_tree = jax.make_jaxpr(init, return_shape=True)(*self.wide)
        return closed, tree_leaves_with_path(self.state_tree)

    def _trace_update(self, states):
        function = self._function(jax.tree.structure(self.state_tree), range(len(states)))
        try:
            return jax.make_jaxpr(function)(*self._arguments([leaf for _, leaf in states]))
        except TypeError as error:
            if "required" not in str(error):
                raise
            raise self._say(
                f"expects an update that takes grads, state and params, but {error}"
            ) from error

    def _arguments(self, states):
        masters = [leaf for leaf, is_narrow in zip(self.wide, self.narrow) if is_narrow]
        return self.leaves, masters, states, self.wide

    def _function(self, state_structure, kept):
        """The update of flat lists, which returns the states of the numbers `kept`."""

        def update(params, masters, states, gradients):
            masters = iter(masters)
            values = [
                next(masters) if is_narrow else param
                for param, is_narrow in zip(params, self.narrow)
            ]
            new, states = self._apply(values, jax.tree.unflatten(state_structure, states), gradients)
            rounded = [value.astype(leaf.dtype) for value, leaf in zip(new, self.leaves)]
            masters = [value for value, is_narrow in zip(new, self.narrow) if is_narrow]
            states = jax.tree.leaves(states)
            return rounded, masters, [states[i] for i in kept]

        return update

    def _apply(self, values, state, gradients):
        """The new values of parameters and state, as `optax.apply_updates` computes them."""
        updates, new_state = self.optimizer.update(
            jax.tree.unflatten(self.structure, gradients),
            state,
            jax.tree.unflatten(self.structure, values),
        )
        self._check_same("updates", updates, jax.tree.unflatten(self.structure, self.wide), False)
        self._check_same("new states", new_state, self.state_tree, True)
        new = [
            (value + update).astype(value.dtype)
            for value, update in zip(values, jax.tree.leaves(updates))
        ]
        return new, new_state

    def _check_same(self, what, tree, like, has_types):
        if jax.tree.structure(tree) != jax.tree.structure(like):
            raise self._say(
                f"expects {what} in a tree of the structure {jax.tree.structure(like)}, but got "
                f"{jax.tree.structure(tree)}"
            )
        for (path, leaf), expected in zip(tree_leaves_with_path(tree), jax.tree.leaves(like)):
            is_same = np.shape(leaf) == expected.shape
            if has_types:
                is_same &= jax.dtypes.result_type(leaf) == expected.dtype
            if not is_same:
                raise self._say(
                    f"expects {what} of the shape and type of the old, but {_spell(path)} is "
                    f"{jax.dtypes.result_type(leaf)}{list(np.shape(leaf))} in place of "
                    f"{expected.dtype}{list(expected.shape)}"
                )

    def _check_operations(self, traced):
        if found := unsupported(traced.jaxpr):
            lines = "\n  ".join(dict.fromkeys(map(str, found)))
            raise ArgumentError(f"the compiler does not take what the update computes with:\n  {lines}")

    # Describing.

    def _find_hypers(self, states, traced) -> set[int]:
        """The states that `optax.inject_hyperparams` keeps numbers of the run in: floats that
        the update returns as they are. One that a schedule computes is a state."""
        first = len(self.leaves) + sum(self.narrow)
        return {
            i
            for i, (path, leaf) in enumerate(states)
            if _hyper_name(path)
            and leaf.shape == ()
            and leaf.dtype == np.float32
            and traced.jaxpr.outvars[first + i] is traced.jaxpr.invars[first + i]
        }

    def _describe_states(self, start, states, hypers) -> list[Described]:
        origins = self._complete(start, states)
        owners = self._find_owners(states)
        kinds = _hyper_kinds({i: states[i][0] for i in hypers})
        self.values = {}
        described = []
        for i, (path, leaf) in enumerate(states):
            if i in hypers:
                described.append(self._describe_hyper(kinds[i], path, origins[i]))
                continue
            owner, kind, name = owners[i]
            name = _PREFIX + name
            origin = origins[i]
            is_rule = not isinstance(origin, np.ndarray)
            if isinstance(origin, Copy):
                rule = "param" if owner == [origin.argument] else None
            else:
                rule = origin.rule() if is_rule else None
            if rule is None:
                self.values[name] = self._compute(start, i, path) if is_rule else origin
                rule = "array"
            described.append(Described("state", name, self._fields(kind, owner, rule, leaf.dtype)))
        return described

    def _fields(self, kind, owner, rule, dtype=None):
        fields = {"kind": _quote(kind or "state")}
        if owner:
            fields["of"] = _quote(self.names[owner[0]])
        fields["init"] = _quote(rule)
        # Steps from means and moments of zero are ill-conditioned.
        if rule == "zeros" and dtype is not None and jax.dtypes.issubdtype(dtype, np.floating):
            fields["sample"] = "1.0 : f64"
        return fields

    def _describe_hyper(self, kind, path, origin) -> Described:
        if not isinstance(origin, Constant) or not np.isfinite(origin.value):
            raise self._say(f"expects {_spell(path)} to start from a finite number")
        # The shortest that is rounded to the same number.
        value = _number(float(str(origin.value)))
        fields = {"kind": _quote(kind), "sample": f"{value} : f64"}
        if kind == _RATE:
            return Described("hyper", f"hyper.{kind}", fields)
        text = f"'{_hyper_name(path)}' of the optimizer of the program"
        option = f"#boost.option<{_quote(text)}, default = {value} : f64>"
        return Described("hyper", f"hyper.{kind}", {**fields, "option": option})

    def _complete(self, start, states):
        """How each state starts: a constant, a copy of a parameter, or an array."""
        origins = initial_states(start)
        for i, origin in enumerate(origins):
            if origin is None:
                value = self._compute(start, i, states[i][0])
                origins[i] = constant_of(value) or value
        return origins

    def _compute(self, start, number, path):
        try:
            return compute(start, [number], self.given)[0]
        except LookupError as error:
            raise self._say(
                f"the state {_spell(path)} starts from the values of parameters, which are not "
                "given; pass arrays"
            ) from error

    def _find_owners(self, states):
        """The parameter that each state belongs to, as a list, its kind, and its name: the path
        of the state without and with that of the parameter."""
        found = [self._match(path) for path, _ in states]
        members = {}
        for match in filter(None, found):
            members.setdefault(match.front, set()).add(match.owner)
        # The nodes that have only states of parameters below them, such as a field of a tuple.
        trees = {
            front
            for front in filter(None, members)
            if all(
                match and match.front == front
                for (path, _), match in zip(states, found)
                if path[: len(front)] == front
            )
        }
        owners = []
        for (path, leaf), match in zip(states, found):
            # Two trees of parameters may have one path in common by chance.
            if match and (
                leaf.shape == self.leaves[match.owner].shape
                or match.front in trees
                or self._are_all_of_their_ranks(members[match.front])
            ):
                parts = [_path_name(match.front), self.names[match.owner], _path_name(match.back)]
                owners.append(([match.owner], _join([parts[0], parts[2]]), _join(parts)))
            else:
                owners.append(([], _path_name(path), _path_name(path)))
        return owners

    def _are_all_of_their_ranks(self, owners):
        """Returns true if these are all parameters of the numbers of dimensions that they have."""
        ranks = {len(self.leaves[owner].shape) for owner in owners}
        return len(owners) == sum(len(leaf.shape) in ranks for leaf in self.leaves)

    def _match(self, path):
        """The parameter with the longest path that is a part of `path`, as near to the end as
        there is one."""
        matches = [
            (len(own), start, i)
            for i, own in enumerate(self.paths)
            for start in range(len(path) - len(own) + 1)
            if path[start : start + len(own)] == own
        ]
        if not matches:
            return None
        length, start, owner = max(matches)
        return _Match(path[:start], owner, path[start + length :])


class _Match(NamedTuple):
    """A path of a state that has the path of a parameter in it: what is in front of that, the
    number of the parameter, and what is behind it."""

    front: tuple
    owner: int
    back: tuple


def _path_name(path) -> str:
    return path_name(path) if path else ""


def _join(names: list[str]) -> str:
    return ".".join(filter(None, names))


def _is_key(leaf) -> bool:
    return jax.dtypes.issubdtype(getattr(leaf, "dtype", None), jax.dtypes.prng_key)


def _raw(leaf):
    return jax.random.key_data(leaf) if _is_key(leaf) else leaf


def _key_maker(leaf):
    """Makes a leaf like this one of what `_raw` returned."""
    if not _is_key(leaf):
        return lambda data: data
    return functools.partial(jax.random.wrap_key_data, impl=jax.random.key_impl(leaf))


def _is_array(leaf) -> bool:
    try:
        dtype = jax.dtypes.result_type(leaf)
    except TypeError:
        return False
    return not jax.dtypes.issubdtype(dtype, jax.dtypes.extended)


def _hyper_name(path) -> str | None:
    """The name of a number that `optax.inject_hyperparams` keeps in a state."""
    match path:
        case (*_, GetAttrKey(name="hyperparams"), DictKey(key=str(name))):
            return name
    return None


def _hyper_kinds(paths: dict[int, tuple]) -> dict[int, str]:
    """A kind for each hyper-parameter, which options are called after: its name, with that of
    the group in front where several have it."""
    names = Counter(_hyper_name(path) for path in paths.values())
    kinds = {}
    for i, path in paths.items():
        name = _hyper_name(path)
        groups = [str(key.key) for key in path[:-1] if isinstance(key, DictKey)]
        kinds[i] = _word("_".join([*groups, name] if names[name] > 1 else [name]))
    if _STEP in kinds.values():
        raise ArgumentError(
            f"a hyper-parameter of the optimizer is called '{_STEP}', as the number of the step "
            "is; rename it"
        )
    for kind, count in Counter(kinds.values()).items():
        if count > 1:
            raise ArgumentError(
                f"{count} hyper-parameters of the optimizer are called '{kind}', and options need "
                "different names; inject one of them, or use optax.multi_transform with labels"
            )
    return kinds


def _word(name: str) -> str:
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")


def _number(value: float) -> str:
    """A number as MLIR reads it."""
    mantissa, mark, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{mark}{exponent}"


def _quote(text: str) -> str:
    escaped = "".join(
        character if character.isprintable() and character not in '"\\' else _escape(character)
        for character in text
    )
    return f'"{escaped}"'


def _escape(character: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in character.encode())


def _spell(path) -> str:
    return f"'{path_name(path)}'" if path else "the state"


def _rename(module: ir.Module, taken: set[str]) -> dict[str, str]:
    """Gives the functions of the update names that the loss does not have."""
    names = {}
    for op in module.body.operations:
        name = op.name.value
        new = _ENTRY if name == "main" else f"{_ENTRY}_{name}"
        while new in taken:
            new += "_"
        taken.add(new)
        names[name] = new

    def rename(op):
        for attribute in ("sym_name", "callee"):
            if attribute in op.attributes and op.name.startswith("func."):
                value = op.attributes[attribute]
                if attribute == "callee":
                    op.attributes["callee"] = ir.FlatSymbolRefAttr.get(names[value.value], op.context)
                elif value.value in names:
                    op.attributes["sym_name"] = ir.StringAttr.get(names[value.value], op.context)
        return ir.WalkResult.ADVANCE

    module.operation.walk(rename)
    return names

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads exported text back: the tests look at arguments and ops, not at strings."""

import dataclasses

import pytest
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir


@dataclasses.dataclass
class Argument:
    name: str
    role: str
    init: str | None
    type: str


class Exported:
    """A parsed module: the arguments of @main and how often each op occurs."""

    def __init__(self, text: str):
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(text)
            module.operation.verify()
            self.ops = {}
            module.operation.walk(self._count)
            main = next(op for op in module.body.operations if op.name.value == "main")
            self.results = [str(type) for type in main.type.results]
            self.arguments = [
                self._argument(str(type), attributes)
                for type, attributes in zip(main.type.inputs, main.arg_attrs)
            ]

    def _count(self, op):
        self.ops[op.name] = self.ops.get(op.name, 0) + 1
        return ir.WalkResult.ADVANCE

    @staticmethod
    def _argument(type, attributes):
        text = lambda key: ir.StringAttr(attributes[key]).value if key in attributes else None
        return Argument(text("boost.name"), text("boost.arg"), text("boost.init"), type)

    def named(self, name) -> Argument:
        return next(argument for argument in self.arguments if argument.name == name)

    def params(self):
        return [argument for argument in self.arguments if argument.role == "param"]


@pytest.fixture(scope="session")
def parse():
    return Exported

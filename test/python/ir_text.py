# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads MLIR's generic text form, as far as `ir_eval` needs it.

Attributes become Python values: numbers, strings, lists, dictionaries, numpy
arrays for `dense<..>`, `Type` for types, and for a dialect's attribute its
fields (`#stablehlo.dot<..>`: a dictionary) or its keyword (`#boost<reduction
sum>`: "sum").
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np

INTEGERS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "index": np.int64,
}
FLOATS = ("f64", "f32", "f16", "bf16")


@dataclasses.dataclass(frozen=True)
class Type:
    shape: tuple[int, ...] | None  # None: not a tensor
    element: str

    @property
    def is_float(self):
        return self.element in FLOATS

    def numpy(self, floats=np.float64):
        return floats if self.is_float else INTEGERS[self.element]


@dataclasses.dataclass
class Operation:
    name: str
    operands: list[str]
    results: list[str]
    attributes: dict
    regions: list["Region"]
    operand_types: list
    result_types: list


@dataclasses.dataclass
class Region:
    arguments: list[str]
    types: list
    operations: list[Operation]


def parse(text: str) -> Operation:
    """The builtin.module of a text printed with --mlir-print-op-generic."""
    return _Parser(text).operation()


def _bits_to_float(bits: int, element: str) -> float:
    if element == "bf16":
        return float(np.uint32(bits << 16).view(np.float32))
    unsigned, real = {
        "f64": (np.uint64, np.float64),
        "f32": (np.uint32, np.float32),
        "f16": (np.uint16, np.float16),
    }[element]
    return float(unsigned(bits).view(real))


def _blob_to_array(blob: bytes, type: Type):
    if type.element == "bf16":
        values = (np.frombuffer(blob, np.uint16).astype(np.uint32) << 16).view(np.float32)
    elif type.element == "i1":
        values = np.unpackbits(np.frombuffer(blob, np.uint8), bitorder="little")
        values = values[: int(np.prod(type.shape))] if len(blob) > 1 else values[:1]
    else:
        stored = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
        values = np.frombuffer(blob, stored.get(type.element) or INTEGERS[type.element])
    return values


class _Parser:
    SPACE = re.compile(r"\s*")
    VALUE = re.compile(r"%[\w$.\-]+(?:#\d+)?")
    RESULTS = re.compile(r"(%[\w$.\-]+)(?::(\d+))?")
    NUMBER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
    STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
    WORD = re.compile(r"[A-Za-z_][\w$.\-]*")
    TENSOR = re.compile(r"tensor<((?:\d+x)*)([a-z]\w*)>")

    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self):
        self.at = self.SPACE.match(self.text, self.at).end()

    def match(self, pattern):
        self.skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def accept(self, literal):
        self.skip()
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def expect(self, literal):
        if not self.accept(literal):
            raise ValueError(f"expected {literal!r} at {self.text[self.at:self.at + 60]!r}")

    def need(self, pattern):
        found = self.match(pattern)
        if not found:
            raise ValueError(f"unexpected text {self.text[self.at:self.at + 60]!r}")
        return found

    def items(self, parse, end):
        """Comma-separated items up to `end`."""
        values = []
        while not self.accept(end):
            values.append(parse())
            self.accept(",")
        return values

    # Operations

    def operation(self) -> Operation:
        results = []
        while found := self.match(self.RESULTS):
            name, count = found.group(1), found.group(2)
            results += [f"{name}#{i}" for i in range(int(count))] if count else [name]
            self.accept(",")
        if results:
            self.expect("=")
        name = self.need(self.STRING).group(1)
        self.expect("(")
        operands = self.items(lambda: self.need(self.VALUE).group(0), ")")
        attributes = self.dictionary("}>") if self.accept("<{") else {}
        regions = self.items(self.region, ")") if self.accept("(") else []
        if self.accept("{"):
            attributes.update(self.dictionary("}"))
        self.expect(":")
        inputs, outputs = self.function_type()
        return Operation(name, operands, results, attributes, regions, inputs, outputs)

    def region(self) -> Region:
        self.expect("{")
        arguments, types, operations = [], [], []
        if self.accept("^bb0"):
            if self.accept("("):
                for name, type in self.items(self.argument, ")"):
                    arguments.append(name)
                    types.append(type)
            self.expect(":")
        while not self.accept("}"):
            operations.append(self.operation())
        return Region(arguments, types, operations)

    def argument(self):
        name = self.need(self.VALUE).group(0)
        self.expect(":")
        return name, self.type()

    # Types

    def type(self):
        if found := self.match(self.TENSOR):
            shape = tuple(int(size) for size in found.group(1).split("x") if size)
            return Type(shape, found.group(2))
        return Type(None, self.need(self.WORD).group(0))

    def function_type(self):
        self.expect("(")
        inputs = self.items(self.type, ")")
        self.expect("->")
        outputs = self.items(self.type, ")") if self.accept("(") else [self.type()]
        return inputs, outputs

    # Attributes

    def dictionary(self, end):
        return dict(self.items(self.named_attribute, end))

    def named_attribute(self):
        found = self.match(self.STRING)
        name = found.group(1) if found else self.need(self.WORD).group(0)
        return name, self.attribute() if self.accept("=") else True

    def attribute(self):
        self.skip()
        first = self.text[self.at]
        if first == '"':
            return self.need(self.STRING).group(1)
        if first == "[":
            self.expect("[")
            return self.items(self.attribute, "]")
        if first == "{":
            self.expect("{")
            return self.dictionary("}")
        if first == "(":
            return self.function_type()
        if first == "@":
            self.expect("@")
            return self.need(self.WORD).group(0)
        if first == "#":
            return self.dialect_attribute()
        if found := self.match(self.NUMBER):
            return self.typed_number(found.group(0))
        return self.keyword_attribute()

    def typed_number(self, text):
        element = self.type().element if self.accept(":") else "i64"
        return self.number(text, element)

    def keyword_attribute(self):
        if self.accept("dense<"):
            return self.dense()
        if self.accept("array<"):
            element = self.need(self.WORD).group(0)
            self.accept(":")
            read = lambda: self.number(
                self.need(re.compile(r"true|false|" + self.NUMBER.pattern)).group(0), element
            )
            return self.items(read, ">")
        if self.text.startswith("tensor<", self.at):
            return self.type()
        word = self.need(self.WORD).group(0)
        return {"true": True, "false": False, "unit": True}.get(word, word)

    def dialect_attribute(self):
        self.expect("#")
        self.need(self.WORD)
        if not self.accept("<"):
            return {}
        keyword = re.compile(r"[a-z_]+ +(\w+)\s*>")
        if found := self.match(keyword):
            return found.group(1)
        return dict(self.items(self.named_attribute, ">"))

    def number(self, text, element):
        if text in ("true", "false"):
            return text == "true"
        if element not in FLOATS:
            return int(text, 0)
        if text.lstrip("-").startswith("0x"):
            return _bits_to_float(int(text, 16), element)
        # The text is the shortest that reads back as this number of the type.
        return float(np.float32(text)) if element != "f64" else float(text)

    def dense(self):
        blob, literals = None, []
        if found := self.match(self.STRING):
            blob = bytes.fromhex(found.group(1)[2:])
            self.expect(">")
        else:
            end = self.text.index(">", self.at)
            literals = re.findall(r"true|false|" + self.NUMBER.pattern, self.text[self.at : end])
            self.at = end + 1
        self.expect(":")
        type = self.type()
        if blob is None:
            values = np.array([self.number(text, type.element) for text in literals])
        else:
            values = _blob_to_array(blob, type)
        values = values.astype(type.numpy())
        size = int(np.prod(type.shape))
        if values.size == 1 and size != 1:
            return np.full(type.shape, values[0])
        return values.reshape(type.shape)

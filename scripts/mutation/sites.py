# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a source can be mutated in one line, found in its syntax tree by libclang.

Every mutation is an expression with a switch, `(boost_mutant(K) ? (other) : (original))`, so that
one build holds all of them.
"""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path

from clang.cindex import CursorKind, Index, TypeKind

COMPARISONS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
SWAPPED = {"-", "/", "%", "<<", ">>"}
# Functions whose arguments may be exchanged.
SYMMETRIC = {"max", "min", "isSameFile", "gcd", "lcm"}
INTEGERS = {
    *(TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG),
    *(TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.SHORT, TypeKind.USHORT),
}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
# Their operands must be constants.
CONSTANT = {
    CursorKind.STATIC_ASSERT,
    CursorKind.ENUM_DECL,
    CursorKind.TEMPLATE_REF,
    CursorKind.TYPE_REF,
}


@dataclasses.dataclass(frozen=True)
class Site:
    """`source[start:end]` becomes `other` where the mutation is switched on."""

    file: str
    line: int
    start: int
    end: int
    kind: str
    original: str
    other: str
    # The mutated source; K stands for the number of the mutation.
    replacement: str

    def describe(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.original}  ->  {self.other}"


class _Finder:
    def __init__(self, path: Path, name: str):
        self.path, self.name = str(path), name
        self.source = path.read_bytes()
        self.sites: list[Site] = []

    def visit(self, cursor, in_function=False):
        for child in cursor.get_children():
            file = child.location.file
            if file is None or file.name != self.path or child.kind in CONSTANT:
                continue
            inside = in_function or child.kind in FUNCTIONS
            if child.kind == CursorKind.VAR_DECL and "constexpr" in self.text(child).split():
                continue
            if inside:
                self.find(child)
            self.visit(child, inside)

    def text(self, cursor) -> str:
        extent = cursor.extent
        return self.source[extent.start.offset : extent.end.offset].decode(errors="replace")

    def find(self, cursor):
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            self.find_binary(cursor, children[0], children[1])
        elif cursor.kind == CursorKind.CALL_EXPR:
            self.find_call(cursor, children)
        elif cursor.kind == CursorKind.UNARY_OPERATOR and self.text(cursor).startswith("!"):
            if self.text(cursor)[1:] == self.text(children[0]):
                self.add(cursor, "negation dropped", f"bool({self.text(children[0])})")
        elif cursor.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and len(children) == 2:
            self.find_index(cursor, children[1])
        elif cursor.kind == CursorKind.IF_STMT and children[0].kind.is_expression():
            self.find_condition(cursor, children[0])

    def find_binary(self, cursor, left, right):
        operator = self.operator_between(cursor, left, right)
        self.find_comparison(cursor, operator, left, right)
        if operator in ("&&", "||"):
            self.add(cursor, "condition dropped", f"bool({self.text(left)})")
            self.add(cursor, "condition dropped", f"bool({self.text(right)})")
        if operator in SWAPPED and cursor.type.get_canonical().kind in INTEGERS | {
            TypeKind.FLOAT,
            TypeKind.DOUBLE,
        }:
            swapped = f"({self.text(right)}) {operator} ({self.text(left)})"
            self.add(cursor, "operands swapped", swapped)

    def find_comparison(self, cursor, operator, left, right):
        for other in COMPARISONS.get(operator, ()):
            self.add(cursor, "comparison", f"({self.text(left)}) {other} ({self.text(right)})")
        if operator in COMPARISONS and right.type.get_canonical().kind in INTEGERS:
            self.add(right, "bound", f"({self.text(right)}) + 1")

    def find_call(self, cursor, children):
        if cursor.spelling in ("operator==", "operator!=") and len(children) == 3:
            operator = self.operator_between(cursor, children[0], children[2])
            self.find_comparison(cursor, operator, children[0], children[2])
        elif cursor.spelling == "operator[]" and len(children) == 3:
            self.find_index(cursor, children[2])
        elif not cursor.spelling.startswith("operator") and cursor.spelling not in SYMMETRIC:
            self.find_swapped_arguments(cursor)

    def find_swapped_arguments(self, cursor):
        arguments = [argument for argument in cursor.get_arguments() if argument]
        for first, second in zip(arguments, arguments[1:]):
            one, two = self.text(first), self.text(second)
            types = {a.type.get_canonical().spelling for a in (first, second)}
            if len(types) != 1 or one == two or not one or not two:
                continue
            start, whole = cursor.extent.start.offset, self.text(cursor)
            a, b = first.extent.start.offset - start, first.extent.end.offset - start
            c, d = second.extent.start.offset - start, second.extent.end.offset - start
            if not 0 < a < b < c < d < len(whole.encode()):
                continue
            raw = whole.encode()
            swapped = raw[:a] + raw[c:d] + raw[b:c] + raw[a:b] + raw[d:]
            self.add(cursor, "arguments swapped", swapped.decode())

    def find_index(self, cursor, index):
        if index.type.get_canonical().kind in INTEGERS:
            self.add(index, "index off by one", f"({self.text(index)}) + 1")

    def find_condition(self, statement, condition):
        head = self.source[statement.extent.start.offset : condition.extent.start.offset]
        if head.decode().replace(" ", "") == "if(":
            for value in ("true", "false"):
                self.add(condition, "condition fixed", value, cast="static_cast<bool>")

    def operator_between(self, cursor, left, right) -> str:
        """The operator as the source spells it; empty if a macro hides the operands."""
        if left.extent.start.offset != cursor.extent.start.offset:
            return ""
        if right.extent.end.offset != cursor.extent.end.offset:
            return ""
        between = self.source[left.extent.end.offset : right.extent.start.offset]
        return between.decode(errors="replace").strip()

    def add(self, cursor, kind, other, cast=""):
        original = self.text(cursor)
        # Lambdas and braces would be repeated, and macros hide what they are.
        if "{" in original or "{" in other or "\n" in original or not original:
            return
        if "assert" in original or "llvm_unreachable" in original:
            return
        replacement = f"(boost_mutant(K) ? ({other}) : {cast}({original}))"
        extent = cursor.extent
        self.sites.append(
            Site(
                *(self.name, extent.start.line, extent.start.offset, extent.end.offset),
                *(kind, original, other, replacement),
            )
        )


def find_sites(path: Path, name: str, command: str) -> list[Site]:
    """The sites of one source, in order; `command` compiles it."""
    arguments = [argument for argument in shlex.split(command)[1:-4] if "pch" not in argument]
    arguments = [a for a in arguments if a not in ("-Xclang", "-include", "-Winvalid-pch")]
    unit = Index.create().parse(str(path), arguments)
    errors = [d for d in unit.diagnostics if d.severity >= 4]
    if errors:
        raise SystemExit(f"mutate.py: error: libclang cannot read {name}: {errors[0].spelling}")
    finder = _Finder(path, name)
    finder.visit(unit.cursor)
    unique = {(site.start, site.end, site.other): site for site in finder.sites}
    return sorted(unique.values(), key=lambda site: (site.start, site.end, site.other))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""boost-mlir's Python side: models, export to StableHLO, token files, running programs.

`compile` and `run` make and start programs, `load` and `save` exchange parameters with them
(docs/HowTo/FromPython.md). `boost_mlir.export`, `boost_mlir.data`, `boost_mlir.convert` and
`boost_mlir.report` are commands as well: run them with `python -m`. What is imported from here is
loaded when it is used, so that `data` and `report` start without JAX.
"""

from importlib import import_module

_HOMES = {
    "read_log": "logs",
    "read_algorithms": "logs",
    "read_configs": "logs",
    "load": "parameters",
    "save": "parameters",
    "ParametersError": "parameters",
    "compile": "program",
    "run": "program",
    "CompileError": "program",
    "Program": "program",
    "Result": "program",
    "RunError": "program",
}


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *_HOMES])

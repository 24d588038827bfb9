# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses as people write them, none made for the patterns that the compiler looks for."""

from . import control, encoders, gpt, llama, packages
from .common import MESHES, PROGRAMS, Program

__all__ = ["MESHES", "PROGRAMS", "Program", "control", "encoders", "gpt", "llama", "packages"]

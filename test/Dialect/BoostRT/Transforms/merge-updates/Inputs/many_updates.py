# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function with as many updates of one kind as the argument says."""

import sys

COUNT = int(sys.argv[1])
TENSORS = ", ".join("tensor<4xf32>" for _ in range(3))
SCALARS = ", ".join("%s" for _ in range(10)) + " : " + ", ".join("tensor<f32>" for _ in range(10))
ARGUMENTS = [f"%{name}{i}: tensor<4xf32>" for i in range(COUNT) for name in "pmvg"]

print(f"func.func @many({', '.join(ARGUMENTS)}, %s: tensor<f32>) {{")
for i in range(COUNT):
    print(
        f"  %r{i}:3 = boostrt.adamw grads(%g{i} : tensor<4xf32>)"
        f" ins({SCALARS})"
        f" outs(%p{i}, %m{i}, %v{i} : {TENSORS})"
        " {decays = array<i1: false>}"
        f" -> {TENSORS}"
    )
print("  return\n}")

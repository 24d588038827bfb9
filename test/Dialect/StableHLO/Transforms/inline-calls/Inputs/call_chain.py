# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes functions of which each calls the next one: as many calls as the first
argument says, each in a region of its own if the second one is "nested"."""

import sys

ARGUMENTS = "%i: tensor<i32>, %x: tensor<4xf32>"
TYPE = "(tensor<i32>, tensor<4xf32>) -> tensor<4xf32>"

calls, form = int(sys.argv[1]), sys.argv[2]
for i in range(calls + 1):
    visibility = "private " if i else ""
    print(f"func.func {visibility}@f{i}({ARGUMENTS}) -> tensor<4xf32> {{")
    if i == calls:
        print("  %0 = stablehlo.negate %x : tensor<4xf32>")
    elif form == "plain":
        print(f"  %0 = call @f{i + 1}(%i, %x) : {TYPE}")
    else:
        print('  %0 = "stablehlo.case"(%i) ({')
        print(f"    %1 = func.call @f{i + 1}(%i, %x) : {TYPE}")
        print("    stablehlo.return %1 : tensor<4xf32>")
        print("  }) : (tensor<i32>) -> tensor<4xf32>")
    print("  return %0 : tensor<4xf32>\n}")

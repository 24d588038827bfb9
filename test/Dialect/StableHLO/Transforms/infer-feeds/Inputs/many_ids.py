"""Prints a loss of N arguments of ids: a layer acts on what the last looks up, the others are factors."""

import sys

last = int(sys.argv[1]) - 1
IDS, VALUES, LOSSES = "tensor<2x3xi32>", "tensor<2x3x4xf32>", "tensor<2x3xf32>"
arguments = [
    '%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">}',
    '%w: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "w">}',
]
for i in range(last + 1):
    arguments.append(f'%a{i}: {IDS} {{boost.tensor = #boost.tensor<batch "{i}">}}')
print(f"func.func @loss({', '.join(arguments)}) -> {LOSSES} {{")
print("  %zero = stablehlo.constant dense<0.0> : tensor<f32>")
print(f"  %x = boost.embedding %table, %a{last} : (tensor<8x4xf32>, {IDS}) -> {VALUES}")
print(f"  %y = boost.linear %x, %w : ({VALUES}, tensor<4x4xf32>) -> {VALUES}")
print("  %l0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [2] :")
print(f"    ({VALUES}, tensor<f32>) -> {LOSSES}")
for i in range(last):
    print(f"  %f{i} = stablehlo.convert %a{i} : ({IDS}) -> {LOSSES}")
    print(f"  %l{i + 1} = stablehlo.multiply %l{i}, %f{i} : {LOSSES}")
print(f"  return %l{last} : {LOSSES}\n}}")

// RUN: printf 'func.func private @f(tensor<?xf32>)\nstablehlo.fft\n' > %t.two.mlir
// RUN: not boost-opt %t.two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: echo 'stablehlo.fft = 1' > %t.odd.mlir
// RUN: not boost-opt %t.odd.mlir 2>&1 | FileCheck %s --check-prefix=ODD
// The first line belongs to the program, too.

// TWO:      two.mlir:1:22: error: type tensor<?xf32> has a dynamic shape
// TWO:      two.mlir:2:1: error: operation 'stablehlo.fft' is not supported
// TWO-NEXT: stablehlo.fft
// TWO-NEXT: ^
// TWO-NEXT: two.mlir:2:1: note: rewrite the loss without these operations

// An operation that reads like an attribute.
// ODD:      odd.mlir:1:1: error: operation 'stablehlo.fft' is not supported

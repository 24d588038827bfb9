// RUN: boost-opt %s --boost-expand-dot-algorithm --boost-inline-calls --boost-select-branches -o %t
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t
// RUN: boost-eval --compare %s %t | FileCheck %s
// RUN: boost-eval %s --inputs random:1 | FileCheck %s --check-prefix=VALUES
// Branches, composites and algorithms mean what import makes of them, also for
// indices out of range.

// TEXT-NOT: stablehlo.case
// TEXT-NOT: stablehlo.if
// TEXT-NOT: composite
// TEXT-NOT: algorithm

// CHECK: 3 results equal

// Indices -1, 0, 1, 2 and, not shown, 7.
// VALUES: chosen {{.*}}[30, 10, 20, 30, ...]
module {
  func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">}, %w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">})
      -> (tensor<5xf32> {boost.tensor = #boost.tensor<output "chosen">}, tensor<4x8xf32> {boost.tensor = #boost.tensor<output "if">}, tensor<4x2xf32> {boost.tensor = #boost.tensor<output "product">}) {
    %indices = stablehlo.constant dense<[-1, 0, 1, 2, 7]> : tensor<5xi32>
    // What the choice is must not be known.
    %hidden = stablehlo.optimization_barrier %indices : tensor<5xi32>
    %0 = stablehlo.slice %hidden [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %1 = stablehlo.slice %hidden [1:2] : (tensor<5xi32>) -> tensor<1xi32>
    %2 = stablehlo.slice %hidden [2:3] : (tensor<5xi32>) -> tensor<1xi32>
    %3 = stablehlo.slice %hidden [3:4] : (tensor<5xi32>) -> tensor<1xi32>
    %4 = stablehlo.slice %hidden [4:5] : (tensor<5xi32>) -> tensor<1xi32>
    %5 = call @choose(%0) : (tensor<1xi32>) -> tensor<1xf32>
    %6 = call @choose(%1) : (tensor<1xi32>) -> tensor<1xf32>
    %7 = call @choose(%2) : (tensor<1xi32>) -> tensor<1xf32>
    %8 = call @choose(%3) : (tensor<1xi32>) -> tensor<1xf32>
    %9 = call @choose(%4) : (tensor<1xi32>) -> tensor<1xf32>
    %chosen = stablehlo.concatenate %5, %6, %7, %8, %9, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<5xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %first = stablehlo.slice %x [0:1, 0:1] : (tensor<4x8xf32>) -> tensor<1x1xf32>
    %scalar = stablehlo.reshape %first : (tensor<1x1xf32>) -> tensor<f32>
    %p = stablehlo.compare GT, %scalar, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %if = "stablehlo.if"(%p) ({
      %10 = stablehlo.composite "example.twice" %x {decomposition = @twice} : (tensor<4x8xf32>) -> tensor<4x8xf32>
      stablehlo.return %10 : tensor<4x8xf32>
    }, {
      %10 = stablehlo.tanh %x : tensor<4x8xf32>
      stablehlo.return %10 : tensor<4x8xf32>
    }) : (tensor<i1>) -> tensor<4x8xf32>
    %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    return %chosen, %if, %product : tensor<5xf32>, tensor<4x8xf32>, tensor<4x2xf32>
  }
  func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @choose(%i: tensor<1xi32>) -> tensor<1xf32> {
    %index = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>
    %a = stablehlo.constant dense<10.0> : tensor<1xf32>
    %b = stablehlo.constant dense<20.0> : tensor<1xf32>
    %c = stablehlo.constant dense<30.0> : tensor<1xf32>
    %r = "stablehlo.case"(%index) ({
      stablehlo.return %a : tensor<1xf32>
    }, {
      stablehlo.return %b : tensor<1xf32>
    }, {
      stablehlo.return %c : tensor<1xf32>
    }) : (tensor<i32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// RUN: not boost-eval %s --function=sort 2>&1 | FileCheck %s --check-prefix=SORT --implicit-check-not=error:
// RUN: not boost-eval %s --function=windows 2>&1 | FileCheck %s --check-prefix=WINDOWS --implicit-check-not=error:
// RUN: not boost-eval %s --function=scatter 2>&1 | FileCheck %s --check-prefix=SCATTER --implicit-check-not=error:
// RUN: not boost-eval %s --function=select 2>&1 | FileCheck %s --check-prefix=SELECT --implicit-check-not=error:
// RUN: not boost-eval %s --function=combine 2>&1 | FileCheck %s --check-prefix=COMBINE --implicit-check-not=error:
// A region that cannot be evaluated is reported once, not for every element.

func.func private @outside(tensor<f32>, tensor<f32>) -> tensor<f32>
func.func private @is_before(tensor<f32>, tensor<f32>) -> tensor<i1>

func.func @sort() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0, 1.0]> : tensor<4xf32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // SORT: [[@LINE+1]]:{{[0-9]+}}: error: calls 'is_before', which has no body
    %p = func.call @is_before(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @windows() -> tensor<3xf32> {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0, 1.0]> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // WINDOWS: [[@LINE+1]]:{{[0-9]+}}: error: calls 'outside', which has no body
    %s = func.call @outside(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @scatter() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0, 1.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // SCATTER: [[@LINE+1]]:{{[0-9]+}}: error: calls 'outside', which has no body
    %s = func.call @outside(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @select() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0, 1.0]> : tensor<4xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // SELECT: [[@LINE+1]]:{{[0-9]+}}: error: calls 'is_before', which has no body
    %p = func.call @is_before(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @combine() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0, 1.0]> : tensor<4xf32>
  %s = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // COMBINE: [[@LINE+1]]:{{[0-9]+}}: error: calls 'outside', which has no body
    %c = func.call @outside(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

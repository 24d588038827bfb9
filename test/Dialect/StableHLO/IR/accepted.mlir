// RUN: boost-opt %s -o /dev/null
// The nearest neighbors of what the verifiers refuse: bounds that are met, and
// fields that may be left out or say what holds anyway.

func.func @elementwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<4xi1>, %p: tensor<i1>, %s: tensor<f32>) {
  %0 = stablehlo.reduce_precision %x, format = e1m0 : tensor<4xf32>
  %1 = stablehlo.compare LT, %x, %x, NOTYPE : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %6 = stablehlo.compare LT, %u, %u, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  %7 = stablehlo.compare LT, %b, %b, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %8 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<4xf32>
  %9 = stablehlo.select %b, %x, %x : tensor<4xi1>, tensor<4xf32>
  %10 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.clamp %x, %x, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

func.func @shapes(%x: tensor<4x2xf32>, %b: tensor<4xi1>, %w: tensor<4xf64>, %h: tensor<2xf16>) {
  %0 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x2xi32>
  %2 = stablehlo.bitcast_convert %x : (tensor<4x2xf32>) -> tensor<4xf64>
  %3 = stablehlo.bitcast_convert %w : (tensor<4xf64>) -> tensor<4x2xf32>
  %4 = stablehlo.bitcast_convert %w : (tensor<4xf64>) -> tensor<4xi64>
  %5 = stablehlo.bitcast_convert %b : (tensor<4xi1>) -> tensor<4xi1>
  return
}

func.func @products(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT],
      algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
      : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// Negative dimensions count from the end.
func.func @sorts(%x: tensor<4x2xf32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.sort"(%x) <{dimension = -2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// Indices that are one element each have no dimension of their own.
func.func @scatters(%x: tensor<8x3xf32>, %i: tensor<2xi32>, %u: tensor<2x3xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  return
}

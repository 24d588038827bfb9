// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Elementwise operations refuse what the specification refuses.

func.func @unary_element_type(%x: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be statically shaped tensor of f16, bf16, f32 or f64}}
  %0 = stablehlo.exponential %x : tensor<4xi32>
  return
}

// -----

func.func @dynamic_shape(%x: tensor<?xf32>) {
  // expected-error@+1 {{operand #0 must be statically shaped tensor}}
  %0 = stablehlo.negate %x : tensor<?xf32>
  return
}

// -----

func.func @binary_types(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @convert_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<8xbf16>
  return
}

// -----

func.func @is_finite_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<8xi1>
  return
}

// -----

func.func @reduce_precision_format(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a format such as e8m7, but got 'm7'}}
  %0 = stablehlo.reduce_precision %x, format = m7 : tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_exponent(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects at least 1 exponent bit, but got 0}}
  %0 = stablehlo.reduce_precision %x, format = e0m7 : tensor<4xf32>
  return
}

// -----

func.func @compare_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects comparison type FLOAT for 'f32', but got SIGNED}}
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_total_order(%x: tensor<4xi32>) {
  // expected-error@+1 {{expects comparison type SIGNED for 'i32', but got TOTALORDER}}
  %0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_direction(%x: tensor<4xf32>) {
  // expected-error@+1 {{'LESS' is not a comparison direction of StableHLO}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @select_pred(%p: tensor<8xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects a predicate that is scalar or of the shape of the values 'tensor<4xf32>', but got 'tensor<8xi1>'}}
  %0 = stablehlo.select %p, %x, %x : tensor<8xi1>, tensor<4xf32>
  return
}

// -----

func.func @clamp_bound(%b: tensor<2xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects bounds that are scalar or of the type of the operand 'tensor<4xf32>', but got 'tensor<2xf32>'}}
  %0 = stablehlo.clamp %b, %x, %b : (tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_letter(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a format such as e8m7, but got 'x8m7'}}
  %0 = stablehlo.reduce_precision %x, format = x8m7 : tensor<4xf32>
  return
}

// -----

func.func @clamp_element(%a: tensor<4xf32>, %b: tensor<f64>) {
  // expected-error@+1 {{expects bounds that are scalar or of the type of the operand 'tensor<4xf32>', but got 'tensor<f64>'}}
  %0 = stablehlo.clamp %b, %a, %b : (tensor<f64>, tensor<4xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_unsigned(%a: tensor<4xui8>) {
  // expected-error@+1 {{expects comparison type UNSIGNED for 'ui8', but got SIGNED}}
  %0 = stablehlo.compare LT, %a, %a, SIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_booleans(%a: tensor<4xi1>) {
  // expected-error@+1 {{expects comparison type UNSIGNED for 'i1', but got SIGNED}}
  %0 = stablehlo.compare LT, %a, %a, SIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

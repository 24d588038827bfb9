// RUN: boost-opt %s -split-input-file -verify-diagnostics

func.func @operands(%a: tensor<4x4xf32>) {
  // expected-error @below {{expects 1 operands, but got 2}}
  %0 = boost.factorize cholesky %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @no_operand() {
  // expected-error @below {{expects 1 operands, but got 0}}
  %0 = boost.factorize cholesky : () -> tensor<4x4xf32>
  return
}

// -----

func.func @narrow(%a: tensor<4x4xbf16>) {
  // expected-error @below {{must be variadic of statically shaped tensor of 32-bit float or 64-bit float values, but got 'tensor<4x4xbf16>'}}
  %0 = boost.factorize cholesky %a : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @mixed(%a: tensor<6x4xf32>, %s: tensor<4xf64>) {
  // expected-error @below {{expects operands of element type 'f32', but got 'tensor<4xf64>'}}
  %0 = boost.factorize qr_basis %a, %s : (tensor<6x4xf32>, tensor<4xf64>) -> tensor<6x4xf32>
  return
}

// -----

func.func @vector(%a: tensor<4xf32>) {
  // expected-error @below {{expects matrices of one row and one column or more, but got 'tensor<4xf32>'}}
  %0 = boost.factorize singular_values %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @empty(%a: tensor<2x0x4xf32>) {
  // expected-error @below {{expects matrices of one row and one column or more, but got 'tensor<2x0x4xf32>'}}
  %0 = boost.factorize singular_values %a : (tensor<2x0x4xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @square(%a: tensor<2x4x5xf32>) {
  // expected-error @below {{expects square matrices, but got 'tensor<2x4x5xf32>'}}
  %0:2 = boost.factorize eigh %a : (tensor<2x4x5xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @wide_basis(%a: tensor<4x6xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expects matrices of as many rows as columns or more, but got 'tensor<4x6xf32>'}}
  %0 = boost.factorize qr_basis %a, %s : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @scales(%a: tensor<2x6x4xf32>, %s: tensor<3x4xf32>) {
  // expected-error @below {{expects a scale for each column of 'tensor<2x6x4xf32>' or fewer, but got 'tensor<3x4xf32>'}}
  %0 = boost.factorize qr_basis %a, %s : (tensor<2x6x4xf32>, tensor<3x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @results(%a: tensor<4x4xf32>) {
  // expected-error @below {{expects 2 results, but got 1}}
  %0 = boost.factorize eigh %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @result_type(%a: tensor<6x4xf32>) {
  // expected-error @below {{expects result 1 of type 'tensor<6x4xf32>', but got 'tensor<6x6xf32>'}}
  %0:3 = boost.factorize svd %a : (tensor<6x4xf32>) -> (tensor<4xf32>, tensor<6x6xf32>, tensor<4x4xf32>)
  return
}

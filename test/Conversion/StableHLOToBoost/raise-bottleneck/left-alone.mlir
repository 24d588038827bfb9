// RUN: boost-opt %s -boost-raise-bottleneck | FileCheck %s --implicit-check-not=boost.bottleneck
// A wide middle, a middle that others read and another activation stay.

// CHECK-LABEL: func @wide
func.func @wide(%x: tensor<4x8xf32>, %a: tensor<8x6xf32>, %b: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %y = boost.linear %h, %b : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @read_elsewhere
func.func @read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %h : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @activation_read_elsewhere
func.func @activation_read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.logistic %h : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @tanh
func.func @tanh(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.tanh %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @latent_without_second_factor
func.func @latent_without_second_factor(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %l: tensor<4x2xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %s = stablehlo.add %h, %l : tensor<4x2xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4x2xf32>
}

// RUN: not boost-opt %s -boost-add-optimizer=optimizer=sgd 2>&1 | FileCheck %s --check-prefix=NAME

// NAME:  for the --optimizer option: expects adamw, but got 'sgd'
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

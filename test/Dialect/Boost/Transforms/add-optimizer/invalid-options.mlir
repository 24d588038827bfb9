// RUN: not boost-opt %s -boost-add-optimizer=optimizer=sgd 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not boost-opt %s -boost-add-optimizer=accumulate=0 2>&1 | FileCheck %s --check-prefix=COUNT

// NAME:  boost-add-optimizer expects optimizer=adamw, but got 'sgd'
// COUNT: boost-add-optimizer expects accumulate of 1 or more, but got 0
func.func @gradient(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

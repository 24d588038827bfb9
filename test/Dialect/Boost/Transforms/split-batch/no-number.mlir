// RUN: boost-opt %s -verify-diagnostics -boost-split-batch="micro-batches=0"

// expected-error@+1 {{expects a number of micro-batches of 1 or more, but got 0}}
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

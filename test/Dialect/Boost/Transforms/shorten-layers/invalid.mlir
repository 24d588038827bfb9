// RUN: boost-opt %s -verify-diagnostics -boost-shorten-layers="repetitions=0"

// expected-error@+1 {{expects to keep 1 repetition or more, but got 0}}
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// RUN: boost-opt %s -boostrt-outline-kernels -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.generic' op expects memrefs, but is still on tensors: run -boostrt-bufferize first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: boost-opt %s --boostrt-round-updates -o %t.after
// RUN: boost-opt %s -o %t.before
// RUN: diff %t.before %t.after
// Kernels that do more than to round, and updates that already write what is rounded.

#id = affine_map<(i) -> (i)>
#back = affine_map<(i) -> (0)>

// Twice the master.
func.func @doubled(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %e = tensor.empty() : tensor<4xbf16>
  %a:3 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a#0 : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %d = arith.addf %in, %in : f32
    %t = arith.truncf %d : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  return %a#0, %r : tensor<4xf32>, tensor<4xbf16>
}

// The first moment.
func.func @moment(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %e = tensor.empty() : tensor<4xbf16>
  %a:3 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a#1 : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  return %a#0, %r : tensor<4xf32>, tensor<4xbf16>
}

// What is rounded already, and once more to another type.
func.func @again(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>, %s: tensor<f32>) -> (tensor<4xbf16>, tensor<4xf16>) {
  %e = tensor.empty() : tensor<4xf16>
  %f = tensor.empty() : tensor<4xbf16>
  %a:4 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %v, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a#0 : tensor<4xf32>) outs(%e : tensor<4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4xf16>
  return %a#3, %r : tensor<4xbf16>, tensor<4xf16>
}

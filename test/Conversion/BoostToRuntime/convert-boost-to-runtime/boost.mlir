// RUN: boost-opt %s --convert-boost-to-runtime --split-input-file | FileCheck %s --implicit-check-not='= boost.' --implicit-check-not=boost.probe

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %g: tensor<2x8x4x16xf32>)
    -> (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>) {
  // CHECK: %[[O:.*]]:2 = boostrt.attention_forward ins({{.*}}) outs({{.*}} : tensor<2x8x4x16xf32>, tensor<2x4x8xf32>) causal {scale = 2.500000e-01 : f64}
  %o, %lse = boost.attention %q, %k, %k causal {scale = 0.25 : f64}
      : (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>)
      -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
  // CHECK: %[[D:.*]]:3 = boostrt.attention_backward ins(%{{.*}}, %{{.*}}, %{{.*}}, %[[O]]#0, %[[O]]#1, %{{.*}} :
  %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %lse grad %g causal {scale = 0.25 : f64}
      : (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>,
         tensor<2x4x8xf32>, tensor<2x8x4x16xf32>)
      -> (tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>)
  // CHECK: return %[[D]]#0, %[[D]]#1
  return %dq, %dk : tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>
}

// CHECK-LABEL: func.func @in_any_order
func.func @in_any_order(%q: tensor<2x8x4x16xf32>, %lse: tensor<2x4x8xf32>) -> tensor<2x8x4x16xf32> {
  // CHECK: boostrt.attention_backward {{.*}} {nondeterministic, scale = 2.500000e-01 : f64}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %lse grad %q {nondeterministic, scale = 0.25 : f64}
      : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>,
         tensor<2x4x8xf32>, tensor<2x8x4x16xf32>)
      -> (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>)
  return %dq : tensor<2x8x4x16xf32>
}

// -----

// CHECK-LABEL: func.func @attention_bias
// CHECK-SAME: %[[B:[^ :]*]]: tensor<1x4x8x8xf32>, %[[M:[^ :]*]]: tensor<2x1x1x8xi1>, %[[L:[^ :]*]]: tensor<2x4x8xf32>
func.func @attention_bias(%q: tensor<2x8x4x16xf32>, %b: tensor<1x4x8x8xf32>, %m: tensor<2x1x1x8xi1>,
                          %l: tensor<2x4x8xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK: boostrt.attention_forward {{.*}} bias(%[[B]] : tensor<1x4x8x8xf32>) mask(%[[M]] : tensor<2x1x1x8xi1>) outs({{.*}}) {scale = 2.500000e-01 : f64, soft_cap = 3.000000e+01 : f64}
  %o, %lse = boost.attention %q, %q, %q bias %b mask %m {scale = 0.25 : f64, soft_cap = 30.0 : f64}
      : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<1x4x8x8xf32>,
         tensor<2x1x1x8xi1>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8xf32>)
  // CHECK: %[[D:.*]] = boostrt.attention_bias_backward {{.*}} lse_grad(%[[L]] : tensor<2x4x8xf32>) bias(%[[B]] : {{.*}}) mask(%[[M]] : {{.*}}) outs({{.*}} : tensor<1x4x8x8xf32>)
  %d = boost.attention_bias_grad %q, %q, %q bias %b mask %m of %o, %lse grad %q, %l
      {scale = 0.25 : f64, soft_cap = 30.0 : f64}
      : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<1x4x8x8xf32>,
         tensor<2x1x1x8xi1>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>, tensor<2x8x4x16xf32>,
         tensor<2x4x8xf32>) -> tensor<1x4x8x8xf32>
  // CHECK: return %[[D]]
  return %d : tensor<1x4x8x8xf32>
}

// -----

// Ids are i32 at the runtime.

// CHECK-LABEL: func.func @embedding
// CHECK-SAME: %[[T:.*]]: tensor<64x16xf32>, %[[I:.*]]: tensor<2x8xi64>, %[[G:.*]]: tensor<2x8x16xf32>
func.func @embedding(%t: tensor<64x16xf32>, %i: tensor<2x8xi64>, %g: tensor<2x8x16xf32>)
    -> (tensor<2x8x16xf32>, tensor<64x16xf32>) {
  // CHECK: %[[C:.*]] = stablehlo.convert %[[I]] : (tensor<2x8xi64>) -> tensor<2x8xi32>
  // CHECK: boostrt.embedding ins(%[[T]], %[[C]] :
  %0 = boost.embedding %t, %i : (tensor<64x16xf32>, tensor<2x8xi64>) -> tensor<2x8x16xf32>
  // CHECK: boostrt.embedding_grad ins(%{{.*}}, %[[G]] : tensor<2x8xi32>, tensor<2x8x16xf32>)
  %1 = boost.embedding_grad %i, %g : (tensor<2x8xi64>, tensor<2x8x16xf32>) -> tensor<64x16xf32>
  return %0, %1 : tensor<2x8x16xf32>, tensor<64x16xf32>
}

// -----

// CHECK-LABEL: func.func @optimizer
// CHECK-SAME: %[[P:.*]]: tensor<8xf32>, %[[M:.*]]: tensor<8xf32>, %[[V:.*]]: tensor<8xf32>, %[[G:.*]]: tensor<8xf32>, %[[S:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[E:.*]]: tensor<f32>, %[[D:.*]]: tensor<f32>)
func.func @optimizer(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %g: tensor<8xf32>,
                     %s: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %e: tensor<f32>, %d: tensor<f32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) {
  // CHECK: %[[N:.*]] = boostrt.sum_of_squares ins(%[[G]], %[[P]] :
  %n = boost.sum_of_squares %g, %p : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  // CHECK: %[[U:.*]]:3 = boostrt.adamw grads(%[[G]] : tensor<8xf32>) ins(%[[S]], %[[S]], %[[N]], %[[B]], %[[C]], %[[B]], %[[C]], %[[E]], %[[E]], %[[D]] :
  // CHECK-SAME: outs(%[[P]], %[[M]], %[[V]] : {{.*}} {decays = array<i1: true>}
  %p1, %m1, %v1 = boost.adamw %p, %m, %v, %g lr %s step %s scale %n
      betas %b, %c shares %b, %c eps %e, %e decay %d {decays}
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %p1, %m1, %v1, %n : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>
}

// -----

// Gradients that are narrower than the parameter are read as they are, wider ones as f32.

// CHECK-LABEL: func.func @gradients
// CHECK-SAME: %[[G:[^:]*]]: tensor<8xbf16>
func.func @gradients(%g: tensor<8xbf16>, %p: tensor<8xf32>, %q: tensor<8xf64>, %m: tensor<8xf32>, %s: tensor<f32>)
    -> (tensor<8xf32>, tensor<8xf64>) {
  // CHECK: boostrt.adamw grads(%[[G]] : tensor<8xbf16>) {{.*}} {decays = array<i1: true>}
  %p1, %m1, %v1 = boost.adamw %p, %m, %m, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>
  // CHECK: %[[WIDE:.*]] = stablehlo.convert %[[G]] : (tensor<8xbf16>) -> tensor<8xf32>
  // CHECK: boostrt.adamw grads(%[[WIDE]] : tensor<8xf32>) {{.*}} {decays = array<i1: false>}
  %q1, %m2, %v2 = boost.adamw %q, %m, %m, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s
      : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
  return %p1, %q1 : tensor<8xf32>, tensor<8xf64>
}

// -----

// A probe that says nothing shows a whole tensor.

// CHECK-LABEL: func.func @probes
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
func.func @probes(%x: tensor<8x4xf32>) {
  // CHECK: boostrt.probe %[[X]] as "x" site 3 sharding <{}, {}> {boost.phase = "forward"} : tensor<8x4xf32>
  boost.probe %x as "x" site 3 {boost.phase = "forward"} : tensor<8x4xf32>
  // CHECK: boostrt.probe %[[X]] as "x" site 4 sharding <{"dp"}, {}, partial = sum {"tp"}> : tensor<8x4xf32>
  boost.probe %x as "x" site 4 sharding <{"dp"}, {}, partial = sum {"tp"}> : tensor<8x4xf32>
  // CHECK-NOT: boost.probe
  return
}

// -----

// A probe shows what it showed, replicated where nothing was partitioned.

// CHECK-LABEL: func.func @probes
func.func @probes(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[T:.*]] = stablehlo.tanh
  // CHECK-NEXT: boostrt.probe %[[T]] as "t" site 3 sharding <{}, {}> {boost.phase = "forward"} : tensor<4x8xf32>
  // CHECK-NEXT: return %[[T]]
  %t = stablehlo.tanh %x : tensor<4x8xf32>
  boost.probe %t as "t" site 3 {boost.phase = "forward"} : tensor<4x8xf32>
  return %t : tensor<4x8xf32>
}

// -----

// Ids that are i32 already are read as they are.

// CHECK-LABEL: func.func @narrow_ids
// CHECK-SAME: %[[T:.*]]: tensor<64x16xf32>, %[[I:.*]]: tensor<2x8xi32>
func.func @narrow_ids(%t: tensor<64x16xf32>, %i: tensor<2x8xi32>) -> tensor<2x8x16xf32> {
  // CHECK: boostrt.embedding ins(%[[T]], %[[I]] : {{.*}} {boost.component = "block"}
  %0 = boost.embedding %t, %i {boost.component = "block"} : (tensor<64x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// -----

// Gradients that are wider than the parameter are read as f32, those of its own type as they are.

// CHECK-LABEL: func.func @wide_gradients
// CHECK-SAME: %[[G:[^:]*]]: tensor<8xf64>
func.func @wide_gradients(%g: tensor<8xf64>, %p: tensor<8xf32>, %q: tensor<8xf64>, %m: tensor<8xf32>, %s: tensor<f32>)
    -> (tensor<8xf32>, tensor<8xf64>) {
  // CHECK: %[[NARROW:.*]] = stablehlo.convert %[[G]] : (tensor<8xf64>) -> tensor<8xf32>
  // CHECK: boostrt.adamw grads(%[[NARROW]] : tensor<8xf32>)
  %p1, %m1, %v1 = boost.adamw %p, %m, %m, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf64>
  // CHECK: boostrt.adamw grads(%[[G]] : tensor<8xf64>)
  %q1, %m2, %v2 = boost.adamw %q, %m, %m, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s
      : tensor<8xf64>, tensor<8xf32>, tensor<8xf64>
  return %p1, %q1 : tensor<8xf32>, tensor<8xf64>
}

// -----

// The runtime sums squares in f32.

// CHECK-LABEL: func.func @wide_sum
// CHECK-SAME: %[[G:[^:]*]]: tensor<8xf64>
func.func @wide_sum(%g: tensor<8xf64>) -> tensor<f64> {
  // CHECK: %[[S:.*]] = boostrt.sum_of_squares ins(%[[G]] : tensor<8xf64>) outs(%{{.*}} : tensor<f32>) {boost.component = "norm"}
  // CHECK-NEXT: %[[W:.*]] = stablehlo.convert %[[S]] : (tensor<f32>) -> tensor<f64>
  // CHECK-NEXT: return %[[W]]
  %0 = boost.sum_of_squares %g {boost.component = "norm"} : (tensor<8xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

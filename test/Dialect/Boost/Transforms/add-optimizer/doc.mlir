// RUN: boost-opt %s -boost-add-optimizer -boost-build-step -boost-raise-adamw | FileCheck %s

// One step: the gradient's operations, the global norm and its clipping, one
// update per parameter. `a` decays, `g` does not. The bf16 `g` has a master, of
// which it is the rounded value.

// CHECK:       boost.optimizer = {master_weights = true, name = "adamw"}
// CHECK-LABEL: func @gradient
// CHECK-LABEL: func @step
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32> {boost.reason = "why", boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a", decay = true>}
// CHECK-SAME:    %[[G:.*]]: tensor<8xbf16> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "g", decay = false>}
// CHECK-SAME:    %[[MASTER:.*]]: tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "master.g", kind = "master", of = "g", init = "param">}
// CHECK-SAME:    %[[MA:.*]]: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "adamw.m.a", kind = "m", of = "a", init = "zeros">}
// CHECK-SAME:    %[[MG:.*]]: tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "adamw.m.g", kind = "m", of = "g", init = "zeros"
// CHECK-SAME:    %[[VA:.*]]: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "adamw.v.a", kind = "v", of = "a", init = "zeros", sample = 0.05{{[0-9]*}} : f64>
// CHECK-SAME:    %[[VG:.*]]: tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "adamw.v.g", kind = "v", of = "g", init = "zeros"
// CHECK-SAME:    %[[X:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<batch "x">}
// CHECK-SAME:    %[[LR:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr", {{[^%]*}}}
// CHECK-SAME:    %[[STEP:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.step", kind = "step", {{[^%]*}}}
// CHECK-SAME:    %[[CLIP:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.clip", kind = "clip", {{[^%]*}}}
// CHECK-SAME:    %[[BETA1:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.beta1", kind = "beta1", {{[^%]*}}}
// CHECK-SAME:    %[[BETA2:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.beta2", kind = "beta2", {{[^%]*}}}
// CHECK-SAME:    %[[ADAM_EPS:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.eps", kind = "eps", {{[^%]*}}}
// CHECK-SAME:    %[[DECAY:.*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.weight_decay", kind = "weight_decay", {{[^>]*}}>>}
// CHECK-SAME:    -> (tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<loss "loss">}, tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<metric "grad_norm", kind = "grad_norm">}
// CHECK-SAME:    tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a", decay = true>}, tensor<8xbf16> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "g", decay = false>}
// CHECK-SAME:    tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "master.g", kind = "master", of = "g", init = "param">}
// CHECK-SAME:    tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "adamw.m.a", kind = "m", of = "a", init = "zeros"
// CHECK-SAME:    tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "adamw.m.g", kind = "m", of = "g", init = "zeros"
// CHECK-SAME:    tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "adamw.v.a", kind = "v", of = "a", init = "zeros"
// CHECK-SAME:    tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "adamw.v.g", kind = "v", of = "g", init = "zeros"
// CHECK:         boost.phase backward
// CHECK:         boost.phase optimizer
// CHECK:         %[[SQUARES:.*]] = boost.sum_of_squares %[[A]], %[[G]] {boost.component = "optimizer"}
// CHECK:         %[[NORM:.*]] = stablehlo.sqrt %[[SQUARES]]
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK:         %[[EPS:.*]] = stablehlo.constant dense<9.99999997E-7>
// CHECK:         %[[BOUND:.*]] = stablehlo.add %[[NORM]], %[[EPS]]
// CHECK:         %[[RATIO:.*]] = stablehlo.divide %[[CLIP]], %[[BOUND]]
// CHECK:         %[[MIN:.*]] = stablehlo.minimum %[[ONE]], %[[RATIO]]
// CHECK:         %[[CLIPS:.*]] = stablehlo.compare GT, %[[CLIP]], %[[ZERO]]
// CHECK:         %[[SCALE:.*]] = stablehlo.select %[[CLIPS]], %[[MIN]], %[[ONE]]
// CHECK:         %[[SHARE1:.*]] = stablehlo.subtract %{{.*}}, %[[BETA1]]
// CHECK:         %[[SHARE2:.*]] = stablehlo.subtract %{{.*}}, %[[BETA2]]
// CHECK:         %[[A1:.*]], %[[MA1:.*]], %[[VA1:.*]] = boost.adamw %[[A]], %[[MA]], %[[VA]], %[[A]] lr %[[LR]] step %[[STEP]] scale %[[SCALE]]
// CHECK-SAME:      betas %[[BETA1]], %[[BETA2]] shares %[[SHARE1]], %[[SHARE2]] eps %[[ADAM_EPS]], %{{.*}} decay %[[DECAY]] {boost.component = "optimizer", decays}
// CHECK:         %[[G1:.*]], %[[MG1:.*]], %[[VG1:.*]] = boost.adamw %[[MASTER]], %[[MG]], %[[VG]], %[[G]]
// CHECK-SAME:      decay %[[DECAY]] {boost.component = "optimizer"}
// CHECK:         %[[ROUNDED:.*]] = stablehlo.convert %[[G1]] {boost.component = "optimizer"} : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK:         return %[[X]], %[[NORM]], %[[A1]], %[[ROUNDED]], %[[G1]], %[[MA1]], %[[MG1]], %[[VA1]], %[[VG1]]
func.func @gradient(
    %a: tensor<8x4xf32> {boost.reason = "why", boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a", decay = true>},
    %x: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<batch "x">},
    %g: tensor<8xbf16> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "g", decay = false>})
    -> (tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<loss "loss">},
        tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<gradient "grad.a", of = "a">},
        tensor<8xbf16> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<gradient "grad.g", of = "g">}) {
  boost.phase backward
  return %x, %a, %g : tensor<f32>, tensor<8x4xf32>, tensor<8xbf16>
}

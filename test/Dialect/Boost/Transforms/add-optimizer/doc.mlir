// RUN: boost-opt %s -boost-add-optimizer | FileCheck %s

// One step: the gradient's operations, the global norm and its clipping, one
// update per parameter. `a` decays, `g` does not.

// CHECK-LABEL: func @gradient
// CHECK-LABEL: func @step
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32> {boost.arg = "param", boost.decay = true, boost.name = "a", boost.split = {{\[\[}}"tp"], []]}
// CHECK-SAME:    %[[G:.*]]: tensor<8xbf16> {boost.arg = "param", boost.decay = false, boost.name = "g", boost.split = {{\[\[}}]]}
// CHECK-SAME:    %[[MA:.*]]: tensor<8x4xf32> {boost.arg = "state", boost.init = "zeros", boost.name = "adamw.m.a", boost.split = {{\[\[}}"tp"], []]}
// CHECK-SAME:    %[[MG:.*]]: tensor<8xf32> {boost.arg = "state", boost.init = "zeros", boost.name = "adamw.m.g"
// CHECK-SAME:    %[[VA:.*]]: tensor<8x4xf32> {boost.arg = "state", boost.init = "zeros", boost.name = "adamw.v.a"
// CHECK-SAME:    %[[VG:.*]]: tensor<8xf32> {boost.arg = "state", boost.init = "zeros", boost.name = "adamw.v.g"
// CHECK-SAME:    %[[X:.*]]: tensor<f32> {boost.arg = "batch", boost.name = "x", boost.split = []}
// CHECK-SAME:    %[[LR:.*]]: tensor<f32> {boost.arg = "hyper", boost.name = "lr", boost.split = []}
// CHECK-SAME:    %[[STEP:.*]]: tensor<f32> {boost.arg = "hyper", boost.name = "step", boost.split = []}
// CHECK-SAME:    %[[CLIP:.*]]: tensor<f32> {boost.arg = "hyper", boost.name = "clip_norm", boost.split = []}
// CHECK-SAME:    -> (tensor<f32> {boost.name = "loss", boost.split = []}, tensor<f32> {boost.name = "grad_norm", boost.split = []}
// CHECK-SAME:    tensor<8x4xf32> {boost.name = "a", boost.split = {{\[\[}}"tp"], []]}, tensor<8xbf16> {boost.name = "g"
// CHECK-SAME:    tensor<8x4xf32> {boost.name = "adamw.m.a"
// CHECK-SAME:    tensor<8xf32> {boost.name = "adamw.m.g"
// CHECK-SAME:    tensor<8x4xf32> {boost.name = "adamw.v.a"
// CHECK-SAME:    tensor<8xf32> {boost.name = "adamw.v.g"
// CHECK:         boost.phase backward
// CHECK:         boost.phase optimizer
// CHECK:         %[[SQUARES:.*]] = boost.sum_of_squares %[[A]], %[[G]] {boost.region = "optimizer"}
// CHECK:         %[[NORM:.*]] = stablehlo.sqrt %[[SQUARES]]
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK:         %[[EPS:.*]] = stablehlo.constant dense<9.99999997E-7>
// CHECK:         %[[BOUND:.*]] = stablehlo.add %[[NORM]], %[[EPS]]
// CHECK:         %[[RATIO:.*]] = stablehlo.divide %[[CLIP]], %[[BOUND]]
// CHECK:         %[[MIN:.*]] = stablehlo.minimum %[[ONE]], %[[RATIO]]
// CHECK:         %[[CLIPS:.*]] = stablehlo.compare GT, %[[CLIP]], %[[ZERO]]
// CHECK:         %[[SCALE:.*]] = stablehlo.select %[[CLIPS]], %[[MIN]], %[[ONE]]
// CHECK:         %[[A1:.*]], %[[MA1:.*]], %[[VA1:.*]] = boost.adamw %[[A]], %[[MA]], %[[VA]], %[[A]] lr %[[LR]] step %[[STEP]] scale %[[SCALE]]
// CHECK-SAME:      weight_decay = 1.000000e-01
// CHECK:         %[[G1:.*]], %[[MG1:.*]], %[[VG1:.*]] = boost.adamw %[[G]], %[[MG]], %[[VG]], %[[G]]
// CHECK-SAME:      weight_decay = 0.000000e+00
// CHECK:         return %[[X]], %[[NORM]], %[[A1]], %[[G1]], %[[MA1]], %[[MG1]], %[[VA1]], %[[VG1]]
func.func @gradient(
    %a: tensor<8x4xf32> {boost.arg = "param", boost.decay = true, boost.name = "a", boost.split = [["tp"], []]},
    %x: tensor<f32> {boost.arg = "batch", boost.name = "x", boost.split = []},
    %g: tensor<8xbf16> {boost.arg = "param", boost.decay = false, boost.name = "g", boost.split = [[]]})
    -> (tensor<f32> {boost.name = "loss", boost.split = []},
        tensor<8x4xf32> {boost.name = "grad.a", boost.split = [["tp"], []]},
        tensor<8xbf16> {boost.name = "grad.g", boost.split = [[]]}) {
  boost.phase backward
  return %x, %a, %g : tensor<f32>, tensor<8x4xf32>, tensor<8xbf16>
}

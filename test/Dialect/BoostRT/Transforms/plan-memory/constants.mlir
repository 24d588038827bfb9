// RUN: boost-opt %s --boostrt-plan-memory --split-input-file | FileCheck %s

// Constants have a role and a share of the memory of their own, and no rule by
// which they start; so has each that is packed with others.
// CHECK: boost.memory = {{{.*}}constants = 128 : i64, {{.*}}parameters = 64 : i64, peak = 192 : i64
// CHECK-SAME: {bytes = 16 : i64, dtype = "f32", name = "c", offset = 64 : i64, role = "constant", shape = [4], split = {{\[\[}}]]}
// CHECK-SAME: name = "p"{{[^}]*}}, packed = "{p,q}", role = "constant"
// CHECK-SAME: name = "q"{{[^}]*}}, packed = "{p,q}", role = "constant"
// CHECK-SAME: init = "ones", name = "f", offset = 0 : i64, role = "frozen"
func.func @step(
    %c: memref<4xf32> {boost.tensor = #boost.tensor<frozen "c", init = "stored">},
    %p: memref<2x4xf32> {boost.tensor = #boost.tensor<frozen "{p,q}", init = "stored">, boost.parts = [
        #boost.part<name = "p", init = "stored", dim = 0, offset = 0, shape = [1, 4]>,
        #boost.part<name = "q", init = "stored", dim = 0, offset = 1, shape = [1, 4]>]},
    %f: memref<4xf32> {boost.tensor = #boost.tensor<frozen "f", init = "ones">}) {
  return
}

// -----

// CHECK-NOT: constants
// CHECK-LABEL: func.func @none
func.func @none(%f: memref<4xf32> {boost.tensor = #boost.tensor<frozen "f", init = "ones">}) {
  return
}

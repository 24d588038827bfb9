// RUN: boost-opt %s --boost-normalize-entry --split-input-file --verify-diagnostics | FileCheck %s
// Shardings of arguments become hints: with the names of their axes from Shardy,
// by their sizes from GSPMD. What a hint cannot say is dropped with a remark.

// CHECK-LABEL: module @shardy
// CHECK-NOT:   sdy
// CHECK:       boost.hint = {{\[}}["data=2"], []], boost.tensor = #boost.tensor<param "arg0">
// CHECK:       boost.hint = {{\[}}["model=4", "data=2"], []], boost.tensor = #boost.tensor<param "arg1">
// CHECK:       boost.hint = {{\[}}["x=8"]], boost.tensor = #boost.tensor<param "arg2">
// CHECK:       boost.hint = {{\[}}[], []], boost.tensor = #boost.tensor<param "arg3">
// CHECK:       boost.hint = {{\[}}["data=2"]], boost.tensor = #boost.tensor<param "arg4">
module @shardy {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {?}]>},
                  %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model", "data"}p1, {}], replicated={}>},
                  %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=8]>, [{"x"}]>},
                  %d: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                  %e: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}]>}, %s: tensor<f32>) -> tensor<f32> {
    return %s : tensor<f32>
  }
}

// -----

// CHECK-LABEL: module @gspmd
// CHECK:       boost.hint = {{\[}}["=2"], []], boost.tensor = #boost.tensor<param "arg0">
// CHECK:       boost.hint = {{\[}}[], ["=2"]], boost.tensor = #boost.tensor<param "arg1">
// CHECK:       boost.hint = {{\[}}[]], boost.tensor = #boost.tensor<param "arg2">
module @gspmd {
  func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"},
                  %b: tensor<8x4xf32> {mhlo.sharding = "{devices=[1,2,4]<=[2,4]T(1,0) last_tile_dim_replicate}"},
                  %c: tensor<8xf32> {mhlo.sharding = "{replicated}"}, %s: tensor<f32>) -> tensor<f32> {
    return %s : tensor<f32>
  }
}

// -----

// expected-remark@+2 {{sharding annotations of the program are dropped: placement decides the shardings}}
// CHECK-LABEL: module @other
module @other {
  sdy.mesh @mesh = <["data"=4]>
  // CHECK-NOT: boost.hint
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data":(1)2}]>},
                  %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@missing, [{"data"}]>},
                  %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                  %d: tensor<8xf32> {mhlo.sharding = "{maximal device=0}"},
                  %e: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}, %s: tensor<f32>) -> tensor<f32> {
    return %s : tensor<f32>
  }
}

// -----

// Where nothing is sharded the program is one for a single device.
// expected-remark@+2 {{sharding annotations of the program are dropped}}
// CHECK-LABEL: module @single
module @single {
  // CHECK-NOT: boost.hint
  func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{replicated}"}, %s: tensor<f32>) -> tensor<f32> {
    return %s : tensor<f32>
  }
}

// -----

// CHECK-LABEL: func.func @loss
// CHECK-NOT:   custom_call
func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  // expected-remark@+1 {{'annotate_device_placement' is dropped: memory and layout are the compiler's choice}}
  %0 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark@+1 {{'LayoutConstraint' is dropped}}
  %1 = stablehlo.custom_call @LayoutConstraint(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %s : tensor<4xf32>, tensor<f32>
}

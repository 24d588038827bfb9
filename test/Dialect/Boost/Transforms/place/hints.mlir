// RUN: boost-opt %s --boost-place="mesh=dp=2,tp=4 follow-hints" --verify-diagnostics | FileCheck %s
// RUN: boost-opt %s --boost-place="mesh=dp=2,tp=4 placement=megatron" | FileCheck %s --check-prefix=NAMED
// What the program says of its own shardings is followed where the mesh has the
// axes. A placement asked for by name is taken as it is.

// CHECK:      %{{.*}}: tensor<8x12xf32> {{{.*}}boost.reason = "as the program's own sharding says", boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "by_name"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "by_size"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp", "tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "over_both"
// CHECK-SAME: boost.reason = "as the program's own sharding says", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "whole"
// CHECK-SAME: boost.reason = "replicated", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "not_named"
// CHECK-SAME: boost.reason = "replicated", boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "not_divided"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"dp"}>, boost.tensor = #boost.tensor<{{param|batch}} "tokens"
// CHECK-NOT:  boost.hint

// NAMED-NOT: program's own sharding
// NAMED-NOT: boost.hint
func.func @loss(%a: tensor<8x12xf32> {boost.hint = [["tp=2"], []], boost.tensor = #boost.tensor<param "by_name">},
                %b: tensor<8x12xf32> {boost.hint = [[], ["model=4"]], boost.tensor = #boost.tensor<param "by_size">},
                %c: tensor<8x12xf32> {boost.hint = [["data=2", "one=1", "=4"], []], boost.tensor = #boost.tensor<param "over_both">},
                %d: tensor<8x12xf32> {boost.hint = [[], []], boost.tensor = #boost.tensor<param "whole">},
                // expected-remark@+1 {{the sharding that the program gives "not_named" is not followed: the mesh has no axis 'pod' and not one axis of size 16}}
                %e: tensor<16x12xf32> {boost.hint = [["pod=16"], []], boost.tensor = #boost.tensor<param "not_named">},
                // expected-remark@+1 {{the sharding that the program gives "not_divided" is not followed: tp = 4 does not divide 6}}
                %f: tensor<6x12xf32> {boost.hint = [["tp=2"], []], boost.tensor = #boost.tensor<param "not_divided">},
                // expected-remark@+1 {{the sharding that the program gives "twice" is not followed: it shards over axis 'tp' twice}}
                %g: tensor<8x12xf32> {boost.hint = [["tp=2"], ["tp=2"]], boost.tensor = #boost.tensor<param "twice">},
                // expected-remark@+1 {{the sharding that the program gives "malformed" is not followed: it does not list axes for each dimension}}
                %h: tensor<8x12xf32> {boost.hint = [["tp=2"]], boost.tensor = #boost.tensor<param "malformed">},
                %t: tensor<4x8xi32> {boost.hint = [[], ["dp=2"]], boost.tensor = #boost.tensor<batch "tokens">}) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}

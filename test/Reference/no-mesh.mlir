// RUN: not boost-eval %s --function=sharded 2>&1 | FileCheck %s --check-prefix=SHARDED
// RUN: not boost-eval %s --function=partial 2>&1 | FileCheck %s --check-prefix=PARTIAL
// RUN: not boost-eval %s --function=result 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: boost-eval %s --function=replicated | FileCheck %s --check-prefix=REPLICATED
// The program of one rank without a mesh has no axes.

module attributes {boost.level = "spmd"} {
  // SHARDED: no-mesh.mlir:[[@LINE+1]]:3: error: expects a mesh with axis "tp"
  func.func @sharded(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // PARTIAL: no-mesh.mlir:[[@LINE+1]]:3: error: expects a mesh with axis "dp"
  func.func @partial(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp"}>}) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // RESULT: no-mesh.mlir:[[@LINE+1]]:3: error: expects a mesh with axis "tp"
  func.func @result(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    return %x : tensor<4xf32>
  }
  // REPLICATED: out0 {{.*}} [7, 7]
  func.func @replicated() -> (tensor<2xi32> {boost.sharding = #boost.sharding<{}>}) {
    %0 = stablehlo.constant dense<7> : tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}

// RUN: not boost-eval %s --function=recursive 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not boost-eval %s --function=collective 2>&1 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: not boost-eval %s --function=argument 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not boost-eval %s --function=broadcast 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: not boost-eval %s --function=calls 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not boost-eval %s --function=no_rule 2>&1 | FileCheck %s --check-prefix=RULE

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// RECURSIVE: refused.mlir:[[@LINE+1]]:1: error: 'func.func' op calls itself, which cannot be evaluated
func.func @recursive(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @recursive(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @collective(%x: tensor<8xf32>) -> tensor<8xf32> {
  // COLLECTIVE: refused.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'boost.all_reduce' op is a collective, but the module has no mesh: expects the attribute boost.level = "spmd" and a shard.grid @mesh
  %0 = boost.all_reduce sum %x on @mesh axes = [0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// ARGUMENT: refused.mlir:[[@LINE+1]]:1: error: 'func.func' op needs 8388608.0 GiB to evaluate, {{.*}} but this machine has {{[0-9.]+}} GiB
func.func @argument(%x: tensor<1048576x1073741824xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}

func.func @broadcast(%x: tensor<f32>) -> tensor<4294967296x4294967296xf32> {
  // BROADCAST: refused.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'stablehlo.broadcast_in_dim' op needs {{[0-9.]+}} GiB to evaluate
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}

func.func private @outside(tensor<f32>) -> tensor<f32>
func.func @calls(%x: tensor<f32>) -> tensor<f32> {
  // CALLS: refused.mlir:[[@LINE+1]]:{{[0-9]+}}: error: calls 'outside', which has no body
  %0 = call @outside(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @no_rule(%x: tensor<4xf32>) -> tensor<4xf32> {
  // RULE: refused.mlir:[[@LINE+1]]:{{[0-9]+}}: error: has no rule in the reference evaluator
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

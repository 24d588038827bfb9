// The whole compiler in one file: one low-rank (CoLA) block between an embedding
// and a loss, as `boost_mlir.export` writes it, after every stage. Two ranks.
//
// The model, in JAX:
//
//   def loss(p, tokens, targets):
//       x = p["embed"][tokens]
//       h = rms_norm(x, p["norm"])
//       x = x + jax.nn.silu(h @ p["mlp.down"]) @ p["mlp.up"]
//       logp = jax.nn.log_softmax(x @ p["head"])
//       return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], axis=-1))
//
// with batch 2, sequence 4, hidden size 8, rank 2, vocabulary 32.
//
// RUN: boost-opt %s --boost-import-pipeline -o %t.import
// RUN: boost-opt %t.import --boost-raise-pipeline -o %t.raise
// RUN: boost-opt %t.raise --boost-structure-pipeline -o %t.structure
// RUN: boost-opt %t.structure --boost-place-pipeline=mesh=tp=2 -o %t.place
// RUN: boost-opt %t.place --boost-decompose-pipeline -o %t.decompose
// RUN: boost-opt %t.decompose --boost-differentiate-pipeline -o %t.differentiate
// RUN: boost-opt %t.differentiate --boost-partition-pipeline -o %t.partition
// RUN: boost-opt %t.partition --boost-collectives-pipeline -o %t.collectives
// RUN: boost-opt %t.collectives --boost-rematerialize-pipeline -o %t.rematerialize
// RUN: boost-opt %t.rematerialize --boost-lower-pipeline -o %t.lower
// RUN: boost-opt %t.lower --boost-emit-pipeline -o %t.emit
// RUN: FileCheck %s --check-prefix=IMPORT --input-file %t.import
// RUN: FileCheck %s --check-prefix=RAISE --input-file %t.raise
// RUN: FileCheck %s --check-prefix=STRUCTURE --input-file %t.structure
// RUN: FileCheck %s --check-prefix=PLACE --input-file %t.place
// RUN: FileCheck %s --check-prefix=DECOMPOSE --input-file %t.decompose
// RUN: FileCheck %s --check-prefix=DIFF --input-file %t.differentiate
// RUN: FileCheck %s --check-prefix=SPMD --input-file %t.partition
// RUN: FileCheck %s --check-prefix=COLLECTIVES --input-file %t.collectives
// RUN: FileCheck %s --check-prefix=REMAT --input-file %t.rematerialize
// RUN: FileCheck %s --check-prefix=RUNTIME --input-file %t.lower
// RUN: FileCheck %s --check-prefix=LLVM --input-file %t.emit
//
// Every stage up to rematerialize computes the same loss, in f64.
// RUN: boost-eval --compare %t.import %t.raise
// RUN: boost-eval --compare %t.raise %t.structure
// RUN: boost-eval --compare %t.structure %t.decompose
// RUN: boost-eval --compare %t.decompose %t.partition
// RUN: boost-eval --compare --function=gradient %t.differentiate %t.partition
// RUN: boost-eval --compare --function=step %t.differentiate %t.partition
// RUN: boost-eval --compare --function=step %t.partition %t.collectives
// RUN: boost-eval --compare --function=step --tolerance=0 %t.collectives %t.rematerialize
//
// The driver does the same, stage by stage.
// RUN: boost-compile %s --mesh tp=2 --placement=bottleneck --emit=graph -o %t.graph
// RUN: boost-opt %t.graph | diff - %t.differentiate
// RUN: boost-compile %s --mesh tp=2 --placement=bottleneck --emit=spmd -o %t.spmd
// RUN: boost-opt %t.spmd | diff - %t.rematerialize
// RUN: boost-compile %s --mesh tp=2 --placement=bottleneck --emit=runtime -o %t.runtime
// RUN: boost-opt %t.runtime | diff - %t.lower

//===----------------------------------------------------------------------===//
// import: one straight-line function of StableHLO, arguments with their names;
// parameters say how they start and whether they decay.
//
// IMPORT-LABEL: func.func public @loss(
// IMPORT-SAME:    {boost.tensor = #boost.tensor<param "mlp.down", init = "normal:0.02", decay = true>}
// IMPORT-SAME:    {boost.tensor = #boost.tensor<param "norm", init = "ones", decay = false>}
// IMPORT:         "stablehlo.gather"
// IMPORT:         stablehlo.rsqrt
// IMPORT:         stablehlo.dot_general
// IMPORT-NOT:     call
// IMPORT-NOT:     func.func

//===----------------------------------------------------------------------===//
// raise: what the program is made of, found by structure.
//
// RAISE:         %[[X:.*]] = boost.embedding %[[TABLE:.*]], %[[TOKENS:.*]] {boost.component = "embedding"}
// RAISE-NEXT:    %[[N:.*]] = boost.rms_norm %[[X]], %{{.*}} {boost.component = "block"
// RAISE-NEXT:    %[[Y:.*]] = boost.bottleneck %[[N]] down(%{{.*}}) up(%{{.*}}) activation({{ ?}}silu)
// RAISE-NEXT:    %[[X1:.*]] = stablehlo.add %[[X]], %[[Y]]
// RAISE-NEXT:    %[[LOGITS:.*]] = boost.linear %[[X1]], %{{.*}} {boost.component = "head"}
// RAISE-NEXT:    boost.cross_entropy %[[LOGITS]], %{{.*}} {boost.component = "loss"}

//===----------------------------------------------------------------------===//
// structure: the bottleneck takes over its norm.
//
// STRUCTURE:     %[[X:.*]] = boost.embedding
// STRUCTURE-NEXT: %[[Y:.*]] = boost.bottleneck %[[X]] norm(%{{.*}}, {{.*}}) down(%{{.*}}) up(%{{.*}}) activation({{ ?}}silu)
// STRUCTURE-NOT: boost.rms_norm

//===----------------------------------------------------------------------===//
// place: only the interface is decided, how parameters and batch are sharded.
//
// PLACE:         shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// PLACE:         boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "embed"
// PLACE-SAME:    boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "mlp.down"
// PLACE-SAME:    boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "mlp.up"

//===----------------------------------------------------------------------===//
// decompose: two products with the norm and an activation between.
//
// DECOMPOSE:     %[[P:.*]] = boost.linear %{{.*}} : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
// DECOMPOSE:     stablehlo.rsqrt
// DECOMPOSE:     %[[H:.*]] = stablehlo.multiply %[[P]], %{{.*}}
// DECOMPOSE:     %[[S:.*]] = stablehlo.logistic %[[H]]
// DECOMPOSE:     %[[Z:.*]] = stablehlo.multiply %[[H]], %[[S]]
// DECOMPOSE:     boost.linear %[[Z]], %{{.*}} : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
// DECOMPOSE-NOT: boost.bottleneck

//===----------------------------------------------------------------------===//
// differentiate: @loss stays, @gradient and @step are added.
//
// DIFF-LABEL:    func.func public @loss(
// DIFF-LABEL:    func.func public @gradient(
// DIFF:            boost.cross_entropy
// DIFF:            boost.phase backward
// DIFF:            boost.cross_entropy_grad
// DIFF:            boost.embedding_grad
// DIFF-LABEL:    func.func {{.*}}@step(
// DIFF:            boost.phase backward
// DIFF:            boost.phase optimizer
// DIFF:            boost.sum_of_squares
// DIFF-COUNT-5:    boost.adamw

//===----------------------------------------------------------------------===//
// partition: one rank's program. The residual stream is sharded along the hidden dimension
// (4 of 8), partial sums meet at the latent (2 wide); weights need no collective.
//
// SPMD-LABEL:    func.func public @gradient(
// SPMD:            boost.embedding {{.*}} -> tensor<2x4x4xf32>
// SPMD:            %[[HP:.*]] = boost.linear %{{.*}} : (tensor<2x4x4xf32>, tensor<4x2xf32>) -> tensor<2x4x2xf32>
// SPMD-NEXT:       %[[H:.*]] = boost.all_reduce sum %[[HP]] on @mesh axes = [0] {boost.component = "block"} : tensor<2x4x2xf32>
// SPMD:            boost.all_reduce sum %{{.*}} on @mesh axes = [0] {boost.component = "block"} : tensor<2x4xf32>
// SPMD:            stablehlo.rsqrt
// SPMD:            stablehlo.multiply %[[H]]
// SPMD:            stablehlo.logistic
// SPMD:            boost.all_gather {{.*}} dims = [2] {{.*}} {boost.component = "head"}
// SPMD:            boost.linear {{.*}} {boost.component = "head"} : (tensor<2x4x8xf32>, tensor<8x16xf32>)
// SPMD:            boost.all_reduce max
// SPMD:            boost.process_index
// SPMD:            boost.phase backward
// SPMD:            boost.reduce_scatter {{.*}} {boost.component = "head"}
// SPMD:            %[[DZP:.*]] = boost.linear {{.*}} transposed {{.*}} -> tensor<2x4x2xf32>
// SPMD-NEXT:       boost.all_reduce sum %[[DZP]] {{.*}} {boost.component = "block"} : tensor<2x4x2xf32>
// SPMD-LABEL:    func.func {{.*}}@step(
// SPMD:            boost.phase optimizer
// SPMD-NOT:        boost.all_reduce {{.*}}"gradients"
// SPMD:            boost.all_reduce sum {{.*}} {boost.component = "optimizer"} : tensor<f32>

//===----------------------------------------------------------------------===//
// collectives: the statistic of the norm travels with the latent, in one launch
// forward and none backward; both sums of the loss are one launch too.
//
// COLLECTIVES-LABEL: func.func {{.*}}@step(
// COLLECTIVES:         %[[SH:.*]]:2 = boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [0] {boost.component = "block"}
// COLLECTIVES:         stablehlo.rsqrt
// COLLECTIVES:         boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [0] {boost.component = "loss"}
// COLLECTIVES:         boost.phase backward
// COLLECTIVES:         boost.all_reduce sum %{{.*}} on @mesh axes = [0] {boost.component = "block"} : tensor<2x4x2xf32>
// COLLECTIVES-NOT:     boost.all_reduce {{.*}} {boost.component = "block"}

//===----------------------------------------------------------------------===//
// rematerialize: what costs no pass over memory is computed again, here the
// logistic of the latent, and not kept for the backward pass.
//
// REMAT-LABEL:   func.func public @gradient(
// REMAT-SAME:      boost.kept_bytes
// REMAT:           boost.phase backward
// REMAT:           %[[LATENT:.*]] = stablehlo.optimization_barrier
// REMAT:           stablehlo.logistic

//===----------------------------------------------------------------------===//
// lower: calls and kernels on one arena.
//
// RUNTIME:       boost.arena_bytes
// RUNTIME-LABEL: func.func {{.*}}@step(%{{.*}}: memref<{{[0-9]+}}xi8>)
// RUNTIME:         boostrt.embedding
// RUNTIME:         boostrt.launch @kernel
// RUNTIME:         boostrt.gemm
// RUNTIME:         boostrt.all_reduce sum group 1 site
// RUNTIME:         boostrt.adamw

//===----------------------------------------------------------------------===//
// emit: the LLVM dialect, ready for an object file.
//
// LLVM-DAG:      llvm.func @boost_fn_step(
// LLVM-DAG:      llvm.call @boost_rt_gemm
// LLVM-DAG:      llvm.call @boost_rt_all_reduce

module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x8xf32> {boost.arg = "param", boost.name = "embed"}, %arg1: tensor<8x32xf32> {boost.arg = "param", boost.name = "head"}, %arg2: tensor<8x2xf32> {boost.arg = "param", boost.name = "mlp.down"}, %arg3: tensor<2x8xf32> {boost.arg = "param", boost.name = "mlp.up"}, %arg4: tensor<8xf32> {boost.arg = "param", boost.name = "norm"}, %arg5: tensor<2x4xi32> {boost.arg = "batch", boost.name = "tokens"}, %arg6: tensor<2x4xi32> {boost.arg = "batch", boost.name = "targets"}) -> (tensor<f32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %1 = stablehlo.compare LT, %arg5, %0, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %3 = stablehlo.add %arg5, %2 : tensor<2x4xi32>
    %4 = stablehlo.select %1, %3, %arg5 : tensor<2x4xi1>, tensor<2x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<2x4x1xi32>) -> tensor<2x4x8xf32>
    %7 = chlo.square %6 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<2x4x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<2x4x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<2x4x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %16 = stablehlo.multiply %6, %15 : tensor<2x4x8xf32>
    %17 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x4x8xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<2x4x8xf32>
    %20 = stablehlo.dot_general %19, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
    %21 = call @silu(%20) : (tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
    %22 = stablehlo.dot_general %21, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
    %23 = stablehlo.add %6, %22 : tensor<2x4x8xf32>
    %24 = stablehlo.dot_general %23, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
    %25 = call @log_softmax(%24) : (tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %26 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %27 = call @take_along_axis(%25, %26) : (tensor<2x4x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %29 = stablehlo.divide %28, %cst_4 : tensor<f32>
    %30 = stablehlo.negate %29 : tensor<f32>
    return %30 : tensor<f32>
  }
  func.func private @silu(%arg0: tensor<2x4x2xf32>) -> tensor<2x4x2xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x4x2xf32>
    %1 = stablehlo.exponential %0 : tensor<2x4x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x2xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x4x2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x2xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x4x2xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x4x2xf32>
    return %6 : tensor<2x4x2xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x4x32xf32>) -> tensor<2x4x32xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x32xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x32xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x4x32xf32>, tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %9 = stablehlo.log %8 : tensor<2x4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x32xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x32xf32>
    return %11 : tensor<2x4x32xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x4x32xf32>, %arg1: tensor<2x4x1xi32>) -> tensor<2x4x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x4x1xi32>, tensor<2x4x1xi32>) -> tensor<2x4x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x4x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x4x1xi1>, tensor<2x4x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x4x1xi32>) -> tensor<2x4x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x4x1x1xi32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x4x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x4x1x1xi32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x4x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x4x1x1xi1>, tensor<i1>) -> tensor<2x4x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x4x32xf32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x4x1xi1>, tensor<2x4x1xf32>
    return %15 : tensor<2x4x1xf32>
  }
}

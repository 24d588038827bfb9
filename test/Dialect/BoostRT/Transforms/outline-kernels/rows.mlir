// RUN: boost-opt %s --boostrt-bufferize | FileCheck %s --check-prefix=BUFFERS
// RUN: boost-opt %s --boostrt-bufferize --boostrt-plan-memory --boostrt-outline-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: boost-opt %s --boostrt-bufferize --boostrt-plan-memory --boostrt-outline-kernels --boostrt-lower-kernels | FileCheck %s --check-prefix=LOOPS
// Loops that are written out update their outs in place, become a kernel as they
// are, and round every operation on short floats.

// BUFFERS-LABEL: func.func @f(
// BUFFERS-SAME: %[[X:[a-z0-9]+]]: memref<4xbf16> {boost.tensor = #boost.tensor<param
// BUFFERS-SAME: %[[P:[a-z0-9]+]]: memref<4xi1>
// BUFFERS-SAME: %[[Y:[a-z0-9]+]]: memref<4xbf16> {boost.tensor = #boost.tensor<output "y">}
// BUFFERS: boostrt.copy ins(%[[X]] : memref<4xbf16>) outs(%[[Y]] : memref<4xbf16>)
// BUFFERS: boostrt.rows 4 ins(%[[P]] : memref<4xi1>) outs(%[[Y]] : memref<4xbf16>)

// KERNEL: boostrt.launch @kernel_0[4] ({{.*}}) {boostrt.reads = [array<i64: 1>, array<i64: 0>], boostrt.writes = [array<i64: 2>], num_outputs = 1 : i64}
// KERNEL: func.func private @kernel_0(%[[B:.*]]: index, %[[E:.*]]: index, %{{.*}}: memref<4xi1> {llvm.readonly}, %{{.*}}: memref<4xbf16> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 4 : i64}
// KERNEL: scf.for %[[ROW:.*]] = %[[B]] to %[[E]]
// KERNEL: memref.load %{{.*}}[%[[ROW]]]

// LOOPS: func.func private @kernel_0
// LOOPS-SAME: memref<4xi8>
// LOOPS: arith.trunci %{{.*}} : i8 to i1
// LOOPS: arith.extf %{{.*}} : bf16 to f32
// LOOPS: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// LOOPS: %[[R:.*]] = arith.truncf %[[S]] : f32 to bf16
// LOOPS: arith.select %{{.*}}, %[[R]], %{{.*}} : bf16
func.func @f(%x: tensor<4xbf16> {boost.tensor = #boost.tensor<param "x">},
             %p: tensor<4xi1> {boost.tensor = #boost.tensor<batch "p">})
    -> (tensor<4xbf16> {boost.tensor = #boost.tensor<output "y">}, tensor<4xbf16> {boost.tensor = #boost.tensor<output "z">}) {
  %0 = boostrt.rows 4 ins(%p : tensor<4xi1>) outs(%x : tensor<4xbf16>) {
  ^bb0(%row: index, %choice: memref<4xi1>, %out: memref<4xbf16>):
    %c = memref.load %choice[%row] : memref<4xi1>
    %v = memref.load %out[%row] : memref<4xbf16>
    %twice = arith.addf %v, %v : bf16
    %r = arith.select %c, %twice, %v : bf16
    memref.store %r, %out[%row] : memref<4xbf16>
  } -> tensor<4xbf16>
  %e = tensor.empty() : tensor<4xbf16>
  %1 = linalg.add ins(%0, %x : tensor<4xbf16>, tensor<4xbf16>) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

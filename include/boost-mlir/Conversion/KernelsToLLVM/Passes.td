//===- Passes.td - Kernels to the LLVM dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_KERNELSTOLLVM_PASSES
#define BOOST_MLIR_CONVERSION_KERNELSTOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToLLVMPass : Pass<"convert-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts kernels to LLVM functions with the runtime's signature";
  let description = [{
    Works on functions marked `boost.kernel` after `boostrt-lower-kernels`; all
    others stay. The loops go into a function that takes every buffer as a
    pointer of its own, so that `noalias` can be said; the function that is
    launched keeps the kernel's name and unpacks the array of buffers.

    ```mlir
    func.func private @kernel_0(%b: index, %e: index, %x: memref<64xf32>) attributes {boost.kernel}
    // becomes
    llvm.func internal @kernel_0_rows(%b: i64, %e: i64, %x: !llvm.ptr)
    llvm.func internal @kernel_0(%b: i64, %e: i64, %buffers: !llvm.ptr)
    ```

    Exact. Fails at an operation that has no LLVM counterpart.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

#endif // BOOST_MLIR_CONVERSION_KERNELSTOLLVM_PASSES

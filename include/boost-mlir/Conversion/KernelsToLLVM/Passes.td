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
    Converts functions marked `boost.kernel` after `boostrt-lower-kernels` and leaves
    all others unchanged. The loops move into a function that takes every buffer as a
    separate pointer, so that the pointers can be `noalias`. The function that is
    launched keeps the kernel's name and unpacks the array of buffers.

    ```mlir
    func.func private @kernel(%begin: index, %end: index, %x: memref<64xf32> {llvm.noalias})
        attributes {boost.kernel} {
      return
    }
    // becomes
    llvm.func internal @kernel_rows(%begin: i64, %end: i64, %x: !llvm.ptr {llvm.noalias})
        attributes {sym_visibility = "private"} {
      llvm.return
    }
    llvm.func internal @kernel(%begin: i64, %end: i64, %buffers: !llvm.ptr)
        attributes {boost.kernel} {
      %slot = llvm.getelementptr %buffers[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %x = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      llvm.call @kernel_rows(%begin, %end, %x) : (i64, i64, !llvm.ptr) -> ()
      llvm.return
    }
    ```

    Exact. Fails at an operation that has no LLVM counterpart.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

#endif // BOOST_MLIR_CONVERSION_KERNELSTOLLVM_PASSES

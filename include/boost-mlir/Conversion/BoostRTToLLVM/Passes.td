//===- Passes.td - The runtime level to the LLVM dialect ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_BOOSTRTTOLLVM_PASSES
#define BOOST_MLIR_CONVERSION_BOOSTRTTOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertBoostRTToLLVMPass : Pass<"convert-boostrt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts the functions of the program to calls of the runtime";
  let description = [{
    Every function that is not a kernel becomes `boost_fn_NAME(context, arena, stash)`,
    a straight line of calls of `boost_rt_*` functions, which are declared from the
    runtime's Functions.def. A memref becomes the arena plus a constant, the slot of the
    stash plus a constant, or a global.

    ```mlir
    func.func @loss(%arena: memref<4096xi8>) {
      %c0 = arith.constant 0 : index
      %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<16xf32>
      %c64 = arith.constant 64 : index
      %y = memref.view %arena[%c64][] : memref<4096xi8> to memref<16xf32>
      boostrt.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
      return
    }
    // becomes
    llvm.func @boost_rt_copy(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
    llvm.func @boost_fn_loss(%context: !llvm.ptr, %arena: !llvm.ptr, %stash: !llvm.ptr)
        attributes {no_inline, optimize_none} {
      %c64 = llvm.mlir.constant(64 : i64) : i64
      %y = llvm.getelementptr %arena[%c64] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c0 = llvm.mlir.constant(0 : i64) : i64
      %x = llvm.getelementptr %arena[%c0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.call @boost_rt_copy(%context, %y, %x, %c64) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
      llvm.return
    }
    ```

    A function of more than `calls-per-part` calls is split into several functions,
    `boost_part_NAME_N`, so that the time of code generation is linear in its length.

    Needs: the arena and at most a slot of the stash as arguments, converted kernels and
    numbered collectives. Exact. Fails at offsets that are not constants and at operations
    without a runtime function.
  }];
  let options = [
    Option<"callsPerPart", "calls-per-part", "uint64_t", "256",
           "Largest number of calls in one function">,
    Option<"listConstants", "list-constants", "bool", "false",
           "List constant tensors in boost_program_constants (Runtime.h), for devices that cannot "
           "read the memory of the program">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BOOST_MLIR_CONVERSION_BOOSTRTTOLLVM_PASSES

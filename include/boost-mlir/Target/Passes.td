//===- Passes.td - Passes of the last stage ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_PASSES
#define BOOST_MLIR_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def AssignWorkspacePass : Pass<"boost-assign-workspace", "::mlir::ModuleOp"> {
  let summary = "Says how much memory calls use while they run";
  let description = [{
    Puts `boostrt.workspace_bytes` on the calls of the runtime that use memory beside
    their operands on this target: on GPUs products, for cublasLt; attention that cuDNN
    can serve, by the formulas of AttentionWorkspace.h; and collectives that NCCL does not
    do on tensors as they are, which are packed there. `boostrt-plan-memory` gives them
    room.

    ```mlir
    // boost-opt --boost-assign-workspace="target=cuda"
    func.func @f(%a: memref<8x4xf32>, %b: memref<4x2xf32>, %c: memref<8x2xf32>) {
      boostrt.gemm ins(%a, %b : memref<8x4xf32>, memref<4x2xf32>) outs(%c : memref<8x2xf32>)
          {batch = 1, m = 8, n = 2, k = 4}
      return
    }
    // becomes
    func.func @f(%a: memref<8x4xf32>, %b: memref<4x2xf32>, %c: memref<8x2xf32>) {
      boostrt.gemm ins(%a, %b : memref<8x4xf32>, memref<4x2xf32>) outs(%c : memref<8x2xf32>)
          {batch = 1, m = 8, n = 2, k = 4, boostrt.workspace_bytes = 33554432 : i64}
      return
    }
    ```

    Exact: no value changes. Fails at a target that does not exist.
  }];
  let options = [Option<"target", "target", "std::string", [{"cpu"}],
                        "Target of the program">];
  let dependentDialects = ["::mlir::boost::rt::BoostRTDialect"];
}

def EmbedDeviceCodePass : Pass<"boost-embed-device-code", "::mlir::ModuleOp"> {
  let summary = "Compiles the device code and puts it into the program";
  let description = [{
    Compiles each `gpu.module`, in the NVVM dialect, for every architecture that is
    attached to it, and puts the results into the program as constants, listed in
    `boost_program_device_images` (Runtime.h). An image is a fat binary: a cubin for
    its architecture and PTX, from which the driver makes code for later ones.

    With `emulatable` there is one more, of architecture 0: the same device code as
    a shared library of this machine, for the emulator of the tests.

    A program without kernels has a list of none:

    ```mlir
    llvm.func @boost_fn_loss(%context: !llvm.ptr, %arena: !llvm.ptr) {
      llvm.return
    }
    // becomes
    llvm.func @boost_fn_loss(%context: !llvm.ptr, %arena: !llvm.ptr) {
      llvm.return
    }
    llvm.mlir.global external constant @boost_program_device_images()
        {addr_space = 0 : i32} : !llvm.array<1 x struct<(i64, ptr, i64)>> {
      %none = llvm.mlir.zero : !llvm.array<1 x struct<(i64, ptr, i64)>>
      llvm.return %none : !llvm.array<1 x struct<(i64, ptr, i64)>>
    }
    ```

    Needs ptxas, fatbinary and libdevice of a CUDA toolkit in `toolkit`. Exact. Fails
    without them, and at device code that names no architecture.
  }];
  let options = [
    Option<"toolkit", "toolkit", "std::string", [{""}],
           "Folder of the CUDA toolkit (the one that was found by the build)">,
    Option<"emulatable", "emulatable", "bool", "false",
           "Add code that the emulator of the tests runs">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BOOST_MLIR_TARGET_PASSES

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
    Sets `boostrt.workspace_bytes` on the calls of the runtime that use memory besides
    their operands on this target. On GPUs these are products, for cublasLt; attention,
    for cuDNN or the runtime's kernels, by the formulas of AttentionWorkspace.h;
    factorizations, for cuSOLVER, by those of FactorizationWorkspace.h; and
    collectives that have to be packed because NCCL cannot take their tensors directly.
    `boostrt-plan-memory` reserves the memory.

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

    Exact: no value changes. Never fails.
  }];
  let options = [Option<"target", "target", "::mlir::boost::TargetKind",
                        "::mlir::boost::TargetKind::CPU", "Target of the program">];
  let dependentDialects = ["::mlir::boost::rt::BoostRTDialect"];
}

def EmbedDeviceCodePass : Pass<"boost-embed-device-code", "::mlir::ModuleOp"> {
  let summary = "Compiles the device code and adds it to the program";
  let description = [{
    Compiles each `gpu.module`, in the NVVM dialect, for every architecture that is
    attached to it, and adds the results to the program as constants, listed in
    `boost_program_device_images` (Runtime.h). An image is a fat binary: a cubin for
    its architecture, and PTX from which the driver generates code for later ones.

    A tool that gives the gpu dialect a DeviceImageInterface adds one more, as that of
    the tests does for its emulator.

    For a program without kernels, the list is empty:

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

    Needs: ptxas, fatbinary and libdevice of a CUDA toolkit in `toolkit`. Exact. Fails
    without them, and at device code that names no architecture.
  }];
  let options = [
    Option<"toolkit", "toolkit", "std::string", [{""}],
           "Folder of the CUDA toolkit (default: the one that the build found)">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BOOST_MLIR_TARGET_PASSES

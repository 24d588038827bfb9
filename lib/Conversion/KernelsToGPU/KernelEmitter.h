//===- KernelEmitter.h - One kernel as a gpu.func ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_KERNELEMITTER_H
#define BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_KERNELEMITTER_H

#include "ThreadMapping.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::boost {

/// The arguments of a function marked `boost.kernel` before its buffers: begin
/// and end.
constexpr unsigned kFirstBuffer = 2;

/// The attribute of a gpu.func that says which form of kernel it has
/// (getName of ThreadMapping.h, or "rows").
constexpr llvm::StringLiteral kFormAttr = "form";

/// A kernel, and how it is launched.
struct GPUKernel {
  gpu::GPUFuncOp function;
  LaunchSize size;
};

/// Emits `kernel`, a function marked `boost.kernel` in the normal form of
/// boostrt-outline-kernels, at the end of `module`. `alignments` has for each
/// of its buffers a number of bytes that the address is a multiple of in all
/// launches. Fails, with an error at it, if the kernel has another form.
FailureOr<GPUKernel> emitGPUKernel(func::FuncOp kernel,
                                   ArrayRef<int64_t> alignments,
                                   gpu::GPUModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_KERNELEMITTER_H

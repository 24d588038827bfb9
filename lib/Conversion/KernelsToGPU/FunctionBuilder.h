//===- FunctionBuilder.h - A gpu.func and its threads -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_FUNCTIONBUILDER_H
#define BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_FUNCTIONBUILDER_H

#include "ThreadMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::boost {

/// Base of all forms of kernels: a function and its threads.
class FunctionBuilder {
public:
  FunctionBuilder(gpu::GPUFuncOp function, Location loc, LaunchSize size)
      : loc(loc), builder(function.getContext()), function(function),
        size(size) {
    builder.setInsertionPointToEnd(&function.getBody().front());
  }

protected:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value getThread() {
    return gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  }
  Value getBlock() {
    return gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  }
  /// The number of this thread among those of all blocks.
  Value getThreadOfGrid() {
    Value first =
        arith::MulIOp::create(builder, loc, getBlock(), constant(size.threads));
    return arith::AddIOp::create(builder, loc, first, getThread());
  }
  /// Emits what only workers of a number below `count` do; `size` has
  /// `workers`.
  void emitIfBelow(Value number, int64_t count, int64_t workers,
                   llvm::function_ref<void()> emit);
  void emitIf(Value condition, llvm::function_ref<void()> emit);
  /// Returns the values of `emit` if the condition holds, else `others`.
  SmallVector<Value> emitIfElse(Value condition, ValueRange others,
                                llvm::function_ref<SmallVector<Value>()> emit);

  Location loc;
  OpBuilder builder;
  gpu::GPUFuncOp function;
  LaunchSize size;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_FUNCTIONBUILDER_H

//===- EffectsTest.cpp - What calls of the runtime read and write ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As other passes of MLIR see it.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

/// The numbers of the operands that @f's call reads, or writes.
template <typename Effect>
static SmallVector<unsigned> getOperands(ModuleOp module) {
  SmallVector<unsigned> operands;
  module.walk([&](MemoryEffectOpInterface op) {
    if (!isa<boost::rt::BoostRTDialect>(op->getDialect()))
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<Effect>(effect.getEffect()))
        operands.push_back(
            effect.getEffectValue<OpOperand *>()->getOperandNumber());
  });
  return operands;
}

static void expectEffects(StringRef text, ArrayRef<unsigned> reads,
                          ArrayRef<unsigned> writes) {
  MLIRContext context;
  context.loadDialect<boost::rt::BoostRTDialect, func::FuncDialect,
                      memref::MemRefDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(getOperands<MemoryEffects::Read>(*module),
            SmallVector<unsigned>(reads));
  EXPECT_EQ(getOperands<MemoryEffects::Write>(*module),
            SmallVector<unsigned>(writes));
}

TEST(Effects, OfACallOnBuffers) {
  expectEffects(R"mlir(
    func.func @f(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
      boostrt.gemm ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>)
          outs(%c : memref<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8}
      return
    }
  )mlir",
                {0, 1}, {2});
}

TEST(Effects, OfACallThatReadsWhatItWrites) {
  expectEffects(R"mlir(
    func.func @f(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
      boostrt.gemm ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>)
          outs(%c : memref<4x2xf32>)
          {accumulate, batch = 1, m = 4, n = 2, k = 8}
      return
    }
  )mlir",
                {0, 1, 2}, {2});
}

TEST(Effects, NoneOnTensors) {
  expectEffects(R"mlir(
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>)
        -> tensor<4x2xf32> {
      %0 = boostrt.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>)
          outs(%c : tensor<4x2xf32>) {batch = 1, m = 4, n = 2, k = 8}
          -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
  )mlir",
                {}, {});
}

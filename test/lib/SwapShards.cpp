//===- SwapShards.cpp - A broken pass: two shards change places -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates ranks that disagree about which part each of them holds.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

/// The elements of `gathered` from part `first` up to part `last` along `dim`.
static Value extractParts(OpBuilder &builder, Value gathered, int64_t dim,
                          int64_t width, int64_t first, int64_t last) {
  auto type = cast<RankedTensorType>(gathered.getType());
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  starts[dim] = first * width;
  limits[dim] = last * width;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = limits[dim] - starts[dim];
  return boost::stablehlo::SliceOp::create(
      builder, gathered.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), gathered, starts,
      limits, strides);
}

/// `gathered` with its first two parts exchanged.
static Value swapParts(OpBuilder &builder, boost::AllGatherOp gather) {
  Value gathered = gather.getResult(0);
  auto type = cast<RankedTensorType>(gathered.getType());
  int64_t dim = gather.getDims().front();
  int64_t width = cast<RankedTensorType>(gather.getInputs().front().getType())
                      .getDimSize(dim);
  int64_t count = type.getDimSize(dim) / width;
  SmallVector<Value> parts{extractParts(builder, gathered, dim, width, 1, 2),
                           extractParts(builder, gathered, dim, width, 0, 1)};
  if (count > 2)
    parts.push_back(extractParts(builder, gathered, dim, width, 2, count));
  return boost::stablehlo::ConcatenateOp::create(builder, gathered.getLoc(),
                                                 type, parts, dim);
}

namespace {
struct SwapShardsPass : PassWrapper<SwapShardsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapShardsPass)

  SwapShardsPass() = default;
  SwapShardsPass(const SwapShardsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-boost-swap-shards"; }
  StringRef getDescription() const override {
    return "Broken on purpose: exchange two parts of one gathered tensor";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<boost::stablehlo::StableHLODialect>();
  }

  Option<unsigned> index{
      *this, "index", llvm::cl::desc("Which gather, from 0, in program order"),
      llvm::cl::init(0)};

  /// Swaps shards of the gather of that index. Returns false if the function
  /// has none.
  bool swapShards(func::FuncOp function) {
    unsigned next = 0;
    for (auto gather : function.getOps<boost::AllGatherOp>()) {
      if (next++ != index)
        continue;
      OpBuilder builder(gather->getContext());
      builder.setInsertionPointAfter(gather);
      SmallPtrSet<Operation *, 3> slices;
      Value swapped = swapParts(builder, gather);
      for (Value part : swapped.getDefiningOp()->getOperands())
        slices.insert(part.getDefiningOp());
      gather.getResult(0).replaceAllUsesExcept(swapped, slices);
      return true;
    }
    return false;
  }

  void runOnOperation() override {
    bool swapped = false;
    for (auto function : getOperation().getOps<func::FuncOp>())
      swapped |= swapShards(function);
    if (!swapped) {
      getOperation().emitError()
          << "expects a function with more than " << index.getValue()
          << " gathers to break one of; run boost-partition first";
      signalPassFailure();
    }
  }
};
} // namespace

void mlir::boost::test::registerSwapShardsPass() {
  PassRegistration<SwapShardsPass>();
}

//===- Linear.cpp - Reference rules of convolutions and systems -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification, which import writes out otherwise: element
// by element, and by substitution.
//
//===----------------------------------------------------------------------===//

#include "Factorization.h"

#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "boost-mlir/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

class Convolution {
public:
  Convolution(stablehlo::ConvolutionOp op, const Tensor &input,
              const Tensor &kernel)
      : dims(op.getDimensionNumbers()), window(stablehlo::getWindow(op)),
        featureGroups(static_cast<int64_t>(op.getFeatureGroupCount())),
        batchGroups(static_cast<int64_t>(op.getBatchGroupCount())),
        reversal(op.getWindowReversal().value_or(ArrayRef<bool>())),
        input(input), kernel(kernel) {
    for (const stablehlo::WindowDim &dim : window)
      sizes.push_back(dim.size);
  }

  /// Visits the positions of all factors of a result.
  void forEachProduct(ArrayRef<int64_t> result,
                      llvm::function_ref<void(size_t, size_t)> visit) const {
    int64_t made = kernel.shape()[dims.getKernelOutputFeatureDimension()];
    int64_t taken = kernel.shape()[dims.getKernelInputFeatureDimension()];
    int64_t feature = result[dims.getOutputFeatureDimension()];
    int64_t batch = result[dims.getOutputBatchDimension()];
    int64_t batches = input.shape()[dims.getInputBatchDimension()];
    batch += feature / (made / batchGroups) * (batches / batchGroups);
    int64_t firstTaken = feature / (made / featureGroups) * taken;
    Index from(input.rank()), weight(kernel.rank());
    from[dims.getInputBatchDimension()] = batch;
    weight[dims.getKernelOutputFeatureDimension()] = feature;
    forEachIndex(sizes, [&](ArrayRef<int64_t> offset) {
      if (!setPlaces(result, offset, from, weight))
        return;
      for (int64_t i = 0; i < taken; ++i) {
        from[dims.getInputFeatureDimension()] = firstTaken + i;
        weight[dims.getKernelInputFeatureDimension()] = i;
        visit(input.position(from), kernel.position(weight));
      }
    });
  }

private:
  /// Sets the indices of an element of the window; returns false if it is in
  /// the padding.
  bool setPlaces(ArrayRef<int64_t> result, ArrayRef<int64_t> offset,
                 Index &from, Index &weight) const {
    for (auto [i, dim] : llvm::enumerate(window)) {
      int64_t inputDim = dims.getInputSpatialDimensions()[i];
      auto source = dim.getSource(result[dims.getOutputSpatialDimensions()[i]],
                                  offset[i], input.shape()[inputDim]);
      if (!source)
        return false;
      from[inputDim] = *source;
      bool isReversed = !reversal.empty() && reversal[i];
      weight[dims.getKernelSpatialDimensions()[i]] =
          isReversed ? dim.size - 1 - offset[i] : offset[i];
    }
    return true;
  }

  stablehlo::ConvDimensionNumbersAttr dims;
  SmallVector<stablehlo::WindowDim> window;
  int64_t featureGroups, batchGroups;
  ArrayRef<bool> reversal;
  const Tensor &input, &kernel;
  SmallVector<int64_t> sizes;
};

} // namespace

static LogicalResult evaluateConvolution(Operation *op, Operands operands,
                                         Results results,
                                         Evaluator &evaluator) {
  const Tensor &input = *operands[0], &kernel = *operands[1];
  Tensor &result = results[0];
  Convolution convolution(cast<stablehlo::ConvolutionOp>(op), input, kernel);
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    Sum sum;
    uint64_t integers = 0;
    convolution.forEachProduct(index, [&](size_t from, size_t weight) {
      if (result.isFloat())
        sum.add(input.data[from] * kernel.data[weight]);
      else
        integers += static_cast<uint64_t>(input.integers[from]) *
                    static_cast<uint64_t>(kernel.integers[weight]);
    });
    if (result.isFloat())
      result.at(index) = evaluator.getRoundoff().sum(sum, result.elementType());
    else
      result.integerAt(index) = wrapInteger(integers, result.elementType());
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

/// Row after row, or column after column of a solution on the left, from the
/// corner of the triangle.
static void solve(const stablehlo::TriangularForm &form, const Tensor &a,
                  const Tensor &b, Tensor &x, const Roundoff &roundoff) {
  int64_t last = a.rank() - 1, size = a.shape()[last];
  int64_t unknowns = form.isLeft ? last - 1 : last;
  // True if unknown 0 is that of the shortest equation.
  bool isForward = (form.isLower != form.isTransposed) == form.isLeft;
  Type type = x.elementType();
  Index others(b.shape());
  others[unknowns] = std::min<int64_t>(size, 1);
  forEachIndex(others, [&](ArrayRef<int64_t> other) {
    auto coefficient = [&](int64_t equation, int64_t unknown) {
      Index index(other);
      bool isSwapped = form.isLeft == form.isTransposed;
      index[last - 1] = isSwapped ? unknown : equation;
      index[last] = isSwapped ? equation : unknown;
      return a.at(index);
    };
    auto positionOf = [&](int64_t unknown) {
      Index index(other);
      index[unknowns] = unknown;
      return b.position(index);
    };
    for (int64_t step = 0; step < size; ++step) {
      int64_t row = isForward ? step : size - 1 - step;
      Sum sum;
      sum.add(b.data[positionOf(row)]);
      for (int64_t known = 0; known < step; ++known) {
        int64_t column = isForward ? known : size - 1 - known;
        sum.add(-coefficient(row, column) * x.data[positionOf(column)]);
      }
      double value = roundoff.sum(sum, type);
      if (!form.hasUnitDiagonal)
        value = roundoff.step(value / coefficient(row, row), type);
      x.data[positionOf(row)] = value;
    }
  });
}

static LogicalResult evaluateTriangularSolve(Operation *op, Operands operands,
                                             Results results,
                                             Evaluator &evaluator) {
  solve(stablehlo::getForm(cast<stablehlo::TriangularSolveOp>(op)),
        *operands[0], *operands[1], results[0], evaluator.getRoundoff());
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Evaluates calls of triangular systems and factorizations; other calls are
/// errors.
static LogicalResult evaluateCall(Operation *op, Operands operands,
                                  Results results, Evaluator &evaluator) {
  auto call = cast<stablehlo::CustomCallOp>(op);
  const Roundoff &roundoff = evaluator.getRoundoff();
  if (auto form = stablehlo::matchTriangularCall(call)) {
    solve(*form, *operands[0], *operands[1], results[0], roundoff);
    return success();
  }
  if (auto form = stablehlo::matchFactorizationCall(call)) {
    evaluateFactorizationCall(*form, operands, results, roundoff);
    return success();
  }
  return op->emitError() << "call of '" << call.getCallTargetName()
                         << "' cannot be evaluated";
}

void mlir::boost::reference::addLinearRules(RuleSet &rules) {
  rules.local["stablehlo.convolution"] = evaluateConvolution;
  rules.local["stablehlo.custom_call"] = evaluateCall;
  rules.local["stablehlo.triangular_solve"] = evaluateTriangularSolve;
  addFactorizationRules(rules);
}

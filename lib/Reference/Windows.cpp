//===- Windows.cpp - Reference rules of windows, sorts and scatters -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification: operations whose regions are interpreted
// for single elements.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "boost-mlir/Reference/Evaluator.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

namespace {

/// A region on scalars, whose arguments are set one by one.
class ScalarRegion {
public:
  ScalarRegion(Region &region, Evaluator &evaluator)
      : region(region), evaluator(evaluator) {
    for (BlockArgument argument : region.getArguments())
      arguments.emplace_back(cast<RankedTensorType>(argument.getType()));
  }

  /// Sets an argument to an element of `from`.
  void set(size_t argument, const Tensor &from, size_t position = 0) {
    arguments[argument].copy(0, from, position);
  }
  const Tensor &operator[](size_t argument) const {
    return arguments[argument];
  }

  /// Returns the results of the region for the arguments. Does nothing after a
  /// failure.
  ArrayRef<Tensor> run() {
    if (failedOnce)
      return results;
    FailureOr<SmallVector<Tensor>> values =
        evaluator.runRegion(region, arguments);
    failedOnce = failed(values);
    if (!failedOnce)
      results = std::move(*values);
    return results;
  }

  LogicalResult getStatus() const { return failure(failedOnce); }

private:
  Region &region;
  Evaluator &evaluator;
  SmallVector<Tensor> arguments, results;
  bool failedOnce = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The element of an input that a place in a window falls on, or nothing
/// between elements and in the padding.
static std::optional<Index> findSource(ArrayRef<stablehlo::WindowDim> window,
                                       ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> position,
                                       ArrayRef<int64_t> offset) {
  Index source;
  for (auto [dim, extent, base, inner] :
       llvm::zip_equal(window, shape, position, offset)) {
    std::optional<int64_t> element = dim.getSource(base, inner, extent);
    if (!element)
      return std::nullopt;
    source.push_back(*element);
  }
  return source;
}

static LogicalResult evaluateReduceWindow(Operation *op, Operands operands,
                                          Results results,
                                          Evaluator &evaluator) {
  auto reduce = cast<stablehlo::ReduceWindowOp>(op);
  SmallVector<stablehlo::WindowDim> window = stablehlo::getWindow(reduce);
  ArrayRef<int64_t> sizes = reduce.getWindowDimensions();
  size_t count = results.size();
  ScalarRegion body(reduce.getBody(), evaluator);
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> position) {
    for (size_t i = 0; i < count; ++i)
      body.set(i, *operands[count + i]);
    forEachIndex(sizes, [&](ArrayRef<int64_t> offset) {
      auto source = findSource(window, operands[0]->shape(), position, offset);
      if (!source) // Initial values are neutral.
        return;
      for (size_t i = 0; i < count; ++i)
        body.set(count + i, *operands[i], operands[i]->position(*source));
      for (auto [i, value] : llvm::enumerate(body.run()))
        body.set(i, value);
    });
    for (size_t i = 0; i < count; ++i)
      results[i].copy(results[i].position(position), body[i], 0);
  });
  return body.getStatus();
}

static LogicalResult evaluateSelectAndScatter(Operation *op, Operands operands,
                                              Results results,
                                              Evaluator &evaluator) {
  auto scatter = cast<stablehlo::SelectAndScatterOp>(op);
  SmallVector<stablehlo::WindowDim> window = stablehlo::getWindow(scatter);
  auto sizes = llvm::map_to_vector(
      window, [](const stablehlo::WindowDim &dim) { return dim.size; });
  const Tensor &input = *operands[0], &source = *operands[1];
  ScalarRegion select(scatter.getSelect(), evaluator);
  ScalarRegion combine(scatter.getScatter(), evaluator);
  results[0].fill(*operands[2]);
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> position) {
    std::optional<size_t> chosen;
    forEachIndex(sizes, [&](ArrayRef<int64_t> offset) {
      auto place = findSource(window, input.shape(), position, offset);
      if (!place)
        return;
      size_t next = input.position(*place);
      if (chosen) {
        select.set(0, input, *chosen);
        select.set(1, input, next);
        ArrayRef<Tensor> isKept = select.run();
        if (!isKept.empty() && isKept[0].integers[0] != 0)
          return;
      }
      chosen = next;
    });
    if (!chosen)
      return;
    combine.set(0, results[0], *chosen);
    combine.set(1, source, source.position(position));
    for (const Tensor &value : combine.run())
      results[0].copy(*chosen, value, 0);
  });
  return failure(failed(select.getStatus()) || failed(combine.getStatus()));
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

static LogicalResult evaluateSort(Operation *op, Operands operands,
                                  Results results, Evaluator &evaluator) {
  auto sort = cast<stablehlo::SortOp>(op);
  int64_t dim = sort.getSortedDim();
  Index rows(operands[0]->shape());
  int64_t length = rows[dim];
  rows[dim] = 1;
  ScalarRegion comparator(sort.getComparator(), evaluator);
  forEachIndex(rows, [&](ArrayRef<int64_t> row) {
    auto positionOf = [&](int64_t place) {
      Index index(row);
      index[dim] = place;
      return operands[0]->position(index);
    };
    auto isBefore = [&](int64_t a, int64_t b) {
      for (auto [i, operand] : llvm::enumerate(operands)) {
        comparator.set(2 * i, *operand, positionOf(a));
        comparator.set(2 * i + 1, *operand, positionOf(b));
      }
      ArrayRef<Tensor> isLess = comparator.run();
      return !isLess.empty() && isLess[0].integers[0] != 0;
    };
    // Insertion behind what is equal: a stable order.
    std::vector<int64_t> order;
    for (int64_t place = 0; place < length; ++place)
      order.insert(
          std::upper_bound(order.begin(), order.end(), place, isBefore), place);
    for (auto [operand, result] : llvm::zip_equal(operands, results))
      for (int64_t place = 0; place < length; ++place)
        result.copy(positionOf(place), *operand, positionOf(order[place]));
  });
  return comparator.getStatus();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// The elements that the updates of a scatter write to.
class ScatterPlaces {
public:
  ScatterPlaces(stablehlo::ScatterOp op, const Tensor &indices,
                ArrayRef<int64_t> inputShape, ArrayRef<int64_t> updateShape)
      : dims(op.getScatterDimensionNumbers()), indices(indices),
        inputShape(inputShape) {
    for (auto [dim, size] : llvm::enumerate(updateShape))
      (isWindow(dim) ? windowSizes : outerSizes).push_back(size);
    for (size_t dim = 0; dim < updateShape.size(); ++dim)
      (isWindow(dim) ? windowDims : outerDims).push_back(dim);
  }

  /// Visits every update whose place lies inside, the index vectors in order
  /// and for each the elements of its window.
  void forEach(llvm::function_ref<void(ArrayRef<int64_t> update,
                                       ArrayRef<int64_t> place)>
                   visit) const {
    forEachIndex(outerSizes, [&](ArrayRef<int64_t> outer) {
      Index start = getStart(outer);
      forEachIndex(windowSizes, [&](ArrayRef<int64_t> window) {
        Index update(outer.size() + window.size()), place(start);
        for (auto [dim, index] : llvm::zip_equal(outerDims, outer))
          update[dim] = index;
        for (auto [dim, index] : llvm::zip_equal(windowDims, window))
          update[dim] = index;
        size_t next = 0;
        for (size_t dim = 0; dim < place.size(); ++dim) {
          // Skipped, other than in gather. An index may be any number.
          if (place[dim] >= inputShape[dim])
            return;
          if (!isRemoved(static_cast<int64_t>(dim)))
            place[dim] += window[next++];
          if (place[dim] < 0 || place[dim] >= inputShape[dim])
            return;
        }
        visit(update, place);
      });
    });
  }

private:
  bool isWindow(int64_t updateDim) const {
    return llvm::is_contained(dims.getUpdateWindowDims(), updateDim);
  }
  bool isRemoved(int64_t inputDim) const {
    return llvm::is_contained(dims.getInsertedWindowDims(), inputDim) ||
           llvm::is_contained(dims.getInputBatchingDims(), inputDim);
  }

  /// The place that an index vector names.
  Index getStart(ArrayRef<int64_t> outer) const {
    Index start(inputShape.size(), 0), place(outer);
    int64_t vectorDim = dims.getIndexVectorDim();
    bool isVector = vectorDim < indices.rank();
    if (isVector)
      place.insert(place.begin() + vectorDim, 0);
    for (auto [component, dim] :
         llvm::enumerate(dims.getScatterDimsToOperandDims())) {
      if (isVector)
        place[vectorDim] = static_cast<int64_t>(component);
      start[dim] = indices.indexAt(indices.position(place));
    }
    for (auto [inputDim, indexDim] : llvm::zip_equal(
             dims.getInputBatchingDims(), dims.getScatterIndicesBatchingDims()))
      start[inputDim] = outer[indexDim - (indexDim > vectorDim ? 1 : 0)];
    return start;
  }

  stablehlo::ScatterDimensionNumbersAttr dims;
  const Tensor &indices;
  ArrayRef<int64_t> inputShape;
  Index outerSizes, windowSizes, outerDims, windowDims;
};

} // namespace

static LogicalResult evaluateScatter(Operation *op, Operands operands,
                                     Results results, Evaluator &evaluator) {
  auto scatter = cast<stablehlo::ScatterOp>(op);
  size_t count = results.size();
  Operands updates = operands.drop_front(count + 1);
  for (auto [result, input] : llvm::zip(results, operands))
    result.copyAll(*input);
  ScalarRegion body(scatter.getUpdateComputation(), evaluator);
  ScatterPlaces places(scatter, *operands[count], results[0].shape(),
                       updates[0]->shape());
  places.forEach([&](ArrayRef<int64_t> update, ArrayRef<int64_t> place) {
    for (size_t i = 0; i < count; ++i) {
      body.set(i, results[i], results[i].position(place));
      body.set(count + i, *updates[i], updates[i]->position(update));
    }
    for (auto [result, value] : llvm::zip(results, body.run()))
      result.copy(result.position(place), value, 0);
  });
  return body.getStatus();
}

void mlir::boost::reference::addWindowRules(RuleSet &rules) {
  rules.local["stablehlo.reduce_window"] = evaluateReduceWindow;
  rules.local["stablehlo.scatter"] = evaluateScatter;
  rules.local["stablehlo.select_and_scatter"] = evaluateSelectAndScatter;
  rules.local["stablehlo.sort"] = evaluateSort;
}

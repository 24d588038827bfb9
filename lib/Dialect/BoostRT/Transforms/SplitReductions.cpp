//===- SplitReductions.cpp - One reduction divided into two --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-split-reductions, on tensors, so that partial results get
// their place in the memory plan.
//
//===----------------------------------------------------------------------===//

#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace mlir::boost::rt {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;

/// Neighboring results that a block of threads computes where the elements of
/// different results lie side by side: those of a line of memory, or two.
static constexpr int64_t kNeighbors = 64;

namespace {

/// The division of the loops of a reduction between the two that replace it.
struct Division {
  /// Reduced by the second reduction only: the first one has a result for each
  /// iteration.
  SmallVector<int64_t> kept;
  /// Reduced by both, or -1: the first reduction has a result for each of
  /// `chunks` ranges of `length` iterations. What is left behind them is
  /// smaller than one.
  int64_t split = -1;
  int64_t chunks = 1, length = 0, rest = 0;

  bool isEmpty() const { return kept.empty() && split < 0; }
};

} // namespace

//===----------------------------------------------------------------------===//
// Which reductions are split, and where
//===----------------------------------------------------------------------===//

static int64_t countIterations(linalg::GenericOp op,
                               utils::IteratorType iterator) {
  int64_t count = 1;
  for (auto [extent, type] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (type == iterator)
      count *= extent;
  return count;
}

/// For every loop, elements from one iteration to the next in the input that it
/// walks through the slowest.
static SmallVector<int64_t> findInputStrides(linalg::GenericOp op) {
  SmallVector<int64_t> strides(op.getNumLoops(), 0);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type)
      continue;
    int64_t stride = 1;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [size, expr] : llvm::zip_equal(llvm::reverse(type.getShape()),
                                             llvm::reverse(map.getResults()))) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        strides[dim.getPosition()] =
            std::max(strides[dim.getPosition()], stride);
      stride *= size;
    }
  }
  return strides;
}

/// Returns true if the elements of one result are closer together in memory
/// than those of different results.
static bool reducesFastest(linalg::GenericOp op, ArrayRef<int64_t> strides) {
  int64_t reduction = std::numeric_limits<int64_t>::max();
  int64_t parallel = reduction;
  for (auto [stride, type] :
       llvm::zip_equal(strides, op.getIteratorTypesArray())) {
    int64_t &least =
        type == utils::IteratorType::reduction ? reduction : parallel;
    if (stride > 0)
      least = std::min(least, stride);
  }
  return reduction < parallel;
}

/// Returns true if the loop can be split into two: it is a dimension of every
/// input.
static bool isDimension(linalg::GenericOp op, int64_t loop) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    ArrayRef<AffineExpr> results =
        op.getMatchingIndexingMap(input).getResults();
    auto uses = llvm::make_filter_range(
        results, [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
    return llvm::all_of(uses, llvm::IsaPred<AffineDimExpr>) &&
           llvm::range_size(uses) <= 1;
  });
}

/// Returns true if a range of iterations is one contiguous piece of every input
/// that has the loop.
static bool isOutermost(linalg::GenericOp op, int64_t loop) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return !map.isFunctionOfDim(loop) ||
           map.getResult(0) == getAffineDimExpr(loop, op.getContext());
  });
}

static int64_t findLargestDivisor(int64_t number, int64_t bound) {
  int64_t divisor = std::min(number, bound);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

/// Divides the loop into `wanted` chunks or nearly as many, of one length if
/// that leaves at least half as many, or if nothing may be left behind them.
static void splitLoop(linalg::GenericOp op, int64_t loop, int64_t wanted,
                      bool mayLeaveRest, Division &division) {
  int64_t extent = op.getStaticLoopRanges()[loop];
  if (!isDimension(op, loop))
    return;
  int64_t chunks = findLargestDivisor(extent, wanted);
  if (mayLeaveRest && 2 * chunks < wanted && isOutermost(op, loop))
    chunks = extent / llvm::divideCeil(extent, wanted);
  if (chunks < 2)
    return;
  division.split = loop;
  division.chunks = chunks;
  division.length = extent / chunks;
  division.rest = extent % chunks;
}

/// Returns true if partial results are as exact as the results that they are
/// combined into.
static bool arePartsExact(linalg::GenericOp op) {
  return llvm::none_of(op.getDpsInits(), [](Value init) {
    Type element = getElementTypeOrSelf(init.getType());
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  });
}

/// Returns true if every result starts from one filled value.
static bool areInitsFilled(linalg::GenericOp op) {
  return llvm::all_of(op.getDpsInits(), [](Value init) {
    return init.getDefiningOp<linalg::FillOp>() != nullptr;
  });
}

/// Results can be computed in parts: they are tensors of known sizes that every
/// loop over results indexes, and partial ones can be joined.
static bool canSplit(linalg::GenericOp op,
                     const std::optional<rt::Selection> &selection) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape())
    return false;
  if (selection ? !areInitsFilled(op)
                : !rt::canCombine(op) || !arePartsExact(op))
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() &&
           map.getNumResults() == op.getNumParallelLoops();
  });
}

/// Divides the loops, one after another, until there are `wanted` partial
/// results.
static Division divideLoops(linalg::GenericOp op, ArrayRef<unsigned> loops,
                            int64_t wanted, bool mayLeaveRest) {
  Division division;
  for (unsigned loop : loops) {
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (wanted < 2)
      break;
    if (extent > wanted) {
      splitLoop(op, loop, wanted, mayLeaveRest, division);
      break;
    }
    wanted /= extent;
    if (extent > 1)
      division.kept.push_back(loop);
  }
  return division;
}

/// The reductions, by their strides: the largest first.
static SmallVector<unsigned> sortReductions(linalg::GenericOp op) {
  SmallVector<int64_t> strides = findInputStrides(op);
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  llvm::sort(loops, [&](unsigned a, unsigned b) {
    return std::pair(-strides[a], a) < std::pair(-strides[b], b);
  });
  return loops;
}

/// `blocks` keep the device busy, and each is worth `elements`.
static Division divide(linalg::GenericOp op, int64_t blocks, int64_t elements) {
  SmallVector<int64_t> strides = findInputStrides(op);
  int64_t results = countIterations(op, utils::IteratorType::parallel);
  int64_t reduced = countIterations(op, utils::IteratorType::reduction);
  if (results == 0 || reduced == 0)
    return {};
  int64_t neighbors =
      reducesFastest(op, strides) ? 1 : std::min(kNeighbors, results);
  int64_t wanted =
      std::min(blocks / llvm::divideCeil(results, neighbors),
               static_cast<uint64_t>(reduced * neighbors / elements));
  return divideLoops(op, sortReductions(op), wanted, /*mayLeaveRest=*/true);
}

//===----------------------------------------------------------------------===//
// Sums of columns beside kernels of rows
//===----------------------------------------------------------------------===//

/// Returns true if a kernel walks through the rows of the tensor that an input
/// of a sum of columns is: all loops of the sum are dimensions of the input,
/// and the kernel computes something for each row.
static bool isKernelOfRows(linalg::GenericOp sum, AffineMap map,
                           OpOperand &use) {
  auto kernel = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!kernel || kernel == sum || !kernel.hasPureTensorSemantics())
    return false;
  constexpr auto reduction = utils::IteratorType::reduction;
  SmallVector<utils::IteratorType> ofSum = sum.getIteratorTypesArray();
  SmallVector<utils::IteratorType> iterators = kernel.getIteratorTypesArray();
  for (auto [dim, expr] :
       llvm::enumerate(kernel.getMatchingIndexingMap(&use).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    bool isRow = ofSum[map.getDimPosition(dim)] == reduction;
    if (!loop || (isRow && iterators[loop.getPosition()] == reduction))
      return false;
  }
  return true;
}

/// Returns true if a kernel of the same phase reads rows of an input of a sum
/// of columns, so that both may become one.
static bool hasKernelOfRows(linalg::GenericOp sum, const rt::Phases &phases) {
  if (!isa<func::FuncOp>(sum->getParentOp()))
    return false;
  return llvm::any_of(sum.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = sum.getMatchingIndexingMap(input);
    return map.isPermutation() &&
           llvm::any_of(input->get().getUses(), [&](OpOperand &use) {
             return use.getOwner()->getBlock() == sum->getBlock() &&
                    phases.areTogether(sum, use.getOwner()) &&
                    isKernelOfRows(sum, map, use);
           });
  });
}

/// Divides a sum of columns among the blocks of threads that do the work of
/// other kernels to the same rows (boostrt-join-row-kernels): each block has a
/// result for its rows. Nothing if there are no such kernels, or too few rows.
static Division divideAmongRows(linalg::GenericOp op,
                                const rt::Phases &phases) {
  // Enough blocks for a GPU, each with so many rows that what it writes is
  // little beside what it reads.
  constexpr int64_t kMinBlocks = 256, kMostBlocks = 512, kMinRows = 8;
  constexpr int64_t kMinColumns = 256, kMaxColumns = 8192;
  int64_t columns = countIterations(op, utils::IteratorType::parallel);
  int64_t rows = countIterations(op, utils::IteratorType::reduction);
  if (columns < kMinColumns || columns > kMaxColumns ||
      rows < kMinBlocks * kMinRows ||
      reducesFastest(op, findInputStrides(op)) || !hasKernelOfRows(op, phases))
    return {};
  Division division = divideLoops(op, sortReductions(op),
                                  std::min(rows / kMinRows, kMostBlocks),
                                  /*mayLeaveRest=*/false);
  int64_t blocks = division.chunks;
  for (int64_t loop : division.kept)
    blocks *= op.getStaticLoopRanges()[loop];
  return blocks >= kMinBlocks ? division : Division();
}

/// Moves an operation, and what depends on it, behind the kernels that follow
/// up to the next call: they may become one with kernels that it waits for.
static void postpone(Operation *op) {
  llvm::SmallSetVector<Operation *, 8> postponed;
  postponed.insert(op);
  Operation *next = op->getNextNode();
  for (; !next->hasTrait<OpTrait::IsTerminator>() &&
         !isa<rt::RuntimeCallOpInterface, PhaseOp>(next);
       next = next->getNextNode())
    if (llvm::any_of(next->getOperands(), [&](Value operand) {
          return postponed.contains(operand.getDefiningOp());
        }))
      postponed.insert(next);
  for (Operation *each : postponed)
    each->moveBefore(next);
}

/// Divides a selection, whose results a single thread computes: both reductions
/// have about as many elements. The order of the elements is kept.
static Division divideSelection(linalg::GenericOp op, int64_t blocks,
                                int64_t elements) {
  int64_t results = countIterations(op, utils::IteratorType::parallel);
  int64_t reduced = countIterations(op, utils::IteratorType::reduction);
  if (results == 0 || reduced * kNeighbors < elements)
    return {};
  int64_t wanted =
      std::min(blocks * kNeighbors / results,
               static_cast<int64_t>(std::sqrt(static_cast<double>(reduced))));
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return divideLoops(op, loops, wanted, /*mayLeaveRest=*/false);
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

namespace {

/// Replaces one reduction by two.
class ReductionSplitter {
public:
  ReductionSplitter(linalg::GenericOp op,
                    std::optional<rt::Selection> selection, Division division)
      : op(op), selection(std::move(selection)), division(std::move(division)),
        loc(op.getLoc()), builder(op, &layers) {
    layers.enter(op);
    numberLoops();
  }
  /// Returns the second stage.
  linalg::GenericOp split();

private:
  using GetIndex = llvm::function_ref<Value(OpBuilder &, int64_t loop)>;

  void numberLoops();
  AffineMap renumber(AffineMap map);
  Value slice(OpOperand *input, int64_t begin, int64_t length);
  Value expand(OpOperand *input, Value tensor);
  int64_t findDimension(OpOperand *input);
  Value fillParts(unsigned number);
  Value findStart(unsigned number);
  void cloneBody(OpBuilder &body, ValueRange arguments, GetIndex getIndex);
  SmallVector<Value> buildFirstReduction();
  SmallVector<Value> reduceRest();
  SmallVector<Value> join(OpBuilder &body, ValueRange totals, ValueRange parts);
  linalg::GenericOp buildSecondReduction(ValueRange parts, ValueRange outs);
  template <typename OpT> OpT mark(OpT made) {
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return made;
  }

  linalg::GenericOp op;
  /// Set if partial results can only be joined for all outputs together.
  std::optional<rt::Selection> selection;
  Division division;
  Location loc;
  LayerBuilderListener layers;
  OpBuilder builder;
  /// For every loop of the operation, its number in the first reduction, where
  /// the loops that the second one reduces come first. That which is split
  /// walks through a range there; the ranges are `chunkLoop`.
  SmallVector<int64_t> loops;
  int64_t numPartLoops = 0, chunkLoop = -1;
  SmallVector<utils::IteratorType> iterators;
};

} // namespace

void ReductionSplitter::numberLoops() {
  loops.assign(op.getNumLoops(), -1);
  auto add = [&](utils::IteratorType iterator) {
    iterators.push_back(iterator);
    return static_cast<int64_t>(iterators.size()) - 1;
  };
  for (int64_t loop : division.kept)
    loops[loop] = add(utils::IteratorType::parallel);
  if (division.split >= 0)
    chunkLoop = add(utils::IteratorType::parallel);
  numPartLoops = static_cast<int64_t>(iterators.size());
  for (auto next :
       {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (loops[loop] < 0 && iterator == next)
        loops[loop] = add(iterator);
}

/// The map of an operand in the loops of the first reduction.
AffineMap ReductionSplitter::renumber(AffineMap map) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> dims = llvm::map_to_vector(
      loops, [&](int64_t loop) { return getAffineDimExpr(loop, context); });
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    if (division.split >= 0 && expr.isFunctionOfDim(division.split))
      results.push_back(getAffineDimExpr(chunkLoop, context));
    results.push_back(expr.replaceDims(dims));
  }
  return AffineMap::get(iterators.size(), 0, results, context);
}

/// The dimension of an input that the split loop walks through, or -1.
int64_t ReductionSplitter::findDimension(OpOperand *input) {
  if (division.split < 0)
    return -1;
  for (auto [dim, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(input).getResults()))
    if (expr.isFunctionOfDim(division.split))
      return dim;
  return -1;
}

/// The part of an input for a range of the split loop.
Value ReductionSplitter::slice(OpOperand *input, int64_t begin,
                               int64_t length) {
  int64_t dim = findDimension(input);
  if (dim < 0)
    return input->get();
  auto type = cast<RankedTensorType>(input->get().getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(builder.getIndexAttr(size));
  offsets[dim] = builder.getIndexAttr(begin);
  sizes[dim] = builder.getIndexAttr(length);
  return tensor::ExtractSliceOp::create(builder, loc, input->get(), offsets,
                                        sizes, strides);
}

/// `tensor`, which an input is or a part of it, with a dimension of chunks.
Value ReductionSplitter::expand(OpOperand *input, Value tensor) {
  int64_t split = findDimension(input);
  if (split < 0)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    auto next = static_cast<int64_t>(shape.size());
    if (static_cast<int64_t>(dim) == split) {
      groups.push_back({next, next + 1});
      shape.append({division.chunks, division.length});
    } else {
      groups.push_back({next});
      shape.push_back(size);
    }
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       groups);
}

/// Returns the initial value of a partial result: the neutral element. A
/// selection has none and starts from the initial value of the result, which
/// does not make that value more likely to be selected.
Value ReductionSplitter::findStart(unsigned number) {
  if (selection)
    return op.getDpsInits()[number].getDefiningOp<linalg::FillOp>().value();
  return arith::ConstantOp::create(
      builder, loc, *arith::getNeutralElement(rt::findCombiner(op, number)));
}

Value ReductionSplitter::fillParts(unsigned number) {
  auto type = cast<RankedTensorType>(op.getDpsInits()[number].getType());
  SmallVector<int64_t> shape;
  for (int64_t loop : division.kept)
    shape.push_back(op.getStaticLoopRanges()[loop]);
  if (division.split >= 0)
    shape.push_back(division.chunks);
  llvm::append_range(shape, type.getShape());
  Value start = findStart(number);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return mark(linalg::FillOp::create(builder, loc, start, empty)).getResult(0);
}

/// The body of the reduction in another one, whose loops have other numbers.
void ReductionSplitter::cloneBody(OpBuilder &body, ValueRange arguments,
                                  GetIndex getIndex) {
  IRMapping values;
  values.map(op.getBody()->getArguments(), arguments);
  for (Operation &inner : *op.getBody()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      values.map(index.getResult(), getIndex(body, index.getDim()));
    else
      body.clone(inner, values);
  }
}

SmallVector<Value> ReductionSplitter::buildFirstReduction() {
  SmallVector<Value> inputs, outs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value tensor = input->get();
    if (division.rest > 0)
      tensor = slice(input, 0, division.chunks * division.length);
    inputs.push_back(expand(input, tensor));
    maps.push_back(renumber(op.getMatchingIndexingMap(input)));
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    outs.push_back(fillParts(init.getOperandNumber() - op.getNumDpsInputs()));
    SmallVector<AffineExpr> results;
    for (int64_t loop = 0; loop < numPartLoops; ++loop)
      results.push_back(builder.getAffineDimExpr(loop));
    llvm::append_range(results,
                       renumber(op.getMatchingIndexingMap(&init)).getResults());
    maps.push_back(
        AffineMap::get(iterators.size(), 0, results, op.getContext()));
  }
  auto getIndex = [&](OpBuilder &body, int64_t loop) -> Value {
    Value index = linalg::IndexOp::create(body, loc, loops[loop]);
    if (loop != division.split)
      return index;
    Value chunk = linalg::IndexOp::create(body, loc, chunkLoop);
    Value length = arith::ConstantIndexOp::create(body, loc, division.length);
    Value begin = arith::MulIOp::create(body, loc, chunk, length);
    return arith::AddIOp::create(body, loc, begin, index);
  };
  return mark(linalg::GenericOp::create(
                  builder, loc, ValueRange(outs).getTypes(), inputs, outs, maps,
                  iterators,
                  [&](OpBuilder &body, Location, ValueRange arguments) {
                    cloneBody(body, arguments, getIndex);
                  }))
      .getResults();
}

/// Returns the initial values of the results, combined with the elements after
/// the last chunk.
SmallVector<Value> ReductionSplitter::reduceRest() {
  if (division.rest == 0)
    return SmallVector<Value>(op.getDpsInits());
  int64_t begin = division.chunks * division.length;
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(slice(input, begin, division.rest));
  auto getIndex = [&](OpBuilder &body, int64_t loop) -> Value {
    Value index = linalg::IndexOp::create(body, loc, loop);
    if (loop != division.split)
      return index;
    return arith::AddIOp::create(
        body, loc, index, arith::ConstantIndexOp::create(body, loc, begin));
  };
  return mark(linalg::GenericOp::create(
                  builder, loc, op.getResultTypes(), inputs, op.getDpsInits(),
                  op.getIndexingMapsArray(), op.getIteratorTypesArray(),
                  [&](OpBuilder &body, Location, ValueRange arguments) {
                    cloneBody(body, arguments, getIndex);
                  }))
      .getResults();
}

/// Values of the results, each with the part that comes next.
SmallVector<Value> ReductionSplitter::join(OpBuilder &body, ValueRange totals,
                                           ValueRange parts) {
  if (!selection)
    return llvm::map_to_vector(
        llvm::seq<unsigned>(parts.size()), [&](unsigned number) -> Value {
          Operation *combiner = body.clone(*rt::findCombiner(op, number));
          combiner->setOperands({totals[number], parts[number]});
          return combiner->getResult(0);
        });
  IRMapping values;
  values.map(op.getRegionOutputArgs(), totals);
  values.map(selection->elements, parts);
  for (Operation *operation : selection->operations)
    body.clone(*operation, values);
  return llvm::map_to_vector(
      op.getBody()->getTerminator()->getOperands(),
      [&](Value yielded) -> Value { return values.lookup(yielded); });
}

/// Adds partial results to `outs`, in the order of the elements.
linalg::GenericOp ReductionSplitter::buildSecondReduction(ValueRange parts,
                                                          ValueRange outs) {
  int64_t results = op.getNumParallelLoops();
  int64_t count = numPartLoops + results;
  SmallVector<utils::IteratorType> types(count, utils::IteratorType::reduction);
  std::fill_n(types.begin() + numPartLoops, results,
              utils::IteratorType::parallel);
  // The loops of the operation over results, by their number here.
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<AffineMap> maps;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
      const auto *position =
          llvm::find(parallel, cast<AffineDimExpr>(expr).getPosition());
      exprs.push_back(builder.getAffineDimExpr(numPartLoops +
                                               (position - parallel.begin())));
    }
    maps.push_back(AffineMap::get(count, 0, exprs, op.getContext()));
  }
  SmallVector<AffineMap> ofParts =
      llvm::map_to_vector(maps, [&](AffineMap map) {
        SmallVector<AffineExpr> exprs;
        for (int64_t loop = 0; loop < numPartLoops; ++loop)
          exprs.push_back(builder.getAffineDimExpr(loop));
        llvm::append_range(exprs, map.getResults());
        return AffineMap::get(count, 0, exprs, op.getContext());
      });
  llvm::append_range(ofParts, maps);
  auto buildBody = [&](OpBuilder &body, Location, ValueRange arguments) {
    linalg::YieldOp::create(body, loc,
                            join(body, arguments.drop_front(parts.size()),
                                 arguments.take_front(parts.size())));
  };
  return mark(linalg::GenericOp::create(builder, loc, op.getResultTypes(),
                                        parts, outs, ofParts, types,
                                        buildBody));
}

linalg::GenericOp ReductionSplitter::split() {
  SmallVector<Value> parts = buildFirstReduction();
  linalg::GenericOp results = buildSecondReduction(parts, reduceRest());
  op->replaceAllUsesWith(results);
  op.erase();
  return results;
}

namespace {

struct SplitReductionsPass
    : boost::rt::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using SplitReductionsPassBase::SplitReductionsPassBase;

  void runOnOperation() override {
    if (blocks < 1 || elements < 1) {
      getOperation().emitError("expects blocks and elements to be positive, "
                               "but got ")
          << blocks.getValue() << " and " << elements.getValue();
      return signalPassFailure();
    }
    if (getOperation().isExternal())
      return;
    rt::Phases phases(getOperation().front());
    SmallVector<linalg::GenericOp> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumReductionLoops() > 0)
        reductions.push_back(op);
    });
    for (linalg::GenericOp op : reductions) {
      std::optional<rt::Selection> selection = rt::findSelection(op);
      if (!canSplit(op, selection))
        continue;
      Division amongRows = selection ? Division() : divideAmongRows(op, phases);
      bool isAmongRows = !amongRows.isEmpty();
      Division division = isAmongRows ? std::move(amongRows)
                          : selection ? divideSelection(op, blocks, elements)
                                      : divide(op, blocks, elements);
      if (division.isEmpty())
        continue;
      ReductionSplitter splitter(op, std::move(selection), std::move(division));
      linalg::GenericOp total = splitter.split();
      if (isAmongRows)
        postpone(total);
    }
  }
};

} // namespace

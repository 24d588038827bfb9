//===- FuseSiblings.cpp - Kernels that read the same become one -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-fuse-siblings, in one walk through each block.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_FUSESIBLINGSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Which kernels fit together
//===----------------------------------------------------------------------===//

/// Clones the destination of a kernel; null if it is neither an undefined
/// tensor nor one filled with a constant.
static Value cloneInit(OpBuilder *builder, Value init) {
  if (auto empty = init.getDefiningOp<tensor::EmptyOp>())
    return builder ? builder->clone(*empty)->getResult(0) : init;
  auto fill = init.getDefiningOp<linalg::FillOp>();
  auto scalar = fill ? fill.value().getDefiningOp<arith::ConstantOp>()
                     : arith::ConstantOp();
  if (!scalar || !fill.output().getDefiningOp<tensor::EmptyOp>())
    return {};
  if (!builder)
    return init;
  Value output = cloneInit(builder, fill.output());
  Value value = builder->clone(*scalar)->getResult(0);
  return linalg::FillOp::create(*builder, fill.getLoc(), value, output)
      .getResult(0);
}

/// Returns true for reductions along the last loops, whose elements are
/// adjacent. Splitting them into stages is not worthwhile.
static bool reducesRows(linalg::GenericOp op) {
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  return op.getNumReductionLoops() > 0 && op.hasPureTensorSemantics() &&
         canCombine(op) && !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
         llvm::all_of(ArrayRef(loops).take_front(op.getNumParallelLoops()),
                      linalg::isParallelIterator);
}

/// Returns true if further results can be added to a kernel: its destinations
/// hold nothing that would be lost.
static bool canGetSiblings(linalg::GenericOp op) {
  return (isElementwise(op) || reducesRows(op)) && op->getNumResults() > 0 &&
         llvm::all_of(op.getDpsInits(), [](Value init) {
           return cloneInit(/*builder=*/nullptr, init) != nullptr;
         });
}

/// Returns true if the kernel reads one element of the input per iteration.
static bool isReadWhole(linalg::GenericOp op, OpOperand *input) {
  return op.getMatchingIndexingMap(input).isPermutation();
}

/// Returns true if both write along the same loops and have equal attributes,
/// such as their layer.
static bool areAlike(linalg::GenericOp a, linalg::GenericOp b) {
  auto writeAlong = [](linalg::GenericOp op) {
    return op.getIndexingMapMatchingResult(op->getResult(0));
  };
  AffineMap map = writeAlong(a);
  auto writesAlike = [&](linalg::GenericOp op) {
    return llvm::all_of(op->getResults(), [&](OpResult result) {
      return op.getIndexingMapMatchingResult(result) == map;
    });
  };
  return a.getStaticLoopRanges() == b.getStaticLoopRanges() &&
         a.getIteratorTypes() == b.getIteratorTypes() && writesAlike(a) &&
         writesAlike(b) &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

/// Returns true if an elementwise kernel writes each element of a value where
/// another one reads it, as an input.
static bool writesAsRead(linalg::GenericOp writer, linalg::GenericOp reader,
                         Value value) {
  AffineMap map = writer.getIndexingMapMatchingResult(cast<OpResult>(value));
  return isElementwise(writer) &&
         llvm::all_of(value.getUses(), [&](OpOperand &use) {
           return use.getOwner() == reader
                      ? reader.getMatchingIndexingMap(&use) == map
                      : !reader->isAncestor(use.getOwner());
         });
}

/// Returns true if both read a common tensor completely, in the same order.
static bool shareInput(linalg::GenericOp a, linalg::GenericOp b) {
  return llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *input) {
    return isReadWhole(a, input) &&
           llvm::any_of(b.getDpsInputOperands(), [&](OpOperand *other) {
             return other->get() == input->get() &&
                    b.getMatchingIndexingMap(other) ==
                        a.getMatchingIndexingMap(input);
           });
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// Fuses the kernels of one block.
class SiblingFusion {
public:
  explicit SiblingFusion(Block &block) : block(block) {
    for (Operation &op : block)
      positions[&op] = static_cast<int64_t>(positions.size());
  }

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<PhaseOp>(op))
        readers.clear();
      auto kernel = dyn_cast<linalg::GenericOp>(op);
      if (!kernel || !canGetSiblings(kernel))
        continue;
      if (linalg::GenericOp sibling = findSibling(kernel))
        kernel = fuse(sibling, kernel);
      remember(kernel);
    }
  }

private:
  using Readers = SmallVector<linalg::GenericOp, 4>;

  /// The number of an operation in the block; what stands before all others is
  /// no operation of it.
  int64_t getPosition(Operation *op) const {
    Operation *inBlock = op ? block.findAncestorOpInBlock(*op) : nullptr;
    return inBlock ? positions.lookup(inBlock) : -1;
  }

  /// Returns true if all that the later kernel reads is there at the earlier
  /// one, or written by it element by element as the later one reads it.
  bool canMoveUp(linalg::GenericOp later, linalg::GenericOp earlier) const {
    SetVector<Value> values(later.getInputs().begin(), later.getInputs().end());
    getUsedValuesDefinedAbove(later.getRegion(), values);
    return llvm::all_of(values, [&](Value value) {
      if (value.getDefiningOp() == earlier)
        return writesAsRead(earlier, later, value);
      return getPosition(value.getDefiningOp()) < getPosition(earlier);
    });
  }

  /// Returns true if no operation reads the earlier kernel's results before the
  /// later one.
  bool canMoveDown(linalg::GenericOp earlier, linalg::GenericOp later) const {
    return llvm::all_of(earlier->getUsers(), [&](Operation *user) {
      return getPosition(user) > getPosition(later);
    });
  }

  bool canFuse(linalg::GenericOp earlier, linalg::GenericOp later) const {
    return areAlike(earlier, later) && shareInput(earlier, later) &&
           fitOneKernel(earlier, later) &&
           (canMoveUp(later, earlier) || canMoveDown(earlier, later));
  }

  /// The last kernel before this one that can compute its results too.
  linalg::GenericOp findSibling(linalg::GenericOp kernel) {
    linalg::GenericOp best;
    for (OpOperand *input : kernel.getDpsInputOperands()) {
      if (!isReadWhole(kernel, input))
        continue;
      auto it = readers.find(input->get());
      if (it == readers.end())
        continue;
      for (linalg::GenericOp other : it->second)
        if (canFuse(other, kernel) &&
            (!best || getPosition(best) < getPosition(other)))
          best = other;
    }
    return best;
  }

  void remember(linalg::GenericOp kernel) {
    constexpr size_t kMostReaders = 4;
    for (OpOperand *input : kernel.getDpsInputOperands()) {
      if (!isReadWhole(kernel, input))
        continue;
      Readers &known = readers[input->get()];
      if (llvm::is_contained(known, kernel))
        continue;
      if (known.size() == kMostReaders)
        known.erase(known.begin());
      known.push_back(kernel);
    }
  }

  void forget(linalg::GenericOp kernel) {
    for (Value input : kernel.getInputs())
      if (auto it = readers.find(input); it != readers.end())
        llvm::erase(it->second, kernel);
  }

  /// Replaces a result, and makes its readers those of the replacement.
  void replace(Value result, Value replacement) {
    result.replaceAllUsesWith(replacement);
    if (auto it = readers.find(result); it != readers.end()) {
      Readers known = std::move(it->second);
      readers.erase(it);
      readers[replacement] = std::move(known);
    }
  }

  linalg::GenericOp fuse(linalg::GenericOp earlier, linalg::GenericOp later);

  Block &block;
  DenseMap<Operation *, int64_t> positions;
  /// The last kernels that read a tensor whole.
  DenseMap<Value, Readers> readers;
};

/// The inputs of two kernels, each once, and where those of the second are;
/// none are its results of the first.
struct JoinedInputs {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  SmallVector<std::optional<size_t>> places;

  void add(linalg::GenericOp op, Operation *first = nullptr) {
    places.clear();
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (first && input->get().getDefiningOp() == first) {
        places.push_back(std::nullopt);
        continue;
      }
      AffineMap map = op.getMatchingIndexingMap(input);
      size_t place = 0;
      while (place < values.size() &&
             (values[place] != input->get() || maps[place] != map))
        ++place;
      if (place == values.size()) {
        values.push_back(input->get());
        maps.push_back(map);
      }
      places.push_back(place);
    }
  }
};

} // namespace

/// Adds a kernel's body to another one; its elements are these arguments.
static SmallVector<Value> cloneBody(OpBuilder &builder, linalg::GenericOp op,
                                    ValueRange inputs, ValueRange outs) {
  IRMapping mapping;
  mapping.map(op.getRegionInputArgs(), inputs);
  mapping.map(op.getRegionOutputArgs(), outs);
  for (Operation &inner : op.getBody()->without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(
      op.getBody()->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Returns true if nothing but `reader` reads the value.
static bool isReadOnlyBy(Value value, Operation *reader) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return user == reader; });
}

namespace {

/// Builds the kernel that replaces two others from their outs and bodies.
class FusedKernel {
public:
  FusedKernel(linalg::GenericOp earlier, linalg::GenericOp later)
      : earlier(earlier), later(later) {}

  /// The results of one of them that are kept, by number.
  SmallVector<unsigned> getKept(linalg::GenericOp op) const {
    SmallVector<unsigned> kept;
    for (OpResult result : op->getResults())
      if (op == later || !isReadOnlyBy(result, later))
        kept.push_back(result.getResultNumber());
    return kept;
  }

  linalg::GenericOp build(OpBuilder &builder);

private:
  SmallVector<Value> buildBody(OpBuilder &body, ValueRange arguments);
  SmallVector<Value> addBody(OpBuilder &body, linalg::GenericOp op,
                             ValueRange inputs, ValueRange &outs,
                             SmallVectorImpl<Value> &yielded);

  linalg::GenericOp earlier, later;
  JoinedInputs inputs;
  SmallVector<std::optional<size_t>> ofEarlier;
};

} // namespace

/// Adds the body of one of them, with the next of `outs` for what it keeps, and
/// yields that; all of its results.
SmallVector<Value> FusedKernel::addBody(OpBuilder &body, linalg::GenericOp op,
                                        ValueRange inputs, ValueRange &outs,
                                        SmallVectorImpl<Value> &yielded) {
  SmallVector<unsigned> kept = getKept(op);
  SmallVector<Value> ofResults(op->getNumResults());
  for (auto [place, number] : llvm::enumerate(kept))
    ofResults[number] = outs[place];
  outs = outs.drop_front(kept.size());
  SmallVector<Value> results = cloneBody(body, op, inputs, ofResults);
  for (unsigned number : kept)
    yielded.push_back(results[number]);
  return results;
}

SmallVector<Value> FusedKernel::buildBody(OpBuilder &body,
                                          ValueRange arguments) {
  ValueRange outs = arguments.drop_front(inputs.values.size());
  SmallVector<Value> yielded;
  SmallVector<Value> read =
      llvm::map_to_vector(ofEarlier, [&](std::optional<size_t> place) -> Value {
        return arguments[*place];
      });
  SmallVector<Value> results = addBody(body, earlier, read, outs, yielded);
  read.clear();
  for (auto [place, input] : llvm::zip_equal(inputs.places, later.getInputs()))
    read.push_back(place ? arguments[*place]
                         : results[cast<OpResult>(input).getResultNumber()]);
  addBody(body, later, read, outs, yielded);
  return yielded;
}

linalg::GenericOp FusedKernel::build(OpBuilder &builder) {
  inputs.add(earlier);
  ofEarlier = inputs.places;
  inputs.add(later, earlier);
  SmallVector<AffineMap> maps = inputs.maps;
  SmallVector<Value> outs;
  SmallVector<Type> types;
  for (linalg::GenericOp op : {earlier, later})
    for (unsigned number : getKept(op)) {
      OpOperand &init = op.getDpsInitsMutable()[number];
      maps.push_back(op.getMatchingIndexingMap(&init));
      types.push_back(init.get().getType());
      outs.push_back(cloneInit(&builder, init.get()));
    }
  auto fused = linalg::GenericOp::create(
      builder, earlier.getLoc(), types, inputs.values, outs, maps,
      earlier.getIteratorTypesArray(),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(body, loc, buildBody(body, arguments));
      });
  fused->setDiscardableAttrs(earlier->getDiscardableAttrDictionary());
  return fused;
}

/// One kernel for both, where one of them stands.
linalg::GenericOp SiblingFusion::fuse(linalg::GenericOp earlier,
                                      linalg::GenericOp later) {
  bool isUp = canMoveUp(later, earlier);
  OpBuilder builder(isUp ? earlier : later);
  FusedKernel both(earlier, later);
  linalg::GenericOp fused = both.build(builder);
  positions[fused] = getPosition(isUp ? earlier : later);
  forget(earlier);
  forget(later);
  unsigned place = 0;
  SmallVector<unsigned> ofEarlier = both.getKept(earlier);
  for (unsigned number : ofEarlier)
    replace(earlier->getResult(number), fused->getResult(place++));
  for (OpResult result : later->getResults())
    replace(result, fused->getResult(place++));
  for (linalg::GenericOp op : {later, earlier}) {
    positions.erase(op);
    op.erase();
  }
  return fused;
}

/// Moves views and barriers behind the values that they are of, but not before
/// the marker of their phase, so that kernels that read them can move up.
static void hoistViews(Block &block) {
  Operation *phase = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<PhaseOp>(op))
      phase = &op;
    if (getAliases(&op).empty())
      continue;
    Operation *last = phase;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && (!last || last->isBeforeInBlock(producer)))
        last = producer;
    if (last)
      op.moveAfter(last);
    else
      op.moveBefore(&block, block.begin());
  }
}

namespace {

struct FuseSiblingsPass
    : boost::rt::impl::FuseSiblingsPassBase<FuseSiblingsPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      hoistViews(block);
      SiblingFusion(block).run();
    }
  }
};

} // namespace

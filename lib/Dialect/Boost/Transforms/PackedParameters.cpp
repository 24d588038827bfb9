//===- PackedParameters.cpp - Several parameters as one argument ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedParameters.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Matrices and the arguments they come from
//===----------------------------------------------------------------------===//

namespace {
/// An argument that is a matrix, or holds one per layer.
struct Source {
  BlockArgument argument;
  /// The slice that takes the layer, or null.
  stablehlo::SliceOp layer;
  /// True if the matrix is read as its transpose.
  bool transposed = false;

  int64_t layerRank() const { return getTensorType(argument).getRank() - 2; }
};
} // namespace

/// Returns true if a slice is one complete layer.
static bool takesLayer(stablehlo::SliceOp slice) {
  ArrayRef<int64_t> from = slice.getOperand().getType().getShape();
  ArrayRef<int64_t> to = slice.getType().getShape();
  return from.size() >= 2 && from.take_back(2) == to.take_back(2) &&
         llvm::all_of(to.drop_back(2), [](int64_t size) { return size == 1; });
}

static std::optional<Source> findSource(Value matrix) {
  Source source;
  if (auto transpose = matrix.getDefiningOp<stablehlo::TransposeOp>()) {
    if (transpose.getPermutation() != ArrayRef<int64_t>({1, 0}))
      return std::nullopt;
    source.transposed = true;
    matrix = transpose.getOperand();
  }
  if (auto reshape = matrix.getDefiningOp<stablehlo::ReshapeOp>()) {
    source.layer = reshape.getOperand().getDefiningOp<stablehlo::SliceOp>();
    if (!source.layer || !takesLayer(source.layer) ||
        getTensorType(matrix).getShape() !=
            source.layer.getType().getShape().take_back(2))
      return std::nullopt;
    matrix = source.layer.getOperand();
  } else if (getTensorType(matrix).getRank() != 2) {
    return std::nullopt;
  }
  source.argument = dyn_cast<BlockArgument>(matrix);
  return source.argument ? std::optional(source) : std::nullopt;
}

/// The dimensions that count layers.
static ArrayRef<int64_t> getLayers(Source source) {
  return getTensorType(source.argument).getShape().drop_back(2);
}

/// Equal for matrices of one layer.
static ArrayRef<int64_t> getLayer(Source source) {
  return source.layer
             ? source.layer.getStartIndices().take_front(source.layerRank())
             : ArrayRef<int64_t>();
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// A parameter whose placement is still open.
bool ParameterPacker::isPackable(BlockArgument argument) const {
  func::FuncOp owner = function;
  unsigned index = argument.getArgNumber();
  return argument.getOwner() == &owner.front() && isParameter(argument) &&
         !owner.getArgAttr(index, kShardingAttr) &&
         !owner.getArgAttr(index, kHintAttr) &&
         !owner.getArgAttr(index, kPartsAttr);
}

/// Returns the role of a parameter. Trained ones, frozen ones and constants are
/// not packed together.
TensorRole ParameterPacker::getRole(BlockArgument argument) const {
  func::FuncOp owner = function;
  return getArgTensor(owner, argument.getArgNumber()).getRole();
}

/// One update moves what is packed: all of it decays, or nothing.
BoolAttr ParameterPacker::getDecay(BlockArgument argument) const {
  func::FuncOp owner = function;
  return getArgTensor(owner, argument.getArgNumber()).getDecay();
}

const ParameterPacker::Pack *
ParameterPacker::find(BlockArgument argument) const {
  const auto *it = llvm::find_if(packs, [&](const Pack &pack) {
    return llvm::is_contained(pack.arguments, argument);
  });
  return it == packs.end() ? nullptr : it;
}

ParameterPacker::Pack &ParameterPacker::getPack(const PackRequest &request) {
  Source first = *findSource(request.matrices.front());
  if (const Pack *known = find(first.argument))
    return packs[known - packs.begin()];
  Pack pack;
  pack.transposed = first.transposed;
  pack.dim = request.dim;
  pack.stacked = request.stacked;
  for (Value matrix : request.matrices)
    pack.arguments.push_back(findSource(matrix)->argument);
  packs.push_back(pack);
  return packs.back();
}

bool ParameterPacker::request(ArrayRef<PackRequest> requests) {
  llvm::DenseSet<Value> seen;
  for (const PackRequest &request : requests) {
    SmallVector<BlockArgument> arguments;
    std::optional<Source> first = findSource(request.matrices.front());
    for (Value matrix : request.matrices) {
      std::optional<Source> source = findSource(matrix);
      if (!source || !isPackable(source->argument) ||
          getLayer(*source) != getLayer(*first) ||
          getLayers(*source) != getLayers(*first) ||
          getRole(source->argument) != getRole(first->argument) ||
          isConstant(source->argument) != isConstant(first->argument) ||
          getDecay(source->argument) != getDecay(first->argument) ||
          !seen.insert(source->argument).second)
        return false;
      assert(source->transposed == first->transposed && "all or none is");
      arguments.push_back(source->argument);
    }
    for (BlockArgument argument : arguments) {
      const Pack *known = find(argument);
      if (known &&
          (known->arguments != arguments || known->dim != request.dim ||
           known->stacked != request.stacked ||
           known->transposed != first->transposed))
        return false;
    }
  }
  for (const PackRequest &request : requests)
    ++getPack(request).uses;
  return true;
}

/// Returns true if an operation only selects a layer or transposes a matrix.
static bool isViewOfMatrix(Operation *op) {
  return isa<stablehlo::SliceOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(
      op);
}

/// The operations that read a value, also behind such views.
static size_t countUses(Value value) {
  size_t uses = 0;
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isViewOfMatrix(user))
        values.push_back(user->getResult(0));
      else
        ++uses;
    }
  return uses;
}

bool ParameterPacker::isComplete(ArrayRef<PackRequest> requests) const {
  return llvm::all_of(requests, [&](const PackRequest &request) {
    return llvm::all_of(request.matrices, [&](Value matrix) {
      BlockArgument argument = findSource(matrix)->argument;
      const Pack *pack = find(argument);
      return pack && countUses(argument) == pack->uses;
    });
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// "layer.{q,k,v}.down" for "layer.q.down", "layer.k.down", "layer.v.down".
static std::string joinNames(ArrayRef<StringRef> names) {
  SmallVector<SmallVector<StringRef>> paths;
  size_t shortest = SIZE_MAX;
  for (StringRef name : names) {
    name.split(paths.emplace_back(), '.');
    shortest = std::min(shortest, paths.back().size());
  }
  auto isCommon = [&](auto getSegment) {
    return llvm::all_equal(llvm::map_range(paths, getSegment));
  };
  size_t prefix = 0, suffix = 0;
  while (prefix < shortest &&
         isCommon([&](ArrayRef<StringRef> path) { return path[prefix]; }))
    ++prefix;
  while (prefix + suffix < shortest && isCommon([&](ArrayRef<StringRef> path) {
           return path[path.size() - 1 - suffix];
         }))
    ++suffix;
  auto joinPath = [](ArrayRef<StringRef> path) {
    return llvm::join(path, ".");
  };
  std::string middle = llvm::join(
      llvm::map_range(paths,
                      [&](ArrayRef<StringRef> path) {
                        return joinPath(
                            path.drop_front(prefix).drop_back(suffix));
                      }),
      ",");
  SmallVector<std::string> joined;
  if (prefix > 0)
    joined.push_back(joinPath(ArrayRef(paths.front()).take_front(prefix)));
  joined.push_back("{" + middle + "}");
  if (suffix > 0)
    joined.push_back(joinPath(ArrayRef(paths.front()).take_back(suffix)));
  return llvm::join(joined, ".");
}

DictionaryAttr ParameterPacker::describe(const Pack &pack) const {
  func::FuncOp owner = function;
  Builder builder(owner.getContext());
  SmallVector<StringRef> names;
  SmallVector<Attribute> parts;
  int64_t offset = 0;
  for (BlockArgument argument : pack.arguments) {
    unsigned index = argument.getArgNumber();
    TensorAttr tensor = getArgTensor(owner, index);
    ArrayRef<int64_t> shape = getTensorType(argument).getShape();
    int64_t dim = shape.size() - 2 + pack.getParameterDim();
    names.push_back(tensor.getName());
    parts.push_back(PartAttr::get(builder.getContext(), tensor.getName(),
                                  /*of=*/{}, tensor.getInit(), dim, offset,
                                  builder.getDenseI64ArrayAttr(shape)));
    offset += pack.stacked ? 1 : shape[dim];
  }
  auto packed = TensorAttr::get(getRole(pack.arguments.front()),
                                builder.getStringAttr(joinNames(names)));
  if (isConstant(pack.arguments.front()))
    packed = packed.withInit(builder.getStringAttr(kStoredInit));
  NamedAttrList attrs;
  attrs.set(kTensorAttr, packed.withDecay(getDecay(pack.arguments.front())));
  attrs.set(kPartsAttr, builder.getArrayAttr(parts));
  return attrs.getDictionary(builder.getContext());
}

void ParameterPacker::addArguments() {
  for (Pack &pack : packs) {
    BlockArgument first = pack.arguments.front();
    RankedTensorType type = getTensorType(first);
    SmallVector<int64_t> shape(type.getShape());
    int64_t dim = type.getRank() - 2 + pack.getParameterDim();
    if (pack.stacked) {
      shape.insert(shape.begin() + dim, pack.arguments.size());
    } else {
      shape[dim] = 0;
      for (BlockArgument argument : pack.arguments)
        shape[dim] += getTensorType(argument).getDimSize(dim);
    }
    SmallVector<Location> locs = llvm::map_to_vector(
        pack.arguments, [](BlockArgument each) { return each.getLoc(); });
    unsigned index = first.getArgNumber();
    // Cannot fail: the type is no less a tensor than that of the first one.
    (void)function.insertArgument(index, type.clone(shape), describe(pack),
                                  FusedLoc::get(function.getContext(), locs));
    pack.packed = function.getArgument(index);
  }
}

/// The packed matrices of one layer.
static Value takeLayer(OpBuilder &builder, stablehlo::SliceOp like,
                       int64_t layerRank, Value packed) {
  SmallVector<int64_t> starts(like.getStartIndices());
  SmallVector<int64_t> limits(getTensorType(packed).getShape());
  starts.resize(limits.size(), 0);
  for (int64_t dim = 0; dim < layerRank; ++dim)
    limits[dim] = like.getLimitIndices()[dim];
  SmallVector<int64_t> strides(limits.size(), 1);
  ArrayRef<int64_t> shape =
      getTensorType(packed).getShape().drop_front(layerRank);
  Value layer = stablehlo::SliceOp::create(builder, like.getLoc(), packed,
                                           starts, limits, strides);
  return stablehlo::reshape(builder, like.getLoc(), layer, shape);
}

Value ParameterPacker::build(OpBuilder &builder, Value firstMatrix) const {
  Source source = *findSource(firstMatrix);
  const Pack &pack = *find(source.argument);
  Value value = pack.packed;
  if (source.layer)
    value = takeLayer(builder, source.layer, source.layerRank(), value);
  if (!pack.transposed)
    return value;
  SmallVector<int64_t> permutation =
      pack.stacked ? SmallVector<int64_t>{2, 1} : SmallVector<int64_t>{1, 0};
  if (pack.stacked)
    permutation.insert(permutation.begin() + pack.dim, 0);
  return stablehlo::transpose(builder, firstMatrix.getLoc(), value,
                              permutation);
}

/// Erases operations that only prepared an argument for others.
static void eraseDeadUsers(Value value) {
  SmallVector<Operation *> found;
  auto add = [&](Value of) {
    for (Operation *user : of.getUsers())
      if (isViewOfMatrix(user))
        found.push_back(user);
  };
  add(value);
  for (size_t i = 0; i < found.size(); ++i)
    add(found[i]->getResult(0));
  // Each stands behind what it reads.
  for (Operation *op : llvm::reverse(found))
    if (op->use_empty())
      op->erase();
}

void ParameterPacker::removeArguments() {
  llvm::BitVector old(function.getNumArguments());
  for (const Pack &pack : packs)
    for (BlockArgument argument : pack.arguments) {
      eraseDeadUsers(argument);
      old.set(argument.getArgNumber());
    }
  (void)function.eraseArguments(old);
}

//===- ProgramBuilder.cpp - Building random losses ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include <numeric>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;

/// Tensors have at most this many elements, results at most this magnitude.
static constexpr int64_t kMaxElements = 192;
static constexpr double kMaxMagnitude = 8;
/// The largest magnitude that randomInputs draws.
static constexpr double kInputMagnitude = 3;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

uint32_t Choices::below(uint32_t count) {
  uint32_t choice = 0;
  if (isDrawn)
    choice = static_cast<uint32_t>((engine() >> 32) * count >> 32);
  else if (record.size() < given.size())
    choice = std::min(given[record.size()], count - 1);
  record.push_back(choice);
  return choice;
}

ProgramBuilder::ProgramBuilder(MLIRContext *context, Choices &choices)
    : b(context), loc(UnknownLoc::get(context)), choices(choices),
      module(ModuleOp::create(loc)), mayBeNarrow(oneIn(6)) {
  context->loadDialect<BoostDialect, chlo::CHLODialect, func::FuncDialect,
                       boost::stablehlo::StableHLODialect>();
  b.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
}

Shape ProgramBuilder::shapeOf(int64_t rank) {
  Shape shape;
  int64_t elements = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = extent();
    if (elements * size > kMaxElements)
      size = 1;
    elements *= size;
    shape.push_back(size);
  }
  return shape;
}

SmallVector<int64_t> ProgramBuilder::permutationOf(int64_t rank) {
  SmallVector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(permutation[i],
              permutation[i - below(static_cast<uint32_t>(i) + 1)]);
  return permutation;
}

SmallVector<int64_t> ProgramBuilder::someOf(int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (below(2) == 0)
      dims.push_back(dim);
  if (dims.empty() && rank > 0)
    dims.push_back(below(static_cast<uint32_t>(rank)));
  return dims;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Pooled ProgramBuilder::read(size_t index) {
  pool[index].isRead = true;
  return pool[index];
}

Pooled ProgramBuilder::pick() { return pickOfRank(0); }

Pooled ProgramBuilder::pickOfRank(int64_t least, int64_t most) {
  // The latest value is the simplest choice, a new argument the last one.
  SmallVector<size_t> candidates;
  for (size_t i = pool.size(); i-- > 0;)
    if (pool[i].rank() >= least && pool[i].rank() <= most)
      candidates.push_back(i);
  uint32_t choice = below(static_cast<uint32_t>(candidates.size()) + 1);
  if (choice < candidates.size())
    return read(candidates[choice]);
  int64_t lowest = std::max<int64_t>(least, 1);
  int64_t highest = std::max(lowest, std::min<int64_t>(most, 3));
  return addArgument(
      shapeOf(highest - below(static_cast<uint32_t>(highest - lowest) + 1)),
      /*mayBeBatch=*/true);
}

Pooled ProgramBuilder::pickOfShape(ArrayRef<int64_t> shape) {
  SmallVector<size_t> candidates;
  for (size_t i = pool.size(); i-- > 0;)
    if (pool[i].shape() == shape)
      candidates.push_back(i);
  uint32_t choice = below(static_cast<uint32_t>(candidates.size()) + 1);
  return choice < candidates.size() ? read(candidates[choice])
                                    : addParameter(shape);
}

Pooled ProgramBuilder::pickAbove(double least) {
  Pooled value = pick();
  if (value.low >= least)
    return value;
  value.value = boost::stablehlo::LogisticOp::create(b, loc, value.value);
  value.value = boost::stablehlo::AddOp::create(b, loc, value.value,
                                                splat(value.shape(), least));
  value.low = least;
  value.high = least + 1;
  return value;
}

Pooled ProgramBuilder::addArgument(ArrayRef<int64_t> shape, bool mayBeBatch) {
  bool isNarrow = mayBeNarrow && oneIn(4);
  bool isBatch = mayBeBatch && hasParameter && oneIn(4);
  hasParameter |= !isBatch;
  bool isNamed = !oneIn(4);
  Type element = isNarrow ? Type(b.getBF16Type()) : Type(b.getF32Type());
  Value argument =
      function.front().addArgument(RankedTensorType::get(shape, element), loc);
  NamedAttrList attrs;
  std::string name =
      (isBatch ? "x" : "w") + std::to_string(argumentAttrs.size());
  if (isNamed)
    attrs.set(kNameAttr, b.getStringAttr(name));
  if (isNamed || isBatch)
    attrs.set(kArgAttr, b.getStringAttr(isBatch ? "batch" : "param"));
  argumentAttrs.push_back(attrs);
  Value value = boost::stablehlo::convert(b, loc, argument, b.getF32Type());
  // Not what draws values of scalars: they are positive.
  pool.push_back({value, -kInputMagnitude, kInputMagnitude + 0.5, true});
  return pool.back();
}

Value ProgramBuilder::addIds(ArrayRef<int64_t> shape, int64_t limit) {
  Value ids = function.front().addArgument(
      RankedTensorType::get(shape, b.getI32Type()), loc);
  NamedAttrList attrs;
  attrs.set(kNameAttr,
            b.getStringAttr("ids" + std::to_string(argumentAttrs.size())));
  attrs.set(kIdLimitAttr, b.getI64IntegerAttr(limit));
  argumentAttrs.push_back(attrs);
  return ids;
}

void ProgramBuilder::add(Value value, double low, double high) {
  double magnitude = std::max(-low, high);
  if (magnitude > kMaxMagnitude) {
    // A power of two, so that scaling rounds nothing.
    double factor = std::exp2(-std::ceil(std::log2(magnitude / kMaxMagnitude)));
    value = scale(value, factor);
    low *= factor;
    high *= factor;
  }
  pool.push_back({value, low, high});
}

Value ProgramBuilder::broadcastTo(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto skipped = static_cast<int64_t>(shape.size()) - type.getRank();
  SmallVector<int64_t> dims(type.getRank());
  std::iota(dims.begin(), dims.end(), skipped);
  return boost::stablehlo::broadcastInDim(b, loc, value, shape, dims);
}

Value ProgramBuilder::splat(ArrayRef<int64_t> shape, double number) {
  Value scalar = boost::stablehlo::splat(
      b, loc, RankedTensorType::get({}, b.getF32Type()), number);
  return broadcastTo(scalar, shape);
}

Value ProgramBuilder::gatherRows(Value value, Value ids) {
  auto type = cast<RankedTensorType>(value.getType());
  Shape indices(cast<RankedTensorType>(ids.getType()).getShape());
  auto rank = static_cast<int64_t>(indices.size());
  ArrayRef<int64_t> row = type.getShape().drop_front();
  Shape result(indices), sizes(row);
  llvm::append_range(result, row);
  sizes.insert(sizes.begin(), 1);
  indices.push_back(1);
  ids = boost::stablehlo::broadcastInDim(b, loc, ids, indices,
                                         llvm::to_vector(llvm::seq(rank)));
  auto offsets =
      llvm::to_vector(llvm::seq(rank, rank + static_cast<int64_t>(row.size())));
  auto numbers = boost::stablehlo::GatherDimensionNumbersAttr::get(
      b.getContext(), offsets, /*collapsed_slice_dims=*/{0},
      /*operand_batching_dims=*/{}, /*start_indices_batching_dims=*/{},
      /*start_index_map=*/{0}, /*index_vector_dim=*/rank);
  return boost::stablehlo::GatherOp::create(
      b, loc, type.clone(result), value, ids, numbers,
      b.getDenseI64ArrayAttr(sizes), b.getBoolAttr(false));
}

Value ProgramBuilder::scale(Value value, double number) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return boost::stablehlo::MulOp::create(b, loc, value, splat(shape, number));
}

Value ProgramBuilder::divideBy(Value value, int64_t number) {
  auto divisor = static_cast<double>(number);
  if (llvm::isPowerOf2_64(static_cast<uint64_t>(number)) && below(2) == 0)
    return scale(value, 1 / divisor);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return boost::stablehlo::DivOp::create(b, loc, value, splat(shape, divisor));
}

Value ProgramBuilder::callSilu(Value value) {
  Type type = value.getType();
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "silu";
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    os << "_" << size;
  auto silu = module->lookupSymbol<func::FuncOp>(name);
  if (!silu) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module->getBody());
    silu = func::FuncOp::create(b, loc, name, b.getFunctionType(type, type));
    silu.setPrivate();
    b.setInsertionPointToStart(silu.addEntryBlock());
    Value x = silu.getArgument(0);
    Value gate = boost::stablehlo::LogisticOp::create(b, loc, x);
    Value result = boost::stablehlo::MulOp::create(b, loc, x, gate);
    func::ReturnOp::create(b, loc, result);
  }
  return func::CallOp::create(b, loc, silu, value).getResult(0);
}

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

/// The mean of the squares of the elements.
static Value meanSquare(ProgramBuilder &p, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value squares = boost::stablehlo::MulOp::create(p.b, p.loc, value, value);
  Value sum = boost::stablehlo::reduceSum(
      p.b, p.loc, squares, llvm::to_vector(llvm::seq(type.getRank())));
  return p.divideBy(sum, type.getNumElements());
}

/// A sum of positive terms, so that it is well conditioned: of the values that
/// nothing reads, most.
Value ProgramBuilder::makeLoss() {
  if (pool.empty())
    addParameter({2});
  Value loss;
  for (size_t i = pool.size(); i-- > 0;) {
    bool isNeeded = !loss && i == 0;
    if (!isNeeded && (pool[i].isRead || oneIn(6)))
      continue;
    Value term = meanSquare(*this, pool[i].value);
    loss = loss
               ? boost::stablehlo::AddOp::create(b, loc, loss, term).getResult()
               : term;
  }
  return loss;
}

/// Shards each dimension of each argument over axes that divide it, or leaves
/// it replicated.
void ProgramBuilder::chooseCuts(const Mesh &mesh) {
  for (auto [type, attrs] :
       llvm::zip_equal(function.front().getArgumentTypes(), argumentAttrs)) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<SmallVector<Attribute>> split(tensor.getRank());
    SmallVector<int64_t> local(tensor.getShape());
    for (int16_t axis : mesh.getAxes(mesh.getUsedAxes())) {
      int64_t size = mesh.getAxisSize(axis);
      uint32_t choice = below(static_cast<uint32_t>(tensor.getRank()) + 1);
      if (choice == 0 || local[choice - 1] % size != 0)
        continue;
      local[choice - 1] /= size;
      split[choice - 1].push_back(b.getStringAttr(mesh.getAxisName(axis)));
    }
    attrs.set(kShardingAttr,
              ShardingAttr::get(
                  b.getContext(),
                  llvm::map_to_vector(split, [&](ArrayRef<Attribute> dim) {
                    return b.getArrayAttr(dim);
                  })));
  }
}

/// Leaves out each rewrite as often as not, and chooses what is recomputed.
void ProgramBuilder::chooseSwitches(RandomProgram &program) {
  for (StringRef pass : getSwitchablePasses())
    if (oneIn(2))
      program.disabledPasses.push_back(pass.str());
  program.remat = oneOf<RematKind>(
      {RematKind::None, RematKind::LowRank, RematKind::FullBlock});
}

RandomProgram ProgramBuilder::finish() {
  Value loss = makeLoss();
  func::ReturnOp::create(b, loc, loss);
  Mesh mesh = llvm::cantFail(Mesh::parse(oneOf<StringRef>(
      {"1", "tp=2", "dp=2,tp=2", "tp=4", "tp=3", "dp=2,tp=3"})));
  chooseCuts(mesh);
  function.setType(
      b.getFunctionType(function.front().getArgumentTypes(), loss.getType()));
  SmallVector<DictionaryAttr> attrs;
  for (const NamedAttrList &list : argumentAttrs)
    attrs.push_back(list.getDictionary(b.getContext()));
  function.setAllArgAttrs(attrs);
  RandomProgram program{std::move(module), mesh, {}, RematKind::None};
  chooseSwitches(program);
  return program;
}

/// Chooses an operation by weight.
static const RandomOperation &chooseOperation(ProgramBuilder &p) {
  static const SmallVector<RandomOperation> all = [] {
    SmallVector<RandomOperation> operations;
    for (ArrayRef<RandomOperation> table :
         {getElementwiseOperations(), getShapeOperations(), getContractions(),
          getModelPieces()})
      llvm::append_range(operations, table);
    return operations;
  }();
  uint32_t total = 0;
  for (const RandomOperation &operation : all)
    total += operation.weight;
  uint32_t ticket = p.below(total);
  for (const RandomOperation &operation : all) {
    if (ticket < operation.weight)
      return operation;
    ticket -= operation.weight;
  }
  llvm_unreachable("a ticket is below the sum of the weights");
}

RandomProgram mlir::boost::prove::makeRandomProgram(MLIRContext *context,
                                                    Choices &choices) {
  constexpr int maxOperations = 16;
  ProgramBuilder builder(context, choices);
  for (int i = 0; i < maxOperations; ++i) {
    choices.beginSpan();
    bool goesOn = choices.below(8) != 0;
    if (goesOn)
      chooseOperation(builder).apply(builder);
    choices.endSpan();
    if (!goesOn)
      break;
  }
  return builder.finish();
}

//===- Verifiers.cpp - What makes an operation legal ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations whose result type is given rather than inferred.
//
//===----------------------------------------------------------------------===//

#include "IndexChecks.h"
#include "RegionChecks.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

LogicalResult ReducePrecisionOp::verify() {
  if (getExponentBits() < 1)
    return emitOpError() << "expects at least 1 exponent bit, but got "
                         << getExponentBits();
  return success();
}

LogicalResult CompareOp::verify() {
  std::optional<ComparisonType> type = getCompareType();
  if (!type || *type == ComparisonType::NOTYPE)
    return success();
  Type element = getLhs().getType().getElementType();
  bool isFloat = isa<FloatType>(element);
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  ComparisonType expected = isFloat      ? ComparisonType::FLOAT
                            : isUnsigned ? ComparisonType::UNSIGNED
                                         : ComparisonType::SIGNED;
  if (*type == ComparisonType::TOTALORDER && isFloat)
    return success();
  if (*type != expected)
    return emitOpError() << "expects comparison type "
                         << stringifyComparisonType(expected) << " for "
                         << element << ", but got "
                         << stringifyComparisonType(*type);
  return success();
}

LogicalResult SelectOp::verify() {
  RankedTensorType pred = getPred().getType();
  if (pred.getRank() != 0 && pred.getShape() != getType().getShape())
    return emitOpError() << "expects a predicate that is scalar or of the "
                            "shape of the values "
                         << getType() << ", but got " << pred;
  return success();
}

LogicalResult ClampOp::verify() {
  RankedTensorType bound = getMin().getType();
  if (bound.getElementType() != getType().getElementType() ||
      (bound.getRank() != 0 && bound != getType()))
    return emitOpError() << "expects bounds that are scalar or of the type of "
                            "the operand "
                         << getType() << ", but got " << bound;
  return success();
}

//===----------------------------------------------------------------------===//
// Creation and shape
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t rank = getType().getRank();
  auto dim = static_cast<int64_t>(getIotaDimension());
  if (dim < 0 || dim >= rank)
    return emitOpError() << "expects 'iota_dimension' below rank " << rank
                         << ", but got " << dim;
  return success();
}

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  if (static_cast<int64_t>(dims.size()) != operand.getRank())
    return emitOpError() << "expects one broadcast dimension per operand "
                            "dimension, but got "
                         << dims.size() << " for rank " << operand.getRank();
  llvm::SmallBitVector seen(result.getRank());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= result.getRank())
      return emitOpError() << "expects broadcast dimensions below rank "
                           << result.getRank() << ", but got " << dim;
    if (seen[dim])
      return emitOpError() << "expects different broadcast dimensions, but got "
                           << dim << " twice";
    seen.set(dim);
    int64_t size = operand.getDimSize(i);
    if (size != 1 && size != result.getDimSize(dim))
      return emitOpError() << "expects operand dimension " << i
                           << " to be 1 or the size of result dimension " << dim
                           << ", " << result.getDimSize(dim) << ", but got "
                           << size;
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getOperand().getType().getNumElements() != getType().getNumElements())
    return emitOpError() << "expects a result of "
                         << getOperand().getType().getNumElements()
                         << " elements, but got " << getType();
  return success();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  unsigned fromWidth = from.getElementTypeBitWidth();
  unsigned toWidth = to.getElementTypeBitWidth();
  if (fromWidth != toWidth && std::min(fromWidth, toWidth) < 8)
    return emitOpError() << "expects booleans to stay booleans, but got "
                         << from.getElementType() << " and "
                         << to.getElementType();
  bool widens = fromWidth < toWidth;
  RankedTensorType narrow = widens ? from : to, wide = widens ? to : from;
  SmallVector<int64_t> shape(wide.getShape());
  if (fromWidth != toWidth)
    shape.push_back(std::max(fromWidth, toWidth) /
                    std::min(fromWidth, toWidth));
  if (narrow.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError() << "expects elements of " << narrow.getElementType()
                         << " in the shape " << narrow.clone(shape)
                         << " that those of " << wide << " take, but got "
                         << narrow;
  return success();
}

LogicalResult ReverseOp::verify() {
  llvm::SmallBitVector seen(getType().getRank());
  for (int64_t dim : getDimensions()) {
    if (dim < 0 || dim >= getType().getRank() || seen[dim])
      return emitOpError() << "expects different dimensions below rank "
                           << getType().getRank() << ", but got " << dim;
    seen.set(dim);
  }
  return success();
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType operand = getType(), update = getUpdate().getType();
  if (update.getElementType() != operand.getElementType() ||
      update.getRank() != operand.getRank())
    return emitOpError() << "expects an update of the element type and rank of "
                         << operand << ", but got " << update;
  for (int64_t i = 0; i < operand.getRank(); ++i)
    if (update.getDimSize(i) > operand.getDimSize(i))
      return emitOpError() << "expects an update of at most "
                           << operand.getDimSize(i) << " in dimension " << i
                           << ", but got " << update.getDimSize(i);
  if (static_cast<int64_t>(getStartIndices().size()) != operand.getRank())
    return emitOpError() << "expects one start index per dimension, but got "
                         << getStartIndices().size() << " for rank "
                         << operand.getRank();
  return success();
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// Batching and contracting dimensions of one operand: in range, no repetition.
static LogicalResult checkDotDims(Operation *op, StringRef side, int64_t rank,
                                  ArrayRef<int64_t> batch,
                                  ArrayRef<int64_t> contract) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : llvm::concat<const int64_t>(batch, contract)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "expects dimensions of " << side
                               << " below rank " << rank << ", but got " << dim;
    if (seen[dim])
      return op->emitOpError() << "expects different dimensions of " << side
                               << ", but got " << dim << " twice";
    seen.set(dim);
  }
  return success();
}

/// Dimensions that are paired have equal sizes.
static LogicalResult checkPairs(Operation *op, StringRef what,
                                RankedTensorType lhs, RankedTensorType rhs,
                                ArrayRef<int64_t> lhsDims,
                                ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op->emitOpError()
           << "expects as many " << what << " dimensions of lhs as of rhs, but "
           << "got " << lhsDims.size() << " and " << rhsDims.size();
  for (auto [left, right] : llvm::zip(lhsDims, rhsDims))
    if (lhs.getDimSize(left) != rhs.getDimSize(right))
      return op->emitOpError()
             << "expects " << what << " dimensions of one size, but got "
             << lhs.getDimSize(left) << " in dimension " << left
             << " of lhs and " << rhs.getDimSize(right) << " in dimension "
             << right << " of rhs";
  return success();
}

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "expects operands of one element type, but got "
                         << lhs.getElementType() << " and "
                         << rhs.getElementType();
  if (failed(checkDotDims(*this, "lhs", lhs.getRank(),
                          dims.getLhsBatchingDimensions(),
                          dims.getLhsContractingDimensions())) ||
      failed(checkDotDims(*this, "rhs", rhs.getRank(),
                          dims.getRhsBatchingDimensions(),
                          dims.getRhsContractingDimensions())) ||
      failed(checkPairs(*this, "batching", lhs, rhs,
                        dims.getLhsBatchingDimensions(),
                        dims.getRhsBatchingDimensions())) ||
      failed(checkPairs(*this, "contracting", lhs, rhs,
                        dims.getLhsContractingDimensions(),
                        dims.getRhsContractingDimensions())))
    return failure();
  RankedTensorType expected =
      inferDotType(lhs, rhs, dims, getType().getElementType());
  if (expected != getType())
    return emitOpError() << "expects a result of type " << expected
                         << ", but got " << getType();
  if (getPrecisionConfig() && getPrecisionConfig()->size() != 2)
    return emitOpError() << "expects a precision for each of 2 operands, but "
                            "got "
                         << getPrecisionConfig()->size();
  auto isDefault = [](Attribute word) {
    return cast<PrecisionAttr>(word).getValue() == Precision::DEFAULT;
  };
  if (getAlgorithm() && getPrecisionConfig() &&
      !llvm::all_of(*getPrecisionConfig(), isDefault))
    return emitOpError()
           << "expects precision DEFAULT beside an algorithm, but "
              "got "
           << *getPrecisionConfig();
  return success();
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType();
  if (a.getElementType() != b.getElementType())
    return emitOpError() << "expects operands of one element type, but got "
                         << a.getElementType() << " and " << b.getElementType();
  int64_t rank = a.getRank();
  if (rank < 2 || a.getDimSize(rank - 1) != a.getDimSize(rank - 2))
    return emitOpError() << "expects square matrices, but got " << a;
  if (b.getRank() != rank ||
      a.getShape().drop_back(2) != b.getShape().drop_back(2))
    return emitOpError() << "expects right sides with the batch of " << a
                         << ", but got " << b;
  int64_t size = b.getDimSize(getLeftSide() ? rank - 2 : rank - 1);
  if (size != a.getDimSize(rank - 1))
    return emitOpError() << "expects " << a.getDimSize(rank - 1)
                         << (getLeftSide() ? " rows" : " columns")
                         << " on the right side, but got " << size;
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emitOpError() << "expects 'transpose_a' to be NO_TRANSPOSE, "
                            "TRANSPOSE or ADJOINT, but got TRANSPOSE_INVALID";
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult stablehlo::checkReturn(Operation *op, StringRef region,
                                     Block &block, TypeRange types) {
  auto ret =
      dyn_cast_or_null<ReturnOp>(block.empty() ? nullptr : &block.back());
  if (!ret)
    return op->emitOpError()
           << "expects " << region << " to end in stablehlo.return";
  if (ret.getResults().getTypes() != types) {
    auto diag = op->emitOpError()
                << "expects " << region << " to return (" << types
                << "), but got (" << ret.getResults().getTypes() << ")";
    diag.attachNote(ret.getLoc()) << "returned here";
    return diag;
  }
  return success();
}

LogicalResult stablehlo::checkArguments(Operation *op, StringRef region,
                                        Block &block, TypeRange types) {
  if (TypeRange(block.getArgumentTypes()) != types)
    return op->emitOpError()
           << "expects " << region << " to take (" << types << "), but got ("
           << TypeRange(block.getArgumentTypes()) << ")";
  return success();
}

LogicalResult stablehlo::checkCombiner(Operation *op, StringRef region,
                                       Block &block, ArrayRef<Type> scalars) {
  SmallVector<Type> pairs(scalars);
  pairs.append(scalars.begin(), scalars.end());
  if (failed(checkArguments(op, region, block, pairs)))
    return failure();
  return checkReturn(op, region, block, scalars);
}

LogicalResult ReduceOp::verify() {
  if (getInputs().empty() || getResults().size() != getInputs().size())
    return emitOpError() << "expects one result per input and at least one, "
                            "but got "
                         << getResults().size() << " and "
                         << getInputs().size();
  auto first = cast<RankedTensorType>(getInputs()[0].getType());
  llvm::SmallBitVector reduced(first.getRank());
  for (int64_t dim : getDimensions()) {
    if (dim < 0 || dim >= first.getRank() || reduced[dim])
      return emitOpError() << "expects different dimensions below rank "
                           << first.getRank() << ", but got " << dim;
    reduced.set(dim);
  }
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < first.getRank(); ++i)
    if (!reduced[i])
      shape.push_back(first.getDimSize(i));

  SmallVector<Type> scalars;
  for (auto [input, init, result] :
       llvm::zip(getInputs(), getInitValues(), getResults())) {
    auto inputType = cast<RankedTensorType>(input.getType());
    auto initType = cast<RankedTensorType>(init.getType());
    if (inputType.getShape() != first.getShape())
      return emitOpError() << "expects inputs of one shape, but got " << first
                           << " and " << inputType;
    if (initType.getRank() != 0 ||
        initType.getElementType() != inputType.getElementType())
      return emitOpError() << "expects a scalar initial value of type "
                           << inputType.getElementType() << ", but got "
                           << initType;
    RankedTensorType expected = inputType.clone(shape);
    if (result.getType() != expected)
      return emitOpError() << "expects a result of type " << expected
                           << ", but got " << result.getType();
    scalars.push_back(initType);
  }
  return checkCombiner(*this, "the body", getBody().front(), scalars);
}

LogicalResult WhileOp::verify() {
  TypeRange state = getOperandTypes();
  if (getResultTypes() != state)
    return emitOpError() << "expects results of the types of the operands";
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(
          checkArguments(*this, "the condition", getCond().front(), state)) ||
      failed(checkReturn(*this, "the condition", getCond().front(),
                         TypeRange(Type(pred)))) ||
      failed(checkArguments(*this, "the body", getBody().front(), state)))
    return failure();
  return checkReturn(*this, "the body", getBody().front(), state);
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "expects at least one branch, but got none";
  for (auto [i, branch] : llvm::enumerate(getBranches()))
    if (failed(checkReturn(*this, "branch " + std::to_string(i), branch.front(),
                           getResultTypes())))
      return failure();
  return success();
}

LogicalResult IfOp::verify() {
  if (failed(checkReturn(*this, "the first branch", getTrueBranch().front(),
                         getResultTypes())))
    return failure();
  return checkReturn(*this, "the second branch", getFalseBranch().front(),
                     getResultTypes());
}

LogicalResult OptimizationBarrierOp::verify() {
  if (getResultTypes() != getOperandTypes())
    return emitOpError() << "expects results of the types of the operands";
  return success();
}

int64_t SortOp::getSortedDim() {
  int64_t rank =
      cast<RankedTensorType>(getInputs().front().getType()).getRank();
  int64_t dim = static_cast<int64_t>(getDimension());
  return dim < 0 ? dim + rank : dim;
}

LogicalResult SortOp::verify() {
  if (getInputs().empty() || getResultTypes() != getInputs().getTypes())
    return emitOpError() << "expects results of the types of the inputs, and "
                            "at least one";
  int64_t rank =
      cast<RankedTensorType>(getInputs().front().getType()).getRank();
  if (getSortedDim() < 0 || getSortedDim() >= rank)
    return emitOpError() << "expects 'dimension' in [" << -rank << ", " << rank
                         << "), but got "
                         << static_cast<int64_t>(getDimension());
  SmallVector<Type> pairs;
  for (Type type : getInputs().getTypes())
    pairs.append(2, RankedTensorType::get(
                        {}, cast<RankedTensorType>(type).getElementType()));
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  Block &block = getComparator().front();
  if (failed(checkArguments(*this, "the comparator", block, pairs)))
    return failure();
  return checkReturn(*this, "the comparator", block, TypeRange(Type(pred)));
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// The shape of an update follows from the indices and the window.
static LogicalResult checkUpdate(ScatterOp op, RankedTensorType input,
                                 RankedTensorType update) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  auto indices = cast<RankedTensorType>(op.getScatterIndices().getType());
  SmallVector<int64_t> outer(indices.getShape());
  if (dims.getIndexVectorDim() < indices.getRank())
    outer.erase(outer.begin() + dims.getIndexVectorDim());
  SmallVector<int64_t> window;
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (!llvm::is_contained(dims.getInsertedWindowDims(), i) &&
        !llvm::is_contained(dims.getInputBatchingDims(), i))
      window.push_back(input.getDimSize(i));
  int64_t rank = outer.size() + window.size();
  if (update.getRank() != rank ||
      dims.getUpdateWindowDims().size() != window.size())
    return op.emitOpError()
           << "expects an update of rank " << rank << " with " << window.size()
           << " window dimensions, but got " << update << " with "
           << dims.getUpdateWindowDims().size();
  if (!isSortedSet(dims.getUpdateWindowDims(), rank))
    return op.emitOpError()
           << "expects 'update_window_dims' to be increasing "
              "dimensions below rank "
           << rank << ", but got [" << dims.getUpdateWindowDims() << "]";
  auto *nextOuter = outer.begin();
  auto *nextWindow = window.begin();
  for (int64_t i = 0; i < rank; ++i) {
    bool inWindow = llvm::is_contained(dims.getUpdateWindowDims(), i);
    int64_t bound = inWindow ? *nextWindow++ : *nextOuter++;
    int64_t size = update.getDimSize(i);
    if (inWindow ? size > bound : size != bound)
      return op.emitOpError()
             << "expects " << (inWindow ? "at most " : "") << bound
             << " in dimension " << i << " of the update, but got " << size;
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  if (getInputs().empty() || getResultTypes() != getInputs().getTypes())
    return emitOpError() << "expects results of the types of the inputs, and "
                            "at least one";
  ScatterDimensionNumbersAttr dims = getScatterDimensionNumbers();
  auto indices = cast<RankedTensorType>(getScatterIndices().getType());
  IndexedDims numbers{
      {"inserted_window_dims", dims.getInsertedWindowDims()},
      {"input_batching_dims", dims.getInputBatchingDims()},
      {"scatter_indices_batching_dims", dims.getScatterIndicesBatchingDims()},
      {"scatter_dims_to_operand_dims", dims.getScatterDimsToOperandDims()},
      dims.getIndexVectorDim()};
  SmallVector<Type> scalars;
  for (auto [input, update] : llvm::zip(getInputs(), getUpdates())) {
    auto inputType = cast<RankedTensorType>(input.getType());
    auto updateType = cast<RankedTensorType>(update.getType());
    if (inputType.getElementType() != updateType.getElementType())
      return emitOpError() << "expects updates of the element type of the "
                              "inputs, but got "
                           << updateType << " for " << inputType;
    if (failed(checkIndexedDims(getLoc(), numbers, inputType, indices)) ||
        failed(checkUpdate(*this, inputType, updateType)))
      return failure();
    scalars.push_back(RankedTensorType::get({}, inputType.getElementType()));
  }
  return checkCombiner(*this, "the update computation",
                       getUpdateComputation().front(), scalars);
}

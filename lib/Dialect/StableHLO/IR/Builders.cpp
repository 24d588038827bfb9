//===- Builders.cpp - Short ways to write StableHLO -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// `value` as an attribute of an element type.
static Attribute scalarAttr(Type elementType, double value) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, value);
  auto type = cast<IntegerType>(elementType);
  if (type.getWidth() == 1)
    return BoolAttr::get(type.getContext(), value != 0);
  APInt bits(type.getWidth(),
             type.isUnsigned()
                 ? static_cast<uint64_t>(value)
                 : static_cast<uint64_t>(static_cast<int64_t>(value)),
             /*isSigned=*/false, /*implicitTrunc=*/true);
  return IntegerAttr::get(type, bits);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value stablehlo::splat(OpBuilder &builder, Location loc, Type type,
                       double value) {
  auto tensor = cast<RankedTensorType>(type);
  return ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(tensor,
                             scalarAttr(tensor.getElementType(), value)));
}

Value stablehlo::splatLike(OpBuilder &builder, Location loc, Value like,
                           double value) {
  return splat(builder, loc, like.getType(), value);
}

Value stablehlo::broadcastInDim(OpBuilder &builder, Location loc, Value operand,
                                ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> dims) {
  return BroadcastInDimOp::create(
      builder, loc, getTensorType(operand).clone(shape), operand, dims);
}

Value stablehlo::broadcastScalar(OpBuilder &builder, Location loc, Value scalar,
                                 ArrayRef<int64_t> shape) {
  return broadcastInDim(builder, loc, scalar, shape, {});
}

Value stablehlo::broadcastTrailing(OpBuilder &builder, Location loc,
                                   Value operand, ArrayRef<int64_t> shape) {
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(operand).getRank()));
  return broadcastInDim(builder, loc, operand, shape, dims);
}

Value stablehlo::convert(OpBuilder &builder, Location loc, Value operand,
                         Type elementType) {
  if (getTensorType(operand).getElementType() == elementType)
    return operand;
  return ConvertOp::create(builder, loc, operand, elementType);
}

Value stablehlo::reshape(OpBuilder &builder, Location loc, Value operand,
                         ArrayRef<int64_t> shape) {
  RankedTensorType type = getTensorType(operand);
  if (type.getShape() == shape)
    return operand;
  return ReshapeOp::create(builder, loc, type.clone(shape), operand);
}

Value stablehlo::transpose(OpBuilder &builder, Location loc, Value operand,
                           ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return operand;
  return TransposeOp::create(builder, loc, operand, permutation);
}

/// The operation of a reduction's body.
static Value combine(OpBuilder &builder, Location loc, ReductionKind kind,
                     Value lhs, Value rhs) {
  switch (kind) {
  case ReductionKind::Add:
    return AddOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Max:
    return MaxOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Min:
    return MinOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Mul:
    return MulOp::create(builder, loc, lhs, rhs);
  case ReductionKind::And:
    return AndOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Or:
    return OrOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown reduction");
}

void stablehlo::buildCombiner(OpBuilder &builder, Location loc, Region &region,
                              Type elementType, ReductionKind kind) {
  OpBuilder::InsertionGuard guard(builder);
  Type scalar = RankedTensorType::get({}, elementType);
  Block *body = builder.createBlock(&region, {}, {scalar, scalar}, {loc, loc});
  Value combined =
      combine(builder, loc, kind, body->getArgument(0), body->getArgument(1));
  ReturnOp::create(builder, loc, combined);
}

Value stablehlo::reduce(OpBuilder &builder, Location loc, Value operand,
                        ArrayRef<int64_t> dims, ReductionKind kind) {
  RankedTensorType type = getTensorType(operand);
  RankedTensorType scalar = RankedTensorType::get({}, type.getElementType());
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(dims, i))
      shape.push_back(type.getDimSize(i));
  Value init = ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(scalar,
                             neutralElement(kind, type.getElementType())));
  auto op = ReduceOp::create(builder, loc, TypeRange(type.clone(shape)),
                             ValueRange(operand), ValueRange(init), dims);
  buildCombiner(builder, loc, op.getBody(), type.getElementType(), kind);
  return op.getResult(0);
}

Value stablehlo::reduceSum(OpBuilder &builder, Location loc, Value operand,
                           ArrayRef<int64_t> dims) {
  return reduce(builder, loc, operand, dims, ReductionKind::Add);
}

Value stablehlo::reduceMax(OpBuilder &builder, Location loc, Value operand,
                           ArrayRef<int64_t> dims) {
  return reduce(builder, loc, operand, dims, ReductionKind::Max);
}

Value stablehlo::dotGeneral(OpBuilder &builder, Location loc, Value lhs,
                            Value rhs, DotDimensionNumbersAttr dims,
                            Type elementType) {
  RankedTensorType lhsType = getTensorType(lhs);
  if (!elementType)
    elementType = lhsType.getElementType();
  return DotGeneralOp::create(
      builder, loc,
      inferDotType(lhsType, getTensorType(rhs), dims, elementType), lhs, rhs,
      dims, /*precision_config=*/ArrayAttr(),
      /*algorithm=*/DotAlgorithmAttr());
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

std::optional<ReductionKind> stablehlo::matchSimpleCombiner(Region &region) {
  Block &body = region.front();
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return std::nullopt;
  Operation &inner = body.front();
  if (inner.getNumOperands() != 2 || inner.getNumResults() != 1 ||
      body.back().getNumOperands() != 1 ||
      body.back().getOperand(0) != inner.getResult(0))
    return std::nullopt;
  Value a = body.getArgument(0), b = body.getArgument(1);
  Value lhs = inner.getOperand(0), rhs = inner.getOperand(1);
  if (!(lhs == a && rhs == b) && !(lhs == b && rhs == a))
    return std::nullopt;
  bool isBool = getElementTypeOrSelf(a.getType()).isInteger(1);
  if (isa<AddOp>(inner))
    return isBool ? ReductionKind::Or : ReductionKind::Add;
  if (isa<MaxOp>(inner))
    return isBool ? ReductionKind::Or : ReductionKind::Max;
  if (isa<MinOp>(inner))
    return isBool ? ReductionKind::And : ReductionKind::Min;
  if (isa<MulOp>(inner))
    return isBool ? ReductionKind::And : ReductionKind::Mul;
  if (isa<AndOp>(inner))
    return ReductionKind::And;
  if (isa<OrOp>(inner))
    return ReductionKind::Or;
  return std::nullopt;
}

std::optional<ReductionKind> stablehlo::matchSimpleReduction(ReduceOp op) {
  return matchSimpleCombiner(op.getBody());
}

/// The least or greatest value of an element type.
static Attribute extremeElement(Type elementType, bool least) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/least));
  auto type = cast<IntegerType>(elementType);
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned() || width == 1;
  if (least)
    return IntegerAttr::get(type, isUnsigned ? APInt::getMinValue(width)
                                             : APInt::getSignedMinValue(width));
  return IntegerAttr::get(type, isUnsigned ? APInt::getMaxValue(width)
                                           : APInt::getSignedMaxValue(width));
}

Attribute stablehlo::neutralElement(ReductionKind kind, Type elementType) {
  switch (kind) {
  case ReductionKind::Add:
  case ReductionKind::Or:
    return scalarAttr(elementType, 0);
  case ReductionKind::Mul:
    return scalarAttr(elementType, 1);
  case ReductionKind::And:
    return IntegerAttr::get(
        elementType, APInt::getAllOnes(elementType.getIntOrFloatBitWidth()));
  case ReductionKind::Max:
    return extremeElement(elementType, /*least=*/true);
  case ReductionKind::Min:
    return extremeElement(elementType, /*least=*/false);
  }
  llvm_unreachable("unknown reduction");
}

std::optional<double> stablehlo::matchSplat(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<BroadcastInDimOp, ReshapeOp>(op) ||
        (isa<ConvertOp>(op) &&
         isa<FloatType>(getElementTypeOrSelf(value.getType())))) {
      value = op->getOperand(0);
      continue;
    }
    auto constant = dyn_cast<ConstantOp>(op);
    auto dense = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                          : SplatElementsAttr();
    if (!dense)
      return std::nullopt;
    Attribute element = dense.getSplatValue<Attribute>();
    if (auto number = dyn_cast<FloatAttr>(element))
      return number.getValueAsDouble();
    auto number = cast<IntegerAttr>(element);
    bool isUnsigned =
        number.getType().isUnsignedInteger() || number.getType().isInteger(1);
    return isUnsigned ? number.getValue().roundToDouble(/*isSigned=*/false)
                      : number.getValue().roundToDouble(/*isSigned=*/true);
  }
  return std::nullopt;
}

RankedTensorType stablehlo::inferDotType(RankedTensorType lhs,
                                         RankedTensorType rhs,
                                         DotDimensionNumbersAttr dims,
                                         Type elementType) {
  SmallVector<int64_t> shape;
  for (int64_t dim : dims.getLhsBatchingDimensions())
    shape.push_back(lhs.getDimSize(dim));
  auto addFree = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contract) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (!llvm::is_contained(batch, i) && !llvm::is_contained(contract, i))
        shape.push_back(type.getDimSize(i));
  };
  addFree(lhs, dims.getLhsBatchingDimensions(),
          dims.getLhsContractingDimensions());
  addFree(rhs, dims.getRhsBatchingDimensions(),
          dims.getRhsContractingDimensions());
  return RankedTensorType::get(shape, elementType);
}

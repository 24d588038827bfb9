//===- KernelBody.cpp - What kernels compute for one element --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Small floats are computed in f32
//===----------------------------------------------------------------------===//

/// Elements of type `element` in the form of `like`: one, or a vector.
static Type withElements(Type like, Type element) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? vector.clone(element) : element;
}

Type mlir::boost::rt::getComputeType(Type type) {
  // Memory keeps its elements.
  if (isa<BaseMemRefType>(type))
    return type;
  Type element = getElementTypeOrSelf(type);
  if (element.isBF16() || element.isF16())
    return withElements(type, Float32Type::get(type.getContext()));
  return type;
}

Value mlir::boost::rt::widen(OpBuilder &builder, Location loc, Value value) {
  Type type = getComputeType(value.getType());
  if (type == value.getType())
    return value;
  return arith::ExtFOp::create(builder, loc, type, value);
}

Value mlir::boost::rt::narrow(OpBuilder &builder, Location loc, Value value,
                              Type element) {
  Type type = withElements(value.getType(), element);
  if (type == value.getType())
    return value;
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// The type of the longest vector among what the operands are mapped to, or
/// null if all are scalars.
static VectorType findVector(Operation &op, const IRMapping &mapping) {
  for (Value operand : op.getOperands())
    if (auto vector =
            dyn_cast<VectorType>(mapping.lookupOrDefault(operand).getType()))
      return vector;
  return {};
}

/// The clone of an operation whose operands and results are what they were
/// mapped to, scalars repeated where there are vectors.
static void cloneElementwise(OpBuilder &builder, Operation &op,
                             IRMapping &mapping) {
  Location loc = op.getLoc();
  VectorType vector = findVector(op, mapping);
  Operation *clone = builder.clone(op, mapping);
  OpBuilder before(clone);
  for (OpOperand &operand : clone->getOpOperands()) {
    Value value = rt::widen(before, loc, operand.get());
    if (vector && !isa<VectorType>(value.getType()))
      value = vector::BroadcastOp::create(before, loc,
                                          vector.clone(value.getType()), value);
    operand.set(value);
  }
  if (isa<memref::LoadOp>(clone))
    return;
  for (Value result : clone->getResults()) {
    Type type = rt::getComputeType(result.getType());
    result.setType(vector ? vector.clone(type) : type);
  }
}

void mlir::boost::rt::cloneWidened(OpBuilder &builder, Operation &op,
                                   IRMapping &mapping) {
  Location loc = op.getLoc();
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    Value input = mapping.lookupOrDefault(op.getOperand(0));
    Type element = op.getResult(0).getType(), compute = getComputeType(element);
    if (isa<arith::TruncFOp>(op) && element != compute) {
      Value rounded = narrow(builder, loc, input, element);
      mapping.map(op.getResult(0), widen(builder, loc, rounded));
      return;
    }
    if (getElementTypeOrSelf(input) == compute) {
      mapping.map(op.getResult(0), input);
      return;
    }
  }
  // Bits are those of the small float.
  if (auto cast = dyn_cast<arith::BitcastOp>(op)) {
    Value input = narrow(builder, loc, mapping.lookupOrDefault(cast.getIn()),
                         cast.getIn().getType());
    Value bits = arith::BitcastOp::create(
        builder, loc, withElements(input.getType(), cast.getType()), input);
    mapping.map(cast.getResult(), widen(builder, loc, bits));
    return;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (value && getComputeType(value.getType()) != value.getType()) {
      Value wide =
          arith::ConstantOp::create(builder, loc,
                                    builder.getF32FloatAttr(static_cast<float>(
                                        value.getValueAsDouble())));
      mapping.map(constant.getResult(), wide);
      return;
    }
  }
  cloneElementwise(builder, op, mapping);
}

void mlir::boost::rt::widenInPlace(FunctionOpInterface kernel) {
  kernel->walk([](Operation *op) {
    bool isArithmetic =
        isa<math::MathDialect, arith::ArithDialect>(op->getDialect()) &&
        !isa<arith::BitcastOp, arith::ConstantOp, arith::ExtFOp,
             arith::SelectOp, arith::TruncFOp>(op);
    auto isSmall = [](Type type) { return getComputeType(type) != type; };
    if (!isArithmetic || !(llvm::any_of(op->getOperandTypes(), isSmall) ||
                           llvm::any_of(op->getResultTypes(), isSmall)))
      return;
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(widen(builder, op->getLoc(), operand.get()));
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults()) {
      Type type = result.getType();
      if (!isSmall(type))
        continue;
      result.setType(getComputeType(type));
      Value rounded = narrow(builder, op->getLoc(), result, type);
      result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
    }
  });
}

//===----------------------------------------------------------------------===//
// Booleans are bytes
//===----------------------------------------------------------------------===//

static void accessAsByte(Operation *access) {
  OpBuilder builder(access);
  Location loc = access->getLoc();
  if (auto load = dyn_cast<memref::LoadOp>(access)) {
    Value byte = memref::LoadOp::create(builder, loc, load.getMemRef(),
                                        load.getIndices());
    load.replaceAllUsesWith(
        arith::TruncIOp::create(builder, loc, builder.getI1Type(), byte)
            .getResult());
  } else if (auto store = dyn_cast<memref::StoreOp>(access)) {
    Value byte = arith::ExtUIOp::create(builder, loc, builder.getI8Type(),
                                        store.getValueToStore());
    memref::StoreOp::create(builder, loc, byte, store.getMemRef(),
                            store.getIndices());
  }
  access->erase();
}

void mlir::boost::rt::storeBooleansAsBytes(FunctionOpInterface kernel) {
  auto i8 = IntegerType::get(kernel.getContext(), 8);
  // Behind the arguments the body may have other buffers, of a workgroup.
  auto arguments = kernel.getArguments().take_front(kernel.getNumArguments());
  for (BlockArgument argument : arguments) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.getElementType().isInteger(1))
      continue;
    argument.setType(MemRefType::get(type.getShape(), i8, type.getLayout()));
    for (Operation *access : llvm::make_early_inc_range(argument.getUsers()))
      accessAsByte(access);
  }
  kernel.setType(FunctionType::get(kernel.getContext(),
                                   TypeRange(ValueRange(arguments)), {}));
}

//===----------------------------------------------------------------------===//
// Elementary functions
//===----------------------------------------------------------------------===//

LogicalResult mlir::boost::rt::expandMath(FunctionOpInterface kernel) {
  RewritePatternSet patterns(kernel.getContext());
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    // Sine and cosine take pi/2 as one f32 there, which is off by 1e-4 at the
    // positions of a long sequence.
    return !llvm::is_contained(
        {"math.atan2", "math.cbrt", "math.rsqrt", "math.sin", "math.cos"},
        name);
  });
  // The instruction of a GPU is an approximation.
  math::populateExpansionPatterns(patterns, {"rsqrt"});
  return applyPatternsGreedily(kernel, std::move(patterns));
}

//===- BoostRTDialect.cpp - The boostrt dialect ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the operations of the runtime level and gives their memory effects.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::boost::rt;

#include "boost-mlir/Dialect/BoostRT/IR/BoostRTDialect.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"

void BoostRTDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"
      >();
}

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Inputs are read, outs are read and written. On tensors there is no effect.
static void addDestinationStyleEffects(DestinationStyleOpInterface op,
                                       Effects &effects) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<MemRefType>(input->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), input);
  for (OpOperand &out : op.getDpsInitsMutable()) {
    if (!isa<MemRefType>(out.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &out);
    effects.emplace_back(MemoryEffects::Write::get(), &out);
  }
}

#define DESTINATION_STYLE_EFFECTS(OP)                                          \
  void OP::getEffects(Effects &effects) {                                      \
    addDestinationStyleEffects(                                                \
        cast<DestinationStyleOpInterface>(getOperation()), effects);           \
  }
DESTINATION_STYLE_EFFECTS(GemmOp)
DESTINATION_STYLE_EFFECTS(AttentionForwardOp)
DESTINATION_STYLE_EFFECTS(AttentionBackwardOp)
DESTINATION_STYLE_EFFECTS(AttentionBiasBackwardOp)
DESTINATION_STYLE_EFFECTS(EmbeddingOp)
DESTINATION_STYLE_EFFECTS(EmbeddingGradOp)
DESTINATION_STYLE_EFFECTS(AdamWOp)
DESTINATION_STYLE_EFFECTS(SumOfSquaresOp)
DESTINATION_STYLE_EFFECTS(CopyOp)
DESTINATION_STYLE_EFFECTS(RowsOp)
DESTINATION_STYLE_EFFECTS(AllReduceOp)
DESTINATION_STYLE_EFFECTS(AllGatherOp)
DESTINATION_STYLE_EFFECTS(ReduceScatterOp)
DESTINATION_STYLE_EFFECTS(AllToAllOp)
DESTINATION_STYLE_EFFECTS(AllSliceOp)
DESTINATION_STYLE_EFFECTS(ProcessIndexOp)
#undef DESTINATION_STYLE_EFFECTS

/// Showing something is an effect of its own, so that it is kept and in order.
void ProbeOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  if (isa<MemRefType>(getInput().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
}

/// The region takes a row, then every operand as a dense memref.
LogicalResult RowsOp::verify() {
  if (auto extent = static_cast<int64_t>(getExtent()); extent < 0)
    return emitOpError() << "expects an extent of at least 0, but got "
                         << extent;
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands() + 1 ||
      !block.getArgument(0).getType().isIndex())
    return emitOpError() << "expects a region that takes an index and "
                         << getNumOperands() << " memrefs, but got "
                         << block.getNumArguments() << " arguments";
  for (auto [operand, argument] :
       llvm::zip_equal(getOperands(), block.getArguments().drop_front())) {
    auto type = cast<ShapedType>(operand.getType());
    auto expected = MemRefType::get(type.getShape(), type.getElementType());
    if (argument.getType() != expected)
      return emitOpError() << "expects a region that takes " << expected
                           << " for an operand of type " << type << ", but got "
                           << argument.getType();
  }
  return success();
}

void LaunchOp::getEffects(Effects &effects) {
  size_t firstOutput = getBuffers().size() - getNumOutputs();
  for (OpOperand &buffer : getBuffersMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &buffer);
    if (buffer.getOperandNumber() >= firstOutput)
      effects.emplace_back(MemoryEffects::Write::get(), &buffer);
  }
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (symbols.lookupNearestSymbolFrom(*this, getKernelAttr()))
    return success();
  return emitOpError() << "expects a kernel function, but no symbol "
                       << getKernelAttr() << " is defined";
}

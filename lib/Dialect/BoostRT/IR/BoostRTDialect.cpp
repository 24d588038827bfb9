//===- BoostRTDialect.cpp - The boostrt dialect ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the operations of the runtime level and gives their memory effects.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::boost::rt;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Inputs are read, outs are written, and read by calls that update them. On
/// tensors there is no effect.
static void addCallEffects(RuntimeCallOpInterface call, Effects &effects) {
  MutableOperandRange written = call.getWrittenOperands();
  unsigned inputs = call->getNumOperands() - written.size();
  for (OpOperand &operand : call->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isWritten = operand.getOperandNumber() >= inputs;
    if (!isWritten || call.readsWritten(operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isWritten)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

/// Ranks of other pipeline stages wait for this call, whoever reads its
/// results.
static void addMeetingEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

#include "boost-mlir/Dialect/BoostRT/IR/BoostRTDialect.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTFactorization.cpp.inc"

void BoostRTDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"
      >();
  addOperations<FactorizeOp>();
}

/// Showing something is an effect of its own, so that it is kept and in order.
void ProbeOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  if (isa<MemRefType>(getInput().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
}

void LaunchOp::getEffects(Effects &effects) {
  addCallEffects(cast<RuntimeCallOpInterface>(getOperation()), effects);
}

/// The form of what passes record; whether it holds is for
/// boost-verify-runtime.
LogicalResult BoostRTDialect::verifyOperationAttribute(Operation *op,
                                                       NamedAttribute attr) {
  StringRef name = attr.getName();
  auto isList = [](Attribute each) { return isa<DenseI64ArrayAttr>(each); };
  auto isLists = [&](Attribute each) {
    auto array = dyn_cast<ArrayAttr>(each);
    return array && llvm::all_of(array, isList);
  };
  auto isCount = [](Attribute each) {
    auto number = dyn_cast<IntegerAttr>(each);
    return number && number.getType().isInteger(64) && number.getInt() >= 0;
  };
  auto isNames = [](Attribute each) {
    auto array = dyn_cast<ArrayAttr>(each);
    return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
  };
  auto expect = [&](bool holds, StringRef form) -> LogicalResult {
    if (holds)
      return success();
    return op->emitOpError() << "expects '" << name << "' to be " << form
                             << ", but got " << attr.getValue();
  };
  Attribute value = attr.getValue();
  if (llvm::is_contained({kReadsAttr, kWritesAttr, kResultsAttr, kBuffersAttr},
                         name))
    return expect(isLists(value), "an array of lists of i64");
  if (llvm::is_contained({kArgumentsAttr, kBufferAttr, kWorkspaceAttr}, name))
    return expect(isList(value), "a list of i64");
  if (llvm::is_contained(
          {kBodyAttr, kExtentAttr, kSitesAttr, kWorkspaceBytesAttr}, name))
    return expect(isCount(value), "an i64 of at least 0");
  if (name == kGroupAxesAttr)
    return expect(isNames(value), "an array of names");
  return op->emitOpError() << "has an attribute '" << name
                           << "' that boostrt does not know";
}

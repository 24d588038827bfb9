//===- ImportCheck.cpp - Refuse what is not supported ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk that collects every reason to refuse a program before reporting any.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/IR/StopGradientCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/DotAlgorithm.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/ShardingAnnotations.h"
#include "boost-mlir/Support/Sizes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_IMPORTCHECKPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

struct ImportCheckPass : stablehlo::impl::ImportCheckPassBase<ImportCheckPass> {
  void runOnOperation() override {
    // The regions of an unknown operation are not checked.
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      return check(op) ? WalkResult::advance() : WalkResult::skip();
    });
    for (auto &[loc, message] : reasons) {
      auto diag = emitError(loc) << message;
      if (&message == &reasons.back().second)
        diag.attachNote() << kUnsupportedRemedy;
    }
    if (!reasons.empty())
      signalPassFailure();
    reasons.clear();
  }

  /// Returns true if the operation belongs to the subset.
  bool check(Operation *op) {
    std::string name = op->getName().getStringRef().str();
    if (!op->isRegistered() ||
        !isa<BuiltinDialect, func::FuncDialect, chlo::CHLODialect,
             sdy::SDYDialect, StableHLODialect>(op->getDialect())) {
      refuse(op, "operation '" + name + "' is not supported");
      return false;
    }
    if (auto function = dyn_cast<func::FuncOp>(op))
      checkFunction(function);
    else if (auto call = dyn_cast<CustomCallOp>(op))
      checkCall(call);
    else if (auto dot = dyn_cast<DotGeneralOp>(op))
      checkAlgorithm(dot);
    else if (auto constant = dyn_cast<ConstantOp>(op))
      checkConstant(constant);
    else if (isa<ReduceOp, ReduceWindowOp, ScatterOp, SelectAndScatterOp,
                 SortOp>(op))
      checkBodies(op);
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      checkSize(op->getLoc(), result.getType(), "result " + std::to_string(i));
    checkAccuracy(op);
    return true;
  }

  /// Annotations are dropped later, with a remark; triangular systems are
  /// written out, and factorizations and stopped gradients are operations of
  /// the compiler.
  void checkCall(CustomCallOp call) {
    if (!isAnnotation(call) && !matchTriangularCall(call) &&
        !matchFactorizationCall(call) && !isStopGradientCall(call))
      refuse(call,
             ("call of '" + call.getCallTargetName() + "' is not supported")
                 .str());
  }

  void checkAlgorithm(DotGeneralOp dot) {
    if (dot.getAlgorithm() && !isSupported(dot.getAlgorithmAttr()))
      refuse(dot, describeUnsupported(dot.getAlgorithmAttr()));
  }

  void checkFunction(func::FuncOp function) {
    if (function.isExternal())
      refuse(function,
             ("function '" + function.getName() + "' has no body").str());
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      checkType(function.isExternal() ? function.getLoc()
                                      : function.getArgument(i).getLoc(),
                type, "argument " + std::to_string(i));
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      checkType(function.getLoc(), type, "result " + std::to_string(i));
  }

  void checkType(Location loc, Type type, const std::string &what) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::string text;
    llvm::raw_string_ostream(text) << type;
    if (!tensor)
      reasons.emplace_back(loc, what + " of type " + text +
                                    " is not a tensor of known rank");
    else if (!tensor.hasStaticShape())
      reasons.emplace_back(loc,
                           what + " of type " + text + " has a dynamic shape");
    else
      checkSize(loc, type, what);
  }

  void checkSize(Location loc, Type type, const std::string &what) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !tensor.getElementType().isIntOrFloat() ||
        isCountable(tensor.getShape(), tensor.getElementTypeBitWidth()))
      return;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    reasons.emplace_back(loc, what + " of " + describeUncountable(text));
  }

  /// The bytes of a resource are whatever a file says; nothing before has held
  /// them against the type.
  void checkConstant(ConstantOp op) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!resource)
      return;
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return refuse(op, "the values of this constant were left out when the "
                        "program was printed");
    RankedTensorType type = op.getType();
    if (!isCountable(type.getShape(), type.getElementTypeBitWidth()))
      return; // Refused as a result.
    uint64_t width = getElementBytes(type.getElementType());
    uint64_t bytes = type.getNumElements() * width;
    bool hasBits = type.getElementType().isInteger(1) &&
                   blob->getData().size() ==
                       llvm::divideCeil<uint64_t>(type.getNumElements(), 8);
    std::string name = resource.getRawHandle().getKey().str();
    if (blob->getData().size() != bytes && !hasBits)
      return refuse(op, "expects " + std::to_string(bytes) +
                            " bytes in the resource '" + name + "', but got " +
                            std::to_string(blob->getData().size()));
    if (blob->getDataAlignment() % width != 0)
      refuse(op, "expects the resource '" + name +
                     "' to be aligned to a multiple of " +
                     std::to_string(width) + " bytes, but got " +
                     std::to_string(blob->getDataAlignment()));
  }

  /// Regions that work on single elements. Calls are inlined later.
  void checkBodies(Operation *op) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.front().without_terminator())
        if (!inner.hasTrait<OpTrait::Elementwise>() &&
            !isa<BitcastConvertOp, ClampOp, ConstantOp, SelectOp, func::CallOp>(
                inner))
          refuse(&inner, ("operation '" + inner.getName().getStringRef() +
                          "' is not supported in the body of '" +
                          op->getName().getStringRef() + "'")
                             .str());
  }

  void checkAccuracy(Operation *op) {
    auto accuracy = op->getAttrOfType<ResultAccuracyAttr>("result_accuracy");
    if (!accuracy)
      return;
    auto mode = dyn_cast<ResultAccuracyModeAttr>(accuracy.getMode());
    if (!mode || mode.getValue() != ResultAccuracyMode::DEFAULT)
      refuse(op, "a result accuracy other than DEFAULT is not supported");
  }

  void refuse(Operation *op, std::string message) {
    reasons.emplace_back(op->getLoc(), std::move(message));
  }

  SmallVector<std::pair<Location, std::string>> reasons;
};

} // namespace

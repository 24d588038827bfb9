//===- Widen.cpp - Programs in f64 ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widen.h"

#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;

static APFloat toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

bool mlir::boost::prove::canWidenFloats(ModuleOp program) {
  return !program
              ->walk([](Operation *op) {
                // The approximation of erf is one for f32; a resource's bytes
                // are opaque; bits have a width.
                if (isa<chlo::ErfOp, chlo::ErfcOp, stablehlo::BitcastConvertOp>(
                        op))
                  return WalkResult::interrupt();
                auto constant = dyn_cast<stablehlo::ConstantOp>(op);
                if (constant && !isa<DenseElementsAttr>(constant.getValue()))
                  return WalkResult::interrupt();
                return WalkResult::advance();
              })
              .wasInterrupted();
}

void mlir::boost::prove::widenFloats(ModuleOp program) {
  auto f64 = Float64Type::get(program.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType) -> Type { return f64; });
  replacer.addReplacement([=](FloatAttr attr) {
    return std::make_pair(
        Attribute(FloatAttr::get(f64, toDouble(attr.getValue()))),
        WalkResult::skip());
  });
  replacer.addReplacement(
      [=](DenseFPElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::make_pair(
            Attribute(attr.mapValues(f64,
                                     [](const APFloat &value) {
                                       return toDouble(value).bitcastToAPInt();
                                     })),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(program, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static bool isNarrow(Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floatType && floatType.getWidth() < 32;
}

bool mlir::boost::prove::hasNarrowFloats(ModuleOp program) {
  return program
      ->walk([](Operation *op) {
        bool found = llvm::any_of(op->getResultTypes(), isNarrow);
        for (Region &region : op->getRegions())
          for (Block &block : region)
            found |= llvm::any_of(block.getArgumentTypes(), isNarrow);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===- Recognition.h - What of a model the compiler knows -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognized operations are sharded, merged and recomputed by rules of their
// own; others are sharded operation by operation. So users want to know them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_RECOGNITION_H
#define BOOST_MLIR_LIB_DRIVER_RECOGNITION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <string>

namespace mlir::boost {

/// Counts of the parts of a loss.
struct Recognition {
  int64_t parameters = 0; ///< elements of all of them
  int64_t bottlenecks = 0, linears = 0, attentions = 0, rmsNorms = 0,
          layerNorms = 0, embeddings = 0, crossEntropies = 0;
  /// Operations that the bottlenecks have become.
  int64_t groups = 0;
  /// Products of matrices that are none of these, by the user's lines.
  llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>>
      otherProducts;

  /// As `recognized` in docs/plan.schema.json.
  std::string toJson() const;
};

/// Counts the operations of a program after the raise stage; leaves out
/// `groups`.
Recognition recognize(ModuleOp module);

/// Returns true if the loss of a program has products of matrices that no
/// placement has good rules for: those that are no recognized operations, and
/// fused ones, whose columns are divided between several values. Products of an
/// update follow its parameters.
bool isBeyondRules(ModuleOp module);

/// Counts the groups of a program after the structure stage.
int64_t countBottleneckGroups(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_RECOGNITION_H

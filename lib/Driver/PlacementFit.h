//===- PlacementFit.h - Candidates that are made to fit ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PLACEMENTFIT_H
#define BOOST_MLIR_LIB_DRIVER_PLACEMENTFIT_H

#include "PlacementSearch.h"

namespace mlir::boost {

/// Makes candidates that do not fit into memory smaller: each becomes the
/// fastest of what has been tried of it that fits; if none does, the smallest.
/// The choice and its runner-up are those of trying everything.
class PlacementFit {
public:
  /// The candidates of the search have been priced, and there is a limit.
  explicit PlacementFit(PlacementSearch &search);

  void run();

private:
  /// Ways to compile a candidate, each with less memory and more time than the
  /// one before.
  struct Way {
    size_t candidate; ///< its place
    std::vector<PlacementCandidate> steps;
    size_t next;    ///< the first step without a price
    double atLeast; ///< seconds that it takes
  };

  void addWay(size_t candidate, std::vector<PlacementCandidate> steps,
              double atLeast);
  void tryBoth(size_t candidate);
  double getBound() const;
  bool isOpen(const Way &way) const;
  const PlacementCandidate &getStep(size_t index) const {
    return ways[index].steps[ways[index].next];
  }
  SmallVector<size_t> takeNext() const;
  void finish(size_t index);

  PlacementSearch &search;
  std::vector<PlacementCandidate> &candidates;
  std::vector<Way> ways;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PLACEMENTFIT_H

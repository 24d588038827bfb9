//===- Repetition.h - Units that a sequence is made of ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides a sequence of kinds into units that repeat, not all of them equal.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_REPETITION_H
#define BOOST_MLIR_ANALYSIS_REPETITION_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::boost {

/// Elements [begin, end) of a sequence.
struct SequenceUnit {
  size_t begin = 0, end = 0;

  size_t size() const { return end - begin; }
  bool operator==(const SequenceUnit &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// The repeated units of a sequence of kinds; none if nothing repeats. What
/// stands before the first unit and behind the last is in none of them.
///
///   a m a m        ->  (a m) (a m)
///   p a m a m q    ->  p (a m) (a m) q
///   a m b m a m    ->  (a m) (b m) (a m)     two kinds of units
///   a m a e a m    ->  (a m) (a e) (a m)     one odd unit
///   a m a c m a m  ->  (a m) (a c m) (a m)
///   b b o b b      ->  (b) (b) (o) (b) (b)   units of one element
///
/// A unit begins with a run of one kind or ends with one, whichever kind has
/// most runs. Takes hardly more than linear time.
SmallVector<SequenceUnit> findRepeatedUnits(ArrayRef<size_t> kinds);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_REPETITION_H

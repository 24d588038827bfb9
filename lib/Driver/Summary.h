//===- Summary.h - A compiled program in ten lines --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_SUMMARY_H
#define BOOST_MLIR_LIB_DRIVER_SUMMARY_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::boost {

/// Summarizes in at most a dozen lines of text what was recognized, how the
/// model is sharded, and communication, memory and time of a training step.
/// `plan` is a plan as JSON, of a compilation from a file.
std::string summarizePlan(StringRef plan);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_SUMMARY_H

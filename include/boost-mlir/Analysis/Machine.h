//===- Machine.h - What a rank can do per second ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine as machines/*.json describe it: what one rank computes, reads and
// sends.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_MACHINE_H
#define BOOST_MLIR_ANALYSIS_MACHINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::boost {

/// One level of the network: groups of up to `ranks` neighbouring ranks.
struct Link {
  int64_t ranks = 1;
  double bandwidth = 0; ///< bytes per second and rank that a ring sustains
  double latency = 0;   ///< seconds that a collective takes at least
};

struct Machine {
  std::string name;
  std::map<std::string, double> peakFlops; ///< per element type, per second
  double memoryBandwidth = 0;              ///< bytes per second
  double memoryBytes = 0;
  double launchSeconds = 0; ///< what a call costs that does nothing
  std::vector<Link> links;  ///< by growing number of ranks

  /// Peak for an element type; what is not listed computes as f32.
  double getPeakFlops(StringRef elementType) const;
  /// The innermost level that holds a group spanning `ranks` neighbours.
  const Link &getLink(int64_t ranks) const;

  /// Reads the text of a machine file; the error names the missing field.
  static llvm::Expected<Machine> parse(StringRef text);
};

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_MACHINE_H

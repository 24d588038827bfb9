//===- Machine.h - What a rank can do per second ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine as machines/*.json describe it, and the seconds that work takes on
// it. There is no other price in the compiler. docs/Machines.md explains the
// fields and the formulas.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_MACHINE_H
#define BOOST_MLIR_ANALYSIS_MACHINE_H

#include "boost-mlir/Interfaces/OpCost.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::boost {

/// The division of contractions into tiles, which the units of a rank compute
/// in waves. Without tiles, each contraction runs at `efficiency` of the peak.
struct ContractionModel {
  int64_t units = 1;     ///< what computes one tile at a time
  double efficiency = 1; ///< share of its peak that a busy unit reaches
  double prologue = 0;   ///< what starting a tile costs, as products along k
  std::vector<std::pair<int64_t, int64_t>> tiles; ///< rows and columns
  std::vector<int64_t> splits = {1};              ///< into how many parts of k
};

/// Shares of the peak that attention kernels reach.
struct AttentionModel {
  double forward = 1;
  double backward = 1;
  int64_t narrowHead = 0; ///< heads of at most this size ...
  /// ... reach this part of `forward` ...
  double narrowFactor = 1;
  /// ... and this part of `backward`.
  double narrowBackwardFactor = 1;

  /// The share of the peak for this class of attention and size of heads.
  double getShare(OpClass kind, int64_t headSize) const;
};

/// One level of the network.
struct Link {
  std::string name;
  int64_t ranks = 1;     ///< groups have at most so many members ...
  int64_t span = 1;      ///< ... among so many neighboring ranks
  double bandwidth = 0;  ///< bytes per second and rank that a ring sustains
  double latency = 0;    ///< seconds that a collective takes at least
  double hopLatency = 0; ///< seconds for each step of a ring or a tree
  /// If positive, `bandwidth` is that of one network interface, of which each
  /// block of the level below has so many. Groups that run side by side share
  /// them.
  int64_t interfaces = 0;
};

/// The efficiency of a framework that launches operation after operation on the
/// machine.
struct EagerExecution {
  double launchSeconds = 0;
  double memoryEfficiency = 1;
  double latency = 0; ///< of every collective
};

struct Machine {
  std::string name;
  /// Names that drivers give to the devices that this describes.
  std::vector<std::string> devices;
  std::map<std::string, double> peakFlops; ///< per element type, per second
  double memoryBandwidth = 0;              ///< bytes per second
  double memoryEfficiency = 1;             ///< share of it that kernels sustain
  double memoryBytes = 0;
  double launchSeconds = 0; ///< what a call costs that does nothing
  ContractionModel contraction;
  /// The shares that a vendor's library reaches, if it serves the attention.
  AttentionModel attention;
  /// The shares of the runtime's own kernels; the library's if not given.
  std::optional<AttentionModel> ownAttention;
  std::vector<Link> links; ///< from the innermost level
  std::optional<EagerExecution> eager;

  /// Peak for an element type; what is not listed computes as f32.
  double getPeakFlops(StringRef elementType) const;

  /// The seconds of an operation with its launch. All others are without.
  double getSeconds(const OpCost &cost) const;

  /// An efficient contraction of unknown shape.
  double getComputeSeconds(double flops, StringRef elementType) const;
  /// A contraction that reads and writes `bytes`, with the best of the tiles.
  double getContractionSeconds(const ContractionShape &shape, double bytes,
                               StringRef elementType) const;
  /// The traffic of a kernel that memory limits.
  double getMemorySeconds(double bytes) const;
  /// A collective over `ranks` ranks among `span` neighbors. `bytes` is the
  /// size of a rank's whole buffer: of what is reduced, before it is scattered;
  /// of what was gathered; of what is exchanged. Nothing for one rank.
  double getCollectiveSeconds(CollectiveKind kind, double bytes, int64_t ranks,
                              int64_t span) const;

  /// The machine as a framework without compiled steps uses it; the same
  /// machine if the file does not say.
  Machine getEager() const;

  /// The machine that is assumed where none is named: machines/reference.json.
  static const Machine &getReference();

  /// Reads the text of a machine file; the error names the field.
  static llvm::Expected<Machine> parse(StringRef text);

private:
  double getAttentionSeconds(const OpCost &cost) const;
  const Link &getLink(int64_t ranks, int64_t span) const;
  double getLinkBandwidth(const Link &link, CollectiveKind kind, int64_t ranks,
                          int64_t span) const;
};

/// The machine that a pass was given the file of, by its path or as a `file:`
/// URI (RFC 8089), which pass options can hold whatever the path. Without a
/// file, the reference. Emits an error at `op` if it cannot be read.
FailureOr<Machine> loadMachine(Operation *op, StringRef name);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_MACHINE_H

//===- PlacementChoice.h - Choosing between priced candidates ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates of a search with their prices, which of them is taken, and why.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PLACEMENTCHOICE_H
#define BOOST_MLIR_LIB_DRIVER_PLACEMENTCHOICE_H

#include "boost-mlir/Analysis/PipelinePrice.h"
#include "boost-mlir/Driver/Compile.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::boost {

/// Candidates whose prices differ by less are a tie.
inline constexpr double kTie = 0.03;

/// Time and memory of a candidate's program, by the cost model and the memory
/// plan.
struct CandidatePrice {
  double seconds = 0;        ///< of a step
  double networkSeconds = 0; ///< of these, for collectives
  double networkBytes = 0;   ///< that a rank sends in a step
  /// Seconds of a further repetition of the layers; 0 if none repeat.
  double layerSeconds = 0;
  int64_t peak = 0; ///< bytes of a rank
  /// The part that does not depend on the batch: parameters, their gradients
  /// and the state of the optimizer.
  int64_t fixed = 0;
  /// Seconds by the class of the layer, or kOutsideOfLayers.
  std::map<int64_t, double> layers;
};

/// One schedule of the pipeline of a candidate.
struct PipelineCandidate {
  PipelinePlan plan;
  /// Empty if the schedule is impossible.
  std::optional<PipelinePrice> price = {};
  std::string problem = {}; ///< why it is impossible
  bool fits = false;
};

/// One way to compile the program.
struct PlacementCandidate {
  Mesh mesh;
  PlacementKind placement = PlacementKind::Bottleneck;
  int64_t zero = 0; ///< stage of ZeRO
  int64_t microBatches = 1;
  bool followHints = false;
  RematerializePassOptions rematerialize;
  /// Empty if it cannot be compiled.
  std::optional<CandidatePrice> price;
  std::string problem; ///< why it cannot be compiled
  bool fits = false;
  /// The schedules that were compared, if the mesh has pipeline stages and
  /// there is a price, and which of them is taken.
  std::vector<PipelineCandidate> pipelines;
  size_t pipeline = 0;

  /// Takes the fastest schedule that fits, or of those that are as good the one
  /// with least memory; if none fits, that with least memory of all. Its price
  /// becomes the candidate's.
  void takeBestPipeline();
  /// Returns why that schedule is taken.
  std::string explainPipeline() const;
  /// Returns the schedule that is taken, or null.
  const PipelineCandidate *getPipeline() const {
    return pipelines.empty() ? nullptr : &pipelines[pipeline];
  }

  /// The options of boost-compile that give this candidate.
  std::string getOptions() const;
  /// Returns true if `rematerialize` recomputes more than by default.
  bool recomputes() const;
};

/// The candidates, simpler ones first, and which of them is taken.
class PlacementChoice {
public:
  std::vector<PlacementCandidate> candidates;
  std::optional<double> memoryLimit; ///< bytes of a rank
  /// The number of layers of each class; none for kOutsideOfLayers.
  std::map<int64_t, int64_t> layerCounts;
  size_t chosen = 0, fastest = 0;

  /// Takes the fastest that fits, or one that is simpler and as good as that;
  /// if none fits, the one that is least too large. False if none has a price.
  bool takeBest();

  /// Returns the candidates and the reason of the choice as text, one line
  /// each.
  std::string getTable(llvm::StringRef machine) const;
  /// Returns the candidates and the choice for the plan, as JSON.
  std::string getDecisions() const;

private:
  std::string explainChoice() const;
  const PlacementCandidate *getRunnerUp(int64_t layerClass) const;
  std::string explainClass(int64_t layerClass) const;
  void printClasses(llvm::raw_ostream &os) const;
  void printPipelines(llvm::raw_ostream &os) const;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PLACEMENTCHOICE_H

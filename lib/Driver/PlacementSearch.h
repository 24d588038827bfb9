//===- PlacementSearch.h - Choosing mesh and placement ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--placement auto` and `--ranks`: which mesh, placement and recomputation
// give the fastest step that fits into memory. A candidate is priced as the
// program that it makes: the rest of the compiler runs on it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PLACEMENTSEARCH_H
#define BOOST_MLIR_LIB_DRIVER_PLACEMENTSEARCH_H

#include "PlacementChoice.h"

#include "boost-mlir/Analysis/CostModel.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <mutex>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::boost {

/// The mesh and the number of micro-batches, on which the result of a search
/// depends.
using SearchKey = std::pair<std::string, int64_t>;
inline SearchKey getSearchKey(const PlacementCandidate &candidate) {
  return {candidate.mesh.str(), candidate.microBatches};
}

/// Returns true if the mesh or the placement is left open.
inline bool leavesPlacementOpen(const CompileOptions &options) {
  return options.ranks || options.place.placement == PlacementKind::Auto ||
         !options.compare.empty();
}

/// Returns the size of an axis; 1 if the mesh has none of that name.
inline int64_t getAxisSize(const Mesh &mesh, StringRef name) {
  return mesh.getSize(mesh.getAxisNamed(name));
}

/// Returns the number of pipeline stages.
inline int64_t getNumStages(const Mesh &mesh) {
  return getAxisSize(mesh, kPipelineAxis);
}

/// Returns the first stage of the compiler that a candidate's samples have not
/// been through. A search places the whole program.
inline StageId getFirstStage(const PlacementCandidate &candidate) {
  return candidate.placement == PlacementKind::Searched ? StageId::Decompose
                                                        : StageId::Place;
}

/// Prices the candidates for a program after the structure stage and chooses.
class PlacementSearch {
public:
  PlacementSearch(ModuleOp module, const CompileOptions &options,
                  const Machine &machine);

  /// Returns true if `options` leave a choice.
  static bool isNeeded(const CompileOptions &options);

  /// Fails, with an error, if no candidate can be compiled.
  LogicalResult run();

  /// The options with what was chosen in place of what was left open.
  CompileOptions getChosenOptions() const;

  /// Returns the candidates and the reason of the choice as text, one line
  /// each.
  std::string getTable() const { return choice.getTable(machine.name); }
  /// Returns the candidates and the choice for the plan, as JSON.
  std::string getDecisions() const { return choice.getDecisions(); }

private:
  friend class PlacementFit;

  /// The program, or its layers repeated `repetitions` times only.
  struct Sample {
    OwningOpRef<ModuleOp> module;
    int64_t repetitions;
  };

  /// One, or two of which the second has a repetition more.
  struct Samples {
    SmallVector<Sample> list;
    int64_t repetitions = 0; ///< of the program, where there are two
  };

  /// The price of a sample's program, which the functions of the cost belong
  /// to.
  struct SamplePrice {
    OwningOpRef<ModuleOp> program;
    StepCost cost;
    int64_t peak, fixed;
  };

  /// The result of a search over a mesh.
  struct Searched {
    bool isPlaced = false;
    std::optional<Samples> samples;
    std::string problem; ///< why there are none
  };

  using Candidates = std::vector<PlacementCandidate>;
  class Problems;

  void enumerate();
  void enumeratePipelines(int64_t ranks);
  void addPipelines(const Mesh &mesh);
  SmallVector<int64_t>
  getPipelineMicroBatches(const PlacementCandidate &candidate) const;
  SmallVector<PlacementKind> getPlacements(PlacementKind kind,
                                           const Mesh &mesh);
  void enumeratePlacements(const Mesh &mesh);
  PlacementCandidate makeCandidate(const Mesh &mesh, PlacementKind placement,
                                   int64_t zero) const;
  SmallVector<int64_t>
  getMicroBatches(const PlacementCandidate &candidate) const;
  Candidates getSplit(const PlacementCandidate &candidate) const;
  Candidates getRecomputed(const PlacementCandidate &candidate) const;
  CompileOptions getOptionsOf(const PlacementCandidate &candidate) const;
  LogicalResult choose();
  void remarkSearched() const;
  void remarkImpossible() const;

  // Prices.
  static FailureOr<Samples> makeSamples(ModuleOp program);
  CompileOptions getSampleOptions(const PlacementCandidate &candidate) const;
  LogicalResult runStages(ModuleOp program, PlacementCandidate &candidate,
                          const CompileOptions &compiled, StageId first,
                          StageId last) const;
  void loadDialects();
  Searched &getSearched(const PlacementCandidate &candidate);
  const Samples *getSamples(PlacementCandidate &candidate);
  std::optional<SamplePrice> priceSample(const Sample &sample,
                                         PlacementCandidate &candidate);
  bool fits(int64_t peak) const;
  void priceLayers(PlacementCandidate &candidate, const Samples &own);
  OwningOpRef<ModuleOp> compileLayers(const Sample &sample,
                                      PlacementCandidate &candidate);
  std::optional<LayerProfile> profileLayers(ModuleOp program,
                                            PlacementCandidate &candidate,
                                            PipelineSchedule order);
  std::vector<PipelineCandidate>
  getPipelines(const PlacementCandidate &candidate) const;
  void pricePipeline(const LayerProfile &profile,
                     const PlacementCandidate &candidate,
                     PipelineCandidate &pipeline) const;
  void pricePipelines(const Sample &sample, PlacementCandidate &candidate);
  void price(PlacementCandidate &candidate);
  void priceInParallel(ArrayRef<PlacementCandidate *> list);
  LogicalResult priceAll();
  LogicalResult priceCandidates();

  ModuleOp module;
  const CompileOptions &options;
  const Machine &machine;
  bool hints; ///< whether the program has some
  /// Samples of the program, and results of searches.
  Samples samples;
  std::map<SearchKey, Searched> searched;
  std::mutex searchedMutex;
  Problems *problems = nullptr; ///< while candidates are priced
  PlacementChoice choice;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PLACEMENTSEARCH_H

//===- PlacementChoice.cpp - Choosing between priced candidates -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which candidate is taken, and why: as a table, and as JSON for the plan.
//
//===----------------------------------------------------------------------===//

#include "PlacementChoice.h"

#include "boost-mlir/Analysis/CostModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::string PlacementCandidate::getOptions() const {
  std::string text =
      ("--mesh=" + mesh.str() + " --placement=" + getName(placement)).str();
  if (followHints)
    text += " --follow-hints";
  if (zero)
    text += " --zero=" + std::to_string(zero);
  if (microBatches > 1)
    text += " --micro-batches=" + std::to_string(microBatches);
  if (const PipelineCandidate *taken = getPipeline()) {
    text += (" --pipeline-schedule=" + getName(taken->plan.order)).str();
    if (taken->plan.shape.chunksPerStage > 1)
      text += " --pipeline-chunks=" +
              std::to_string(taken->plan.shape.chunksPerStage);
  }
  if (!rematerialize.recompute.empty())
    text += " --remat-recompute=" +
            llvm::join(llvm::map_range(rematerialize.recompute,
                                       getName<RecomputeClass>),
                       ",");
  else if (recomputes())
    text += (" --remat=" + getName(rematerialize.mode)).str();
  return text;
}

bool PlacementCandidate::recomputes() const {
  return !rematerialize.recompute.empty() ||
         rematerialize.mode != RematerializePassOptions().mode;
}

void PlacementCandidate::takeBestPipeline() {
  const PipelineCandidate *fastest = nullptr, *best = nullptr;
  for (const PipelineCandidate &each : pipelines)
    if (each.fits &&
        (!fastest || each.price->step.seconds < fastest->price->step.seconds))
      fastest = &each;
  for (const PipelineCandidate &each : pipelines) {
    bool isGood = each.price &&
                  (!fastest || (each.fits &&
                                each.price->step.seconds <
                                    (1 + kTie) * fastest->price->step.seconds));
    if (isGood && (!best || each.price->getPeak() < best->price->getPeak()))
      best = &each;
  }
  if (!best) {
    problem = pipelines.front().problem;
    pipelines.clear();
    return;
  }
  pipeline = best - pipelines.data();
  const StepEstimate &step = best->price->step;
  price = {step.seconds,       step.networkSeconds,    step.networkBytes,
           /*layerSeconds=*/0, best->price->getPeak(), best->price->fixed,
           step.layers};
  fits = best->fits;
}

std::string PlacementCandidate::explainPipeline() const {
  const PipelineCandidate &taken = pipelines[pipeline];
  if (pipelines.size() == 1)
    return "it was asked for";
  if (!taken.fits)
    return "no schedule fits into memory, and this lacks least";
  const PipelineCandidate *next = nullptr;
  for (const PipelineCandidate &each : pipelines)
    if (&each != &taken && each.fits &&
        (!next || each.price->step.seconds < next->price->step.seconds))
      next = &each;
  if (!next)
    return "no other fits or is possible";
  double ratio = next->price->step.seconds / taken.price->step.seconds;
  if (ratio < 1 + kTie)
    return llvm::formatv("of the fastest, which are within {0:f0} %, it takes "
                         "least memory",
                         100 * kTie);
  return llvm::formatv("it is {0:f2} times as fast as the next, {1}", ratio,
                       getName(next->plan.order));
}

bool PlacementChoice::takeBest() {
  bool anyFits = llvm::any_of(
      candidates, [](const PlacementCandidate &c) { return c.fits; });
  auto isAllowed = [&](const PlacementCandidate &candidate) {
    return candidate.price && (candidate.fits || !anyFits);
  };
  auto judge = [&](const PlacementCandidate &candidate) {
    return anyFits ? candidate.price->seconds
                   : static_cast<double>(candidate.price->peak);
  };
  std::optional<size_t> best;
  for (auto [index, candidate] : llvm::enumerate(candidates))
    if (isAllowed(candidate) &&
        (!best || judge(candidate) < judge(candidates[*best])))
      best = index;
  if (!best)
    return false;
  chosen = fastest = *best;
  for (size_t index = 0; anyFits && index < fastest; ++index)
    if (isAllowed(candidates[index]) &&
        judge(candidates[index]) < (1 + kTie) * judge(candidates[fastest])) {
      chosen = index;
      break;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

std::string PlacementChoice::explainChoice() const {
  const PlacementCandidate &taken = candidates[chosen];
  if (candidates.size() == 1)
    return "it is the only candidate";
  if (!taken.price)
    return "the mesh that was asked for";
  if (!taken.fits)
    return "nothing fits into memory, and this lacks least";
  if (chosen != fastest)
    return llvm::formatv("a tie with {0}, which is less than {1:f0} % faster; "
                         "the simpler one is taken",
                         candidates[fastest].getOptions(), 100 * kTie);
  const PlacementCandidate *next = nullptr;
  for (auto [index, candidate] : llvm::enumerate(candidates))
    if (index != chosen && candidate.fits &&
        (!next || candidate.price->seconds < next->price->seconds))
      next = &candidate;
  if (!next)
    return "no other fits or can be compiled";
  return llvm::formatv("{0:f2} times as fast as the next, {1}",
                       next->price->seconds / taken.price->seconds,
                       next->getOptions());
}

//===----------------------------------------------------------------------===//
// Classes of layers
//===----------------------------------------------------------------------===//

static double getSeconds(const PlacementCandidate &candidate,
                         int64_t layerClass) {
  auto found = candidate.price->layers.find(layerClass);
  return found == candidate.price->layers.end() ? 0 : found->second;
}

/// Returns the other candidate with the fewest seconds for layers of this class
/// among those that could have been chosen; null if there is none.
const PlacementCandidate *
PlacementChoice::getRunnerUp(int64_t layerClass) const {
  const PlacementCandidate *next = nullptr;
  for (auto [index, candidate] : llvm::enumerate(candidates))
    if (index != chosen && candidate.price &&
        (candidate.fits || !candidates[chosen].fits) &&
        (!next ||
         getSeconds(candidate, layerClass) < getSeconds(*next, layerClass)))
      next = &candidate;
  return next;
}

/// Returns the reason for the placement of layers of this class.
std::string PlacementChoice::explainClass(int64_t layerClass) const {
  const PlacementCandidate *next = getRunnerUp(layerClass);
  if (!next)
    return "no other fits or can be compiled";
  double own = getSeconds(candidates[chosen], layerClass);
  double other = getSeconds(*next, layerClass);
  if (other > (1 + kTie) * own)
    return llvm::formatv("{0:f2} times as fast as the next", other / own);
  if (own > (1 + kTie) * other)
    return "the step is faster, though these layers are not";
  return llvm::formatv("a tie with the next: less than {0:f0} % apart",
                       100 * kTie);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::string PlacementChoice::getTable(StringRef machine) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "placements by their predicted step on '" << machine << "':\n"
     << "         step s    network s    sent GB    peak GB\n";
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    os << (index == chosen ? "  * " : "    ");
    if (const auto &price = candidate.price)
      os << llvm::format("%11.4g  %11.4g %10.4g %10.4g  ", price->seconds,
                         price->networkSeconds, price->networkBytes * 1e-9,
                         static_cast<double>(price->peak) * 1e-9);
    os << candidate.getOptions();
    if (!candidate.price && !candidate.problem.empty())
      os << ": impossible, " << candidate.problem;
    else if (candidate.price && !candidate.fits)
      os << ": does not fit into " << llvm::format("%.4g", *memoryLimit * 1e-9)
         << " GB";
    os << "\n";
  }
  os << "  chosen: " << candidates[chosen].getOptions() << ", "
     << explainChoice() << "\n";
  if (candidates[chosen].price)
    printClasses(os);
  printPipelines(os);
  return text;
}

/// A line for each schedule of the pipeline that is taken.
void PlacementChoice::printPipelines(llvm::raw_ostream &os) const {
  const PlacementCandidate &taken = candidates[chosen];
  if (taken.pipelines.empty())
    return;
  os << "  its pipeline schedules:\n"
     << "         step s     idle %    peak GB\n";
  for (auto [index, pipeline] : llvm::enumerate(taken.pipelines)) {
    os << (index == taken.pipeline ? "  * " : "    ");
    if (const auto &price = pipeline.price)
      os << llvm::format("%11.4g %10.1f %10.4g  ", price->step.seconds,
                         100 * price->getIdleShare(),
                         static_cast<double>(price->getPeak()) * 1e-9);
    os << getName(pipeline.plan.order);
    if (!pipeline.plan.layout.empty()) {
      os << ", layers ";
      llvm::interleaveComma(pipeline.plan.layout, os);
    }
    if (!pipeline.problem.empty())
      os << ": impossible, " << pipeline.problem;
    else if (!pipeline.fits)
      os << ": does not fit into " << llvm::format("%.4g", *memoryLimit * 1e-9)
         << " GB";
    os << "\n";
  }
  os << "  taken: " << getName(taken.getPipeline()->plan.order) << ", because "
     << taken.explainPipeline() << "\n";
}

/// A line for each class: what its layers take, and the least that they take in
/// another candidate.
void PlacementChoice::printClasses(llvm::raw_ostream &os) const {
  os << "  of these, by layers, and the least that another takes for them:\n";
  for (auto [layerClass, count] : layerCounts) {
    const PlacementCandidate *next = getRunnerUp(layerClass);
    os << llvm::format("    %11.4g  ",
                       getSeconds(candidates[chosen], layerClass));
    if (next)
      os << llvm::format("%11.4g  ", getSeconds(*next, layerClass));
    if (count == 0)
      os << "outside of the layers";
    else
      os << count << (count == 1 ? " layer" : " equal layers");
    os << ", chosen because " << explainClass(layerClass);
    if (next)
      os << ", " << next->getOptions();
    os << "\n";
  }
}

/// A class of layers in JSON; null stands for what is outside of them.
static Json nameClass(int64_t layerClass) {
  return layerClass == kOutsideOfLayers ? Json() : Json(layerClass);
}

/// Describes the seconds of each class in a candidate's step.
static Json describeLayers(const PlacementCandidate &candidate,
                           const std::map<int64_t, int64_t> &counts) {
  Json list = Json::array();
  for (auto [layerClass, count] : counts)
    list.push_back({{"class", nameClass(layerClass)},
                    {"layers", count},
                    {"seconds", getSeconds(candidate, layerClass)}});
  return list;
}

/// Each class with its seconds in what was chosen and in the next.
static Json describeClass(int64_t layerClass, int64_t count,
                          const PlacementCandidate &taken,
                          const PlacementCandidate *next,
                          const std::string &because) {
  auto describe = [&](const PlacementCandidate &candidate) {
    return Json{{"options", candidate.getOptions()},
                {"seconds", getSeconds(candidate, layerClass)}};
  };
  Json entry = {{"class", nameClass(layerClass)},
                {"layers", count},
                {"chosen", describe(taken)},
                {"because", because}};
  if (next)
    entry["runner_up"] = describe(*next);
  return entry;
}

/// Describes the schedules of a candidate that were compared.
static Json describePipelines(const PlacementCandidate &candidate) {
  Json list = Json::array();
  for (const PipelineCandidate &pipeline : candidate.pipelines) {
    const PipelinePlan &plan = pipeline.plan;
    Json entry = {{"schedule", getName(plan.order).str()},
                  {"chunks", plan.shape.chunksPerStage},
                  {"layout", std::vector<int64_t>(plan.layout.begin(),
                                                  plan.layout.end())}};
    if (const auto &price = pipeline.price) {
      entry["seconds"] = price->step.seconds;
      entry["idle"] = price->getIdleShare();
      entry["peaks"] =
          std::vector<int64_t>(price->peaks.begin(), price->peaks.end());
      entry["fits"] = pipeline.fits;
    } else {
      entry["problem"] = pipeline.problem;
    }
    list.push_back(entry);
  }
  return {{"chosen", candidate.pipeline},
          {"because", candidate.explainPipeline()},
          {"schedules", list}};
}

std::string PlacementChoice::getDecisions() const {
  Json list = Json::array(), classes = Json::array();
  for (const PlacementCandidate &candidate : candidates) {
    // One that nothing was compared with has no price.
    Json entry = {{"options", candidate.getOptions()},
                  {"mesh", candidate.mesh.str()},
                  {"placement", getName(candidate.placement).str()},
                  {"zero", candidate.zero},
                  {"micro_batches", candidate.microBatches}};
    if (const auto &price = candidate.price) {
      entry["seconds"] = price->seconds;
      entry["network_seconds"] = price->networkSeconds;
      entry["network_bytes"] = price->networkBytes;
      entry["layer_seconds"] = price->layerSeconds;
      entry["peak"] = price->peak;
      entry["layers"] = describeLayers(candidate, layerCounts);
      entry["fits"] = candidate.fits;
    } else if (!candidate.problem.empty()) {
      entry["problem"] = candidate.problem;
    }
    if (!candidate.pipelines.empty())
      entry["pipeline"] = describePipelines(candidate);
    list.push_back(entry);
  }
  if (const PlacementCandidate &taken = candidates[chosen]; taken.price)
    for (auto [layerClass, count] : layerCounts)
      classes.push_back(describeClass(layerClass, count, taken,
                                      getRunnerUp(layerClass),
                                      explainClass(layerClass)));
  Json decisions = {{"chosen", chosen},
                    {"fastest", fastest},
                    {"because", explainChoice()},
                    {"classes", classes},
                    {"candidates", list}};
  if (memoryLimit)
    decisions["memory_limit"] = *memoryLimit;
  return decisions.dump(-1, ' ', /*ensure_ascii=*/false,
                        Json::error_handler_t::replace);
}

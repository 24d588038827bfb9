//===- Stages.cpp - The stages of the compiler in their order -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of stages: boost-compile runs them, boost-prove checks them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Pipelines/Compile.h"
#include "boost-mlir/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost;

/// The pipeline of a stage without the passes that were disabled.
static std::string withSwitches(const CompileOptions &options, StringRef stage,
                                StringRef stageOptions = "") {
  SmallVector<StringRef> disabled = getSwitchablePasses(stage);
  llvm::erase_if(disabled, [&](StringRef name) {
    return !llvm::is_contained(options.disabledPasses, name);
  });
  std::string pipeline = ("boost-" + stage + "-pipeline{" + stageOptions).str();
  if (!disabled.empty())
    pipeline += " disable-pass=" + llvm::join(disabled, ",");
  return pipeline + "}";
}

/// What --remat and --remat-recompute say to the pipeline.
static std::string getRecomputation(const CompileOptions &options) {
  std::string text = "mode=" + options.remat;
  if (!options.rematRecompute.empty())
    text += " recompute=" + llvm::join(options.rematRecompute, ",");
  return text;
}

std::string mlir::boost::getRematerializePipeline(const CompileOptions &options,
                                                  StringRef stageOptions) {
  return withSwitches(options, kRematerializeStage, stageOptions);
}

static SmallVector<Stage> getPlainStages(const CompileOptions &options) {
  auto quote = [](const std::string &text) { return "\"" + text + "\""; };
  std::string place = "boost-place-pipeline{mesh=" + quote(options.mesh) +
                      " placement=" + quote(options.placement) +
                      (options.explain ? " explain" : "") + "}";
  std::string differentiate;
  llvm::raw_string_ostream(differentiate)
      << "boost-differentiate-pipeline{optimizer=" << options.optimizer
      << llvm::format(" beta1=%.17g beta2=%.17g eps=%.17g weight-decay=%.17g",
                      options.beta1, options.beta2, options.eps,
                      options.weightDecay)
      << " accumulate=" << options.accumulate << "}";
  return {{"import", "boost-import-pipeline", kInputRefused, Emit::Graph},
          {"raise", "boost-raise-pipeline", kInputRefused, Emit::Graph},
          {"structure", withSwitches(options, "structure"), kInputRefused,
           Emit::Graph},
          {"place", place, kInfeasible, Emit::Graph},
          {"decompose", "boost-decompose-pipeline", kInputRefused, Emit::Graph},
          {"differentiate", differentiate, kInputRefused, Emit::Graph},
          {"partition", "boost-partition-pipeline", kInfeasible, Emit::Spmd},
          {"collectives",
           withSwitches(options, "collectives",
                        "bucket-bytes=" + std::to_string(options.bucketBytes)),
           kInputRefused, Emit::Spmd},
          {kRematerializeStage.str(),
           getRematerializePipeline(options, getRecomputation(options)),
           kInputRefused, Emit::Spmd},
          {"lower", "boost-lower-pipeline", kInputRefused, Emit::Runtime},
          {"emit", "boost-emit-pipeline", kInputRefused, Emit::LLVM}};
}

namespace {
/// "after:STAGE:PASS" in its parts.
struct Insertion {
  StringRef stage, pass;

  explicit Insertion(StringRef text) {
    if (text.consume_front("after:"))
      std::tie(stage, pass) = text.split(':');
  }
};
} // namespace

/// What is verified is what is partitioned.
static void addProbeStage(SmallVectorImpl<Stage> &stages) {
  auto *partition = llvm::find_if(
      stages, [](const Stage &stage) { return stage.level > Emit::Graph; });
  stages.insert(partition, {kProbeStage.str(), "boost-insert-probes",
                            kInputRefused, Emit::Graph});
}

SmallVector<Stage> mlir::boost::getStages(const CompileOptions &options) {
  SmallVector<Stage> stages = getPlainStages(options);
  for (const std::string &text : options.insertedPasses) {
    Insertion insertion(text);
    for (Stage &stage : stages)
      if (stage.name == insertion.stage)
        stage.pipeline += ("," + insertion.pass).str();
  }
  if (options.verify)
    addProbeStage(stages);
  return stages;
}

std::string mlir::boost::checkSwitches(const CompileOptions &options) {
  SmallVector<StringRef> switchable = getSwitchablePasses();
  for (const std::string &name : options.disabledPasses)
    if (!llvm::is_contained(switchable, name))
      return "cannot leave out --disable-pass=" + name + "; use " +
             llvm::join(switchable, ", ");
  if (!llvm::is_contained({"none", "low-rank", "full-block"}, options.remat))
    return "unknown --remat=" + options.remat +
           "; use none, low-rank or full-block";
  return "";
}

std::string mlir::boost::checkInsertedPasses(const CompileOptions &options) {
  SmallVector<Stage> stages = getPlainStages(options);
  for (const std::string &text : options.insertedPasses) {
    Insertion insertion(text);
    if (insertion.pass.empty() ||
        llvm::none_of(stages, [&](const Stage &stage) {
          return stage.name == insertion.stage;
        }))
      return "cannot insert '" + text +
             "'; write after:STAGE:PASS, as in "
             "after:rematerialize:test-boost-drop-all-reduce";
  }
  return "";
}

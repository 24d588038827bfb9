//===- Stages.cpp - The stages of the compiler in their order -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of stages: boost-compile runs them, boost-prove checks them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Pipelines/Compile.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost;

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
  return {{"import", "boost-import-pipeline", kInputRefused},
          {"raise", "boost-raise-pipeline", kInputRefused},
          {"place", place, kInfeasible},
          {"decompose", "boost-decompose-pipeline", kInputRefused},
          {"differentiate", differentiate, kInputRefused},
          {"partition", "boost-partition-pipeline", kInfeasible},
          {"lower", "boost-lower-pipeline", kInputRefused},
          {"emit", "boost-emit-pipeline", kInputRefused}};
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

SmallVector<Stage> mlir::boost::getStages(const CompileOptions &options) {
  SmallVector<Stage> stages = getPlainStages(options);
  for (const std::string &text : options.insertedPasses) {
    Insertion insertion(text);
    for (Stage &stage : stages)
      if (stage.name == insertion.stage)
        stage.pipeline += ("," + insertion.pass).str();
  }
  return stages;
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
             "after:partition:test-boost-drop-all-reduce";
  }
  return "";
}

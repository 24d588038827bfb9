//===- Stages.cpp - The stages of the compiler in their order -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of stages: boost-compile runs them, boost-prove checks them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Compile.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "boost-mlir/Support/FileURI.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::boost;

/// The option of a pass for the file of the machine: a URI, since pass options
/// cannot hold every character of a path.
static std::string getMachineOption(const CompileOptions &options) {
  return "machine=" + toFileURI(findMachineFile(options));
}

/// The pipeline of a stage without the passes that were disabled.
static std::string withSwitches(const CompileOptions &options, StageId id,
                                StringRef stageOptions = "") {
  StringRef stage = getStageName(id);
  SmallVector<StringRef> disabled = getSwitchablePasses(id);
  llvm::erase_if(disabled, [&](StringRef name) {
    return !llvm::is_contained(options.disabledPasses, name);
  });
  std::string pipeline = ("boost-" + stage + "-pipeline{" + stageOptions).str();
  if (!disabled.empty())
    pipeline += " disable-pass=" + llvm::join(disabled, ",");
  return pipeline + "}";
}

template <> llvm::ArrayRef<NamedValue<Emit>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<Emit> values[] = {
      {Emit::Graph, "graph", "global tensors, with the step"},
      {Emit::Spmd, "spmd", "one rank's tensors and collectives"},
      {Emit::Runtime, "runtime", "calls and kernels on one arena"},
      {Emit::LLVM, "llvm", "optimized LLVM IR"},
      {Emit::Object, "object", "object file without the runtime"},
      {Emit::Plan, "plan", "what will be sent and kept, as JSON"},
      {Emit::Summary, "summary", "the plan in ten lines of text"},
      {Emit::Binary, "binary", "the program (default)"}};
  return values;
}

//===----------------------------------------------------------------------===//
// Options as text
//===----------------------------------------------------------------------===//

static void print(llvm::raw_ostream &os, StringRef name,
                  const std::string &value) {
  os << name << "=\"" << value << "\" ";
}
static void print(llvm::raw_ostream &os, StringRef name, int64_t value) {
  os << name << "=" << value << " ";
}
static void print(llvm::raw_ostream &os, StringRef name, bool value) {
  os << name << "=" << (value ? "true " : "false ");
}
template <typename Enum>
static std::enable_if_t<std::is_enum_v<Enum>>
print(llvm::raw_ostream &os, StringRef name, Enum value) {
  os << name << "=" << getName(value) << " ";
}
static void print(llvm::raw_ostream &os, StringRef name, const Mesh &mesh) {
  os << name << "=" << mesh << " ";
}
template <typename Enum>
static void print(llvm::raw_ostream &os, StringRef name,
                  const SmallVector<Enum> &values) {
  if (!values.empty())
    os << name << "="
       << llvm::join(llvm::map_range(values, getName<Enum>), ",") << " ";
}

#define PRINT(FIELD, NAME, DESCRIPTION) print(os, NAME, options.FIELD);

std::string mlir::boost::toText(const LowerPrecisionPassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_PRECISION_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const SplitBatchPassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_SPLIT_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const PlacePassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_PLACE_OPTIONS(PRINT)
  print(os, "explain", options.explain);
  return text;
}

std::string mlir::boost::toText(const DifferentiatePassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_GRADIENT_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const AddOptimizerPassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_OPTIMIZER_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const BuildStepPassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_STEP_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const ShardOptimizerStatePassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_STATE_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const MergeCollectivesPassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_MERGE_OPTIONS(PRINT)
  return text;
}

std::string mlir::boost::toText(const RematerializePassOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  BOOST_REMATERIALIZE_OPTIONS(PRINT, PRINT)
  return text;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Returns the options of the pipeline for --remat, --remat-recompute and
/// --memory-budget.
static std::string getRecomputation(const CompileOptions &options) {
  if (options.memoryBudget)
    return "memory-budget=" + std::to_string(*options.memoryBudget) +
           " target=" + getName(options.target).str() + " " + getMachineOption(options) +
           (options.explain ? " explain-budget" : "");
  return toText(options.rematerialize);
}

SmallVector<Stage> mlir::boost::getStages(const CompileOptions &options) {
  std::string structure =
      withSwitches(options, StageId::Structure, toText(options.precision));
  std::string differentiate = "boost-differentiate-pipeline{" +
                              toText(options.gradient) +
                              toText(options.optimizer) + toText(options.step) +
                              toText(options.state) + "}";
  // Without a folder to find machines in, the reference decides.
  std::string machine =
      options.toolDirectory.empty() ? "" : getMachineOption(options);
  std::string place = "boost-place-pipeline{" + toText(options.split) +
                      toText(options.place) + machine + "}";
  std::string partition = "boost-partition-pipeline{" + machine + "}";
  // With a budget, what the stage refuses is that nothing fits.
  ExitCode rematerializeFailure =
      options.memoryBudget ? kInfeasible : kInputRefused;
  std::string collectives =
      withSwitches(options, StageId::Collectives, toText(options.merge));
  std::string rematerialize =
      withSwitches(options, StageId::Rematerialize, getRecomputation(options));
  std::string target = ("{target=" + getName(options.target) + "}").str();
  SmallVector<Stage> stages = {
      {StageId::Import, "boost-import-pipeline", kInputRefused, Emit::Graph},
      {StageId::Raise, "boost-raise-pipeline", kInputRefused, Emit::Graph},
      {StageId::Structure, structure, kInputRefused, Emit::Graph},
      {StageId::Place, place, kInfeasible, Emit::Graph},
      {StageId::Decompose, "boost-decompose-pipeline", kInputRefused,
       Emit::Graph},
      {StageId::Differentiate, differentiate, kInputRefused, Emit::Graph},
      {StageId::Probe, "boost-insert-probes", kInputRefused, Emit::Graph},
      {StageId::Partition, partition, kInfeasible, Emit::Spmd},
      {StageId::Collectives, collectives, kInputRefused, Emit::Spmd},
      {StageId::Rematerialize, rematerialize, rematerializeFailure, Emit::Spmd},
      {StageId::Lower, "boost-lower-pipeline" + target, kInputRefused,
       Emit::Runtime},
      {StageId::Emit, "boost-emit-pipeline" + target, kInputRefused,
       Emit::LLVM}};
  if (!options.verify)
    llvm::erase_if(
        stages, [](const Stage &stage) { return stage.id == StageId::Probe; });
  return stages;
}

std::string mlir::boost::checkSwitches(const CompileOptions &options) {
  SmallVector<StringRef> switchable = getSwitchablePasses();
  for (const std::string &name : options.disabledPasses)
    if (!llvm::is_contained(switchable, name))
      return "cannot leave out --disable-pass=" + name + "; use " +
             llvm::join(switchable, ", ");
  return "";
}

//===- Compile.h - From a file to a binary ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The implementation of boost-compile, apart from its command line.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DRIVER_COMPILE_H
#define BOOST_MLIR_DRIVER_COMPILE_H

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::boost {

/// Exit codes of the process; the runtime has further ones.
enum ExitCode {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kInputRefused = 3,
  kInfeasible = 4
};

/// The output, which decides the last stage. The levels come first, in order.
enum class Emit { Graph, Spmd, Runtime, LLVM, Object, Plan, Summary, Binary };
template <> llvm::ArrayRef<NamedValue<Emit>> getNamedValues();

struct CompileOptions {
  std::string input = "-";
  std::string output = "-";
  LowerPrecisionPassOptions precision;
  /// Here the placement may be Auto: the fastest is taken.
  PlacePassOptions place;
  std::optional<int64_t> ranks; ///< the mesh is chosen too
  /// Placements whose prices are written in place of a program.
  std::vector<PlacementKind> compare;
  SplitBatchPassOptions split;
  DifferentiatePassOptions gradient;
  AddOptimizerPassOptions optimizer;
  BuildStepPassOptions step;
  ShardOptimizerStatePassOptions state;
  MergeCollectivesPassOptions merge;
  RematerializePassOptions rematerialize;
  SplitStagesPassOptions pipeline;
  /// True if `pipeline.order` is a default, in place of which the best schedule
  /// is taken.
  bool mayChooseSchedule = true;
  std::optional<int64_t> memoryBudget; ///< bytes; chooses what to recompute
  /// True if `rematerialize` is a default, which yields to the memory of a
  /// machine given by name.
  bool mayRecompute = true;
  /// True if `split.microBatches` is a default, where the placement is chosen.
  bool maySplitBatch = true;
  TargetKind target = TargetKind::CPU;
  /// NAME of the library boost_runtime_NAME to link. Empty: that of the target.
  std::string runtime;
  /// True if a program may have batch arguments that only `eval` can fill.
  bool allowFloatBatch = false;
  std::string cpu; ///< for the host's code
  /// A file, or the name of one that is installed. Empty: nothing is known
  /// about where the program will run, and times are predicted for `host`.
  std::string machine;
  std::string timingFile;
  std::vector<std::string> disabledPasses; ///< of those that can be left out
  /// Folder of the running tool: library and machine files are beside it.
  std::string toolDirectory;
  Emit emit = Emit::Binary;
  bool verify = false;  ///< whether the program can verify itself
  bool explain = false; ///< besides: the memory plan, on stderr
  bool quiet = false;   ///< no remarks, and no summary of a program
  bool timing = false;
  bool verifyEach = false;  ///< IR after every pass; else after every stage
  bool printStages = false; ///< IR after every stage, on stderr
  /// True if the tool accepts MLIR's options that print IR, which need one
  /// thread.
  bool printsPasses = false;
};

/// A stage of the compiler.
struct Stage {
  StageId id;
  Emit level; ///< what it gives: graph, spmd, runtime or LLVM
  /// Pipelines, as text, that tests insert behind the passes of the stage.
  SmallVector<std::string, 0> inserted = {};

  StringRef getName() const { return getStageName(id); }

  /// Adds the passes of the stage as the options say. Fails, with an error on
  /// stderr, only if a pipeline that is inserted is none.
  LogicalResult addPasses(OpPassManager &manager,
                          const CompileOptions &options) const;
};

/// Adds the pipeline of a stage as the options say.
void addStagePipeline(OpPassManager &manager, StageId id,
                      const CompileOptions &options);

/// All stages in their order.
SmallVector<Stage> getStages(const CompileOptions &options);

/// The machine of a program whose command line names none: for a target with
/// devices, that of the device of this machine, or else the target's own
/// default. Remarks on a device that no machine file lists. Empty for the CPU:
/// nothing is known about where the program will run.
std::string findDefaultMachine(const CompileOptions &options);

/// The file of the machine that `options` name: a file, or the name of one that
/// is installed beside the tool.
std::string findMachineFile(const CompileOptions &options);

/// Reads that file; the error names the option or the file.
llvm::Expected<Machine> loadMachine(const CompileOptions &options);

/// Returns the error in `disabledPasses`, or an empty string.
std::string checkSwitches(const CompileOptions &options);

/// Compiles by these stages, of getStages, and reports on stderr.
ExitCode compile(const CompileOptions &options, ArrayRef<Stage> stages,
                 DialectRegistry &registry);

/// Measures what the ranks of the mesh reach on this machine, and writes a
/// machine file.
ExitCode calibrate(const CompileOptions &options);

/// Writes what the machine takes for the operations that the input lists.
ExitCode price(const CompileOptions &options);

} // namespace mlir::boost

template <>
class llvm::cl::parser<mlir::boost::Emit>
    : public mlir::boost::NamedValueParser<mlir::boost::Emit> {
  using NamedValueParser::NamedValueParser;
};

#endif // BOOST_MLIR_DRIVER_COMPILE_H

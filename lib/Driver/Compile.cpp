//===- Compile.cpp - From a file to a binary ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the stages, whose pipelines boost-opt has too, and writes what was asked
// for.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Compile.h"

#include "ConstantsFile.h"
#include "Diagnostics.h"
#include "PlacementNote.h"
#include "PlacementSearch.h"
#include "ProgramHash.h"
#include "Recognition.h"
#include "ReferenceProgram.h"
#include "Summary.h"
#include "UnfedBatch.h"

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Analysis/MemoryPlan.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "boost-mlir/Driver/Plan.h"
#include "boost-mlir/Support/InputFile.h"
#include "boost-mlir/Support/ProgramFile.h"
#include "boost-mlir/Support/Wrap.h"
#include "boost-mlir/Target/Link.h"
#include "boost-mlir/Target/Object.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;

namespace {

class Compiler {
public:
  Compiler(const CompileOptions &options, ArrayRef<Stage> stages,
           DialectRegistry &registry)
      : options(options), stages(stages.begin(), stages.end()),
        context(registry) {
    context.allowUnregisteredDialects();
    // MLIR would print the operation below an error, without the names of the
    // operands of one whose region is isolated. The user's line is printed.
    context.printOpOnDiagnostic(false);
    // The check of the text asks which operations exist.
    context.loadAllAvailableDialects();
  }

  ExitCode run();

private:
  ExitCode fail(ExitCode code, const Twine &message);
  ExitCode compileParsed(ModuleOp module);
  ExitCode runStages(ModuleOp module);
  ExitCode runStage(const Stage &stage, ModuleOp module);
  void noteStage(const Stage &stage, ModuleOp module);
  bool mustFeedBatch() const;
  std::optional<int64_t> getMemoryLimit() const;
  bool exceedsMemory() const { return memoryLimit && peak > *memoryLimit; }
  void recomputeMore();
  ExitCode refuseMemory();
  ExitCode choosePlacement(ModuleOp module);
  ExitCode comparePlacements(ModuleOp module);
  llvm::Expected<Verification> getVerification() const;
  ExitCode findValues(ModuleOp module);
  ExitCode describe(ModuleOp module);
  ExitCode write(ModuleOp module);
  ExitCode writeBinary(ModuleOp module);
  ExitCode writeConstants();
  ExitCode writeTiming();
  ExitCode report(llvm::Error error);
  LogicalResult emitCode(ModuleOp module, llvm::raw_pwrite_stream &stream,
                         bool asText);
  template <typename Work> auto timed(StringRef stage, Work work);

  CompileOptions options;
  SmallVector<Stage> stages;
  MLIRContext context;
  llvm::SourceMgr sources;
  std::optional<ProgramDiagnostics> diagnostics;
  std::optional<Machine> machine;
  std::string plan, manifest;
  int64_t peak = 0; ///< bytes of a rank, once there is a plan
  std::optional<int64_t> memoryLimit;
  Recognition recognition;
  /// The shardings of arguments, for the plan.
  std::string placement;
  /// The decisions of the search for the plan, if there was one.
  std::string choice;
  /// The arrays that parameters start from, beside the input; or empty.
  std::string valuesFile;
  /// The values of constants, once they are taken from the module; or null.
  DictionaryAttr constants;
  /// The program that `eval --verify` compares with; empty without --verify.
  std::string reference;
  /// The function that is verified in it.
  std::string verified;
  SmallVector<std::pair<std::string, double>> seconds;
};

} // namespace

ExitCode Compiler::fail(ExitCode code, const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "boost-compile") << message << "\n";
  return code;
}

ExitCode Compiler::report(llvm::Error error) {
  if (!error)
    return kDone;
  return fail(kFailed, llvm::toString(std::move(error)));
}

template <typename Work> auto Compiler::timed(StringRef stage, Work work) {
  auto start = std::chrono::steady_clock::now();
  bool isTerminal = llvm::errs().is_displayed();
  if (isTerminal)
    llvm::errs() << "boost-compile: " << stage << " ...\r";
  auto result = work();
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (isTerminal)
    llvm::errs() << "\x1b[2K";
  seconds.emplace_back(stage.str(), elapsed.count());
  return result;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// The level that an output is made from.
static Emit getLevel(Emit emit) {
  switch (emit) {
  case Emit::Plan:
  case Emit::Summary:
    return Emit::Runtime;
  case Emit::Object:
  case Emit::Binary:
    return Emit::LLVM;
  default:
    return emit;
  }
}

/// Returns what a refusal by a stage means. With a budget, rematerialization
/// refuses that nothing fits.
static ExitCode getFailure(StageId id, const CompileOptions &options) {
  bool judgesFit = id == StageId::Place || id == StageId::Partition ||
                   (id == StageId::Rematerialize && options.memoryBudget);
  return judgesFit ? kInfeasible : kInputRefused;
}

ExitCode Compiler::runStage(const Stage &stage, ModuleOp module) {
  PassManager manager(&context, ModuleOp::getOperationName());
  if (failed(stage.addPasses(manager, options)))
    return fail(kUsage, "cannot insert passes after " + stage.getName());
  if (options.printsPasses && failed(applyPassManagerCLOptions(manager)))
    return fail(kUsage, "cannot print IR as the options say");
  manager.enableVerifier(options.verifyEach);
  LogicalResult result = manager.run(module);
  // To verify after every pass takes a third of the time of a compile.
  if (succeeded(result))
    result = verify(module);
  diagnostics->flush();
  if (failed(result))
    return fail(getFailure(stage.id, options),
                "stopped in stage '" + stage.getName() + "'");
  return kDone;
}

/// Notes for the plan what is known after a stage: layers of a kind are
/// recognized one by one and grouped later.
void Compiler::noteStage(const Stage &stage, ModuleOp module) {
  if (stage.id == StageId::Raise)
    recognition = recognize(module);
  else if (stage.id == StageId::Structure)
    recognition.groups = countBottleneckGroups(module);
  else if (stage.id == StageId::Place)
    placement = describePlacement(module);
}

/// Replaces what the options left open.
ExitCode Compiler::choosePlacement(ModuleOp module) {
  PlacementSearch search(module, options, *machine);
  if (failed(timed("search", [&] { return search.run(); })))
    return fail(kInfeasible, "stopped in stage 'place'");
  if (options.explain)
    llvm::errs() << wrapLines(search.getTable(), /*indent=*/6);
  choice = search.getDecisions();
  options = search.getChosenOptions();
  return kDone;
}

/// The prices of placements, as a table.
ExitCode Compiler::comparePlacements(ModuleOp module) {
  for (const Stage &stage : stages) {
    if (stage.id == StageId::Place)
      break;
    if (ExitCode code = runStage(stage, module); code != kDone)
      return code;
  }
  PlacementSearch search(module, options, *machine);
  if (failed(search.run()))
    return fail(kInfeasible, "stopped in stage 'place'");
  return report(
      writeOutput(options.output, [&](llvm::raw_pwrite_stream &stream) {
        stream << search.getTable();
        return success();
      }));
}

/// Only a program trains; what else is written says how the loss is compiled.
bool Compiler::mustFeedBatch() const {
  return !options.allowFloatBatch &&
         (options.emit == Emit::Binary || options.emit == Emit::Object);
}

ExitCode Compiler::runStages(ModuleOp module) {
  for (const Stage &stage : stages) {
    if (stage.level > getLevel(options.emit))
      break;
    // Code does not contain the constants: they are written beside it.
    if (stage.id == StageId::Emit)
      constants =
          cast_or_null<DictionaryAttr>(module->removeAttr(kConstantsAttr));
    if (stage.id == StageId::Place && PlacementSearch::isNeeded(options))
      if (ExitCode code = choosePlacement(module); code != kDone)
        return code;
    ExitCode code =
        timed(stage.getName(), [&] { return runStage(stage, module); });
    if (code != kDone)
      return code;
    noteStage(stage, module);
    if (stage.id == StageId::Import && mustFeedBatch() &&
        failed(checkBatchIsFed(module)))
      return fail(kInputRefused, "stopped in stage 'import'");
    if (options.printStages)
      llvm::errs() << "// ----- after " << stage.getName() << " -----\n"
                   << module << "\n";
    if (stage.id == StageId::Probe) {
      FailureOr<std::string> printed = printReferenceProgram(module);
      if (failed(printed))
        return fail(getFailure(stage.id, options),
                    "stopped in stage '" + stage.getName() + "'");
      reference = std::move(*printed);
      verified = findProbedFunction(module).getName().str();
    }
    // Past this stage the operations that the plan counts are calls of LLVM.
    if (stage.id != StageId::Lower)
      continue;
    if (ExitCode code = describe(module); code != kDone)
      return code;
    if (exceedsMemory())
      break;
  }
  return kDone;
}

/// The evaluator beside the compiler is the one that programs verify with.
llvm::Expected<Verification> Compiler::getVerification() const {
  if (!options.verify)
    return Verification();
  SmallString<128> path(options.toolDirectory);
  llvm::sys::path::append(path, "boost-eval");
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("--verify needs '" + path +
                                   "': " + file.getError().message() +
                                   "; build the target boost-eval");
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef((*file)->getBuffer()));
  std::string digest;
  llvm::raw_string_ostream(digest) << llvm::format(
      "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
      static_cast<unsigned long long>(hash.low64));
  return Verification{reference, verified, options.toolDirectory, digest};
}

ExitCode Compiler::describe(ModuleOp module) {
  llvm::Expected<Verification> verification = getVerification();
  if (!verification)
    return report(verification.takeError());
  return timed("plan", [&] {
    const Machine *known = machine ? &*machine : nullptr;
    FailureOr<ProgramDescription> description =
        describeProgram(module, known, *verification,
                        {valuesFile, getConstantsFile(options.output)},
                        {recognition.toJson(), placement, choice});
    if (failed(description))
      return fail(kInputRefused, "stopped in stage 'plan'");
    plan = std::move(description->plan);
    manifest = std::move(description->manifest);
    MemoryPlan memory = getMemoryPlan(module);
    peak = memory.peak;
    if (options.explain)
      llvm::errs() << "memory of one rank:\n" << memory.table;
    return kDone;
  });
}

//===----------------------------------------------------------------------===//
// Memory of the machine
//===----------------------------------------------------------------------===//

/// A machine that was named limits a program that no budget limits. The one
/// that is assumed otherwise says nothing about where the program will run.
std::optional<int64_t> Compiler::getMemoryLimit() const {
  bool isPlanned = getLevel(options.emit) >= Emit::Runtime;
  if (!isPlanned || options.machine.empty() || options.memoryBudget)
    return std::nullopt;
  return static_cast<int64_t>(std::min(machine->memoryBytes, 0x1p62));
}

/// Sets a budget as large as the limit.
void Compiler::recomputeMore() {
  llvm::WithColor::remark(llvm::errs(), "boost-compile")
      << "the program takes " << peak << " bytes, more than the "
      << *memoryLimit << " of the machine '" << machine->name
      << "' (memory_bytes); compiling it again to recompute as little as "
         "fits\n";
  options.memoryBudget = memoryLimit;
  memoryLimit.reset();
}

/// Fails for a program that exceeds the memory although its recomputation was
/// given, so that no other is tried.
ExitCode Compiler::refuseMemory() {
  return fail(kInfeasible,
              "expects a program of at most " + Twine(*memoryLimit) +
                  " bytes (memory_bytes of the machine '" + machine->name +
                  "'), but with this --remat it takes " + Twine(peak) + ", " +
                  Twine(peak - *memoryLimit) +
                  " more; leave out --remat to recompute only what is needed "
                  "to fit, or give --memory-budget or another --machine");
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

LogicalResult Compiler::emitCode(ModuleOp module,
                                 llvm::raw_pwrite_stream &stream, bool asText) {
  EmitOptions emit;
  emit.cpu = options.cpu;
  emit.manifest = manifest;
  emit.asText = asText;
  return timed("codegen", [&] { return emitObject(module, emit, stream); });
}

/// Writes the constants of a program, if it has some, to a file beside it.
ExitCode Compiler::writeConstants() {
  if (!constants)
    return kDone;
  if (options.output == "-")
    return fail(kUsage, "the constants of this program are written to a file "
                        "beside it; name one with -o");
  return timed("constants", [&] {
    return report(
        boost::writeConstants(getConstantsFile(options.output), constants));
  });
}

ExitCode Compiler::writeBinary(ModuleOp module) {
  SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  if (failed(emitCode(module, stream, /*asText=*/false)))
    return fail(kFailed, "nothing was written to '" + options.output + "'");
  if (ExitCode code = writeConstants(); code != kDone)
    return code;
  ExitCode code = timed("link", [&] {
    return report(linkProgram(object, options.output, options.toolDirectory,
                              options.runtime.empty()
                                  ? getName(options.target)
                                  : StringRef(options.runtime)));
  });
  if (code == kDone && !options.quiet)
    llvm::errs() << options.output << ": " << summarizePlan(plan);
  return code;
}

ExitCode Compiler::write(ModuleOp module) {
  if (options.emit == Emit::Binary)
    return writeBinary(module);
  if (options.emit == Emit::Object)
    if (ExitCode code = writeConstants(); code != kDone)
      return code;
  return report(
      writeOutput(options.output, [&](llvm::raw_pwrite_stream &stream) {
        switch (options.emit) {
        case Emit::Plan:
          stream << plan << "\n";
          return success();
        case Emit::Summary:
          stream << summarizePlan(plan);
          return success();
        case Emit::LLVM:
        case Emit::Object:
          return emitCode(module, stream, options.emit == Emit::LLVM);
        default:
          stream << module << "\n";
          return success();
        }
      }));
}

ExitCode Compiler::writeTiming() {
  double total = 0;
  for (auto &[stage, time] : seconds)
    total += time;
  if (options.timing) {
    for (auto &[stage, time] : seconds)
      llvm::errs() << llvm::format("%-14s %9.3f s\n", stage.c_str(), time);
    llvm::errs() << llvm::format("%-14s %9.3f s\n", "total", total);
  }
  if (options.timingFile.empty())
    return kDone;
  return report(
      writeOutput(options.timingFile, [&](llvm::raw_pwrite_stream &stream) {
        nlohmann::ordered_json stages = nlohmann::ordered_json::array();
        for (auto &[stage, time] : seconds)
          stages.push_back({{"stage", stage}, {"seconds", time}});
        nlohmann::ordered_json report = {{"stages", stages},
                                         {"seconds", total}};
        stream << report.dump(/*indent=*/2) << "\n";
        return success();
      }));
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

/// Finds the arrays that the module was exported with: model.init.safetensors
/// beside model.mlir. Without them it still compiles, evaluates, and trains
/// from values that are given to it.
ExitCode Compiler::findValues(ModuleOp module) {
  if (!module->hasAttr(kInitialValuesAttr))
    return kDone;
  SmallString<128> path(options.input);
  if (path != "-") {
    llvm::sys::path::replace_extension(path, "init.safetensors");
    if (llvm::sys::fs::is_regular_file(path)) {
      if (std::error_code error = llvm::sys::fs::make_absolute(path))
        return fail(kFailed, "'" + path + "': " + error.message());
      valuesFile = path.str();
      return kDone;
    }
  }
  if (options.emit != Emit::Binary && options.emit != Emit::Object)
    return kDone;
  auto diag = emitWarning(module.getLoc());
  diag << "parameters start from arrays that were exported with this module, "
          "but ";
  if (path == "-")
    diag << "a module on stdin has no file beside it";
  else
    diag << "there is no '" << path << "'";
  diag.attachNote() << "write both with export(...).save(\"model.mlir\"), or "
                       "start training with --init FILE or --no-init-file";
  return kDone;
}

ExitCode Compiler::compileParsed(ModuleOp module) {
  if (!options.compare.empty())
    return comparePlacements(module);
  if (ExitCode code = findValues(module); code != kDone)
    return code;
  // Only programs train; at other levels it would be in the way.
  if (getLevel(options.emit) == Emit::LLVM)
    module->setAttr(kProgramHashAttr,
                    StringAttr::get(&context, hashProgram(module)));
  memoryLimit = getMemoryLimit();
  OwningOpRef<ModuleOp> again =
      memoryLimit && options.mayRecompute ? module.clone() : ModuleOp();
  if (ExitCode code = runStages(module); code != kDone)
    return code;
  if (exceedsMemory()) {
    if (!again)
      return refuseMemory();
    recomputeMore();
    module = *again;
    if (ExitCode code = runStages(module); code != kDone)
      return code;
  }
  if (ExitCode code = write(module); code != kDone)
    return code;
  return writeTiming();
}

ExitCode Compiler::run() {
  if (std::string problem = checkSwitches(options); !problem.empty())
    return fail(kUsage, problem);
  if (llvm::Error error = checkTargetCPU(options.cpu))
    return fail(kUsage, "--mcpu: " + llvm::toString(std::move(error)));
  llvm::Expected<Machine> named = loadMachine(options);
  if (!named)
    return fail(kUsage, llvm::toString(named.takeError()));
  machine = std::move(*named);
  std::string message;
  auto file = openInput(options.input, &message);
  if (!file)
    return fail(kInputRefused, message);
  diagnostics.emplace(sources, &context, options.quiet);
  if (options.printsPasses)
    context.disableMultithreading();
  OwningOpRef<ModuleOp> module = timed("parse", [&]() -> OwningOpRef<ModuleOp> {
    file = prepareProgramFile(std::move(file));
    if (!file)
      return {};
    sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
    // Lists everything unsupported at once; the parser would stop at the first.
    if (failed(stablehlo::checkProgramText(sources, &context)))
      return {};
    return parseSourceFile<ModuleOp>(sources, &context);
  });
  if (!module)
    return fail(kInputRefused, "cannot read '" + options.input + "'");
  return compileParsed(*module);
}

ExitCode mlir::boost::compile(const CompileOptions &options,
                              ArrayRef<Stage> stages,
                              DialectRegistry &registry) {
  return Compiler(options, stages, registry).run();
}

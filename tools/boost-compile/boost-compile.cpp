//===- boost-compile.cpp - A JAX loss to a training binary ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of the compiler. A build with tests makes a second program
// of it, boost-test-compile, that takes broken passes between the stages.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Compile.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "boost-mlir/Support/DeepStack.h"
#include "boost-mlir/Target/Target.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "EmulatedImage.h"
#include "TestPasses.h"
#include "boost-mlir/Prove/InsertedPasses.h"
#endif

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::boost;
namespace cl = llvm::cl;

// Options of LLVM's command line are static objects.
// NOLINTBEGIN(bugprone-throwing-static-initialization)
static cl::OptionCategory category("boost-compile options");

static cl::opt<std::string> input(cl::Positional, cl::init("-"),
                                  cl::desc("<model.mlir, or - for stdin>"),
                                  cl::cat(category));
static cl::opt<std::string> output("o", cl::value_desc("file"),
                                   cl::desc("Output file, - for stdout"),
                                   cl::cat(category));
/// "Decay of the first moment (0.9)"
template <typename T>
static std::string describe(const char *description, const T &byDefault) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << description << " (";
  if constexpr (std::is_same_v<T, bool>)
    os << (byDefault ? "true" : "false");
  else if constexpr (std::is_enum_v<T>)
    os << getName(byDefault);
  else
    os << byDefault;
  os << ")";
  return text;
}

namespace {
/// Without a placement by name, the fastest is taken.
struct PlaceOptions : PlacePassOptions {
  PlaceOptions() { placement = PlacementKind::Auto; }
};
} // namespace

/// Options of the stages, with the defaults of their passes.
#define STAGE_FLAG(VALUES, FIELD, NAME, DESCRIPTION)                           \
  static const std::string FIELD##Description =                                \
      describe(DESCRIPTION, VALUES().FIELD);                                   \
  static cl::opt<decltype(VALUES::FIELD)> FIELD(                               \
      NAME, cl::init(VALUES().FIELD), cl::desc(FIELD##Description),            \
      cl::cat(category));
#define PRECISION_FLAG(...) STAGE_FLAG(LowerPrecisionPassOptions, __VA_ARGS__)
#define SPLIT_FLAG(...) STAGE_FLAG(SplitBatchPassOptions, __VA_ARGS__)
#define PLACE_FLAG(...) STAGE_FLAG(PlaceOptions, __VA_ARGS__)
#define GRADIENT_FLAG(...) STAGE_FLAG(DifferentiatePassOptions, __VA_ARGS__)
#define OPTIMIZER_FLAG(...) STAGE_FLAG(AddOptimizerPassOptions, __VA_ARGS__)
#define STEP_FLAG(...) STAGE_FLAG(BuildStepPassOptions, __VA_ARGS__)
#define STATE_FLAG(...) STAGE_FLAG(ShardOptimizerStatePassOptions, __VA_ARGS__)
#define MERGE_FLAG(...) STAGE_FLAG(MergeCollectivesPassOptions, __VA_ARGS__)
BOOST_PRECISION_OPTIONS(PRECISION_FLAG)
BOOST_SPLIT_OPTIONS(SPLIT_FLAG)
BOOST_PLACE_OPTIONS(PLACE_FLAG)
BOOST_GRADIENT_OPTIONS(GRADIENT_FLAG)
BOOST_OPTIMIZER_OPTIONS(OPTIMIZER_FLAG)
BOOST_STEP_OPTIONS(STEP_FLAG)
BOOST_STATE_OPTIONS(STATE_FLAG)
BOOST_MERGE_OPTIONS(MERGE_FLAG)

static cl::opt<PipelineSchedule> pipelineSchedule(
    "pipeline-schedule", cl::init(SplitStagesPassOptions().order),
    cl::cat(category),
    cl::desc("The order in which pipeline stages compute (the fastest that "
             "fits)"));
static cl::opt<int64_t> pipelineChunks(
    "pipeline-chunks", cl::init(SplitStagesPassOptions().chunks),
    cl::cat(category),
    cl::desc("Parts of consecutive layers on each pipeline stage (1)"));
static cl::list<int64_t> pipelineLayout(
    "pipeline-layout", cl::CommaSeparated, cl::value_desc("layers"),
    cl::cat(category),
    cl::desc("Layers of each part of the pipeline, as in 8,8,9,7"));

static cl::opt<int64_t> ranks(
    "ranks", cl::value_desc("number"), cl::cat(category),
    cl::desc("Choose the mesh too: the one of so many ranks that makes the "
             "fastest step"));
static cl::list<PlacementKind> compareList(
    "compare", cl::CommaSeparated, cl::value_desc("placements"),
    cl::cat(category),
    cl::desc("Write what each of these placements is predicted to take, and no "
             "program; auto: those that --placement=auto chooses between"));
static cl::opt<TargetKind> target("target", cl::init(TargetKind::CPU),
                                  cl::desc("Target of the program (cpu)"),
                                  cl::cat(category));
static cl::opt<bool> allowFloatBatch(
    "allow-float-batch", cl::cat(category),
    cl::desc("Take batch arguments of floats, which eval reads from a file and "
             "train refuses"));
static cl::opt<std::string> cpu("mcpu", cl::init("native"),
                                cl::desc("CPU to generate code for"),
                                cl::cat(category));
static cl::opt<RematKind>
    remat("remat", cl::init(RematerializePassOptions().mode), cl::cat(category),
          cl::desc("Values to recompute instead of keep for the backward pass "
                   "(none)"));
static cl::list<RecomputeClass>
    rematRecompute("remat-recompute", cl::CommaSeparated,
                   cl::value_desc("classes"), cl::cat(category),
                   cl::desc("Recompute these instead of what --remat says"));
static cl::opt<std::string> memoryBudget(
    "memory-budget", cl::value_desc("bytes"), cl::cat(category),
    cl::desc(
        "Recompute only what is needed to fit, as in 72GiB; exit 4 if nothing "
        "fits"));
static cl::opt<std::string>
    machine("machine", cl::value_desc("file or name"),
            cl::desc("Machine that times are predicted for (host; with "
                     "--target=cuda the GPU of this machine, or else h100)"),
            cl::cat(category));
static cl::opt<bool>
    priceOperations("price", cl::cat(category),
                    cl::desc("The input is a list of operations in JSON: write "
                             "what the machine takes for each"));
static cl::opt<bool>
    calibrateHost("calibrate", cl::cat(category),
                  cl::desc("Measure this machine with the ranks of the mesh, "
                           "and write a file for --machine"));
static cl::opt<Emit> emitKind("emit", cl::init(Emit::Binary),
                              cl::desc("Output"), cl::cat(category));
static cl::list<std::string>
    disablePass("disable-pass", cl::value_desc("name"), cl::cat(category),
                cl::desc("Leave out this pass; may be given several times"));
static cl::opt<bool>
    verify("verify", cl::cat(category),
           cl::desc("Make a program whose eval --verify works"));
static cl::opt<bool> explain("explain", cl::cat(category),
                             cl::desc("Say why every tensor lies as it does"));
static cl::opt<bool>
    quiet("quiet", cl::cat(category),
          cl::desc("Print warnings and errors only: no remarks, no summary of "
                   "the program that was made"));
static cl::opt<bool> timing("timing", cl::cat(category),
                            cl::desc("Seconds of every stage, on stderr"));
static cl::opt<std::string> timingJson("timing-json", cl::value_desc("file"),
                                       cl::desc("Seconds of every stage"),
                                       cl::cat(category));
static cl::opt<bool>
    verifyEach("verify-each", cl::cat(category),
               cl::desc("Verify the IR after every pass, not only after every "
                        "stage"));
static cl::opt<bool>
    printStages("print-ir-after-stages", cl::cat(category),
                cl::desc("Print the IR after every stage, on stderr"));
#ifdef BOOST_MLIR_TEST_PASSES
static cl::list<std::string>
    insertPass("insert-pass", cl::value_desc("after:STAGE:PASS"),
               cl::desc("Run a further pass at the end of a stage"),
               cl::cat(category));
static cl::opt<bool>
    emulatable("emulatable", cl::cat(category),
               cl::desc("Make a program for --target=cuda that the emulator of "
                        "the tests can run too"));
#endif
// NOLINTEND(bugprone-throwing-static-initialization)

/// Bytes from a number and a unit: B, kB, MB, GB or KiB, MiB, GiB. Nothing if
/// the text is something else or no bytes are left.
static std::optional<int64_t> parseBytes(llvm::StringRef text) {
  double number = 0;
  llvm::StringRef digits =
      text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  if (digits.getAsDouble(number))
    return std::nullopt;
  double unit = llvm::StringSwitch<double>(text.substr(digits.size()).trim())
                    .Cases({"", "B"}, 1)
                    .Case("kB", 1e3)
                    .Case("MB", 1e6)
                    .Case("GB", 1e9)
                    .Case("KiB", 0x1p10)
                    .Case("MiB", 0x1p20)
                    .Case("GiB", 0x1p30)
                    .Default(0);
  double bytes = number * unit;
  if (bytes < 1 || bytes > 0x1p60)
    return std::nullopt;
  return static_cast<int64_t>(bytes);
}

static std::string checkRecomputation() {
  if (memoryBudget.empty())
    return "";
  if (!parseBytes(memoryBudget))
    return "--memory-budget='" + memoryBudget +
           "' is not a number of bytes; write it as in 72GiB or 80GB";
  if (remat.getNumOccurrences() || !rematRecompute.empty())
    return "--memory-budget chooses what is recomputed; leave out --remat and "
           "--remat-recompute";
  return "";
}

static std::string checkCompare() {
  if (compareList.empty())
    return "";
  if (placement.getNumOccurrences())
    return "--compare takes the placements that --placement would choose from; "
           "give one of them";
  if (emitKind.getNumOccurrences())
    return "--compare writes a table and makes nothing to --emit; give one of "
           "them";
  return "";
}

/// Returns true if one of MLIR's options requests the IR around passes.
static bool printsPasses() {
  return llvm::any_of(cl::getRegisteredOptions(), [](const auto &option) {
    return option.first.starts_with("mlir-print-ir") &&
           option.second->getNumOccurrences() > 0;
  });
}

static constexpr int64_t kMostRanks = 1 << 20;

/// Says what is wrong with the command line, if anything.
static std::string checkUsage() {
  if (ranks.getNumOccurrences() && mesh.getNumOccurrences())
    return "--ranks chooses the mesh; leave out --mesh";
  if (ranks.getNumOccurrences() && (ranks < 1 || ranks > kMostRanks))
    return "--ranks=" + std::to_string(ranks) +
           " is not a number of ranks; give one from 1 to " +
           std::to_string(kMostRanks);
  if (ranks.getNumOccurrences() && placement == PlacementKind::Given)
    return "--placement=given names the axes of a mesh; use --mesh in place of "
           "--ranks";
  if (std::string problem = checkCompare(); !problem.empty())
    return problem;
  if (zero != 0 && zero != 1)
    return "--zero=" + std::to_string(zero) +
           " is not a stage of ZeRO; use 0 or 1";
  if (accumulate < 1)
    return "--accumulate=" + std::to_string(accumulate) + " is not positive";
  if (microBatches < 1)
    return "--micro-batches=" + std::to_string(microBatches) +
           " is not positive";
  if (bucketBytes < 0)
    return "--bucket-bytes=" + std::to_string(bucketBytes) + " is negative";
  if (std::string problem = checkRecomputation(); !problem.empty())
    return problem;
  if (calibrateHost && input.getNumOccurrences())
    return "--calibrate measures this machine and takes no input, but got '" +
           input + "'";
  if (calibrateHost && priceOperations)
    return "--calibrate measures and --price predicts; give one of them";
  if (quiet && explain)
    return "--quiet leaves out what --explain says; give one of them";
  if (priceOperations || calibrateHost || !compareList.empty())
    return "";
  if (output.empty() && emitKind == Emit::Binary)
    return "name the program to write with -o FILE";
  if (output == "-" && emitKind == Emit::Binary)
    return "a program cannot be written to stdout; name a file with -o";
  return "";
}

static CompileOptions getOptions(const char *program) {
  CompileOptions options;
  options.input = input;
  options.output = output.empty() ? "-" : output.getValue();
#define TAKE_PRECISION(FIELD, ...) options.precision.FIELD = FIELD;
#define TAKE_SPLIT(FIELD, ...) options.split.FIELD = FIELD;
#define TAKE_PLACE(FIELD, ...) options.place.FIELD = FIELD;
#define TAKE_GRADIENT(FIELD, ...) options.gradient.FIELD = FIELD;
#define TAKE_OPTIMIZER(FIELD, ...) options.optimizer.FIELD = FIELD;
#define TAKE_STEP(FIELD, ...) options.step.FIELD = FIELD;
#define TAKE_STATE(FIELD, ...) options.state.FIELD = FIELD;
#define TAKE_MERGE(FIELD, ...) options.merge.FIELD = FIELD;
  BOOST_PRECISION_OPTIONS(TAKE_PRECISION)
  BOOST_SPLIT_OPTIONS(TAKE_SPLIT)
  BOOST_PLACE_OPTIONS(TAKE_PLACE)
  BOOST_GRADIENT_OPTIONS(TAKE_GRADIENT)
  BOOST_OPTIMIZER_OPTIONS(TAKE_OPTIMIZER)
  BOOST_STEP_OPTIONS(TAKE_STEP)
  BOOST_STATE_OPTIONS(TAKE_STATE)
  BOOST_MERGE_OPTIONS(TAKE_MERGE)
  options.place.explain = explain;
  if (ranks.getNumOccurrences())
    options.ranks = ranks;
  options.rematerialize.mode = remat;
  llvm::append_range(options.rematerialize.recompute, rematRecompute);
  options.pipeline.order = pipelineSchedule;
  options.mayChooseSchedule = !pipelineSchedule.getNumOccurrences();
  options.pipeline.chunks = pipelineChunks;
  llvm::append_range(options.pipeline.layout, pipelineLayout);
  llvm::append_range(options.compare, compareList);
  options.target = target;
  options.allowFloatBatch = allowFloatBatch;
  options.cpu = cpu;
  options.memoryBudget = parseBytes(memoryBudget);
  options.maySplitBatch = !microBatches.getNumOccurrences();
  options.mayRecompute = !remat.getNumOccurrences() && rematRecompute.empty();
  options.machine = machine;
  options.timingFile = timingJson;
  options.disabledPasses = disablePass;
  options.emit = emitKind;
  options.verify = verify;
  options.explain = explain;
  options.quiet = quiet;
  options.printsPasses = printsPasses();
  options.timing = timing;
  options.verifyEach = verifyEach;
  options.printStages = printStages;
  options.toolDirectory =
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(
          program, reinterpret_cast<void *>(&checkUsage)));
  if (options.machine.empty())
    options.machine = findDefaultMachine(options);
  return options;
}

static int fail(const std::string &problem) {
  llvm::WithColor::error(llvm::errs(), "boost-compile") << problem << "\n";
  return kUsage;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // The options that print IR take the names of passes.
  registerAllPasses();
  mlir::registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a JAX loss into a training program.\n",
          &llvm::errs()))
    return kUsage;
  if (std::string problem = checkUsage(); !problem.empty())
    return fail(problem);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  CompileOptions options = getOptions(argv[0]);
  if (calibrateHost)
    return calibrate(options);
  if (priceOperations)
    return price(options);
#ifdef BOOST_MLIR_TEST_PASSES
  if (emulatable) {
    if (options.target != TargetKind::CUDA)
      return fail("--emulatable is for --target=cuda; --target=" +
                  getName(options.target).str() + " needs no emulator");
    options.runtime = "cuda-emulated";
    registerEmulatedImages(registry);
  }
#endif
  llvm::SmallVector<Stage> stages = getStages(options);
#ifdef BOOST_MLIR_TEST_PASSES
  test::registerTestPasses();
  if (std::string problem = prove::insertPasses(stages, insertPass);
      !problem.empty())
    return fail(problem);
#endif
  return mlir::boost::runOnDeepStack(
      [&] { return compile(options, stages, registry); });
}

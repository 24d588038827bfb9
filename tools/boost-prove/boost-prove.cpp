//===- boost-prove.cpp - Prove every pass by values -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boost-prove a.mlir b.mlir --mesh=1 --mesh=tp=2
// boost-prove --random=500 --seed=1
//
// Every program goes through the compiler on every mesh, one pass at a time;
// its functions are evaluated before and after each pass, in double on all
// ranks, and compared with the bound that the arithmetic of the pass allows.
//
// Exit codes: 0 proven, 1 a pass changed a result, 2 usage, 3 a program was
// refused.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/PlacementRules.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Prove/InsertedPasses.h"
#include "boost-mlir/Prove/PassByPass.h"
#include "boost-mlir/Prove/Shrink.h"
#include "boost-mlir/Support/DeepStack.h"
#include "boost-mlir/Support/InputFile.h"
#include "boost-mlir/Support/ProgramFile.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "TestPasses.h"
#endif

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace cl = llvm::cl;

// Options of LLVM's command line are static objects.
// NOLINTBEGIN(bugprone-throwing-static-initialization)
static cl::OptionCategory category("boost-prove options");

static cl::list<std::string> files(cl::Positional, cl::desc("<programs>"),
                                   cl::cat(category));
static cl::list<Mesh> meshes("mesh", cl::value_desc("dp=N,tp=N"),
                             cl::cat(category),
                             cl::desc("Ranks; may be given several times (1)"));
static cl::opt<PlacementKind>
    placement("placement", cl::init(PlacementKind::Bottleneck),
              cl::cat(category),
              cl::desc("How programs are sharded; random ones draw a placement "
                       "for auto, and take given for those with rules"));
static cl::list<std::string>
    machines("machine", cl::value_desc("file"), cl::cat(category),
             cl::desc("Prices that decide; given several times, programs whose "
                      "placement is drawn choose one"));
static cl::opt<int64_t> accumulate("accumulate", cl::init(1), cl::cat(category),
                                   cl::desc("Micro-batches per update (1)"));
static cl::opt<int64_t>
    microBatches("micro-batches", cl::init(1), cl::cat(category),
                 cl::desc("Parts that the batch is divided into (1)"));
static cl::opt<PipelineSchedule> pipelineSchedule(
    "pipeline-schedule", cl::init(SplitStagesPassOptions().order),
    cl::cat(category),
    cl::desc("The order in which pipeline stages compute (1f1b)"));
static cl::opt<int64_t> pipelineChunks(
    "pipeline-chunks", cl::init(SplitStagesPassOptions().chunks),
    cl::cat(category),
    cl::desc("Parts of consecutive layers on each pipeline stage (1)"));
static cl::opt<int64_t> zero("zero", cl::init(0), cl::cat(category),
                             cl::desc("1 to shard the optimizer's state over "
                                      "dp (0)"));
static cl::opt<int64_t> bucketBytes(
    "bucket-bytes", cl::init(MergeCollectivesPassOptions().bucketBytes),
    cl::cat(category),
    cl::desc("Most bytes of gradients or parameters in one launch"));
static cl::list<std::string>
    disablePass("disable-pass", cl::value_desc("name"), cl::cat(category),
                cl::desc("Leave out this pass; may be given several times"));
static cl::opt<PrecisionKind> precision("precision",
                                        cl::init(PrecisionKind::F32),
                                        cl::cat(category),
                                        cl::desc("Precision of f32 programs"));
static cl::opt<RematKind> remat("remat", cl::init(RematKind::None),
                                cl::cat(category),
                                cl::desc("Values to recompute"));
static cl::opt<std::string>
    pipeline("pipeline", cl::cat(category),
             cl::desc("Passes to prove in place of the compiler's stages"));
static cl::list<std::string>
    insertPass("insert-pass", cl::value_desc("after:STAGE:PASS"),
               cl::desc("Run a further pass at the end of a stage"),
               cl::cat(category));
static cl::opt<uint64_t> seed(
    "seed", cl::init(0), cl::cat(category),
    cl::desc("Seed of the values of arguments, and of random programs (0)"));
static cl::opt<uint64_t> randomPrograms(
    "random", cl::init(0), cl::value_desc("N"), cl::cat(category),
    cl::desc("Prove N random programs, of the seeds from --seed on; each "
             "chooses its mesh and what is left out"));
static cl::opt<bool> pipelines(
    "pipelines", cl::cat(category),
    cl::desc("Random programs draw pipeline stages, a schedule of these and a "
             "number of micro-batches, too"));
static cl::opt<std::string>
    writePrograms("write-programs", cl::value_desc("folder"), cl::cat(category),
                  cl::desc("Write the random programs instead of proving"));
static cl::opt<unsigned>
    shrinkAttempts("shrink-attempts", cl::init(1000), cl::cat(category),
                   cl::desc("Programs tried to make a failing one smaller"));
static cl::opt<double> shrinkSeconds(
    "shrink-seconds", cl::init(60), cl::cat(category),
    cl::desc("How long failing programs are made smaller, all together (60)"));
static cl::opt<std::string>
    saveTo("save-failures", cl::init("."), cl::value_desc("folder"),
           cl::cat(category),
           cl::desc("Where the IR before and after a failing pass goes (.)"));
// NOLINTEND(bugprone-throwing-static-initialization)

/// A context for one program: what it makes unique is freed with it.
static std::unique_ptr<MLIRContext> makeContext() {
  static DialectRegistry registry = [] {
    DialectRegistry all;
    registerAllDialects(all);
    return all;
  }();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

/// The reference decides where there is no machine.
static void setMachine(CompileOptions &options, StringRef file) {
  options.machine = file.str();
  options.toolDirectory = file.empty() ? "" : ".";
}

static ProofOptions getOptions() {
  ProofOptions options;
  options.compile.precision.precision = precision;
  options.compile.place.placement = placement;
  options.compile.disabledPasses = disablePass;
  options.compile.rematerialize.mode = remat;
  options.compile.step.accumulate = accumulate;
  options.compile.split.microBatches = microBatches;
  options.compile.pipeline.order = pipelineSchedule;
  options.compile.pipeline.chunks = pipelineChunks;
  options.compile.state.zero = zero;
  setMachine(options.compile, machines.empty() ? "" : machines.front());
  options.compile.merge.bucketBytes = bucketBytes;
  options.insertedPasses = insertPass;
  options.pipeline = pipeline;
  options.seed = seed;
  return options;
}

static std::string getSavePath(const llvm::Twine &name) {
  SmallString<128> path(saveTo);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static OwningOpRef<ModuleOp> readFile(const std::string &path,
                                      MLIRContext &context) {
  std::string message;
  auto file = openInput(path, &message);
  if (!file) {
    fail(Refused, message);
    return {};
  }
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  return readProgram(std::move(file), sources, &context);
}

static ProveExit proveFiles() {
  Report report(files.size() * meshes.size());
  for (const std::string &path : files)
    for (const Mesh &mesh : meshes) {
      std::unique_ptr<MLIRContext> context = makeContext();
      OwningOpRef<ModuleOp> program = readFile(path, *context);
      if (!program)
        return fail(Refused, "cannot read '" + path + "'");
      ProofOptions options = getOptions();
      options.compile.place.mesh = mesh;
      options.saveAs =
          getSavePath(llvm::sys::path::stem(path) + "." + mesh.str());
      report.add(proveProgram(*program, options),
                 path + " on mesh " + mesh.str(), options.saveAs);
    }
  return report.finish();
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

namespace {
/// The options that a random program is compiled with.
struct RandomPlacement {
  PlacementKind kind;
  std::string machine;
  Mesh mesh;
  int64_t zero = 0;
  /// With pipeline stages: the layers to divide among them, the order and the
  /// micro-batches.
  int64_t layers = 0, chunks = 1, accumulate = 1;
  PipelineSchedule order = PipelineSchedule::OneForwardOneBackward;
};
} // namespace

/// Returns the part of a mesh with the axis `name`; one rank if it has none.
static Mesh getPartOfMesh(const Mesh &mesh, StringRef name) {
  if (std::optional<int16_t> axis = mesh.findAxis(name))
    return Mesh({name.str()}, {mesh.getAxisSize(*axis)});
  return Mesh::ofTensorAxis(1);
}

/// Returns the pass that gives a program layers.
static std::string getLayerCutter(const RandomPlacement &placed) {
  return "after:structure:test-boost-assign-layers{layers=" +
         std::to_string(placed.layers) + "}";
}

static ProofOptions getOptions(const RandomProgram &program,
                               const RandomPlacement &placed) {
  ProofOptions options = getOptions();
  options.compile.place.placement = placed.kind;
  options.compile.place.mesh = placed.mesh;
  setMachine(options.compile, placed.machine);
  options.compile.state.zero = placed.zero;
  if (placed.layers > 0) {
    options.compile.step.accumulate = placed.accumulate;
    options.compile.pipeline.order = placed.order;
    options.compile.pipeline.chunks = placed.chunks;
    options.insertedPasses.push_back(getLayerCutter(placed));
  }
  options.compile.disabledPasses = program.disabledPasses;
  options.compile.rematerialize.mode = program.remat;
  return options;
}

/// Returns a program after a stage, or null if it is refused.
static OwningOpRef<ModuleOp> runUpTo(StageId last, RandomProgram &program,
                                     const RandomPlacement &placed) {
  ScopedDiagnosticHandler silence(program.module->getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = program.module->clone();
  ProofOptions options = getOptions(program, placed);
  for (const Stage &stage : getProvableStages(options)) {
    PassManager manager(module->getContext(), ModuleOp::getOperationName());
    if (failed(stage.addPasses(manager, options.compile)) ||
        failed(manager.run(*module)))
      return {};
    if (stage.id == last)
      break;
  }
  return module;
}

/// Returns true if the mesh of the placement divides the sizes of the program.
static bool canPlace(RandomProgram &program, const RandomPlacement &placed) {
  return static_cast<bool>(runUpTo(StageId::Place, program, placed));
}

/// Returns true if the loss reads a batch, which micro-batches are parts of.
static bool readsBatch(RandomProgram &program, const RandomPlacement &placed) {
  OwningOpRef<ModuleOp> module = runUpTo(StageId::Place, program, placed);
  auto loss = module ? module->lookupSymbol<FunctionOpInterface>(kLossFunction)
                     : FunctionOpInterface();
  return !loss || hasMicroBatch(loss);
}

/// Returns the number of layers that every function has once all passes before
/// the stages have simplified it.
static int64_t countLayers(RandomProgram &program,
                           const RandomPlacement &placed) {
  OwningOpRef<ModuleOp> module =
      runUpTo(StageId::Rematerialize, program, placed);
  int64_t fewest = placed.layers;
  if (!module)
    return fewest;
  for (auto schedule : module->getOps<ScheduleOp>())
    for (CalledFunction called : getCalledFunctions(schedule)) {
      if (!hasMicroBatch(called.function))
        continue;
      llvm::SmallDenseSet<LayerAttr> layers;
      called.function->walk([&](Operation *op) {
        if (isa<PhaseOp>(op))
          return WalkResult::interrupt();
        if (LayerAttr layer = getLayer(op))
          layers.insert(layer);
        return WalkResult::advance();
      });
      fewest = std::min<int64_t>(fewest, layers.size());
    }
  return fewest;
}

/// Adds pipeline stages to the mesh of a placement, unless the program has no
/// batch or too few operations for them.
static void drawPipeline(RandomProgram &program, RandomPlacement &placed,
                         Choices &choices) {
  constexpr int64_t numStages[] = {1, 2, 4, 2};
  constexpr PipelineSchedule orders[] = {
      PipelineSchedule::OneForwardOneBackward, PipelineSchedule::GPipe,
      PipelineSchedule::ZeroBubble, PipelineSchedule::Interleaved};
  int64_t stages = numStages[choices.below(4)];
  RandomPlacement divided = placed;
  divided.order = orders[choices.below(4)];
  bool isInterleaved = divided.order == PipelineSchedule::Interleaved;
  divided.chunks = isInterleaved ? 2 : 1;
  divided.accumulate =
      isInterleaved ? stages : 1 + static_cast<int64_t>(choices.below(4));
  int64_t parts = stages * divided.chunks;
  divided.layers = parts * (1 + static_cast<int64_t>(choices.below(3)));
  if (stages == 1 || stages * placed.mesh.getNumRanks() > 8)
    return;
  SmallVector<std::string> names = {kPipelineAxis.str()};
  SmallVector<int64_t> sizes = {stages};
  llvm::append_range(names, placed.mesh.getNames());
  llvm::append_range(sizes, placed.mesh.getSizes());
  divided.mesh = Mesh(names, sizes);
  if (readsBatch(program, divided) && countLayers(program, divided) >= parts)
    placed = divided;
}

/// A placement of any name, on the largest part of the mesh that divides the
/// program: that is made without regard to a placement.
static RandomPlacement drawPlacement(RandomProgram &program, Choices &choices) {
  SmallVector<PlacementKind> kinds = {
      PlacementKind::Given, PlacementKind::Replicated, PlacementKind::Searched};
  for (const NamedValue<PlacementKind> &named : getNamedValues<PlacementKind>())
    if (findPlacementRules(named.value))
      kinds.push_back(named.value);
  RandomPlacement placed;
  placed.kind = kinds[choices.below(static_cast<uint32_t>(kinds.size()))];
  placed.zero = choices.below(2);
  if (!machines.empty())
    placed.machine =
        machines[choices.below(static_cast<uint32_t>(machines.size()))];
  for (const Mesh &mesh :
       {program.mesh, getPartOfMesh(program.mesh, kTensorAxis),
        getPartOfMesh(program.mesh, kDataAxis), Mesh::ofTensorAxis(1)}) {
    placed.mesh = mesh;
    // The shardings of `given` name axes of the mesh.
    if (placed.kind == PlacementKind::Given || canPlace(program, placed))
      break;
  }
  return placed;
}

/// Returns the placement of a random program. A search shards the batch over
/// `dp`, but a random batch has any number of rows, so `tp` alone is used.
static RandomPlacement getRandomPlacement(RandomProgram &program,
                                          Choices &choices) {
  RandomPlacement placed;
  if (placement == PlacementKind::Auto) {
    placed = drawPlacement(program, choices);
  } else {
    bool isSearched = placement == PlacementKind::Searched;
    placed.kind = isSearched ? PlacementKind::Searched : PlacementKind::Given;
    placed.machine = machines.empty() ? "" : machines.front();
    placed.mesh =
        isSearched ? getPartOfMesh(program.mesh, kTensorAxis) : program.mesh;
    placed.zero = zero;
  }
  if (pipelines)
    drawPipeline(program, placed, choices);
  return placed;
}

/// Proves the program of a sequence of choices. Counts how it was placed in
/// `report`, if that is not null.
static Proof proveChoices(Choices &choices, StringRef saveAs,
                          Report *report = nullptr) {
  std::unique_ptr<MLIRContext> context = makeContext();
  RandomProgram program = makeRandomProgram(context.get(), choices);
  Proof proof;
  if (failed(verify(*program.module))) {
    proof.refusal = "the random program is not valid";
    return proof;
  }
  RandomPlacement placed = getRandomPlacement(program, choices);
  if (report)
    report->countPlacement(getName(placed.kind), placed.mesh.getNumRanks() > 1,
                           placed.layers > 0);
  ProofOptions options = getOptions(program, placed);
  options.saveAs = saveAs.str();
  return proveProgram(*program.module, options);
}

/// Writes a program that a test can keep; whether that worked.
static bool saveProgram(Choices choices, const std::string &path) {
  std::unique_ptr<MLIRContext> context = makeContext();
  RandomProgram program = makeRandomProgram(context.get(), choices);
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return false;
  RandomPlacement placed = getRandomPlacement(program, choices);
  file << "// RUN: boost-prove %s --placement=" << getName(placed.kind)
       << " --mesh=" << placed.mesh << " --seed=" << seed
       << " --remat=" << getName(program.remat);
  if (placed.zero)
    file << " --zero=" << placed.zero << " --bucket-bytes=" << bucketBytes;
  if (!placed.machine.empty())
    file << " --machine=" << placed.machine;
  if (placed.layers > 0)
    file << " --accumulate=" << placed.accumulate
         << " --pipeline-schedule=" << getName(placed.order)
         << " --pipeline-chunks=" << placed.chunks
         << " '--insert-pass=" << getLayerCutter(placed) << "'";
  for (const std::string &pass : program.disabledPasses)
    file << " --disable-pass=" << pass;
  file << "\n\n" << *program.module << "\n";
  return true;
}

/// Makes a failing program small, within what is left of the time for all.
static Choices makeSmall(const Choices &choices, const Proof &proof,
                         StringRef name) {
  static double spentSeconds = 0;
  std::string signature = proof.getSignature();
  auto failsAlike = [&](Choices &candidate) {
    Proof smaller = proveChoices(candidate, "");
    return !smaller.isComplete() && smaller.getSignature() == signature;
  };
  std::chrono::duration<double> left(shrinkSeconds - spentSeconds);
  Shrunk shrunk = shrink(choices, {shrinkAttempts, left}, failsAlike);
  spentSeconds += shrunk.time.count();
  llvm::errs() << "note: " << name << " made small in " << shrunk.attempts
               << " steps and "
               << llvm::formatv("{0:f1} s", shrunk.time.count());
  if (!shrunk.isComplete)
    llvm::errs() << ", the limit: --shrink-seconds and --shrink-attempts "
                    "allow more";
  llvm::errs() << "\n";
  return Choices(shrunk.smallest.getRecord());
}

/// Proves one random program; one that fails is made small first.
static void proveRandom(uint64_t programSeed, Report &report) {
  Choices choices(programSeed);
  Proof proof = proveChoices(choices, "", &report);
  std::string name = "random program " + std::to_string(programSeed);
  if (proof.isComplete())
    return report.add(proof, name, "");
  Choices smallest = makeSmall(choices, proof, name);
  std::string saveAs = getSavePath("random-" + std::to_string(programSeed));
  if (!saveProgram(smallest, saveAs + ".mlir"))
    fail(Refused, "cannot write '" + saveAs + ".mlir'");
  report.add(proveChoices(smallest, saveAs), name, saveAs);
}

/// Writes the random programs to files.
static ProveExit writeRandomPrograms() {
  for (uint64_t i = 0; i < randomPrograms; ++i) {
    std::string name = "random-" + std::to_string(seed + i) + ".mlir";
    SmallString<128> path(writePrograms);
    llvm::sys::path::append(path, name);
    if (!saveProgram(Choices(seed + i), path.str().str()))
      return fail(Refused, "cannot write '" + path.str() + "'");
  }
  return Proven;
}

static ProveExit proveRandomPrograms() {
  Report report(randomPrograms);
  for (uint64_t i = 0; i < randomPrograms; ++i)
    proveRandom(seed + i, report);
  return report.finish();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Proves every pass of the compiler by values.\n",
          &llvm::errs()))
    return Usage;
  registerAllPasses();
#ifdef BOOST_MLIR_TEST_PASSES
  test::registerTestPasses();
#endif
  if (files.empty() == (randomPrograms == 0))
    return fail(Usage, "name programs to prove, or say --random=N");
  if (meshes.empty())
    meshes.push_back(Mesh::ofTensorAxis(1));
  CompileOptions check = getOptions().compile;
  SmallVector<Stage> stages = getStages(check);
  for (const std::string &problem :
       {insertPasses(stages, insertPass), checkSwitches(check)})
    if (!problem.empty())
      return fail(Usage, problem);
  return runOnDeepStack([]() -> int {
    if (!randomPrograms)
      return proveFiles();
    return writePrograms.empty() ? proveRandomPrograms()
                                 : writeRandomPrograms();
  });
}

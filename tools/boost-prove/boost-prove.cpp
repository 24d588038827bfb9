//===- boost-prove.cpp - Prove every pass by values -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boost-prove a.mlir b.mlir --mesh=1 --mesh=tp=2
//
// Every program goes through the compiler on every mesh, one pass at a time;
// its functions are evaluated before and after each pass, in double on all
// ranks, and compared with the bound that the arithmetic of the pass allows.
//
// Exit codes: 0 proven, 1 a pass changed a result, 2 usage, 3 a program was
// refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Prove/PassByPass.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "TestPasses.h"
#endif

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace cl = llvm::cl;

namespace {
enum ProveExit { Proven = 0, Mismatched = 1, Usage = 2, Refused = 3 };
} // namespace

// Options of LLVM's command line are static objects.
// NOLINTBEGIN(bugprone-throwing-static-initialization)
static cl::OptionCategory category("boost-prove options");

static cl::list<std::string> files(cl::Positional, cl::desc("<programs>"),
                                   cl::cat(category));
static cl::list<std::string>
    meshes("mesh", cl::value_desc("dp=N,tp=N"), cl::cat(category),
           cl::desc("Ranks; may be given several times (1)"));
static cl::opt<std::string>
    placement("placement", cl::init("auto"), cl::cat(category),
              cl::desc("auto, bottleneck, megatron, replicated or given"));
static cl::opt<int64_t> accumulate("accumulate", cl::init(1), cl::cat(category),
                                   cl::desc("Micro-batches per update (1)"));
static cl::opt<std::string>
    pipeline("pipeline", cl::cat(category),
             cl::desc("Passes to prove in place of the compiler's stages"));
static cl::list<std::string>
    insertPass("insert-pass", cl::value_desc("after:STAGE:PASS"),
               cl::desc("Run a further pass at the end of a stage"),
               cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::cat(category),
                              cl::desc("Of the values of arguments (0)"));
static cl::opt<std::string>
    saveTo("save-failures", cl::init("."), cl::value_desc("folder"),
           cl::cat(category),
           cl::desc("Where the IR before and after a failing pass goes (.)"));
// NOLINTEND(bugprone-throwing-static-initialization)

static ProveExit fail(ProveExit code, const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "boost-prove") << message << "\n";
  return code;
}

namespace {
/// Counts what was proven and shows how far it is.
class Report {
public:
  explicit Report(size_t total)
      : total(total), isTerminal(llvm::sys::Process::StandardErrIsDisplayed()) {
  }

  void add(const Proof &proof, const llvm::Twine &name,
           const std::string &savedAs);
  ProveExit finish() const;

private:
  void showProgress() const;

  size_t total, programs = 0, passes = 0, changes = 0, mismatches = 0,
                refusals = 0;
  bool isTerminal;
};
} // namespace

void Report::showProgress() const {
  constexpr size_t width = 30;
  size_t full = total == 0 ? width : programs * width / total;
  llvm::errs() << "\r[" << std::string(full, '#')
               << std::string(width - full, ' ') << "] " << programs << "/"
               << total << " programs, " << passes << " passes, " << mismatches
               << " mismatches";
}

void Report::add(const Proof &proof, const llvm::Twine &name,
                 const std::string &savedAs) {
  ++programs;
  passes += proof.passes;
  changes += proof.changes;
  if (isTerminal && !proof.isComplete())
    llvm::errs() << "\n";
  if (proof.mismatch) {
    ++mismatches;
    fail(Mismatched, name + ": " + proof.mismatch->pass + " changes @" +
                         proof.mismatch->function + ": " +
                         proof.mismatch->what);
    llvm::errs() << "note: IR before and after in " << savedAs
                 << ".before.mlir and .after.mlir\n";
  } else if (!proof.refusal.empty()) {
    ++refusals;
    fail(Refused, name + ": refused: " + proof.refusal);
  }
  if (isTerminal)
    showProgress();
}

ProveExit Report::finish() const {
  if (isTerminal)
    llvm::errs() << "\r\x1b[2K";
  llvm::outs() << programs << " programs, " << passes
               << " passes x programs compared (" << changes
               << " changed the program), " << mismatches << " mismatches";
  if (refusals)
    llvm::outs() << ", " << refusals << " refused";
  llvm::outs() << "\n";
  return mismatches ? Mismatched : refusals ? Refused : Proven;
}

/// Proves one program on one mesh: with every float f64, and as it is when it
/// has floats that would be lost so.
static void proveFile(ModuleOp program, StringRef path, StringRef mesh,
                      Report &report) {
  ProofOptions options;
  options.compile.mesh = mesh.str();
  options.compile.placement = placement;
  options.compile.accumulate = accumulate;
  options.compile.insertedPasses = insertPass;
  options.pipeline = pipeline;
  options.seed = seed;
  auto prove = [&](StringRef form) {
    SmallString<128> saveAs(saveTo);
    llvm::sys::path::append(saveAs, llvm::sys::path::stem(path) + "." + mesh +
                                        "." + form);
    options.saveAs = saveAs.str().str();
    report.add(provePasses(program, options),
               path + " (mesh " + mesh + ", " + form + ")", options.saveAs);
  };
  bool canWiden = canWidenFloats(program);
  if (!canWiden || hasNarrowFloats(program))
    prove("own types");
  if (!canWiden)
    return;
  widenFloats(program);
  prove("f64");
}

static ProveExit proveFiles() {
  DialectRegistry registry;
  registerAllDialects(registry);
  Report report(files.size() * meshes.size());
  for (const std::string &path : files)
    for (const std::string &mesh : meshes) {
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      context.allowUnregisteredDialects();
      OwningOpRef<ModuleOp> program =
          parseSourceFile<ModuleOp>(path, ParserConfig(&context));
      if (!program)
        return fail(Refused, "cannot read '" + path + "'");
      proveFile(*program, path, mesh, report);
    }
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
  if (files.empty())
    return fail(Usage, "name programs to prove");
  if (meshes.empty())
    meshes.push_back("1");
  CompileOptions check;
  check.insertedPasses = insertPass;
  if (std::string problem = checkInsertedPasses(check); !problem.empty())
    return fail(Usage, problem);
  return proveFiles();
}

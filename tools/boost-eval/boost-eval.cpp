//===- boost-eval.cpp - Evaluate and compare programs in double -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boost-eval a.mlir --inputs random:7           prints the results
// boost-eval --compare a.mlir b.mlir            do both compute the same?
//
// Exit codes: 0 done or equal, 1 different, 2 usage, 3 input refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Reference/Program.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

namespace cl = llvm::cl;

enum ExitCode { Equal = 0, Different = 1, Usage = 2, Refused = 3 };

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("<program> [<other program>]"));
static cl::opt<bool>
    compare("compare",
            cl::desc("Evaluate two programs on the same inputs and report the "
                     "first result that differs"));
static cl::opt<std::string> functionName("function", cl::init("loss"),
                                         cl::desc("Function to evaluate"));
static cl::opt<std::string> inputs("inputs", cl::init("random:0"),
                                   cl::desc("random:SEED"));
static cl::opt<Rounding> rounding(
    "rounding", cl::desc("What results are rounded to"),
    cl::values(clEnumValN(Rounding::None, "none", "nothing: f64 throughout"),
               clEnumValN(Rounding::Typed, "typed", "their element type")),
    cl::init(Rounding::None));
static cl::opt<double>
    tolerance("tolerance", cl::init(1e-12),
              cl::desc("Largest relative difference of two results, and of "
                       "copies on different ranks"));

static std::optional<uint64_t> parseSeed() {
  StringRef text = inputs;
  uint64_t seed;
  if (!text.consume_front("random:") || text.getAsInteger(10, seed))
    return std::nullopt;
  return seed;
}

/// Largest difference relative to the largest magnitude, and where it is.
static std::pair<double, size_t> difference(const Tensor &a, const Tensor &b) {
  double scale = 0, largest = 0;
  size_t where = 0;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(a.data, b.data))) {
    auto [x, y] = pair;
    scale = std::max({scale, std::abs(x), std::abs(y)});
    double gap = std::abs(x - y);
    if (std::isnan(gap) && !(std::isnan(x) && std::isnan(y)))
      return {INFINITY, i};
    if (gap > largest) {
      largest = gap;
      where = i;
    }
  }
  return {scale == 0 ? 0 : largest / scale, where};
}

static void print(const Program &program, const NamedTensors &results) {
  for (const NamedType &result : program.results()) {
    const Tensor &tensor = results.at(result.name);
    double sum = 0;
    for (double value : tensor.data)
      sum += value * value;
    llvm::outs() << result.name << " : " << result.type << " norm "
                 << llvm::format("%.17g", std::sqrt(sum)) << " [";
    for (size_t i = 0; i < std::min<size_t>(tensor.data.size(), 4); ++i)
      llvm::outs() << (i ? ", " : "") << llvm::format("%.17g", tensor.data[i]);
    llvm::outs() << (tensor.data.size() > 4 ? ", ...]\n" : "]\n");
  }
}

/// Reports every result of `first` that `second` has too and computes
/// differently.
static ExitCode report(const Program &program, const NamedTensors &first,
                       const NamedTensors &second) {
  double worst = 0;
  size_t compared = 0;
  for (const NamedType &result : program.results()) {
    auto other = second.find(result.name);
    if (other == second.end())
      continue;
    const Tensor &a = first.at(result.name), &b = other->second;
    if (a.shape() != b.shape()) {
      llvm::outs() << result.name << ": " << a.type << " against " << b.type
                   << "\n";
      return Different;
    }
    auto [gap, where] = difference(a, b);
    worst = std::max(worst, gap);
    ++compared;
    if (gap > tolerance) {
      llvm::outs() << result.name << ": relative difference "
                   << llvm::format("%.3g", gap) << " at element " << where
                   << ": " << llvm::format("%.17g", a.data[where])
                   << " against " << llvm::format("%.17g", b.data[where])
                   << "\n";
      return Different;
    }
  }
  if (compared == 0) {
    llvm::errs()
        << "boost-eval: error: the programs have no result in common\n";
    return Refused;
  }
  llvm::outs() << compared << " results equal, largest relative difference "
               << llvm::format("%.3g", worst) << "\n";
  return Equal;
}

namespace {
/// A parsed file, its diagnostics, and its function.
struct Loaded {
  llvm::SourceMgr sources;
  std::unique_ptr<SourceMgrDiagnosticHandler> diagnostics;
  OwningOpRef<ModuleOp> module;
  std::optional<Program> program;

  bool load(StringRef path, MLIRContext &context) {
    std::string message;
    auto buffer = openInputFile(path, &message);
    if (!buffer) {
      llvm::errs() << "boost-eval: error: " << message << "\n";
      return false;
    }
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    diagnostics =
        std::make_unique<SourceMgrDiagnosticHandler>(sources, &context);
    module = parseSourceFile<ModuleOp>(sources, &context);
    if (!module)
      return false;
    FailureOr<Program> created = Program::create(*module, functionName);
    if (succeeded(created))
      program = *created;
    return succeeded(created);
  }
};
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "boost-mlir reference evaluator\n");
  std::optional<uint64_t> seed = parseSeed();
  if (!seed || files.size() != (compare ? 2u : 1u)) {
    llvm::errs() << "boost-eval: error: "
                 << (seed ? "expects one program, or two with --compare"
                          : "expects --inputs random:SEED")
                 << "\n";
    return Usage;
  }

  DialectRegistry registry;
  boost::registerAllDialects(registry);
  MLIRContext context(registry);
  std::vector<Loaded> programs(files.size());
  for (auto [program, path] : llvm::zip_equal(programs, files))
    if (!program.load(path, context))
      return Refused;

  NamedTensors values = randomInputs(programs[0].program->arguments(), *seed);
  SmallVector<NamedTensors> results;
  for (Loaded &loaded : programs) {
    FailureOr<NamedTensors> result =
        loaded.program->run(values, rounding, tolerance);
    if (failed(result))
      return Refused;
    results.push_back(std::move(*result));
  }
  if (!compare) {
    print(*programs[0].program, results[0]);
    return Equal;
  }
  return report(*programs[0].program, results[0], results[1]);
}

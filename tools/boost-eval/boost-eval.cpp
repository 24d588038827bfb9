//===- boost-eval.cpp - Evaluate and compare programs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boost-eval a.mlir --inputs random:7               prints the results
// boost-eval a.mlir --inputs in.safetensors --outputs out.safetensors
// boost-eval a.mlir --inputs in.safetensors --probes reference.safetensors
//            --function=verify --then=update:more.safetensors
// boost-eval a.mlir --function=train --steps=3      three steps by @train
// boost-eval --compare a.mlir b.mlir                do both compute the same?
//
// Exit codes: 0 done or equal, 1 different, 2 usage, 3 input refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Reference/Comparison.h"
#include "boost-mlir/Reference/TensorFiles.h"
#include "boost-mlir/Reference/Verification.h"
#include "boost-mlir/Support/InputFile.h"
#include "boost-mlir/Support/ProgramFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

namespace cl = llvm::cl;

enum ExitCode { Equal = 0, Different = 1, Usage = 2, Refused = 3 };

static cl::OptionCategory category("boost-eval options");
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::cat(category),
                                   cl::desc("<program> [<other program>]"));
static cl::opt<bool>
    compare("compare", cl::cat(category),
            cl::desc("Evaluate two programs on the same inputs and report the "
                     "first result that differs"));
static cl::opt<std::string>
    functionName("function", cl::init("loss"), cl::cat(category),
                 cl::desc("Function or schedule to evaluate (loss)"));
static cl::opt<int64_t>
    steps("steps", cl::init(1), cl::value_desc("N"), cl::cat(category),
          cl::desc("Evaluate N times: results replace the arguments of their "
                   "names, as in steps of training (1)"));
static cl::opt<bool> everyFunction(
    "every-function", cl::cat(category),
    cl::desc("With --compare, evaluate every function of the first program"));
static cl::opt<std::string>
    inputs("inputs", cl::init("random:0"),
           cl::value_desc("random:SEED or FILE.safetensors"), cl::cat(category),
           cl::desc("Values of the arguments, as global tensors"));
static cl::opt<std::string>
    saveInputs("save-inputs", cl::value_desc("FILE.safetensors"),
               cl::cat(category),
               cl::desc("Write the values of the arguments"));
static cl::opt<std::string> outputs("outputs",
                                    cl::value_desc("FILE.safetensors"),
                                    cl::cat(category),
                                    cl::desc("Write the results"));
static cl::opt<std::string> probes(
    "probes", cl::value_desc("FILE.safetensors"), cl::cat(category),
    cl::desc("Write what probes show as value.0.probe.SITE, results as "
             "value.0.result.NAME, and how far rounding can carry elements "
             "of each as bound.* and all of them together as gain.*, "
             "instead of printing results"));
static cl::list<std::string> laterRuns(
    "then", cl::value_desc("FUNCTION[:FILE.safetensors]"), cl::cat(category),
    cl::desc("With --probes, evaluate this function next. Results replace the "
             "inputs of their names, and then the tensors of the file do. Its "
             "results are value.RUN.result.NAME, runs being numbered from 0"));
static cl::opt<int64_t>
    samples("samples", cl::init(16), cl::value_desc("N"), cl::cat(category),
            cl::desc("Evaluations with random rounding that bounds are taken "
                     "from; an even number (16)"));
static cl::opt<Rounding> rounding(
    "rounding", cl::cat(category),
    cl::desc("Type that results are rounded to after every operation"),
    cl::values(clEnumValN(Rounding::None, "f64", "f64 throughout"),
               clEnumValN(Rounding::F32, "f32", "f32, or a narrower own type"),
               clEnumValN(Rounding::BF16, "bf16", "bf16"),
               clEnumValN(Rounding::Typed, "typed", "their element type")),
    cl::init(Rounding::None));
static cl::opt<double>
    tolerance("tolerance", cl::init(1e-12), cl::cat(category),
              cl::desc("Largest relative difference of two results, and of "
                       "copies on different ranks"));

static ExitCode fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "boost-eval: error: " << message << "\n";
  return code;
}

/// The values of the arguments as --inputs says.
static llvm::Expected<NamedTensors> getInputs(const Program &program) {
  StringRef text = inputs;
  uint64_t seed;
  if (!text.consume_front("random:"))
    return readTensors(inputs, program.arguments());
  if (!text.getAsInteger(10, seed))
    return randomInputs(program.arguments(), seed);
  return llvm::createStringError("expects --inputs of random:SEED or a "
                                 "safetensors file, but got '" +
                                 inputs + "'");
}

static void print(const Program &program, const NamedTensors &results) {
  for (const NamedType &result : program.results()) {
    const Tensor &tensor = results.at(result.name);
    double sum = 0;
    for (size_t i = 0; i < tensor.size(); ++i)
      sum += tensor.toDouble(i) * tensor.toDouble(i);
    llvm::outs() << result.name << " : " << result.type << " norm "
                 << llvm::format("%.17g", std::sqrt(sum)) << " [";
    for (size_t i = 0; i < std::min<size_t>(tensor.size(), 4); ++i)
      llvm::outs() << (i ? ", " : "") << tensor.spell(i);
    llvm::outs() << (tensor.size() > 4 ? ", ...]\n" : "]\n");
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
    Difference difference = compareTensors(a, b);
    worst = std::max(worst, difference.relative());
    ++compared;
    // Integers are exact.
    bool isExact = !a.isFloat() && !b.isFloat();
    if (isExact ? !difference.isEqual : difference.relative() > tolerance) {
      size_t element = difference.element;
      llvm::outs() << result.name << ": relative difference "
                   << llvm::format("%.3g", difference.relative())
                   << " at element " << describeElement(a.shape(), element)
                   << ": " << a.spell(element) << " against "
                   << b.spell(element) << "\n";
      return Different;
    }
  }
  if (compared == 0)
    return fail(Refused, "the programs have no result in common");
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
    auto buffer = boost::openInput(path, &message);
    if (!buffer) {
      fail(Refused, message);
      return false;
    }
    diagnostics =
        std::make_unique<SourceMgrDiagnosticHandler>(sources, &context);
    module = boost::readProgram(std::move(buffer), sources, &context);
    return static_cast<bool>(module);
  }

  /// Takes the function of this name; false, with an error, if there is none.
  bool select(StringRef function) {
    FailureOr<Program> created = Program::create(*module, function);
    if (succeeded(created))
      program = *created;
    return succeeded(created);
  }
};
} // namespace

/// Evaluates all programs on the same inputs.
static ExitCode evaluate(MutableArrayRef<Loaded> programs,
                         SmallVectorImpl<NamedTensors> &results) {
  const Program &first = *programs.front().program;
  llvm::Expected<NamedTensors> values = getInputs(first);
  if (!values)
    return fail(Refused, llvm::toString(values.takeError()));
  if (!saveInputs.empty())
    if (llvm::Error error =
            writeTensors(saveInputs, first.arguments(), *values))
      return fail(Refused, llvm::toString(std::move(error)));
  for (Loaded &loaded : programs) {
    NamedTensors state = *values, result;
    for (int64_t step = 0; step < steps; ++step) {
      FailureOr<NamedTensors> evaluated =
          loaded.program->run(state, rounding.getValue(), tolerance);
      if (failed(evaluated))
        return Refused;
      result = std::move(*evaluated);
      for (const auto &[name, tensor] : result)
        state[name] = tensor;
    }
    results.push_back(std::move(result));
  }
  if (!outputs.empty())
    if (llvm::Error error =
            writeTensors(outputs, first.results(), results.front()))
      return fail(Refused, llvm::toString(std::move(error)));
  return Equal;
}

/// The functions that --function and --then name, in their order. All of them
/// may need a tensor of a file.
static llvm::Expected<std::vector<ReferenceRun>> getRuns(ModuleOp module) {
  std::vector<std::pair<StringRef, StringRef>> named{
      {functionName.getValue(), inputs.getValue()}};
  for (const std::string &text : laterRuns)
    named.push_back(StringRef(text).split(':'));
  std::vector<ReferenceRun> runs;
  std::vector<NamedType> arguments;
  for (auto [function, file] : named) {
    FailureOr<Program> program = Program::create(module, function);
    if (failed(program))
      return llvm::createStringError("cannot evaluate '" + function + "'");
    llvm::append_range(arguments, program->arguments());
    runs.push_back({*program, {}});
  }
  for (auto [run, name] : llvm::zip_equal(runs, named)) {
    if (name.second.empty())
      continue;
    auto values = name.second.starts_with("random:")
                      ? getInputs(run.program)
                      : readTensors(name.second, arguments,
                                    /*allowMissing=*/true);
    if (!values)
      return values.takeError();
    run.inputs = std::move(*values);
  }
  return runs;
}

/// The file that a compiled program compares itself with.
static ExitCode writeProbes(ModuleOp module) {
  auto runs = getRuns(module);
  if (!runs)
    return fail(Refused, llvm::toString(runs.takeError()));
  FailureOr<std::vector<BoundedTensor>> bounded =
      evaluateWithBounds(*runs, samples);
  if (failed(bounded))
    return Refused;
  std::vector<NamedType> order;
  NamedTensors tensors;
  auto add = [&](const std::string &name, Tensor tensor) {
    order.push_back({name, tensor.type});
    tensors[name] = std::move(tensor);
  };
  for (BoundedTensor &tensor : *bounded) {
    auto scalar = RankedTensorType::get(
        {}, Float64Type::get(tensor.value.type.getContext()));
    Tensor bound(scalar), gain(scalar);
    bound.data[0] = tensor.bound;
    gain.data[0] = tensor.gainBound;
    add("value." + tensor.name, std::move(tensor.value));
    add("bound." + tensor.name, std::move(bound));
    add("gain." + tensor.name, std::move(gain));
  }
  if (llvm::Error error = writeTensors(probes, order, tensors))
    return fail(Refused, llvm::toString(std::move(error)));
  return Equal;
}

/// Evaluates one function of all programs, and compares or prints the results.
static ExitCode evaluate(MutableArrayRef<Loaded> programs, StringRef function) {
  for (Loaded &loaded : programs)
    if (!loaded.select(function))
      return Refused;
  SmallVector<NamedTensors> results;
  if (ExitCode code = evaluate(programs, results); code != Equal)
    return code;
  const Program &first = *programs.front().program;
  if (compare)
    return report(first, results[0], results[1]);
  print(first, results[0]);
  return Equal;
}

/// Compares every function of the first program that has a body.
static ExitCode compareEveryFunction(MutableArrayRef<Loaded> programs) {
  ExitCode worst = Equal;
  for (auto function : programs.front().module->getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    llvm::outs() << "@" << function.getName() << ": ";
    llvm::outs().flush();
    worst = std::max(worst, evaluate(programs, function.getName()));
  }
  return worst;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "boost-mlir reference evaluator\n", &llvm::errs()))
    return Usage;
  if (files.size() != (compare ? 2u : 1u))
    return fail(Usage, "expects one program, or two with --compare");
  if (!probes.empty() && compare)
    return fail(Usage, "--probes is of one program, without --compare");
  bool isOfOne = !probes.empty() || !outputs.empty() || !saveInputs.empty() ||
                 functionName.getNumOccurrences() > 0;
  if (everyFunction && (!compare || isOfOne))
    return fail(Usage, "--every-function expects --compare, and no file or "
                       "function");
  if (probes.empty() && !laterRuns.empty())
    return fail(Usage, "--then expects --probes");
  if (steps < 1 || (steps > 1 && !probes.empty()))
    return fail(Usage, "--steps expects a number of 1 or more, without "
                       "--probes");
  if (samples < 2 || samples % 2 != 0)
    return fail(Usage, "--samples expects an even number of 2 or more");

  DialectRegistry registry;
  boost::registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  std::vector<Loaded> programs(files.size());
  for (auto [program, path] : llvm::zip_equal(programs, files))
    if (!program.load(path, context))
      return Refused;
  if (!probes.empty())
    return writeProbes(*programs.front().module);
  return everyFunction ? compareEveryFunction(programs)
                       : evaluate(programs, functionName);
}

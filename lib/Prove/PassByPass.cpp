//===- PassByPass.cpp - Passes proven by values ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass instrumentation keeps what every function computed last and evaluates
// again those that a pass changed. What comes out of these passes is lowered.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/PassByPass.h"

#include "Judge.h"
#include "TrainingOracle.h"
#include "Widen.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Prove/InsertedPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

/// The largest error that folding constants in f32 adds to an operation.
static constexpr double kFoldingBound = 0x1p-24;

/// The functions that stand for the program; private ones are called by them.
static SmallVector<func::FuncOp> getFunctions(ModuleOp module) {
  return llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp function) { return function.isPublic(); });
}

/// Returns true if functions are divided among pipeline stages.
static bool hasStages(ModuleOp module) {
  return llvm::any_of(getFunctions(module), [](func::FuncOp function) {
    return getStage(function).has_value();
  });
}

/// Returns what is evaluated: functions, or the schedules that call them once
/// they are divided among pipeline stages.
static SmallVector<StringRef> getEvaluated(ModuleOp module) {
  SmallVector<StringRef> names;
  for (func::FuncOp function : getFunctions(module))
    if (!getStage(function))
      names.push_back(function.getName());
  if (hasStages(module))
    for (auto schedule : module.getOps<ScheduleOp>())
      names.push_back(schedule.getName());
  return names;
}

/// Returns a hash of all that the value of a function or schedule depends on.
static OperationFingerPrint getFingerPrint(ModuleOp module, StringRef name) {
  Operation *op = module.lookupSymbol(name);
  return OperationFingerPrint(isa<ScheduleOp>(op) ? module : op);
}

namespace {
/// Keeps the first error that is reported while it lives.
class ErrorCatcher {
public:
  explicit ErrorCatcher(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              message.empty())
            message = diagnostic.str();
          return success();
        }) {}

  std::string message;

private:
  ScopedDiagnosticHandler handler;
};

/// All functions of a program at one point of the pipeline.
struct State {
  OwningOpRef<ModuleOp> module;
  llvm::MapVector<StringRef, Evaluation> functions;
};

/// Judges every pass of a pipeline on one program.
class Prover {
public:
  /// With `foldsConstants`, passes may fold constants in their own types.
  Prover(const ProofOptions &options, bool foldsConstants)
      : options(options), foldsConstants(foldsConstants) {}

  Proof prove(ModuleOp program);

  void compareAfter(StringRef pass, ModuleOp module);

private:
  /// Runs all stages, observed by this, or as far as the raise passes.
  LogicalResult runStages(ModuleOp module, bool observed);
  LogicalResult
  runPasses(ModuleOp module, bool observed,
            llvm::function_ref<LogicalResult(OpPassManager &)> addPasses);
  LogicalResult lower(ModuleOp module);
  LogicalResult drawInputs(ModuleOp module, StringRef function);
  LogicalResult drawIds(ModuleOp program);
  LogicalResult evaluateFirst(ModuleOp module);
  NamedTensors getInputs(ModuleOp module, StringRef name) const;
  FailureOr<Evaluation> evaluate(ModuleOp module, StringRef name,
                                 const Precision &precision) const;
  bool isCalledBefore(StringRef name) const;
  FailureOr<Evaluation> evaluateCatching(ModuleOp module, StringRef name,
                                         std::string &message);
  const std::pair<StringRef, Evaluation> *findBefore(ModuleOp module,
                                                     StringRef name) const;
  std::string judge(PassArithmetic arithmetic, ModuleOp module, StringRef name,
                    const Evaluation &after);
  std::string judgeNew(ModuleOp module, StringRef name,
                       const Evaluation &after);
  std::string judgeUpdate(ModuleOp module, StringRef name,
                          const Evaluation &after);
  std::string judgeStep(ModuleOp module, StringRef name,
                        const Evaluation &after);
  std::string judgeChosen(ModuleOp module, ChooseOp choice, StringRef name);
  std::optional<NamedTensors> findInputsOf(ModuleOp module, ChooseOp choice,
                                           StringRef name) const;
  bool isTaken(ModuleOp module, StringRef name) const;
  StringRef findSplit(ModuleOp module) const;
  FailureOr<double> evaluateLoss(const NamedTensors &changed);
  void saveMismatch(ModuleOp after);

  const ProofOptions &options;
  bool foldsConstants;
  NamedTensors inputs;
  State last;
  /// Fingerprints of the functions in `last` as they are in the current module.
  llvm::StringMap<OperationFingerPrint> fingerPrints;
  Proof proof;
};

class Observer : public PassInstrumentation {
public:
  explicit Observer(Prover &prover) : prover(prover) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    // Adaptors that run passes on nested operations have no flag.
    if (pass->getArgument().empty())
      return;
    auto module = dyn_cast<ModuleOp>(op);
    prover.compareAfter(pass->getArgument(),
                        module ? module : op->getParentOfType<ModuleOp>());
  }

private:
  Prover &prover;
};
} // namespace

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

SmallVector<Stage>
mlir::boost::prove::getProvableStages(const ProofOptions &options) {
  SmallVector<Stage> stages = getStages(options.compile);
  llvm::erase_if(stages,
                 [](const Stage &stage) { return stage.id >= StageId::Lower; });
  insertPasses(stages, options.insertedPasses);
  return stages;
}

LogicalResult Prover::runStages(ModuleOp module, bool observed) {
  if (!options.pipeline.empty())
    return runPasses(module, observed, [&](OpPassManager &manager) {
      std::string message;
      llvm::raw_string_ostream messages(message);
      if (failed(parsePassPipeline(options.pipeline, manager, messages)))
        return LogicalResult(module.emitError() << message);
      return success();
    });
  for (const Stage &stage : getProvableStages(options)) {
    if (failed(runPasses(module, observed, [&](OpPassManager &manager) {
          return stage.addPasses(manager, options.compile);
        })))
      return failure();
    if (!proof.isComplete() || (!observed && stage.id == StageId::Raise))
      break;
  }
  return success();
}

LogicalResult Prover::runPasses(
    ModuleOp module, bool observed,
    llvm::function_ref<LogicalResult(OpPassManager &)> addPasses) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  if (failed(addPasses(manager)))
    return failure();
  if (observed)
    manager.addInstrumentation(std::make_unique<Observer>(*this));
  return manager.run(module);
}

/// Turns the program into calls of the runtime, which are not evaluated:
/// boost-verify-runtime compares them with the program on tensors.
LogicalResult Prover::lower(ModuleOp module) {
  return runPasses(module, /*observed=*/false, [&](OpPassManager &manager) {
    addStagePipeline(manager, StageId::Lower, options.compile);
    return success();
  });
}

/// Draws a value for every argument of a function that has none yet.
LogicalResult Prover::drawInputs(ModuleOp module, StringRef function) {
  FailureOr<Program> program = Program::create(module, function);
  if (failed(program))
    return failure();
  for (const NamedType &argument : program->arguments())
    if (!inputs.contains(argument.name))
      inputs[argument.name] =
          std::move(randomInputs(argument, options.seed)[argument.name]);
  return success();
}

/// Draws the values of ids, whose limits are known only after the raise passes.
LogicalResult Prover::drawIds(ModuleOp program) {
  auto entry = getFunctions(program);
  bool hasUnknownIds = false;
  for (func::FuncOp function : entry)
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      hasUnknownIds |=
          getElementTypeOrSelf(function.getArgumentTypes()[i]).isInteger() &&
          !function.getArgAttr(i, kIdLimitAttr);
  if (!hasUnknownIds)
    return success();
  OwningOpRef<ModuleOp> rehearsal = program.clone();
  if (failed(runStages(*rehearsal, /*observed=*/false)))
    return failure();
  return drawInputs(*rehearsal, kLossFunction);
}

/// Returns the inputs of a function or schedule: a schedule may have several
/// micro-batches.
NamedTensors Prover::getInputs(ModuleOp module, StringRef name) const {
  NamedTensors given = inputs;
  FailureOr<Program> program = Program::create(module, name);
  if (failed(program))
    return given;
  for (const NamedType &argument : program->arguments()) {
    Tensor &value = given[argument.name];
    if (!value.type || value.shape() != argument.type.getShape())
      value = std::move(randomInputs(argument, options.seed)[argument.name]);
  }
  return given;
}

FailureOr<Evaluation> Prover::evaluate(ModuleOp module, StringRef name,
                                       const Precision &precision) const {
  return evaluateFunction(module, name, getInputs(module, name), precision);
}

FailureOr<Evaluation> Prover::evaluateCatching(ModuleOp module, StringRef name,
                                               std::string &message) {
  ErrorCatcher catcher(module.getContext());
  FailureOr<Evaluation> evaluation = failure();
  if (succeeded(drawInputs(module, name)))
    evaluation = evaluate(module, name, Precision());
  if (failed(evaluation))
    message = catcher.message;
  return evaluation;
}

LogicalResult Prover::evaluateFirst(ModuleOp module) {
  last.module = module.clone();
  for (func::FuncOp function : getFunctions(*last.module)) {
    FailureOr<Evaluation> evaluation =
        evaluateCatching(*last.module, function.getName(), proof.refusal);
    if (failed(evaluation))
      return failure();
    last.functions.insert({function.getName(), std::move(*evaluation)});
  }
  return success();
}

Proof Prover::prove(ModuleOp program) {
  ErrorCatcher catcher(program.getContext());
  if (failed(drawIds(program))) {
    proof.refusal = catcher.message;
    return proof;
  }
  OwningOpRef<ModuleOp> module = program.clone();
  if (failed(evaluateFirst(*module)))
    return proof;
  if (failed(runStages(*module, /*observed=*/true)))
    proof.refusal = catcher.message;
  else if (proof.isComplete() && options.pipeline.empty() &&
           failed(lower(*module)))
    proof.refusal = "cannot be lowered: " + catcher.message;
  return proof;
}

Proof mlir::boost::prove::proveProgram(ModuleOp program,
                                       const ProofOptions &options) {
  Proof total;
  auto prove = [&](ModuleOp form, bool foldsConstants, StringRef name) {
    Proof proof = Prover(options, foldsConstants).prove(form);
    proof.passes += total.passes;
    proof.changes += total.changes;
    proof.form = name.str();
    total = std::move(proof);
  };
  bool canWiden = canWidenFloats(program);
  bool lowersPrecision =
      options.compile.precision.precision != PrecisionKind::F32;
  if (!canWiden || lowersPrecision || hasNarrowFloats(program))
    prove(program, /*foldsConstants=*/true, "own types");
  if (!canWiden || !total.isComplete())
    return total;
  OwningOpRef<ModuleOp> wide = program.clone();
  widenFloats(*wide);
  prove(*wide, /*foldsConstants=*/false, "f64");
  return total;
}

std::string Proof::describe() const {
  if (mismatch)
    return mismatch->pass + " changes @" + mismatch->function + ": " +
           mismatch->what + " (" + form + ")";
  return refusal.empty() ? "" : "refused: " + refusal + " (" + form + ")";
}

std::string Proof::getSignature() const {
  if (mismatch)
    return mismatch->pass;
  // Up to the first name or number of the program.
  return refusal.substr(0, refusal.find_first_of("0123456789'#"));
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// Returns true if the function was an update, of which a step has been built.
bool Prover::isTaken(ModuleOp module, StringRef name) const {
  FunctionOpInterface before = findUpdate(*last.module);
  return before && before.getName() == name && !findUpdate(module);
}

/// Returns the choice among updates, or null.
static ChooseOp findChoice(ModuleOp module) {
  ScheduleOp train = findSchedule(module, kTrainSchedule);
  SmallVector<ChooseOp> choices =
      train ? getChoices(train) : SmallVector<ChooseOp>();
  return choices.empty() ? ChooseOp() : choices.front();
}

/// Returns the function before the pass of which the updates were made that the
/// schedule now chooses from, or nothing.
StringRef Prover::findSplit(ModuleOp module) const {
  ScheduleOp before = findSchedule(*last.module, kTrainSchedule);
  if (!before || !findChoice(module))
    return {};
  for (CallOp call : before.getCalls())
    if (!module.lookupSymbol(call.getCallee()))
      return call.getCallee();
  return {};
}

/// Returns the results of the function before the pass. The entry function may
/// be renamed: a single function before the pass and a single one after it
/// correspond.
const std::pair<StringRef, Evaluation> *
Prover::findBefore(ModuleOp module, StringRef name) const {
  auto it = last.functions.find(name);
  // The update of accumulated gradients is built from the one that takes them.
  if (isTaken(module, name))
    return nullptr;
  if (last.functions.size() == 1 && getEvaluated(module).size() == 1)
    it = last.functions.begin();
  return it == last.functions.end() ? nullptr : &*it;
}

std::string Prover::judge(PassArithmetic arithmetic, ModuleOp module,
                          StringRef name, const Evaluation &after) {
  const auto *before = findBefore(module, name);
  if (!before)
    return judgeNew(module, name, after);
  if (foldsConstants)
    arithmetic.bound = std::max(arithmetic.bound, kFoldingBound);
  Judge judge(arithmetic, before->second, after,
              [&](const Precision &precision) {
                return evaluate(*last.module, before->first, precision);
              });
  return judge.findMismatch();
}

FailureOr<double> Prover::evaluateLoss(const NamedTensors &changed) {
  FailureOr<Evaluation> loss =
      evaluateFunction(*last.module, kLossFunction, changed, Precision());
  if (failed(loss))
    return failure();
  return (*loss)[loss->order.front().name].data[0];
}

std::string Prover::judgeNew(ModuleOp module, StringRef name,
                             const Evaluation &after) {
  if (name == kGradientFunction)
    return checkGradient(
        after, inputs,
        [&](const NamedTensors &changed) { return evaluateLoss(changed); },
        [&](const NamedTensors &changed) {
          return evaluateFunction(module, name, changed, Precision());
        },
        options.seed);
  if (!findSplit(module).empty())
    return judgeChosen(module, findChoice(module), name);
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (isUpdate(cast<FunctionOpInterface>(*function)))
    return judgeUpdate(module, name, after);
  return judgeStep(module, name, after);
}

/// Returns inputs of one of the updates of a choice whose counts choose it:
/// the least numbers of those that are searched.
std::optional<NamedTensors>
Prover::findInputsOf(ModuleOp module, ChooseOp choice, StringRef name) const {
  constexpr int64_t kMostCounts = 1 << 14;
  FailureOr<Program> index = Program::create(module, choice.getIndex());
  if (failed(index))
    return std::nullopt;
  NamedTensors given = getInputs(module, name);
  const auto names = choice.getFunctionNames();
  for (int64_t count = 0; count < kMostCounts; ++count) {
    for (const NamedType &argument : index->arguments())
      for (int64_t &value : given[argument.name].integers)
        value = count;
    FailureOr<Evaluation> position =
        evaluateFunction(module, choice.getIndex(), given, Precision());
    if (failed(position))
      return std::nullopt;
    int64_t chosen = (*position)[position->order.front().name].integers.front();
    if (chosen >= 0 && chosen < llvm::size(names) &&
        *std::next(names.begin(), chosen) == name)
      return given;
  }
  return std::nullopt;
}

/// One of several updates: it gives what the update of which they were made
/// does where the index chooses it. That shows the index to be right, too.
std::string Prover::judgeChosen(ModuleOp module, ChooseOp choice,
                                StringRef name) {
  if (name == choice.getIndex())
    return "";
  std::optional<NamedTensors> given = findInputsOf(module, choice, name);
  if (!given)
    return "no count that is small chooses the function";
  StringRef update = findSplit(module);
  FailureOr<Evaluation> before =
      evaluateFunction(*last.module, update, *given, Precision());
  FailureOr<Evaluation> after =
      evaluateFunction(module, name, *given, Precision());
  if (failed(before) || failed(after))
    return "the update cannot be evaluated";
  PassArithmetic arithmetic;
  if (foldsConstants)
    arithmetic.bound = kFoldingBound;
  return Judge(arithmetic, *before, *after,
               [&](const Precision &precision) {
                 return evaluateFunction(*last.module, update, *given,
                                         precision);
               })
      .findMismatch();
}

/// A new update: the one that the program brings along, or AdamW.
std::string Prover::judgeUpdate(ModuleOp module, StringRef name,
                                const Evaluation &after) {
  if (auto given = last.module->lookupSymbol<ModuleOp>(kOptimizerSymbol)) {
    FailureOr<Evaluation> before = evaluateFunction(
        given, findUpdate(given).getName(), inputs, Precision());
    if (failed(before))
      return "the update of the program cannot be evaluated";
    return Judge(PassArithmetic(), *before, after,
                 [&](const Precision &precision) {
                   return evaluateFunction(given, findUpdate(given).getName(),
                                           inputs, precision);
                 })
        .findMismatch();
  }
  NamedTensors gradients;
  FailureOr<Program> program = Program::create(module, name);
  if (failed(program))
    return "the update cannot be read";
  for (const NamedType &argument : program->arguments())
    if (hasRole(argument.tensor, TensorRole::Gradient))
      gradients[argument.of] = inputs[argument.name];
  auto gradient = module.lookupSymbol<func::FuncOp>(kGradientFunction);
  return checkAdamW(name, after, gradients, inputs, getDecaying(gradient));
}

std::string Prover::judgeStep(ModuleOp module, StringRef name,
                              const Evaluation &after) {
  auto gradient = last.functions.find(kGradientFunction);
  FunctionOpInterface update = findUpdate(*last.module);
  ScheduleOp train = findSchedule(module, kTrainSchedule);
  if (gradient == last.functions.end() || !update || !train)
    return "nothing is known about the new function";
  FailureOr<Program> program = Program::create(*last.module, update.getName());
  if (failed(program))
    return "the update cannot be read";
  auto evaluateUpdate = [&](const NamedTensors &gradients) {
    NamedTensors given = inputs;
    for (const NamedType &argument : program->arguments()) {
      if (!hasRole(argument.tensor, TensorRole::Gradient))
        continue;
      Tensor value = gradients.find(argument.of)->second;
      value.type = argument.type;
      given[argument.name] = std::move(value);
    }
    return evaluateFunction(*last.module, update.getName(), given, Precision());
  };
  return checkStep(name, after, gradient->second, inputs,
                   static_cast<int64_t>(train.getMicroBatches()),
                   evaluateUpdate);
}

void Prover::saveMismatch(ModuleOp after) {
  if (options.saveAs.empty())
    return;
  auto save = [&](StringRef suffix, ModuleOp module) {
    std::error_code error;
    llvm::raw_fd_ostream file(options.saveAs + suffix.str(), error);
    if (!error)
      file << module << "\n";
  };
  save(".before.mlir", *last.module);
  save(".after.mlir", after);
}

/// Returns true if the program before the pass has a schedule that calls a
/// function.
bool Prover::isCalledBefore(StringRef name) const {
  ModuleOp before = *last.module;
  return llvm::any_of(before.getOps<ScheduleOp>(), [&](ScheduleOp op) {
    return llvm::any_of(getCalledFunctions(op), [&](CalledFunction called) {
      return called.function.getName() == name;
    });
  });
}

void Prover::compareAfter(StringRef pass, ModuleOp module) {
  if (!proof.isComplete())
    return;
  std::optional<PassArithmetic> arithmetic = getArithmetic(pass);
  if (!arithmetic) {
    proof.refusal = "the description of '" + pass.str() +
                    "' does not say what it does to arithmetic; write "
                    "'Arithmetic: exact', 'reassociating' or 'approximate "
                    "(BOUND)'";
    return;
  }
  ++proof.passes;

  State now;
  bool changed = false;
  for (StringRef name : getEvaluated(module)) {
    OperationFingerPrint fingerPrint = getFingerPrint(module, name);
    auto known = fingerPrints.find(name);
    // A schedule is evaluated from the pass on that divides its functions.
    if (!last.functions.contains(name) && findSchedule(*last.module, name)) {
      auto undivided = evaluateCatching(*last.module, name, proof.refusal);
      if (failed(undivided))
        return;
      last.functions.insert({name, std::move(*undivided)});
    }
    auto before = last.functions.find(name);
    if (known != fingerPrints.end() && known->second == fingerPrint &&
        before != last.functions.end()) {
      now.functions.insert({name, before->second});
      continue;
    }
    changed = true;
    std::string what;
    FailureOr<Evaluation> after = evaluateCatching(module, name, what);
    if (succeeded(after))
      what = judge(*arithmetic, module, name, *after);
    if (!what.empty()) {
      proof.mismatch = Mismatch{pass.str(), name.str(), what};
      saveMismatch(module);
      return;
    }
    fingerPrints.insert_or_assign(name, fingerPrint);
    now.functions.insert({name, std::move(*after)});
  }
  for (const auto &before : last.functions)
    if (last.functions.size() > 1 && !now.functions.contains(before.first) &&
        !isTaken(module, before.first) && before.first != findSplit(module) &&
        !(hasStages(module) && isCalledBefore(before.first)))
      proof.mismatch =
          Mismatch{pass.str(), before.first.str(), "the function is lost"};
  if (!changed && now.functions.size() == last.functions.size())
    return;
  ++proof.changes;
  now.module = module.clone();
  last = std::move(now);
}

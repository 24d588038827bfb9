//===- Verify.cpp - The command `eval --verify` ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the unsharded program in double, then runs what commands run: the
// step as the function `verify`, whose probes show every tensor while it
// exists, and all functions as they are, on two sets of inputs, each from
// memory that was filled with other garbage before. The stages of a pipeline
// run their parts of a function together, with the transfers between them.
//
//===----------------------------------------------------------------------===//

#include "common/Numbers.h"
#include "driver/Commands.h"
#include "driver/Constants.h"
#include "driver/Reference.h"
#include "driver/ScheduleRun.h"
#include "driver/ShardComparison.h"
#include "driver/TimeLimit.h"
#include "driver/VerifyReport.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

using namespace boost_rt;

namespace {
/// A tensor that a function returns, and the stages that have it then.
struct Result {
  const Tensor *tensor;
  std::vector<int64_t> stages;
};

/// A function that was compiled, as calls and transfers, and the run of the
/// reference that has its results.
struct VerifiedRun {
  std::string function;
  Schedule actions;
  size_t reference;
};

/// Returns whether a list has a value.
template <typename Value>
static bool contains(const std::vector<Value> &list, const Value &value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Tensors of this rank and their packed elements.
using Values = std::vector<std::pair<const Tensor *, std::vector<char>>>;

class Verifier {
public:
  Verifier(Session &session, const EvalOptions &options, double limitSeconds)
      : session(session), program(session.getProgram()), options(options),
        limitSeconds(limitSeconds) {}

  ExitCode run();

private:
  void plan();
  const std::string &getProbedName() const;
  std::vector<VerifiedRun> planSet(size_t inputs, int64_t most);
  void refuseUncalled() const;
  void prepareInputs();
  void loadFirst();
  void makeSecond();
  void evaluateReference();
  void fill(const Tensor &tensor, float value);
  Values take(const std::vector<const Tensor *> &tensors);
  void put(const Values &values);
  void execute(const std::string &function, const Schedule &actions,
               const Values &inputs, int garbage);
  void runProbed();
  void compareProbed(std::vector<ShownPart> parts);
  void runSet(const std::vector<VerifiedRun> &runs, const std::string &inputs);
  std::vector<Result> findResults(const Schedule &actions) const;
  void verifyRun(const VerifiedRun &run, const std::string &inputs);
  void compareResults(const VerifiedRun &run, const std::string &name,
                      const std::vector<Result> &results, const Values &values);
  void expectSame(const Values &one, const Values &other,
                  const std::string &what);
  void compare(const std::string &name, const ShownTensor &shown,
               bool isResult);
  ExitCode conclude();

  Session &session;
  const Program &program;
  const EvalOptions &options;
  const double limitSeconds;
  /// Tensors that outlive a function: parameters, states, batch, rates.
  std::vector<const Tensor *> persistent, replaced;
  Values firstInputs, secondInputs;
  std::vector<VerifiedRun> firstSet, secondSet;
  std::vector<ReferenceRun> referenceRuns;
  std::map<std::string, std::string> locations;
  std::unique_ptr<Reference> reference;
  VerifyReport report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Returns the name of the function with probes.
const std::string &Verifier::getProbedName() const {
  const Schedule &probe = program.schedule(probeSchedule);
  return program.findFunction(probe.functions().front())->whole;
}

namespace {
/// A schedule in which one function takes the place of all that each choice
/// has.
struct Step {
  Schedule schedule;
  /// The call that computes which; nothing without a choice.
  std::optional<ScheduledCall> index;
};
} // namespace

/// Returns a step for each of the functions that a schedule chooses from; all
/// choices of pipeline stages are alike. Without a choice returns the schedule.
static std::vector<Step> listSteps(const Schedule &schedule) {
  size_t count = 1;
  for (const ScheduledAction &action : schedule.actions)
    if (const auto *choice = std::get_if<ScheduledChoice>(&action))
      count = choice->calls.size();
  std::vector<Step> steps(count, {{schedule.microBatches, {}}, {}});
  for (size_t i = 0; i < count; ++i)
    for (const ScheduledAction &action : schedule.actions)
      if (const auto *choice = std::get_if<ScheduledChoice>(&action)) {
        steps[i].index = choice->index;
        steps[i].schedule.actions.emplace_back(choice->calls[i]);
      } else {
        steps[i].schedule.actions.push_back(action);
      }
  return steps;
}

/// Returns the runs on one set of inputs, and adds those of the reference. Its
/// function with probes has the results of the loss, the gradient and the
/// function that it is a copy of. The other functions of a training step follow
/// one another, as in a step, those of micro-batches for the first `most` of
/// these.
std::vector<VerifiedRun> Verifier::planSet(size_t inputs, int64_t most) {
  std::vector<VerifiedRun> runs;
  size_t whole = referenceRuns.size();
  referenceRuns.push_back({getProbedName(), inputs});
  auto add = [&](const Schedule &actions) {
    if (actions.actions.empty())
      return;
    const std::string &function =
        program.findFunction(actions.functions().front())->whole;
    runs.push_back({function, actions, whole});
  };
  for (const char *name : {evaluateSchedule, gradientsSchedule}) {
    add(program.schedule(name).only(0));
    add(program.schedule(name).only(std::nullopt));
  }
  size_t first = runs.size();
  const Schedule &train = program.schedule(trainSchedule);
  for (const auto &[step, index] : listSteps(train)) {
    for (int64_t i = 0; i < std::min(train.microBatches, most); ++i)
      add(step.only(i));
    if (index)
      add({train.microBatches, {*index}});
    add(step.only(std::nullopt));
  }
  for (size_t i = first; i < runs.size(); ++i) {
    if (runs[i].function == program.verification->function)
      continue;
    runs[i].reference = referenceRuns.size();
    referenceRuns.push_back({runs[i].function, {}});
  }
  return runs;
}

void Verifier::refuseUncalled() const {
  std::set<std::string> called;
  for (const auto &[name, schedule] : program.schedules)
    for (const std::string &function : schedule.functions())
      called.insert(function);
  for (const auto &[name, function] : program.functions)
    if (!called.count(name))
      refuse("this program has a function '", name,
             "' that no schedule calls; compile the program again");
}

/// Plans each function once on the first inputs, and those of micro-batches
/// twice on the second, so that a batch is added to itself.
void Verifier::plan() {
  if (!program.verification)
    throw Failure(ExitCode::usage,
                  "this program cannot be verified; compile it again with "
                  "boost-compile --verify");
  firstSet = planSet(0, 1);
  secondSet = planSet(1, 2);
  refuseUncalled();
  for (const Tensor &tensor : program.tensors) {
    if (!isInput(tensor.role))
      continue;
    persistent.push_back(&tensor);
    if (tensor.role != Role::state && tensor.role != Role::accumulator)
      replaced.push_back(&tensor);
  }
  for (const Probe &probe : program.verification->probes)
    locations[probe.tensor.name] = probe.location;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Takes those of the tensors that this rank has.
Values Verifier::take(const std::vector<const Tensor *> &tensors) {
  Values values;
  for (const Tensor *tensor : tensors)
    if (session.has(*tensor))
      values.emplace_back(tensor, session.pack(*tensor));
  return values;
}

void Verifier::put(const Values &values) {
  for (const auto &[tensor, elements] : values)
    session.unpack(*tensor, elements);
}

void Verifier::fill(const Tensor &tensor, float value) {
  if (!session.has(tensor))
    return;
  std::vector<char> elements(static_cast<size_t>(tensor.bytes));
  for (int64_t i = 0; i < tensor.localElements(); ++i)
    if (!writeNumber(value, tensor.type,
                     elements.data() + i * sizeOf(tensor.type)))
      refuse("tensor '", tensor.name, "' of type ", nameOf(tensor.type),
             " cannot be ", value);
  session.unpack(tensor, elements);
}

/// Parameters and batch come from the file, states and rates if they are there,
/// else they are what the optimizer says suits a first step. Sums of gradients
/// start where an update leaves them. Constants are loaded already.
void Verifier::loadFirst() {
  SafeTensorsReader file(options.inputs);
  std::vector<const Tensor *> given, masters;
  for (const Tensor *tensor : persistent) {
    bool isOptional =
        tensor->role == Role::state || tensor->role == Role::hyper;
    if (tensor->role == Role::accumulator)
      session.clear(*tensor);
    else if (tensor->role == Role::constant)
      continue;
    else if (tensor->init == "param" && !file.find(tensor->name))
      masters.push_back(tensor);
    else if (isOptional && !file.find(tensor->name))
      fill(*tensor, static_cast<float>(tensor->sample));
    else
      given.push_back(tensor);
  }
  session.load(file, given, "eval --verify");
  session.loadInitial(file, masters, "eval --verify");
}

/// Makes the second set of inputs: equal parameters, ids that come one position
/// earlier, other hyper-parameters, and the states that the first step leaves.
void Verifier::makeSecond() {
  SafeTensorsReader file(options.inputs);
  for (const Tensor *tensor : program.withRole(Role::batch)) {
    if (isFloat(tensor->type) || !session.has(*tensor))
      continue;
    const auto &entry = *file.find(tensor->name);
    int64_t width = sizeOf(tensor->type);
    Device::Mapping mapping = session.map(*tensor, Access::write);
    Shard::of(*tensor, program.mesh, session.rank())
        .forEachRun([&](int64_t global, int64_t local, int64_t count) {
          for (int64_t i = 0; i < count; ++i)
            SafeTensorsReader::read(
                entry, (global + i + 1) % tensor->elements(), tensor->type,
                mapping.data() + (local + i) * width, 1);
        });
  }
  for (const Tensor *hyper : program.withRole(Role::hyper))
    if (hyper->nextSample)
      session.writeScalar(*hyper, static_cast<float>(*hyper->nextSample));
}

void Verifier::prepareInputs() {
  loadConstants(session);
  session.together([&] { loadFirst(); });
  firstInputs = take(persistent);
  reference->saveInputs(0, persistent);
  session.together([&] { makeSecond(); });
  secondInputs = take(replaced);
  reference->saveInputs(1, replaced);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// `name` is that of the tensor in the reference.
void Verifier::compare(const std::string &name, const ShownTensor &shown,
                       bool isResult) {
  ReferenceTensor expected;
  if (session.rank() == 0)
    session.alone([&] {
      expected = reference->get(name, shown.parts.front().tensor.elements());
    });
  ComparedTensor compared = compareShards(session, shown, expected);
  if (session.rank() != 0)
    return;
  // Masks are infinite on purpose; what a user gets is not.
  if (isResult)
    for (double value : expected.values)
      compared.isComparable &= std::isfinite(value);
  report.tensors.push_back(std::move(compared));
}

/// Runs a function from these inputs in memory that holds nothing else but
/// bytes of this value, so that what is read before it is written shows.
void Verifier::execute(const std::string &function, const Schedule &actions,
                       const Values &inputs, int garbage) {
  session.fillArena(garbage);
  put(inputs);
  // With several ranks, a waiting rank first reports the rank that it waits
  // for.
  double margin = session.ranks() > 1 ? 5 : 0;
  TimeLimit limit(limitSeconds, concat("the function '", function, "'"),
                  margin);
  runActions(session, actions);
}

/// Bytes of which four are a NaN, and others which are an ordinary number.
static constexpr int nanBytes = 0xff, numberBytes = 0x41;

/// Returns the stages of all ranks, or the one that is given.
static std::vector<int64_t> listStages(const Program &program,
                                       std::optional<int64_t> stage) {
  if (stage)
    return {*stage};
  std::vector<int64_t> all(program.stages.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Returns whether two probes show rows of one form of a tensor. Its forms have
/// one site.
static bool areRowsOfOne(const Probe &one, const Probe &other) {
  return !one.tensor.stack.empty() && !other.tensor.stack.empty() &&
         one.site == other.site && one.tensor.split == other.tensor.split &&
         one.tensor.partial == other.tensor.partial;
}

/// Generated code cannot unwind: what goes wrong inside it ends the process.
void Verifier::runProbed() {
  std::vector<ShownPart> parts;
  std::vector<size_t> own;
  const std::vector<Probe> &probes = program.verification->probes;
  for (const Probe &probe : probes) {
    ShownPart part{probe.tensor, listStages(program, probe.stage), {}};
    if (probe.stage.value_or(session.stage()) == session.stage()) {
      own.push_back(parts.size());
      part.elements.resize(static_cast<size_t>(probe.tensor.bytes));
    }
    parts.push_back(std::move(part));
  }
  size_t next = 0;
  session.getRecord().onProbe = [&](int32_t site, boost_rt_type type,
                                    const void *data, int64_t count) {
    if (next == own.size() || probes[own[next]].site != site ||
        probes[own[next]].tensor.type != type ||
        probes[own[next]].tensor.localElements() != count)
      abortProgram(concat("probe ", next,
                          " of this program is not the one of "
                          "its manifest; compile the program again"));
    std::vector<char> &elements = parts[own[next++]].elements;
    std::memcpy(elements.data(), data, elements.size());
  };
  execute(getProbedName(), program.schedule(probeSchedule), firstInputs,
          nanBytes);
  session.getRecord().onProbe = nullptr;
  if (next != own.size())
    report.findings.push_back(concat("the function '", getProbedName(),
                                     "' ended after ", next, " of ", own.size(),
                                     " probes"));
  compareProbed(std::move(parts));
}

/// Compares what probes have shown, of which there is one part for each.
void Verifier::compareProbed(std::vector<ShownPart> parts) {
  const std::vector<Probe> &probes = program.verification->probes;
  std::vector<bool> isDone(probes.size());
  for (size_t i = 0; i < probes.size(); ++i) {
    if (isDone[i])
      continue;
    const Probe &probe = probes[i];
    ShownTensor shown{
        probe.tensor.name, probe.location, probe.phase, {std::move(parts[i])}};
    for (size_t j = i + 1; j < probes.size(); ++j)
      if (areRowsOfOne(probe, probes[j])) {
        shown.parts.push_back(std::move(parts[j]));
        isDone[j] = true;
      }
    compare(concat("0.probe.", probe.site), shown, /*isResult=*/false);
  }
}

void Verifier::expectSame(const Values &one, const Values &other,
                          const std::string &what) {
  auto their = other.begin();
  for (const auto &[tensor, elements] : one)
    if (elements != (their++)->second)
      report.findings.push_back(concat(what, " '", tensor->name, "'"));
}

/// Returns what calls and transfers leave, but for what is kept.
std::vector<Result> Verifier::findResults(const Schedule &actions) const {
  std::vector<Result> results;
  auto add = [&](const std::vector<std::string> &names,
                 const std::vector<int64_t> &stages) {
    for (const std::string &name : names) {
      const Tensor &tensor = program.tensor(name);
      if (tensor.role == Role::kept)
        continue;
      auto known =
          std::find_if(results.begin(), results.end(), [&](const Result &each) {
            return each.tensor == &tensor;
          });
      if (known == results.end())
        known = results.insert(known, {&tensor, {}});
      for (int64_t stage : stages)
        if (!contains(known->stages, stage))
          known->stages.push_back(stage);
    }
  };
  for (const ScheduledAction &action : actions.actions) {
    if (const auto *transfer = std::get_if<ScheduledTransfer>(&action)) {
      add(transfer->tensors, {transfer->to});
      continue;
    }
    const auto &call = std::get<ScheduledCall>(action);
    const Function &function = *program.findFunction(call.function);
    add(function.outputs, listStages(program, function.stage));
  }
  return results;
}

/// Returns whether two tensors are parts of one for the reference: rows of a
/// tensor, or sums of gradients of one parameter, of which each stage adds up
/// its own.
static bool areParts(const Tensor &one, const Tensor &other) {
  if (!one.stack.empty() || !other.stack.empty())
    return one.fileName() == other.fileName();
  return one.role == Role::accumulator && other.role == Role::accumulator &&
         !one.of.empty() && one.of == other.of;
}

/// Returns where a tensor comes from: what the probe of it says, or of the
/// packed one that it is a part of.
static std::string nameOfProbe(const Tensor &tensor) {
  if (tensor.packed.empty())
    return tensor.fileName();
  return tensor.stack.empty()
             ? tensor.packed
             : tensor.packed.substr(0, tensor.packed.rfind('@'));
}

/// Compares results under the names that users know.
void Verifier::compareResults(const VerifiedRun &run, const std::string &name,
                              const std::vector<Result> &results,
                              const Values &values) {
  std::set<const Tensor *> done;
  for (const Result &first : results) {
    if (!isFloat(first.tensor->type) || done.count(first.tensor))
      continue;
    ShownTensor shown{first.tensor->fileName(),
                      locations[nameOfProbe(*first.tensor)],
                      concat("the results of ", name),
                      {}};
    for (const Result &result : results) {
      if (result.tensor != first.tensor &&
          !areParts(*result.tensor, *first.tensor))
        continue;
      done.insert(result.tensor);
      ShownPart part{*result.tensor, result.stages, {}};
      part.tensor.strides.clear();
      for (const auto &[tensor, elements] : values)
        if (tensor == result.tensor)
          part.elements = elements;
      shown.parts.push_back(std::move(part));
      // Sums of other stages have the name of the sum, and a number.
      if (result.tensor->fileName().size() < shown.name.size())
        shown.name = result.tensor->fileName();
    }
    shown.isSum = shown.parts.size() > 1 && first.tensor->stack.empty();
    compare(concat(run.reference, ".result.", shown.name), shown,
            /*isResult=*/true);
  }
}

void Verifier::verifyRun(const VerifiedRun &run, const std::string &inputs) {
  std::string name = concat("'", run.function, "'", inputs);
  std::vector<Result> results = findResults(run.actions);
  std::vector<const Tensor *> own, kept;
  for (const Result &result : results)
    if (contains(result.stages, session.stage()))
      own.push_back(result.tensor);
  for (const Tensor *tensor : persistent)
    if (!contains(own, tensor))
      kept.push_back(tensor);

  Values before = take(persistent), keptBefore = take(kept);
  execute(run.function, run.actions, before, nanBytes);
  Values values = take(own);
  expectSame(keptBefore, take(kept),
             concat("the function ", name, " changed its input"));
  execute(run.function, run.actions, before, numberBytes);
  expectSame(values, take(own),
             concat("two runs of the function ", name,
                    " from the same inputs differ in"));
  expectSame(keptBefore, take(kept),
             concat("the function ", name, " changed its input"));

  // Changes of its inputs must not affect the functions after it.
  put(keptBefore);
  compareResults(run, name, results, values);
}

void Verifier::runSet(const std::vector<VerifiedRun> &runs,
                      const std::string &inputs) {
  for (const VerifiedRun &run : runs) {
    verifyRun(run, inputs);
    report.functions.insert(run.function);
    std::vector<ScheduledCall> calls = run.actions.calls();
    if (inputs.empty() &&
        std::any_of(calls.begin(), calls.end(), [&](const ScheduledCall &call) {
          return program.givesLoss(call);
        }))
      report.loss = session.shareScalar(program.only(Role::loss));
  }
  ++report.inputSets;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// All ranks agree on how it went, and rank 0 knows what they found.
ExitCode Verifier::conclude() {
  if (std::string differences = session.comparePlan(); !differences.empty())
    report.findings.push_back("executed collectives differ from the plan:\n" +
                              differences);
  report.gatherFindings(session.getCommunicator());
  const ComparedTensor *vague = report.findIncomparable();
  if (session.largest(vague ? 1 : 0) != 0 &&
      session.largest(report.findFirstError() ? 1 : 0) == 0)
    refuse("the reference of '", vague ? vague->name : "", "' (",
           vague ? vague->phase : "",
           ") is not finite: comparing what is not finite shows nothing; give "
           "inputs with finite results");
  bool speaks = session.rank() == 0;
  bool isVerified =
      session.largest(speaks && !report.isVerified() ? 1 : 0) == 0;
  if (speaks)
    options.json ? report.printJson() : report.print();
  return isVerified ? ExitCode::done : ExitCode::trainingFailed;
}

ExitCode Verifier::run() {
  Doing doing("verifying");
  plan();
  session.requireSameTensors("--inputs", options.inputs);
  reference =
      std::make_unique<Reference>(session, options.keep, options.reference);
  prepareInputs();
  reference->evaluate(referenceRuns);
  auto getLoss = [&](size_t run) {
    double loss = 0;
    if (session.rank() == 0)
      session.alone([&] {
        loss = reference->get(concat(run, ".result.loss"), 1).values[0];
      });
    return loss;
  };
  double loss = getLoss(0);
  if (session.largest(std::isfinite(loss) ? 0 : 1) != 0)
    refuse("the loss of these inputs is ", loss,
           ": comparing what is not finite shows nothing; give inputs with a "
           "finite loss");
  report.ranks = session.ranks();
  runProbed();
  put(firstInputs);
  runSet(firstSet, "");
  double second = getLoss(secondSet.front().reference);
  if (session.largest(std::isfinite(second) ? 0 : 1) == 0) {
    put(secondInputs);
    runSet(secondSet, " on the second inputs");
  } else if (session.rank() == 0) {
    std::fprintf(stderr,
                 "warning: the loss of the second inputs, which are made from "
                 "these, is %g: they show nothing and are left out\n",
                 second);
  }
  return conclude();
}

ExitCode boost_rt::verify(Session &session, const EvalOptions &options,
                          double limitSeconds) {
  return Verifier(session, options, limitSeconds).run();
}

//===- Verify.cpp - The command `eval --verify` ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the unsharded program in double, then runs every function that a
// command runs: the step as the function `verify`, whose probes show every
// tensor while it exists, and all of them as they are, on two sets of inputs,
// each from memory that was filled with other garbage before.
//
//===----------------------------------------------------------------------===//

#include "common/Numbers.h"
#include "driver/Commands.h"
#include "driver/Reference.h"
#include "driver/ShardComparison.h"
#include "driver/TimeLimit.h"
#include "driver/VerifyReport.h"

#include <algorithm>
#include <cmath>

using namespace boost_rt;

namespace {
/// A function of the program and the run of the reference that has its results.
struct VerifiedRun {
  std::string function;
  size_t reference;
};

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
  void prepareInputs();
  void loadFirst();
  void makeSecond();
  void evaluateReference();
  void fill(const Tensor &tensor, float value);
  Values take(const std::vector<const Tensor *> &tensors);
  void put(const Values &values);
  void execute(const std::string &function, const Values &inputs, int garbage);
  void runProbed();
  void runSet(const std::vector<VerifiedRun> &runs, const std::string &inputs);
  void verifyRun(const VerifiedRun &run, const std::string &inputs);
  void expectSame(const Values &one, const Values &other,
                  const std::string &what);
  void compare(const std::string &name, const Probe &probe, const void *data,
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

/// Plans the functions that are run on each set of inputs, and the runs of the
/// reference. Its `verify` has the results of the loss, the gradient and the
/// function that it is a copy of. The other functions of a training step follow
/// one another, as in a step: each once on the first inputs, and those that the
/// step calls again twice on the second, so that a batch is added to itself.
void Verifier::plan() {
  if (!program.verification)
    throw Failure(ExitCode::usage,
                  "this program cannot be verified; compile it again with "
                  "boost-compile --verify");
  if (program.pipelineAxis)
    throw Failure(ExitCode::usage,
                  "a program with pipeline stages cannot be verified; compile "
                  "it for a mesh without them");
  const Schedule &train = program.schedule(trainSchedule);
  const std::vector<ScheduledCall> trainCalls = train.calls();
  const std::string &probed = program.verification->function;
  auto addSet = [&](std::vector<VerifiedRun> &set, size_t inputs,
                    int64_t most) {
    size_t whole = referenceRuns.size();
    referenceRuns.push_back({"verify", inputs});
    for (const char *name : {evaluateSchedule, gradientsSchedule})
      for (const std::string &function : program.schedule(name).functions())
        set.push_back({function, whole});
    for (const std::string &function : train.functions()) {
      if (function == probed) {
        set.push_back({function, whole});
        continue;
      }
      int64_t calls = std::count_if(
          trainCalls.begin(), trainCalls.end(),
          [&](const ScheduledCall &call) { return call.function == function; });
      for (int64_t i = 0; i < std::min(calls, most); ++i) {
        set.push_back({function, referenceRuns.size()});
        referenceRuns.push_back({function, {}});
      }
    }
  };
  addSet(firstSet, 0, 1);
  addSet(secondSet, 1, 2);
  for (const auto &[name, function] : program.functions) {
    auto isName = [&, &name = name](const VerifiedRun &run) {
      return run.function == name;
    };
    if (name != "verify" &&
        std::none_of(firstSet.begin(), firstSet.end(), isName))
      refuse("this program has a function '", name,
             "' that no schedule calls; compile the program again");
  }
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

Values Verifier::take(const std::vector<const Tensor *> &tensors) {
  Values values;
  for (const Tensor *tensor : tensors)
    values.emplace_back(tensor, session.pack(*tensor));
  return values;
}

void Verifier::put(const Values &values) {
  for (const auto &[tensor, elements] : values)
    session.unpack(*tensor, elements);
}

void Verifier::fill(const Tensor &tensor, float value) {
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
/// start where an update leaves them.
void Verifier::loadFirst() {
  SafeTensorsReader file(options.inputs);
  std::vector<const Tensor *> given, masters;
  for (const Tensor *tensor : persistent) {
    bool isOptional =
        tensor->role == Role::state || tensor->role == Role::hyper;
    if (tensor->role == Role::accumulator)
      session.clear(*tensor);
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
    if (isFloat(tensor->type))
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
void Verifier::compare(const std::string &name, const Probe &probe,
                       const void *data, bool isResult) {
  ReferenceTensor expected;
  if (session.rank() == 0)
    session.alone(
        [&] { expected = reference->get(name, probe.tensor.elements()); });
  ComparedTensor compared = compareShards(session, probe, data, expected);
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
void Verifier::execute(const std::string &function, const Values &inputs,
                       int garbage) {
  session.fillArena(garbage);
  put(inputs);
  // With several ranks, a waiting rank first reports the rank that it waits
  // for.
  double margin = session.ranks() > 1 ? 5 : 0;
  TimeLimit limit(limitSeconds, concat("the function '", function, "'"),
                  margin);
  session.run(function);
}

/// Bytes of which four are a NaN, and others which are an ordinary number.
static constexpr int nanBytes = 0xff, numberBytes = 0x41;

/// Generated code cannot unwind: what goes wrong inside it ends the process.
void Verifier::runProbed() {
  const std::vector<Probe> &probes = program.verification->probes;
  size_t next = 0;
  session.getRecord().onProbe = [&](int32_t site, boost_rt_type type,
                                    const void *data, int64_t count) {
    if (next == probes.size() || probes[next].site != site ||
        probes[next].tensor.type != type ||
        probes[next].tensor.localElements() != count)
      abortProgram(concat("probe ", next,
                          " of this program is not the one of "
                          "its manifest; compile the program again"));
    compare(concat("0.probe.", site), probes[next++], data,
            /*isResult=*/false);
  };
  execute("verify", firstInputs, nanBytes);
  session.getRecord().onProbe = nullptr;
  if (next != probes.size())
    report.findings.push_back(concat("the function 'verify' ended after ", next,
                                     " of ", probes.size(), " probes"));
}

void Verifier::expectSame(const Values &one, const Values &other,
                          const std::string &what) {
  auto their = other.begin();
  for (const auto &[tensor, elements] : one)
    if (elements != (their++)->second)
      report.findings.push_back(concat(what, " '", tensor->name, "'"));
}

/// The results of a function under the names that users know. Where they come
/// from is what the probe of the tensor says, which may be a packed one.
void Verifier::verifyRun(const VerifiedRun &run, const std::string &inputs) {
  std::string name = concat("'", run.function, "'", inputs);
  const Function &function = *program.findFunction(run.function);
  std::vector<const Tensor *> results, kept;
  for (const std::string &output : function.outputs)
    results.push_back(&program.tensor(output));
  for (const Tensor *tensor : persistent)
    if (std::find(results.begin(), results.end(), tensor) == results.end())
      kept.push_back(tensor);

  Values before = take(persistent), keptBefore = take(kept);
  execute(run.function, before, nanBytes);
  Values values = take(results);
  expectSame(keptBefore, take(kept),
             concat("the function ", name, " changed its input"));
  execute(run.function, before, numberBytes);
  expectSame(values, take(results),
             concat("two runs of the function ", name,
                    " from the same inputs differ in"));
  expectSame(keptBefore, take(kept),
             concat("the function ", name, " changed its input"));

  // Changes of its inputs must not affect the functions after it.
  put(keptBefore);

  for (const auto &[result, elements] : values) {
    if (!isFloat(result->type))
      continue;
    Tensor tensor = *result;
    tensor.strides.clear();
    const std::string &probed =
        tensor.packed.empty() ? tensor.name : tensor.packed;
    compare(concat(run.reference, ".result.", tensor.name),
            {tensor, 0, locations[probed], concat("the results of ", name)},
            elements.data(), /*isResult=*/true);
  }
}

void Verifier::runSet(const std::vector<VerifiedRun> &runs,
                      const std::string &inputs) {
  for (const VerifiedRun &run : runs) {
    verifyRun(run, inputs);
    report.functions.insert(run.function);
    if (inputs.empty() && program.givesLoss({run.function}))
      report.loss = session.readScalar(program.only(Role::loss));
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

//===- Evaluate.cpp - The command `eval` ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "driver/Constants.h"
#include "driver/ScheduleRun.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

using namespace boost_rt;

/// The results of a function, without what is kept.
static std::vector<const Tensor *> resultsOf(const Program &program,
                                             const std::string &function) {
  std::vector<const Tensor *> tensors;
  for (const std::string &name : program.findFunction(function)->outputs)
    if (const Tensor &tensor = program.tensor(name); tensor.role != Role::kept)
      tensors.push_back(&tensor);
  return tensors;
}

/// Prints the loss on rank 0, and what all ranks can tell about the run.
static void print(Session &session, const EvalOptions &options, float loss) {
  bool planAgrees = session.warnUnlessPlanned();
  nlohmann::json arena = session.arenaAsJson();
  if (session.rank() != 0)
    return;
  if (!options.json) {
    std::printf("loss %.9g\n", static_cast<double>(loss));
    return;
  }
  nlohmann::json report = session.countersAsJson();
  report["arena"] = arena;
  report["plan_agrees"] = planAgrees;
  report["loss"] = loss;
  report["ranks"] = session.ranks();
  std::puts(report.dump().c_str());
}

namespace {
/// The mean of results over the micro-batches of a batch, each shard by itself.
class Means {
public:
  Means(Session &session, std::vector<const Tensor *> results)
      : session(session), results(std::move(results)),
        sums(this->results.size()) {}

  /// Adds what the last call of a function left.
  void add() {
    ++count;
    for (size_t i = 0; i < results.size(); ++i) {
      std::vector<double> values = read(*results[i]);
      sums[i].resize(values.size());
      std::transform(values.begin(), values.end(), sums[i].begin(),
                     sums[i].begin(), std::plus<>());
    }
  }

  /// Puts the means in the places of the results.
  void put() {
    for (size_t i = 0; i < results.size(); ++i) {
      const Tensor &tensor = *results[i];
      for (double &sum : sums[i])
        sum /= static_cast<double>(count);
      std::vector<char> packed(static_cast<size_t>(tensor.bytes));
      convertElements(BOOST_RT_F64, sums[i].data(), tensor.type, packed.data(),
                      tensor.localElements());
      session.unpack(tensor, packed);
    }
  }

private:
  std::vector<double> read(const Tensor &tensor) {
    std::vector<double> values(static_cast<size_t>(tensor.localElements()));
    convertElements(tensor.type, session.pack(tensor).data(), BOOST_RT_F64,
                    values.data(), tensor.localElements());
    return values;
  }

  Session &session;
  const std::vector<const Tensor *> results;
  std::vector<std::vector<double>> sums;
  int64_t count = 0;
};
} // namespace

/// Runs a schedule on the tensors of a file. A batch that is computed in parts
/// is that of the exported program: results are the means over its parts.
static void runOn(Session &session, const std::string &path,
                  const Schedule &schedule) {
  const Program &program = session.getProgram();
  std::vector<const Tensor *> inputs = program.inputsOf(schedule), parts;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(parts),
               [](const Tensor *each) { return each->microBatches > 1; });
  std::unique_ptr<SafeTensorsReader> file;
  session.together([&] {
    file = std::make_unique<SafeTensorsReader>(path);
    session.load(*file, inputs, "eval");
    // All ranks see here what is wrong with a part: later each is for itself.
    for (int64_t part = 1; part < schedule.microBatches; ++part)
      session.load(*file, parts, "eval", part);
  });
  std::map<std::string, Means> means;
  runActions(
      session, schedule,
      [&](int64_t microBatch) {
        if (!parts.empty())
          session.alone(
              [&] { session.load(*file, parts, "eval", microBatch); });
      },
      [&](const ScheduledCall &call) {
        if (schedule.microBatches > 1)
          means
              .try_emplace(call.function, session,
                           resultsOf(program, call.function))
              .first->second.add();
      });
  for (auto &[function, mean] : means)
    mean.put();
}

ExitCode boost_rt::evaluate(Session &session, const EvalOptions &options) {
  Doing doing("evaluating");
  const Program &program = session.getProgram();
  const Schedule &schedule = program.schedule(
      options.gradients ? gradientsSchedule : evaluateSchedule);
  session.requireSameTensors("--inputs", options.inputs);
  loadConstants(session);
  runOn(session, options.inputs, schedule);
  if (!options.outputs.empty())
    session.save(options.outputs, program.outputsOf(schedule));
  float loss = session.shareScalar(program.only(Role::loss));
  print(session, options, loss);
  if (session.largest(std::isfinite(loss) ? 0 : 1) == 0)
    return ExitCode::done;
  std::fflush(stdout);
  if (session.rank() == 0)
    reportError(concat("the loss of these inputs is ", loss,
                       ", which is not finite: the parameters have diverged, "
                       "or the values overflow the type of the model"));
  return ExitCode::trainingFailed;
}

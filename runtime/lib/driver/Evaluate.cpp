//===- Evaluate.cpp - The command `eval` ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"

#include <cmath>
#include <cstdio>

using namespace boost_rt;

static std::vector<const Tensor *>
tensorsOf(const Program &program, const std::vector<std::string> &names) {
  std::vector<const Tensor *> tensors;
  tensors.reserve(names.size());
  for (const std::string &name : names)
    tensors.push_back(&program.tensor(name));
  return tensors;
}

static void print(Session &session, const EvalOptions &options, float loss) {
  session.warnUnlessPlanned();
  if (!options.json) {
    std::printf("loss %.9g\n", static_cast<double>(loss));
    return;
  }
  nlohmann::json report = session.countersAsJson();
  report["loss"] = loss;
  report["ranks"] = session.ranks();
  std::puts(report.dump().c_str());
}

ExitCode boost_rt::evaluate(Session &session, const EvalOptions &options) {
  Doing doing("evaluating");
  const Program &program = session.getProgram();
  std::string name = options.gradients ? "gradient" : "loss";
  const Function *function = program.findFunction(name);
  if (!function)
    refuse("this program has no function '", name,
           "'; compile it again with it");
  session.together([&] {
    SafeTensorsReader inputs(options.inputs);
    session.load(inputs, tensorsOf(program, function->inputs), "eval");
  });
  session.run(name);
  if (!options.outputs.empty())
    session.save(options.outputs, tensorsOf(program, function->outputs));
  float loss = session.readScalar(program.only(Role::loss));
  if (session.rank() == 0)
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

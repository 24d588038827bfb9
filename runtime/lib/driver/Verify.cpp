//===- Verify.cpp - The command `eval --verify` ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the unsharded program in double, then runs one training step twice:
// as the function `verify`, whose probes show every tensor while it exists, and
// as it is trained with, of which the results are compared.
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "driver/Reference.h"
#include "driver/VerifyReport.h"

#include <cmath>
#include <cstdio>

using namespace boost_rt;

namespace {
class Verifier {
public:
  Verifier(Session &session, const EvalOptions &options)
      : session(session), program(session.getProgram()), options(options) {}

  ExitCode run();

private:
  void prepareInputs();
  void fill(const Tensor &tensor, float value);
  void runProbed();
  void runTraining();
  void compare(const std::string &reference, const Probe &probe,
               const void *data);
  void compareShards(const Probe &probe, const void *data,
                     const ReferenceTensor &expected, ComparedTensor &result);
  std::string describeForm(const Probe &probe) const;

  Session &session;
  const Program &program;
  const EvalOptions &options;
  std::unique_ptr<Reference> reference;
  VerifyReport report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void Verifier::fill(const Tensor &tensor, float value) {
  Shard::of(tensor, program.mesh, session.rank())
      .forEachRun([&](int64_t, int64_t local, int64_t count) {
        for (int64_t i = local; i < local + count; ++i)
          convertElements(BOOST_RT_F32, &value, tensor.type,
                          session.data(tensor) + i * sizeOf(tensor.type), 1);
      });
}

/// Parameters and batch come from the file, the rest if it is there. The first
/// step from m = 0, v = 1 - beta2 at the rate 1 moves a parameter by its small
/// gradients, nearly: v without its bias is beta2 + grad^2. From v = 0 it would
/// be the gradient's sign.
void Verifier::prepareInputs() {
  float variance = 1.0f - program.optimizer.value("beta2", 0.0f);
  auto getDefault = [&](const Tensor &tensor) {
    if (tensor.role == Role::hyper)
      return 1.0f;
    return tensor.name.compare(0, 8, "adamw.v.") == 0 ? variance : 0.0f;
  };
  session.together([&] {
    SafeTensorsReader file(options.inputs);
    std::vector<const Tensor *> given;
    for (const std::string &name : program.findFunction("verify")->inputs) {
      const Tensor &tensor = program.tensor(name);
      bool isOptional =
          tensor.role == Role::state || tensor.role == Role::hyper;
      if (!isOptional || file.find(name))
        given.push_back(&tensor);
      else
        fill(tensor, getDefault(tensor));
    }
    session.load(file, given, "eval --verify");
  });
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// "partial over tp", or nothing for a tensor that is complete.
std::string Verifier::describeForm(const Probe &probe) const {
  std::string axes;
  for (size_t axis = 0; axis < program.mesh.getAxes().size(); ++axis)
    if (probe.partial & (1u << axis))
      axes += (axes.empty() ? "" : ", ") + program.mesh.getAxes()[axis].name;
  return axes.empty() ? "" : "partial over " + axes;
}

static std::vector<double> toDouble(ElementType type, const void *data,
                                    int64_t count) {
  std::vector<double> values(static_cast<size_t>(count));
  convertElements(type, data, BOOST_RT_F64, values.data(), count);
  return values;
}

static double distance(double value, double expected) {
  if (std::isnan(value) != std::isnan(expected))
    return HUGE_VAL;
  double difference = std::abs(value - expected);
  return std::isnan(difference) ? 0 : difference;
}

/// The axes that cut a tensor.
static uint32_t cutAxes(const Tensor &tensor) {
  uint32_t axes = 0;
  for (const std::vector<unsigned> &cut : tensor.split)
    for (unsigned axis : cut)
      axes |= 1u << axis;
  return axes;
}

namespace {
/// Compares the shards of a tensor with the reference, one after the other.
class Comparison {
public:
  explicit Comparison(const ReferenceTensor &expected) : expected(expected) {
    for (double value : expected.values)
      if (std::isfinite(value))
        square += value * value;
  }

  /// Ranks with the shards of one whole tensor have one number as `copy`.
  void add(const Shard &shard, int64_t copy,
           const std::vector<double> &values) {
    double &product = products[copy];
    shard.forEachRun([&](int64_t global, int64_t local, int64_t run) {
      for (int64_t i = 0; i < run; ++i) {
        double value = values[static_cast<size_t>(local + i)];
        double wanted = expected.values[static_cast<size_t>(global + i)];
        error = std::max(error, distance(value, wanted));
        if (std::isfinite(value) && std::isfinite(wanted))
          product += (value - wanted) * wanted;
      }
    });
  }

  double getError() const { return error; }

  /// That of the copy with the largest.
  double getGain() const {
    double largest = 0;
    for (const auto &[copy, product] : products)
      if (std::abs(product) > std::abs(largest))
        largest = product;
    return square > 0 ? largest / square : 0;
  }

private:
  const ReferenceTensor &expected;
  std::map<int64_t, double> products;
  double square = 0, error = 0;
};
} // namespace

/// On rank 0. Every rank's copy is looked at, so that one that went its own way
/// is found; ranks that hold terms of one sum come together.
void Verifier::compareShards(const Probe &probe, const void *data,
                             const ReferenceTensor &expected,
                             ComparedTensor &result) {
  const Tensor &tensor = probe.tensor;
  const Mesh &mesh = program.mesh;
  int64_t count = tensor.localElements();
  std::map<int64_t, std::vector<double>> sums;
  std::vector<char> received(static_cast<size_t>(tensor.bytes));
  Comparison comparison(expected);
  for (int64_t rank = 0; rank < session.ranks(); ++rank) {
    if (rank != 0)
      session.getCommunicator().receive(received.data(), tensor.bytes, rank);
    std::vector<double> values =
        toDouble(tensor.type, rank == 0 ? data : received.data(), count);
    int64_t group = mesh.groupIndex(rank, probe.partial);
    std::vector<double> &sum = sums[group];
    sum.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      sum[i] += values[i];
    // The last term of a sum: all ranks of the group have the same shard.
    if (mesh.groupPosition(rank, probe.partial) + 1 !=
        mesh.groupSize(probe.partial))
      continue;
    comparison.add(Shard::of(tensor, mesh, rank),
                   mesh.groupIndex(rank, cutAxes(tensor) | probe.partial), sum);
    sums.erase(group);
  }
  result.error = comparison.getError();
  result.gain = comparison.getGain();
}

/// `name` is that of the tensor in the reference.
void Verifier::compare(const std::string &name, const Probe &probe,
                       const void *data) {
  const Tensor &tensor = probe.tensor;
  if (session.rank() != 0)
    return session.getCommunicator().send(data, tensor.bytes, 0);
  ReferenceTensor expected;
  session.alone([&] { expected = reference->get(name, tensor.elements()); });
  ComparedTensor result{tensor.name,  probe.location,      probe.phase,
                        tensor.shape, describeForm(probe), tensor.type};
  result.bound = expected.bound;
  result.gainBound = expected.gainBound;
  for (double value : expected.values)
    result.scale = std::max(result.scale, std::abs(value));
  compareShards(probe, data, expected, result);
  report.tensors.push_back(std::move(result));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Generated code cannot unwind: what goes wrong inside it ends the process.
void Verifier::runProbed() {
  const std::vector<Probe> &probes = program.verification->probes;
  size_t next = 0;
  session.getContext().onProbe = [&](int32_t site, boost_rt_type type,
                                     const void *data, int64_t count) {
    if (next == probes.size() || probes[next].site != site ||
        probes[next].tensor.type != type ||
        probes[next].tensor.localElements() != count)
      abortProgram(concat("probe ", next,
                          " of this program is not the one of "
                          "its manifest; compile the program again"));
    compare(concat("probe.", site), probes[next++], data);
  };
  session.run("verify");
  session.getContext().onProbe = nullptr;
}

/// The results of the function that trains, under the names that users know.
/// Where they come from is what the probe of the tensor says, which may be a
/// packed one.
void Verifier::runTraining() {
  std::string name = program.findFunction("step") ? "step" : "gradient";
  std::map<std::string, std::string> locations;
  for (const Probe &probe : program.verification->probes)
    locations[probe.tensor.name] = probe.location;
  session.run(name);
  report.loss = session.readScalar("loss");
  for (const std::string &output : program.findFunction(name)->outputs) {
    Tensor tensor = program.tensor(output);
    if (!isFloat(tensor.type))
      continue;
    std::vector<char> shard = session.pack(tensor);
    tensor.strides.clear();
    const std::string &probed = tensor.packed.empty() ? output : tensor.packed;
    compare("result." + output,
            {tensor, 0, 0, locations[probed],
             concat("the results of '", name, "'")},
            shard.data());
  }
}

ExitCode Verifier::run() {
  if (!program.verification)
    throw Failure(ExitCode::usage,
                  "this program cannot be verified; compile it again with "
                  "boost-compile --verify");
  prepareInputs();
  reference = std::make_unique<Reference>(session, options.keep);
  report.ranks = session.ranks();
  runProbed();
  // The step has replaced its parameters.
  prepareInputs();
  runTraining();
  if (!std::isfinite(report.loss))
    refuse("the loss of these inputs is ", report.loss,
           ": comparing what is not finite shows nothing; give inputs with a "
           "finite loss");
  bool isWrong = session.largest(report.findFirstError() ? 1 : 0) != 0;
  if (session.rank() == 0) {
    session.warnUnlessPlanned();
    options.json ? report.printJson() : report.print();
  }
  return isWrong ? ExitCode::trainingFailed : ExitCode::done;
}

ExitCode boost_rt::verify(Session &session, const EvalOptions &options) {
  return Verifier(session, options).run();
}

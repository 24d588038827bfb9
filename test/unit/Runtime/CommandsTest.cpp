//===- CommandsTest.cpp - Commands of programs written by hand ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one rank, what `eval --verify` says of them next to a reference
// that was computed by hand, and which programs are refused.
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"

#include "RuntimeTest.h"
#include "common/SafeTensors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>
#include <unistd.h>

using namespace boost_rt;
using nlohmann::json;
namespace fs = std::filesystem;

extern "C" void boost_rt_probe(boost_rt_context *context, int32_t site,
                               int32_t type, void *data, int64_t count);

namespace {

struct Arena {
  float w[2];
  int32_t ids[3];
  float step, lr, clip, momentum, loss;
  float gradient[2];
  int32_t count;
  float norm;
  float m[2], master[2], sum[2], weights[2];
};

/// The error that the functions make.
enum class Fault {
  none,
  wrongState,
  changedInput,
  infiniteNorm,
  unwrittenResult,
  slowLoss,
  noProbe,
  twoProbes,
  probeOfAnotherSite,
  probeOfAnotherType,
  probeOfMoreElements
};
Fault fault = Fault::none;

void computeLoss(boost_rt_context *, void *memory, void *) {
  auto *arena = static_cast<Arena *>(memory);
  if (fault == Fault::slowLoss)
    std::this_thread::sleep_for(std::chrono::seconds(20));
  arena->loss = arena->w[0] * static_cast<float>(arena->ids[0]) +
                arena->w[1] * static_cast<float>(arena->ids[1]) +
                static_cast<float>(arena->ids[2]);
}

void differentiate(boost_rt_context *context, void *memory, void *) {
  auto *arena = static_cast<Arena *>(memory);
  computeLoss(context, memory, nullptr);
  arena->gradient[0] = static_cast<float>(arena->ids[0]);
  if (fault != Fault::unwrittenResult)
    arena->gradient[1] = static_cast<float>(arena->ids[1]);
  if (fault == Fault::changedInput)
    arena->ids[1] = 1;
}

void trainStep(boost_rt_context *, void *memory, void *) {
  auto *arena = static_cast<Arena *>(memory);
  float gradient[] = {static_cast<float>(arena->ids[0]),
                      static_cast<float>(arena->ids[1])};
  computeLoss(nullptr, memory, nullptr);
  for (int i = 0; i < 2; ++i) {
    arena->w[i] -= arena->lr * gradient[i];
    arena->m[i] += gradient[i];
  }
  if (fault == Fault::wrongState)
    arena->m[1] += 1;
  arena->norm = fault == Fault::infiniteNorm ? HUGE_VALF : 5;
  ++arena->count;
}

void probeLoss(boost_rt_context *context, void *memory, void *) {
  auto *arena = static_cast<Arena *>(memory);
  arena->loss = 9;
  if (fault == Fault::noProbe)
    return;
  boost_rt_probe(context, fault == Fault::probeOfAnotherSite ? 8 : 7,
                 fault == Fault::probeOfAnotherType ? BOOST_RT_I32
                                                    : BOOST_RT_F32,
                 &arena->loss, fault == Fault::probeOfMoreElements ? 2 : 1);
  if (fault == Fault::twoProbes)
    boost_rt_probe(context, 7, BOOST_RT_F32, &arena->loss, 1);
}

json describe(const char *name, const char *role, const char *type,
              const std::vector<int64_t> &shape, size_t offset,
              const json &fields = json::object()) {
  json tensor = {{"name", name},
                 {"role", role},
                 {"dtype", type},
                 {"shape", shape},
                 {"split", json::array()},
                 {"offset", offset},
                 {"bytes", elementsOf(shape) * 4}};
  tensor.update(fields);
  return tensor;
}

json describeHyper(const char *name, size_t offset, double sample,
                   const json &fields) {
  json hyper = describe(name, "hyper", "f32", {}, offset, fields);
  hyper["kind"] = name;
  hyper["sample"] = sample;
  return hyper;
}

/// One call on the whole batch. Written as arrays of lists, which JSON takes
/// for objects otherwise.
json describeCall(const char *function) {
  json call = {{"function", function}, {"micro_batch", 0}};
  return {{"micro_batches", 1}, {"calls", json::array({call})}};
}

/// `count` is a result, but no number that the reference would have.
json describeProgram() {
  json gradient = {{"inputs", {"w", "ids"}}, {"outputs", {"loss", "grad.w"}}};
  json step = {{"inputs", {"w", "m", "count", "ids", "lr"}},
               {"outputs", {"loss", "grad_norm", "w", "m", "count"}}};
  return {
      {"format", 1},
      {"mesh", {{{"name", "tp"}, {"size", 1}}}},
      {"arena_bytes", sizeof(Arena)},
      {"tensors",
       {describe("w", "param", "f32", {2}, offsetof(Arena, w)),
        describe("ids", "batch", "i32", {3}, offsetof(Arena, ids),
                 {{"limit", 4}}),
        describeHyper("step", offsetof(Arena, step), 1, {{"next_sample", 2}}),
        describeHyper("lr", offsetof(Arena, lr), 0.5, {{"next_sample", 0.25}}),
        describeHyper("clip", offsetof(Arena, clip), 1,
                      {{"next_sample", 0.01},
                       {"option", {{"help", "Largest norm"}, {"default", 5}}}}),
        describeHyper("momentum", offsetof(Arena, momentum), 0.75,
                      {{"option", {{"help", "Momentum"}, {"default", 0}}}}),
        describe("loss", "loss", "f32", {}, offsetof(Arena, loss)),
        describe("grad.w", "gradient", "f32", {2}, offsetof(Arena, gradient),
                 {{"of", "w"}}),
        describe("count", "state", "i32", {}, offsetof(Arena, count)),
        describe("grad_norm", "metric", "f32", {}, offsetof(Arena, norm)),
        describe("m", "state", "f32", {2}, offsetof(Arena, m),
                 {{"of", "w"}, {"sample", 3}}),
        describe("master", "state", "f32", {2}, offsetof(Arena, master),
                 {{"of", "w"}, {"init", "param"}}),
        describe("sum", "accumulator", "f32", {2}, offsetof(Arena, sum),
                 {{"of", "w"}}),
        describe("weights", "batch", "f32", {2}, offsetof(Arena, weights))}},
      {"functions",
       {{"loss", {{"inputs", {"w", "ids"}}, {"outputs", {"loss"}}}},
        {"gradient", gradient},
        {"step", step},
        {"verify", step}}},
      {"schedules",
       {{"evaluate", describeCall("loss")},
        {"gradients", describeCall("gradient")},
        {"train", describeCall("step")},
        {"probe", describeCall("verify")}}},
      {"verify",
       {{"function", "step"},
        {"program", "module {}"},
        {"probes",
         {{{"name", "sum"},
           {"dtype", "f32"},
           {"shape", json::array()},
           {"site", 7},
           {"function", "verify"},
           {"location", "model.py:3"},
           {"phase", "forward"}}}}}}};
}

class CommandsTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "boost-commands-XXXXXX";
    folder = kept = known = ::mkdtemp(pattern.data());
    fault = Fault::none;
    ::setenv("BOOST_NUM_THREADS", "1", 1);
    writeInputs({{"w", {1, 2}}, {"weights", {5, 6}}});
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return folder + "/" + name; }

  using Floats = std::map<std::string, std::vector<float>>;

  /// And `ids`.
  void writeInputs(const Floats &floats) const {
    std::vector<SafeTensorsWriter::Entry> entries = {
        {"ids", BOOST_RT_I32, {3}}};
    for (const auto &[name, values] : floats) {
      entries.push_back({name, BOOST_RT_F32, {}});
      if (values.size() > 1)
        entries.back().shape = {static_cast<int64_t>(values.size())};
    }
    SafeTensorsWriter writer(path("in.safetensors"), entries);
    const int32_t ids[] = {1, 3, 2};
    writer.write(0, ids);
    size_t index = 1;
    for (const auto &[name, values] : floats)
      writer.write(index++, values.data());
    writer.finish();
  }

  /// The floats of a set of inputs that was kept.
  Floats readInputs(const char *name) const {
    Floats floats;
    SafeTensorsReader file(path(name));
    for (const auto &[entryName, entry] : file.getEntries()) {
      if (entry.type != BOOST_RT_F32)
        continue;
      std::vector<float> &values = floats[entryName];
      values.resize(static_cast<size_t>(entry.bytes) / sizeof(float));
      std::memcpy(values.data(), entry.data, static_cast<size_t>(entry.bytes));
    }
    return floats;
  }

  void writeReference() const {
    std::vector<SafeTensorsWriter::Entry> entries;
    for (const auto &[name, values] : reference) {
      auto count = static_cast<int64_t>(values.size());
      entries.push_back({"value." + name, BOOST_RT_F64, {count}});
      entries.push_back({"bound." + name, BOOST_RT_F64, {}});
      entries.push_back({"gain." + name, BOOST_RT_F64, {}});
    }
    SafeTensorsWriter writer(path("reference.safetensors"), entries);
    size_t index = 0;
    const double bound = 1e-6;
    for (const auto &[name, values] : reference) {
      writer.write(index++, values.data());
      writer.write(index++, &bound);
      writer.write(index++, &bound);
    }
    writer.finish();
  }

  /// Runs a command of the program, with the kept folder as that of an earlier
  /// run.
  template <typename Command>
  static auto inProgram(const json &manifest, Command &&command) {
    static const boost_program_function compiled[] = {
        {"loss", computeLoss},  {"gradient", differentiate},
        {"step", trainStep},    {"verify", probeLoss},
        {"update", trainStep},  {"accumulate", differentiate},
        {"dance", computeLoss}, {nullptr, nullptr}};
    Program program(manifest.dump().c_str(), compiled);
    Session session(program, "test", 0);
    return command(session);
  }

  ExitCode check(double limitSeconds = 0) {
    writeReference();
    EvalOptions options;
    options.inputs = path("in.safetensors");
    options.keep = kept;
    options.reference = known;
    options.json = true;
    return inProgram(manifest, [&](Session &session) {
      return verify(session, options, limitSeconds);
    });
  }

  /// Ends the process as a program does whose command was refused.
  void exitRefused() {
    try {
      check();
    } catch (const Failure &failure) {
      if (*failure.what())
        reportError(failure.what());
      ::_exit(static_cast<int>(failure.code));
    }
  }

  /// Returns the output of the command, which must end with `code`.
  json report(ExitCode code) {
    ::testing::internal::CaptureStdout();
    std::string refusal;
    ExitCode found{};
    try {
      found = check();
    } catch (const Failure &failure) {
      refusal = concat("refused: ", failure.what());
    }
    std::string output = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(refusal, "");
    EXPECT_EQ(found, code) << output;
    return json::parse(output, nullptr, false);
  }

  template <typename Work>
  static void expectRefused(Work &&work, const char *message) {
    try {
      work();
      ADD_FAILURE() << "not refused: " << message;
    } catch (const Failure &failure) {
      EXPECT_NE(std::string(failure.what()).find(message), std::string::npos)
          << failure.what();
    }
  }

  /// The folder of this run and of one before it may be the same.
  std::string folder, kept, known;
  json manifest = describeProgram();
  /// Results for the first inputs, and for those with ids one position earlier,
  /// the next hyper-parameters, and the states that the first step leaves.
  std::map<std::string, std::vector<double>> reference = {
      {"0.probe.7", {9}},          {"0.result.loss", {9}},
      {"0.result.grad.w", {1, 3}}, {"0.result.grad_norm", {5}},
      {"0.result.w", {0.5, 0.5}},  {"0.result.m", {4, 6}},
      {"1.result.loss", {8}},      {"1.result.grad.w", {3, 2}},
      {"1.result.grad_norm", {5}}, {"1.result.w", {0.25, 1.5}},
      {"1.result.m", {7, 8}}};
};

} // namespace

//===----------------------------------------------------------------------===//
// eval --verify
//===----------------------------------------------------------------------===//

// The integer among the results is not compared.
TEST_F(CommandsTest, resultsOnTwoSetsOfInputs) {
  json found = report(ExitCode::done);
  EXPECT_TRUE(found["verified"]);
  EXPECT_EQ(found["loss"], 9);
  EXPECT_EQ(found["input_sets"], 2);
  EXPECT_EQ(found["functions"], (json{"gradient", "loss", "step"}));
  std::vector<std::string> names;
  for (const json &tensor : found["tensors"]) {
    names.push_back(tensor["name"]);
    EXPECT_EQ(tensor["error"], 0) << tensor;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sum", "loss", "loss", "grad.w",
                                             "loss", "grad_norm", "w", "m",
                                             "loss", "loss", "grad.w", "loss",
                                             "grad_norm", "w", "m"}));
}

// States and rates are those of a first step where the file has none, a master
// its parameter, and a sum of gradients nothing; the second set replaces what a
// step does not leave.
TEST_F(CommandsTest, whatFunctionsStartFrom) {
  report(ExitCode::done);
  EXPECT_EQ(readInputs("inputs.safetensors"), (Floats{{"w", {1, 2}},
                                                      {"weights", {5, 6}},
                                                      {"step", {1}},
                                                      {"lr", {0.5}},
                                                      {"clip", {1}},
                                                      {"momentum", {0.75}},
                                                      {"m", {3, 3}},
                                                      {"master", {1, 2}},
                                                      {"sum", {0, 0}}}));
  EXPECT_EQ(readInputs("inputs-2.safetensors"), (Floats{{"w", {1, 2}},
                                                        {"weights", {5, 6}},
                                                        {"step", {2}},
                                                        {"lr", {0.25}},
                                                        {"clip", {0.01f}},
                                                        {"momentum", {0.75}}}));
  SafeTensorsReader reader(path("inputs-2.safetensors"));
  int32_t ids[3];
  std::memcpy(ids, reader.find("ids")->data, sizeof(ids));
  EXPECT_THAT(ids, testing::ElementsAre(3, 2, 1));

  writeInputs({{"w", {1, 2}},
               {"weights", {5, 6}},
               {"step", {7}},
               {"momentum", {0.25}},
               {"m", {4, 4}},
               {"master", {8, 9}},
               {"sum", {1, 1}}});
  report(ExitCode::trainingFailed);
  Floats given = readInputs("inputs.safetensors");
  EXPECT_EQ(given["step"], std::vector<float>{7});
  EXPECT_EQ(given["lr"], std::vector<float>{0.5});
  EXPECT_EQ(given["m"], (std::vector<float>{4, 4}));
  EXPECT_EQ(given["master"], (std::vector<float>{8, 9}));
  EXPECT_EQ(given["sum"], (std::vector<float>{0, 0}));
  // Without another sample it is the same.
  Floats second = readInputs("inputs-2.safetensors");
  EXPECT_EQ(second["step"], std::vector<float>{2});
  EXPECT_EQ(second["momentum"], std::vector<float>{0.25});

  writeInputs({{"w", {1, 2}}});
  EXPECT_EXIT(exitRefused(), testing::ExitedWithCode(3),
              "lacks 1 tensor that eval --verify needs:\n  'weights'");
}

TEST_F(CommandsTest, whatFunctionsDoWrong) {
  fault = Fault::wrongState;
  json found = report(ExitCode::trainingFailed);
  EXPECT_EQ(found["first_error"]["name"], "m");
  EXPECT_EQ(found["first_error"]["phase"], "the results of 'step'");
  EXPECT_EQ(found["first_error"]["error"], 1);
  EXPECT_TRUE(found["findings"].empty());

  const char *changed = "the function 'gradient' changed its input 'ids'";
  const char *changedSecond =
      "the function 'gradient' on the second inputs changed its input 'ids'";
  fault = Fault::changedInput;
  found = report(ExitCode::trainingFailed);
  EXPECT_EQ(found["findings"],
            (json{changed, changed, changedSecond, changedSecond}));
  EXPECT_TRUE(found["first_error"].is_null());

  fault = Fault::unwrittenResult;
  found = report(ExitCode::trainingFailed);
  EXPECT_EQ(found["findings"][0],
            "two runs of the function 'gradient' from the same inputs differ "
            "in 'grad.w'");
  EXPECT_EQ(found["first_error"]["name"], "grad.w");
}

// Only beside a tensor that is wrong anyway is the infinite one no obstacle.
TEST_F(CommandsTest, resultsThatAreNotFinite) {
  reference["0.probe.7"] = {HUGE_VAL};
  EXPECT_EQ(report(ExitCode::trainingFailed)["first_error"]["name"], "sum");
  reference["0.probe.7"] = {9};
  reference["0.result.w"] = {0.5, HUGE_VAL};
  EXPECT_EQ(report(ExitCode::trainingFailed)["first_error"]["name"], "w");
  reference["0.result.w"] = {0.5, 0.5};
  fault = Fault::infiniteNorm;
  reference["0.result.grad_norm"] =
      reference["1.result.grad_norm"] = {HUGE_VAL};
  expectRefused([&] { check(); },
                "the reference of 'grad_norm' (the results of 'step') is not "
                "finite");
  fault = Fault::none;
  reference["0.result.grad_norm"] = reference["1.result.grad_norm"] = {5};
  reference["1.result.loss"] = {NAN};
  EXPECT_EQ(report(ExitCode::done)["input_sets"], 1);
  reference["0.result.loss"] = {NAN};
  expectRefused([&] { check(); }, "the loss of these inputs is nan");
}

TEST_F(CommandsTest, probesAreThoseOfTheManifest) {
  fault = Fault::noProbe;
  EXPECT_EQ(report(ExitCode::trainingFailed)["findings"],
            (json{"the function 'verify' ended after 0 of 1 probes"}));
  for (Fault probe : {Fault::probeOfAnotherSite, Fault::probeOfAnotherType,
                      Fault::probeOfMoreElements}) {
    fault = probe;
    EXPECT_DEATH(check(), "probe 0 of this program is not the one");
  }
  fault = Fault::twoProbes;
  EXPECT_DEATH(check(), "probe 1 of this program is not the one");
}

// One rank waits for no other, and gets no time for that.
TEST_F(CommandsTest, aFunctionMayTakeSoLong) {
  fault = Fault::slowLoss;
  EXPECT_EXIT(check(0.25), testing::ExitedWithCode(5),
              "the function 'loss' has run for more than 0.25 s");
}

TEST_F(CommandsTest, functionsThatVerificationDoesNotKnow) {
  json &functions = manifest["functions"];
  const json step = functions["step"];
  functions["dance"] = step;
  expectRefused([&] { check(); }, "has a function 'dance' that no schedule");
  functions.erase("dance");
  for (const char *name : {"evaluate", "gradients", "train"}) {
    json schedule = manifest["schedules"][name];
    manifest["schedules"].erase(name);
    expectRefused([&] { check(); },
                  concat("has no schedule '", name, "'").c_str());
    manifest["schedules"][name] = schedule;
  }
  manifest.erase("verify");
  expectRefused([&] { check(); }, "cannot be verified");
}

TEST_F(CommandsTest, aReferenceThatLacksSomething) {
  for (const char *name : {"0.result.loss", "1.result.loss"}) {
    auto loss = reference.extract(name);
    EXPECT_EXIT(check(), testing::ExitedWithCode(3),
                concat("tensor 'value.", name,
                       "' of type F64 with 1 element is missing"));
    reference.insert(std::move(loss));
  }
  reference["0.result.grad.w"] = {1, 3, 2};
  EXPECT_EXIT(check(), testing::ExitedWithCode(3),
              "'value.0.result.grad.w' of type F64 with 2 elements");
}

TEST_F(CommandsTest, aReferenceOfAnotherRun) {
  report(ExitCode::done);
  kept = path("again");
  report(ExitCode::done);
  for (const char *name :
       {"program.mlir", "inputs.safetensors", "inputs-2.safetensors"}) {
    fs::copy_file(path(name), path("copy"));
    std::ofstream(path(name), std::ios::app) << " ";
    EXPECT_EXIT(exitRefused(), testing::ExitedWithCode(2),
                concat(name, "' is not what this run has for it"));
    fs::remove(path(name));
    EXPECT_EXIT(exitRefused(), testing::ExitedWithCode(2),
                concat("cannot open file ", path(name)));
    fs::rename(path("copy"), path(name));
  }
  report(ExitCode::done);
}

// A folder that nobody asked for goes away, also if the run is refused.
TEST_F(CommandsTest, foldersOfTheRun) {
  report(ExitCode::done);
  kept = path("in.safetensors") + "/kept";
  EXPECT_EXIT(exitRefused(), testing::ExitedWithCode(3),
              concat("cannot create the folder '", kept));
  kept = path("kept/here");
  report(ExitCode::done);
  EXPECT_TRUE(fs::exists(path("kept/here/inputs-2.safetensors")));

  kept.clear();
  const char *before = std::getenv("TMPDIR");
  const std::string saved = before ? before : "";
  fs::create_directory(path("temporary"));
  ::setenv("TMPDIR", path("temporary").c_str(), 1);
  report(ExitCode::done);
  EXPECT_TRUE(fs::is_empty(path("temporary")));
  fs::remove(path("program.mlir"));
  expectRefused([&] { check(); }, "");
  EXPECT_TRUE(fs::is_empty(path("temporary")));
  ::setenv("TMPDIR", path("none").c_str(), 1);
  EXPECT_EXIT(exitRefused(), testing::ExitedWithCode(3),
              "cannot create a temporary folder for --verify");
  if (before)
    ::setenv("TMPDIR", saved.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
}

//===----------------------------------------------------------------------===//
// train
//===----------------------------------------------------------------------===//

TEST_F(CommandsTest, programsWithoutATrainingStep) {
  Options options;
  options.train.data = {path("none")};
  options.train.steps = 1;
  auto trained = [&] {
    inProgram(manifest,
              [&](Session &session) { return train(session, options); });
  };
  manifest["schedules"].erase("train");
  expectRefused(trained, "has no schedule 'train'");
}

//===- PipelineTest.cpp - Programs with stages, from outside --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs made from PipelineProgram.cpp: pipeline-1 on one rank computes
// what pipeline-2 does on two stages, to the bit.
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include <cmath>
#include <unistd.h>

using namespace boost_rt;

namespace {

class PipelineTest : public ProgramFixture {
protected:
  std::string trainCommand(const std::string &name) const {
    return "train --json --data " + path("tokens.bin") + " --log " +
           path("log.jsonl") + " --save " + path(name) + " ";
  }

  /// Trains with a program and returns its summary; `name` are the parameters.
  json train(const std::string &program, const std::string &name,
             const std::string &options, int ranks) {
    Outcome outcome = run(program, trainCommand(name) + options, ranks);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    EXPECT_EQ(outcome.output.find("warning"), std::string::npos)
        << outcome.output;
    return lastLine(outcome.output);
  }

  /// What the log has of each step, without what depends on the clock and the
  /// ranks.
  std::vector<json> readSteps() const {
    std::vector<json> steps = readLog();
    for (json &step : steps)
      for (const char *name : {"seconds", "tokens_per_second", "bytes"})
        step.erase(name);
    return steps;
  }

  /// Two ranks of a program that no MPI has started. Once one of them fails,
  /// the other is ended.
  Outcome runOverTCP(const std::string &program,
                     const std::string &arguments) const {
    std::string start = concat(" env WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "
                               "MASTER_PORT=",
                               20000 + ::getpid() % 12000, " RANK=");
    std::string command = " " + program + " " + arguments + " & ";
    return shell("bash -c '" + start + "1" + command + "a=$!;" + start + "0" +
                 command +
                 "b=$!; wait -n; code=$?; [ $code = 0 ] || kill -KILL $a $b; "
                 "wait $a && wait $b && exit $code; exit 5'");
  }

  std::string writePipelineInputs() {
    SafeTensorsWriter writer(path("in.safetensors"),
                             {{"table", BOOST_RT_F32, {8}},
                              {"scale", BOOST_RT_F32, {1}},
                              {"bias", BOOST_RT_F32, {1}},
                              {"tokens", BOOST_RT_I64, {4, 5}}});
    const Inputs inputs;
    const float scale = 0.75f, bias = -0.5f;
    writer.write(0, inputs.table.data());
    writer.write(1, &scale);
    writer.write(2, &bias);
    writer.write(3, inputs.tokens.data());
    writer.finish();
    return path("in.safetensors");
  }

  void expectAlmost(const std::string &name, const std::string &other) {
    SafeTensorsReader one(path(name)), two(path(other));
    ASSERT_EQ(one.getEntries().size(), two.getEntries().size());
    for (const auto &[tensor, entry] : one.getEntries()) {
      const SafeTensorsReader::Entry *found = two.find(tensor);
      ASSERT_TRUE(found) << tensor;
      std::vector<float> first(static_cast<size_t>(elementsOf(entry.shape))),
          second(first.size());
      std::memcpy(first.data(), entry.data, first.size() * sizeof(float));
      std::memcpy(second.data(), found->data, second.size() * sizeof(float));
      for (size_t i = 0; i < first.size(); ++i)
        EXPECT_NEAR(first[i], second[i], 1e-6) << tensor << " " << i;
    }
  }
};

} // namespace

// Losses, norms, parameters and validation, however the ranks talk and wherever
// the arena is.
TEST_F(PipelineTest, stagesTrainAsOneRank) {
  const std::string options =
      "--steps 5 --val-data " + path("tokens.bin") + " --val-batches 2";
  train("pipeline-1", "one", options, 1);
  std::vector<json> expected = readSteps();
  ASSERT_EQ(expected.size(), 5u);
  EXPECT_GT(expected[0]["update_norm"].get<double>(), 0);
  EXPECT_TRUE(expected[4].contains("val_loss"));
  for (const char *program : {"pipeline-2", "pipeline-2-staged"}) {
    json summary = train(program, "two", options, 2);
    EXPECT_EQ(readSteps(), expected) << program;
    EXPECT_EQ(contentOf(path("one")), contentOf(path("two"))) << program;
    // Of the first stage: 4 hidden rows of 32 bytes and a bias.
    EXPECT_EQ(summary["bytes_per_step"]["send"], 4 * 32 + 4);
    EXPECT_EQ(summary["plan_agrees"], true);
    EXPECT_EQ(summary["arena"]["stages"], json::parse(R"([
        {"bytes": 1152, "touched": 1152}, {"bytes": 1088, "touched": 1088}])"));
  }
  fs::remove(path("two"));
  Outcome outcome = runOverTCP("pipeline-2", trainCommand("two") + options);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_EQ(readSteps(), expected);
  EXPECT_EQ(contentOf(path("one")), contentOf(path("two")));
}

// The stages are not the slowest axis, so that neighbors are two ranks apart.
TEST_F(PipelineTest, stagesOfSeveralRanksTrainAsOneRank) {
  train("pipeline-1", "one", "--steps 5", 1);
  std::vector<json> expected = readSteps();
  json summary = train("pipeline-2-dp2", "four", "--steps 5", 4);
  EXPECT_EQ(summary["bytes_per_step"]["send"], 4 * 16 + 4);
  std::vector<json> steps = readSteps();
  ASSERT_EQ(steps.size(), expected.size());
  for (size_t i = 0; i < steps.size(); ++i)
    for (const char *name : {"loss", "update_norm"})
      EXPECT_NEAR(steps[i][name].get<double>(), expected[i][name].get<double>(),
                  1e-6)
          << name << " of step " << i;
  expectAlmost("four", "one");
}

TEST_F(PipelineTest, stagesEvaluateAsOneRank) {
  std::string command =
      "eval --json --inputs " + writePipelineInputs() + " --outputs ";
  for (const char *gradients : {"", " --gradients"}) {
    Outcome one = run("pipeline-1", command + path("one") + gradients);
    ASSERT_EQ(one.exitCode, 0) << one.output;
    for (auto [program, ranks] :
         {std::pair("pipeline-2", 2), {"pipeline-2-dp2", 4}}) {
      Outcome two = run(program, command + path("two") + gradients, ranks);
      ASSERT_EQ(two.exitCode, 0) << two.output;
      EXPECT_EQ(two.output.find("warning"), std::string::npos) << two.output;
      EXPECT_NEAR(lastLine(two.output)["loss"].get<double>(),
                  lastLine(one.output)["loss"].get<double>(), 1e-6);
      expectAlmost("two", "one");
    }
  }
  EXPECT_EQ(SafeTensorsReader(path("two")).getEntries().size(), 4u)
      << "the loss and a gradient per parameter";
}

// A tied parameter is in a checkpoint once, and on every stage after it.
TEST_F(PipelineTest, checkpointsGoFromAnyLayoutToAnyOther) {
  train("pipeline-1", "whole", "--steps 6", 1);
  const std::string checkpoint = "--checkpoint " + path("ck");
  auto resume = [&](const char *program, int ranks, const char *steps) {
    bool isFirst = !fs::exists(path("ck"));
    train(program, "resumed",
          checkpoint + (isFirst ? " --steps " : " --resume --steps ") + steps,
          ranks);
  };
  resume("pipeline-2", 2, "2");
  SafeTensorsReader saved(path("ck/step-2/tensors.safetensors"));
  EXPECT_EQ(saved.getEntries().size(), 6u);
  resume("pipeline-1", 1, "3");
  resume("pipeline-2-staged", 2, "5");
  resume("pipeline-2", 2, "6");
  EXPECT_EQ(contentOf(path("whole")), contentOf(path("resumed")));
}

// Initial values are those of one rank, whoever has them.
TEST_F(PipelineTest, parametersStartAlike) {
  train("pipeline-1", "one", "--steps 0 --seed 5", 1);
  train("pipeline-2", "two", "--steps 0 --seed 5", 2);
  EXPECT_EQ(contentOf(path("one")), contentOf(path("two")));
  train("pipeline-1", "one", "--steps 2 --init " + path("one"), 1);
  train("pipeline-2", "two", "--steps 2 --init " + path("two"), 2);
  EXPECT_EQ(contentOf(path("one")), contentOf(path("two")));
}

// What one stage sees alone, all ranks end with.
TEST_F(PipelineTest, divergenceOnOneStageEndsAll) {
  expectRefused("pipeline-2",
                trainCommand("x") + "--steps 200 --step-size 1e30", 1,
                {"training diverged"}, 2);
}

TEST_F(PipelineTest, aStageThatStopsIsNamed) {
  auto expectNamed = [&](const char *signal, bool overTCP,
                         const std::vector<std::string> &parts) {
    ::setenv("BOOST_PIPELINE_SIGNAL", signal, 1);
    std::string arguments = trainCommand("x") + "--steps 2 --timeout 1";
    Outcome outcome = overTCP ? runOverTCP("pipeline-2", arguments)
                              : run("pipeline-2", arguments, 2);
    ::unsetenv("BOOST_PIPELINE_SIGNAL");
    EXPECT_NE(outcome.exitCode, 0) << outcome.output;
    for (const std::string &part : parts)
      EXPECT_NE(outcome.output.find(part), std::string::npos)
          << part << " not in:\n"
          << outcome.output;
  };
  for (bool overTCP : {false, true}) {
    const std::string stop = std::to_string(SIGSTOP);
    expectNamed(("1," + stop).c_str(), overTCP,
                {"rank 1 is stopped (SIGSTOP); rank 0 has waited more than 1 s "
                 "in a transfer of micro-batch 2 from stage 1 while training a "
                 "step"});
    // What it was sending meanwhile may have been sent or not.
    expectNamed(("0," + stop).c_str(), overTCP,
                {"rank 0 is stopped (SIGSTOP); rank 1 has waited more than 1 s "
                 "in a transfer ",
                 "from stage 0 while training a step"});
  }
}

TEST_F(PipelineTest, infoTellsTheStages) {
  json info = json::parse(run("pipeline-2", "info").output);
  EXPECT_EQ(info["pipeline"], json::parse(R"({"axis": "pp", "stages": [
      {"arena_bytes": 1152, "stash": {"slots": 2, "bytes_per_slot": 192}},
      {"arena_bytes": 1088, "stash": {"slots": 1, "bytes_per_slot": 192}}]})"));
  EXPECT_EQ(info["functions"]["backward_1"]["stage"], 1);
  EXPECT_EQ(info["batch"][0]["stages"], json::parse("[0, 1]"));
  EXPECT_EQ(info["parameters"]["tensors"][1]["stages"], json::parse("[1]"));
  EXPECT_FALSE(
      json::parse(run("pipeline-1", "info").output).contains("pipeline"));
}

//===- HyperParametersTest.cpp - Hyper-parameters of a program ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `train` has an option for each hyper-parameter of its program. The program
// tiny-momentum has a step size and a momentum, no learning rate, no number of
// the step and no norm of the gradient.
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"
#include "gmock/gmock.h"

using namespace boost_rt;
using testing::HasSubstr;
using testing::Not;

namespace {
class HyperParametersTest : public ProgramFixture {
protected:
  std::string train(const std::string &options) const {
    return concat("train --steps 4 --data ", path("tokens.bin"), " ", options);
  }
};
} // namespace

TEST_F(HyperParametersTest, areInTheHelp) {
  std::string help = run("tiny-momentum", "train --help").output;
  EXPECT_THAT(help, testing::ContainsRegex(
                        "--step-size X +Size of a step; default 0\\.1"));
  EXPECT_THAT(help, testing::ContainsRegex(
                        "--momentum X +Share of the last step; default 0\\.5"));
  for (const char *other : {"--beta1", "--eps", "--clip"}) {
    EXPECT_THAT(help, Not(HasSubstr(other)));
    expectRefused("tiny-momentum", train(concat(other, "=1")), 2,
                  {concat("not expected: ", other)});
  }
  for (const char *other :
       {"--lr", "--min-lr", "--schedule", "--warmup", "--decay-steps"}) {
    EXPECT_THAT(help, Not(HasSubstr(other)));
    expectRefused("tiny-momentum", train(concat(other, "=1")), 2,
                  {concat(other, ": the optimizer of this program has its own "
                                 "learning rate; leave it out")});
  }
  std::string other = run("tiny", "train --help").output;
  EXPECT_THAT(other, testing::ContainsRegex(
                         "--eps X +Added to the root; default 1e-08"));
  EXPECT_THAT(other, Not(HasSubstr("--momentum")));
  json info = json::parse(run("tiny-momentum", "info").output);
  EXPECT_EQ(info["hyper_parameters"],
            (json{{"step-size",
                   {{"help", "Size of a step"},
                    {"default", 0.1},
                    {"values", "above 0"}}},
                  {"momentum",
                   {{"help", "Share of the last step"},
                    {"default", 0.5},
                    {"values", "in [0, 1)"}}}}));
}

TEST_F(HyperParametersTest, haveBounds) {
  for (const char *bad : {"1", "-0.1", "0.99999999", "nan"})
    expectRefused("tiny-momentum", train(concat("--momentum ", bad)), 2,
                  {concat("--momentum: expects a number in [0, 1) as an f32, "
                          "but got ",
                          bad)});
  expectRefused("tiny-momentum", train("--step-size 0"), 2,
                {"--step-size: expects a number above 0 as an f32, but got 0"});
}

// A step of plain descent, and the next one with half of it.
TEST_F(HyperParametersTest, areWhatAStepTakes) {
  auto tableAfter = [&](int steps, const std::string &options) {
    Outcome outcome =
        run("tiny-momentum", concat("train --quiet --steps ", steps, " --data ",
                                    path("tokens.bin"), " --save ",
                                    path("table.safetensors"), " ", options));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    std::vector<float> table(8);
    SafeTensorsReader reader(path("table.safetensors"));
    std::memcpy(table.data(), reader.find("table")->data, 32);
    return table;
  };
  std::vector<float> start = tableAfter(0, "");
  std::vector<float> small = tableAfter(1, "--step-size 0.25");
  std::vector<float> large = tableAfter(1, "--step-size 0.5");
  std::vector<float> second = tableAfter(2, "--step-size 0.25 --momentum 0");
  std::vector<float> moved = tableAfter(2, "--step-size 0.25 --momentum 0.5");
  EXPECT_NE(start, small);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(large[i] - start[i], 2 * (small[i] - start[i]), 1e-6);
    EXPECT_NEAR(moved[i] - second[i], 0.5F * (small[i] - start[i]), 1e-6);
  }
  EXPECT_EQ(tableAfter(2, "--step-size 0.25"), moved);
}

TEST_F(HyperParametersTest, areInConfigurationsAndLogs) {
  std::ofstream(path("config.json"))
      << R"({"momentum": 0.25, "step-size": 0.5})";
  Outcome outcome = run("tiny-momentum", train("--momentum 0.75 --config " +
                                               path("config.json") + " --log " +
                                               path("log.jsonl")));
  ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_THAT(outcome.output, testing::ContainsRegex(
                                  "step 4/4  loss [0-9.]+  [0-9]+ tokens/s"));
  json config = readLog("config").at(0)["config"];
  EXPECT_EQ(config["momentum"], 0.75);
  EXPECT_EQ(config["step-size"], 0.5);
  std::vector<json> steps = readLog();
  ASSERT_EQ(steps.size(), 4u);
  for (const json &step : steps) {
    EXPECT_GT(step["update_norm"], 0);
    EXPECT_FALSE(step.contains("grad_norm"));
    EXPECT_FALSE(step.contains("lr"));
  }
  for (const char *none : {"lr", "schedule", "min-lr", "warmup", "beta1"})
    EXPECT_FALSE(config.contains(none)) << none;
}

TEST_F(HyperParametersTest, tellRunsApart) {
  std::string resumed = train("--resume --checkpoint " + path("ck"));
  ASSERT_EQ(run("tiny-momentum", resumed + " --step-size 0.25").exitCode, 0);
  json identity = json::parse(contentOf(path("ck/step-4/state.json")))["run"];
  EXPECT_EQ(identity["step-size"], 0.25);
  EXPECT_EQ(identity["momentum"], 0.5);
  for (const char *none :
       {"lr", "schedule", "min-lr", "warmup", "decay-steps", "clip", "beta1"})
    EXPECT_FALSE(identity.contains(none)) << none;

  std::string other = resumed + " --momentum 0.25";
  expectRefused("tiny-momentum", other, 6,
                {"step-4 is of another run:\n  --step-size: was 0.25, but is "
                 "0.1\n  --momentum: was 0.5, but is 0.25\n",
                 "with --allow step-size --allow momentum\n"});
  Outcome outcome =
      run("tiny-momentum", other + " --allow step-size --allow momentum");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_THAT(outcome.output, Not(HasSubstr("warning")));
  expectRefused("tiny-momentum", other + " --allow lr", 2, {"'lr'"});
}

TEST_F(HyperParametersTest, areWhatHelpsARunThatDiverges) {
  expectRefused("tiny-momentum", train("--step-size 1e30"), 1,
                {"training diverged: at step 2 the loss is inf; ",
                 "; change --step-size or --momentum\n"});
}

//===- TrainTest.cpp - What a run of `train` refuses and reports ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

using namespace boost_rt;

namespace {
class TrainTest : public ProgramFixture {
protected:
  Outcome train(const std::string &options, int ranks = 1) const {
    return run(ranks == 1 ? "tiny" : "tiny-dp2",
               "train --data " + path("tokens.bin") + " " + options, ranks);
  }

  void expectMisuse(const std::string &options, const std::string &message) {
    expectRefused("tiny", "train --data " + path("tokens.bin") + " " + options,
                  2, {message});
  }

  void expectDone(const std::string &options) const {
    Outcome outcome = train("--quiet " + options);
    EXPECT_EQ(outcome.exitCode, 0) << options << "\n" << outcome.output;
  }

  /// The loss of one batch of tokens.bin, whose windows share an end.
  static double lossOf(const std::vector<float> &table, int batch) {
    double loss = 0;
    for (int i = 16 * batch; i < 16 * (batch + 1); ++i) {
      auto token = static_cast<size_t>(i * i % 7);
      double difference =
          static_cast<double>(table[token]) - (i + 1) * (i + 1) % 7 / 4.0;
      loss += difference * difference / 16;
    }
    return loss;
  }
};

void expectPart(const Outcome &outcome, const std::string &part,
                bool isThere = true) {
  EXPECT_EQ(outcome.output.find(part) != std::string::npos, isThere)
      << part << " in:\n"
      << outcome.output;
}
} // namespace

TEST_F(TrainTest, whatPeopleRead) {
  for (int ranks : {1, 2}) {
    Outcome outcome =
        train("--val-data " + path("tokens.bin") +
                  " --val-batches 2 --steps 2 --json --save " + path("s"),
              ranks);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    expectPart(outcome, ranks == 1
                            ? "8 parameters, mesh dp=1,tp=1, 1 rank of 1 "
                              "thread\n"
                            : "8 parameters, mesh dp=2,tp=1, 2 ranks of "
                              "1 thread\n");
    expectPart(outcome, ", 2001 tokens of raw uint16, 16 per step\n");
    expectPart(outcome, "\ndone: 2 steps in ");
    json summary = lastLine(outcome.output);
    char loss[40];
    std::snprintf(loss, sizeof(loss), "\nvalidation loss %.4f\n",
                  summary["val_loss"].get<double>());
    expectPart(outcome, loss);
    expectPart(outcome,
               "\nall_reduce: 36 bytes per step and rank, as planned\n",
               ranks == 2);
    expectPart(outcome, "\nparameters: " + path("s") + "\n");
  }
  Outcome outcome = train("--steps 1 --json");
  expectPart(outcome, "validation loss", false);
  expectPart(outcome, "parameters: ", false);
  EXPECT_FALSE(lastLine(outcome.output).contains("val_loss"));
  expectPart(train("--steps 0"), "\ndone: no step was left of 0\n");
  EXPECT_EQ(train("--steps 1 --quiet").output, "");
}

// Every second step and the last one; the mean over all batches, or so many.
TEST_F(TrainTest, validation) {
  std::string options = "--quiet --lr 0 --val-data " + path("few.bin") +
                        " --log " + path("log.jsonl") + " --save " +
                        path("saved") + " --steps ";
  auto expectLosses = [&](const std::string &more, int batches,
                          const std::vector<int> &steps) {
    Outcome outcome = train(options + more);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    std::vector<float> table(8);
    SafeTensorsReader saved(path("saved"));
    std::memcpy(table.data(), saved.find("table")->data, 32);
    double loss = 0;
    for (int batch = 0; batch < batches; ++batch)
      loss += lossOf(table, batch) / batches;
    std::vector<int> found;
    for (const json &record : readLog()) {
      if (!record.contains("val_loss"))
        continue;
      found.push_back(record["step"]);
      EXPECT_NEAR(record["val_loss"].get<double>(), loss, 1e-6 * loss);
    }
    EXPECT_EQ(found, steps) << more;
  };
  writeTokens("few.bin", 3 * 16 + 1, 0);
  expectLosses("5 --val-every 2", 3, {2, 4, 5});
  expectLosses("4 --val-every 2 --val-batches 3", 3, {2, 4});
  expectLosses("2 --val-batches 2", 2, {2});
  expectLosses("2 --val-batches 4", 3, {2});
  // One token less ends no batch.
  writeTokens("few.bin", 3 * 16, 0);
  expectLosses("1", 2, {1});
  writeTokens("few.bin", 17, 0);
  expectLosses("1", 1, {1});
  writeTokens("few.bin", 16, 0);
  expectRefused(
      "tiny", "train --data " + path("tokens.bin") + " " + options + "1", 3,
      {"--val-data has 16 tokens, which are not enough for a batch of "
       "16; use more data"});
}

// Lengths may meet what they are part of, and no more.
TEST_F(TrainTest, schedulesThatFit) {
  expectDone("--steps 2 --warmup 2");
  expectMisuse("--steps 2 --warmup 3", "--warmup 3 is longer than --steps 2");
  expectDone("--steps 0 --warmup 3");
  expectDone("--steps 1 --lr 0.5 --min-lr 0.5");
  expectMisuse("--steps 1 --lr 0.25 --min-lr 0.5",
               "--min-lr 0.5 is above --lr 0.25");
  expectDone("--steps 1 --schedule constant");
  expectMisuse("--steps 1 --schedule constant --min-lr 0", "has no --min-lr");
  expectMisuse("--steps 1 --schedule cosine --decay-steps 1",
               "--decay-steps is of --schedule wsd");
  expectDone("--steps 3 --schedule wsd --warmup 1 --decay-steps 2");
  expectMisuse("--steps 3 --schedule wsd --warmup 2 --decay-steps 2",
               "--warmup 2 and --decay-steps 2 are together longer than "
               "--steps 3");
  expectDone("--steps 0 --schedule wsd --decay-steps 2");
  expectMisuse("--steps 1000000000000000000",
               "--steps 1000000000000000000 of 1 batch with 16 tokens are more "
               "tokens than 64 bits can count");
}

// Parameters may replace those that they come from, and nothing else a file.
TEST_F(TrainTest, filesThatWouldBeLost) {
  std::string data = path("tokens.bin"), start = path("start"),
              kept = path("kept");
  expectDone("--steps 1 --save " + start);
  expectDone("--steps 1 --init " + start + " --save " + start + " --log " +
             kept);
  std::string init = "--steps 1 --init " + start;
  expectMisuse(init + " --log " + start, "--log and --init name the same file");
  expectMisuse("--steps 1 --log " + kept + " --save " + folder + "/./kept",
               "--log and --save name the same file");
  expectMisuse("--steps 1 --log " + folder + "/./tokens.bin",
               "--log and --data name the same file");
  fs::create_hard_link(data, path("other"));
  expectMisuse("--steps 1 --save " + path("other"),
               "--save and --data name the same file");
}

// All steps take their time; the first of several is no measure of speed.
TEST_F(TrainTest, tokensPerSecond) {
  for (int steps : {1, 2, 4}) {
    Outcome outcome = train("--quiet --json --log " + path("log.jsonl") +
                            " --steps " + std::to_string(steps));
    json summary = lastLine(outcome.output);
    double seconds = 0, timed = 0;
    for (const json &record : readLog()) {
      seconds += record["seconds"].get<double>();
      if (record["step"] != 1 || steps == 1)
        timed += record["seconds"].get<double>();
    }
    EXPECT_NEAR(summary["seconds"].get<double>() / seconds, 1, 1e-6);
    EXPECT_NEAR(summary["tokens_per_second"].get<double>() * timed,
                16 * std::max(1, steps - 1), 1e-3);
  }
}

// The report of a resumed run counts its own steps.
TEST_F(TrainTest, stepsOfARunThatGoesOn) {
  std::string options = "--schedule constant --json --checkpoint " +
                        path("checkpoints") + " --log " + path("log.jsonl") +
                        " --steps ";
  ASSERT_EQ(train(options + "2", 2).exitCode, 0);
  Outcome outcome = train(options + "5 --resume", 2);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
  expectPart(outcome, "\nresumed after step 2\n");
  expectPart(outcome, "\ndone: 3 steps in ");
  json summary = lastLine(outcome.output);
  EXPECT_EQ(summary["steps"], 3);
  EXPECT_EQ(summary["bytes_per_step"]["all_reduce"], 36);
  std::vector<json> records = readLog();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(summary["initial_loss"], records[2]["loss"]);
  EXPECT_EQ(summary["final_loss"], records[4]["loss"]);
  outcome = train(options + "5 --resume", 2);
  expectPart(outcome, "\ndone: no step was left of 5\n");
  EXPECT_EQ(lastLine(outcome.output)["bytes_per_step"]["all_reduce"], 0);
  expectRefused("tiny-dp2",
                "train --data " + path("tokens.bin") + " " + options +
                    "4 --resume",
                2, {"the checkpoint is after step 5, beyond --steps 4"}, 2);
}

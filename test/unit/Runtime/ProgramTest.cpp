//===- ProgramTest.cpp - The commands of a program, from outside ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"
#include "common/Permutation.h"

#include <unistd.h>

using namespace boost_rt;

using ProgramTest = ProgramFixture;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, helpAndVersion) {
  for (const char *arguments :
       {"--help", "-h", "train --help", "eval -h", "info --help"}) {
    Outcome outcome = run("tiny", arguments);
    EXPECT_EQ(outcome.exitCode, 0) << arguments;
    EXPECT_NE(outcome.output.find("Usage:"), std::string::npos);
  }
  EXPECT_NE(run("tiny", "--version").output.find("boost-mlir"),
            std::string::npos);
}

TEST_F(ProgramTest, usageErrors) {
  for (const char *arguments : {"",
                                "dance",
                                "train",
                                "eval",
                                "train --data x --steps x",
                                "train --data x --steps -1",
                                "train --data x --steps 1 --lr -1",
                                "train --data x --steps 1 --lr nan",
                                "train --data x --steps 1 --fast",
                                "train --data x --steps 1 --resume",
                                "info extra",
                                "train --data x --steps 99999999999999999999",
                                "train --data x --steps 0x10",
                                "train --data x --steps ''",
                                "train --data '' --steps 1",
                                "train --data x --steps 1 --save ''",
                                "train --data x --steps 1 --log ''",
                                "eval --inputs ''",
                                "train --data x --steps 1 --checkpoint ''",
                                "eval --inputs x --outputs ''"})
    expectRefused("tiny", arguments, 2, {"usage: "});
  expectRefused("tiny",
                "train --data " + path("tokens.bin") + " --steps 3 --warmup 4",
                2, {"--warmup 4", "--steps 3"});
  expectRefused("tiny",
                "train --data " + path("tokens.bin") +
                    " --steps 3 --lr 0.1 --min-lr 0.2",
                2, {"--min-lr 0.2"});
}

TEST_F(ProgramTest, feedsThatAreNone) {
  for (const char *feed : {"tokens", "=inputs", "tokens=tokens", "tokens=x"})
    expectRefused(
        "tiny", std::string("train --data x --steps 1 --batch ") + feed, 2,
        {std::string(
             "expects NAME=inputs|targets|mask|positions|segments|step|key, "
             "but got '") +
         feed});
}

TEST_F(ProgramTest, configOfUnknownOptions) {
  for (const char *name : {"speed", "config"}) {
    std::ofstream(path("config.json")) << "{\"" << name << "\": \"1\"}";
    expectRefused("tiny",
                  "train --data x --steps 1 --config " + path("config.json"), 2,
                  {"config.json",
                   std::string("'") + name + "' is not an option of train"});
  }
}

TEST_F(ProgramTest, wrongThreadCount) {
  ::setenv("BOOST_NUM_THREADS", "many", 1);
  expectRefused("tiny", "eval --inputs x", 2, {"BOOST_NUM_THREADS", "many"});
}

// A rank that stopped alone would leave the other waiting for it.
TEST_F(ProgramTest, oneRankWithAWrongThreadCount) {
  ::unsetenv("BOOST_NUM_THREADS");
  std::string program = "tiny-dp2 eval --inputs none";
  Outcome outcome =
      shell("timeout 60 mpirun --oversubscribe -np 1 -x BOOST_NUM_THREADS=1 " +
            program + " : -np 1 -x BOOST_NUM_THREADS=abc " + program);
  EXPECT_EQ(outcome.exitCode, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("error: BOOST_NUM_THREADS"), std::string::npos)
      << outcome.output;
}

TEST_F(ProgramTest, threadsThatCannotStart) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more addresses than this allows";
#endif
  Outcome outcome = shell(
      "ulimit -v 1000000; BOOST_NUM_THREADS=1000 tiny eval --inputs none");
  EXPECT_EQ(outcome.exitCode, 4) << outcome.output;
  EXPECT_NE(outcome.output.find("BOOST_NUM_THREADS"), std::string::npos)
      << outcome.output;
}

TEST_F(ProgramTest, info) {
  Outcome outcome = run("tiny", "info");
  ASSERT_EQ(outcome.exitCode, 0);
  json info = json::parse(outcome.output);
  EXPECT_EQ(info["name"], "tiny");
  EXPECT_EQ(info["ranks"], 1);
  EXPECT_EQ(info["arena_bytes"], 1280);
  EXPECT_EQ(info["functions"]["gradient"]["outputs"][1], "grad.table");
  EXPECT_EQ(info["optimizer"]["name"], "adamw");
  EXPECT_TRUE(info["plan"]["collectives"].empty());
  EXPECT_FALSE(info.contains("initial_values"));
}

// All of each tensor: rules of parameters, feeds of batch arguments.
TEST_F(ProgramTest, infoOfTensors) {
  json info = json::parse(run("tiny-dp2", "info").output);
  EXPECT_EQ(info["mesh"], json::parse(R"([{"name": "dp", "size": 2},
                            {"name": "tp", "size": 1}])"));
  EXPECT_EQ(info["ranks"], 2);
  EXPECT_EQ(info["parameters"], json::parse(R"({"count": 8, "tensors": [
      {"name": "table", "shape": [8], "dtype": "f32", "split": [[]],
       "bytes_per_rank": 32, "init": "normal:0.5", "frozen": false,
       "decay": false}]})"));
  EXPECT_EQ(info["batch"], json::parse(R"([
      {"name": "tokens", "shape": [4, 5], "dtype": "i32",
       "split": [["dp"], []], "bytes_per_rank": 40, "limit": 8,
       "feed": null}])"));
  info = json::parse(run("tiny-documents", "info").output);
  EXPECT_EQ(info["batch"][1], json::parse(R"(
      {"name": "positions", "shape": [4, 5], "dtype": "i8",
       "split": [[], []], "bytes_per_rank": 20, "limit": 4,
       "feed": "positions"})"));
  EXPECT_EQ(info["batch"][4], json::parse(R"(
      {"name": "number", "shape": [], "dtype": "i8", "split": [],
       "bytes_per_rank": 1, "feed": "step"})"));
}

//===----------------------------------------------------------------------===//
// eval
//===----------------------------------------------------------------------===//

/// Loss and gradient of the model in TinyProgram.c.
static double expectedLoss(const std::vector<float> &table,
                           const std::vector<int64_t> &tokens,
                           std::vector<double> &gradient) {
  double loss = 0;
  gradient.assign(8, 0);
  for (size_t i = 0; i + 1 < 20; ++i) {
    if (i % 5 == 4)
      continue;
    auto token = static_cast<size_t>(tokens[i]);
    double difference = static_cast<double>(table[token]) -
                        static_cast<double>(tokens[i + 1]) / 4;
    loss += difference * difference / 16;
    gradient[token] += difference / 8;
  }
  return loss;
}

TEST_F(ProgramTest, evalGivesLossAndGradients) {
  Inputs inputs;
  std::vector<double> gradient;
  double loss = expectedLoss(inputs.table, inputs.tokens, gradient);
  std::string in = writeInputs(inputs), out = path("out.safetensors");
  for (int ranks : {1, 2}) {
    Outcome outcome = run(
        ranks == 1 ? "tiny" : "tiny-dp2",
        "eval --json --gradients --inputs " + in + " --outputs " + out, ranks);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    SafeTensorsReader outputs(out);
    ASSERT_TRUE(outputs.find("loss") && outputs.find("grad.table"));
    EXPECT_EQ(outputs.getEntries().size(), 2u);
    float value;
    std::memcpy(&value, outputs.find("loss")->data, sizeof(value));
    EXPECT_NEAR(value / loss, 1.0, 1e-6);
    std::vector<float> grad(8);
    std::memcpy(grad.data(), outputs.find("grad.table")->data, 32);
    EXPECT_LT(relativeError(grad, gradient), 1e-6);
    json report = lastLine(outcome.output);
    EXPECT_EQ(report["ranks"], ranks);
    EXPECT_TRUE(report["plan_agrees"]);
    EXPECT_EQ(report["collectives"].size(), ranks == 1 ? 0u : 1u);
    if (ranks == 2) {
      EXPECT_EQ(report["totals"]["all_reduce"]["bytes"], 36);
      EXPECT_EQ(report["totals"]["all_reduce"]["executions"], 1);
    }
  }
}

TEST_F(ProgramTest, evalOfTheLossAlone) {
  Outcome outcome = run("tiny", "eval --inputs " + writeInputs({}));
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.output.rfind("loss ", 0), 0u);
}

TEST_F(ProgramTest, evalRefusesBadInputs) {
  auto refused = [&](const Inputs &inputs,
                     const std::vector<std::string> &parts) {
    std::string arguments = "eval --inputs " + writeInputs(inputs);
    expectRefused("tiny", arguments, 3, parts);
    expectRefused("tiny-dp2", arguments, 3, parts, 2);
  };
  Inputs inputs;
  inputs.tableName = "tables";
  refused(inputs, {"in.safetensors", "'table'", "shape [8] and type f32"});
  inputs = {};
  inputs.tableShape = {4, 2};
  refused(inputs, {"'table'", "shape [8]", "shape [4, 2]"});
  inputs = {};
  inputs.tokenType = BOOST_RT_F64;
  refused(inputs, {"'tokens'", "type i32", "type F64"});
  // On the second rank only.
  inputs = {};
  inputs.tokens[17] = 8;
  refused(inputs, {"element 17 of 'tokens' is 8", "below 8"});
  inputs.tokens[17] = int64_t(1) << 40;
  refused(inputs, {"'tokens'", "do not fit type i32"});
  expectRefused("tiny", "eval --inputs " + path("none"), 3, {path("none")});
}

TEST_F(ProgramTest, unwritableOutputs) {
  expectRefused("tiny",
                "eval --inputs " + writeInputs({}) +
                    " --outputs /nowhere/out.safetensors",
                3, {"/nowhere/out.safetensors"});
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, wrongNumberOfRanks) {
  std::string arguments = "eval --inputs " + writeInputs({});
  expectRefused("tiny-dp2", arguments, 2, {"2 ranks", "mpirun -np 2"});
  expectRefused("tiny-dp2", arguments, 2, {"3 were", "mpirun -np 2"}, 3);
  expectRefused("tiny", arguments, 2, {"1 rank", "2 were"}, 2);
}

TEST_F(ProgramTest, collectivesOfFourRanks) {
  Outcome outcome = shell("mpirun -np 4 --oversubscribe collectives");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
}

TEST_F(ProgramTest, collectivesOfFourRanksOverTCP) {
  // A port of this process.
  std::string port = std::to_string(20000 + ::getpid() % 12000);
  Outcome outcome =
      shell("{ start() { RANK=$1 WORLD_SIZE=4 MASTER_ADDR=127.0.0.1 "
            "MASTER_PORT=" +
            port +
            " collectives; }; start 1 & a=$!; start 2 & b=$!; start 3 & c=$!; "
            "start 0 && wait $a && wait $b && wait $c; }");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
}

// The ranks of a machine that is busy with other tests are slow, but none is
// stopped.
TEST_F(ProgramTest, ranksThatWaitInVain) {
  auto expectWaiting = [](const std::string &what, int code,
                          const std::vector<std::string> &messages) {
    Outcome outcome = shell("mpirun -np 3 --oversubscribe waiting " + what);
    EXPECT_EQ(outcome.exitCode, code) << what << ":\n" << outcome.output;
    for (const std::string &message : messages)
      EXPECT_NE(outcome.output.find(message), std::string::npos)
          << what << ":\n"
          << outcome.output;
    EXPECT_EQ(outcome.output.find("error: "), outcome.output.rfind("error: "))
        << "one rank speaks:\n"
        << outcome.output;
  };
  const std::string others = "; ranks 0 and 2 have waited more than 1 s in an "
                             "all-reduce while starting; if ranks only need "
                             "longer, raise --timeout\n";
  expectWaiting("stuck", 5, {"error: rank 1 is stuck while sleeping" + others});
  expectWaiting(
      "deaf", 5,
      {"error: rank 1 is missing: running, but without an answer" + others});
  expectWaiting("elsewhere", 5,
                {"error: no rank is missing: ",
                 "rank 1 has waited more than 1 s in a barrier while starting, "
                 "ranks 0 and 2 in an all-reduce while starting"});
  expectWaiting("busy", 0, {});
}

// Over MPI nothing checks the bytes, but these numbers cannot be.
TEST_F(ProgramTest, numbersThatNoRankMaySend) {
  auto expectFault = [](const std::string &what, const std::string &message) {
    Outcome outcome = shell("mpirun -np 3 --oversubscribe waiting " + what);
    EXPECT_EQ(outcome.exitCode, 7) << outcome.output;
    EXPECT_NE(outcome.output.find(message), std::string::npos)
        << outcome.output;
  };
  expectFault("code",
              " gets 83 as the exit code of rank 1: the network changes "
              "what ranks send");
  expectFault("number", " gets 9 as the largest of all ranks' numbers, which "
                        "are 2 at most: the network changes what ranks send");
}

//===----------------------------------------------------------------------===//
// train
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, trainingLowersTheLossAlikeOnEveryMesh) {
  std::vector<std::vector<double>> losses;
  for (int ranks : {1, 2}) {
    Outcome outcome =
        run(ranks == 1 ? "tiny" : "tiny-dp2",
            "train --data " + path("tokens.bin") +
                " --steps 40 --lr 0.1 --warmup 5 --json --log " +
                path("log.jsonl") + " --save " + path("saved.safetensors"),
            ranks);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("step 40/40  loss "), std::string::npos);
    std::vector<json> records = readLog();
    ASSERT_EQ(records.size(), 40u);
    EXPECT_EQ(records[0]["step"], 1);
    EXPECT_NEAR(records[0]["lr"].get<double>(), 0.02, 1e-7);
    EXPECT_NEAR(records[39]["lr"].get<double>(), 0.01, 1e-7);
    EXPECT_EQ(records[0]["tokens"], 16);
    for (const char *key : {"grad_norm", "seconds", "tokens_per_second"})
      EXPECT_TRUE(records[3][key].is_number()) << key;
    json summary = lastLine(outcome.output);
    EXPECT_EQ(summary["ranks"], ranks);
    EXPECT_EQ(summary["all_reduce_bytes_per_step"], ranks == 1 ? 0 : 36);
    EXPECT_TRUE(summary["plan_agrees"]);
    EXPECT_LT(summary["final_loss"].get<double>(),
              summary["initial_loss"].get<double>() / 2);
    losses.emplace_back();
    for (const json &record : records)
      losses.back().push_back(record["loss"]);
    EXPECT_EQ(SafeTensorsReader(path("saved.safetensors")).getEntries().size(),
              1u);
  }
  for (size_t i = 0; i < 40; ++i)
    EXPECT_NEAR(losses[0][i], losses[1][i], 1e-5);
}

// Row i of step k reads window 4 k + i; windows of 4 tokens share no token but
// their ends.
TEST_F(ProgramTest, batchesFollowTheFile) {
  writeInputs({});
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < 2001; ++i)
    tokens.push_back(i * i % 7);
  run("tiny", "train --steps 2 --lr 0 --clip 0 --data " + path("tokens.bin") +
                  " --init " + path("in.safetensors") + " --log " +
                  path("log.jsonl"));
  std::vector<json> records = readLog();
  ASSERT_EQ(records.size(), 2u);
  for (size_t step = 0; step < 2; ++step) {
    std::vector<int64_t> batch;
    for (size_t row = 0; row < 4; ++row)
      for (size_t i = 0; i < 5; ++i)
        batch.push_back(tokens[(step * 4 + row) * 4 + i]);
    std::vector<double> gradient;
    double loss = expectedLoss(Inputs().table, batch, gradient);
    EXPECT_NEAR(records[step]["loss"].get<double>() / loss, 1.0, 1e-6);
  }
}

// Each of three epochs has an order of its own; validation has that of the
// file.
TEST_F(ProgramTest, randomOrderIsOfTrainingAlone) {
  writeInputs({});
  writeTokens("short.bin", 33, 0);
  auto lossOf = [](const std::vector<int64_t> &windows) {
    std::vector<int64_t> batch;
    for (int64_t window : windows)
      for (int64_t i = 4 * window; i <= 4 * window + 4; ++i)
        batch.push_back(i * i % 7);
    std::vector<double> gradient;
    return expectedLoss(Inputs().table, batch, gradient);
  };
  std::string data = path("short.bin");
  ASSERT_EQ(run("tiny", "train --steps 6 --lr 0 --clip 0 --shuffle --seed 5 "
                        "--val-batches 1 --data " +
                            data + " --val-data " + data + " --init " +
                            path("in.safetensors") + " --log " +
                            path("log.jsonl"))
                .exitCode,
            0);
  std::vector<json> records = readLog();
  ASSERT_EQ(records.size(), 6u);
  for (int64_t step = 0; step < 6; ++step) {
    Permutation order(8, 5, static_cast<uint64_t>(step / 2));
    std::vector<int64_t> windows;
    for (int64_t row = 0; row < 4; ++row)
      windows.push_back(order[step % 2 * 4 + row]);
    EXPECT_NEAR(records[static_cast<size_t>(step)]["loss"].get<double>(),
                lossOf(windows), 1e-5);
  }
  EXPECT_NEAR(records[5]["val_loss"].get<double>(), lossOf({0, 1, 2, 3}), 1e-5);
}

TEST_F(ProgramTest, accumulationAveragesBatches) {
  writeInputs({});
  std::string arguments = " --lr 0 --data " + path("tokens.bin") + " --init " +
                          path("in.safetensors") + " --log " +
                          path("log.jsonl");
  ASSERT_EQ(run("tiny", "train --steps 4" + arguments).exitCode, 0);
  std::vector<json> single = readLog();
  expectRefused("tiny-accumulate",
                "train --steps 9000000000000000000" + arguments, 2,
                {"--steps 9000000000000000000 of 2 batches", "64 bits"});
  expectRefused("tiny", "train --steps 9000000000000000000" + arguments, 2,
                {"--steps 9000000000000000000 of 1 batch ", "64 bits"});
  ASSERT_EQ(run("tiny-accumulate", "train --steps 2" + arguments).exitCode, 0);
  std::vector<json> accumulated = readLog();
  ASSERT_EQ(accumulated.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(accumulated[i]["loss"].get<double>(),
                (single[2 * i]["loss"].get<double>() +
                 single[2 * i + 1]["loss"].get<double>()) /
                    2,
                1e-6);
    EXPECT_EQ(accumulated[i]["tokens"], 32);
  }
}

TEST_F(ProgramTest, numbersAreDecimal) {
  ASSERT_EQ(run("tiny", "train --steps 010 --data " + path("tokens.bin") +
                            " --log " + path("log.jsonl"))
                .exitCode,
            0);
  EXPECT_EQ(readLog().size(), 10u);
}

TEST_F(ProgramTest, everyMeshStartsFromTheSameBytes) {
  std::string arguments = "train --steps 0 --seed 7 --data " +
                          path("tokens.bin") + " --save " + path("a");
  ASSERT_EQ(run("tiny", arguments).exitCode, 0);
  std::string one = contentOf(path("a"));
  ASSERT_EQ(run("tiny-dp2", arguments, 2).exitCode, 0);
  EXPECT_EQ(one, contentOf(path("a")));
  ASSERT_EQ(run("tiny", arguments + " --seed 8").exitCode, 2);
}

TEST_F(ProgramTest, badTokenFiles) {
  writeTokens("beyond.bin", 2001, 3);
  std::string arguments = "train --steps 3 --data ";
  std::vector<std::string> parts{"beyond.bin", "token 0 is id 8", "below 8"};
  expectRefused("tiny", arguments + path("beyond.bin"), 3, parts);
  expectRefused("tiny-dp2", arguments + path("beyond.bin"), 3, parts, 2);
  // Only the last target of the last batch, and what no batch reads.
  writeTokens("last.bin", 2001, 0);
  setToken("last.bin", 48, 9);
  parts = {"last.bin", "token 48 is id 9", "below 8"};
  expectRefused("tiny", arguments + path("last.bin"), 3, parts);
  expectRefused("tiny-dp2", arguments + path("last.bin"), 3, parts, 2);
  writeTokens("last.bin", 2001, 0);
  setToken("last.bin", 49, 9);
  EXPECT_EQ(run("tiny", arguments + path("last.bin")).exitCode, 0);
  setToken("last.bin", 49, 0);
  setToken("last.bin", 2000, 9);
  parts[1] = "token 2000 is id 9";
  expectRefused("tiny", "train --steps 125 --data " + path("last.bin"), 3,
                parts);
  // Behind the last whole batch of an epoch.
  writeTokens("last.bin", 2005, 0);
  setToken("last.bin", 2003, 9);
  EXPECT_EQ(
      run("tiny", "train --steps 125 --data " + path("last.bin")).exitCode, 0);
  parts[1] = "token 2003 is id 9";
  expectRefused("tiny", "train --steps 126 --data " + path("last.bin"), 3,
                parts);
  writeTokens("short.bin", 4, 0);
  expectRefused("tiny", arguments + path("short.bin"), 3,
                {"short.bin", "4 tokens", "needs 5"});
  std::ofstream(path("odd.bin")) << "abc";
  expectRefused("tiny", arguments + path("odd.bin"), 3, {"odd.bin"});
  expectRefused("tiny", arguments + path("none.bin"), 3, {"none.bin"});
}

// The file is mapped: what another program writes into it is read.
TEST_F(ProgramTest, dataThatChangesUnderARun) {
  auto changed = [&](const std::string &program, int ranks) {
    writeTokens("changing.bin", 2001, 0);
    fs::remove(path("log.jsonl"));
    std::string launcher =
        ranks > 1 ? concat("mpirun -np ", ranks, " --oversubscribe ") : "";
    // Token 30 is in a row of rank 1, if there is one.
    return shell(
        "{ timeout 60 " + launcher + program +
        " train --steps 2000000000 --quiet --data " + path("changing.bin") +
        " --log " + path("log.jsonl") + " & until grep -q step. " +
        path("log.jsonl") +
        " 2>/dev/null; do sleep 0.05; done; printf '\\011\\000' | dd of=" +
        path("changing.bin") +
        " bs=2 seek=30 conv=notrunc status=none; wait $!; }");
  };
  for (int ranks : {1, 2}) {
    Outcome outcome = changed(ranks == 1 ? "tiny" : "tiny-dp2", ranks);
    EXPECT_EQ(outcome.exitCode, 3) << outcome.output;
    EXPECT_NE(outcome.output.find(
                  "error: token file " + path("changing.bin") +
                  ": token 30 is id 9, but this program was compiled for ids "
                  "below 8: another program has written this file since the "
                  "run began"),
              std::string::npos)
        << outcome.output;
  }
}

// Before the first step, and nothing of it stays.
TEST_F(ProgramTest, unwritableParameters) {
  std::string arguments = "train --steps 2000000000 --data " +
                          path("tokens.bin") + " --log " + path("log.jsonl") +
                          " --save ";
  for (const std::string &target : {path("none/saved"), folder}) {
    std::vector<std::string> parts{"cannot write " + target + ": "};
    expectRefused("tiny", arguments + target, 3, parts);
    expectRefused("tiny-dp2", arguments + target, 3, parts, 2);
  }
  EXPECT_FALSE(fs::exists(path("log.jsonl")));
  EXPECT_EQ(run("tiny-diverge", "train --steps 5 --data " + path("tokens.bin") +
                                    " --save " + path("saved"))
                .exitCode,
            1);
  EXPECT_EQ(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()),
      1);
}

TEST_F(ProgramTest, logOnAFullDisk) {
  Outcome outcome = run("tiny", "train --steps 3 --log /dev/full --data " +
                                    path("tokens.bin"));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  std::string warning = "warning: cannot write log file /dev/full: No space";
  size_t found = outcome.output.find(warning);
  EXPECT_NE(found, std::string::npos) << outcome.output;
  EXPECT_EQ(found, outcome.output.rfind(warning)) << outcome.output;
}

TEST_F(ProgramTest, evalOfALossThatIsNotFinite) {
  Inputs inputs;
  inputs.table[0] = std::nanf("");
  std::string in = writeInputs(inputs);
  expectRefused("tiny", "eval --inputs " + in, 1,
                {"the loss of these inputs is nan, which is not finite"});
  // Two ranks report it once.
  Outcome outcome = run("tiny-dp2", "eval --inputs " + in, 2);
  EXPECT_EQ(outcome.exitCode, 1) << outcome.output;
  size_t found = outcome.output.find("the loss of these inputs is nan");
  EXPECT_NE(found, std::string::npos) << outcome.output;
  EXPECT_EQ(found, outcome.output.rfind("the loss of these inputs is nan"));
}

TEST_F(ProgramTest, divergence) {
  expectRefused("tiny-diverge", "train --steps 5 --data " + path("tokens.bin"),
                1, {"at step 2 the loss is nan", "--lr"});
}

// One rank knows after the update, several learn of it when they agree anyway.
TEST_F(ProgramTest, divergenceOfAnUpdate) {
  std::string arguments =
      "train --steps 5 --lr 3e38 --weight-decay 10 --data " +
      path("tokens.bin");
  expectRefused("tiny", arguments, 1,
                {"training diverged: the update of step 1 made 'table' "
                 "infinite or NaN; ",
                 "; lower --lr"});
  expectRefused("tiny-dp2", arguments, 1,
                {"at step 2 the loss is", "since the update of step 1 made "
                                          "'table' infinite or NaN"},
                2);
}

// A file that is opened must not get the number of standard output.
TEST_F(ProgramTest, closedOutputGoesNowhere) {
  shell("(tiny train --steps 2 --data " + path("tokens.bin") + " --log " +
        path("log.jsonl") + " >&-)");
  std::ifstream log(path("log.jsonl"));
  std::string line;
  int lines = 0;
  for (; std::getline(log, line); ++lines)
    EXPECT_EQ(line.front(), '{') << line;
  // The configuration and two steps.
  EXPECT_EQ(lines, 3);
}

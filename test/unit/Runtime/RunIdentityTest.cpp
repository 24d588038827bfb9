//===- RunIdentityTest.cpp - Which run a checkpoint is of -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RunIdentity.h"
#include "ProgramFixture.h"
#include "common/Checksum.h"

using namespace boost_rt;

namespace {
class RunIdentityTest : public ProgramFixture {
protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    ASSERT_EQ(run("tiny", train("--steps 4")).exitCode, 0);
  }

  /// A run with other options in place of some of these.
  std::string train(const std::string &options,
                    const std::string &data = "tokens.bin") const {
    std::string arguments = "train --data " + path(data) + " --checkpoint " +
                            path("ck") + " " + options;
    for (const char *option : {"--lr 0.1", "--warmup 2", "--clip 1"})
      if (options.find(std::string(option).substr(
              0, std::string(option).find(' ') + 1)) == std::string::npos)
        arguments += concat(" ", option);
    return arguments;
  }

  /// Another run is refused, says what was what, and is taken if allowed.
  void expectAnother(const std::string &program, const std::string &arguments,
                     const std::string &name, const std::string &was) {
    SCOPED_TRACE(name);
    std::string resumed = arguments + " --resume";
    expectRefused(program, resumed, 6,
                  {"step-4 is of another run", was, " --allow " + name});
    expectRefused(program, resumed + " --allow batch", 6, {was});
    Outcome outcome = run(program, resumed + " --allow " + name);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("note: the run goes on"), std::string::npos);
    EXPECT_EQ(outcome.output.find("warning"), std::string::npos)
        << outcome.output;
    EXPECT_NE(outcome.output.find(was), std::string::npos) << outcome.output;
  }
};
} // namespace

TEST_F(RunIdentityTest, otherRunsAreRefused) {
  expectAnother("tiny", train("--steps 4 --lr 0.2 --min-lr 0.01"), "lr",
                "--lr: was 0.1, but is 0.2");
  expectAnother("tiny", train("--steps 4 --min-lr 0.02"), "min-lr",
                "--min-lr: was 0.01, but is 0.02");
  expectAnother("tiny", train("--steps 4 --warmup 1"), "warmup",
                "--warmup: was 2, but is 1");
  expectAnother("tiny", train("--steps 4 --clip 0.5"), "clip",
                "--clip: was 1.0, but is 0.5");
  expectAnother("tiny", train("--steps 4 --beta1 0.8"), "beta1",
                "--beta1: was 0.9, but is 0.8");
  expectAnother("tiny", train("--steps 4 --beta2 0.9"), "beta2",
                "--beta2: was 0.95, but is 0.9");
  expectAnother("tiny", train("--steps 4 --eps 1e-7"), "eps",
                "--eps: was 1e-08, but is 1e-07");
  expectAnother("tiny", train("--steps 4 --weight-decay 0"), "weight-decay",
                "--weight-decay: was 0.1, but is 0.0");
  expectAnother("tiny", train("--steps 4 --seed 3"), "seed",
                "--seed: was 0, but is 3");
  expectAnother("tiny-accumulate", train("--steps 4"), "accumulate",
                "--accumulate of boost-compile: was 1, but is 2");
  // One token of many.
  fs::copy_file(path("tokens.bin"), path("other.bin"));
  setToken("other.bin", 1000, 7);
  expectAnother("tiny", train("--steps 4", "other.bin"), "data",
                "--data: was 2001 tokens with the checksum ");
}

// All that a checkpoint knows of its run.
TEST_F(RunIdentityTest, recordsTheRun) {
  json run = json::parse(contentOf(path("ck/step-4/state.json")))["run"];
  std::string data = run["data"];
  EXPECT_EQ(data.rfind("2001 tokens with the checksum ", 0), 0u);
  run.erase("data");
  EXPECT_EQ(run, json::parse(R"({"program": "",
      "precision": "param f32; state f32", "beta1": 0.9, "beta2": 0.95,
      "eps": 1e-8, "weight-decay": 0.1, "accumulate": 1,
      "master-weights": false,
      "batch": "'tokens' [4, 5] <- tokens", "mask": null,
      "mask-starts": false, "pad": null, "eod": null, "shuffle": false,
      "seed": 0, "schedule": "cosine", "lr": 0.1, "min-lr": 0.01,
      "warmup": 2, "clip": 1.0, "steps": 4, "decay-steps": 0})"))
      << run.dump();
}

// Positions follow from the ends of documents: one id if all files agree.
TEST_F(RunIdentityTest, recordsMasksAndEndsOfDocuments) {
  std::vector<uint16_t> tokens(35, 1);
  for (size_t i = 1; i < tokens.size(); i += 2)
    tokens[i] = 3;
  for (const auto &[name, end] : {std::pair("3.bin", 3), {"4.bin", 4}})
    writeDocuments(name, tokens, end);
  for (const char *name : {"ones", "zeros"})
    std::ofstream(path(name)) << std::string(35, name[0] == 'o' ? '\1' : '\0');
  auto recorded = [&](const std::vector<std::string> &files,
                      const std::string &options) {
    std::string data;
    for (const std::string &file : files)
      data += " " + path(file);
    Outcome outcome = run("tiny-documents", "train --lr 0 --steps 1 --data" +
                                                data + " --checkpoint " +
                                                path("documents") + options);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    json run = json::parse(contentOf(path("documents/step-1/state.json")));
    fs::remove_all(path("documents"));
    return run["run"];
  };
  json run = recorded({"3.bin", "3.bin"}, " --mask-starts --eod 3");
  EXPECT_EQ(
      run["batch"],
      "'tokens' [4, 5] <- tokens, 'mask' [4, 5] <- mask, 'key' [2] <- key, "
      "'number' [] <- step, 'positions' [4, 5] <- positions");
  EXPECT_EQ(run["mask-starts"], true);
  EXPECT_EQ(run["mask"], json());
  EXPECT_EQ(run["eod"], 3);
  EXPECT_EQ(std::string(run["data"])
                .rfind("70 tokens in 2 files with the checksum ", 0),
            0u);
  run = recorded({"3.bin", "3.bin"}, " --pad 5");
  EXPECT_EQ(run["pad"], 5);
  EXPECT_EQ(run["eod"], 3);
  // Without positions and segments, only --mask-starts looks at them.
  const std::string masks = " --batch positions=mask --pad 5";
  EXPECT_EQ(recorded({"3.bin"}, masks)["eod"], json());
  EXPECT_EQ(recorded({"3.bin"}, masks + " --mask-starts")["eod"], 3);
  EXPECT_EQ(recorded({"3.bin"}, " --batch positions=segments --pad 5")["eod"],
            3);
  EXPECT_EQ(recorded({"3.bin", "4.bin"}, " --pad 5")["eod"], (json{3, 4}));
  std::string ones = " " + path("ones"), zeros = " " + path("zeros");
  json forward = recorded({"3.bin", "3.bin"}, " --mask" + ones + zeros);
  json backward = recorded({"3.bin", "3.bin"}, " --mask" + zeros + ones);
  EXPECT_TRUE(forward["mask"].is_string());
  EXPECT_NE(forward["mask"], backward["mask"]);
}

TEST_F(RunIdentityTest, allDifferencesAreListed) {
  std::string arguments =
      train("--steps 6 --lr 0.2 --seed 3 --clip 2 --resume");
  std::vector<std::string> parts{
      "\n  --seed: was 0, but is 3", "\n  --lr: was 0.1, but is 0.2",
      "\n  --min-lr: was 0.01, but is 0.02", "\n  --clip: was 1.0, but is 2.0",
      "with --allow seed --allow lr --allow min-lr --allow clip\n"};
  expectRefused("tiny", arguments, 6, parts);
  expectRefused("tiny-dp2", arguments, 6, parts, 2);
  arguments += " --allow lr --allow clip";
  expectRefused("tiny", arguments, 6, {"with --allow seed --allow min-lr\n"});
  arguments += " --allow seed --allow min-lr";
  Outcome outcome = run("tiny", arguments);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  // The next checkpoint is of the new run.
  outcome = run("tiny", arguments.substr(0, arguments.find(" --allow")));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("resumed after step 6"), std::string::npos);
  expectRefused("tiny", train("--steps 4 --resume --allow everything"), 2,
                {"expects one of program, ", "'everything'"});
  expectRefused("tiny", train("--steps 4 --allow lr"), 2, {"--resume"});
}

// Changes without an effect, and intended changes.
TEST_F(RunIdentityTest, theSameRunGoesOn) {
  std::string common = train("--steps 4 --resume ");
  for (const std::string &options :
       {std::string(), "--log " + path("log.jsonl"), "--save " + path("saved"),
        std::string("--keep-last 1 --keep-every 2 --checkpoint-every 7"),
        std::string("--json --timeout 5 --min-lr 0.01")}) {
    Outcome outcome = run("tiny", common + " " + options);
    EXPECT_EQ(outcome.exitCode, 0) << options << outcome.output;
    EXPECT_EQ(outcome.output.find("changes"), std::string::npos)
        << outcome.output;
  }
  EXPECT_EQ(run("tiny-dp2", common, 2).exitCode, 0);
  // Equal tokens in another file and another format.
  std::vector<int32_t> header(256);
  header[0] = 20240520;
  header[1] = 1;
  header[2] = 2001;
  std::ofstream(path("moved.bin"), std::ios::binary)
      << std::string(reinterpret_cast<const char *>(header.data()), 1024)
      << contentOf(path("tokens.bin"));
  EXPECT_EQ(run("tiny", train("--steps 4 --resume", "moved.bin")).exitCode, 0);
  Outcome outcome = run("tiny", train("--steps 5 --resume"));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("changes:\n  --steps: was 4, but is 5\n"),
            std::string::npos)
      << outcome.output;
  outcome = run("tiny", train("--steps 6 --resume --quiet"));
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.output, "");
}

// Pieces of large files are read; another length, beginning or end is noticed.
TEST_F(RunIdentityTest, largeFilesAreToldApart) {
  auto describe = [&](int64_t size, int64_t changed) {
    std::string file = path("large.bin");
    std::ofstream(file).close();
    fs::resize_file(file, static_cast<uintmax_t>(size));
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    // Not every second number is 0, as in a file of wider integers.
    out.seekp(2) << '\1';
    out.seekp(changed) << '\1';
    out.close();
    TokenFile tokens(file);
    return describeData(tokens);
  };
  constexpr int64_t large = 100'000'000;
  std::set<std::string> seen;
  for (int64_t changed : {int64_t(0), int64_t(65535), large - 1, large - 65536})
    seen.insert(describe(large, changed));
  seen.insert(describe(large + 2, 0));
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(describe(large, 0), describe(large, 0));
  // Checkpoints have named files so.
  EXPECT_EQ(describe(large, 0),
            "50000000 tokens with the checksum 340b5184dc1b4672");
  // All of 64 MiB is read.
  std::string whole = describe(1 << 26, 0);
  EXPECT_EQ(whole, concat("33554432 tokens with the checksum ",
                          checksumOf(contentOf(path("large.bin")))));
  for (int64_t changed : {0, 12'345'678, 67'108'863})
    seen.insert(describe(1 << 26, changed));
  EXPECT_EQ(seen.size(), 8u);
}

// A record without its checksum may have been changed.
TEST_F(RunIdentityTest, checkpointsWithoutTheirChecksumAreSkipped) {
  std::ofstream(path("ck/step-4/state.json"))
      << R"({"format": 1, "seed": 0, "step": 4})";
  expectRefused("tiny", train("--steps 6 --resume"), 6,
                {"warning: skipped checkpoint " + path("ck/step-4"),
                 "state.json is missing, damaged or of another step"});
}

//===- CheckpointTest.cpp - Interrupted and resumed training --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include <fcntl.h>
#include <sys/file.h>

using namespace boost_rt;

using CheckpointTest = ProgramFixture;

TEST_F(CheckpointTest, resumedTrainingIsTheUninterruptedOne) {
  std::string common =
      "train --lr 0.1 --steps 6 --data " + path("tokens.bin") + " --save ";
  ASSERT_EQ(run("tiny", common + path("whole")).exitCode, 0);
  std::string checkpoint = " --checkpoint " + path("ck");
  ASSERT_EQ(
      run("tiny", common + path("first") + checkpoint + " --checkpoint-every 2")
          .exitCode,
      0);
  for (const char *name : {"step-2", "step-4", "step-6"})
    EXPECT_TRUE(fs::exists(path("ck") + "/" + name));
  fs::remove_all(path("ck/step-6"));
  Outcome outcome =
      run("tiny", common + path("resumed") + checkpoint + " --resume");
  ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("resumed after step 4"), std::string::npos);
  EXPECT_EQ(contentOf(path("whole")), contentOf(path("resumed")));
}

// Tensors are distinguished by their role: a parameter may be named like an
// accumulated gradient.
TEST_F(CheckpointTest, checkpointsHoldParametersOfAnyName) {
  std::string common =
      "train --lr 0.1 --steps 6 --data " + path("tokens.bin") + " --save ";
  ASSERT_EQ(run("tiny-named-acc", common + path("whole")).exitCode, 0);
  std::string checkpoint = " --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny-named-acc",
                common + path("first") + checkpoint + " --checkpoint-every 4")
                .exitCode,
            0);
  {
    SafeTensorsReader saved(path("ck/step-4/tensors.safetensors"));
    EXPECT_EQ(saved.getEntries().size(), 3u);
    for (const char *name :
         {"acc.table", "adamw.m.acc.table", "adamw.v.acc.table"})
      EXPECT_TRUE(saved.find(name)) << name;
  }
  fs::remove_all(path("ck/step-6"));
  Outcome outcome = run("tiny-named-acc",
                        common + path("resumed") + checkpoint + " --resume");
  ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("resumed after step 4"), std::string::npos);
  EXPECT_EQ(contentOf(path("whole")), contentOf(path("resumed")));
}

// The run had gone on after its last checkpoint, and ended within a line.
TEST_F(CheckpointTest, resumedLogHoldsEveryStepOnce) {
  std::string arguments = "train --data " + path("tokens.bin") + " --log " +
                          path("log.jsonl") + " --checkpoint " + path("ck") +
                          " --checkpoint-every 2 --steps ";
  ASSERT_EQ(run("tiny", arguments + "5").exitCode, 0);
  fs::remove_all(path("ck/step-5"));
  std::ofstream(path("log.jsonl"), std::ios::app) << "{\"step\": 6, \"lo";
  ASSERT_EQ(run("tiny", arguments + "6 --resume").exitCode, 0);
  std::vector<json> records = readLog();
  ASSERT_EQ(records.size(), 6u);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(records[i]["step"], i + 1);
  // So does each configuration: that of a start whose steps are gone is too.
  ASSERT_EQ(run("tiny", arguments + "7 --resume").exitCode, 0);
  fs::remove_all(path("ck/step-7"));
  ASSERT_EQ(run("tiny", arguments + "8 --resume").exitCode, 0);
  std::vector<std::pair<int, int>> starts;
  for (const json &line : readLog("config"))
    starts.emplace_back(line["first_step"], line["config"]["steps"]);
  EXPECT_EQ(starts, (std::vector<std::pair<int, int>>{{1, 5}, {5, 6}, {7, 8}}));
}

TEST_F(CheckpointTest, timesOfCheckpointsAreReported) {
  std::string arguments = "train --json --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck") +
                          " --checkpoint-every 2 --steps ";
  json saved = lastLine(run("tiny", arguments + "5").output)["checkpoints"];
  EXPECT_EQ(saved["saved"], 3);
  EXPECT_EQ(saved["load_seconds"], 0);
  double parts = 0;
  for (const char *part :
       {"checksum_seconds", "write_seconds", "sync_seconds"}) {
    EXPECT_GT(saved[part].get<double>(), 0) << part;
    parts += saved[part].get<double>();
  }
  EXPECT_LT(parts, saved["seconds"].get<double>());
  json loaded =
      lastLine(run("tiny", arguments + "5 --resume").output)["checkpoints"];
  EXPECT_EQ(loaded["saved"], 0);
  EXPECT_GT(loaded["load_checksum_seconds"].get<double>(), 0);
  EXPECT_LT(loaded["load_checksum_seconds"], loaded["load_seconds"]);
}

TEST_F(CheckpointTest, checkpointMovesToAnotherMesh) {
  std::string common = "train --lr 0.1 --data " + path("tokens.bin") +
                       " --steps 4 --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny", common).exitCode, 0);
  Outcome outcome = run("tiny-dp2", common + " --resume", 2);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("resumed after step 4"), std::string::npos);
  EXPECT_NE(outcome.output.find("no step was left of 4"), std::string::npos);
  EXPECT_EQ(outcome.output.find("loss"), std::string::npos) << outcome.output;
}

TEST_F(CheckpointTest, checkpointBeyondTheSteps) {
  std::string common = "train --data " + path("tokens.bin") + " --checkpoint " +
                       path("ck") + " --save " + path("saved") + " --steps ";
  ASSERT_EQ(run("tiny", common + "6").exitCode, 0);
  fs::remove(path("saved"));
  expectRefused("tiny", common + "2 --resume", 2, {"step 6", "--steps 2"});
  EXPECT_FALSE(fs::exists(path("saved")));
}

TEST_F(CheckpointTest, resumeWithoutCheckpointStartsAfresh) {
  EXPECT_EQ(run("tiny", "train --steps 2 --resume --data " +
                            path("tokens.bin") + " --checkpoint " + path("ck"))
                .exitCode,
            0);
}

// Names that look like those of checkpoints.
TEST_F(CheckpointTest, otherFoldersAreNone) {
  for (const char *name :
       {"step-", "step-0", "step--1", "step-02", "step-2x", "step-+3",
        "step- 4", "astep-5", "diverged-6", "step-99999999999999999999"})
    fs::create_directories(path("ck/") + name);
  std::string arguments = "train --steps 2 --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck");
  EXPECT_EQ(run("tiny", arguments).exitCode, 0);
  fs::create_directories(path("ck/step-13"));
  fs::create_directories(path("ck/step-7"));
  expectRefused("tiny", arguments, 6,
                {"checkpoint directory " + path("ck") +
                 " holds step 13 of an earlier run"});
}

// A copy under another name is not taken, and nobody has to find that out.
TEST_F(CheckpointTest, renamedFoldersAreNamed) {
  std::string arguments = "train --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck") + " --steps ";
  ASSERT_EQ(run("tiny", arguments + "4 --checkpoint-every 2").exitCode, 0);
  fs::rename(path("ck/step-4"), path("ck/good step-4"));
  fs::copy(path("ck/step-2"), path("ck/step-02"), fs::copy_options::recursive);
  fs::copy(path("ck/step-2"), path("ck/diverged-3"),
           fs::copy_options::recursive);
  fs::create_symlink("step-2", path("ck/latest"));
  auto warning = [&](const char *name, int step) {
    return concat("warning: ", path("ck/"), name,
                  " holds the checkpoint of "
                  "step ",
                  step, ", but --resume looks for the name step-", step,
                  " only; rename it");
  };
  Outcome outcome = run("tiny", arguments + "4 --resume");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  for (const std::string &part :
       {warning("good step-4", 4), warning("step-02", 2),
        std::string("resumed after step 2")})
    EXPECT_NE(outcome.output.find(part), std::string::npos) << outcome.output;
  for (const char *other : {"diverged-3", "latest"})
    EXPECT_EQ(outcome.output.find(other), std::string::npos);
  // A run that starts afresh is told too.
  fs::remove_all(path("ck/step-2"));
  fs::remove_all(path("ck/step-4"));
  outcome = run("tiny", arguments + "1");
  EXPECT_NE(outcome.output.find(warning("good step-4", 4)), std::string::npos)
      << outcome.output;
}

// Opening a pipe waits for who writes it; a device may have no end.
TEST_F(CheckpointTest, pipesInPlaceOfFiles) {
  std::string arguments = "train --steps 2 --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny", arguments).exitCode, 0);
  for (const char *name : {"state.json", "tensors.safetensors"}) {
    std::string file = path("ck/step-2/") + name;
    for (const char *other : {"mkfifo ", "ln -s /dev/zero "}) {
      fs::rename(file, path("kept"));
      ASSERT_EQ(shell(other + file).exitCode, 0);
      Outcome outcome = shell("timeout 20 tiny " + arguments + " --resume");
      EXPECT_EQ(outcome.exitCode, 6) << outcome.output;
      EXPECT_NE(outcome.output.find("skipped checkpoint " + path("ck/step-2")),
                std::string::npos)
          << outcome.output;
      fs::rename(path("kept"), file);
    }
  }
  EXPECT_EQ(run("tiny", arguments + " --resume").exitCode, 0);
}

TEST_F(CheckpointTest, damagedCheckpoints) {
  std::string arguments = "train --steps 2 --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny", arguments).exitCode, 0);
  expectRefused("tiny", arguments, 6, {path("ck"), "step 2", "--resume"});
  expectRefused("tiny-dp2", arguments, 6, {path("ck"), "step 2"}, 2);
  arguments += " --resume";
  expectRefused("tiny", arguments + " --seed 3", 6,
                {"--seed: was 0, but is 3"});
  std::string tensors = path("ck/step-2/tensors.safetensors");
  fs::resize_file(tensors, 100);
  std::vector<std::string> parts{"skipped checkpoint " + path("ck/step-2"),
                                 tensors, "truncated", "no checkpoint in"};
  expectRefused("tiny", arguments, 6, parts);
  expectRefused("tiny-dp2", arguments, 6, parts, 2);
  for (const char *state :
       {"{", "[]", "null", "\xff", R"({"format": 1, "step": 2})",
        R"({"format": "1", "step": 2, "seed": 0})",
        R"({"format": 1, "step": "2", "seed": 0})",
        R"({"format": 1, "step": 2, "seed": "0"})",
        R"({"format": 1, "step": 2, "seed": -1})",
        R"({"format": 2, "step": 2, "seed": 0, "tensors": "0"})",
        R"({"format": 2, "step": 2, "seed": 0, "xxh3": "0000000000000000"})"}) {
    std::ofstream(path("ck/step-2/state.json")) << state;
    expectRefused("tiny", arguments, 6, {"step-2", "state.json"});
  }
  fs::remove(path("ck/step-2/state.json"));
  fs::create_directory(path("ck/step-2/state.json"));
  expectRefused("tiny", arguments, 6, {"step-2", "state.json"});
  expectRefused("tiny",
                "train --steps 2 --data " + path("tokens.bin") +
                    " --checkpoint /proc/none",
                6, {"/proc/none"});
}

// The newest that is whole is taken; the others are named, and replaced when
// their step comes again.
TEST_F(CheckpointTest, damagedCheckpointsAreSkipped) {
  std::string common = "train --lr 0.1 --data " + path("tokens.bin") +
                       " --steps 6 --checkpoint-every 2 --checkpoint ";
  for (int ranks : {1, 2}) {
    std::string program = ranks == 1 ? "tiny" : "tiny-dp2";
    std::string directory = path(program), saved = " --save " + path("saved");
    ASSERT_EQ(run(program, common + directory + saved, ranks).exitCode, 0);
    std::string whole = contentOf(path("saved"));
    fs::resize_file(directory + "/step-6/tensors.safetensors", 300);
    fs::remove(directory + "/step-4/state.json");
    Outcome outcome =
        run(program, common + directory + saved + " --resume", ranks);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    size_t first = outcome.output.find("warning: skipped checkpoint " +
                                       directory + "/step-6: ");
    size_t second = outcome.output.find("warning: skipped checkpoint " +
                                        directory + "/step-4: state.json");
    EXPECT_NE(first, std::string::npos) << outcome.output;
    EXPECT_NE(second, std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("resumed after step 2"), std::string::npos);
    EXPECT_EQ(contentOf(path("saved")), whole);
    outcome = run(program, common + directory + " --resume", ranks);
    EXPECT_EQ(outcome.output.find("skipped"), std::string::npos)
        << outcome.output;
    EXPECT_NE(outcome.output.find("resumed after step 6"), std::string::npos);
  }
}

static void flipBit(const std::string &path, size_t byte, int bit) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(byte));
  int value = file.get();
  file.seekp(static_cast<std::streamoff>(byte));
  file.put(static_cast<char>(value ^ (1 << bit)));
}

// Bits all over both files: in lengths, names, shapes, checksums and numbers.
TEST_F(CheckpointTest, noFlippedBitIsLoaded) {
  std::string arguments = "train --steps 2 --lr 0.1 --data " +
                          path("tokens.bin") + " --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny", arguments).exitCode, 0);
  int flips = 0;
  for (const char *name : {"state.json", "tensors.safetensors"}) {
    std::string file = path("ck/step-2/") + name;
    size_t size = fs::file_size(file);
    for (size_t byte = 0; byte < size; byte += size / 31) {
      int bit = flips++ % 8;
      flipBit(file, byte, bit);
      Outcome outcome = run("tiny", arguments + " --resume");
      EXPECT_EQ(outcome.exitCode, 6)
          << name << " " << byte << " " << bit << outcome.output;
      flipBit(file, byte, bit);
    }
  }
  EXPECT_GT(flips, 60);
  EXPECT_EQ(run("tiny", arguments + " --resume").exitCode, 0);
  // Every checkpoint of the other run is intact.
  fs::rename(path("ck"), path("other"));
  ASSERT_EQ(run("tiny", arguments + " --seed 1").exitCode, 0);
  for (const char *name : {"state.json", "tensors.safetensors"}) {
    fs::copy_file(path("ck/step-2/") + name, path("kept"),
                  fs::copy_options::overwrite_existing);
    fs::copy_file(path("other/step-2/") + name, path("ck/step-2/") + name,
                  fs::copy_options::overwrite_existing);
    expectRefused("tiny", arguments + " --seed 1 --resume", 6, {"step-2"});
    fs::copy_file(path("kept"), path("ck/step-2/") + name,
                  fs::copy_options::overwrite_existing);
  }
}

// Whichever rank reads the tensor.
TEST_F(CheckpointTest, damagedTensorsAreRefusedOnEveryMesh) {
  std::string in = writeInputs({});
  size_t size = fs::file_size(in);
  for (size_t byte : {size - 1, size - 4 * 5 * 8 - 1}) {
    flipBit(in, byte, 0);
    std::vector<std::string> parts{
        in, byte == size - 1 ? "tensor 'tokens'" : "tensor 'table'",
        "checksum"};
    expectRefused("tiny", "eval --inputs " + in, 3, parts);
    expectRefused("tiny-dp2", "eval --inputs " + in, 3, parts, 2);
    flipBit(in, byte, 0);
  }
  flipBit(in, size - 4 * 5 * 8 - 1, 0);
  expectRefused(
      "tiny", "train --steps 1 --data " + path("tokens.bin") + " --init " + in,
      3, {in, "tensor 'table'"});
}

// The newest checkpoint before what led there is named; damaged ones of later
// steps are not, and one that led there is set aside.
TEST_F(CheckpointTest, theWayBackFromDivergence) {
  std::string common = "train --quiet --data " + path("tokens.bin") +
                       " --checkpoint-every 2 --keep-last 0 --checkpoint " +
                       path("ck") + " --steps ";
  ASSERT_EQ(run("tiny", common + "5").exitCode, 0);
  fs::create_directory(path("ck/step-9"));
  auto resume = [&](const std::string &rate) {
    return common + "12 --resume --allow lr --allow min-lr --lr " + rate +
           " --min-lr " + rate;
  };
  std::string back = "; lower --lr, lengthen --warmup, change --clip, --beta1, "
                     "--beta2, --eps or --weight-decay, and continue from " +
                     path("ck/step-5") +
                     " with --resume, and --allow for each option that changes";
  expectRefused(
      "tiny", resume("1e39"), 1,
      {"the update of step 6 made 'table' infinite or NaN; the rows of step 6 "
       "begin at these tokens: ",
       ": 80, 84, 88, 92; --find-non-finite", back + "\n"});
  EXPECT_TRUE(fs::exists(path("ck/step-5")));
  // Finite, but no loss of such parameters is.
  expectRefused("tiny", resume("1e30"), 1,
                {"at step 7 the loss is inf", back,
                 " (the checkpoint of step 6, which leads here again, is now " +
                     path("ck/diverged-6") + ")\n"});
  EXPECT_FALSE(fs::exists(path("ck/step-6")));
  EXPECT_TRUE(fs::exists(path("ck/diverged-6/state.json")));
  // Before the first checkpoint there is none to go back to.
  expectRefused("tiny",
                "train --quiet --data " + path("tokens.bin") +
                    " --steps 3 --lr 1e39 --min-lr 1e39 --checkpoint " +
                    path("other"),
                1, {", and start again: no checkpoint is from before that\n"});
}

TEST_F(CheckpointTest, leftoversOfAKilledRunAreRemoved) {
  for (const char *name :
       {"ck/.step-2.tmp", "ck/.step-7.tmp", "ck/.step-1.removed.tmp"}) {
    fs::create_directories(path(name));
    std::ofstream(path(name) + "/tensors.safetensors.1.tmp") << "x";
  }
  // These are of others, whatever they look like.
  std::ofstream(path("ck/.step-3.txt")) << "x";
  std::ofstream(path("ck/step-4.tmp")) << "x";
  std::ofstream(path("saved.4194304.tmp")) << "x";
  std::ofstream(path("saved.old.tmp")) << "x";
  std::ofstream(path("saved.5.tmp")) << "x";
  int other = ::open(path("saved.5.tmp").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  ASSERT_EQ(run("tiny", "train --steps 2 --data " + path("tokens.bin") +
                            " --checkpoint " + path("ck") + " --save " +
                            path("saved"))
                .exitCode,
            0);
  ::close(other);
  std::vector<std::string> names;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    names.push_back(entry.path().string().substr(folder.size() + 1));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "ck", "ck/.step-3.txt", "ck/step-2", "ck/step-2/state.json",
                "ck/step-2/tensors.safetensors", "ck/step-4.tmp", "saved",
                "saved.5.tmp", "saved.old.tmp", "tokens.bin"}));
}

TEST_F(CheckpointTest, signalLeavesACheckpoint) {
  for (const char *signal : {"TERM", "HUP", "USR1"}) {
    std::string directory = path(signal);
    Outcome outcome =
        shell(concat("timeout --preserve-status -s ", signal, " 2 ",
                     "tiny train --quiet --steps 2000000000 --data ",
                     path("tokens.bin"), " --checkpoint ", directory));
    EXPECT_EQ(outcome.exitCode, 75) << signal << outcome.output;
    EXPECT_NE(outcome.output.find("--resume"), std::string::npos) << signal;
    EXPECT_EQ(std::distance(fs::directory_iterator(directory),
                            fs::directory_iterator()),
              1);
  }
}

// As `nohup` has it.
TEST_F(CheckpointTest, ignoredSignalsStayIgnored) {
  Outcome outcome = shell(
      "trap '' HUP; tiny train --quiet --steps 200000 --checkpoint-every 20000 "
      "--data " +
      path("tokens.bin") + " --checkpoint " + path("ck") +
      " & for i in $(seq 500); do [ -e " + path("ck/step-20000") +
      " ] && break; sleep 0.01; done; kill -HUP $!; wait $!");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_TRUE(fs::exists(path("ck/step-200000")));
}

// Progress that nobody reads, as of a log that was rotated away.
TEST_F(CheckpointTest, checkpointsGoOnWithoutAReader) {
  shell("tiny train --steps 5000 --data " + path("tokens.bin") +
        " --checkpoint " + path("ck") + " | head -c 1");
  EXPECT_TRUE(fs::exists(path("ck/step-5000/state.json")));
}

TEST_F(CheckpointTest, checkpointsOfOneRunAtATime) {
  fs::create_directory(path("ck"));
  int other = ::open(path("ck").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  std::string arguments = "train --steps 2 --data " + path("tokens.bin") +
                          " --checkpoint " + path("ck");
  expectRefused("tiny", arguments, 6, {path("ck"), "in use by another run"});
  expectRefused("tiny-dp2", arguments, 6, {"in use by another run"}, 2);
  ::close(other);
  EXPECT_EQ(run("tiny", arguments).exitCode, 0);
}

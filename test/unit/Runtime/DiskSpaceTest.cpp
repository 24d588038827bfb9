//===- DiskSpaceTest.cpp - What is kept, and disks that are full ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/DiskSpace.h"
#include "ProgramFixture.h"

#include <cerrno>
#include <fcntl.h>
#include <set>
#include <sys/file.h>

using namespace boost_rt;

namespace {
class DiskSpaceTest : public ProgramFixture {
protected:
  std::string train(const std::string &options) const {
    return "train --quiet --lr 0.1 --data " + path("tokens.bin") + " " +
           options;
  }

  std::set<std::string> namesIn(const std::string &directory) const {
    std::set<std::string> names;
    for (const auto &entry : fs::directory_iterator(path(directory)))
      names.insert(entry.path().filename());
    return names;
  }

  /// Runs `tiny` where the folder `disk` is a disk of this size. Nothing if
  /// this user may not mount one.
  std::optional<Outcome> runOnDisk(const std::string &size,
                                   const std::string &arguments) {
    fs::create_directory(path("disk"));
    std::string mount =
        "mount -t tmpfs -o size=" + size + " none " + path("disk") + " && ";
    auto privately = [](const std::string &command) {
      return shell("unshare --user --map-root-user --mount sh -c '" + command +
                   "'");
    };
    if (privately(mount + "true").exitCode != 0)
      return std::nullopt;
    return privately(mount + "tiny " + arguments);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

using Names = std::set<std::string>;

TEST_F(DiskSpaceTest, theNewestCheckpointsAreKept) {
  std::string common = "--checkpoint-every 1 --checkpoint " + path("ck");
  ASSERT_EQ(run("tiny", train("--steps 6 " + common)).exitCode, 0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-4", "step-5", "step-6"}));
  common += " --resume";
  ASSERT_EQ(
      run("tiny-dp2", train("--steps 8 --keep-last 2 " + common), 2).exitCode,
      0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-7", "step-8"}));
  ASSERT_EQ(
      run("tiny", train("--steps 13 --keep-last 1 --keep-every 5 " + common))
          .exitCode,
      0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-10", "step-13"}));
  ASSERT_EQ(run("tiny", train("--steps 17 --keep-last 0 " + common)).exitCode,
            0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-10", "step-13", "step-14", "step-15",
                                  "step-16", "step-17"}));
}

// A damaged one is none of the newest, wherever it stands.
TEST_F(DiskSpaceTest, damagedCheckpointsDoNotCount) {
  std::string common = "--checkpoint " + path("ck");
  ASSERT_EQ(
      run("tiny", train("--steps 4 --checkpoint-every 1 " + common)).exitCode,
      0);
  fs::remove(path("ck/step-4/state.json"));
  fs::remove_all(path("ck/step-2"));
  ASSERT_EQ(
      run("tiny", train("--steps 6 --keep-last 2 --resume " + common)).exitCode,
      0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-3", "step-4", "step-6"}));
  // A damaged one of a later step stands in nobody's way.
  fs::remove(path("ck/step-6/state.json"));
  ASSERT_EQ(
      run("tiny", train("--steps 5 --keep-last 1 --resume " + common)).exitCode,
      0);
  EXPECT_EQ(namesIn("ck"), (Names{"step-4", "step-5", "step-6"}));
  Outcome outcome = run("tiny", "train --steps 5 --lr 0.1 --resume --data " +
                                    path("tokens.bin") + " " + common);
  EXPECT_NE(outcome.output.find("resumed after step 5"), std::string::npos)
      << outcome.output;
}

//===----------------------------------------------------------------------===//
// Full disks
//===----------------------------------------------------------------------===//

TEST_F(DiskSpaceTest, spaceIsCheckedBeforeTraining) {
  std::string options =
      train("--steps 20000 --log " + path("log.jsonl") + " --save " +
            path("disk/saved") + " --checkpoint " + path("disk/ck"));
  std::optional<Outcome> outcome = runOnDisk("8k", options);
  if (!outcome)
    GTEST_SKIP() << "this user may not mount a disk";
  EXPECT_EQ(outcome->exitCode, 3) << outcome->output;
  for (const char *part :
       {"error: the disk of ", "free, but this run writes up to ",
        "1 of 9.1 kB for --checkpoint", "1 of 8.5 kB for --save",
        "--keep-last"})
    EXPECT_NE(outcome->output.find(part), std::string::npos)
        << part << " not in " << outcome->output;
  EXPECT_FALSE(fs::exists(path("log.jsonl")));
  // What is kept counts, and one more while it is written.
  auto count = [&](const std::string &more) {
    std::string output =
        runOnDisk("8k",
                  train("--steps 100 --checkpoint-every 10 --checkpoint " +
                        path("disk/ck") + " " + more))
            ->output;
    size_t end = output.find(" of 9.1 kB for --checkpoint");
    return end == std::string::npos
               ? output
               : output.substr(output.rfind('(', end) + 1,
                               end - output.rfind('(', end) - 1);
  };
  EXPECT_EQ(count(""), "4");
  EXPECT_EQ(count("--keep-last 0"), "10");
  EXPECT_EQ(count("--keep-last 20"), "10");
  EXPECT_EQ(count("--keep-last 1 --keep-every 25"), "4");
  EXPECT_EQ(count("--keep-last 1 --keep-every 9223372036854775807"), "2");
}

TEST_F(DiskSpaceTest, filesOfOneDiskAreAddedUp) {
  constexpr int64_t most = int64_t(1) << 50, half = most >> 1;
  auto refusal = [](const std::vector<PlannedFiles> &planned) {
    return messageOf([&] { requireSpace(planned); });
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({{"--save", folder, 1, 1}}), "");
  EXPECT_EQ(refusal({{"--save", folder, most, 0}}), "");
  std::string message = refusal(
      {{"--checkpoint", folder, half, 3}, {"--save", folder, 1000000, 1}});
  for (const std::string &part :
       {"the disk of " + folder, std::string("this run writes up to 1688.8 TB"),
        std::string("3 of 562.9 TB for --checkpoint"),
        std::string("1 of 1.0 MB for --save")})
    EXPECT_NE(message.find(part), std::string::npos)
        << part << " not in " << message;
  // What has no blocks does not say what is free.
  EXPECT_EQ(refusal({{"--save", "/proc", most, 1}}), "");
  EXPECT_EQ(refusal({{"--save", path("none"), most, 1}}), "");
}

TEST_F(DiskSpaceTest, diskThatFillsUpWhileTraining) {
  std::optional<Outcome> outcome =
      runOnDisk("64k", train("--steps 1000 --log " + path("disk/log.jsonl") +
                             " --checkpoint " + path("disk/ck")));
  if (!outcome)
    GTEST_SKIP() << "this user may not mount a disk";
  EXPECT_EQ(outcome->exitCode, 6) << outcome->output;
  for (const char *part : {"warning: cannot write log file", "error: cannot",
                           "No space left on device; free space"})
    EXPECT_NE(outcome->output.find(part), std::string::npos)
        << part << " not in " << outcome->output;
}

TEST_F(DiskSpaceTest, filesThatMayNotGrow) {
  auto runLimited = [&](const std::string &arguments) {
    return shell("ulimit -f 4; tiny " + arguments);
  };
  Outcome outcome = runLimited(train("--steps 200 --log " + path("log.jsonl")));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("File too large; raise the limit"),
            std::string::npos)
      << outcome.output;
  for (const char *option : {"--save", "--checkpoint"}) {
    outcome =
        runLimited(train(concat("--steps 2 ", option, " ", path("limited"))));
    EXPECT_EQ(outcome.exitCode, 3) << outcome.output;
    EXPECT_NE(outcome.output.find(concat("error: ", option, " writes files")),
              std::string::npos)
        << outcome.output;
  }
  std::string eval = "eval --inputs " + writeInputs({}) + " --outputs ";
  outcome = shell("ulimit -f 0; tiny " + eval + path("out.safetensors"));
  EXPECT_EQ(outcome.exitCode, 3) << outcome.output;
  EXPECT_NE(outcome.output.find("File too large"), std::string::npos)
      << outcome.output;
}

TEST_F(DiskSpaceTest, fullQuota) {
  for (auto [option, code] : {std::pair("--save", 3), {"--checkpoint", 6}}) {
    Outcome outcome = shell(concat(
        "DISK_ERROR=", EDQUOT, " LD_PRELOAD=", DISK_RECORDER, " ", "tiny ",
        train(concat("--steps 2 ", option, " ", path("limited")))));
    EXPECT_EQ(outcome.exitCode, code) << outcome.output;
    EXPECT_NE(outcome.output.find("quota"), std::string::npos)
        << outcome.output;
  }
}

//===----------------------------------------------------------------------===//
// The log
//===----------------------------------------------------------------------===//

TEST_F(DiskSpaceTest, logOfOneRunAtATime) {
  std::ofstream(path("log.jsonl")) << "{\"step\": 1}\n";
  int other = ::open(path("log.jsonl").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  std::string arguments = train("--steps 2 --log " + path("log.jsonl"));
  std::vector<std::string> parts{path("log.jsonl"), "in use by another run"};
  expectRefused("tiny", arguments, 3, parts);
  expectRefused("tiny-dp2", arguments, 3, parts, 2);
  EXPECT_EQ(contentOf(path("log.jsonl")), "{\"step\": 1}\n");
  ::close(other);
  EXPECT_EQ(run("tiny", arguments).exitCode, 0);
  EXPECT_EQ(readLog().size(), 2u);
  // Others than files may have several writers.
  int device = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(device, LOCK_EX), 0);
  EXPECT_EQ(run("tiny", train("--steps 2 --log /dev/null")).exitCode, 0);
  ::close(device);
}

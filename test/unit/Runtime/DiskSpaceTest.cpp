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
#include <sys/resource.h>

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
  ASSERT_EQ(
      run("tiny", train("--steps 18 --keep-last 1 --keep-every 1 " + common))
          .exitCode,
      0);
  EXPECT_EQ(namesIn("ck").size(), 7u);
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
  // Kept checkpoints count, and one more while it is written.
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
  // After the checkpoints of steps 10 and 20: those of 30 to 100 and the last,
  // or what is kept beside those that are there and whole.
  auto expectToCome = [&](const std::string &options, const char *many,
                          const std::string &between = "") {
    std::string common = train("--checkpoint-every 10 --checkpoint " +
                               path("disk/ck") + options + " --steps ");
    std::string output = runOnDisk("28k", common + "20 && " + between +
                                              "tiny " + common + "101 --resume")
                             ->output;
    EXPECT_NE(output.find(concat("(", many, " of 9.1 kB for --checkpoint")),
              std::string::npos)
        << output;
  };
  expectToCome(" --keep-last 0", "9");
  expectToCome("", "2");
  expectToCome(" --keep-every 20", "7");
  expectToCome("", "3", "rm " + path("disk/ck/step-20/state.json && "));
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
  // File systems without blocks do not report free space.
  EXPECT_EQ(refusal({{"--save", "/proc", most, 1}}), "");
  EXPECT_EQ(refusal({{"--save", path("none"), most, 1}}), "");
}

// A file may have as many bytes as the limit says; one more is refused.
TEST_F(DiskSpaceTest, filesAsLargeAsTheLimit) {
  constexpr int64_t most = 2'500'000;
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit limit = before;
  limit.rlim_cur = most;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  auto refusal = [&](int64_t bytes, int64_t count) {
    return messageOf([&] { requireSpace({{"--save", folder, bytes, count}}); });
  };
  EXPECT_EQ(refusal(most, 1), "");
  EXPECT_EQ(refusal(most, 2), "");
  EXPECT_EQ(refusal(most + 1, 0), "");
  for (int64_t count : {1, 2})
    EXPECT_EQ(refusal(2 * most, count),
              "--save writes files of 5.0 MB, but files may have 2.5 MB at "
              "most; raise that limit (ulimit -f)");
  EXPECT_NE(refusal(most + 1, 1), "");
  EXPECT_NE(refusal(999'949'000, 1).find("files of 999.9 MB,"),
            std::string::npos);
  EXPECT_NE(refusal(1'000'000'000, 1).find("files of 1.0 GB,"),
            std::string::npos);
  ::setrlimit(RLIMIT_FSIZE, &before);
}

// Numbers, a header that names each tensor, and blocks that are not full.
TEST_F(DiskSpaceTest, bytesOfFiles) {
  Tensor floats, flags;
  floats.name = "floats";
  flags.name = "flags";
  floats.type = BOOST_RT_F32;
  floats.shape = {3, 5};
  flags.type = BOOST_RT_I1;
  flags.shape = {7};
  int64_t none = bytesOfFile({}), one = bytesOfFile({&floats}),
          both = bytesOfFile({&floats, &flags});
  EXPECT_EQ(none, 8192);
  EXPECT_EQ(one, none + 256 + 60);
  EXPECT_EQ(both, one + 256 + 7);
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

// No step is left, so that no checkpoint is going to be written.
TEST_F(DiskSpaceTest, aRunThatIsDoneNeedsNoSpace) {
  std::string common = train("--checkpoint " + path("ck") + " --steps ");
  ASSERT_EQ(run("tiny", common + "2").exitCode, 0);
  std::string resumed = "ulimit -f 4; tiny " + common;
  Outcome outcome = shell(resumed + "2 --resume");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  for (const char *options : {"", " --checkpoint-every 1"}) {
    outcome = shell(resumed + "3 --resume" + options);
    EXPECT_EQ(outcome.exitCode, 3) << outcome.output;
  }
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

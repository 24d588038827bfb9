//===- ProgressTest.cpp - What training prints while it runs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Progress.h"
#include "RuntimeTest.h"

#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace boost_rt;

namespace {

/// The output of a process: a terminal that nobody looks at, or a pipe.
class Output {
public:
  static Output terminal() {
    int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    ::grantpt(master);
    ::unlockpt(master);
    return {master, ::open(::ptsname(master), O_RDWR | O_NOCTTY)};
  }
  static Output pipe() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    return {ends[0], ends[1]};
  }

  /// All that was written, at the end of the process that wrote it.
  std::string read() {
    ::close(writer);
    std::string text;
    char buffer[256];
    for (ssize_t count; (count = ::read(reader, buffer, sizeof(buffer))) > 0;)
      text.append(buffer, static_cast<size_t>(count));
    ::close(reader);
    return text;
  }

  void redirectStdout() const { ::dup2(writer, STDOUT_FILENO); }

private:
  Output(int reader, int writer) : reader(reader), writer(writer) {}

  int reader, writer;
};

} // namespace

static void inChild(const std::function<void()> &body) {
  std::fflush(stdout);
  pid_t child = ::fork();
  if (child == 0) {
    body();
    std::fflush(stdout);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

/// A step with a learning rate and a norm of the gradient.
static StepRecord recordOf(int64_t step, float loss, float rate, float norm,
                           double seconds, int64_t tokens,
                           std::optional<float> valLoss = std::nullopt) {
  return {step, loss, rate,   {{"grad_norm", norm}}, seconds, tokens,
          {},   {},   valLoss};
}

/// Two of ten steps; the second took three seconds.
static void reportTwoSteps() {
  Progress progress(1, 10, /*quiet=*/false);
  progress.report(recordOf(1, 2.5F, 1e-3F, 0.25F, 1.0, 100));
  progress.report(recordOf(2, 1.5F, 5e-4F, 0.5F, 3.0, 600));
}

/// Returns the text that two steps print into `output`, under a launcher with
/// the output `launcher` if given.
static std::string printed(Output output, const Output *launcher = nullptr) {
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  inChild([&] {
    if (!launcher) {
      output.redirectStdout();
      reportTwoSteps();
      return;
    }
    launcher->redirectStdout();
    inChild([&] {
      ::setenv("OMPI_COMM_WORLD_RANK", "0", 1);
      output.redirectStdout();
      reportTwoSteps();
    });
  });
  return output.read();
}

static const char *const firstStep =
    "step 1/10  loss 2.5000  lr 1.000e-03  grad norm 0.250  100 tokens/s  ETA "
    "0:09";
static const char *const secondStep =
    "step 2/10  loss 1.5000  lr 5.000e-04  grad norm 0.500  200 tokens/s  ETA "
    "0:16";

static std::string inLines() {
  return concat(firstStep, "\n", secondStep, "\n");
}

/// A terminal ends lines with a carriage return too.
static std::string inPlace() {
  return concat("\r", firstStep, "\033[K\r", secondStep, "\033[K\r\n");
}

TEST(Progress, printsLinesIntoPipes) {
  EXPECT_EQ(printed(Output::pipe()), inLines());
}

TEST(Progress, rewritesALineOfATerminal) {
  EXPECT_EQ(printed(Output::terminal()), inPlace());
}

// The launcher gives its processes terminals of its own.
TEST(Progress, followsTheOutputOfTheLauncher) {
  Output terminal = Output::terminal();
  EXPECT_EQ(printed(Output::terminal(), &terminal), inPlace());
  Output pipe = Output::pipe();
  std::string lines = printed(Output::terminal(), &pipe);
  EXPECT_EQ(lines, concat(firstStep, "\r\n", secondStep, "\r\n"));
  EXPECT_EQ(printed(Output::pipe(), &terminal), inLines());
}

TEST(Progress, countsHours) {
  Output pipe = Output::pipe();
  inChild([&] {
    pipe.redirectStdout();
    Progress progress(1, 3, /*quiet=*/false);
    progress.report(recordOf(1, 0, 0, 0, 1800.0, 1));
    progress.report(recordOf(2, 0, 0, 0, 5400.0, 1));
    progress.report(recordOf(3, 0, 0, 0, 0.0, 1));
  });
  std::string text = pipe.read();
  EXPECT_NE(text.find("ETA 1:00:00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  0 tokens/s  ETA 0:00\n"), std::string::npos) << text;
}

// The mean of the steps of this run: one second, rounded up.
TEST(Progress, expectsTheStepsThatAreLeft) {
  auto remaining = [](int64_t last) {
    Output pipe = Output::pipe();
    inChild([&] {
      pipe.redirectStdout();
      Progress progress(7, last, /*quiet=*/false);
      progress.report(recordOf(7, 0, 0, 0, 0.5, 1));
      progress.report(recordOf(8, 0, 0, 0, 1.5, 1));
    });
    std::string text = pipe.read();
    return text.substr(text.rfind("ETA "));
  };
  EXPECT_EQ(remaining(8 + 59), "ETA 0:59\n");
  EXPECT_EQ(remaining(8 + 60), "ETA 1:00\n");
  EXPECT_EQ(remaining(8 + 3599), "ETA 59:59\n");
  EXPECT_EQ(remaining(8 + 3600), "ETA 1:00:00\n");
  EXPECT_EQ(remaining(8 + 3723), "ETA 1:02:03\n");
}

// The line of a validation stays on a terminal; others are rewritten.
TEST(Progress, showsValidations) {
  auto printedTo = [](Output output) {
    inChild([&] {
      ::unsetenv("OMPI_COMM_WORLD_RANK");
      output.redirectStdout();
      Progress progress(1, 2, /*quiet=*/false);
      progress.report(recordOf(1, 2.5F, 1e-3F, 0.25F, 1.0, 100, 3.25F));
      progress.finish();
      progress.report(recordOf(2, 2.5F, 1e-3F, 0.25F, 1.0, 100));
      progress.finish();
      progress.finish();
    });
    return output.read();
  };
  auto line = [](int step, const char *validation, const char *eta) {
    return concat("step ", step, "/2  loss 2.5000", validation,
                  "  lr 1.000e-03  grad norm 0.250  100 tokens/s  ETA ", eta);
  };
  std::string first = line(1, "  val loss 3.2500", "0:01");
  std::string second = line(2, "", "0:00");
  EXPECT_EQ(printedTo(Output::pipe()), concat(first, "\n", second, "\n"));
  EXPECT_EQ(printedTo(Output::terminal()),
            concat("\r", first, "\033[K\r\n\r", second, "\033[K\r\n"));
}

//===----------------------------------------------------------------------===//
// The log
//===----------------------------------------------------------------------===//

/// Returns the part of `content` that a log keeps when it continues with a
/// step.
static std::string keptBefore(int64_t firstStep, const std::string &content) {
  TemporaryFile file("kept.jsonl", content);
  {
    StepLog log(file.path, firstStep);
  }
  std::ifstream kept(file.path);
  return {std::istreambuf_iterator<char>(kept), {}};
}

TEST(StepLog, keepsTheStepsBeforeItsFirst) {
  const std::string start = "{\"config\": {}, \"first_step\": 1}\n";
  const std::string one = "{\"step\": 1}\n", other = "{\"note\": 7}\n";
  const std::string two = "{\"step\": 2}\n";
  const std::string again = "{\"first_step\": 3}\n", three = "{\"step\": 3}\n";
  const std::string all = start + one + other + two + again + three;
  EXPECT_EQ(keptBefore(1, all), "");
  EXPECT_EQ(keptBefore(2, all), start + one + other);
  EXPECT_EQ(keptBefore(3, all), start + one + other + two);
  EXPECT_EQ(keptBefore(4, all), all);
  // A line that the run did not finish, and one that is no object.
  EXPECT_EQ(keptBefore(4, one + "{\"step\": 2}"), one);
  EXPECT_EQ(keptBefore(4, one + "[2]\n" + two), one + "[2]\n" + two);
  EXPECT_EQ(keptBefore(4, one + "{\"step\": 7.5}\n"),
            one + "{\"step\": 7.5}\n");
  // A run from its beginning keeps nothing.
  EXPECT_EQ(keptBefore(1, other + one), "");
}

TEST(StepLog, isNotInUseForAnErrorBefore) {
  TemporaryFile file("unused.jsonl");
  errno = EWOULDBLOCK;
  EXPECT_EQ(messageOf([&] { StepLog log(file.path, 1); }), "");
}

TEST(StepLog, isOneObjectForEachStep) {
  TemporaryFile file("steps.jsonl");
  testing::internal::CaptureStderr();
  {
    StepLog log(file.path, 1);
    log.write(StepRecord{3,
                         2.5F,
                         0.5F,
                         {{"grad_norm", 0.25F}, {"skew", 7}},
                         2.0,
                         100,
                         {{"all_reduce", 36}},
                         "update_1",
                         {}});
    log.write(StepRecord{4, 2.5F, {}, {}, 0.0, 100, {}, {}, 3.25F});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  std::ifstream written(file.path);
  std::string text{std::istreambuf_iterator<char>(written), {}};
  EXPECT_EQ(text,
            R"({"step":3,"loss":2.5,"lr":0.5,"grad_norm":0.25,"skew":7.0,)"
            R"("tokens":100,"seconds":2.0,"tokens_per_second":50.0,)"
            R"("bytes":{"all_reduce":36},"chosen":"update_1"})"
            "\n"
            R"({"step":4,"loss":2.5,"tokens":100,"seconds":0.0,)"
            R"("tokens_per_second":0.0,"bytes":{},"val_loss":3.25})"
            "\n");
}

TEST(StepLog, warnsOnceOfWhatItLacks) {
  testing::internal::CaptureStderr();
  {
    StepLog log("/dev/full", 5);
    log.write(recordOf(6, 0, 0, 0, 1, 1));
    log.write(recordOf(7, 0, 0, 0, 1, 1));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: cannot write log file /dev/full: No space left on "
            "device; free space, or write elsewhere; steps from 6 may be "
            "missing in it\n");
  EXPECT_EQ(messageOf([] { StepLog log("/nowhere/l", 1); }),
            "cannot write log file /nowhere/l: No such file or directory; "
            "create its folder first, or write elsewhere");
}

/// Applies `change` to a log after its first line. Returns the warning, and the
/// content of the file of its name at the end.
static std::pair<std::string, std::string>
afterChange(const std::function<void(const std::string &)> &change) {
  TemporaryFile file("changed.jsonl");
  testing::internal::CaptureStderr();
  {
    StepLog log(file.path, 1);
    for (int64_t step : {1, 2, 3}) {
      log.write(recordOf(step, 0, 0, 0, 1, 1));
      if (step == 1)
        change(file.path);
    }
  }
  std::string said = testing::internal::GetCapturedStderr();
  std::ifstream left(file.path);
  return {said, {std::istreambuf_iterator<char>(left), {}}};
}

TEST(StepLog, noticesThatItsNameIsAnother) {
  auto count = [](const std::string &text, const std::string &part) {
    int found = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  auto expectWarning = [&](const std::string &said, const char *what) {
    EXPECT_EQ(count(said, "warning: log file "), 1) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  const char *lost = "was deleted, moved or replaced during the run";
  auto [deleted, none] =
      afterChange([](const std::string &path) { ::unlink(path.c_str()); });
  expectWarning(deleted, lost);
  EXPECT_NE(deleted.find(concat("/proc/", ::getpid(), "/fd/")),
            std::string::npos);
  EXPECT_EQ(none, "");
  auto [replaced, others] = afterChange([](const std::string &path) {
    ::unlink(path.c_str());
    std::ofstream(path) << "of another run\n";
  });
  expectWarning(replaced, lost);
  EXPECT_EQ(others, "of another run\n");
  TemporaryFile aside("aside.jsonl");
  auto [moved, nothing] = afterChange([&](const std::string &path) {
    std::filesystem::rename(path, aside.path);
  });
  expectWarning(moved, lost);
  auto [shorter, rest] = afterChange(
      [](const std::string &path) { std::filesystem::resize_file(path, 0); });
  expectWarning(shorter, "was made shorter during the run: steps before 2");
  EXPECT_EQ(count(rest, "\n"), 2);
  // A link to it is another name, and what is appended stays.
  auto [kept, all] = afterChange([&](const std::string &path) {
    std::filesystem::create_hard_link(path, concat(aside.path, ".link"));
    std::ofstream(path, std::ios::app) << "{\"note\": 1}\n";
  });
  std::filesystem::remove(concat(aside.path, ".link"));
  EXPECT_EQ(kept, "");
  EXPECT_EQ(count(all, "\n"), 4);
}

// Lines of an earlier run cannot be removed from a file that may not shrink.
TEST(StepLog, refusesWhatItCannotShorten) {
  int file = ::memfd_create("log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const std::string one = "{\"step\": 1}\n", two = "{\"step\": 2}\n";
  ASSERT_EQ(::write(file, (one + two).data(), one.size() + two.size()),
            static_cast<ssize_t>(one.size() + two.size()));
  ASSERT_EQ(::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  std::string path = concat("/proc/self/fd/", file);
  EXPECT_EQ(messageOf([&] { StepLog log(path, 3); }), "");
  EXPECT_EQ(messageOf([&] { StepLog log(path, 2); }),
            "cannot write log file " + path + ": Operation not permitted");
  ::close(file);
}

TEST(Progress, isQuiet) {
  Output pipe = Output::pipe();
  inChild([&] {
    pipe.redirectStdout();
    Progress progress(1, 2, /*quiet=*/true);
    progress.report(recordOf(1, 0, 0, 0, 1.0, 1));
  });
  EXPECT_EQ(pipe.read(), "");
}

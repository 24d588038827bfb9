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
#include <sys/wait.h>

using namespace boost_rt;

namespace {

/// Where a process writes: a terminal that nobody looks at or a pipe.
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

/// Two of ten steps; the second took three seconds.
static void reportTwoSteps() {
  Progress progress(1, 10, /*quiet=*/false);
  progress.report({1, 2.5F, 1e-3F, 0.25F, 1.0, 100, {}});
  progress.report({2, 1.5F, 5e-4F, 0.5F, 3.0, 600, {}});
}

/// What two steps print into `output`, with a launcher whose own output is
/// `launcher` if that is given.
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
    progress.report({1, 0, 0, 0, 1800.0, 1, {}});
    progress.report({2, 0, 0, 0, 5400.0, 1, {}});
    progress.report({3, 0, 0, 0, 0.0, 1, {}});
  });
  std::string text = pipe.read();
  EXPECT_NE(text.find("ETA 1:00:00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  0 tokens/s  ETA 0:00\n"), std::string::npos) << text;
}

TEST(Progress, isQuiet) {
  Output pipe = Output::pipe();
  inChild([&] {
    pipe.redirectStdout();
    Progress progress(1, 2, /*quiet=*/true);
    progress.report({1, 0, 0, 0, 1.0, 1, {}});
  });
  EXPECT_EQ(pipe.read(), "");
}

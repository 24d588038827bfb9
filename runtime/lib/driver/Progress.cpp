//===- Progress.cpp - What training reports while it runs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Progress.h"
#include "common/DurableFile.h"
#include "common/Failure.h"
#include "common/FileTimes.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace boost_rt;
namespace fs = std::filesystem;

/// "1:02:03" or "2:03".
static std::string formatDuration(double seconds) {
  auto total = static_cast<long long>(std::ceil(seconds));
  char text[48];
  if (total >= 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", total / 3600,
                  total / 60 % 60, total % 60);
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld", total / 60, total % 60);
  return text;
}

/// Formats a number, for which `format` has one place.
static std::string formatNumber(const char *format, float number) {
  char text[64];
  std::snprintf(text, sizeof(text), format, static_cast<double>(number));
  return text;
}

/// Returns true if the output is a terminal. Under mpirun, which gives each
/// process a terminal, mpirun's own output decides.
static bool writesToTerminal() {
  if (!::isatty(STDOUT_FILENO))
    return false;
  if (!std::getenv("OMPI_COMM_WORLD_RANK"))
    return true;
  std::string parentOutput = concat("/proc/", ::getppid(), "/fd/1");
  int file = ::open(parentOutput.c_str(),
                    O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return false;
  bool terminal = ::isatty(file);
  ::close(file);
  return terminal;
}

double StepRecord::tokensPerSecond() const {
  return seconds > 0 ? static_cast<double>(tokens) / seconds : 0.0;
}

std::optional<float> StepRecord::gradientNorm() const {
  for (const auto &[kind, value] : metrics)
    if (kind == "grad_norm")
      return value;
  return std::nullopt;
}

Progress::Progress(int64_t first, int64_t last, bool quiet)
    : first(first), last(last), quiet(quiet), terminal(writesToTerminal()) {}

void Progress::report(const StepRecord &record) {
  elapsed += record.seconds;
  if (quiet)
    return;
  double mean = elapsed / static_cast<double>(record.step - first + 1);
  double remaining = mean * static_cast<double>(last - record.step);
  // The line of a validation stays to be read.
  const char *end = !terminal ? "\n" : record.valLoss ? "\033[K\n" : "\033[K";
  std::string numbers = formatNumber("loss %.4f", record.loss);
  if (record.valLoss)
    numbers += formatNumber("  val loss %.4f", *record.valLoss);
  if (record.lr)
    numbers += formatNumber("  lr %.3e", *record.lr);
  if (std::optional<float> norm = record.gradientNorm())
    numbers += formatNumber("  grad norm %.3f", *norm);
  std::printf("%sstep %lld/%lld  %s  %.0f tokens/s  ETA %s%s",
              terminal ? "\r" : "", static_cast<long long>(record.step),
              static_cast<long long>(last), numbers.c_str(),
              record.tokensPerSecond(), formatDuration(remaining).c_str(), end);
  std::fflush(stdout);
  openLine = terminal && !record.valLoss;
}

void Progress::finish() {
  if (!openLine)
    return;
  std::printf("\n");
  std::fflush(stdout);
  openLine = false;
}

/// The step that a line is of; that of a configuration is the first with it.
static std::optional<int64_t> findStep(const std::string &line) {
  // Nothing is found in what is no object.
  auto record = nlohmann::json::parse(line, nullptr, false);
  for (const char *name : {"step", "first_step"})
    if (auto found = record.find(name);
        found != record.end() && found->is_number_integer())
      return found->get<int64_t>();
  return std::nullopt;
}

/// Truncates a log where it comes to `firstStep`, which a run that ended after
/// its last checkpoint had reached, or to a line that the run could not finish.
static void dropRecordsFrom(const std::string &path, int64_t firstStep) {
  std::ifstream file(path, std::ios::binary);
  uintmax_t kept = 0;
  for (std::string line;
       firstStep > 1 && std::getline(file, line) && !file.eof();) {
    if (findStep(line).value_or(0) >= firstStep)
      break;
    kept += line.size() + 1;
  }
  file.close();
  std::error_code error;
  fs::resize_file(path, kept, error);
  if (error)
    refuse("cannot write log file ", path, ": ", error.message());
}

/// Keeps other runs from this log as long as it is open. Devices and pipes may
/// have several writers, and some file systems know no locks.
static void lockLog(const std::string &path, int descriptor) {
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse("log file ", path,
           " is in use by another run; wait for that run to end, or give this "
           "one another log");
}

StepLog::StepLog(const std::string &path, int64_t firstStep)
    : path(path), step(firstStep) {
  if (path.empty())
    return;
  // Lines of another run stay until the log is known to be this run's.
  int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "a");
  if (!file)
    refuse("cannot write log file ", path, ": ", describeWriteError(errno));
  lockLog(path, descriptor);
  if (fs::is_regular_file(path))
    dropRecordsFrom(path, firstStep);
  struct stat status = {};
  isRegular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  size = status.st_size;
}

StepLog::~StepLog() {
  if (file)
    std::fclose(file);
}

/// Warns of a kind of problem when it comes for the first time.
static void warnOnce(bool &isTold, const std::string &problem) {
  if (!isTold)
    std::fprintf(stderr, "warning: %s\n", problem.c_str());
  isTold = true;
}

void StepLog::write(const nlohmann::ordered_json &line) {
  if (!file)
    return;
  // A path need not be UTF-8.
  std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  bool isWritten = std::fprintf(file, "%s\n", text.c_str()) >= 0;
  isWritten &= std::fflush(file) == 0;
  if (!isWritten)
    warnOnce(isErrorTold, concat("cannot write log file ", path, ": ",
                                 describeWriteError(errno), "; steps from ",
                                 step, " may be missing in it"));
  size += static_cast<int64_t>(text.size()) + 1;
  if (isWritten && isRegular)
    checkFile();
}

/// Warns if the log was deleted, moved, replaced or shortened: lines are
/// written to the file that was opened.
void StepLog::checkFile() {
  struct stat own = {}, named = {};
  if (::fstat(::fileno(file), &own) != 0)
    return;
  bool isNamed = ::stat(path.c_str(), &named) == 0 &&
                 named.st_dev == own.st_dev && named.st_ino == own.st_ino;
  if (!isNamed)
    warnOnce(
        isChangeTold,
        concat("log file ", path,
               " was deleted, moved or replaced during the run, which goes on "
               "writing the old file; while it runs, /proc/",
               ::getpid(), "/fd/", ::fileno(file),
               " is that file and can be copied"));
  else if (own.st_size < size)
    warnOnce(isChangeTold,
             concat("log file ", path,
                    " was made shorter during the run: steps before ", step,
                    " are missing in it"));
  size = own.st_size;
}

void StepLog::write(const StepRecord &record) {
  nlohmann::ordered_json line = {{"step", record.step}, {"loss", record.loss}};
  if (record.lr)
    line["lr"] = *record.lr;
  for (const auto &[kind, value] : record.metrics)
    line[kind] = value;
  line["tokens"] = record.tokens;
  line["seconds"] = record.seconds;
  line["tokens_per_second"] = record.tokensPerSecond();
  line["bytes"] = record.bytes;
  if (!record.chosen.empty())
    line["chosen"] = record.chosen;
  if (record.valLoss)
    line["val_loss"] = *record.valLoss;
  step = record.step;
  write(line);
}

void StepLog::sync() {
  // A pipe or a terminal cannot be synced, and need not be.
  TimedScope timed(fileTimes.syncs);
  if (file)
    ::fsync(::fileno(file));
}

//===- Evaluator.cpp - The reference evaluator of the compiler ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Evaluator.h"
#include "common/Activity.h"
#include "common/Failure.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace boost_rt;

static constexpr const char *evaluatorName = "boost-eval";

/// The digest of a file, as boost-compile writes it into a program; empty if
/// the file cannot be read.
static std::string getBuild(int file) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  std::array<char, 1 << 16> buffer;
  for (off_t position = 0;;) {
    ssize_t count = ::pread(file, buffer.data(), buffer.size(), position);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return "";
    if (count == 0)
      break;
    XXH3_128bits_update(&state, buffer.data(), static_cast<size_t>(count));
    position += count;
  }
  XXH128_hash_t hash = XXH3_128bits_digest(&state);
  std::array<char, 33> text;
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

bool Evaluator::take(const std::string &candidate, const std::string &build,
                     std::string &others) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(candidate, error) ||
      ::access(candidate.c_str(), X_OK) != 0)
    return false;
  file = ::open(candidate.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  path = candidate;
  std::string found = getBuild(file);
  if (found == build)
    return true;
  ::close(file);
  file = -1;
  others += concat(others.empty() ? "" : ", ", "'", candidate, "' of build ",
                   found.empty() ? "unknown" : found);
  return false;
}

Evaluator::Evaluator(const Verification &verification) {
  const std::string &build = verification.evaluator;
  const char *named = std::getenv("BOOST_EVAL");
  std::string others;
  if (named) {
    if (take(named, build, others))
      return;
    if (others.empty())
      throw Failure(ExitCode::usage,
                    concat("BOOST_EVAL names '", named,
                           "', which is not a program; set it to the path of ",
                           evaluatorName));
  } else {
    if (take(verification.tools + "/" + evaluatorName, build, others))
      return;
    const char *searched = std::getenv("PATH");
    std::istringstream folders(searched ? searched : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (take(folder + "/" + evaluatorName, build, others))
        return;
  }
  throw Failure(
      ExitCode::usage,
      concat("--verify needs the ", evaluatorName,
             " of the compiler that made this program, build ", build,
             others.empty() ? concat(", which is neither in '",
                                     verification.tools, "' nor in PATH")
                            : concat(", but found ", others),
             "; compile the program again, or set BOOST_EVAL to the path of "
             "that ",
             evaluatorName));
}

Evaluator::~Evaluator() {
  if (file >= 0)
    ::close(file);
}

int Evaluator::run(const std::vector<std::string> &arguments) const {
  std::vector<char *> list{const_cast<char *>(path.c_str())};
  for (const std::string &argument : arguments)
    list.push_back(const_cast<char *>(argument.c_str()));
  list.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t process = 0;
  int error = ::posix_spawn(&process, concat("/proc/self/fd/", file).c_str(),
                            &actions, nullptr, list.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error)
    throw Failure(ExitCode::usage,
                  concat("cannot start '", path, "': ", std::strerror(error)));
  int status = 0;
  // Other ranks wait meanwhile: as long as it runs, it gets on.
  for (pid_t ended = 0; ended != process;) {
    ended = ::waitpid(process, &status, WNOHANG);
    if (ended < 0 && errno != EINTR)
      throw Failure(ExitCode::usage, concat("cannot wait for '", path,
                                            "': ", std::strerror(errno)));
    Activity::ofThisRank().advance();
    if (ended == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

//===- LocalRanks.cpp - The processes of this run on this machine ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/LocalRanks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

using namespace boost_rt;
namespace fs = std::filesystem;

static constexpr const char *runVariable = "PMIX_NAMESPACE";
static constexpr const char *rankVariable = "PMIX_RANK";

/// A variable in the environment that a process was started with.
static std::optional<std::string> readVariable(const fs::path &process,
                                               const std::string &name) {
  std::ifstream file(process / "environ", std::ios::binary);
  for (std::string entry; std::getline(file, entry, '\0');)
    if (entry.compare(0, name.size() + 1, name + "=") == 0)
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

/// The state follows the name in parentheses, which may hold anything.
static bool isStopped(const fs::path &process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text, '\0');
  size_t end = text.rfind(')');
  return end != std::string::npos && end + 2 < text.size() &&
         (text[end + 2] == 'T' || text[end + 2] == 't');
}

std::map<int64_t, bool> boost_rt::findLocalRanks() {
  std::map<int64_t, bool> ranks;
  const char *run = std::getenv(runVariable);
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!run || error)
    return ranks;
  for (const auto &entry : fs::directory_iterator("/proc", error)) {
    const fs::path &process = entry.path();
    // Processes of others, and those that end meanwhile, cannot be read.
    std::error_code unreadable;
    if (fs::read_symlink(process / "exe", unreadable) != program ||
        unreadable || readVariable(process, runVariable) != run)
      continue;
    if (auto rank = readVariable(process, rankVariable))
      ranks[std::strtoll(rank->c_str(), nullptr, 10)] = isStopped(process);
  }
  return ranks;
}

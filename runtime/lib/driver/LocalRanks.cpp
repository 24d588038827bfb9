//===- LocalRanks.cpp - The processes of this run on this machine ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/LocalRanks.h"
#include "common/Launcher.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using namespace boost_rt;
namespace fs = std::filesystem;

namespace {
/// The variables by which a launcher names a run and the ranks in it.
struct RunVariables {
  std::vector<std::string> run;
  std::string rank;
};
} // namespace

static RunVariables runVariables() {
  if (launcher() == Launcher::variables)
    return {{"MASTER_ADDR", "MASTER_PORT"}, "RANK"};
  return {{"PMIX_NAMESPACE"}, "PMIX_RANK"};
}

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
  RunVariables variables = runVariables();
  auto runOf = [&](const fs::path &process) {
    std::vector<std::optional<std::string>> values;
    for (const std::string &name : variables.run)
      values.push_back(readVariable(process, name));
    return values;
  };
  auto run = runOf("/proc/self");
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!run[0] || error)
    return ranks;
  for (const auto &entry : fs::directory_iterator("/proc", error)) {
    const fs::path &process = entry.path();
    // Processes of others, and those that end meanwhile, cannot be read: of
    // them the path is empty.
    std::error_code unreadable;
    if (fs::read_symlink(process / "exe", unreadable) != program ||
        runOf(process) != run)
      continue;
    if (auto rank = readVariable(process, variables.rank))
      ranks[std::strtoll(rank->c_str(), nullptr, 10)] = isStopped(process);
  }
  return ranks;
}

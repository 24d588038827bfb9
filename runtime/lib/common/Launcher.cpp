//===- Launcher.cpp - Who started the ranks -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Launcher.h"
#include "common/Failure.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <thread>

using namespace boost_rt;

/// Returns nullopt if the variable is missing or empty.
static std::optional<std::string> readVariable(const char *name) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return std::nullopt;
  return text;
}

/// Returns nullopt if the text is not a number.
static std::optional<int64_t> parseNumber(const std::string &text) {
  char *end = nullptr;
  long long value = std::strtoll(text.c_str(), &end, 10);
  if (*end)
    return std::nullopt;
  return value;
}

/// The first of these variables that holds a number.
static int64_t readFirst(std::initializer_list<const char *> names,
                         int64_t fallback) {
  for (const char *name : names)
    if (auto text = readVariable(name))
      if (auto number = parseNumber(*text))
        return *number;
  return fallback;
}

static bool isAnySet(std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (readVariable(name))
      return true;
  return false;
}

Launcher boost_rt::launcher() {
  if (isAnySet({"TORCHELASTIC_RUN_ID"}))
    return Launcher::variables;
  if (isAnySet({"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"}))
    return Launcher::mpi;
  return isAnySet({"RANK", "WORLD_SIZE"}) ? Launcher::variables
                                          : Launcher::none;
}

/// A process whose RANK is no number of a rank fails by itself, as rank 0 does.
int64_t boost_rt::launcherRank() {
  if (launcher() == Launcher::variables)
    return std::max<int64_t>(readFirst({"RANK"}, 0), 0);
  return readFirst({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}, 0);
}

int64_t boost_rt::launcherLocalRank() {
  if (launcher() == Launcher::variables)
    return readFirst({"LOCAL_RANK"}, launcherRank());
  return readFirst({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"},
                   launcherRank());
}

int64_t boost_rt::launcherSize() {
  if (launcher() == Launcher::variables)
    return readFirst({"WORLD_SIZE"}, 1);
  return readFirst({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
}

/// The number in a variable, which must be there and in the range.
static int64_t readNumber(const char *name, int64_t least, int64_t most,
                          const char *what) {
  std::string text = *readVariable(name);
  auto number = parseNumber(text);
  if (!number || *number < least || *number > most)
    throw Failure(ExitCode::usage,
                  concat(name, " expects ", what, " from ", least, " to ", most,
                         ", but is '", text, "'"));
  return *number;
}

static uint16_t readPort() {
  constexpr int64_t lastPort = 65535;
  constexpr const char *own = "BOOST_MASTER_PORT";
  if (readVariable(own))
    return static_cast<uint16_t>(readNumber(own, 1, lastPort, "a port"));
  int64_t port = readNumber("MASTER_PORT", 1, lastPort, "a port");
  if (port == lastPort)
    throw Failure(ExitCode::usage,
                  concat("ranks meet at the port after MASTER_PORT, but that "
                         "is ",
                         lastPort, ", the last one; set ", own,
                         " to a free port, on all ranks"));
  return static_cast<uint16_t>(port + 1);
}

MeetingPlace boost_rt::readMeetingPlace() {
  std::string present, missing;
  for (const char *name :
       {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) {
    // Only the port after it is used.
    if (!readVariable(name) && std::string(name) == "MASTER_PORT" &&
        readVariable("BOOST_MASTER_PORT"))
      continue;
    std::string &list = readVariable(name) ? present : missing;
    list += concat(list.empty() ? "" : ", ", name);
  }
  if (!missing.empty())
    throw Failure(ExitCode::usage,
                  concat("the environment has ", present, ", but not ", missing,
                         "; start the ranks by torchrun or mpirun, or set all "
                         "four variables for each of them"));
  int64_t size =
      readNumber("WORLD_SIZE", 1, int64_t(1) << 20, "a number of ranks");
  readNumber("RANK", 0, size - 1, "a rank");
  MeetingPlace place;
  place.host = *readVariable("MASTER_ADDR");
  place.port = readPort();
  place.severalMachines = readFirst({"LOCAL_WORLD_SIZE"}, size) < size;
  place.launcherRun = readVariable("TORCHELASTIC_RUN_ID").value_or("");
  return place;
}

void boost_rt::letRankZeroFailFirst() {
  std::this_thread::sleep_for(std::chrono::seconds(10));
}

//===- Watchdog.cpp - Ends a program whose ranks wait in vain -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Watchdog.h"
#include "common/Failure.h"
#include "driver/LocalRanks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace boost_rt;

using Clock = std::chrono::steady_clock;

/// A rank that lives answers within its next look; a loaded machine may need
/// this long to let it.
static constexpr double secondsToAnswer = 3;

/// Once a rank has spoken and ended, the launcher may need this long to end the
/// others. Without a launcher they end themselves, before twice the limit.
static constexpr double secondsToEnd = 15;

static constexpr const char *remedy =
    "; if ranks only need longer, raise --timeout";

static void sleepFor(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// Looks often enough to be late by a twentieth of the limit at most.
Watchdog::Watchdog(const Program &program, double limitSeconds)
    : program(program), limitSeconds(limitSeconds),
      pause(std::min(0.25, limitSeconds / 20)), lastLook(Clock::now()),
      nextQuestion(limitSeconds), thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  thread.join();
}

void Watchdog::connect(Communicator *other) {
  std::lock_guard<std::mutex> lock(mutex);
  communicator = other && other->hasNotes() ? other : nullptr;
}

/// A rank that has ended will not come: then the launcher, who ends the others,
/// is waited for.
double Watchdog::limit() const {
  return hasLostRank() ? std::min(limitSeconds, secondsToEnd) : limitSeconds;
}

bool Watchdog::hasLostRank() const {
  for (int64_t each = 0; communicator && each < communicator->size(); ++each)
    if (communicator->hasLost(each))
      return true;
  return false;
}

int64_t Watchdog::rank() const {
  return communicator ? communicator->rank() : launcherRank();
}

void Watchdog::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, pause, [this] { return stopping; }))
    look();
}

void Watchdog::look() {
  observe();
  if (communicator)
    serve();
  if (limit() < limitSeconds)
    nextQuestion = std::min(nextQuestion, limit());
  if (!Activity::isWaiting(seenTicks) || stillSeconds < nextQuestion)
    return;
  if (!communicator)
    return reportUnasked();
  if (ask())
    judge();
}

/// Time in which this process was itself stopped counts for nothing: whoever
/// it waits for may have been stopped with it.
void Watchdog::observe() {
  auto now = Clock::now();
  std::chrono::duration<double> passed = now - lastLook;
  lastLook = now;
  uint64_t ticks = Activity::ofThisRank().getTicks();
  stillSeconds += std::min(passed, 4 * pause + std::chrono::seconds(1)).count();
  if (ticks == seenTicks)
    return;
  seenTicks = ticks;
  stillSeconds = 0;
  nextQuestion = limitSeconds;
}

//===----------------------------------------------------------------------===//
// Questions and answers
//===----------------------------------------------------------------------===//

/// "all_reduce over tp at site 3 of step (...)", "a barrier while saving", or
/// only "saving" of a rank that does not wait.
std::string Watchdog::describePlace() const {
  const Activity &activity = Activity::ofThisRank();
  auto site = static_cast<size_t>(activity.getSite());
  if (!Activity::isWaiting(seenTicks))
    return activity.getTask();
  // That of a barrier, -1, is beyond all.
  std::string transfer = activity.getTransfer();
  if (site >= program.collectives.size())
    return concat(transfer.empty() ? activity.getCall() : transfer, " while ",
                  activity.getTask());
  const PlannedCollective &planned = program.collectives[site];
  return concat(planned.kind, " over ", planned.axis, " at site ", site, " of ",
                planned.function, " (", planned.phase, ", ", planned.region,
                ", ", planned.location, ")");
}

/// Copies as much as there is room for.
template <size_t size>
static void copyText(const std::string &from, char (&to)[size]) {
  size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = 0;
}

Watchdog::Note Watchdog::describeSelf() const {
  Note note{Note::answer, Activity::isWaiting(seenTicks), 0, stillSeconds, {}};
  copyText(describePlace(), note.text);
  return note;
}

void Watchdog::serve() {
  Note note;
  int64_t from = 0;
  while (communicator->takeNote(&note, sizeof(note), from)) {
    if (note.kind == Note::verdict && !isEnding)
      report(note.text, rank());
    if (note.kind == Note::answer && note.number == questions)
      answers[static_cast<size_t>(from)] = note;
    if (note.kind != Note::question)
      continue;
    Note answer = describeSelf();
    answer.number = note.number;
    communicator->sendNote(&answer, sizeof(answer), from);
  }
}

/// Returns true if all ranks that can answer have answered, this one among
/// them.
bool Watchdog::isBeingServed() const {
  for (size_t i = 0; i < answers.size(); ++i)
    if (!answers[i] && !communicator->hasLost(static_cast<int64_t>(i)))
      return false;
  return true;
}

/// Asks all ranks and gives them time to answer. False if the wait ended.
bool Watchdog::ask() {
  answers.assign(static_cast<size_t>(communicator->size()), std::nullopt);
  answers[static_cast<size_t>(rank())] = describeSelf();
  Note question{Note::question, 0, ++questions, 0, {}};
  for (int64_t to = 0; to < communicator->size(); ++to)
    if (to != rank())
      communicator->sendNote(&question, sizeof(question), to);
  auto end = Clock::now() + std::chrono::duration<double>(secondsToAnswer);
  uint64_t ticks = seenTicks;
  while (!isBeingServed() && Clock::now() < end) {
    sleepFor(0.005);
    observe();
    if (seenTicks != ticks)
      return false;
    serve();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Verdict
//===----------------------------------------------------------------------===//

/// Describes the ranks that wait, by what they wait for.
std::string Watchdog::describeWaiting() const {
  std::map<std::string, std::vector<int64_t>> places;
  for (size_t i = 0; i < answers.size(); ++i)
    if (answers[i] && answers[i]->isWaiting)
      places[answers[i]->text].push_back(static_cast<int64_t>(i));
  std::string text;
  for (const auto &[place, ranks] : places)
    text +=
        text.empty()
            ? concat(describeRanks(ranks), ranks.size() == 1 ? " has" : " have",
                     " waited more than ", limit(), " s in ", place)
            : concat(", ", describeRanks(ranks), " in ", place);
  return text;
}

/// Describes the ranks that do not answer or, if all do, those that neither
/// wait nor get on; empty if there are none.
std::string Watchdog::describeMissing() const {
  std::vector<int64_t> silent, unheard, stuck, stopped;
  std::map<int64_t, bool> local = findLocalRanks();
  std::string task;
  for (size_t i = 0; i < answers.size(); ++i) {
    auto each = static_cast<int64_t>(i);
    auto process = local.find(each);
    if (!answers[i] && process != local.end())
      (process->second ? stopped : unheard).push_back(each);
    else if (!answers[i])
      silent.push_back(each);
    else if (!answers[i]->isWaiting) {
      stuck.push_back(each);
      task = answers[i]->text;
    }
  }
  std::string text;
  auto add = [&](const std::vector<int64_t> &ranks, const std::string &what) {
    if (!ranks.empty())
      text += concat(text.empty() ? "" : ", ", describeRanks(ranks),
                     ranks.size() == 1 ? " is " : " are ", what);
  };
  add(stopped, "stopped (SIGSTOP)");
  add(silent, "missing: stopped, gone or out of reach");
  // Those that run, but have not come as far as to answer, or cannot.
  if (text.empty())
    add(unheard, "missing: running, but without an answer");
  if (text.empty())
    add(stuck, concat("stuck while ", task));
  return text;
}

/// Ends the program, or finds when to ask again.
void Watchdog::judge() {
  int64_t speaker = rank();
  bool allAnswer = true;
  double shortest = limitSeconds;
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::optional<Note> &answer = answers[i];
    allAnswer &= answer.has_value();
    if (answer)
      shortest = std::min(shortest, answer->seconds);
    if (answer && answer->isWaiting)
      speaker = std::min(speaker, static_cast<int64_t>(i));
  }
  // A rank that gets on will come, and one that came late waits no longer yet
  // than ranks may.
  if (allAnswer && shortest < limitSeconds) {
    nextQuestion = stillSeconds + std::max(limitSeconds - shortest, 0.05);
    return;
  }
  std::string missing = describeMissing();
  if (missing.empty())
    missing = "no rank is missing: the network is stuck or slow, or ranks wait "
              "in different places";
  report(concat(missing, "; ", describeWaiting(), remedy), speaker);
}

/// Gives the launcher time to end this rank. A rank that has ended may have had
/// none, or none that ends the others.
void Watchdog::waitForEnd() {
  constexpr double step = 0.05;
  double most = secondsToEnd;
  isEnding = true;
  for (double waited = 0; waited < most; waited += step) {
    sleepFor(step);
    serve();
    if (hasLostRank())
      most = std::min(secondsToEnd, limitSeconds / 2);
  }
}

/// Lets one rank say it. Should that rank be too late, this one says it too.
void Watchdog::report(const std::string &verdict, int64_t speaker) {
  if (communicator && speaker != rank()) {
    Note note{Note::verdict, 0, 0, 0, {}};
    copyText(verdict, note.text);
    communicator->sendNote(&note, sizeof(note), speaker);
    waitForEnd();
  }
  std::fprintf(stderr, "error: %s\n", verdict.c_str());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::collectiveTimedOut));
}

/// While MPI starts or ends nobody can be asked, but those that are stopped on
/// this machine can be seen.
void Watchdog::reportUnasked() {
  std::vector<int64_t> stopped;
  int64_t turn = launcherLocalRank();
  for (const auto &[each, isStopped] : findLocalRanks())
    if (isStopped) {
      stopped.push_back(each);
      turn -= each < rank() ? 1 : 0;
    }
  // Those that run take turns, so that the first to speak ends the others.
  nextQuestion = limitSeconds + static_cast<double>(turn) * secondsToEnd;
  if (stillSeconds < nextQuestion)
    return;
  std::string missing =
      stopped.empty()
          ? "a rank is missing: stuck, stopped or gone"
          : concat(describeRanks(stopped), stopped.size() == 1 ? " is" : " are",
                   " stopped (SIGSTOP)");
  report(concat(missing, "; rank ", rank(), " has waited more than ",
                limitSeconds, " s in ", describePlace(), remedy),
         rank());
}

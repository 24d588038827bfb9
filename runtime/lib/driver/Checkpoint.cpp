//===- Checkpoint.cpp - Interrupted and resumed training ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Checkpoint.h"
#include "common/Checksum.h"
#include "common/DurableFile.h"
#include "driver/RunIdentity.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sys/file.h>
#include <unistd.h>

using namespace boost_rt;
using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// A checkpoint has such a name until it is durable, and while it is removed.
static constexpr char temporaryPrefix[] = ".step-", temporarySuffix[] = ".tmp";

/// A checkpoint that leads to a diverged run is renamed so.
static constexpr char setAsidePrefix[] = "diverged-";

/// Format of state.json.
static constexpr int format = 2;

static volatile std::sig_atomic_t stopSignal = 0;

void boost_rt::catchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stopSignal = signal; };
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
    // `nohup` and shells have some ignored, and mean it.
    struct sigaction old = {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
  // Who reads the progress may go; the run does not.
  ::signal(SIGPIPE, SIG_IGN);
}

bool boost_rt::stopRequested() { return stopSignal != 0; }

/// Wraps work so that its errors are about checkpoints.
std::function<void()>
Checkpoints::withOwnErrors(std::function<void()> work) const {
  return [this, work = std::move(work)] {
    try {
      work();
    } catch (const Failure &failure) {
      throw Failure(ExitCode::checkpointUnusable, failure.what());
    } catch (const fs::filesystem_error &error) {
      throw Failure(ExitCode::checkpointUnusable,
                    concat("cannot use checkpoint directory ", directory, ": ",
                           error.code().message()));
    }
  };
}

void Checkpoints::guarded(std::function<void()> work) {
  session.together(withOwnErrors(std::move(work)));
}

Checkpoints::Checkpoints(Session &session, const TrainOptions &options,
                         json run, json config)
    : session(session), options(options),
      directory(options.checkpointDirectory), run(std::move(run)),
      config(std::move(config)) {
  guarded([&] {
    if (session.rank() != 0)
      return;
    createDurableFolder(directory);
    // Held until the process ends. Some file systems know no locks.
    lock = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
      return;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0)
      return removeAbandoned();
    if (errno == EWOULDBLOCK)
      refuse("checkpoint directory ", directory,
             " is in use by another run; wait for that run to end, or give "
             "this one another directory");
  });
}

/// Removes what a killed run left. Nobody else writes here: the directory is
/// locked.
void Checkpoints::removeAbandoned() const {
  std::vector<fs::path> abandoned;
  for (const auto &entry : fs::directory_iterator(directory))
    if (entry.path().extension() == temporarySuffix &&
        entry.path().filename().string().rfind(temporaryPrefix, 0) == 0)
      abandoned.push_back(entry.path());
  for (const fs::path &path : abandoned)
    fs::remove_all(path);
}

Checkpoints::~Checkpoints() {
  if (lock >= 0)
    ::close(lock);
}

void Checkpoints::requireNone() {
  guarded([&] {
    if (session.rank() != 0)
      return;
    warnOfRenamed();
    std::vector<int64_t> steps = findSteps();
    if (!steps.empty())
      refuse("checkpoint directory ", directory, " holds step ", steps.front(),
             " of an earlier run; continue that run with --resume, or give "
             "this one another directory");
  });
}

std::string Checkpoints::pathOf(int64_t step) const {
  return concat(directory, "/step-", step);
}

std::vector<const Tensor *> Checkpoints::savedTensors() const {
  // Accumulators are zero between two steps.
  std::vector<const Tensor *> tensors;
  for (const Tensor &tensor : session.getProgram().tensors)
    if (tensor.isParameter() || tensor.role == Role::state)
      tensors.push_back(&tensor);
  return tensors;
}

/// Takes a checkpoint away. One that is half removed does not have its name.
void Checkpoints::remove(int64_t step) const {
  std::string removed = concat(directory, "/", temporaryPrefix, step,
                               ".removed", temporarySuffix);
  fs::remove_all(removed);
  fs::rename(pathOf(step), removed);
  fs::remove_all(removed);
}

bool Checkpoints::isKeptForEver(int64_t step) const {
  return options.keepLast == 0 ||
         (options.keepEvery && step % *options.keepEvery == 0);
}

void Checkpoints::prune() {
  if (unproven == 0)
    return;
  guarded([&] {
    if (session.rank() == 0)
      pruneBefore(unproven);
  });
  unproven = 0;
}

/// Removes what is not kept beside the checkpoint of `newest`, which is on the
/// disk. Those of later steps are damaged or of another run: a run goes on from
/// the newest complete one.
void Checkpoints::pruneBefore(int64_t newest) {
  int64_t count = 0;
  for (int64_t step : findSteps()) {
    if (step > newest || skipped.count(step))
      continue;
    if (count++ < options.keepLast || isKeptForEver(step))
      continue;
    try {
      remove(step);
    } catch (const fs::filesystem_error &error) {
      std::fprintf(stderr, "warning: cannot remove checkpoint %s: %s\n",
                   pathOf(step).c_str(), error.code().message().c_str());
    }
  }
}

/// The least common multiple; 0 if it is beyond any step.
static int64_t commonMultiple(int64_t a, int64_t b) {
  int64_t multiple = 0;
  return __builtin_mul_overflow(a, b / std::gcd(a, b), &multiple) ? 0
                                                                  : multiple;
}

/// Returns the largest number of checkpoints that a run from `firstStep` on
/// adds.
int64_t Checkpoints::countToCome(int64_t firstStep) const {
  int64_t last = options.steps, every = options.checkpointEvery.value_or(0);
  // Multiples of a step in the run.
  auto multiples = [&](int64_t of) {
    return of > 0 ? last / of - (firstStep - 1) / of : 0;
  };
  int64_t count = multiples(every) + (every > 0 && last % every == 0 ? 0 : 1);
  if (firstStep > last)
    count = 0;
  if (options.keepLast > 0) {
    // The newest are there together with the one that is going to be removed.
    int64_t present = 0;
    for (int64_t step : findSteps())
      present += !skipped.count(step) && !isKeptForEver(step);
    int64_t room = options.keepLast - std::min(present, options.keepLast) + 1;
    if (every > 0 && options.keepEvery)
      room += multiples(commonMultiple(every, *options.keepEvery));
    count = std::min(count, room);
  }
  return count;
}

PlannedFiles Checkpoints::plan(int64_t firstStep) const {
  PlannedFiles files{"--checkpoint", directory, bytesOfFile(savedTensors()), 0};
  withOwnErrors([&] { files.count = countToCome(firstStep); })();
  return files;
}

/// The files and their names in the temporary folder are on the disk before it
/// gets the name of a checkpoint, and that name is before this returns.
void Checkpoints::save(int64_t step) {
  Doing doing("saving a checkpoint");
  std::string temporary =
      concat(directory, "/", temporaryPrefix, step, temporarySuffix);
  bool writes = session.rank() == 0;
  guarded([&] {
    if (!writes)
      return;
    fs::remove_all(temporary);
    fs::create_directory(temporary);
  });
  std::string checksum;
  try {
    checksum = session.save(temporary + "/tensors.safetensors", savedTensors());
  } catch (const Failure &failure) {
    throw Failure(ExitCode::checkpointUnusable, failure.what());
  }
  guarded([&] {
    if (!writes)
      return;
    json state = {{"format", format},    {"step", step},
                  {"run", run},          {"config", config},
                  {"tensors", checksum}, {sealName, openSeal}};
    // A path need not be UTF-8.
    std::string text =
        seal(state.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    DurableFile file(temporary + "/state.json");
    file.write(text.data(), static_cast<int64_t>(text.size()), 0);
    file.commit();
    // It was skipped, or this run would be beyond it.
    if (fs::exists(pathOf(step)))
      remove(step);
    fs::rename(temporary, pathOf(step));
    syncFolder(directory);
    skipped.erase(step);
  });
  unproven = step;
}

/// As durable as the checkpoint itself.
std::string Checkpoints::setAside(int64_t step) {
  std::string path = concat(directory, "/", setAsidePrefix, step);
  guarded([&] {
    if (session.rank() != 0 || !fs::exists(pathOf(step)))
      return path.clear();
    fs::remove_all(path);
    fs::rename(pathOf(step), path);
    syncFolder(directory);
  });
  return path;
}

std::string Checkpoints::findUpTo(int64_t step) {
  std::string path;
  guarded([&] {
    if (session.rank() != 0)
      return;
    std::vector<int64_t> steps = findSteps();
    auto newest = std::find_if(steps.begin(), steps.end(),
                               [&](int64_t each) { return each <= step; });
    if (newest != steps.end())
      path = pathOf(*newest);
  });
  return path;
}

/// The step of a checkpoint with this name; nothing for other names.
static std::optional<int64_t> stepOf(const std::string &name) {
  const std::string prefix = "step-";
  if (name.rfind(prefix, 0) != 0)
    return std::nullopt;
  char *end = nullptr;
  long long step = std::strtoll(name.c_str() + prefix.size(), &end, 10);
  if (*end || step <= 0 || name != concat(prefix, step))
    return std::nullopt;
  return step;
}

/// The steps of all checkpoints, the newest first.
std::vector<int64_t> Checkpoints::findSteps() const {
  std::vector<int64_t> steps;
  for (const auto &entry : fs::directory_iterator(directory))
    if (auto step = stepOf(entry.path().filename().string()))
      steps.push_back(*step);
  std::sort(steps.rbegin(), steps.rend());
  return steps;
}

namespace {
/// The content of state.json.
struct State {
  /// The identity of its run.
  json run;
  /// The checksum in the header of the tensors' file.
  std::string tensors;
};
} // namespace

/// The text of a regular file; empty if there is none.
static std::string readText(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The object that the text of a state.json is; nothing if it is none.
static std::optional<json> parseState(const std::string &text) {
  json state = json::parse(text, nullptr, /*allow_exceptions=*/false);
  return state.is_object() ? std::optional(state) : std::nullopt;
}

/// Reads the state of a checkpoint; nothing unless it is one of `step`.
static std::optional<State> readState(const std::string &path, int64_t step) {
  std::string text = readText(path);
  std::optional<json> parsed = parseState(text);
  if (!parsed)
    return std::nullopt;
  const json &state = *parsed;
  json run = state.value("run", json()),
       tensors = state.value("tensors", json());
  if (!isSealed(text) || state.value("format", json()) != format ||
      state.value("step", json()) != step || !run.is_object() ||
      !tensors.is_string())
    return std::nullopt;
  return State{run, tensors.get<std::string>()};
}

/// Warns of folders that hold a checkpoint, but have none of the names that are
/// looked for: nothing would tell that they are passed over.
void Checkpoints::warnOfRenamed() const {
  for (const auto &entry : fs::directory_iterator(directory)) {
    std::string name = entry.path().filename().string();
    bool isSetAside = name.rfind(setAsidePrefix, 0) == 0 ||
                      name.rfind(temporaryPrefix, 0) == 0;
    // A link is a further name of a checkpoint.
    if (isSetAside || entry.is_symlink() || stepOf(name))
      continue;
    std::optional<json> state =
        parseState(readText(entry.path() / "state.json"));
    json step = state ? state->value("step", json()) : json();
    if (step.is_number_integer())
      std::fprintf(
          stderr,
          "warning: %s holds the checkpoint of step %lld, but --resume "
          "looks for the name step-%lld only; rename it to have it "
          "taken, or move it out of the directory\n",
          entry.path().c_str(), step.get<long long>(), step.get<long long>());
  }
}

/// Refuses a checkpoint of another run, and says what is another by intent.
void Checkpoints::compareRun(int64_t step, const json &saved) const {
  RunDifferences differences =
      compareRuns(session.getProgram(), saved, run, options.allowed);
  if (!differences.refused.empty())
    refuse("checkpoint ", pathOf(step),
           " is of another run:", differences.refused,
           "\ncontinue with what it was made with, or take it all the same "
           "with",
           differences.remedy);
  if (!differences.accepted.empty() && !options.quiet)
    std::fprintf(stderr, "note: the run goes on from %s with changes:%s\n",
                 pathOf(step).c_str(), differences.accepted.c_str());
}

/// Loads the checkpoint of a step. Returns false if it is damaged, and says so.
bool Checkpoints::load(int64_t step) {
  std::string path = pathOf(step);
  State state;
  auto isWhole = [&](std::function<void()> work) {
    std::optional<Failure> failure =
        session.attempt(withOwnErrors(std::move(work)));
    if (failure && *failure->what())
      std::fprintf(stderr, "warning: skipped checkpoint %s: %s\n", path.c_str(),
                   failure->what());
    return !failure;
  };
  bool isKnown = isWhole([&] {
    std::optional<State> found = readState(path + "/state.json", step);
    if (!found)
      refuse("state.json is missing, damaged or of another step");
    state = *found;
  });
  if (!isKnown)
    return false;
  std::string name = concat("checkpoint step-", step, ", ");
  Facts facts = factsOf(session.getProgram(), state.run, name);
  facts.push_back({name + "its tensors", state.tensors});
  session.requireAgreement(facts);
  guarded([&] {
    if (session.rank() == 0)
      compareRun(step, state.run);
  });
  return isWhole([&] {
    SafeTensorsReader tensors(path + "/tensors.safetensors");
    if (tensors.getChecksum() != state.tensors)
      refuse(tensors.getPath(), " is not the file that state.json was written "
                                "with");
    session.load(tensors, savedTensors(), "this program");
  });
}

/// Every rank looks for the newest checkpoint, and it is that of rank 0. A
/// listing of a shared folder may be older than the checkpoint, which is there
/// under its name all the same.
void Checkpoints::agreeOnNewest(int64_t newest) {
  int64_t own = 0;
  guarded([&] {
    if (!fs::is_directory(directory))
      return;
    own = fs::exists(pathOf(newest)) ? newest : 0;
    for (int64_t step : findSteps())
      own = std::max(own, step);
  });
  session.requireAgreement({{"the newest checkpoint of --checkpoint",
                             own == 0 ? "none" : concat("step-", own)}});
}

int64_t Checkpoints::resume() {
  Doing doing("loading a checkpoint");
  // One rank looks, so that all take the same.
  std::vector<int64_t> steps;
  guarded([&] {
    if (session.rank() != 0)
      return;
    steps = findSteps();
    warnOfRenamed();
  });
  agreeOnNewest(session.largest(steps.empty() ? 0 : steps.front()));
  for (size_t i = 0;; ++i) {
    int64_t step = session.largest(i < steps.size() ? steps[i] : 0);
    if (step == 0 && i == 0)
      return 0;
    if (step == 0)
      break;
    if (load(step))
      return step;
    skipped.insert(step);
  }
  guarded([&] {
    if (session.rank() == 0)
      refuse("no checkpoint in ", directory, " is usable, of ", steps.size(),
             "; give another directory to start afresh");
  });
  return 0;
}

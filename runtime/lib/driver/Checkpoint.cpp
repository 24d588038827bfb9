//===- Checkpoint.cpp - Interrupted and resumed training ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Checkpoint.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/file.h>
#include <unistd.h>

using namespace boost_rt;
using nlohmann::json;
namespace fs = std::filesystem;

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

/// Work on all ranks whose errors are about checkpoints.
void Checkpoints::guarded(const std::function<void()> &work) {
  session.together([&] {
    try {
      work();
    } catch (const Failure &failure) {
      throw Failure(ExitCode::checkpointUnusable, failure.what());
    } catch (const fs::filesystem_error &error) {
      throw Failure(ExitCode::checkpointUnusable,
                    concat("cannot use checkpoint directory ", directory, ": ",
                           error.code().message()));
    }
  });
}

Checkpoints::Checkpoints(Session &session, const std::string &directory)
    : session(session), directory(directory) {
  guarded([&] {
    if (session.rank() != 0)
      return;
    fs::create_directories(directory);
    // Held until the process ends. Some file systems know no locks.
    lock = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK)
      refuse("checkpoint directory ", directory,
             " is in use by another run; wait for that run to end, or give "
             "this one another directory");
  });
}

Checkpoints::~Checkpoints() {
  if (lock >= 0)
    ::close(lock);
}

void Checkpoints::requireNone() {
  guarded([&] {
    if (session.rank() != 0)
      return;
    if (int64_t step = findNewest())
      refuse("checkpoint directory ", directory, " holds step ", step,
             " of an earlier run; continue that run with --resume, or give "
             "this one another directory");
  });
}

std::string Checkpoints::pathOf(int64_t step) const {
  return concat(directory, "/step-", step);
}

std::vector<const Tensor *> Checkpoints::savedTensors() const {
  // Accumulated gradients are zero between two steps.
  std::vector<const Tensor *> tensors;
  for (const Tensor &tensor : session.getProgram().tensors)
    if (tensor.role == Role::param ||
        (tensor.role == Role::state && tensor.name.rfind("acc.", 0) != 0))
      tensors.push_back(&tensor);
  return tensors;
}

void Checkpoints::save(int64_t step, uint64_t seed) {
  std::string temporary = concat(directory, "/.step-", step, ".tmp");
  bool writes = session.rank() == 0;
  guarded([&] {
    if (!writes)
      return;
    fs::remove_all(temporary);
    fs::create_directories(temporary);
  });
  try {
    session.save(temporary + "/tensors.safetensors", savedTensors());
  } catch (const Failure &failure) {
    throw Failure(ExitCode::checkpointUnusable, failure.what());
  }
  guarded([&] {
    if (!writes)
      return;
    json state = {{"format", 1}, {"step", step}, {"seed", seed}};
    std::ofstream file(temporary + "/state.json");
    file << state.dump(2) << "\n";
    file.close();
    if (!file)
      refuse("cannot write ", temporary, "/state.json; is the disk full?");
    fs::remove_all(pathOf(step));
    fs::rename(temporary, pathOf(step));
  });
}

int64_t Checkpoints::findNewest() const {
  const std::string prefix = "step-";
  int64_t newest = 0;
  for (const auto &entry : fs::directory_iterator(directory)) {
    std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) != 0)
      continue;
    char *end = nullptr;
    long long step = std::strtoll(name.c_str() + prefix.size(), &end, 10);
    if (!*end && name == concat(prefix, step))
      newest = std::max<int64_t>(newest, step);
  }
  return newest;
}

/// The seed in the state of a checkpoint; nothing unless it is one of `step`.
static std::optional<uint64_t> readSeed(const std::string &path, int64_t step) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream file(path);
  json state = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!state.is_object() || state.value("format", json()) != 1 ||
      state.value("step", json()) != step)
    return std::nullopt;
  json seed = state.value("seed", json());
  if (!seed.is_number_unsigned())
    return std::nullopt;
  return seed.get<uint64_t>();
}

int64_t Checkpoints::resume(uint64_t seed) {
  // One rank looks, so that all take the same.
  int64_t step = 0;
  guarded([&] {
    if (session.rank() == 0)
      step = findNewest();
  });
  step = session.largest(step);
  if (step == 0)
    return 0;
  guarded([&] {
    std::string path = pathOf(step);
    std::optional<uint64_t> savedSeed = readSeed(path + "/state.json", step);
    if (!savedSeed)
      refuse("checkpoint ", path,
             " is unusable: state.json is missing, malformed or of another "
             "step; remove the directory to continue from an older one");
    if (*savedSeed != seed)
      refuse("checkpoint ", path, " was made with --seed ", *savedSeed,
             ", but --seed is ", seed, "; use the same seed");
    SafeTensorsReader tensors(path + "/tensors.safetensors");
    session.load(tensors, savedTensors(), "this program");
  });
  return step;
}

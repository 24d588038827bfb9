//===- Checkpoint.cpp - Interrupted and resumed training ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Checkpoint.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace boost_rt;
using nlohmann::json;
namespace fs = std::filesystem;

static volatile std::sig_atomic_t stopSignal = 0;

void boost_rt::catchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stopSignal = signal; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
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
    if (session.rank() == 0)
      fs::create_directories(directory);
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
    if (!*end)
      newest = std::max<int64_t>(newest, step);
  }
  return newest;
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
    std::ifstream file(path + "/state.json");
    json state = json::parse(file, nullptr, false);
    if (!state.is_object() || state.value("format", 0) != 1 ||
        state.value("step", int64_t(0)) != step)
      refuse("checkpoint ", path,
             " is unusable: state.json is missing or "
             "malformed; remove the directory to continue from an older one");
    if (state.value("seed", seed) != seed)
      refuse("checkpoint ", path, " was made with --seed ",
             state["seed"].dump(), ", but --seed is ", seed,
             "; use the same seed");
    SafeTensorsReader tensors(path + "/tensors.safetensors");
    session.load(tensors, savedTensors(), "this program");
  });
  return step;
}

//===- Machine.cpp - What a rank can do per second ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads machine files.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Machine.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;

double Machine::getPeakFlops(StringRef elementType) const {
  auto it = peakFlops.find(elementType.str());
  return it != peakFlops.end() ? it->second : peakFlops.at("f32");
}

const Link &Machine::getLink(int64_t ranks) const {
  for (const Link &link : links)
    if (ranks <= link.ranks)
      return link;
  return links.back();
}

static void checkPositive(double value, const char *what) {
  if (!(value > 0))
    throw std::invalid_argument(std::string(what) + " must be positive");
}

static Machine readMachine(const nlohmann::json &file) {
  Machine machine;
  machine.name = file.at("name");
  machine.peakFlops =
      file.at("peak_flops").get<std::map<std::string, double>>();
  checkPositive(machine.peakFlops.at("f32"), "peak_flops.f32");
  machine.memoryBandwidth = file.at("memory_bandwidth");
  checkPositive(machine.memoryBandwidth, "memory_bandwidth");
  machine.memoryBytes = file.at("memory_bytes");
  machine.launchSeconds = file.at("launch_seconds");
  for (const nlohmann::json &entry : file.at("links")) {
    Link link{entry.at("ranks"), entry.at("bandwidth"), entry.at("latency")};
    checkPositive(link.bandwidth, "bandwidth of a link");
    machine.links.push_back(link);
  }
  if (machine.links.empty())
    throw std::invalid_argument("links must not be empty");
  return machine;
}

llvm::Expected<Machine> Machine::parse(StringRef text) {
  // nlohmann_json reports by exceptions; they end here.
  try {
    return readMachine(nlohmann::json::parse(text.begin(), text.end()));
  } catch (const std::exception &error) {
    return llvm::createStringError("not a machine description: %s",
                                   error.what());
  }
}

//===- MachineFile.cpp - Reads the descriptions of machines ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine from the text of a JSON file, and the one that is built in.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Machine.h"

#include "FieldReader.h"

#include "boost-mlir/Support/FileURI.h"
#include "boost-mlir/Support/InputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::boost;

static std::map<std::string, double> readPeaks(const nlohmann::json *object,
                                               std::string &problem) {
  std::map<std::string, double> peaks;
  if (!object)
    return peaks;
  FieldReader reader(*object, "peak_flops", problem);
  reader.getPositive("f32");
  if (object->is_object())
    for (const auto &entry : object->items())
      peaks[entry.key()] = reader.getPositive(entry.key().c_str());
  return peaks;
}

/// Tiles as [[rows, columns], ...].
static std::vector<std::pair<int64_t, int64_t>>
readTiles(const nlohmann::json *list, FieldReader &reader) {
  std::vector<std::pair<int64_t, int64_t>> tiles;
  if (!list)
    return tiles;
  auto isTile = [](const nlohmann::json &entry) {
    return entry.is_array() && entry.size() == 2;
  };
  if (!list->is_array() || list->empty() ||
      !std::all_of(list->begin(), list->end(), isTile)) {
    reader.refuse("expects 'tiles' to be a list of [rows, columns]");
    return tiles;
  }
  for (const nlohmann::json &entry : *list)
    tiles.emplace_back(reader.toCount("tiles", &entry[0], 1),
                       reader.toCount("tiles", &entry[1], 1));
  return tiles;
}

static std::vector<int64_t> readSplits(const nlohmann::json *list,
                                       FieldReader &reader) {
  if (!list)
    return {1};
  std::vector<int64_t> splits;
  if (!list->is_array() || list->empty())
    reader.refuse("expects 'splits' to be a list of numbers of parts");
  else
    for (const nlohmann::json &entry : *list)
      splits.push_back(reader.toCount("splits", &entry, 1));
  return splits;
}

static ContractionModel readContraction(const nlohmann::json *object,
                                        std::string &problem) {
  ContractionModel model;
  if (!object)
    return model;
  FieldReader reader(*object, "contraction", problem);
  model.units = reader.getCount("units", 1, model.units);
  model.efficiency = reader.getShare("efficiency", model.efficiency);
  model.prologue = reader.getExtra("prologue", model.prologue);
  model.tiles = readTiles(reader.findOptional("tiles"), reader);
  model.splits = readSplits(reader.findOptional("splits"), reader);
  reader.getText("source", "");
  reader.finish();
  return model;
}

static AttentionModel readAttention(const nlohmann::json &object,
                                    const char *section, std::string &problem) {
  AttentionModel model;
  FieldReader reader(object, section, problem);
  model.forward = reader.getShare("forward", model.forward);
  model.backward = reader.getShare("backward", model.backward);
  model.narrowHead = reader.getCount("narrow_head", 0, model.narrowHead);
  model.narrowFactor = reader.getShare("narrow_factor", model.narrowFactor);
  model.narrowBackwardFactor =
      reader.getShare("narrow_backward_factor", model.narrowFactor);
  reader.getText("source", "");
  reader.finish();
  return model;
}

static std::optional<EagerExecution> readEager(const nlohmann::json *object,
                                               std::string &problem) {
  if (!object)
    return std::nullopt;
  FieldReader reader(*object, "eager", problem);
  EagerExecution eager;
  eager.launchSeconds = reader.getExtra("launch_seconds");
  eager.memoryEfficiency = reader.getShare("memory_efficiency", 1);
  eager.latency = reader.getExtra("latency");
  reader.getText("source", "");
  reader.finish();
  return eager;
}

static std::vector<Link> readLinks(const nlohmann::json *list,
                                   FieldReader &parent, std::string &problem) {
  std::vector<Link> links;
  if (!list)
    return links;
  if (!list->is_array() || list->empty()) {
    parent.refuse("expects a list with an entry at least for 'links'");
    return links;
  }
  for (const nlohmann::json &entry : *list) {
    FieldReader reader(entry, "links[" + std::to_string(links.size()) + "]",
                       problem);
    Link link;
    link.name = reader.getText("name", "");
    link.ranks = reader.getCount("ranks", 1);
    link.span = reader.getCount("span", 1, link.ranks);
    link.bandwidth = reader.getPositive("bandwidth");
    link.latency = reader.getExtra("latency");
    link.hopLatency = reader.getExtra("hop_latency", 0);
    link.interfaces = reader.getCount("interfaces", 0, 0);
    reader.getText("source", "");
    reader.finish();
    if (!links.empty() && link.span < links.back().span)
      reader.refuse("expects a 'span' of at least " +
                    std::to_string(links.back().span) +
                    ", that of the level before");
    links.push_back(link);
  }
  return links;
}

static std::vector<std::string> readDevices(const nlohmann::json *list,
                                            FieldReader &reader) {
  std::vector<std::string> devices;
  if (!list)
    return devices;
  auto isText = [](const nlohmann::json &entry) { return entry.is_string(); };
  if (!list->is_array() || !std::all_of(list->begin(), list->end(), isText))
    reader.refuse("expects 'devices' to be a list of names");
  else
    devices = list->get<std::vector<std::string>>();
  return devices;
}

static Machine readMachine(const nlohmann::json &file, std::string &problem) {
  Machine machine;
  FieldReader reader(file, "it", problem);
  machine.name = reader.getText("name");
  reader.getText("source", "");
  machine.devices = readDevices(reader.findOptional("devices"), reader);
  machine.peakFlops = readPeaks(reader.find("peak_flops"), problem);
  machine.memoryBandwidth = reader.getPositive("memory_bandwidth");
  machine.memoryEfficiency = reader.getShare("memory_efficiency", 1);
  machine.memoryBytes = reader.getPositive("memory_bytes");
  machine.launchSeconds = reader.getExtra("launch_seconds");
  machine.contraction =
      readContraction(reader.findOptional("contraction"), problem);
  if (const nlohmann::json *object = reader.findOptional("attention"))
    machine.attention = readAttention(*object, "attention", problem);
  if (const nlohmann::json *object = reader.findOptional("own_attention"))
    machine.ownAttention = readAttention(*object, "own_attention", problem);
  machine.links = readLinks(reader.find("links"), reader, problem);
  machine.eager = readEager(reader.findOptional("eager"), problem);
  reader.finish();
  return machine;
}

llvm::Expected<Machine> Machine::parse(StringRef text) {
  auto file = nlohmann::json::parse(text.begin(), text.end(), nullptr,
                                    /*allow_exceptions=*/false);
  std::string problem;
  Machine machine;
  if (file.is_discarded())
    problem = "it is not JSON";
  else
    machine = readMachine(file, problem);
  if (!problem.empty())
    return llvm::createStringError("not a machine description: %s",
                                   problem.c_str());
  return machine;
}

const Machine &Machine::getReference() {
  static const Machine machine = llvm::cantFail(parse(
#include "ReferenceMachine.inc"
      ));
  return machine;
}

FailureOr<Machine> mlir::boost::loadMachine(Operation *op, StringRef name) {
  if (name.empty())
    return Machine::getReference();
  std::optional<std::string> path = fromFileURI(name);
  if (!path)
    return op->emitError()
           << "expects machine to be a path or a file: URI, but got '" << name
           << "'";
  std::string message;
  auto file = openInput(*path, &message);
  if (!file)
    return op->emitError()
           << "expects machine to be a file that describes one: " << message;
  llvm::Expected<Machine> machine = Machine::parse(file->getBuffer());
  if (!machine)
    return op->emitError() << "'" << *path
                           << "': " << llvm::toString(machine.takeError());
  return std::move(*machine);
}

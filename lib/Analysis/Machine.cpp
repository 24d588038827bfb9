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

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Reads the fields of one object. The first that is missing or of another kind
/// is the problem; what is read after it is of no use.
class FieldReader {
public:
  FieldReader(const nlohmann::json &object, std::string where,
              std::string &problem)
      : object(object), where(std::move(where)), problem(problem) {
    if (!object.is_object())
      refuse("is no object");
  }

  const nlohmann::json *find(const char *key) {
    if (!object.is_object() || !object.contains(key)) {
      refuse(std::string("has no '") + key + "'");
      return nullptr;
    }
    return &object[key];
  }
  double getNumber(const char *key) {
    const nlohmann::json *field = find(key);
    if (field && field->is_number())
      return field->get<double>();
    refuse(std::string("expects a number for '") + key + "'");
    return 0;
  }
  double getPositive(const char *key) {
    double number = getNumber(key);
    if (!(number > 0))
      refuse(std::string("expects '") + key + "' to be positive");
    return number;
  }
  /// A number of things.
  int64_t getCount(const char *key) {
    double number = getNumber(key);
    if (!(number >= 0 && number <= 0x1p53))
      refuse(std::string("expects a count for '") + key + "'");
    return problem.empty() ? static_cast<int64_t>(number) : 0;
  }
  std::string getText(const char *key) {
    const nlohmann::json *field = find(key);
    if (field && field->is_string())
      return field->get<std::string>();
    refuse(std::string("expects a text for '") + key + "'");
    return "";
  }

  void refuse(const std::string &why) {
    if (problem.empty())
      problem = where + " " + why;
  }

private:
  const nlohmann::json &object;
  std::string where;
  std::string &problem;
};

} // namespace

static std::map<std::string, double> readPeaks(const nlohmann::json *object,
                                               std::string &problem) {
  std::map<std::string, double> peaks;
  if (!object)
    return peaks;
  FieldReader reader(*object, "peak_flops", problem);
  reader.getPositive("f32");
  if (object->is_object())
    for (const auto &entry : object->items())
      peaks[entry.key()] = reader.getNumber(entry.key().c_str());
  return peaks;
}

static std::vector<Link> readLinks(const nlohmann::json *list,
                                   FieldReader &parent, std::string &problem) {
  std::vector<Link> links;
  if (!list)
    return links;
  if (!list->is_array() || list->empty())
    parent.refuse("expects a list with an entry at least for 'links'");
  else
    for (const nlohmann::json &entry : *list) {
      FieldReader reader(entry, "an entry of links", problem);
      Link link;
      link.ranks = reader.getCount("ranks");
      link.bandwidth = reader.getPositive("bandwidth");
      link.latency = reader.getNumber("latency");
      links.push_back(link);
    }
  return links;
}

llvm::Expected<Machine> Machine::parse(StringRef text) {
  auto file = nlohmann::json::parse(text.begin(), text.end(), nullptr,
                                    /*allow_exceptions=*/false);
  std::string problem;
  Machine machine;
  if (file.is_discarded()) {
    problem = "it is no JSON";
  } else {
    FieldReader reader(file, "it", problem);
    machine.name = reader.getText("name");
    machine.peakFlops = readPeaks(reader.find("peak_flops"), problem);
    machine.memoryBandwidth = reader.getPositive("memory_bandwidth");
    machine.memoryBytes = reader.getNumber("memory_bytes");
    machine.launchSeconds = reader.getNumber("launch_seconds");
    machine.links = readLinks(reader.find("links"), reader, problem);
  }
  if (!problem.empty())
    return llvm::createStringError("not a machine description: %s",
                                   problem.c_str());
  return machine;
}

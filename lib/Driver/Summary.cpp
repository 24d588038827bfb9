//===- Summary.cpp - A compiled program in ten lines ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is read from the plan, so that the summary and the plan cannot
// differ.
//
//===----------------------------------------------------------------------===//

#include "Summary.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Interfaces/OpCost.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

/// Lines of what repeats that are printed before "and N more".
static constexpr size_t kMostPlaces = 3;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Three digits with one of the decimal prefixes, as in "1.50 MB" or "1.50 M".
static std::string scale(double value, StringRef unit) {
  static constexpr const char *prefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(prefixes)) {
    value /= 1000;
    ++prefix;
  }
  if (prefix == 0)
    return StringRef(llvm::formatv("{0:f0} {1}", value, unit).str())
        .rtrim()
        .str();
  return llvm::formatv("{0} {1}{2}",
                       value >= 99.5   ? llvm::formatv("{0:f0}", value).str()
                       : value >= 9.95 ? llvm::formatv("{0:f1}", value).str()
                                       : llvm::formatv("{0:f2}", value).str(),
                       prefixes[prefix], unit);
}

static std::string describeSeconds(double seconds) {
  if (seconds >= 1)
    return llvm::formatv("{0:f2} s", seconds);
  if (seconds >= 1e-3)
    return llvm::formatv("{0:f1} ms", seconds * 1e3);
  return llvm::formatv("{0:f0} us", seconds * 1e6);
}

/// "3 linears", or "1 linear".
static std::string quantity(int64_t number, const Twine &what,
                            StringRef plural = "s") {
  return (Twine(number) + " " + what + (number == 1 ? StringRef() : plural))
      .str();
}

static std::string join(const std::vector<std::string> &parts) {
  return parts.empty() ? "nothing" : llvm::join(parts, ", ");
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

namespace {
class Summary {
public:
  explicit Summary(const Json &plan) : plan(plan), os(text) {
    if (auto predicted = plan.find("predicted"); predicted->contains("parts"))
      for (const Json &part : (*predicted)["parts"])
        calls[part["function"]] = part["count"];
  }

  std::string write();

private:
  raw_ostream &line(StringRef title) {
    return os << "  " << llvm::left_justify(title, 13);
  }
  int64_t getRanks(StringRef axes) const;
  /// Returns how often a step launches a collective of the plan.
  int64_t getLaunches(const Json &collective) const;
  double sumOfClasses(StringRef field, bool ofCollectives) const;

  void writeHeader();
  void writeRecognized();
  void writeOthers();
  void writeChoice();
  void writeCollectives();
  void writeSends();
  void writeGathers();
  void writeMemory();
  void writeSeconds();
  void writeChoices();

  const Json &plan;
  /// Calls in a step by function.
  std::map<std::string, int64_t> calls;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

int64_t Summary::getRanks(StringRef axes) const {
  int64_t ranks = 1;
  for (StringRef axis : llvm::split(axes, ","))
    if (auto size = plan["mesh"].find(axis.str()); size != plan["mesh"].end())
      ranks *= size->get<int64_t>();
  return ranks;
}

int64_t Summary::getLaunches(const Json &collective) const {
  auto found = calls.find(collective["function"].get<std::string>());
  return found == calls.end()
             ? 0
             : found->second * collective["count"].get<int64_t>();
}

/// Sums a field over the classes of operations that a step runs: collectives,
/// or all others.
double Summary::sumOfClasses(StringRef field, bool ofCollectives) const {
  double sum = 0;
  for (const auto &[function, times] : calls)
    for (const auto &[name, cost] :
         plan["predicted"]["functions"][function]["classes"].items())
      if ((name == "collective") == ofCollectives)
        sum += static_cast<double>(times) *
               cost[field.str()].template get<double>();
  return sum;
}

void Summary::writeHeader() {
  std::vector<std::string> axes;
  int64_t ranks = 1;
  for (const auto &[name, size] : plan["mesh"].items()) {
    axes.push_back(name + "=" + std::to_string(size.get<int64_t>()));
    ranks *= size.get<int64_t>();
  }
  auto parameters = plan["recognized"]["parameters"].get<double>();
  os << scale(parameters, "") << " parameters on " << quantity(ranks, "rank");
  if (!axes.empty())
    os << " (" << llvm::join(axes, ",") << ")";
  os << "\n";
}

void Summary::writeRecognized() {
  const Json &found = plan["recognized"];
  std::vector<std::string> parts;
  auto add = [&](const char *field, StringRef what) {
    if (auto number = found[field].get<int64_t>())
      parts.push_back(quantity(number, what));
  };
  if (auto bottlenecks = found["bottlenecks"].get<int64_t>())
    parts.push_back(quantity(bottlenecks, "bottleneck") + " in " +
                    quantity(found["groups"].get<int64_t>(), "group"));
  add("linears", "linear");
  add("attentions", "attention");
  add("rms_norms", "RMS norm");
  add("layer_norms", "layer norm");
  add("embeddings", "embedding");
  if (auto entropies = found["cross_entropies"].get<int64_t>())
    parts.push_back(entropies == 1
                        ? "1 cross entropy"
                        : std::to_string(entropies) + " cross entropies");
  line("recognized") << join(parts) << "\n";
}

/// Products of matrices are where the time goes.
void Summary::writeOthers() {
  int64_t total = 0;
  std::vector<std::string> places;
  const Json &products = plan["recognized"]["other_products"];
  for (const Json &product : products) {
    auto number = product["count"].get<int64_t>();
    total += number;
    if (places.size() < kMostPlaces)
      places.push_back(
          product["location"].get<std::string>() +
          (number > 1 ? " (x" + std::to_string(number) + ")" : ""));
  }
  if (total == 0)
    return;
  if (products.size() > places.size())
    places.push_back(
        "and " + quantity(static_cast<int64_t>(products.size() - places.size()),
                          "more place"));
  line("as written") << quantity(total, "product")
                     << " of matrices that are none of these: " << join(places)
                     << "\n";
}

void Summary::writeChoice() {
  auto choice = plan.find("choice");
  if (choice == plan.end())
    return;
  const Json &taken =
      (*choice)["candidates"][(*choice)["chosen"].get<size_t>()];
  line("placement") << taken["options"].get<std::string>() << "\n";
  line("because") << (*choice)["because"].get<std::string>() << "\n";
  auto pipeline = taken.find("pipeline");
  if (pipeline == taken.end())
    return;
  const Json &schedule =
      (*pipeline)["schedules"][(*pipeline)["chosen"].get<size_t>()];
  line("pipeline") << schedule["schedule"].get<std::string>() << ", layers ";
  llvm::interleaveComma(schedule["layout"], os, [&](const Json &layers) {
    os << layers.get<int64_t>();
  });
  os << ", taken because " << (*pipeline)["because"].get<std::string>() << "\n";
}

void Summary::writeCollectives() {
  std::map<std::string, int64_t> kinds;
  for (const Json &collective : plan["collectives"])
    if (int64_t launches = getLaunches(collective))
      kinds[collective["kind"]] += launches;
  int64_t total = 0;
  std::vector<std::string> parts;
  for (const auto &[kind, launches] : kinds) {
    total += launches;
    parts.push_back(quantity(launches, StringRef(kind), ""));
  }
  line("collectives");
  if (total == 0)
    os << "none\n";
  else
    os << join(parts) << " per step; a rank sends "
       << scale(sumOfClasses("network_bytes", /*ofCollectives=*/true), "B")
       << "\n";
}

/// Writes what the stage sends to others that sends most.
void Summary::writeSends() {
  auto sends = plan.find("sends");
  if (sends == plan.end())
    return;
  std::map<int64_t, std::pair<int64_t, double>> stages;
  for (const Json &each : *sends)
    if (each["schedule"] == kTrainSchedule.str()) {
      auto &[count, bytes] = stages[each["from"].get<int64_t>()];
      count += each["count"].get<int64_t>();
      bytes += each["bytes"].get<double>();
    }
  if (stages.empty())
    return;
  const auto &[stage, most] =
      *llvm::max_element(stages, [](const auto &one, const auto &other) {
        return one.second.second < other.second.second;
      });
  line("sends") << quantity(most.first, "tensor") << " per step from stage "
                << stage << " to others, " << scale(most.second, "B")
                << " a rank\n";
}

/// Activations that every rank must see, the largest first. They are what a
/// placement could not shard; parameters are not meant.
void Summary::writeGathers() {
  struct Gather {
    double bytes = 0;
    int64_t launches = 0;
  };
  llvm::MapVector<std::string, Gather, std::map<std::string, unsigned>> places;
  for (const Json &collective : plan["collectives"]) {
    auto kind = symbolizeCollectiveKind(
        StringRef(collective["kind"].get<std::string>()));
    auto component = collective["component"].get<std::string>();
    int64_t launches = getLaunches(collective);
    if (!kind || !movesValues(*kind) || launches == 0 ||
        component == kGradientsComponent || component == kOptimizerComponent)
      continue;
    int64_t parts =
        getGrowth(*kind, getRanks(collective["axis"].get<std::string>()));
    Gather &gather = places[collective["location"].get<std::string>()];
    gather.launches += launches;
    gather.bytes += static_cast<double>(launches * parts) *
                    collective["bytes"].get<double>();
  }
  auto sorted = places.takeVector();
  llvm::sort(sorted, [](const auto &left, const auto &right) {
    return std::pair(-left.second.bytes, left.first) <
           std::pair(-right.second.bytes, right.first);
  });
  for (const auto &[location, gather] :
       ArrayRef(sorted).take_front(kMostPlaces))
    line("gathered") << scale(gather.bytes, "B") << " per step at " << location
                     << " (" << quantity(gather.launches, "launch", "es")
                     << ")\n";
}

void Summary::writeMemory() {
  const Json &memory = plan["memory"];
  auto peak = memory["peak"].get<double>();
  line("memory") << scale(peak, "B") << " a rank";
  const char *separator = ": ";
  for (const char *category :
       {"parameters", "constants", "masters", "optimizer", "batch", "gradients",
        "kept", "recomputed", "temporaries", "results"}) {
    // Only a program with constants has those.
    double bytes = memory.value(category, 0.0);
    // Less than a percent says nothing.
    if (bytes < 0.01 * peak)
      continue;
    os << separator << scale(bytes, "B") << " " << category;
    separator = ", ";
  }
  os << "\n";
}

void Summary::writeSeconds() {
  const Json &predicted = plan["predicted"];
  line("step") << describeSeconds(predicted["seconds"].get<double>())
               << " predicted on '" << predicted["machine"].get<std::string>()
               << "': " << describeSeconds(sumOfClasses("seconds", false))
               << " compute, " << describeSeconds(sumOfClasses("seconds", true))
               << " collectives\n";
}

/// Writes what the functions take that a step chooses from, and which of them
/// the line above has.
void Summary::writeChoices() {
  auto choices = plan.find("choices");
  if (choices == plan.end())
    return;
  for (const Json &choice : *choices) {
    std::vector<std::string> prices;
    std::string priced;
    for (const Json &each : choice["functions"]) {
      auto name = each.get<std::string>();
      auto seconds =
          plan["predicted"]["functions"][name]["seconds"].get<double>();
      prices.push_back(name + " in " + describeSeconds(seconds));
      if (calls.count(name))
        priced = name;
    }
    line("updates") << llvm::join(prices, " or ") << "; the step has " << priced
                    << "\n";
  }
}

std::string Summary::write() {
  writeHeader();
  writeRecognized();
  writeOthers();
  writeChoice();
  writeCollectives();
  writeSends();
  writeGathers();
  writeMemory();
  writeSeconds();
  writeChoices();
  return text;
}

std::string mlir::boost::summarizePlan(StringRef plan) {
  Json parsed = Json::parse(plan.begin(), plan.end());
  return Summary(parsed).write();
}

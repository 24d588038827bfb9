//===- VerifyReport.cpp - What `eval --verify` found ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/VerifyReport.h"
#include "common/Failure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace boost_rt;

static double share(double error, double bound) {
  if (error == 0)
    return 0;
  return bound > 0 ? error / bound : HUGE_VAL;
}

double ComparedTensor::ratio() const {
  return std::max(share(error, bound), share(std::abs(gain), gainBound));
}

template <typename Predicate>
static const ComparedTensor *
findTensor(const std::vector<ComparedTensor> &tensors, Predicate predicate) {
  auto found = std::find_if(tensors.begin(), tensors.end(), predicate);
  return found == tensors.end() ? nullptr : &*found;
}

const ComparedTensor *VerifyReport::findFirstError() const {
  return findTensor(tensors, [](const ComparedTensor &tensor) {
    return !tensor.isWithinBound();
  });
}

const ComparedTensor *VerifyReport::findIncomparable() const {
  return findTensor(tensors, [](const ComparedTensor &tensor) {
    return !tensor.isComparable;
  });
}

void VerifyReport::gatherFindings(Communicator &communicator) {
  if (communicator.rank() != 0) {
    auto count = static_cast<int64_t>(findings.size());
    communicator.send(&count, sizeof(count), 0);
    for (const std::string &finding : findings) {
      auto length = static_cast<int64_t>(finding.size());
      communicator.send(&length, sizeof(length), 0);
      communicator.send(finding.data(), length, 0);
    }
    return;
  }
  for (int64_t rank = 0; rank < communicator.size(); ++rank) {
    auto count = static_cast<int64_t>(findings.size());
    if (rank != 0)
      communicator.receive(&count, sizeof(count), rank);
    for (int64_t i = 0; i < count && rank != 0; ++i) {
      int64_t length = 0;
      communicator.receive(&length, sizeof(length), rank);
      std::string finding(static_cast<size_t>(length), ' ');
      communicator.receive(finding.data(), length, rank);
      findings.push_back(concat("rank ", rank, ": ", finding));
    }
  }
}

/// Relative to the largest element, or as it is where all elements are 0.
static double relative(const ComparedTensor &tensor, double value) {
  return tensor.scale > 0 ? value / tensor.scale : value;
}

static std::string describeType(const ComparedTensor &tensor) {
  return nameOf(tensor.type) + shapeToString(tensor.shape);
}

/// The end of a text that is too long for its column.
static std::string tail(const std::string &text, size_t width) {
  return text.size() <= width ? text
                              : "..." + text.substr(text.size() - width + 3);
}

static size_t widest(const std::vector<ComparedTensor> &tensors,
                     const std::string ComparedTensor::*column, size_t most) {
  size_t width = 8;
  for (const ComparedTensor &tensor : tensors)
    width = std::max(width, (tensor.*column).size());
  return std::min(width, most);
}

void VerifyReport::print() const {
  size_t nameWidth = widest(tensors, &ComparedTensor::name, 48);
  size_t locationWidth = widest(tensors, &ComparedTensor::location, 40);
  auto line = [&](const std::string &name, const std::string &location,
                  const std::string &type, const std::string &rest) {
    std::printf("%-*s  %-*s  %-18s  %s\n", static_cast<int>(nameWidth),
                tail(name, nameWidth).c_str(), static_cast<int>(locationWidth),
                tail(location, locationWidth).c_str(), type.c_str(),
                rest.c_str());
  };
  line("tensor", "location", "type",
       "   error     bound      gain     bound     ratio");
  std::string phase;
  for (const ComparedTensor &tensor : tensors) {
    if (tensor.phase != phase) {
      phase = tensor.phase;
      std::printf("-- %s\n", phase.c_str());
    }
    char numbers[80];
    std::snprintf(
        numbers, sizeof(numbers), "%8.1e  %8.1e  %8.1e  %8.1e  %8.1e  %s",
        relative(tensor, tensor.error), relative(tensor, tensor.bound),
        tensor.gain, tensor.gainBound, tensor.ratio(),
        tensor.isWithinBound() ? "ok" : "OUT OF BOUND");
    line(tensor.name, tensor.location, describeType(tensor),
         tensor.held.empty() ? numbers : numbers + (" (" + tensor.held + ")"));
  }
  std::printf("loss %.9g\n", static_cast<double>(loss));
  printVerdict();
}

void VerifyReport::printVerdict() const {
  auto wrong = std::count_if(
      tensors.begin(), tensors.end(),
      [](const ComparedTensor &tensor) { return !tensor.isWithinBound(); });
  if (isVerified())
    std::printf("verified: %zu functions on %lld sets of inputs, %zu tensors "
                "are within their bounds\n",
                functions.size(), static_cast<long long>(inputSets),
                tensors.size());
  else
    std::printf("not verified: %lld of %zu tensors are out of their bounds\n",
                static_cast<long long>(wrong), tensors.size());
  std::fflush(stdout);
  for (const std::string &finding : findings)
    std::fprintf(stderr, "error: %s\n", finding.c_str());
  if (const ComparedTensor *first = findFirstError())
    std::fprintf(
        stderr,
        "error: the first tensor out of its bounds is '%s' %s of %s at %s: "
        "error %.1e, bound %.1e, relative to its largest element; gain %.1e, "
        "bound %.1e\n",
        first->name.c_str(), describeType(*first).c_str(), first->phase.c_str(),
        first->location.c_str(), relative(*first, first->error),
        relative(*first, first->bound), first->gain, first->gainBound);
}

static nlohmann::ordered_json toJson(const ComparedTensor &tensor) {
  // JSON has no infinity: an error without a number is null.
  return {{"name", tensor.name},
          {"location", tensor.location},
          {"phase", tensor.phase},
          {"shape", tensor.shape},
          {"held", tensor.held},
          {"dtype", nameOf(tensor.type)},
          {"error", tensor.error},
          {"bound", tensor.bound},
          {"scale", tensor.scale},
          {"gain", tensor.gain},
          {"gain_bound", tensor.gainBound},
          {"ok", tensor.isWithinBound()}};
}

void VerifyReport::printJson() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ComparedTensor &tensor : tensors)
    list.push_back(toJson(tensor));
  const ComparedTensor *first = findFirstError();
  nlohmann::ordered_json report = {
      {"loss", loss},
      {"ranks", ranks},
      {"verified", isVerified()},
      {"functions", functions},
      {"input_sets", inputSets},
      {"findings", findings},
      {"first_error", first ? toJson(*first) : nlohmann::ordered_json()},
      {"tensors", list}};
  std::puts(report.dump().c_str());
}

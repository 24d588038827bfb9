//===- HyperOption.cpp - The option of a hyper-parameter ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/HyperOption.h"
#include "common/Failure.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace boost_rt;

bool HyperOption::takes(double value) const {
  auto rounded = static_cast<double>(static_cast<float>(value));
  return std::isfinite(rounded) && (!min || rounded >= *min) &&
         (!above || rounded > *above) && (!below || rounded < *below);
}

/// Returns the shortest text that reads as this number: "1", "0.95".
static std::string print(double value) {
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return {text, end};
}

std::string HyperOption::describeValues() const {
  if (below && (min || above))
    return concat("in ", min ? "[" : "(", print(min ? *min : *above), ", ",
                  print(*below), ")");
  if (below)
    return "below " + print(*below);
  if (above)
    return "above " + print(*above);
  if (min)
    return *min == 0 ? "that is not negative" : "of at least " + print(*min);
  return "that is finite";
}

std::string HyperOption::describe() const {
  return concat(help, "; default ", print(defaultValue));
}

std::optional<std::string> boost_rt::optionNameOf(const std::string &kind) {
  auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
  auto isAllowed = [&](char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || c == '_';
  };
  if (kind.empty() || !isLetter(kind.front()) ||
      !std::all_of(kind.begin(), kind.end(), isAllowed))
    return std::nullopt;
  std::string name = kind;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

//===- OptionTable.cpp - Options of a command and who must agree ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/OptionTable.h"

#include <algorithm>

using namespace boost_rt;

/// An empty path is that of a variable that is not set, not a wish to go
/// without the option.
static CLI::Validator notEmpty() {
  return CLI::Validator(
      [](const std::string &value) -> std::string {
        return value.empty() ? "expects a path, but got an empty one" : "";
      },
      "");
}

CLI::Option *OptionTable::addPath(const std::string &name, std::string &path,
                                  Agreement agreement, const std::string &text,
                                  const std::string &type) {
  return add(name, path, agreement, text)->type_name(type)->check(notEmpty());
}

CLI::Option *OptionTable::addFiles(const std::string &name,
                                   std::vector<std::string> &paths,
                                   Agreement agreement,
                                   const std::string &text) {
  return add(name, paths, agreement, text)
      ->type_name("FILE...")
      ->check(notEmpty());
}

CLI::Option *OptionTable::declare(CLI::Option *option, Agreement agreement,
                                  Read read) {
  entries.push_back({option, agreement, std::move(read)});
  // As --help shows them.
  return agreement == Agreement::none
             ? option->group("May differ between ranks")
             : option;
}

/// An option that needs another is not in effect without it.
static bool isOfUse(const CLI::Option &option) {
  auto needed = option.get_needs();
  return std::all_of(needed.begin(), needed.end(),
                     [](const CLI::Option *each) { return each->count() > 0; });
}

std::vector<EffectiveOption> OptionTable::evaluate() const {
  std::vector<EffectiveOption> options;
  options.reserve(entries.size());
  for (const Entry &entry : entries)
    options.push_back(
        {entry.option->get_lnames().front(),
         isOfUse(*entry.option) ? entry.read() : nlohmann::ordered_json(),
         entry.agreement});
  return options;
}

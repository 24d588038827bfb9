//===- ConfigFile.cpp - Options of a command from a file ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ConfigFile.h"
#include "common/Failure.h"
#include "common/Json.h"
#include "common/MappedFile.h"

#include <algorithm>
#include <optional>
#include <string_view>

using namespace boost_rt;
using nlohmann::ordered_json;

static constexpr std::string_view kConfig = "--config";

/// Returns true if `argument` is `option`, with or without a value.
static bool names(const std::string &argument, std::string_view option) {
  return argument.compare(0, option.size(), option) == 0 &&
         (argument.size() == option.size() || argument[option.size()] == '=');
}

static std::optional<std::string>
findPath(const std::vector<std::string> &arguments) {
  auto found =
      std::find_if(arguments.begin(), arguments.end(),
                   [](const auto &each) { return names(each, kConfig); });
  if (found == arguments.end())
    return std::nullopt;
  if (found->size() > kConfig.size())
    return found->substr(kConfig.size() + 1);
  if (++found == arguments.end())
    return std::nullopt;
  return *found;
}

template <typename... Parts>
[[noreturn]] static void misuse(const std::string &path, Parts &&...parts) {
  throw Failure(ExitCode::usage, concat("config file ", path, ": ", parts...));
}

static ordered_json readObject(const std::string &path) {
  ordered_json object;
  try {
    MappedFile file(path, "config file");
    if (file.size() == 0)
      misuse(path, "it is empty; write options as in {\"lr\": 3e-4}");
    object = parseJson<ordered_json>(file.text());
  } catch (const Failure &failure) {
    throw Failure(ExitCode::usage, failure.what());
  } catch (const std::exception &error) {
    misuse(path,
           "expects a JSON object such as {\"lr\": 3e-4}: ", error.what());
  }
  if (!object.is_object())
    misuse(path, "expects a JSON object such as {\"lr\": 3e-4}, but got ",
           object.type_name());
  return object;
}

/// The arguments of one option with one value.
static void append(std::vector<std::string> &arguments, const std::string &path,
                   const std::string &option, const ordered_json &value) {
  if (value.is_boolean()) {
    if (value.get<bool>())
      arguments.push_back(option);
  } else if (value.is_string() && value.get<std::string>().empty()) {
    // The parser takes nothing behind "=" for a value that is missing.
    arguments.insert(arguments.end(), {option, ""});
  } else if (value.is_string()) {
    arguments.push_back(option + "=" + value.get<std::string>());
  } else if (value.is_number()) {
    arguments.push_back(option + "=" + value.dump());
  } else {
    misuse(path,
           "expects a number, a string, true, false or an array of them "
           "for '",
           option.substr(2), "', but got ", value.dump());
  }
}

void boost_rt::appendConfig(
    std::vector<std::string> &arguments,
    const std::function<bool(const std::string &)> &isOption) {
  std::optional<std::string> path = findPath(arguments);
  if (!path)
    return;
  const std::vector<std::string> given = arguments;
  const ordered_json object = readObject(*path);
  for (const auto &[name, value] : object.items()) {
    std::string option = "--" + name;
    if (option == kConfig || !isOption(option))
      misuse(
          *path, "'", name,
          "' is not an option of train; `train --help` lists them, here they "
          "are written without the dashes");
    if (std::any_of(given.begin(), given.end(),
                    [&](const auto &each) { return names(each, option); }))
      continue;
    if (!value.is_array())
      append(arguments, *path, option, value);
    else
      for (const ordered_json &each : value)
        append(arguments, *path, option, each);
  }
}

//===- OptionTable.h - Options of a command and who must agree --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_OPTIONTABLE_H
#define BOOST_RUNTIME_DRIVER_OPTIONTABLE_H

#include "driver/Options.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boost_rt {

// The value of an option in JSON; null for one that is not in effect, such as
// a path that was not given.

template <typename T> nlohmann::ordered_json toJson(const T &value) {
  return value;
}
template <typename T>
nlohmann::ordered_json toJson(const std::optional<T> &value) {
  return value ? toJson(*value) : nlohmann::ordered_json();
}
template <typename List> nlohmann::ordered_json listToJson(const List &list) {
  return list.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(list);
}
inline nlohmann::ordered_json toJson(const std::string &text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}
inline nlohmann::ordered_json toJson(const std::vector<std::string> &list) {
  return listToJson(list);
}
inline nlohmann::ordered_json toJson(const std::set<std::string> &list) {
  return listToJson(list);
}

/// The options of one command. The only way to add one says whether ranks must
/// agree on it, and how its value in effect is read once the command line has
/// been parsed. The variables must outlive the table.
class OptionTable {
public:
  using Read = std::function<nlohmann::ordered_json()>;

  explicit OptionTable(CLI::App *command) : command(command) {}

  /// An option with a value or several.
  template <typename T>
  CLI::Option *add(const std::string &name, T &value, Agreement agreement,
                   const std::string &text) {
    return add(name, value, agreement, text,
               [&value] { return toJson(value); });
  }
  /// Adds an option whose value in effect is computed by `read`.
  template <typename T>
  CLI::Option *add(const std::string &name, T &value, Agreement agreement,
                   const std::string &text, Read read) {
    return declare(command->add_option(name, value, text), agreement,
                   std::move(read));
  }

  /// An option whose words are parsed by a function, which throws a
  /// CLI::ValidationError for a mistake.
  CLI::Option *
  addParsed(const std::string &name,
            const std::function<void(const std::vector<std::string> &)> &parse,
            Agreement agreement, const std::string &text, Read read) {
    return declare(command->add_option_function<std::vector<std::string>>(
                       name, parse, text),
                   agreement, std::move(read));
  }

  /// An option that names a file or folder, which may not be "".
  CLI::Option *addPath(const std::string &name, std::string &path,
                       Agreement agreement, const std::string &text,
                       const std::string &type);

  /// Files that exist, or patterns in quotes.
  CLI::Option *addFiles(const std::string &name,
                        std::vector<std::string> &paths, Agreement agreement,
                        const std::string &text);

  /// An option without a value, which sets the variable to true.
  CLI::Option *addFlag(const std::string &name, bool &value,
                       Agreement agreement, const std::string &text) {
    return declare(command->add_flag(name, value, text), agreement,
                   [&value] { return toJson(value); });
  }
  /// Adds a flag that sets the variable to false.
  CLI::Option *addInverseFlag(const std::string &name, bool &value,
                              Agreement agreement, const std::string &text) {
    return declare(command->add_flag("!" + name, value, text), agreement,
                   [&value] { return toJson(!value); });
  }

  /// Returns the value in effect of every option.
  std::vector<EffectiveOption> evaluate() const;

private:
  struct Entry {
    CLI::Option *option;
    Agreement agreement;
    Read read;
  };

  CLI::Option *declare(CLI::Option *option, Agreement agreement, Read read);

  CLI::App *command;
  std::vector<Entry> entries;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_OPTIONTABLE_H

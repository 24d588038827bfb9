//===- NamedValues.h - Options that take one of a few words -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the values of an enumeration once, with their names and descriptions.
// Options of passes, pipelines and tools parse, print and describe them from
// this list, and refuse other words with it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_NAMEDVALUES_H
#define BOOST_MLIR_SUPPORT_NAMEDVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::boost {

/// A value of an enumeration as options spell it.
template <typename Enum> struct NamedValue {
  Enum value;
  llvm::StringLiteral name;
  llvm::StringLiteral description;
};

/// Returns the values of an enumeration that options may have. Each enumeration
/// specializes it.
template <typename Enum> llvm::ArrayRef<NamedValue<Enum>> getNamedValues();

/// Returns the name of a value.
template <typename Enum> llvm::StringRef getName(Enum value) {
  return llvm::find_if(getNamedValues<Enum>(),
                       [&](const NamedValue<Enum> &named) {
                         return named.value == value;
                       })
      ->name;
}

/// Returns the names of all values, as "cpu or cuda".
template <typename Enum> std::string listNames() {
  llvm::ArrayRef<NamedValue<Enum>> values = getNamedValues<Enum>();
  auto names = llvm::map_range(
      values.drop_back(), [](const auto &named) { return named.name.str(); });
  std::string text = llvm::join(names, ", ");
  return text + (text.empty() ? "" : " or ") + values.back().name.str();
}

/// Parses options of an enumeration with named values. For cl::opt and for
/// options of passes, cl::parser of the enumeration is specialized as this.
template <typename Enum>
class NamedValueParser : public llvm::cl::generic_parser_base {
public:
  using parser_data_type = Enum;

  explicit NamedValueParser(llvm::cl::Option &option)
      : generic_parser_base(option) {
    for (const NamedValue<Enum> &named : getNamedValues<Enum>())
      Values.push_back({named.name, named.description, named.value});
  }

  unsigned getNumOptions() const override { return Values.size(); }
  llvm::StringRef getOption(unsigned index) const override {
    return Values[index].Name;
  }
  llvm::StringRef getDescription(unsigned index) const override {
    return Values[index].HelpStr;
  }
  const llvm::cl::GenericOptionValue &
  getOptionValue(unsigned index) const override {
    return Values[index].V;
  }

  /// Reads a name. Returns true, and prints the names that there are, if it is
  /// none.
  bool parse(llvm::cl::Option &option, llvm::StringRef /*argument*/,
             llvm::StringRef text, Enum &value) {
    for (const NamedValue<Enum> &named : getNamedValues<Enum>())
      if (named.name == text) {
        value = named.value;
        return false;
      }
    return option.error("expects " + listNames<Enum>() + ", but got '" + text +
                        "'");
  }

protected:
  // Options of passes print values by these fields.
  struct Info {
    llvm::StringRef Name, HelpStr;
    llvm::cl::OptionValue<Enum> V;
  };
  llvm::SmallVector<Info> Values;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_NAMEDVALUES_H

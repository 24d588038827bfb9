//===- FieldReader.h - Checked reading of JSON objects ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of one object of a user's JSON file, with errors that name them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_ANALYSIS_FIELDREADER_H
#define BOOST_MLIR_LIB_ANALYSIS_FIELDREADER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace mlir::boost {

/// Reads the fields of one object. The first that is missing or of another kind
/// is the problem; what is read after it is of no use.
class FieldReader {
public:
  FieldReader(const nlohmann::json &object, std::string where,
              std::string &problem)
      : object(object), where(std::move(where)), problem(problem) {
    if (!object.is_object())
      refuse("is not an object");
  }

  /// A field that need not be there.
  const nlohmann::json *findOptional(const char *key) {
    known.push_back(key);
    return object.is_object() && object.contains(key) ? &object[key] : nullptr;
  }
  const nlohmann::json *find(const char *key) {
    const nlohmann::json *field = findOptional(key);
    if (!field)
      refuse(std::string("has no '") + key + "'");
    return field;
  }

  double getNumber(const char *key) { return toNumber(key, find(key)); }
  double getNumber(const char *key, double otherwise) {
    const nlohmann::json *field = findOptional(key);
    return field ? toNumber(key, field) : otherwise;
  }
  double getPositive(const char *key) {
    return checkPositive(key, getNumber(key));
  }
  double getPositive(const char *key, double otherwise) {
    return checkPositive(key, getNumber(key, otherwise));
  }
  /// Seconds or products that something takes beside its work.
  double getExtra(const char *key) { return checkExtra(key, getNumber(key)); }
  double getExtra(const char *key, double otherwise) {
    return checkExtra(key, getNumber(key, otherwise));
  }
  /// Reads the share of a peak that is reached, in (0, 1].
  double getShare(const char *key, double otherwise) {
    double number = getNumber(key, otherwise);
    if (!(number > 0 && number <= 1))
      refuse(std::string("expects '") + key + "' to be above 0 and at most 1");
    return number;
  }
  /// A number of things.
  int64_t getCount(const char *key, int64_t least) {
    return toCount(key, find(key), least);
  }
  int64_t getCount(const char *key, int64_t least, int64_t otherwise) {
    const nlohmann::json *field = findOptional(key);
    return field ? toCount(key, field, least) : otherwise;
  }
  bool getFlag(const char *key) { return toFlag(key, find(key)); }
  bool getFlag(const char *key, bool otherwise) {
    const nlohmann::json *field = findOptional(key);
    return field ? toFlag(key, field) : otherwise;
  }
  std::string getText(const char *key) { return toText(key, find(key)); }
  std::string getText(const char *key, const char *otherwise) {
    const nlohmann::json *field = findOptional(key);
    return field ? toText(key, field) : otherwise;
  }

  /// An entry of a list that is a number of things.
  int64_t toCount(const char *key, const nlohmann::json *field, int64_t least) {
    double number = toNumber(key, field);
    if (number >= static_cast<double>(least) && number <= kLargestCount &&
        std::floor(number) == number)
      return static_cast<int64_t>(number);
    refuse(std::string("expects '") + key + "' to be a whole number from " +
           std::to_string(least) + " to 2^30");
    return least;
  }

  /// The last call: a field that was not asked for is a misspelled one.
  void finish() {
    if (!object.is_object())
      return;
    for (const auto &entry : object.items())
      if (!llvm::is_contained(known, entry.key()))
        refuse("has an unknown field '" + entry.key() + "'; use " +
               llvm::join(known, ", "));
  }

  void refuse(const std::string &why) {
    if (problem.empty())
      problem = where + " " + why;
  }

private:
  // Products of a few of them are exact as doubles.
  static constexpr double kLargestCount = 0x1p30;

  double toNumber(const char *key, const nlohmann::json *field) {
    if (field && field->is_number())
      return field->get<double>();
    refuse(std::string("expects a number for '") + key + "'");
    return 0;
  }
  bool toFlag(const char *key, const nlohmann::json *field) {
    if (field && field->is_boolean())
      return field->get<bool>();
    refuse(std::string("expects true or false for '") + key + "'");
    return false;
  }
  std::string toText(const char *key, const nlohmann::json *field) {
    if (field && field->is_string())
      return field->get<std::string>();
    refuse(std::string("expects a text for '") + key + "'");
    return "";
  }
  double checkPositive(const char *key, double number) {
    if (!(number > 0))
      refuse(std::string("expects '") + key + "' to be positive");
    return number;
  }
  double checkExtra(const char *key, double number) {
    if (!(number >= 0))
      refuse(std::string("expects '") + key + "' to be at least 0");
    return number;
  }

  const nlohmann::json &object;
  std::string where;
  std::string &problem;
  SmallVector<std::string> known;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_ANALYSIS_FIELDREADER_H

//===- NumpyFile.cpp - The header of an array file of NumPy ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/NumpyFile.h"

#include <charconv>
#include <cstring>

using namespace boost_rt;

static constexpr std::string_view magic = "\x93NUMPY";

namespace {
/// Reads the literal of a dictionary from its beginning to its end. Spaces
/// between the parts are skipped.
class LiteralReader {
public:
  explicit LiteralReader(std::string_view text) : rest(text) {}

  /// Takes `part` if it comes next.
  bool take(std::string_view part) {
    skipSpaces();
    if (rest.substr(0, part.size()) != part)
      return false;
    rest.remove_prefix(part.size());
    return true;
  }

  /// A string in quotes of either kind, without escapes.
  std::optional<std::string> takeString() {
    skipSpaces();
    char quote = rest.empty() ? '\0' : rest.front();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    size_t end = rest.find(quote, 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return text;
  }

  /// A number that is not negative. Python 2 wrote an L behind some.
  std::optional<int64_t> takeNumber() {
    skipSpaces();
    int64_t number = 0;
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number < 0)
      return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    (void)take("L");
    return number;
  }

  /// A tuple of numbers: "()", "(3,)" or "(3, 4)".
  std::optional<std::vector<int64_t>> takeShape() {
    std::vector<int64_t> shape;
    if (!take("("))
      return std::nullopt;
    while (!take(")")) {
      std::optional<int64_t> extent = takeNumber();
      if (!extent)
        return std::nullopt;
      shape.push_back(*extent);
      if (!take(",") && rest.substr(0, 1) != ")")
        return std::nullopt;
    }
    return shape;
  }

  /// Takes a list, such as that of the fields of a structured type.
  bool takeList() {
    if (!take("["))
      return false;
    for (int depth = 1; depth > 0; rest.remove_prefix(1)) {
      if (rest.empty())
        return false;
      depth += rest.front() == '[' ? 1 : rest.front() == ']' ? -1 : 0;
    }
    return true;
  }

private:
  void skipSpaces() {
    size_t begin = rest.find_first_not_of(' ');
    rest.remove_prefix(begin == std::string_view::npos ? rest.size() : begin);
  }

  std::string_view rest;
};
} // namespace

std::string NumpyHeader::spellShape() const {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

bool boost_rt::isNumpyFile(std::string_view file) {
  return file.substr(0, magic.size()) == magic;
}

/// Reads the members of the dictionary, in any order.
static bool readMembers(LiteralReader &reader, NumpyHeader &header) {
  bool hasType = false, hasOrder = false, hasShape = false;
  if (!reader.take("{"))
    return false;
  while (!reader.take("}")) {
    std::optional<std::string> name = reader.takeString();
    if (!name || !reader.take(":"))
      return false;
    if (*name == "descr") {
      std::optional<std::string> type = reader.takeString();
      hasType = type || reader.takeList();
      header.type = type.value_or("");
    } else if (*name == "fortran_order") {
      // One dimension has one order.
      hasOrder = reader.take("True") || reader.take("False");
    } else if (*name == "shape") {
      std::optional<std::vector<int64_t>> shape = reader.takeShape();
      hasShape = shape.has_value();
      header.shape = shape.value_or(std::vector<int64_t>());
    } else {
      return false;
    }
    (void)reader.take(",");
  }
  return hasType && hasOrder && hasShape;
}

std::optional<NumpyHeader> boost_rt::parseNumpyHeader(std::string_view file) {
  constexpr size_t versionBytes = 2;
  size_t begin = magic.size() + versionBytes;
  if (file.size() < begin + sizeof(uint32_t))
    return std::nullopt;
  // The length of the header has two bytes in version 1, and four since then.
  char version = file[magic.size()];
  if (version < 1 || version > 3)
    return std::nullopt;
  uint32_t length = 0;
  size_t width = version == 1 ? sizeof(uint16_t) : sizeof(uint32_t);
  std::memcpy(&length, file.data() + begin, width);
  begin += width;
  if (length > file.size() - begin)
    return std::nullopt;
  NumpyHeader header;
  header.bytes = static_cast<int64_t>(begin + length);
  LiteralReader reader(file.substr(begin, length));
  if (!readMembers(reader, header))
    return std::nullopt;
  return header;
}

//===- TextCheck.cpp - What MLIR's parser would not survive ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan over the tokens of a text, as MLIR's lexer divides it. Up to its first
// error the parser never has more brackets open than the scan counts.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/TextCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace mlir::boost;
using llvm::StringRef;

namespace {

/// One pass over a text.
class TextScanner {
public:
  explicit TextScanner(StringRef text) : rest(text), textSize(text.size()) {}

  TextScan run() {
    while (!rest.empty() && !error)
      scanToken();
    return {std::move(error), std::move(booleans)};
  }

private:
  /// The text that an alias of an attribute, type or location stands for.
  struct Alias {
    size_t depth = 0;
    uint64_t tokens = 0;
  };

  void scanToken();
  void scanString();
  void checkResource(StringRef bytes);
  void scanWord();
  void scanSigil(StringRef value);
  void open(char bracket);
  void close(char bracket);
  void countOperator();
  void beginAlias(StringRef name);
  void endAliasBeforeValue();
  void checkResult(StringRef value, StringRef digits);
  void note(size_t depth, uint64_t tokens = 1);

  bool isInAffine() const {
    return affineLevel && brackets.size() >= affineLevel;
  }

  StringRef rest;
  /// Size of the whole text.
  size_t textSize;
  /// The name of a value if the token before is one, sigil included.
  StringRef previousValue;
  /// One more than the largest number of a result, by the name of its value,
  /// and the sum of these.
  llvm::StringMap<uint64_t> results;
  uint64_t numResults = 0;
  /// Open brackets.
  llvm::SmallVector<char> brackets;
  /// By their names, sigil included.
  llvm::StringMap<Alias> aliases;
  /// The alias that is being defined.
  Alias *defined = nullptr;
  /// True if a value may follow: after `=`, `:` and `->`.
  bool expectsValue = false;
  /// The number of open brackets inside of `affine_map<`; 0 outside.
  size_t affineLevel = 0;
  /// Operators of the affine expression so far.
  unsigned numOperators = 0;
  bool isInResources = false;
  /// Begin of the token.
  const char *begin = nullptr;
  std::optional<TextError> error;
  llvm::SmallVector<BooleanBytes> booleans;
};

} // namespace

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// The bracket that `bracket` closes.
static char getOpening(char bracket) {
  switch (bracket) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  default:
    return '<';
  }
}

void TextScanner::scanToken() {
  begin = rest.data();
  char c = rest.front();
  if (rest.starts_with("//")) {
    rest = rest.drop_until([](char c) { return c == '\n'; });
    return;
  }
  // Resources end the text.
  isInResources |= rest.starts_with("{-#");
  if (llvm::isSpace(c)) {
    rest = rest.drop_front();
    return;
  }
  StringRef value = std::exchange(previousValue, StringRef());
  if (c == '"')
    return scanString();
  if (llvm::isAlpha(c) || c == '_')
    return scanWord();
  if (StringRef("#!@%^").contains(c))
    return scanSigil(value);
  bool isArrow = rest.starts_with("->");
  rest = rest.drop_front(isArrow ? 2 : 1);
  expectsValue = isArrow || c == '=' || c == ':';
  if (StringRef("([{<").contains(c))
    open(c);
  else if (StringRef(")]}>").contains(c))
    close(c);
  else if (!isArrow && StringRef("+-*").contains(c))
    countOperator();
  else if (c == ',')
    numOperators = 0;
}

/// A string ends at its quote; at the end of a line it is an error of the text.
void TextScanner::scanString() {
  endAliasBeforeValue();
  size_t size = 1;
  while (size < rest.size() && rest[size] != '"' && rest[size] != '\n')
    size += rest[size] == '\\' ? 2 : 1;
  StringRef content = rest.substr(1, size - 1);
  rest = rest.drop_front(std::min(size + 1, rest.size()));
  note(brackets.size());
  if (isInResources && content.consume_front("0x"))
    checkResource(content);
}

/// The first four bytes of a resource are its alignment, the lowest first.
void TextScanner::checkResource(StringRef bytes) {
  std::string text;
  if (!llvm::tryGetFromHex(bytes.take_front(8), text) || text.size() != 4)
    return; // The parser says so.
  uint32_t alignment = llvm::support::endian::read32le(text.data());
  if (!llvm::isPowerOf2_32(alignment) || alignment > kMaxAlignment)
    error = {begin, "expects the alignment of a resource to be a power of two "
                    "of at most " +
                        std::to_string(kMaxAlignment) + ", but got " +
                        std::to_string(alignment)};
}

/// Takes `token` and the space before it off the front of `text`.
static bool consume(StringRef &text, StringRef token) {
  text = text.ltrim(" \t\r\n");
  return text.consume_front(token);
}

/// Matches `<"0x..."> : tensor<4x4xi1>`, which follows `dense`.
static std::optional<BooleanBytes> matchBooleans(StringRef text) {
  if (!consume(text, "<") || !consume(text, "\"0x"))
    return std::nullopt;
  StringRef digits = text.take_while(llvm::isHexDigit);
  text = text.drop_front(digits.size());
  if (!text.consume_front("\"") || !consume(text, ">") || !consume(text, ":") ||
      (!consume(text, "tensor") && !consume(text, "vector")) ||
      !consume(text, "<"))
    return std::nullopt;
  text = text.ltrim(" \t\r\n");
  uint64_t numElements = 1;
  for (uint64_t size = 0; !text.consumeInteger(10, size);) {
    if (!text.consume_front("x"))
      return std::nullopt;
    numElements = llvm::SaturatingMultiply(numElements, size);
  }
  if (!text.consume_front("i1") || text.take_while(isWordChar).size() > 0)
    return std::nullopt;
  return BooleanBytes{digits, numElements};
}

void TextScanner::scanWord() {
  endAliasBeforeValue();
  StringRef word = rest.take_while(isWordChar);
  rest = rest.drop_front(word.size());
  note(brackets.size());
  if (word == "dense")
    if (auto found = matchBooleans(rest))
      booleans.push_back(*found);
  if (word == "affine_map" || word == "affine_set") {
    if (!isInAffine())
      affineLevel = brackets.size() + 1;
  } else if (word == "mod" || word == "floordiv" || word == "ceildiv") {
    countOperator();
  }
}

/// The parser has room for all results of an operation up to the largest number
/// that is used, as soon as it is used.
void TextScanner::checkResult(StringRef value, StringRef digits) {
  uint64_t number = 0;
  if (digits.getAsInteger(10, number) || !llvm::isUInt<32>(number))
    return; // The parser says so.
  uint64_t &known = results[value];
  if (number < known)
    return;
  numResults += number + 1 - known;
  known = number + 1;
  if (numResults > std::max<uint64_t>(textSize, kMaxResults))
    error = {begin, "expects the number of a result of an operation, but got " +
                        std::to_string(number) +
                        ", and no operation of this text has so many"};
}

/// `#name` and `!name` are aliases unless they have a dot; `#1` behind a value
/// is the number of a result.
void TextScanner::scanSigil(StringRef value) {
  char sigil = rest.front();
  auto isNameChar = [&](char c) {
    return isWordChar(c) || (sigil == '%' && c == '-');
  };
  size_t size = 1 + rest.drop_front().take_while(isNameChar).size();
  StringRef name = rest.take_front(size);
  rest = rest.drop_front(size);
  if (sigil == '%')
    previousValue = name;
  StringRef digits =
      name.drop_front().take_while([](char c) { return llvm::isDigit(c); });
  if (sigil == '#' && !value.empty() && !digits.empty())
    checkResult(value, digits);
  if ((sigil != '#' && sigil != '!') || name.contains('.')) {
    if (sigil == '%')
      endAliasBeforeValue();
    note(brackets.size());
    return;
  }
  StringRef next = rest.ltrim(" \t\r\n");
  if (brackets.empty() && !expectsValue && next.starts_with("="))
    return beginAlias(name);
  expectsValue = false;
  auto known = aliases.find(name);
  Alias alias = known == aliases.end() ? Alias() : known->second;
  note(brackets.size() + alias.depth,
       llvm::SaturatingAdd<uint64_t>(alias.tokens, 1));
}

void TextScanner::beginAlias(StringRef name) {
  defined = &aliases[name];
  *defined = Alias();
}

/// A word or a string where the text needs none begins an operation.
void TextScanner::endAliasBeforeValue() {
  if (brackets.empty() && !expectsValue)
    defined = nullptr;
  expectsValue = false;
}

void TextScanner::open(char bracket) {
  brackets.push_back(bracket);
  note(brackets.size());
}

/// A bracket that does not fit is an error of the text, but for the signs of
/// comparisons: those are `<` that nothing closes and `>` that close nothing.
void TextScanner::close(char bracket) {
  char opening = getOpening(bracket);
  size_t size = brackets.size();
  if (opening != '<')
    while (size > 0 && brackets[size - 1] == '<')
      --size;
  if (size == 0 || brackets[size - 1] != opening)
    return;
  brackets.truncate(size - 1);
  if (affineLevel > brackets.size()) {
    affineLevel = 0;
    numOperators = 0;
  }
}

void TextScanner::countOperator() {
  if (!isInAffine())
    return;
  ++numOperators;
  note(brackets.size() + numOperators);
}

/// Takes note of tokens at some depth.
void TextScanner::note(size_t depth, uint64_t tokens) {
  std::string limit = std::to_string(kMaxNesting);
  if (depth > kMaxNesting && !error)
    error = {begin, numOperators > 0
                        ? "expects an affine expression of at most " + limit +
                              " operators, but got more"
                        : "expects brackets nested at most " + limit +
                              " deep, but got more"};
  if (!defined)
    return;
  defined->depth = std::max(defined->depth, depth);
  defined->tokens = llvm::SaturatingAdd(defined->tokens, tokens);
  if (defined->tokens > kMaxAliasTokens && !error)
    error = {begin, "expects an alias of at most " +
                        std::to_string(kMaxAliasTokens) +
                        " tokens when it is written out, but got more"};
}

TextScan mlir::boost::scanText(llvm::StringRef text) {
  return TextScanner(text).run();
}

//===- LineMutator.cpp - Mutations that keep text near the grammar --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random bytes hardly ever parse. These changes are made of the text itself:
// lines move, and words are replaced by words of the same kind from elsewhere.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <random>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using llvm::SmallVector;
using llvm::StringRef;
using Random = std::minstd_rand;

namespace {
enum class Kind { Number, Value, Word };
struct Token {
  Kind kind;
  size_t begin, size;
};
} // namespace

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.';
}

/// Numbers, SSA values (`%0`) and words of the text.
static SmallVector<Token> findTokens(StringRef text) {
  SmallVector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    bool isValue = text[i] == '%';
    if (isValue)
      ++i;
    while (i < text.size() && isWordCharacter(text[i]))
      ++i;
    if (i == begin) {
      ++i;
      continue;
    }
    Kind kind = isValue                      ? Kind::Value
                : llvm::isDigit(text[begin]) ? Kind::Number
                                             : Kind::Word;
    tokens.push_back({kind, begin, i - begin});
  }
  return tokens;
}

static size_t pick(Random &random, size_t count) { return random() % count; }

/// A token becomes another of its kind, or a number one that is special.
static std::string replaceToken(StringRef text, Random &random) {
  SmallVector<Token> tokens = findTokens(text);
  if (tokens.empty())
    return text.str();
  const Token &token = tokens[pick(random, tokens.size())];
  static constexpr StringRef numbers[] = {
      "0", "1", "2", "3", "7", "-1", "16", "65537", "9223372036854775807"};
  StringRef replacement = numbers[pick(random, std::size(numbers))];
  if (token.kind != Kind::Number || pick(random, 2)) {
    SmallVector<Token> alike;
    for (const Token &other : tokens)
      if (other.kind == token.kind)
        alike.push_back(other);
    const Token &other = alike[pick(random, alike.size())];
    replacement = text.substr(other.begin, other.size);
  }
  return (text.take_front(token.begin) + replacement +
          text.drop_front(token.begin + token.size))
      .str();
}

/// A line is dropped, repeated or changes places with another.
static std::string moveLine(StringRef text, Random &random) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t at = pick(random, lines.size()), other = pick(random, lines.size());
  switch (pick(random, 3)) {
  case 0:
    lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
    break;
  case 1: {
    StringRef line = lines[other];
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), line);
    break;
  }
  default:
    std::swap(lines[at], lines[other]);
  }
  return llvm::join(lines, "\n");
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed);
  if (size == 0 || pick(random, 16) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (size_t changes = 1 + pick(random, 3); changes != 0; --changes)
    text =
        pick(random, 3) ? replaceToken(text, random) : moveLine(text, random);
  text.resize(std::min(text.size(), maxSize));
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

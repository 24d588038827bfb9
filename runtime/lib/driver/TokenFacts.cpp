//===- TokenFacts.cpp - What the tokens of a row are ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TokenFacts.h"

using namespace boost_rt;

std::optional<int64_t> TokenFacts::endOfDocument(const TokenFile &file) const {
  return options.endOfDocument ? options.endOfDocument : file.endOfDocument();
}

void TokenFacts::readMask(const TokenWindows::Window &window, int64_t count,
                          int64_t *facts) const {
  const TokenFile &file = *window.file;
  std::optional<int64_t> end;
  if (options.maskStarts)
    end = endOfDocument(file);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = window.first + i;
    bool counts = !window.mask || (*window.mask)[place];
    counts &= file[place] != options.padding;
    // A row may begin within a document.
    bool begins = place == 0 || file[place - 1] == end;
    facts[i] = counts && !(end && begins) ? 1 : 0;
  }
}

void TokenFacts::readPositions(const TokenWindows::Window &window,
                               int64_t count, int64_t *facts) const {
  const TokenFile &file = *window.file;
  std::optional<int64_t> end = endOfDocument(file);
  for (int64_t i = 0; i < count; ++i) {
    bool begins = i == 0 || file[window.first + i - 1] == end;
    facts[i] = begins ? 0 : facts[i - 1] + 1;
  }
}

void TokenFacts::readSegments(const TokenWindows::Window &window, int64_t count,
                              int64_t *facts) const {
  const TokenFile &file = *window.file;
  std::optional<int64_t> end = endOfDocument(file);
  int64_t segment = 1;
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0 && file[window.first + i - 1] == end)
      ++segment;
    bool isPadding = file[window.first + i] == options.padding;
    facts[i] = isPadding ? 0 : segment;
  }
}

void TokenFacts::read(const TokenWindows::Window &window, int64_t count,
                      Feed feed, int64_t *facts) const {
  switch (feed) {
  case Feed::mask:
    return readMask(window, count, facts);
  case Feed::positions:
    return readPositions(window, count, facts);
  case Feed::segments:
    return readSegments(window, count, facts);
  default:
    for (int64_t i = 0; i < count; ++i)
      facts[i] = (*window.file)[window.first + i];
  }
}

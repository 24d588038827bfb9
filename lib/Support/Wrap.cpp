//===- Wrap.cpp - Text for a terminal -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/Wrap.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

SmallVector<StringRef> mlir::boost::divideLine(StringRef line, size_t width) {
  SmallVector<StringRef> lines;
  while (line.size() > width) {
    size_t end = line.rfind(' ', width + 1);
    if (end == StringRef::npos || line.take_front(end).trim().empty())
      end = line.find(' ', width);
    if (end == StringRef::npos)
      break;
    lines.push_back(line.take_front(end).rtrim());
    line = line.drop_front(end).ltrim();
  }
  lines.push_back(line);
  return lines;
}

std::string mlir::boost::wrapLines(StringRef text, size_t indent,
                                   size_t width) {
  SmallVector<std::string> wrapped;
  for (StringRef line : split(text, '\n')) {
    StringRef first = divideLine(line, width).front();
    wrapped.push_back(first.str());
    StringRef rest = line.drop_front(first.size()).ltrim();
    if (rest.empty())
      continue;
    for (StringRef part : divideLine(rest, width - indent))
      wrapped.push_back(std::string(indent, ' ') + part.str());
  }
  return join(wrapped, "\n");
}

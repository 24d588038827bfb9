//===- FileURI.cpp - Paths as file: URIs ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/FileURI.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir::boost;

static constexpr llvm::StringLiteral kPrefix = "file://";

std::string mlir::boost::toFileURI(llvm::StringRef path) {
  llvm::SmallString<128> absolute(path);
  // Without a current folder the path stays as it is, and is not found.
  [[maybe_unused]] std::error_code ignored =
      llvm::sys::fs::make_absolute(absolute);
  std::string uri = kPrefix.str();
  for (char c : absolute) {
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c)) {
      uri += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    uri += {'%', llvm::hexdigit(byte >> 4), llvm::hexdigit(byte & 15)};
  }
  return uri;
}

std::optional<std::string> mlir::boost::fromFileURI(llvm::StringRef text) {
  if (!text.starts_with("file:"))
    return text.str();
  if (!text.consume_front(kPrefix) || !text.starts_with("/"))
    return std::nullopt;
  std::string path;
  while (!text.empty()) {
    if (!text.consume_front("%")) {
      path += text.front();
      text = text.drop_front();
      continue;
    }
    unsigned byte = 0;
    if (text.size() < 2 || text.take_front(2).getAsInteger(16, byte))
      return std::nullopt;
    path += static_cast<char>(byte);
    text = text.drop_front(2);
  }
  return path;
}

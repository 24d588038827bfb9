//===- InputFile.cpp - Files that a user names ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/InputFile.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace mlir;
using namespace mlir::boost;
namespace fs = llvm::sys::fs;

static const char *describeType(fs::file_type type) {
  switch (type) {
  case fs::file_type::directory_file:
    return "a folder";
  case fs::file_type::fifo_file:
    return "a pipe";
  case fs::file_type::socket_file:
    return "a socket";
  default:
    return "a device";
  }
}

static std::unique_ptr<llvm::MemoryBuffer>
readStandardInput(std::string *message) {
  constexpr size_t bytesAtOnce = size_t(1) << 20;
  SmallVector<char, 0> text;
  while (true) {
    size_t size = text.size();
    text.resize_for_overwrite(size + bytesAtOnce);
    llvm::Expected<size_t> count = fs::readNativeFile(
        fs::getStdinHandle(), MutableArrayRef(text).drop_front(size));
    if (!count) {
      *message =
          "cannot read standard input: " + llvm::toString(count.takeError());
      return nullptr;
    }
    text.truncate(size + *count);
    if (*count == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(
          std::move(text), "<stdin>", /*RequiresNullTerminator=*/true);
    if (text.size() > kMaxInputBytes) {
      *message = "expects at most " + std::to_string(kMaxInputBytes) +
                 " bytes on standard input, but got more; write them to a file "
                 "and name it";
      return nullptr;
    }
  }
}

std::unique_ptr<llvm::MemoryBuffer>
mlir::boost::openInput(llvm::StringRef path, std::string *message) {
  if (path == "-")
    return readStandardInput(message);
  fs::file_status status;
  if (!fs::status(path, status) && !fs::is_regular_file(status)) {
    *message =
        ("cannot open input file '" + path +
         "': expects a regular file, but got " + describeType(status.type()) +
         "; what a pipe brings is read from standard input, with '-' "
         "for the name")
            .str();
    return nullptr;
  }
  return openInputFile(path, message);
}

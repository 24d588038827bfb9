//===- Link.cpp - Object file to binary -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the system's C++ driver with the response file that the runtime's build
// has left beside its library.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Link.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::boost;

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(message.str());
}

/// A file that `path` may be written through: same folder, so that a rename
/// replaces it at once.
static std::string getTemporaryModel(StringRef path) {
  return (path + ".tmp-%%%%%%%%").str();
}

/// Not a plain file (say, /dev/null): there is nothing to rename.
static bool isSpecialFile(StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         llvm::sys::fs::exists(status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

static llvm::Error writeDirectly(
    StringRef path,
    llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (error)
    return makeError("cannot write '" + path + "': " + error.message());
  // Object files need a stream that seeks; a pipe does not.
  SmallVector<char> contents;
  llvm::raw_svector_ostream buffer(contents);
  LogicalResult result = write(buffer);
  stream << buffer.str();
  stream.flush();
  if (stream.has_error()) {
    std::error_code reason = stream.error();
    stream.clear_error();
    return makeError("cannot write '" + path + "': " + reason.message());
  }
  if (failed(result))
    return makeError("nothing was written to '" + path + "'");
  return llvm::Error::success();
}

llvm::Error mlir::boost::writeOutput(
    StringRef path,
    llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write) {
  if (path == "-" || isSpecialFile(path))
    return writeDirectly(path, write);
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(getTemporaryModel(path),
                                      llvm::sys::fs::all_read |
                                          llvm::sys::fs::all_write);
  if (!file)
    return makeError("cannot write '" + path +
                     "': " + llvm::toString(file.takeError()));
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  LogicalResult written = write(stream);
  stream.flush();
  std::error_code reason = stream.error();
  stream.clear_error();
  if (!reason && succeeded(written)) {
    if (llvm::Error error = file->keep(path))
      return makeError("cannot write '" + path +
                       "': " + llvm::toString(std::move(error)));
    return llvm::Error::success();
  }
  llvm::consumeError(file->discard());
  if (reason)
    return makeError("cannot write '" + path + "': " + reason.message());
  return makeError("nothing was written to '" + path + "'");
}

/// The C++ driver that the project was configured with, or clang.
static llvm::Expected<std::string> findDriver() {
  if (llvm::sys::fs::can_execute(BOOST_MLIR_CXX_DRIVER))
    return std::string(BOOST_MLIR_CXX_DRIVER);
  for (StringRef name : {"clang++-22", "clang++", "c++"})
    if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
      return *found;
  return makeError("no C++ compiler to link with: install clang++-22");
}

llvm::Error mlir::boost::linkProgram(StringRef object, StringRef path,
                                     StringRef toolDirectory) {
  if (isSpecialFile(path))
    return makeError("cannot write a program to '" + path +
                     "', which is no regular file");
  llvm::Expected<std::string> driver = findDriver();
  if (!driver)
    return driver.takeError();
  SmallString<128> response(toolDirectory);
  llvm::sys::path::append(response, "..", "lib", "boost_runtime_link.txt");
  if (!llvm::sys::fs::exists(response))
    return makeError("the runtime library is missing: no '" + response +
                     "'; build the target boost_runtime");
  SmallString<128> temporary, messages;
  llvm::sys::fs::createUniquePath(getTemporaryModel(path), temporary,
                                  /*MakeAbsolute=*/false);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("boost-link", "txt", messages))
    return makeError("cannot write a temporary file: " + error.message());
  llvm::FileRemover removeMessages(messages), removeTemporary(temporary);
  std::string responseArgument = ("@" + response).str();
  SmallVector<StringRef> arguments{*driver, object, responseArgument, "-o",
                                   temporary};
  std::string error;
  int code = llvm::sys::ExecuteAndWait(
      *driver, arguments, std::nullopt,
      {std::nullopt, StringRef(messages), StringRef(messages)}, 0, 0, &error);
  if (code != 0) {
    auto text = llvm::MemoryBuffer::getFile(messages);
    return makeError("linking '" + path + "' failed: " + error +
                     (text ? (*text)->getBuffer() : StringRef()));
  }
  if (std::error_code reason = llvm::sys::fs::rename(temporary, path))
    return makeError("cannot write '" + path + "': " + reason.message());
  return llvm::Error::success();
}

//===- Link.cpp - Object file to binary -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the system's C++ driver with the arguments that the runtime's build has
// left beside its library.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Link.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdlib>

using namespace mlir;
using namespace mlir::boost;

/// Before the umask takes from it.
static constexpr unsigned kFileMode = 0666, kProgramMode = 0777;

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

/// Describes the error of a file to be written, with a remedy.
static std::string describe(std::error_code error) {
  std::string text = error.message();
  if (error == std::errc::no_such_file_or_directory)
    text += "; create its folder first, or name another file with -o";
  if (error == std::errc::permission_denied)
    text += "; allow writing there, or name another file with -o";
  if (error == std::errc::no_space_on_device)
    text += "; free space, or name another file with -o";
  return text;
}

static llvm::Error writeDirectly(
    StringRef path,
    llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (error)
    return makeError("cannot write '" + path + "': " + describe(error));
  // Object files need a stream that seeks; a pipe does not.
  SmallVector<char> contents;
  llvm::raw_svector_ostream buffer(contents);
  LogicalResult result = write(buffer);
  stream << buffer.str();
  stream.flush();
  if (stream.has_error()) {
    std::error_code reason = stream.error();
    stream.clear_error();
    return makeError("cannot write '" + path + "': " + describe(reason));
  }
  if (failed(result))
    return makeError("nothing was written to '" + path + "'");
  return llvm::Error::success();
}

static llvm::Error writeReplacing(
    StringRef path, unsigned mode,
    llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write) {
  // Created by the open, so that a link that others have put there is not
  // followed; removed by a signal.
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(getTemporaryModel(path), mode);
  if (!file)
    return makeError("cannot write '" + path +
                     "': " + describe(errorToErrorCode(file.takeError())));
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  LogicalResult written = write(stream);
  stream.flush();
  std::error_code reason = stream.error();
  stream.clear_error();
  if (!reason && succeeded(written)) {
    if (llvm::Error error = file->keep(path))
      return makeError("cannot write '" + path +
                       "': " + describe(errorToErrorCode(std::move(error))));
    return llvm::Error::success();
  }
  llvm::consumeError(file->discard());
  if (reason)
    return makeError("cannot write '" + path + "': " + describe(reason));
  return makeError("nothing was written to '" + path + "'");
}

llvm::Error mlir::boost::writeOutput(
    StringRef path,
    llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write) {
  if (path == "-" || isSpecialFile(path))
    return writeDirectly(path, write);
  return writeReplacing(path, kFileMode, write);
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

namespace {
/// A folder that only this user may look into, removed with its files.
class PrivateFolder {
public:
  PrivateFolder() = default;
  ~PrivateFolder() {
    if (path.empty())
      return;
    // Files that cannot be removed stay in the temporary folder.
    [[maybe_unused]] std::error_code ignored =
        llvm::sys::fs::remove_directories(path);
  }
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  llvm::Error create() {
    SmallString<128> model;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "boost-compile-XXXXXX");
    if (!::mkdtemp(const_cast<char *>(model.c_str())))
      return makeError("cannot create the temporary folder '" + model + "': " +
                       std::generic_category().message(errno) + "; set TMPDIR");
    path = model;
    return llvm::Error::success();
  }

  /// A signal removes the file as well.
  SmallString<128> pathOf(StringRef name) const {
    SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    llvm::sys::RemoveFileOnSignal(file);
    return file;
  }

private:
  SmallString<128> path;
};
} // namespace

/// The C++ driver that the project was configured with, or clang.
static llvm::Expected<std::string> findDriver() {
  if (llvm::sys::fs::can_execute(BOOST_MLIR_CXX_DRIVER))
    return std::string(BOOST_MLIR_CXX_DRIVER);
  for (StringRef name : {"clang++-22", "clang++", "c++"})
    if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
      return *found;
  return makeError("no C++ compiler to link with: install clang++-22");
}

/// The driver and what it links a program with. The file has one argument per
/// line, as it is: the driver's own response files would need quotes.
static llvm::Expected<std::vector<std::string>>
getCommand(StringRef toolDirectory, StringRef target) {
  llvm::Expected<std::string> driver = findDriver();
  if (!driver)
    return driver.takeError();
  SmallString<128> path(toolDirectory);
  llvm::sys::path::append(path, "..", "lib",
                          "boost_runtime_" + target + "_link.txt");
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return makeError("the runtime library is missing: no '" + path +
                     "'; build the target boost_runtime_" + target);
  std::vector<std::string> command{*driver};
  for (llvm::line_iterator line(**file); !line.is_at_end(); ++line)
    command.push_back(line->str());
  return command;
}

static llvm::Error runDriver(ArrayRef<std::string> command, StringRef messages,
                             StringRef path) {
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string error;
  int code = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt,
                                       {std::nullopt, messages, messages}, 0, 0,
                                       &error);
  if (code == 0)
    return llvm::Error::success();
  auto text = llvm::MemoryBuffer::getFile(messages);
  return makeError("linking '" + path + "' failed: " + error +
                   (text ? (*text)->getBuffer() : StringRef()));
}

/// Writes the object file and links it, both in `folder`.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkIn(const PrivateFolder &folder, StringRef object, StringRef path,
       std::vector<std::string> command) {
  SmallString<128> objectFile = folder.pathOf("program.o"),
                   program = folder.pathOf("program");
  if (llvm::Error error =
          writeDirectly(objectFile, [&](llvm::raw_pwrite_stream &stream) {
            stream << object;
            return success();
          }))
    return std::move(error);
  command.insert(std::next(command.begin()), objectFile.str().str());
  command.insert(command.end(), {"-o", program.str().str()});
  if (llvm::Error error =
          runDriver(command, folder.pathOf("messages.txt"), path))
    return std::move(error);
  auto linked = llvm::MemoryBuffer::getFile(program);
  if (!linked)
    return makeError("cannot read '" + program +
                     "', which was linked: " + linked.getError().message());
  return std::move(*linked);
}

llvm::Expected<SmallString<0>>
mlir::boost::linkSharedLibrary(StringRef object) {
  llvm::Expected<std::string> driver = findDriver();
  if (!driver)
    return driver.takeError();
  PrivateFolder folder;
  if (llvm::Error error = folder.create())
    return error;
  auto linked =
      linkIn(folder, object, "a shared library", {*driver, "-shared"});
  if (!linked)
    return linked.takeError();
  return SmallString<0>((*linked)->getBuffer());
}

llvm::Error mlir::boost::linkProgram(StringRef object, StringRef path,
                                     StringRef toolDirectory,
                                     StringRef runtime) {
  if (isSpecialFile(path))
    return makeError("cannot write a program to '" + path +
                     "', which is not a regular file");
  auto command = getCommand(toolDirectory, runtime);
  if (!command)
    return command.takeError();
  // The linker writes through what it finds: it works where others cannot
  // plant anything.
  PrivateFolder folder;
  if (llvm::Error error = folder.create())
    return error;
  auto linked = linkIn(folder, object, path, std::move(*command));
  if (!linked)
    return linked.takeError();
  return writeReplacing(path, kProgramMode,
                        [&](llvm::raw_pwrite_stream &stream) {
                          stream << (*linked)->getBuffer();
                          return success();
                        });
}

//===- Link.cpp - Object file to binary -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links code as a shared library, by LLVM's linker, and appends it to a copy of
// the runtime. Nothing of the machine is needed for that.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Link.h"

#include "boost-runtime/ProgramFile.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

LLD_HAS_DRIVER(elf)

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

/// Returns true for what is no plain file and cannot be renamed to, such as
/// /dev/null, and for names of open files, such as /dev/stdout, which a file
/// would replace for everyone.
static bool isSpecialFile(StringRef path) {
  SmallString<128> absolute(path);
  if (!llvm::sys::fs::make_absolute(absolute)) {
    llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
    StringRef folder = llvm::sys::path::parent_path(absolute);
    if (folder == "/dev" || folder == "/dev/fd" || folder.starts_with("/proc"))
      return true;
  }
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

/// Removes all options from LLVM's command line. The linker would reset them
/// and register others, some of which have the same names. Their values stay.
static void removeOptions() {
  SmallVector<llvm::cl::Option *> options;
  for (auto &entry : llvm::cl::getRegisteredOptions())
    options.push_back(entry.second);
  for (llvm::cl::Option *option : options)
    option->removeArgument();
}

/// Runs the linker with these arguments. It is a library of LLVM: a program is
/// linked where there is no other.
static llvm::Error runLinker(ArrayRef<const char *> arguments) {
  // The linker has global state.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  removeOptions();
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream,
                                    {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return llvm::Error::success();
  return makeError("linking the code failed: " + messages);
}

llvm::Expected<SmallString<0>>
mlir::boost::linkSharedLibrary(StringRef object) {
  // The linker writes through what it finds: it works where others cannot
  // plant anything.
  PrivateFolder folder;
  if (llvm::Error error = folder.create())
    return error;
  SmallString<128> objectFile = folder.pathOf("code.o"),
                   library = folder.pathOf("code.so");
  if (llvm::Error error =
          writeDirectly(objectFile, [&](llvm::raw_pwrite_stream &stream) {
            stream << object;
            return success();
          }))
    return error;
  if (llvm::Error error =
          runLinker({"ld.lld", "-shared", "-Bsymbolic", "--threads=1",
                     objectFile.c_str(), "-o", library.c_str()}))
    return error;
  auto linked = llvm::MemoryBuffer::getFile(library);
  if (!linked)
    return makeError("cannot read '" + library +
                     "', which was linked: " + linked.getError().message());
  return SmallString<0>((*linked)->getBuffer());
}

/// The executable of the runtime beside the compiler.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readRuntime(StringRef toolDirectory, StringRef runtime) {
  SmallString<128> path(toolDirectory);
  llvm::sys::path::append(path, "..", "lib", "boost-runtime-" + runtime);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return makeError("cannot read the runtime '" + path +
                     "': " + file.getError().message() +
                     "; build the target boost-runtime-" + runtime);
  return std::move(*file);
}

/// Returns the runtime with the place of `code`, which follows it, filled in.
static llvm::Expected<std::string> placeCode(StringRef runtime, StringRef code,
                                             StringRef name) {
  boost_program_place place = {BOOST_PROGRAM_MARK, runtime.size(), code.size()};
  size_t found = runtime.find(StringRef(place.mark, sizeof(place.mark)));
  if (found == StringRef::npos || runtime.size() - found < sizeof(place))
    return makeError("the runtime '" + name +
                     "' has no place for code; build its target again");
  std::string head = runtime.str();
  std::memcpy(&head[found], &place, sizeof(place));
  return head;
}

llvm::Error mlir::boost::linkProgram(StringRef object, StringRef path,
                                     StringRef toolDirectory,
                                     StringRef runtime) {
  if (isSpecialFile(path))
    return makeError("cannot write a program to '" + path +
                     "', which is not a regular file");
  auto executable = readRuntime(toolDirectory, runtime);
  if (!executable)
    return executable.takeError();
  auto library = linkSharedLibrary(object);
  if (!library)
    return library.takeError();
  auto head = placeCode((*executable)->getBuffer(), *library,
                        (*executable)->getBufferIdentifier());
  if (!head)
    return head.takeError();
  return writeReplacing(path, kProgramMode,
                        [&](llvm::raw_pwrite_stream &stream) {
                          stream << *head << *library;
                          return success();
                        });
}

//===- Main.cpp - Entry point of every compiled program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program is this executable followed by its code (ProgramFile.h).
// The code is a shared library, which the dynamic linker opens as a file of its
// own; its calls of the runtime meet the functions of this executable.
//
//===----------------------------------------------------------------------===//

#include "boost-runtime/ProgramFile.h"
#include "common/Failure.h"
#include "common/LibraryFile.h"
#include "common/MappedFile.h"
#include "driver/RunProgram.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace boost_rt;

/// The functions that code calls, so that the linker keeps them.
[[gnu::used, gnu::retain]] static const void *const calledFunctions[] = {
#define PTR void *
#define I64 int64_t
#define I32 int32_t
#define F64 double
#define BOOST_RT_FUNCTION(name, ...)                                           \
  reinterpret_cast<const void *>(&boost_rt_##name),
#include "boost-runtime/Functions.def"
#undef PTR
#undef I64
#undef I32
#undef F64
};

/// The compiler fills it in the file.
static volatile boost_program_place place = {BOOST_PROGRAM_MARK, 0, 0};

template <typename... Parts>
[[noreturn]] static void refuseCode(const Parts &...parts) {
  refuse("cannot load the code of this program: ", parts...);
}

/// Returns the part of the program's file that is the code.
static std::string_view findCode(std::string_view file) {
  const uint64_t offset = place.offset, bytes = place.bytes;
  if (bytes == 0)
    refuseCode("this is the runtime alone, which boost-compile copies into "
               "programs; start one of these");
  if (offset > file.size() || bytes > file.size() - offset)
    refuseCode("its file has ", file.size(), " bytes, but the code is in ",
               bytes, " bytes from byte ", offset,
               " on; the file was stripped or copied in part: copy it whole, "
               "or compile it again");
  return file.substr(offset, bytes);
}

static void *openCode() {
  const char *executable = "/proc/self/exe";
  if (::access(executable, R_OK) != 0)
    refuseCode(executable, ", the file of the program, cannot be read: ",
               std::strerror(errno),
               errno == EACCES ? "; allow its user to read it (chmod +r)"
                               : "; mount /proc");
  MappedFile file(executable, "program");
  const std::string path = makeLibraryFile(
      "boost-program", "the code of this program", findCode(file.text()));
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    refuseCode(::dlerror(), "; compile it again or, if files may not be "
                            "mapped as code there, let BOOST_CODE_FOLDER name "
                            "a folder where they may");
  return library;
}

/// Loads the code for as long as the process runs.
static ProgramCode loadCode() {
  void *library = openCode();
  ProgramCode code;
  auto find = [&](const char *name, auto &table) {
    table = static_cast<std::remove_reference_t<decltype(table)>>(
        ::dlsym(library, name));
  };
  find("boost_program_manifest", code.manifest);
  find("boost_program_functions", code.functions);
  find("boost_program_device_images", code.deviceImages);
  find("boost_program_constants", code.constants);
  if (!code.manifest || !code.functions)
    refuseCode("it defines no program");
  return code;
}

int main(int argc, char **argv) { return runProgram(loadCode, argc, argv); }

//===- InitialValues.cpp - Arrays that were exported with a model ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/InitialValues.h"
#include "common/Failure.h"

#include <filesystem>

using namespace boost_rt;
namespace fs = std::filesystem;

static constexpr const char *remedy =
    "; name a file that has them with --init FILE, or start by the rules that "
    "`info` lists with --no-init-file";

std::string boost_rt::besideProgram(const std::string &path) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path() / fs::path(path).filename();
}

static std::string findFile(const std::string &compiled) {
  if (compiled.empty())
    refuse("this program starts from arrays that were exported with its model, "
           "but their file was not beside the module when it was compiled",
           remedy);
  std::error_code error;
  if (fs::exists(compiled, error))
    return compiled;
  std::string moved = besideProgram(compiled);
  if (fs::exists(moved, error))
    return moved;
  refuse("this program starts from arrays that were exported with its model, "
         "but neither ",
         compiled, " nor ", moved, " is there", remedy);
}

std::unique_ptr<SafeTensorsReader>
boost_rt::openInitialValues(const InitialValues &values) {
  auto file = std::make_unique<SafeTensorsReader>(findFile(values.file));
  if (file->getMetadata("boost.initial_values") != values.digest)
    refuse(file->getPath(),
           " holds other arrays than those that were exported with the model "
           "of this program: export and compile again",
           remedy);
  return file;
}

//===- Constants.cpp - The constants of a program -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Constants.h"
#include "boost-runtime/ProgramFile.h"
#include "driver/InitialValues.h"

#include <filesystem>

using namespace boost_rt;

std::string boost_rt::pathOfConstants(const Program &program) {
  return program.constantsFile ? besideProgram(program.constantsFile->name)
                               : "";
}

/// Opens the file of the constants of a program, which has some.
static std::unique_ptr<SafeTensorsReader>
openConstants(const Program &program) {
  std::string path = pathOfConstants(program);
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    refuse(
        "this program reads its constants, which are arrays that the loss "
        "closes over, from ",
        path,
        ", but there is no such file; copy it from where boost-compile wrote "
        "the program, or compile it again");
  auto file = std::make_unique<SafeTensorsReader>(path);
  if (file->getMetadata(BOOST_PROGRAM_CONSTANTS_KEY) !=
      program.constantsFile->digest)
    refuse(path,
           " holds other constants than those of this program; copy the file "
           "that boost-compile wrote with it, or compile it again");
  return file;
}

void boost_rt::loadConstants(Session &session) {
  const Program &program = session.getProgram();
  if (!program.constantsFile)
    return;
  Doing doing("loading constants");
  session.together([&] {
    session.load(*openConstants(program), program.withRole(Role::constant),
                 "the program");
  });
}

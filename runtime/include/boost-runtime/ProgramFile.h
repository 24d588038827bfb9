//===- ProgramFile.h - The file of a compiled program -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is one executable file of two parts: an executable of the runtime,
// and behind it a shared library with the code of the program. To link a
// program the compiler needs no file of the system's C library, and no linker
// but for shared libraries.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_PROGRAMFILE_H
#define BOOST_RUNTIME_PROGRAMFILE_H

#include <cstdint>

/// Says where in its file the code of a program is. An executable of the
/// runtime has one, with zeros, which the compiler finds by its mark and fills
/// in the copy that becomes a program.
struct boost_program_place {
  char mark[16];
  uint64_t offset, bytes; ///< the part of the file that is the library
};

#define BOOST_PROGRAM_MARK "boost-mlir code"

/// The constants of a program are in a file of tensors beside it, whose name is
/// that of the program and this suffix. Its metadata says their digest under
/// this key.
#define BOOST_PROGRAM_CONSTANTS_SUFFIX ".constants.safetensors"
#define BOOST_PROGRAM_CONSTANTS_KEY "boost.constants"

#endif // BOOST_RUNTIME_PROGRAMFILE_H

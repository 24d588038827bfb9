//===- ConstantsFile.h - The constants beside a program ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_CONSTANTSFILE_H
#define BOOST_MLIR_LIB_DRIVER_CONSTANTSFILE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::boost {

/// Returns the path of the file with the constants of a program.
std::string getConstantsFile(StringRef program);

/// Returns a digest of the names, types and values of constants.
std::string getConstantsDigest(DictionaryAttr constants);

/// Writes constants, which are dense elements by name, to a file that says
/// their digest.
llvm::Error writeConstants(StringRef path, DictionaryAttr constants);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_CONSTANTSFILE_H

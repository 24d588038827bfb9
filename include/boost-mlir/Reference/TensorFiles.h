//===- TensorFiles.h - Named tensors in safetensors files -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the reference evaluator; compiled programs read and write the
// same format.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_TENSORFILES_H
#define BOOST_MLIR_REFERENCE_TENSORFILES_H

#include "boost-mlir/Reference/Program.h"
#include "llvm/Support/Error.h"

namespace mlir::boost::reference {

/// Reads the tensors that a program wants, with their shapes. Floats are taken
/// as they are in the file, whatever their width. Those that are missing are
/// left out, or an error.
llvm::Expected<NamedTensors> readTensors(StringRef path,
                                         ArrayRef<NamedType> wanted,
                                         bool allowMissing = false);

/// Writes tensors in the given order. Floats are written as f64, integers at
/// their width.
llvm::Error writeTensors(StringRef path, ArrayRef<NamedType> order,
                         const NamedTensors &tensors);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_TENSORFILES_H

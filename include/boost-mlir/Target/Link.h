//===- Link.h - Object file to binary ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output files that appear whole or not at all, and the link with the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_LINK_H
#define BOOST_MLIR_TARGET_LINK_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::boost {

/// Writes `path` through a temporary file beside it; "-" is stdout. The error
/// says which file and why; no partial file stays.
llvm::Error
writeOutput(StringRef path,
            llvm::function_ref<LogicalResult(llvm::raw_pwrite_stream &)> write);

/// Returns the bytes of a shared library made of an object file, given its
/// bytes. It names no other library: the process that loads it defines what the
/// object refers to. LLVM's command line has to be parsed before: its options
/// are removed.
llvm::Expected<SmallString<0>> linkSharedLibrary(StringRef object);

/// Links an object file, given its bytes, into the executable `path`: a copy of
/// the runtime boost-runtime-NAME beside the compiler (`toolDirectory` is the
/// folder of boost-compile) that carries the object's code; `runtime` is the
/// NAME.
llvm::Error linkProgram(StringRef object, StringRef path,
                        StringRef toolDirectory, StringRef runtime);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_LINK_H

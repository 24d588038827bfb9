//===- InitAll.h - Everything the tools register ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only list of dialects, extensions, passes and pipelines; every tool
// calls it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INITALL_H
#define BOOST_MLIR_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::boost {

/// Registers the dialects of every level and the interfaces attached to them.
void registerAllDialects(DialectRegistry &registry);

/// Registers the project's passes and pipelines, and the upstream ones that the
/// pipelines are made of.
void registerAllPasses();

} // namespace mlir::boost

#endif // BOOST_MLIR_INITALL_H

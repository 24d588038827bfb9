//===- RuntimeType.h - Element types of the runtime -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_RUNTIMETYPE_H
#define BOOST_MLIR_SUPPORT_RUNTIMETYPE_H

#include "mlir/IR/Types.h"
#include <cstdint>
#include <optional>

namespace mlir::boost {

/// Returns the boost_rt_type of an element type, or nothing if the runtime has
/// none. Unsigned integers have that of signed ones.
std::optional<int32_t> getRuntimeType(Type elementType);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_RUNTIMETYPE_H

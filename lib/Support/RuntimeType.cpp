//===- RuntimeType.cpp - Element types of the runtime ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/RuntimeType.h"

#include "boost-runtime/Runtime.h"

using namespace mlir;

std::optional<int32_t> mlir::boost::getRuntimeType(Type elementType) {
  if (elementType.isF32())
    return BOOST_RT_F32;
  if (elementType.isBF16())
    return BOOST_RT_BF16;
  if (elementType.isF16())
    return BOOST_RT_F16;
  if (elementType.isF64())
    return BOOST_RT_F64;
  if (elementType.isInteger(32))
    return BOOST_RT_I32;
  if (elementType.isInteger(64))
    return BOOST_RT_I64;
  if (elementType.isInteger(16))
    return BOOST_RT_I16;
  if (elementType.isInteger(8))
    return BOOST_RT_I8;
  if (elementType.isInteger(1))
    return BOOST_RT_I1;
  return std::nullopt;
}

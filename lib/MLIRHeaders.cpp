//===- MLIRHeaders.cpp - The target that owns the precompiled header ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//===- DifferentiableOpInterface.cpp - Reverse mode, per op ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions generated for the interface.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"

#include "boost-mlir/Interfaces/DifferentiableOpInterface.cpp.inc"

//===- KernelHeaders.h - What lowering to kernels and calls includes ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for the libraries that make kernels, calls of the runtime
// and code of them; no source includes it by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_KERNELHEADERS_H
#define BOOST_MLIR_LIB_KERNELHEADERS_H

#include "DialectHeaders.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

#endif // BOOST_MLIR_LIB_KERNELHEADERS_H

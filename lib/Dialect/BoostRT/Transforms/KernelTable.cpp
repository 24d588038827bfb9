//===- KernelTable.cpp - Equal kernels are one function -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::boost::rt;

static constexpr llvm::StringLiteral kKernelPrefix = "kernel_";

/// Returns equal hashes for kernels that are equal except for their locations.
static llvm::hash_code hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash = llvm::hash_combine(
      kernel.getFunctionType(), kernel->getDiscardableAttrDictionary());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Returns true if two kernels are equal except for their names and locations.
static bool areEqual(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         a->getDiscardableAttrDictionary() ==
             b->getDiscardableAttrDictionary() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

KernelTable::KernelTable(ModuleOp module) : symbols(module) {
  numKernels =
      llvm::count_if(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return function.getName().starts_with(kKernelPrefix);
      });
}

FlatSymbolRefAttr KernelTable::insert(func::FuncOp kernel) {
  SmallVector<func::FuncOp, 1> &known = kernels[hashKernel(kernel)];
  auto *equal = llvm::find_if(
      known, [&](func::FuncOp each) { return areEqual(each, kernel); });
  if (equal != known.end()) {
    kernel.erase();
    return FlatSymbolRefAttr::get(*equal);
  }
  kernel.setName((kKernelPrefix + Twine(numKernels++)).str());
  symbols.insert(kernel);
  known.push_back(kernel);
  return FlatSymbolRefAttr::get(kernel);
}

//===- KernelBytes.cpp - What kernels move, and must move -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the values of a function from call to call by their numbers.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/KernelBytes.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::boost;

namespace {

/// The writer and the readers of a value.
struct ValueUse {
  bool isKernels = false;
  bool isHandedOn = false;
  /// Bytes that its writer writes; 0 for arguments.
  int64_t written = 0;
  /// Bytes that kernels read, by phase; each part of the value once.
  std::map<StringRef, int64_t> read;
  std::set<std::tuple<StringRef, const void *, int64_t, const void *>> parts;
};

class ByteCounter {
public:
  KernelBytes count(func::FuncOp function);

private:
  void visit(Operation *op);
  void read(Operation *op, Value memref, DenseI64ArrayAttr values,
            bool isKernel);
  void write(Value memref, DenseI64ArrayAttr values, bool isKernel);

  KernelBytes bytes;
  llvm::DenseMap<int64_t, ValueUse> uses;
};

} // namespace

/// Calls that only move elements are kernels too.
static bool isKernel(Operation *op) {
  return isa<rt::LaunchOp, rt::CopyOp>(op);
}

static unsigned countOuts(Operation *op) {
  if (auto launch = dyn_cast<rt::LaunchOp>(op))
    return launch.getNumOutputs();
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  return style ? style.getNumDpsInits() : 0;
}

static int64_t getBytes(Value memref) {
  return getDenseBytes(cast<ShapedType>(memref.getType()));
}

void ByteCounter::read(Operation *op, Value memref, DenseI64ArrayAttr values,
                       bool isKernel) {
  if (isKernel && !values.empty())
    bytes.moved += getBytes(memref);
  auto phase = op->getAttrOfType<StringAttr>(kPhaseAttr);
  FailureOr<rt::BufferAddress> address = rt::resolveBufferAddress(memref);
  for (int64_t number : values.asArrayRef()) {
    ValueUse &use = uses[number];
    use.isHandedOn |= !isKernel;
    // A tensor that is joined from many parts has a value for each of them:
    // what kernels hand to each other counts nothing, however it is read.
    if (!isKernel || use.isKernels)
      continue;
    StringRef name = phase ? phase.getValue() : StringRef();
    rt::BufferAddress place =
        succeeded(address) ? *address : rt::BufferAddress();
    if (use.parts
            .insert({name, place.root.getAsOpaquePointer(), place.bytes,
                     memref.getType().getAsOpaquePointer()})
            .second)
      use.read[name] += getBytes(memref);
  }
}

void ByteCounter::write(Value memref, DenseI64ArrayAttr values, bool isKernel) {
  if (isKernel)
    bytes.moved += getBytes(memref);
  for (int64_t number : values.asArrayRef()) {
    ValueUse &use = uses[number];
    use.isKernels = isKernel;
    use.written = std::max(use.written, getBytes(memref));
  }
}

void ByteCounter::visit(Operation *op) {
  auto reads = op->getAttrOfType<ArrayAttr>(rt::kReadsAttr);
  auto writes = op->getAttrOfType<ArrayAttr>(rt::kWritesAttr);
  if (!reads || !writes || reads.size() != op->getNumOperands() ||
      writes.size() != countOuts(op))
    return;
  for (auto [memref, values] : llvm::zip_equal(op->getOperands(), reads))
    read(op, memref, cast<DenseI64ArrayAttr>(values), isKernel(op));
  for (auto [memref, values] :
       llvm::zip_equal(op->getOperands().take_back(writes.size()), writes))
    write(memref, cast<DenseI64ArrayAttr>(values), isKernel(op));
}

KernelBytes ByteCounter::count(func::FuncOp function) {
  function.walk([&](Operation *op) { visit(op); });
  if (auto results = function->getAttrOfType<ArrayAttr>(rt::kResultsAttr))
    for (auto result : results.getAsRange<DenseI64ArrayAttr>())
      for (int64_t number : result.asArrayRef().drop_front())
        uses[number].isHandedOn = true;
  for (auto &[number, use] : uses) {
    if (use.isKernels) {
      bytes.needed += use.isHandedOn ? use.written : 0;
      continue;
    }
    // Parts of a value may be read in several forms.
    for (auto &[phase, read] : use.read)
      bytes.needed += use.written > 0 ? std::min(read, use.written) : read;
  }
  return bytes;
}

KernelBytes mlir::boost::countKernelBytes(func::FuncOp function) {
  return ByteCounter().count(function);
}

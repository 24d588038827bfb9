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

/// A call, with the numbers of the values that it reads and writes.
struct Call {
  bool isKernel;
  StringRef phase;
  SmallVector<int64_t> reads, writes;
};

class ByteCounter {
public:
  KernelBytes count(func::FuncOp function);

private:
  void visit(Operation *op);
  void read(Operation *op, Value memref, DenseI64ArrayAttr values,
            bool isKernel);
  void write(Value memref, DenseI64ArrayAttr values, bool isKernel);
  void findReaders();
  void carry(size_t kernel);

  KernelBytes bytes;
  llvm::DenseMap<int64_t, ValueUse> uses;
  std::vector<Call> calls;
  /// The kernels that read a value, by their numbers among the calls.
  llvm::DenseMap<int64_t, SmallVector<size_t>> readers;
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

static StringRef getPhase(Operation *op) {
  auto phase = op->getAttrOfType<StringAttr>(kPhaseAttr);
  return phase ? phase.getValue() : StringRef();
}

static int64_t getBytes(Value memref) {
  return getDenseBytes(cast<ShapedType>(memref.getType()));
}

void ByteCounter::read(Operation *op, Value memref, DenseI64ArrayAttr values,
                       bool isKernel) {
  if (isKernel && !values.empty())
    bytes.moved += getBytes(memref);
  FailureOr<rt::BufferAddress> address = rt::resolveBufferAddress(memref);
  for (int64_t number : values.asArrayRef()) {
    ValueUse &use = uses[number];
    use.isHandedOn |= !isKernel;
    // A tensor that is joined from many parts has a value for each of them:
    // what kernels hand to each other counts nothing, however it is read.
    if (!isKernel || use.isKernels)
      continue;
    StringRef name = getPhase(op);
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
  Call call{isKernel(op), getPhase(op), {}, {}};
  for (auto [memref, values] : llvm::zip_equal(op->getOperands(), reads)) {
    auto numbers = cast<DenseI64ArrayAttr>(values);
    read(op, memref, numbers, call.isKernel);
    llvm::append_range(call.reads, numbers.asArrayRef());
  }
  for (auto [memref, values] :
       llvm::zip_equal(op->getOperands().take_back(writes.size()), writes)) {
    auto numbers = cast<DenseI64ArrayAttr>(values);
    write(memref, numbers, call.isKernel);
    llvm::append_range(call.writes, numbers.asArrayRef());
  }
  calls.push_back(std::move(call));
}

void ByteCounter::findReaders() {
  for (auto [number, call] : llvm::enumerate(calls))
    if (call.isKernel)
      for (int64_t value : call.reads)
        if (uses[value].isKernels)
          readers[value].push_back(number);
}

/// Counts what a kernel writes for kernels that cannot do its work too.
void ByteCounter::carry(size_t kernel) {
  const Call &writer = calls[kernel];
  size_t last = kernel;
  for (int64_t value : writer.writes)
    for (size_t reader : readers.lookup(value))
      if (calls[reader].phase == writer.phase)
        last = std::max(last, reader);
  // Values that depend on the kernel: true for those that do through a call.
  llvm::DenseMap<int64_t, bool> dependent;
  for (int64_t value : writer.writes)
    dependent[value] = false;
  llvm::DenseSet<size_t> behindCalls;
  for (size_t number = kernel + 1; number <= last; ++number) {
    const Call &call = calls[number];
    bool depends = false, isBehind = false;
    for (int64_t value : call.reads)
      if (auto it = dependent.find(value); it != dependent.end()) {
        depends = true;
        isBehind |= it->second;
      }
    if (!depends)
      continue;
    if (isBehind)
      behindCalls.insert(number);
    for (int64_t value : call.writes)
      dependent[value] = isBehind || !call.isKernel;
  }
  for (int64_t value : writer.writes) {
    std::set<StringRef> phases;
    for (size_t reader : readers.lookup(value))
      if (calls[reader].phase != writer.phase || behindCalls.contains(reader))
        phases.insert(calls[reader].phase);
    const ValueUse &use = uses[value];
    bool isWritten = !phases.empty() && !use.isHandedOn;
    bytes.carried +=
        use.written * (static_cast<int64_t>(phases.size()) + isWritten);
  }
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
  findReaders();
  for (size_t number = 0; number < calls.size(); ++number)
    if (calls[number].isKernel)
      carry(number);
  return bytes;
}

KernelBytes mlir::boost::countKernelBytes(func::FuncOp function) {
  return ByteCounter().count(function);
}

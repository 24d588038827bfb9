//===- JoinedKernel.h - One kernel for several ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_JOINEDKERNEL_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_JOINEDKERNEL_H

#include "RowLaunch.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost::rt {

/// The attributes that say which part of a program a launch belongs to.
inline constexpr llvm::StringLiteral kPartAttrs[] = {kComponentAttr, kLayerAttr,
                                                     kPhaseAttr};

/// One buffer of the joined kernel.
struct JoinedBuffer {
  Value buffer;
  MemRefType type;
  Access access;
  /// In the kernels that it is a buffer of.
  bool isNoAlias = true;
  unsigned launches = 0;
  /// The values that are read there before any is written, and those that are
  /// there in the end; null where that is not recorded.
  DenseI64ArrayAttr reads, writes;
};

/// Makes one kernel of those of several launches, which does what they do, one
/// after the other, to the same rows.
class KernelJoiner {
public:
  KernelJoiner(ArrayRef<RowLaunch *> launches, int64_t rows);

  /// Builds the kernel, which is in no module.
  func::FuncOp build();

  /// Launches `kernel` where `place` stands, and erases the launches.
  void launch(Operation *place, FlatSymbolRefAttr kernel);

private:
  void addBuffers(RowLaunch &launch);
  void putOutputsLast();
  bool isNoAlias(const JoinedBuffer &buffer) const;
  void annotate(func::FuncOp kernel);
  void cloneOperation(OpBuilder &builder, RowLaunch &launch,
                      ArrayRef<unsigned> places, func::FuncOp kernel);

  ArrayRef<RowLaunch *> launches;
  int64_t rows;
  SmallVector<JoinedBuffer> buffers;
  /// By launch and buffer, its place among those of the joined kernel.
  SmallVector<SmallVector<unsigned>> places;
  /// Constants of the joined kernel.
  llvm::MapVector<Attribute, Value> constants;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_JOINEDKERNEL_H

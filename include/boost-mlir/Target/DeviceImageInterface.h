//===- DeviceImageInterface.h - Images of further devices -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_DEVICEIMAGEINTERFACE_H
#define BOOST_MLIR_TARGET_DEVICEIMAGEINTERFACE_H

#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace mlir::boost {

/// An interface of the gpu dialect by which a tool adds an image of device code
/// to programs, beside those of the architectures that are attached to their
/// gpu.module. Without it there are no other images.
class DeviceImageInterface
    : public DialectInterface::Base<DeviceImageInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceImageInterface)

  explicit DeviceImageInterface(Dialect *dialect) : Base(dialect) {}

  /// Returns the number by which the runtime finds the image in
  /// boost_program_device_images. It is no architecture's.
  virtual int64_t getArchitecture() const = 0;

  /// Returns the image of device code, given as NVPTX bitcode after libdevice
  /// was linked and O3 ran.
  virtual llvm::Expected<SmallString<0>> makeImage(StringRef bitcode) const = 0;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_DEVICEIMAGEINTERFACE_H

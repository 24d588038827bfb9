//===- InstalledGPU.h - The GPU of this machine -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_INSTALLEDGPU_H
#define BOOST_MLIR_TARGET_INSTALLEDGPU_H

#include <optional>
#include <string>

namespace mlir::boost {

/// The model of the first GPU that NVIDIA's driver shows to this process, as in
/// "NVIDIA H200". Nothing if there is no driver, or no GPU.
std::optional<std::string> findGPU();

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_INSTALLEDGPU_H

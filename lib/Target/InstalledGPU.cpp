//===- InstalledGPU.cpp - The GPU of this machine -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler asks the driver for a name and for nothing else, so it declares
// the four functions that this takes in place of the runtime's table of them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/InstalledGPU.h"

#include "llvm/Support/DynamicLibrary.h"

/// Calls a function of the driver. Returns false if it is missing or fails.
template <typename... Types>
static bool call(llvm::sys::DynamicLibrary &driver, const char *symbol,
                 Types... arguments) {
  using Function = int (*)(Types...);
  auto function = reinterpret_cast<Function>(driver.getAddressOfSymbol(symbol));
  return function && function(arguments...) == 0;
}

std::optional<std::string> mlir::boost::findGPU() {
  auto driver = llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1");
  int count = 0, device = 0;
  char name[256] = {};
  if (!driver.isValid() || !call(driver, "cuInit", 0u) ||
      !call(driver, "cuDeviceGetCount", &count) || count == 0 ||
      !call(driver, "cuDeviceGet", &device, 0) ||
      !call(driver, "cuDeviceGetName", &name[0], int(sizeof(name) - 1), device))
    return std::nullopt;
  return name;
}

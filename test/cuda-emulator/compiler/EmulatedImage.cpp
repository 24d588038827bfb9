//===- EmulatedImage.cpp - Device code as a shared library ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedImage.h"

#include "HostRetarget.h"
#include "boost-mlir/Target/DeviceImageInterface.h"
#include "boost-mlir/Target/Link.h"
#include "boost-mlir/Target/Object.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::boost;

/// The optimizer has run for the device; this only chooses instructions.
static llvm::Expected<SmallString<0>> generateCode(llvm::Module &module,
                                                   llvm::TargetMachine &host) {
  SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager codegen;
  if (host.addPassesToEmitFile(codegen, stream, nullptr,
                               llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("this machine's code generator cannot "
                                   "write object files");
  codegen.run(module);
  return object;
}

llvm::Expected<SmallString<0>>
mlir::boost::makeEmulatedImage(StringRef bitcode) {
  auto host = createTargetMachine(/*cpu=*/"");
  if (!host)
    return host.takeError();
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "device code"), context);
  if (!module)
    return module.takeError();
  if (llvm::Error error = retargetToHost(**module, **host))
    return error;
  auto object = generateCode(**module, **host);
  if (!object)
    return object.takeError();
  return linkSharedLibrary(*object);
}

namespace {

class EmulatedImages : public DeviceImageInterface {
public:
  using DeviceImageInterface::DeviceImageInterface;

  int64_t getArchitecture() const override { return 0; }

  llvm::Expected<SmallString<0>> makeImage(StringRef bitcode) const override {
    auto image = makeEmulatedImage(bitcode);
    if (!image)
      return llvm::createStringError("cannot be compiled for the emulator: " +
                                     llvm::toString(image.takeError()));
    return image;
  }
};

} // namespace

void mlir::boost::registerEmulatedImages(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext * /*context*/, gpu::GPUDialect *gpu) {
    gpu->addInterfaces<EmulatedImages>();
  });
}

//===- EmbedDeviceCode.cpp - Device code inside of the program ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boost-embed-device-code.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Passes.h"

#include "boost-mlir/Support/ConstantTables.h"
#include "boost-mlir/Target/DeviceCode.h"
#include "boost-mlir/Target/DeviceImageInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace mlir::boost {
#define GEN_PASS_DEF_EMBEDDEVICECODEPASS
#include "boost-mlir/Target/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// Alignment of images, which the driver loads from memory unchanged.
static constexpr int64_t kImageAlignment = 64;

namespace {

struct EmbedDeviceCodePass
    : boost::impl::EmbedDeviceCodePassBase<EmbedDeviceCodePass> {
  using EmbedDeviceCodePassBase::EmbedDeviceCodePassBase;

  void runOnOperation() override;

private:
  std::string getToolkit() const;
  LogicalResult checkToolkit(Location loc) const;
  LogicalResult embed(gpu::GPUModuleOp device);
  LogicalResult embedOther(gpu::GPUModuleOp device,
                           const DeviceImageInterface &other);
  std::optional<SmallVector<char, 0>> compile(gpu::GPUModuleOp device,
                                              gpu::TargetAttrInterface target,
                                              gpu::CompilationTarget format);
  void addImage(Location loc, int64_t architecture, StringRef bytes);

  /// Entries of boost_program_device_images: architecture, address and size.
  SmallVector<SmallVector<ConstantField>> images;
};

} // namespace

/// 90 of "sm_90".
static FailureOr<int64_t> getArchitecture(gpu::TargetAttrInterface target) {
  auto nvidia = dyn_cast<NVVM::NVVMTargetAttr>(target);
  int64_t number = 0;
  if (!nvidia || !nvidia.getChip().starts_with("sm_") ||
      nvidia.getChip().drop_front(3).getAsInteger(10, number))
    return failure();
  return number;
}

std::string EmbedDeviceCodePass::getToolkit() const {
  return toolkit.empty() ? DeviceCodePipelineOptions::getDefaultToolkit()
                         : toolkit.getValue();
}

/// Upstream finds ptxas elsewhere, and leaves libdevice out, where there is
/// none.
LogicalResult EmbedDeviceCodePass::checkToolkit(Location loc) const {
  SmallString<128> libdevice(getToolkit());
  llvm::sys::path::append(libdevice, "nvvm", "libdevice", "libdevice.10.bc");
  if (llvm::sys::fs::exists(libdevice))
    return success();
  auto diag = emitError(loc)
              << "device code needs a CUDA toolkit, but there is "
                 "no '"
              << libdevice << "'";
  diag.attachNote() << "install boost-mlir[cuda] or, for a build, run "
                       "scripts/setup.sh or configure with "
                       "-DBOOST_MLIR_CUDA_TOOLKIT=FOLDER; or compile with "
                       "--target=cpu";
  return failure();
}

std::optional<SmallVector<char, 0>>
EmbedDeviceCodePass::compile(gpu::GPUModuleOp device,
                             gpu::TargetAttrInterface target,
                             gpu::CompilationTarget format) {
  SymbolTable symbols(getOperation());
  auto getSymbols = [&] { return &symbols; };
  return target.serializeToObject(
      device, gpu::TargetOptions(getToolkit(), {}, "", "", format, getSymbols));
}

void EmbedDeviceCodePass::addImage(Location loc, int64_t architecture,
                                   StringRef bytes) {
  auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                       static_cast<unsigned>(bytes.size()));
  auto global = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
      "boost_device_image_" + std::to_string(architecture),
      builder.getStringAttr(bytes), kImageAlignment);
  images.push_back({architecture, global, static_cast<int64_t>(bytes.size())});
}

LogicalResult EmbedDeviceCodePass::embed(gpu::GPUModuleOp device) {
  if (failed(checkToolkit(device.getLoc())))
    return failure();
  ArrayAttr targets = device.getTargetsAttr();
  if (!targets)
    return device.emitOpError("expects the architectures to compile it for; "
                              "run nvvm-attach-target");
  for (auto target : targets.getAsRange<gpu::TargetAttrInterface>()) {
    FailureOr<int64_t> architecture = getArchitecture(target);
    if (failed(architecture))
      return device.emitOpError("expects architectures like sm_90, but got ")
             << target;
    auto bytes = compile(device, target, gpu::CompilationTarget::Fatbin);
    if (!bytes)
      return device.emitError("cannot be compiled for ")
             << target << " with the CUDA toolkit";
    addImage(device.getLoc(), *architecture, {bytes->data(), bytes->size()});
  }
  const auto *other =
      device->getDialect()->getRegisteredInterface<DeviceImageInterface>();
  return other ? embedOther(device, *other) : success();
}

/// Any architecture will do: kernels are written for all of them alike.
LogicalResult
EmbedDeviceCodePass::embedOther(gpu::GPUModuleOp device,
                                const DeviceImageInterface &other) {
  auto target = cast<gpu::TargetAttrInterface>(device.getTargetsAttr()[0]);
  auto bitcode = compile(device, target, gpu::CompilationTarget::Offload);
  if (!bitcode)
    return device.emitError("cannot be compiled to bitcode");
  auto image = other.makeImage({bitcode->data(), bitcode->size()});
  if (!image)
    return device.emitError() << llvm::toString(image.takeError());
  addImage(device.getLoc(), other.getArchitecture(), *image);
  return success();
}

void EmbedDeviceCodePass::runOnOperation() {
  images.clear();
  for (auto device :
       llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>())) {
    if (failed(embed(device)))
      return signalPassFailure();
    device.erase();
  }
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  auto word = IntegerType::get(&getContext(), 64);
  writeConstantTable(getOperation(), "boost_program_device_images", images,
                     {word, pointer, word});
}

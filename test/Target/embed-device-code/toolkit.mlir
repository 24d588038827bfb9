// RUN: not boost-opt %s --boost-embed-device-code=toolkit=%t.none 2>&1 | FileCheck %s
// Nothing is compiled with half of a toolkit.

// CHECK: error: device code needs a CUDA toolkit, but there is no '{{.*}}.none/nvvm/libdevice/libdevice.10.bc'
// CHECK: note: install boost-mlir[cuda] or, for a build, run scripts/setup.sh
gpu.module @boost_device_code [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

// RUN: boost-opt %s --split-input-file --verify-diagnostics --emulatable --boost-embed-device-code

// expected-error @below {{expects the architectures to compile it for; run nvvm-attach-target}}
gpu.module @nowhere {
}

// -----

// expected-error @below {{expects architectures like sm_90, but got}}
gpu.module @elsewhere [#nvvm.target<chip = "sm_90a">] {
}

// -----

// expected-error @below {{expects architectures like sm_90, but got}}
gpu.module @of_another_vendor [#nvvm.target<chip = "gfx90">] {
}

// -----

// expected-error @below {{cannot be compiled for the emulator: cannot emulate function 'kernel': it contains inline assembly}}
gpu.module @assembly [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    llvm.inline_asm has_side_effects "membar.gl;", "" : () -> ()
    llvm.return
  }
}

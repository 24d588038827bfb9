//===- ProgramKernels.cu - The device code of a program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// result[i] = a[i] - 2 b[i], an element per thread.
extern "C" __attribute__((global)) void
subtract_twice(const float *a, const float *b, float *result) {
  unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
               __nvvm_read_ptx_sreg_tid_x();
  result[i] = a[i] - 2 * b[i];
}

/// Doubles an element per thread.
extern "C" __attribute__((global)) void double_in_place(float *values) {
  values[__nvvm_read_ptx_sreg_tid_x()] *= 2;
}

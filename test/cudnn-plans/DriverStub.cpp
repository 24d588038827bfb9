//===- DriverStub.cpp - A driver that does nothing ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libcuda.so.1 that cuDNN looks up when it makes a plan for a
// GPU that is described to it. All succeed; those that make something give a
// handle that nobody uses.
//
//===----------------------------------------------------------------------===//

static int something;

/// Functions whose first parameter is where a handle is stored.
#define MAKES(SYMBOL)                                                          \
  extern "C" int SYMBOL(void **result, ...) {                                  \
    *result = &something;                                                      \
    return 0;                                                                  \
  }
/// Functions whose first parameter is where a number is stored.
#define SAYS(SYMBOL, NUMBER)                                                   \
  extern "C" int SYMBOL(int *result, ...) {                                    \
    *result = NUMBER;                                                          \
    return 0;                                                                  \
  }
#define DOES_NOTHING(SYMBOL)                                                   \
  extern "C" int SYMBOL(...) { return 0; }

MAKES(cuCtxGetCurrent)
MAKES(cuKernelGetFunction)
MAKES(cuLibraryGetKernel)
MAKES(cuLibraryLoadData)
MAKES(cuLibraryLoadFromFile)
MAKES(cuLinkComplete)
MAKES(cuModuleGetFunction)
MAKES(cuModuleLoadData)
SAYS(cuDeviceGet, 0)
SAYS(cuDeviceGetCount, 1)
SAYS(cuDriverGetVersion, 13000)
SAYS(cuKernelGetAttribute, 1)
DOES_NOTHING(cuCtxGetLimit)
DOES_NOTHING(cuCtxPopCurrent)
DOES_NOTHING(cuCtxPushCurrent)
DOES_NOTHING(cuGetErrorName)
DOES_NOTHING(cuGetErrorString)
DOES_NOTHING(cuKernelSetAttribute)
DOES_NOTHING(cuLaunchCooperativeKernel)
DOES_NOTHING(cuLaunchKernel)
DOES_NOTHING(cuLaunchKernelEx)
DOES_NOTHING(cuLibraryUnload)
DOES_NOTHING(cuLinkAddData)
DOES_NOTHING(cuLinkCreate)
DOES_NOTHING(cuLinkDestroy)
DOES_NOTHING(cuModuleUnload)
DOES_NOTHING(cuOccupancyMaxPotentialClusterSize)
DOES_NOTHING(cuStreamGetCtx)
DOES_NOTHING(cuTensorMapEncodeIm2col)
DOES_NOTHING(cuTensorMapEncodeTiled)

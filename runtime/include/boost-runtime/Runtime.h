//===- Runtime.h - C ABI between generated code and the runtime -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between a compiled training program and the runtime library: the
// functions of Functions.def and the two symbols that a program defines.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_RUNTIME_H
#define BOOST_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct boost_rt_context boost_rt_context;

/// Element types of tensors that cross the ABI.
enum boost_rt_type {
  BOOST_RT_F32 = 0,
  BOOST_RT_BF16 = 1,
  BOOST_RT_F16 = 2,
  BOOST_RT_F64 = 3,
  BOOST_RT_I32 = 4,
  BOOST_RT_I64 = 5,
  BOOST_RT_I8 = 6,
  BOOST_RT_I1 = 7,
  BOOST_RT_I16 = 8,
};

/// Reductions of collectives.
enum boost_rt_reduction {
  BOOST_RT_SUM = 0,
  BOOST_RT_MAX = 1,
  BOOST_RT_MIN = 2
};

/// Tensors of one call of adamw, at most: their addresses and sizes are the
/// parameters of one kernel, of which a GPU takes 4 KiB.
enum { BOOST_RT_MAX_UPDATES = 64 };

/// The numbers that one call of adamw reads, by their places in its buffers.
enum boost_rt_adamw_number {
  BOOST_RT_ADAMW_LR,
  BOOST_RT_ADAMW_STEP,
  BOOST_RT_ADAMW_SCALE,
  BOOST_RT_ADAMW_BETA1,
  BOOST_RT_ADAMW_BETA2,
  BOOST_RT_ADAMW_SHARE1,
  BOOST_RT_ADAMW_SHARE2,
  BOOST_RT_ADAMW_EPS,
  BOOST_RT_ADAMW_EPS_ROOT,
  BOOST_RT_ADAMW_DECAY,
  BOOST_RT_ADAMW_NUMBERS
};

/// Where a GPU packs tensors for a gather or a scatter, each begins at a
/// multiple of so many bytes.
enum { BOOST_RT_PACKING_ALIGNMENT = 64 };

/// A generated kernel: rows [begin, end) of its outermost parallel loop.
typedef void (*boost_rt_kernel)(int64_t begin, int64_t end,
                                void *const *buffers);

/// A generated kernel for a GPU, in place of a boost_rt_kernel: its name in the
/// device code, blocks and threads of a launch, and the buffers that it takes.
typedef struct boost_rt_gpu_kernel {
  const char *name;
  int64_t blocks, threads, buffers;
} boost_rt_gpu_kernel;

/// Device code of a program. `architecture` is ten times the major and the
/// minor number of the compute capability that it is for, as in 90; 0 is for
/// the emulator of the tests. Fat binaries hold PTX for later architectures
/// too.
typedef struct boost_rt_device_image {
  int64_t architecture;
  const void *data;
  int64_t bytes;
} boost_rt_device_image;

/// A tensor among the constants of a program, in the memory of the host.
typedef struct boost_rt_constant {
  const void *data;
  int64_t bytes;
} boost_rt_constant;

/// One entry of a program. `arena` holds every tensor at its planned offset,
/// but for what is kept of a micro-batch: that lies at the offset from `stash`,
/// the address of a slot, which is null for functions that name nothing kept.
typedef struct boost_program_function {
  const char *name;
  void (*run)(boost_rt_context *context, void *arena, void *stash);
} boost_program_function;

/// Defined by the generated object: the manifest (JSON, NUL-terminated) and its
/// functions, ended by an entry whose name is null.
extern const char boost_program_manifest[];
extern const boost_program_function boost_program_functions[];

/// Defined besides by objects for a GPU, both ended by an entry without data.
extern const boost_rt_device_image boost_program_device_images[];
extern const boost_rt_constant boost_program_constants[];

#define PTR void *
#define I64 int64_t
#define I32 int32_t
#define F64 double
#define BOOST_RT_FUNCTION(name, ...)                                           \
  void boost_rt_##name(boost_rt_context *context, __VA_ARGS__);
#include "boost-runtime/Functions.def"
#undef PTR
#undef I64
#undef I32
#undef F64

#ifdef __cplusplus
}
#endif

#endif // BOOST_RUNTIME_RUNTIME_H

//===- Context.h - What generated code passes to every call -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_CONTEXT_H
#define BOOST_RUNTIME_CUDA_CONTEXT_H

#include "common/RunRecord.h"
#include "cuda/DataCommunicator.h"
#include "cuda/DeviceMemory.h"
#include "cuda/Factorizations.h"
#include "cuda/FusedAttention.h"
#include "cuda/Kernels.h"
#include "cuda/Matmuls.h"

/// The state of one rank that the functions of Functions.def work on. They put
/// work on the stream and wait for nothing, but for probes and collectives that
/// are staged.
struct boost_rt_context {
  boost_rt_context(const boost_rt::Program &program,
                   boost_rt::Communicator &communicator,
                   boost_rt::RunRecord &record);

  const boost_rt::Mesh &mesh;
  boost_rt::RunRecord &record;
  int64_t rank;
  boost_rt::GPU gpu;
  boost_rt::DeviceMemory memory;
  boost_rt::Kernels kernels;
  boost_rt::Matmuls matmuls;
  boost_rt::FusedAttention attention;
  boost_rt::Factorizations factorizations;
  /// Null if there is one rank.
  std::unique_ptr<boost_rt::DataCommunicator> collectives;
  std::vector<char> probed;
};

#endif // BOOST_RUNTIME_CUDA_CONTEXT_H

//===- Context.h - What generated code passes to every call -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_CONTEXT_H
#define BOOST_RUNTIME_CPU_CONTEXT_H

#include "common/Communicator.h"
#include "common/HostCollectives.h"
#include "common/RunRecord.h"
#include "common/Scratch.h"
#include "common/ThreadPool.h"

/// The state of one rank that the functions of Functions.def work on.
struct boost_rt_context {
  boost_rt_context(const boost_rt::Mesh &mesh,
                   boost_rt::Communicator &communicator,
                   boost_rt::RunRecord &record, int threads);

  const boost_rt::Mesh &mesh;
  boost_rt::Communicator &communicator;
  boost_rt::HostCollectives collectives;
  boost_rt::RunRecord &record;
  boost_rt::ThreadPool pool;
  boost_rt::Scratch scratch;
};

#endif // BOOST_RUNTIME_CPU_CONTEXT_H

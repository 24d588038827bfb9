//===- RecordedFunction.cpp - A function as one CUDA graph ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/RecordedFunction.h"

using namespace boost_rt;
using namespace boost_rt::vendor;

RecordedFunction::~RecordedFunction() {
  if (graph)
    functions().cuGraphExecDestroy(graph);
}

void RecordedFunction::recordCalls(GPU &gpu, RunRecord &record,
                                   const std::function<void()> &function) {
  // Nothing of it runs, so nothing of it counts.
  std::vector<SiteCounter> sitesBefore(record.sites.size());
  std::swap(record.sites, sitesBefore);
  SiteCounter unplannedBefore;
  std::swap(record.unplanned, unplannedBefore);

  CudaGraph calls = nullptr;
  check(
      functions().cuStreamBeginCapture_v2(gpu.getStream(), captureThreadLocal),
      "record a function");
  function();
  check(functions().cuStreamEndCapture(gpu.getStream(), &calls),
        "record a function");
  check(functions().cuGraphInstantiateWithFlags(&graph, calls, 0),
        "make a graph of a function");
  check(functions().cuGraphDestroy(calls), "make a graph of a function");

  sites = std::move(record.sites);
  unplanned = record.unplanned;
  record.sites = std::move(sitesBefore);
  record.unplanned = unplannedBefore;
}

static void add(SiteCounter &counter, const SiteCounter &counted) {
  counter.executions += counted.executions;
  counter.bytes += counted.bytes;
}

void RecordedFunction::replay(GPU &gpu, RunRecord &record) const {
  check(functions().cuGraphLaunch(graph, gpu.getStream()), "start a graph");
  for (size_t site = 0; site < sites.size(); ++site)
    add(record.sites[site], sites[site]);
  add(record.unplanned, unplanned);
}

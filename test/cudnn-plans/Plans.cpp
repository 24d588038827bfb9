//===- Plans.cpp - The runtime's plans for GPUs that are not there --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   boost_cudnn_plans GPU.json ARCHITECTURE < calls
//
// GPU.json describes a GPU to cuDNN
// (CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION). A call is a line "type b sq sk h
// kvh dh causal backward deterministic", its flags 0 or 1. For each, prints a
// line of JSON: the problem, or the engine, and the bytes of workspace that the
// plan needs and that programs are given.
//
//===----------------------------------------------------------------------===//

#include "cuda/CudnnAttention.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace boost_rt;
using namespace boost_rt::cudnn;

static std::istream &operator>>(std::istream &in, AttentionCall &call) {
  std::string type;
  in >> type >> call.b >> call.sq >> call.sk >> call.h >> call.kvh >> call.dh >>
      call.causal >> call.isBackward >> call.isDeterministic;
  if (in)
    call.type = parseElementType(type).value();
  return in;
}

/// Quotes a message for JSON.
static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: boost_cudnn_plans GPU.json ARCHITECTURE < calls\n";
    return 1;
  }
  std::string missing = vendor::openDnn();
  std::ifstream file(argv[1]);
  if (!missing.empty() || !file) {
    std::cerr << (file ? missing : "cannot read " + std::string(argv[1]))
              << "\n";
    return 1;
  }
  Device device;
  device.json.assign(std::istreambuf_iterator<char>(file), {});
  std::cout << "{\"version\": " << vendor::functions().cudnnGetVersion()
            << "}\n";
  for (AttentionCall call{}; std::cin >> call;) {
    AttentionPlan plan(call, device, std::atoll(argv[2]));
    std::cout << "{\"problem\": " << quote(plan.getProblem());
    if (plan.getProblem().empty())
      std::cout << ", \"engine\": " << plan.getEngine()
                << ", \"needed\": " << plan.getWorkspaceBytes();
    std::cout << ", \"given\": " << attentionWorkspaceBytes(call.getTraits())
              << "}\n"
              << std::flush;
  }
}

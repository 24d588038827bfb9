// RUN: not boost-opt %s -boost-place="mesh=dp=2,dp=2" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not boost-opt %s -boost-place="mesh=2p=2" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not boost-opt %s -boost-place="mesh=tp=0" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not boost-opt %s -boost-place="mesh=2,2" 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: not boost-opt %s -boost-place="placement=auto" 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not boost-opt %s -boost-place="placement=best" 2>&1 | FileCheck %s --check-prefix=PLACEMENT
// A mesh that cannot be read is refused with an example of one that can.

// TWICE: for the --mesh option: expects a mesh such as 'dp=2,tp=4', but got 'dp=2,dp=2'; it has two axes 'dp'
// NAME: for the --mesh option: expects a mesh such as 'dp=2,tp=4', but got '2p=2'; axes have names and sizes of 1 or more, and a number alone is the size of 'tp'
// SIZE: for the --mesh option: expects a mesh such as 'dp=2,tp=4', but got 'tp=0'
// NUMBERS: for the --mesh option: expects a mesh such as 'dp=2,tp=4', but got '2,2'
// PLACEMENT: for the --placement option: expects auto, bottleneck, megatron, vanilla, sequence, gathered, vocabulary-embedding, hidden-head, searched, replicated or given, but got 'best'
// AUTO: error: expects a placement that boost-compile has chosen, but got 'auto'
func.func @loss(%x: tensor<2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

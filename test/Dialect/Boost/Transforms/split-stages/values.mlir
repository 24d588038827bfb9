// Three steps of training by the divided schedule, all stages and their
// transfers, compute what the undivided one computes.
// RUN: boost-opt %S/train.mlir --boost-split-stages=order=gpipe > %t.gpipe.mlir
// RUN: boost-eval --compare %S/train.mlir %t.gpipe.mlir --function=train --steps=3 | FileCheck %s --check-prefix=EQUAL
// RUN: boost-opt %S/train.mlir --boost-split-stages=order=zb-h1 > %t.zb.mlir
// RUN: boost-eval --compare %S/train.mlir %t.zb.mlir --function=train --steps=3 | FileCheck %s --check-prefix=EQUAL
// RUN: boost-opt %S/numbers.mlir --boost-split-stages > %t.numbers.mlir
// RUN: boost-eval --compare %S/numbers.mlir %t.numbers.mlir --function=train --steps=3 | FileCheck %s --check-prefix=THREE
// EQUAL: 6 results equal
// THREE: 2 results equal

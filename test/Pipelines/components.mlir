// Regions are for reports: whatever the parts of the model are called, the program of
// a rank, its collectives and its memory are the same.
//
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --emit=graph -o %t.graph
// RUN: FileCheck %s --input-file %t.graph
// RUN: sed -e 's/boost.component = "[a-z]*"/boost.component = "part"/' %t.graph > %t.renamed
// RUN: boost-opt %t.graph --boost-partition-pipeline --boost-collectives-pipeline \
// RUN:   --boost-rematerialize-pipeline=mode=low-rank --boost-lower-pipeline -o %t.out
// RUN: boost-opt %t.renamed --boost-partition-pipeline --boost-collectives-pipeline \
// RUN:   --boost-rematerialize-pipeline=mode=low-rank --boost-lower-pipeline -o %t.renamed.out
// RUN: sed -e 's/boost.component = "[a-z]*"//' %t.out > %t.plain
// RUN: sed -e 's/boost.component = "[a-z]*"//' %t.renamed.out > %t.renamed.plain
// RUN: not diff %t.out %t.renamed.out > %t.difference
// RUN: diff %t.plain %t.renamed.plain

// CHECK-DAG: boost.component = "embedding"
// CHECK-DAG: boost.component = "block"
// CHECK-DAG: boost.component = "head"
// CHECK-DAG: boost.component = "loss"

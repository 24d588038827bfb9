// Locations are for people: without any of them, dropped at any stage, the code
// and the memory plan are the same. That a value is recomputed is an attribute.
//
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --placement=bottleneck --remat=low-rank --emit=spmd -o %t.spmd
// RUN: FileCheck %s --check-prefix=SPMD --input-file %t.spmd
// RUN: boost-opt %t.spmd --boost-lower-pipeline -o %t.runtime
// RUN: FileCheck %s --check-prefix=RUNTIME --input-file %t.runtime
// RUN: boost-opt %t.spmd --strip-debuginfo --boost-lower-pipeline -o %t.runtime-before
// RUN: diff %t.runtime %t.runtime-before
// RUN: boost-opt %t.spmd --strip-debuginfo --convert-boost-to-runtime --strip-debuginfo \
// RUN:   --convert-stablehlo-to-linalg --strip-debuginfo --boostrt-move-slices --strip-debuginfo \
// RUN:   --boostrt-merge-equal-operations --strip-debuginfo --boostrt-fuse-elementwise --strip-debuginfo \
// RUN:   --boostrt-fuse-siblings --strip-debuginfo --canonicalize --strip-debuginfo --boostrt-merge-equal-operations --strip-debuginfo \
// RUN:   --boostrt-accumulate-products --strip-debuginfo --boostrt-round-updates --strip-debuginfo --boostrt-merge-updates --strip-debuginfo \
// RUN:   --boostrt-number-collectives --boostrt-bufferize --strip-debuginfo --boostrt-plan-memory \
// RUN:   --strip-debuginfo --boostrt-outline-kernels -o %t.runtime-between
// RUN: diff %t.runtime %t.runtime-between
//
// The same from the model's text on: its object has the same code.
// RUN: boost-opt %S/Inputs/cola-block.mlir --strip-debuginfo -o %t.stripped
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --placement=bottleneck --remat=low-rank --emit=object -o %t.o
// RUN: boost-compile %t.stripped --mesh tp=4 --placement=bottleneck --remat=low-rank --emit=object -o %t.stripped.o
// RUN: llvm-objcopy -O binary --only-section=.text %t.o %t.text
// RUN: llvm-objcopy -O binary --only-section=.text %t.stripped.o %t.stripped.text
// RUN: test -s %t.text
// RUN: cmp %t.text %t.stripped.text

// SPMD: boost.recomputed
// RUNTIME: boost.memory = {{.*}} recomputed = {{[1-9]}}
// RUNTIME-NOT: boost.recomputed

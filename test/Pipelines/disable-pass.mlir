// Passes that a stage can do without, by name: in boost-opt an option of the
// stage, in boost-compile one of the whole compilation.
//
// RUN: boost-opt %S/../Tools/Inputs/tiny.mlir --boost-import-pipeline --boost-raise-pipeline -o %t
// RUN: boost-opt %t --boost-structure-pipeline | FileCheck %s --check-prefix=ON
// RUN: boost-opt %t --boost-structure-pipeline=disable-pass=boost-online-rms-norm | FileCheck %s --check-prefix=OFF
// RUN: boost-compile %S/../Tools/Inputs/tiny.mlir --emit=graph --print-ir-after-stages -o %t.on 2>&1 | FileCheck %s --check-prefix=DRIVER-ON
// RUN: boost-compile %S/../Tools/Inputs/tiny.mlir --emit=graph --print-ir-after-stages --disable-pass=boost-online-rms-norm -o %t.off 2>&1 | FileCheck %s --check-prefix=DRIVER-OFF
// ON-NOT:  boost.rms_norm
// ON:      boost.bottleneck %{{.*}} norm(
// OFF:     boost.rms_norm
// OFF:     boost.bottleneck %{{.*}} down(
// DRIVER-ON:  after structure
// DRIVER-ON:  boost.bottleneck %{{.*}} norm(
// DRIVER-OFF: after structure
// DRIVER-OFF: boost.rms_norm
//
// Other names are refused, with those that would do.
// RUN: not boost-opt %t --boost-structure-pipeline=disable-pass=cse 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: cannot leave out 'cse'; structure can leave out {{.*}}boost-online-rms-norm
// RUN: not boost-compile %S/../Tools/Inputs/tiny.mlir --emit=plan --disable-pass=boost-online-rms-norm --disable-pass=cse 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: cannot leave out --disable-pass=cse; use {{.*}}boost-online-rms-norm

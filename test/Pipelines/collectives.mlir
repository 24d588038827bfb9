// What a CoLA block communicates on four ranks, forward and backward: 14
// all-reduces of a latent and two of a norm's statistic, in 8 launches. The
// statistics travel with latents; backward there are none.
//
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --placement=bottleneck --emit=spmd -o %t.grouped
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --placement=bottleneck --emit=spmd --disable-pass=boost-group-linears -o %t.merged
// RUN: boost-compile %S/Inputs/cola-block.mlir --mesh tp=4 --placement=bottleneck --emit=spmd --disable-pass=boost-group-linears --disable-pass=boost-merge-collectives -o %t.apart
// RUN: FileCheck %s --check-prefix=GROUPED --input-file %t.grouped
// RUN: FileCheck %s --input-file %t.merged
// RUN: FileCheck %s --check-prefix=APART --input-file %t.apart
// RUN: boost-eval --compare --function=step %t.apart %t.merged
// RUN: boost-eval --compare --function=step %t.apart %t.grouped

// Grouped, the latents that travel together are one tensor.
// GROUPED-LABEL: func.func public @gradient(
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x3x16xf32>, tensor<2x8xf32>{{$}}
// GROUPED:       boost.attention
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x2x16xf32>, tensor<2x8xf32>{{$}}
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// GROUPED-NOT:   boost.all_reduce {{.*}}"block"
// GROUPED:       boost.phase backward
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x2x16xf32>{{$}}
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// GROUPED:       boost.attention_grad
// GROUPED:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x3x16xf32>{{$}}
// GROUPED-NOT:   boost.all_reduce
// GROUPED:       return

// CHECK-LABEL: func.func public @gradient(
// The norm's statistic with the latents of q, k and v; that of o; the second
// statistic with those of gate and up; that of down.
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>
// CHECK:       boost.attention
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<2x8x16xf32>
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// CHECK-NOT:   boost.all_reduce {{.*}}"block"
// The maximum before the sums of the loss.
// CHECK:       boost.all_reduce max %{{.*}} {boost.component = "loss"} : tensor<2x8xf32>
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "loss"} : tensor<2x8xf32>, tensor<2x8xf32>
// CHECK:       boost.phase backward
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>, tensor<2x8x16xf32>
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>{{$}}
// CHECK:       boost.attention_grad
// CHECK:       boost.all_reduce sum %{{.*}} {boost.component = "block"} : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>
// CHECK-NOT:   boost.all_reduce
// CHECK:       return

// APART-LABEL:    func.func public @gradient(
// APART-COUNT-9:  boost.all_reduce sum %{{[0-9]+}} on @mesh axes = [0] {boost.component = "block"}
// APART-NOT:      boost.all_reduce {{.*}}"block"
// APART:          boost.phase backward
// APART-COUNT-7:  boost.all_reduce sum %{{[0-9]+}} on @mesh axes = [0] {boost.component = "block"} : tensor<2x8x16xf32>
// APART-NOT:      boost.all_reduce
// APART:          return

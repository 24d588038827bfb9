// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s
// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=32}))" | FileCheck %s --check-prefix=BUCKETS
// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=31}))" | FileCheck %s --check-prefix=NARROW
// What is awaited at the end only: by the caller, or by the optimizer. Gradients of several layers travel together,
// and are taken where they are ready; what the backward pass itself reads stays where it is, by layers.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // Without an optimizer the caller reads them.
  // CHECK-LABEL: func @gradient
  // NARROW-LABEL: func @gradient
  // NARROW-COUNT-2: boost.all_reduce sum %{{[0-9a-z]+}} on
  // CHECK:         boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [0] {boost.component = "gradients"} :
  // CHECK-NOT:     boost.all_reduce
  func.func @gradient(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %y : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    return %ra, %rb : tensor<4xf32>, tensor<4xf32>
  }

  // Read in the backward pass: neither moved nor merged with another layer's.
  // CHECK-LABEL: func @read_backward
  // NARROW-LABEL: func @read_backward
  // CHECK:         stablehlo.tanh
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce sum %{{[0-9a-z]+}} on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 0>} :
  // CHECK-NEXT:    boost.all_reduce sum %{{[0-9a-z]+}} on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 1>} :
  func.func @read_backward(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %y : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %na = stablehlo.negate %ra : tensor<4xf32>
    %nb = stablehlo.negate %rb : tensor<4xf32>
    boost.phase optimizer
    return %na, %nb : tensor<4xf32>, tensor<4xf32>
  }

  // One of its readers stands in the backward pass.
  // CHECK-LABEL: func @read_by_both
  // CHECK:         stablehlo.tanh
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce
  func.func @read_by_both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] : tensor<4xf32>
    %n = stablehlo.add %ra, %b : tensor<4xf32>
    return %ra, %n : tensor<4xf32>, tensor<4xf32>
  }

  // Several gradients are ready with the last of them, in whatever order they are reduced.
  // CHECK-LABEL: func @several
  // CHECK:         stablehlo.tanh
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce
  // CHECK:         stablehlo.negate
  func.func @several(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    %c = stablehlo.negate %x : tensor<4xf32>
    boost.phase optimizer
    %r:2 = boost.all_reduce sum %b, %a on @mesh axes = [0] : tensor<4xf32>, tensor<4xf32>
    return %r#0, %r#1, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // CHECK-LABEL: func @several_in_order
  // CHECK:         stablehlo.tanh
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce
  // CHECK:         stablehlo.negate
  func.func @several_in_order(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    %c = stablehlo.negate %x : tensor<4xf32>
    boost.phase optimizer
    %r:2 = boost.all_reduce sum %a, %b on @mesh axes = [0] : tensor<4xf32>, tensor<4xf32>
    return %r#0, %r#1, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // What was made in the forward pass is reduced where the program has it, and so are arguments.
  // CHECK-LABEL: func @of_the_forward_pass
  // CHECK:         stablehlo.tanh
  // CHECK-NEXT:    boost.phase backward
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce sum %{{.*}}, %{{.*}} on
  func.func @of_the_forward_pass(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %a = stablehlo.tanh %x : tensor<4xf32>
    boost.phase backward
    %b = stablehlo.exponential %x : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] : tensor<4xf32>
    %rx = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    return %ra, %rx, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // Buckets bound what is awaited: two sums of 16 bytes fill one of 32. In the forward pass there are none.
  // CHECK-LABEL: func @bounded
  // BUCKETS-LABEL: func @bounded
  // NARROW-LABEL: func @bounded
  // NARROW:        boost.phase optimizer
  // NARROW-COUNT-3: boost.all_reduce sum %{{[0-9a-z]+}} on
  // CHECK:         boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} on
  // CHECK:         boost.phase optimizer
  // CHECK:         boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} on
  // CHECK-NOT:     boost.all_reduce
  // BUCKETS:       boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} on
  // BUCKETS:       boost.phase optimizer
  // BUCKETS:       boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}} on
  // BUCKETS:       boost.all_reduce sum %{{[^,]*}} on
  func.func @bounded(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %b = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %c = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    boost.phase optimizer
    %d = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %e = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %f = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    return %a, %b, %c, %d, %e, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // What the backward pass reads waits for no bucket: those of a layer are one whatever their size.
  // CHECK-LABEL: func @one_layer_read_backward
  // CHECK:         boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}} on
  // NARROW-LABEL: func @one_layer_read_backward
  // NARROW:        boost.all_reduce sum %{{[^,]*}}, %{{[^,]*}} on
  func.func @one_layer_read_backward(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    boost.phase backward
    %ra = boost.all_reduce sum %x on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %rb = boost.all_reduce sum %y on @mesh axes = [0] {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
    %na = stablehlo.negate %ra : tensor<4xf32>
    %nb = stablehlo.negate %rb : tensor<4xf32>
    boost.phase optimizer
    return %na, %nb : tensor<4xf32>, tensor<4xf32>
  }
}

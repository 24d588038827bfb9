// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=32}))" -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Gradients that wait for their bucket of 32 bytes, each in its own way. One of four numbers is 16 bytes.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  // A bucket that is full makes room for the next one.
  // CHECK-LABEL: func @four
  // CHECK:         %[[A:.*]] = stablehlo.tanh
  // CHECK-NEXT:    %[[B:.*]] = stablehlo.exponential
  // CHECK-NEXT:    boost.all_reduce sum %[[A]], %[[B]] on
  // CHECK-NEXT:    %[[C:.*]] = stablehlo.negate
  // CHECK-NEXT:    %[[D:.*]] = stablehlo.cosine
  // CHECK-NEXT:    boost.all_reduce sum %[[C]], %[[D]] on
  // CHECK-NEXT:    boost.phase optimizer
  // CHECK-NOT:     boost.all_reduce
  func.func @four(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>},
          tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    %c = stablehlo.negate %x : tensor<4xf32>
    %d = stablehlo.cosine %x : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rc = boost.all_reduce sum %c on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rd = boost.all_reduce sum %d on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    return %ra, %rb, %rc, %rd : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // Each axis has a bucket of its own.
  // CHECK-LABEL: func @two_kinds
  // CHECK:         boost.all_reduce sum %{{[0-9]+}}, %{{[0-9]+}} on @mesh axes = [0]
  // CHECK:         boost.all_reduce sum %{{[0-9]+}}, %{{[0-9]+}} on @mesh axes = [1]
  // CHECK-NOT:     boost.all_reduce
  func.func @two_kinds(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>}, %y: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>},
          tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %y : tensor<4xf32>
    %c = stablehlo.negate %x : tensor<4xf32>
    %d = stablehlo.cosine %y : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [1] {boost.component = "gradients"} : tensor<4xf32>
    %rc = boost.all_reduce sum %c on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    %rd = boost.all_reduce sum %d on @mesh axes = [1] {boost.component = "gradients"} : tensor<4xf32>
    return %ra, %rb, %rc, %rd : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // A gradient that is reduced over one axis and then over the other is ready as early as it is made.
  // CHECK-LABEL: func @one_behind_the_other
  // CHECK:         %[[A:.*]] = stablehlo.tanh
  // CHECK-NEXT:    %[[R:.*]] = boost.all_reduce sum %[[A]] on @mesh axes = [1]
  // CHECK-NEXT:    boost.all_reduce sum %[[R]] on @mesh axes = [0]
  // CHECK-NEXT:    stablehlo.exponential
  // CHECK-NEXT:    boost.phase optimizer
  func.func @one_behind_the_other(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [1] {boost.component = "gradients"} : tensor<4xf32>
    %rb = boost.all_reduce sum %ra on @mesh axes = [0] {boost.component = "gradients"} : tensor<4xf32>
    return %rb, %b : tensor<4xf32>, tensor<4xf32>
  }

  // Gradients of one layer stay of that layer.
  // CHECK-LABEL: func @one_layer
  // CHECK:         boost.all_reduce sum %{{[0-9]+}}, %{{[0-9]+}} on @mesh axes = [0] {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 1>}
  // CHECK-NOT:     boost.all_reduce
  func.func @one_layer(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "gradients", boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
    return %ra, %rb : tensor<4xf32>, tensor<4xf32>
  }

  // Of a gather what counts is the result, of 32 bytes: two are no bucket.
  // CHECK-LABEL: func @gathers
  // CHECK:         boost.all_gather %{{[0-9]+}} dims = [0]
  // CHECK:         boost.all_gather %{{[0-9]+}} dims = [0]
  func.func @gathers(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}, tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
    boost.phase backward
    %a = stablehlo.tanh %x : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.all_gather %a dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<4xf32>) -> tensor<8xf32>
    %rb = boost.all_gather %b dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<4xf32>) -> tensor<8xf32>
    return %ra, %rb : tensor<8xf32>, tensor<8xf32>
  }

  // A probe of the first sum moves behind the later one.
  // CHECK-LABEL: func @probe_between
  // CHECK:         %[[B:.*]] = stablehlo.exponential
  // CHECK-NEXT:    %[[R:.*]]:2 = boost.all_reduce sum %{{.*}}, %[[B]] on
  // CHECK-NEXT:    boost.probe %[[R]]#0
  // CHECK-NEXT:    return
  func.func @probe_between(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    %a = stablehlo.tanh %x : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    boost.probe %ra as "a" site 0 sharding <{}> : tensor<4xf32>
    %b = stablehlo.exponential %x : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    return %ra, %rb : tensor<4xf32>, tensor<4xf32>
  }

  // A bucket is reduced where the last of its gradients is made. That one is read later as well, and stays where it is.
  // CHECK-LABEL: func @large_last
  // CHECK:         %[[A:.*]] = stablehlo.negate %arg0
  // CHECK-NEXT:    %[[B:.*]] = stablehlo.tanh %arg0
  // CHECK-NEXT:    stablehlo.cosine %arg0
  // CHECK-NEXT:    %[[C:.*]] = stablehlo.exponential %arg1
  // CHECK-NEXT:    boost.reduce_scatter sum %[[A]], %[[B]], %[[C]] dims = [0, 0, 0]
  // CHECK-NEXT:    boost.phase optimizer
  func.func @large_last(%x: tensor<2xf32> {boost.sharding = #boost.sharding<{"dp"}>}, %y: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<1xf32> {boost.sharding = #boost.sharding<{"dp"}>}, tensor<1xf32> {boost.sharding = #boost.sharding<{"dp"}>},
          tensor<2xf32> {boost.sharding = #boost.sharding<{"dp"}>}, tensor<2xf32> {boost.sharding = #boost.sharding<{"dp"}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>}) {
    boost.phase backward
    %a = stablehlo.negate %x : tensor<2xf32>
    %b = stablehlo.tanh %x : tensor<2xf32>
    %d = stablehlo.cosine %x : tensor<2xf32>
    %c = stablehlo.exponential %y : tensor<4xf32>
    boost.phase optimizer
    %ra = boost.reduce_scatter sum %a dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<2xf32>) -> tensor<1xf32>
    %rb = boost.reduce_scatter sum %b dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<2xf32>) -> tensor<1xf32>
    %rc = boost.reduce_scatter sum %c dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<4xf32>) -> tensor<2xf32>
    return %ra, %rb, %rc, %d, %c : tensor<1xf32>, tensor<1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>
  }

  // So it does where the operand of the later sum must stay.
  // CHECK-LABEL: func @probe_and_barrier_between
  // CHECK:         %[[B:.*]] = stablehlo.optimization_barrier
  // CHECK-NEXT:    %[[R:.*]]:2 = boost.all_reduce sum %{{.*}}, %[[B]] on
  // CHECK-NEXT:    boost.probe %[[R]]#0
  // CHECK-NEXT:    return
  func.func @probe_and_barrier_between(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"dp"}>})
      -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}>}, tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    %a = stablehlo.tanh %x : tensor<4xf32>
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    boost.probe %ra as "a" site 0 sharding <{}> : tensor<4xf32>
    %b = stablehlo.optimization_barrier %x : tensor<4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    return %ra, %rb : tensor<4xf32>, tensor<4xf32>
  }
}

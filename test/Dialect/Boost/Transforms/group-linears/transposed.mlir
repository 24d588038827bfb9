// RUN: boost-opt %s -boost-group-linears -o %t
// RUN: FileCheck %s < %t
// RUN: boost-opt %t -boost-decompose-pipeline -o %t.decomposed
// RUN: boost-opt %t -boost-decompose-pipeline -boost-differentiate -canonicalize -o %t.grouped
// RUN: boost-opt %s -boost-decompose-pipeline -boost-differentiate -canonicalize -o %t.plain
// RUN: boost-eval --compare --function=gradient %t.plain %t.grouped
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-eval --compare %s %t.decomposed --function=ranks
// Weights as PyTorch stores them, one row per output: packed as they are, and
// read through one transpose.

// Parameters of equal ranks are stacked whole, so that products find their rows
// one step apart. Keys and values are narrower than queries.
// CHECK-LABEL: func.func @loss(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK-SAME:    %[[A:[^:]*]]: tensor<3x2x8xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.0", init = "normal:0.5", dim = 0, offset = 0, shape = [2, 8]>,
// CHECK-SAME:      #boost.part<name = "k.0", dim = 0, offset = 1, shape = [2, 8]>,
// CHECK-SAME:      #boost.part<name = "v.0", dim = 0, offset = 2, shape = [2, 8]>], boost.tensor = #boost.tensor<param "{q,k,v}.0">}
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "q.1">}
// CHECK-SAME:    %[[KV:[^:]*]]: tensor<2x3x2xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "k.1", dim = 0, offset = 0, shape = [3, 2]>,
// CHECK-SAME:      #boost.part<name = "v.1", dim = 0, offset = 1, shape = [3, 2]>], boost.tensor = #boost.tensor<param "{k,v}.1">}
// CHECK-DAG:     %[[QT:.*]] = stablehlo.transpose %[[Q]], dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
// CHECK-DAG:     %[[KVT:.*]] = stablehlo.transpose %[[KV]], dims = [0, 2, 1] : (tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
// CHECK-DAG:     %[[AT:.*]] = stablehlo.transpose %[[A]], dims = [2, 0, 1] : (tensor<3x2x8xf32>) -> tensor<8x3x2xf32>
// CHECK:         boost.bottleneck %[[X]] down(%[[AT]]) up(%[[QT]], %[[KVT]])
// CHECK-NOT:     boost.bottleneck
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %aq: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "q.0", init = "normal:0.5">}, %bq: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %ak: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "k.0">}, %bk: tensor<3x2xf32> {boost.tensor = #boost.tensor<param "k.1">},
    %av: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "v.0">}, %bv: tensor<3x2xf32> {boost.tensor = #boost.tensor<param "v.1">}) -> tensor<f32> {
  %aqt = stablehlo.transpose %aq, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bqt = stablehlo.transpose %bq, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %q = boost.bottleneck %x down(%aqt) up(%bqt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %akt = stablehlo.transpose %ak, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bkt = stablehlo.transpose %bk, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %k = boost.bottleneck %x down(%akt) up(%bkt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x3xf32> -> tensor<4x3xf32>
  %avt = stablehlo.transpose %av, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bvt = stablehlo.transpose %bv, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %v = boost.bottleneck %x down(%avt) up(%bvt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x3xf32> -> tensor<4x3xf32>
  %kv = stablehlo.multiply %k, %v : tensor<4x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%kv init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  %qq = stablehlo.multiply %q, %q : tensor<4x6xf32>
  %r = stablehlo.reduce(%qq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  %l = stablehlo.add %r, %s : tensor<f32>
  return %l : tensor<f32>
}

// Different ranks stand below one another.
// CHECK-LABEL: func.func @ranks(
// CHECK-SAME:    %[[A:[^:]*]]: tensor<5x8xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.0", dim = 0, offset = 0, shape = [2, 8]>,
// CHECK-SAME:      #boost.part<name = "k.0", dim = 0, offset = 2, shape = [3, 8]>]
// CHECK:         %[[AT:.*]] = stablehlo.transpose %[[A]], dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
// CHECK:         boost.bottleneck %{{.*}} down(%[[AT]]) up(
// CHECK-NOT:     boost.bottleneck
func.func @ranks(%x: tensor<4x8xf32>,
    %aq: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "q.0">}, %bq: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %ak: tensor<3x8xf32> {boost.tensor = #boost.tensor<param "k.0">}, %bk: tensor<6x3xf32> {boost.tensor = #boost.tensor<param "k.1">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %aqt = stablehlo.transpose %aq, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bqt = stablehlo.transpose %bq, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %q = boost.bottleneck %x down(%aqt) up(%bqt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %akt = stablehlo.transpose %ak, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %bkt = stablehlo.transpose %bk, dims = [1, 0] : (tensor<6x3xf32>) -> tensor<3x6xf32>
  %k = boost.bottleneck %x down(%akt) up(%bkt) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// A parameter that holds one such matrix per layer.
// CHECK-LABEL: func.func @two_layers(
// CHECK-SAME:    %[[A:[^:]*]]: tensor<2x2x3x8xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.0", dim = 1, offset = 0, shape = [2, 3, 8]>,
// CHECK:         %[[S:.*]] = stablehlo.slice %[[A]] [0:1, 0:2, 0:3, 0:8]
// CHECK:         %[[M:.*]] = stablehlo.reshape %[[S]] {{.*}} -> tensor<2x3x8xf32>
// CHECK:         %[[AT:.*]] = stablehlo.transpose %[[M]], dims = [2, 0, 1]
// CHECK:         boost.bottleneck %{{.*}} down(%[[AT]])
// CHECK:         stablehlo.slice %[[A]] [1:2, 0:2, 0:3, 0:8]
// CHECK:         boost.bottleneck
// CHECK-NOT:     boost.bottleneck
func.func @two_layers(%x: tensor<4x8xf32>,
    %aq: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "q.0">}, %bq: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %ak: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "k.0">}, %bk: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "k.1">})
    -> tensor<4x8xf32> {
  %aq0s = stablehlo.slice %aq [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %aq0 = stablehlo.reshape %aq0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %aq0t = stablehlo.transpose %aq0, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %bq0s = stablehlo.slice %bq [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %bq0 = stablehlo.reshape %bq0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq0t = stablehlo.transpose %bq0, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %ak0s = stablehlo.slice %ak [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %ak0 = stablehlo.reshape %ak0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak0t = stablehlo.transpose %ak0, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %bk0s = stablehlo.slice %bk [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %bk0 = stablehlo.reshape %bk0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk0t = stablehlo.transpose %bk0, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %q0 = boost.bottleneck %x down(%aq0t) up(%bq0t) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k0 = boost.bottleneck %x down(%ak0t) up(%bk0t) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %y = stablehlo.subtract %q0, %k0 : tensor<4x8xf32>
  %aq1s = stablehlo.slice %aq [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %aq1 = stablehlo.reshape %aq1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %aq1t = stablehlo.transpose %aq1, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %bq1s = stablehlo.slice %bq [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %bq1 = stablehlo.reshape %bq1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq1t = stablehlo.transpose %bq1, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %ak1s = stablehlo.slice %ak [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %ak1 = stablehlo.reshape %ak1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak1t = stablehlo.transpose %ak1, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %bk1s = stablehlo.slice %bk [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %bk1 = stablehlo.reshape %bk1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk1t = stablehlo.transpose %bk1, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %q1 = boost.bottleneck %y down(%aq1t) up(%bq1t) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k1 = boost.bottleneck %y down(%ak1t) up(%bk1t) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %z = stablehlo.subtract %q1, %k1 : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// Only the first factors are transposed.
// CHECK-LABEL: func.func @one_factor(
// CHECK-SAME:    tensor<2x2x8xf32> {boost.parts = [
// CHECK-SAME:    tensor<2x2x6xf32> {boost.parts = [
// CHECK-COUNT-1: boost.bottleneck
// CHECK-NOT:     boost.bottleneck
func.func @one_factor(%x: tensor<4x8xf32>,
    %aq: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "q.0">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %ak: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "k.0">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.1">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %aqt = stablehlo.transpose %aq, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %q = boost.bottleneck %x down(%aqt) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %akt = stablehlo.transpose %ak, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %k = boost.bottleneck %x down(%akt) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Queries and values are transposed, keys are not: they stay by themselves.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME:    tensor<2x2x8xf32> {boost.parts = [{{.*}}"q.0"{{.*}}"v.0"
// CHECK-SAME:    tensor<2x6x2xf32> {boost.parts = [{{.*}}"q.1"{{.*}}"v.1"
// CHECK-SAME:    tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.0">}
// CHECK-COUNT-2: boost.bottleneck
// CHECK-NOT:     boost.bottleneck
func.func @mixed(%x: tensor<4x8xf32>,
    %aq: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "q.0">}, %bq: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.0">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.1">},
    %av: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "v.0">}, %bv: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "v.1">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %aqt = stablehlo.transpose %aq, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bqt = stablehlo.transpose %bq, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %q = boost.bottleneck %x down(%aqt) up(%bqt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %avt = stablehlo.transpose %av, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %bvt = stablehlo.transpose %bv, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %v = boost.bottleneck %x down(%avt) up(%bvt) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k, %v : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// One weight read by rows in one place and by columns in another: it can be
// packed one way only, and both stay.
// CHECK-LABEL: func.func @both_ways(
// CHECK-COUNT-4: boost.bottleneck
// CHECK:         return
func.func @both_ways(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>,
    %a0: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "q.0">}, %b0: tensor<8x9xf32> {boost.tensor = #boost.tensor<param "q.1">},
    %a1: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "k.0">}, %b1: tensor<8x9xf32> {boost.tensor = #boost.tensor<param "k.1">},
    %b2: tensor<8x9xf32> {boost.tensor = #boost.tensor<param "r.1">}, %b3: tensor<8x9xf32> {boost.tensor = #boost.tensor<param "s.1">})
    -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>) {
  %0 = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x9xf32> -> tensor<4x9xf32>
  %1 = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x9xf32> -> tensor<4x9xf32>
  %a0t = stablehlo.transpose %a0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %a1t = stablehlo.transpose %a1, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = boost.bottleneck %y down(%a0t) up(%b2) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x9xf32> -> tensor<4x9xf32>
  %3 = boost.bottleneck %y down(%a1t) up(%b3) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x9xf32> -> tensor<4x9xf32>
  return %0, %1, %2, %3 : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>
}

// RUN: boost-opt %s -boost-group-linears -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t

// Frozen factors are packed with frozen ones, and with no trained ones.
// CHECK-LABEL: func.func @frozen(
// CHECK-SAME:    tensor<8x2x2xf32> {{{.*}}boost.tensor = #boost.tensor<frozen "{q,k}.down">}
// CHECK-SAME:    tensor<2x2x6xf32> {{{.*}}boost.tensor = #boost.tensor<frozen "{q,k}.up">}
func.func @frozen(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "q.down">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "q.up">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "k.down">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func.func @mixed(
// CHECK-SAME:    #boost.tensor<frozen "q.down">
// CHECK-SAME:    #boost.tensor<param "k.down">
func.func @mixed(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "q.down">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "q.up">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Constants are packed with constants alone.
// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    tensor<8x2x2xf32> {{{.*}}boost.tensor = #boost.tensor<frozen "{q,k}.down", init = "stored">}
// CHECK-SAME:    tensor<2x2x6xf32> {{{.*}}boost.tensor = #boost.tensor<frozen "{q,k}.up", init = "stored">}
func.func @constants(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "q.down", init = "stored">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "q.up", init = "stored">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "k.down", init = "stored">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "k.up", init = "stored">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func.func @constants_and_frozen(
// CHECK-SAME:    #boost.tensor<frozen "q.down", init = "stored">
// CHECK-SAME:    #boost.tensor<frozen "k.down">
func.func @constants_and_frozen(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "q.down", init = "stored">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "q.up", init = "stored">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<frozen "k.down">}, %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<frozen "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

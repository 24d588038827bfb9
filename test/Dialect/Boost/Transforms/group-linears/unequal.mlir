// RUN: boost-opt %s -boost-group-linears -o %t
// RUN: FileCheck %s < %t
// RUN: boost-opt %t -boost-decompose-pipeline -o %t.decomposed
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-eval --compare %s %t.decomposed --function=widths
// RUN: boost-eval --compare %s %t.decomposed --function=ranks

// Grouped-query attention: keys and values have fewer heads. All share the
// product down; those of one width the product up.
// CHECK-LABEL: func.func @widths(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK-SAME:    %[[A:[^:]*]]: tensor<8x3x2xf32> {{{.*}}boost.tensor = #boost.tensor<param "{q,k,v}.down"
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">}
// CHECK-SAME:    %[[KV:[^:]*]]: tensor<2x2x3xf32> {{{.*}}boost.tensor = #boost.tensor<param "{k,v}.up"
// CHECK-NEXT:    boost.bottleneck %[[X]] down(%[[A]]) up(%[[Q]], %[[KV]])
// CHECK-SAME:      -> tensor<4x6xf32>, tensor<2x4x3xf32>
func.func @widths(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %bk: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "k.up">},
    %av: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "v.down">}, %bv: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "v.up">})
    -> (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x3xf32> -> tensor<4x3xf32>
  %v = boost.bottleneck %x down(%av) up(%bv) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x3xf32> -> tensor<4x3xf32>
  return %q, %k, %v : tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}

// Different ranks stand side by side in a matrix. Equal branches come together
// though another one stands between them.
// CHECK-LABEL: func.func @ranks(
// CHECK-SAME:    tensor<8x7xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.down", dim = 1, offset = 0, shape = [8, 2]>,
// CHECK-SAME:      #boost.part<name = "v.down", dim = 1, offset = 2, shape = [8, 2]>,
// CHECK-SAME:      #boost.part<name = "k.down", dim = 1, offset = 4, shape = [8, 3]>], boost.tensor = #boost.tensor<param "{q,v,k}.down">}
// CHECK-SAME:    tensor<2x2x6xf32> {{{.*}}boost.tensor = #boost.tensor<param "{q,v}.up"
// CHECK-NEXT:    boost.bottleneck
// CHECK-SAME:      -> tensor<2x4x6xf32>, tensor<4x6xf32>
func.func @ranks(%x: tensor<4x8xf32>,
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %ak: tensor<8x3xf32> {boost.tensor = #boost.tensor<param "k.down">}, %bk: tensor<3x6xf32> {boost.tensor = #boost.tensor<param "k.up">},
    %av: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "v.down">}, %bv: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "v.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%aq) up(%bq) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x6xf32> -> tensor<4x6xf32>
  %v = boost.bottleneck %x down(%av) up(%bv) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k, %v : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// RUN: boost-opt %s -split-input-file --boost-infer-feeds | FileCheck %s
// What is told by type and name: as many rows as the ids have, and as many columns or one less.

// CHECK-LABEL: func.func @beside
// CHECK-SAME:    #boost.tensor<batch "ids", feed = tokens>
// CHECK-SAME:    #boost.tensor<batch "a.mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "b.mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "c.mask">
// CHECK-SAME:    #boost.tensor<batch "d.mask">
// CHECK-SAME:    #boost.tensor<batch "e.mask">
// CHECK-SAME:    #boost.tensor<batch "f.mask">
// CHECK-SAME:    #boost.tensor<batch "mask.a">
// CHECK-SAME:    #boost.tensor<batch "g.loss_mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "h.positions", feed = positions>
// CHECK-SAME:    #boost.tensor<batch "i.segment_ids", feed = segments>
// CHECK-SAME:    #boost.tensor<batch "j.positions">
func.func @beside(%ids: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "ids">},
                  %a: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "a.mask">}, %b: tensor<2x3xi1> {boost.tensor = #boost.tensor<batch "b.mask">},
                  %c: tensor<2x2xf32> {boost.tensor = #boost.tensor<batch "c.mask">}, %d: tensor<3x4xf32> {boost.tensor = #boost.tensor<batch "d.mask">},
                  %e: tensor<2x5xf32> {boost.tensor = #boost.tensor<batch "e.mask">}, %f: tensor<2xf32> {boost.tensor = #boost.tensor<batch "f.mask">},
                  %g: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "mask.a">}, %h: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "g.loss_mask">},
                  %i: tensor<2x3xi64> {boost.tensor = #boost.tensor<batch "h.positions">}, %j: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "i.segment_ids">},
                  %k: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "j.positions">}) -> tensor<2x4xf32> {
  return %a : tensor<2x4xf32>
}

// -----

// A step is one integer.
// CHECK-LABEL: func.func @steps
// CHECK-SAME:    #boost.tensor<batch "step", feed = step>
// CHECK-SAME:    #boost.tensor<batch "a.step", feed = step>
// CHECK-SAME:    #boost.tensor<batch "b.step">
// CHECK-SAME:    #boost.tensor<batch "c.step">
// CHECK-SAME:    #boost.tensor<batch "count">
// CHECK-SAME:    #boost.tensor<batch "d.mask">
// CHECK-SAME:    #boost.tensor<batch "e.step">
func.func @steps(%a: tensor<i32> {boost.tensor = #boost.tensor<batch "step">}, %b: tensor<i64> {boost.tensor = #boost.tensor<batch "a.step">},
                 %c: tensor<1xi32> {boost.tensor = #boost.tensor<batch "b.step">}, %d: tensor<f32> {boost.tensor = #boost.tensor<batch "c.step">},
                 %e: tensor<i32> {boost.tensor = #boost.tensor<batch "count">}, %f: tensor<i32> {boost.tensor = #boost.tensor<batch "d.mask">},
                 %g: tensor<i1> {boost.tensor = #boost.tensor<batch "e.step">}) -> tensor<f32> {
  return %d : tensor<f32>
}

// -----

// The widest ids say how many columns there are, wherever they stand.
// CHECK-LABEL: func.func @widest
// CHECK-SAME:    #boost.tensor<batch "mask", feed = mask>
// CHECK-SAME:    #boost.tensor<batch "positions", feed = positions>
// CHECK-SAME:    #boost.tensor<batch "ids", feed = tokens>
func.func @widest(%a: tensor<2x4xf32> {boost.tensor = #boost.tensor<batch "mask">}, %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "positions">},
                  %c: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> tensor<2x4xf32> {
  return %a : tensor<2x4xf32>
}

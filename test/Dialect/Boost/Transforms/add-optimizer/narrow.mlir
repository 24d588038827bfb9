// RUN: boost-opt %s -split-input-file -boost-add-optimizer=master-weights=false -verify-diagnostics -o /dev/null

// Without masters: one warning for all of them, at the first; what is f32 is not counted.
func.func @gradient(
    %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">},
    %a: tensor<2xf32> {boost.tensor = #boost.tensor<param "a", decay = true>},
    // expected-warning @below {{4 parameters are 'bf16' without an f32 copy, so that small updates are rounded away: 'b', 'q', 'k' and 1 more}}
    // expected-note @below {{master-weights=true keeps f32 copies as optimizer state}}
    %b: tensor<2xbf16> {boost.tensor = #boost.tensor<param "b", decay = true>},
    %c: tensor<2x4xbf16> {boost.parts = [
      #boost.part<name = "q", dim = 1, offset = 0, shape = [2, 2]>,
      #boost.part<name = "k", dim = 1, offset = 2, shape = [2, 2]>], boost.tensor = #boost.tensor<param "{q,k}", decay = true>},
    %d: tensor<2xf16> {boost.tensor = #boost.tensor<param "d", decay = true>})
    -> (tensor<f32>, tensor<2xf32>, tensor<2xbf16>, tensor<2x4xbf16>, tensor<2xf16>) {
  boost.phase backward
  return %x, %a, %b, %c, %d : tensor<f32>, tensor<2xf32>, tensor<2xbf16>, tensor<2x4xbf16>, tensor<2xf16>
}

// -----

// A batch in bf16 is none of its business.
func.func @gradient(
    %x: tensor<bf16> {boost.tensor = #boost.tensor<batch "x">},
    %a: tensor<f32> {boost.tensor = #boost.tensor<param "a", decay = true>})
    -> (tensor<bf16>, tensor<f32>) {
  boost.phase backward
  return %x, %a : tensor<bf16>, tensor<f32>
}

// -----

// One alone.
func.func @gradient(
    %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">},
    // expected-warning @below {{1 parameter is 'f16' without an f32 copy, so that small updates are rounded away: 'a'}}
    // expected-note @below {{master-weights=true}}
    %a: tensor<f16> {boost.tensor = #boost.tensor<param "a", decay = true>})
    -> (tensor<f32>, tensor<f16>) {
  boost.phase backward
  return %x, %a : tensor<f32>, tensor<f16>
}

// -----

// As many as are shown.
func.func @gradient(
    %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">},
    // expected-warning-re @below {{3 parameters are 'f16' without an f32 copy, so that small updates are rounded away: 'a', 'b', 'c'{{$}}}}
    // expected-note @below {{master-weights=true}}
    %a: tensor<f16> {boost.tensor = #boost.tensor<param "a", decay = true>},
    %b: tensor<bf16> {boost.tensor = #boost.tensor<param "b", decay = true>},
    %c: tensor<f16> {boost.tensor = #boost.tensor<param "c", decay = true>})
    -> (tensor<f32>, tensor<f16>, tensor<bf16>, tensor<f16>) {
  boost.phase backward
  return %x, %a, %b, %c : tensor<f32>, tensor<f16>, tensor<bf16>, tensor<f16>
}

// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-place="mesh=dp=2,tp=4"
// Sizes that the mesh does not divide, with the sizes that would do.

func.func @loss(%q: tensor<4x4x6x8xf32> {boost.tensor = #boost.tensor<param "q">},
                %k: tensor<4x4x2x8xf32> {boost.tensor = #boost.tensor<param "k">},
                %a: tensor<48x2xf32> {boost.tensor = #boost.tensor<param "down">},
                %b: tensor<2x48xf32> {boost.tensor = #boost.tensor<param "up">}) -> tensor<4x4x48xf32> {
  // expected-error@+4 {{expects a number of attention heads that tp = 4 divides, but got 6}}
  // expected-note@+3 {{tp = 1 or 2 would do, or a number of attention heads of 4 or 8}}
  // expected-error@+2 {{expects a number of key and value heads that tp = 4 divides, but got 2}}
  // expected-note@+1 {{tp = 1 or 2 would do, or a number of key and value heads of 4}}
  %0, %l = boost.attention %q, %k, %k causal {scale = 0.5 : f64}
      : (tensor<4x4x6x8xf32>, tensor<4x4x2x8xf32>, tensor<4x4x2x8xf32>) -> (tensor<4x4x6x8xf32>, tensor<4x6x4xf32>)
  %1 = stablehlo.reshape %0 : (tensor<4x4x6x8xf32>) -> tensor<4x4x48xf32>
  %2 = boost.bottleneck %1 down(%a) up(%b) : tensor<4x4x48xf32> down tensor<48x2xf32> up tensor<2x48xf32> -> tensor<4x4x48xf32>
  return %2 : tensor<4x4x48xf32>
}

// -----

func.func @loss(
    // expected-error@+2 {{expects a bottleneck input width that tp = 4 divides, but got 6 in 'down'}}
    // expected-note@+1 {{tp = 1, 2, 3 or 6 would do, or a bottleneck input width of 4 or 8}}
    %a: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %b: tensor<2x12xf32> {boost.tensor = #boost.tensor<param "up">},
    // expected-error@+2 {{expects a batch that dp = 2 divides, but got 3 in 'x'}}
    // expected-note@+1 {{dp = 1 or 3 would do, or a batch of 2 or 4}}
    %x: tensor<3x6xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<3x12xf32> {
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<3x6xf32> down tensor<6x2xf32> up tensor<2x12xf32> -> tensor<3x12xf32>
  return %y : tensor<3x12xf32>
}

// -----

// One message for all layers of the same size.
func.func @loss(
    // expected-error@+2 {{expects a vocabulary that tp = 4 divides, but got 30 in 'head'}}
    // expected-note@+1 {{tp = 1, 2, 3, 5, 6, 10, 15 or 30 would do}}
    %h: tensor<8x30xf32> {boost.tensor = #boost.tensor<param "head">},
    %h2: tensor<8x30xf32> {boost.tensor = #boost.tensor<param "head2">},
    %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<2x30xf32>, tensor<2x30xf32>) {
  %0 = boost.linear %x, %h shard_output : (tensor<2x8xf32>, tensor<8x30xf32>) -> tensor<2x30xf32>
  %1 = boost.linear %x, %h2 shard_output : (tensor<2x8xf32>, tensor<8x30xf32>) -> tensor<2x30xf32>
  return %0, %1 : tensor<2x30xf32>, tensor<2x30xf32>
}

// -----

// No more ranks are proposed than there are anywhere.
func.func @loss(
    // expected-error@+2 {{expects a vocabulary that tp = 4 divides, but got 1022 in 'head'}}
    // expected-note@+1 {{tp = 1, 2, 7, 14, 73, 146, 511 or 1022 would do}}
    %h: tensor<8x1022xf32> {boost.tensor = #boost.tensor<param "head">},
    %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x1022xf32> {
  %0 = boost.linear %x, %h shard_output : (tensor<2x8xf32>, tensor<8x1022xf32>) -> tensor<2x1022xf32>
  return %0 : tensor<2x1022xf32>
}

// -----

func.func @loss(
    // expected-error@+2 {{expects a vocabulary that tp = 4 divides, but got 2050 in 'head'}}
    // expected-note@+1 {{tp = 1, 2, 5, 10, 25, 41, 50, 82, 205 or 410 would do}}
    %h: tensor<8x2050xf32> {boost.tensor = #boost.tensor<param "head">},
    %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x2050xf32> {
  %0 = boost.linear %x, %h shard_output : (tensor<2x8xf32>, tensor<8x2050xf32>) -> tensor<2x2050xf32>
  return %0 : tensor<2x2050xf32>
}

// -----

// The batch was divided into micro-batches.
func.func @loss(
    // expected-error@+2 {{expects a micro-batch that dp = 2 divides, but got 3 in 'x'}}
    // expected-note@+1 {{dp = 1 or 3 would do, or a micro-batch of 2 or 4}}
    %x: tensor<3x6xf32> {boost.tensor = #boost.tensor<batch "x">, boost.micro_batches = 8 : i64}) -> tensor<3x6xf32> {
  return %x : tensor<3x6xf32>
}

// -----

// expected-error@+1 {{expects a function '@loss' with a body, but there is none}}
module {
}

// -----

// expected-error@+1 {{'func.func' op expects arguments and results of static shape, but got 'tensor<*xf32>'}}
func.func @loss(%a: tensor<*xf32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}

// RUN: boost-opt %s -split-input-file -verify-diagnostics -boost-split-batch="micro-batches=2"

// expected-error@+2 {{expects a batch that 2 micro-batches divide, but it has 3 rows}}
// expected-note@+1 {{give a number of micro-batches that divides the batch, or export the loss of another one}}
func.func @loss(%x: tensor<3x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// expected-error@+2 {{expects a loss of a batch, to compute it in 2 micro-batches, but no argument has rows of a batch}}
// expected-note@+1 {{leave out --micro-batches}}
func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<f32> {
  return %w : tensor<f32>
}

// -----

// A mean over those tokens of the batch that count: how many is not known
// before the last micro-batch.
func.func @loss(%x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">},
                %w: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "mask">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %kept = stablehlo.multiply %x, %w : tensor<4x2xf32>
  %sum = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  // expected-error@+2 {{expects a loss that is a mean over the sequences of the batch, to compute it in 2 micro-batches, but 'stablehlo.divide' is not linear in what it reads of all sequences}}
  // expected-note@+1 {{leave out --micro-batches, or export the loss of a smaller batch and give --accumulate=2, which takes the mean of their losses}}
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  return %mean : tensor<f32>
}

// -----

func.func @loss(%x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // expected-error@+2 {{'stablehlo.reduce' combines sequences otherwise than by a sum}}
  // expected-note@+1 {{leave out --micro-batches}}
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %max : tensor<f32>
}

// -----

// Whether any token counts is no mean either.
func.func @loss(%x: tensor<4xi1> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  // expected-error@+2 {{'stablehlo.reduce' combines sequences otherwise than by a sum}}
  // expected-note@+1 {{leave out --micro-batches}}
  %any = stablehlo.reduce(%x init: %false) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
  %f = stablehlo.convert %any : (tensor<i1>) -> tensor<f32>
  return %f : tensor<f32>
}

// -----

// Sequences beside each other: a product of the batch with itself.
func.func @loss(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error@+2 {{'stablehlo.multiply' reads several sequences at once}}
  // expected-note@+1 {{leave out --micro-batches}}
  %y = stablehlo.multiply %x, %t : tensor<4x4xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// A weight for each sequence of the batch, of which a micro-batch has two.
func.func @loss(%w: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "w">},
                %x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{'stablehlo.multiply' reads an argument that has a row for every sequence and is not in the batch}}
  // expected-note@+1 {{leave out --micro-batches}}
  %y = stablehlo.multiply %x, %w : tensor<4x2xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// Numbers of sequences: those of the second micro-batch would be others.
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{'stablehlo.iota' depends on which sequence of the batch it is computed for}}
  // expected-note@+1 {{leave out --micro-batches}}
  %i = stablehlo.iota dim = 0 : tensor<4xf32>
  %y = stablehlo.multiply %x, %i : tensor<4xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// Half of the rows of a product of parameters, made for no sequence.
func.func @loss(%w: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "w">},
                %x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  // expected-error@+2 {{'stablehlo.sort' are read that belong to no sequence}}
  // expected-note@+1 {{leave out --micro-batches}}
  %s = "stablehlo.sort"(%w) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = stablehlo.multiply %x, %s : tensor<4x2xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// No scalar: a value of every sequence.
// expected-error@+2 {{but a result has values of every sequence}}
// expected-note@+1 {{leave out --micro-batches}}
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Sequences in another order, and their running sums.
func.func @loss(%x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{'stablehlo.reverse' reads several sequences at once}}
  // expected-note@+1 {{leave out --micro-batches}}
  %0 = stablehlo.reverse %x, dims = [0] : tensor<4x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %g: tensor<4xf32> {boost.tensor = #boost.tensor<param "g">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{expects a loss that is a mean over the sequences of the batch}}
  // expected-note@+1 {{leave out --micro-batches}}
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4xf32>, tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @loss(%x: tensor<4x2xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{expects a loss that is a mean over the sequences of the batch}}
  // expected-note@+1 {{leave out --micro-batches}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Every sequence is scaled by a sum over all of them.
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // expected-error@+2 {{'stablehlo.multiply' is not linear in what it reads of all sequences}}
  // expected-note@+1 {{leave out --micro-batches}}
  %y = stablehlo.multiply %x, %all : tensor<4xf32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}

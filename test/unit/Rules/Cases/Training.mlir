// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the boost dialect that only a training step has.

func.func @attention_grad(%q: tensor<4x3x4x2xf64>,
                          %k: tensor<4x3x2x2xf64>,
                          %v: tensor<4x3x2x2xf64>,
                          %g: tensor<4x3x4x2xf64>)
    -> (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>) {
  %o, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>)
      -> (tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
  %dq, %dk, %dv = boost.attention_grad %q, %k, %v of %o, %lse grad %g causal {scale = 0.5 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>, tensor<4x3x4x2xf64>)
      -> (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>)
  return %dq, %dk, %dv : tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>
}

func.func @attention_grad_one_key_head(%q: tensor<2x3x4x2xf64>,
                                       %k: tensor<2x3x1x2xf64>,
                                       %v: tensor<2x3x1x2xf64>,
                                       %g: tensor<2x3x4x2xf64>)
    -> (tensor<2x3x4x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) {
  %o, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x3x4x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>)
      -> (tensor<2x3x4x2xf64>, tensor<2x4x3xf64>)
  %dq, %dk, %dv = boost.attention_grad %q, %k, %v of %o, %lse grad %g causal {scale = 0.5 : f64}
      : (tensor<2x3x4x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x4x2xf64>, tensor<2x4x3xf64>, tensor<2x3x4x2xf64>)
      -> (tensor<2x3x4x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>)
  return %dq, %dk, %dv : tensor<2x3x4x2xf64>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>
}

func.func @attention_grad_operands(%q: tensor<4x3x4x2xf64>,
    %k: tensor<4x3x2x2xf64>,
    %v: tensor<4x3x2x2xf64>,
    %b: tensor<1x4x3x3xf64>,
    %m: tensor<4x1x1x3xi1>,
    %g: tensor<4x3x4x2xf64>,
    %h: tensor<4x4x3xf64>)
    -> (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>) {
  %o, %lse = boost.attention %q, %k, %v bias %b mask %m causal {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<1x4x3x3xf64>, tensor<4x1x1x3xi1>) -> (tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
  %dq, %dk, %dv = boost.attention_grad %q, %k, %v bias %b mask %m of %o, %lse grad %g, %h causal
      {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<1x4x3x3xf64>, tensor<4x1x1x3xi1>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
      -> (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>)
  return %dq, %dk, %dv : tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>
}

func.func @attention_bias_grad(%q: tensor<4x3x4x2xf64>,
    %k: tensor<4x3x2x2xf64>,
    %v: tensor<4x3x2x2xf64>,
    %b: tensor<4x4x3x3xf64>,
    %m: tensor<4x1x1x3xi1>,
    %g: tensor<4x3x4x2xf64>,
    %h: tensor<4x4x3xf64>)
    -> (tensor<4x4x3x3xf64>) {
  %o, %lse = boost.attention %q, %k, %v bias %b mask %m causal {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<4x4x3x3xf64>, tensor<4x1x1x3xi1>) -> (tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
  %db = boost.attention_bias_grad %q, %k, %v bias %b mask %m of %o, %lse grad %g, %h causal
      {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<4x4x3x3xf64>, tensor<4x1x1x3xi1>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
      -> (tensor<4x4x3x3xf64>)
  return %db : tensor<4x4x3x3xf64>
}

// What is repeated over batch and heads is a sum over both.
func.func @attention_bias_grad_repeated(%q: tensor<4x3x4x2xf64>,
    %k: tensor<4x3x2x2xf64>,
    %v: tensor<4x3x2x2xf64>,
    %b: tensor<1x1x1x3xf64>,
    %m: tensor<1x4x3x3xi1>,
    %g: tensor<4x3x4x2xf64>,
    %h: tensor<4x4x3xf64>)
    -> (tensor<1x1x1x3xf64>) {
  %o, %lse = boost.attention %q, %k, %v bias %b mask %m causal {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<1x1x1x3xf64>, tensor<1x4x3x3xi1>) -> (tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
  %db = boost.attention_bias_grad %q, %k, %v bias %b mask %m of %o, %lse grad %g, %h causal
      {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<1x1x1x3xf64>, tensor<1x4x3x3xi1>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>, tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
      -> (tensor<1x1x1x3xf64>)
  return %db : tensor<1x1x1x3xf64>
}

func.func @embedding_grad(%i: tensor<2x4xi32> {boost.id_limit = 8 : i64},
                          %g: tensor<2x4x4xf64>)
    -> tensor<8x4xf64> {
  %y = boost.embedding_grad %i, %g : (tensor<2x4xi32>, tensor<2x4x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @embedding_grad_outside(%i: tensor<8xi32> {boost.id_limit = 12 : i64},
                                  %g: tensor<8x4xf64>)
    -> tensor<8x4xf64> {
  %y = boost.embedding_grad %i, %g : (tensor<8xi32>, tensor<8x4xf64>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @cross_entropy_grad(%x: tensor<2x4x8xf64>,
                              %i: tensor<2x4xi32> {boost.id_limit = 8 : i64},
                              %g: tensor<2x4xf64>)
    -> tensor<2x4x8xf64> {
  %loss, %lse = boost.cross_entropy %x, %i
      : (tensor<2x4x8xf64>, tensor<2x4xi32>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
  %y = boost.cross_entropy_grad %x, %i, %lse, %g
      : tensor<2x4x8xf64>, tensor<2x4xi32>, tensor<2x4xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @adamw(%p: tensor<4x8xf32>,
                 %m: tensor<4x8xf32> {test.positive},
                 %v: tensor<4x8xf32> {test.positive},
                 %g: tensor<4x8xf32>,
                 %lr: tensor<f32>,
                 %t: tensor<f32>,
                 %s: tensor<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %q, %n, %w = boost.adamw %p, %m, %v, %g lr %lr step %t scale %s
      betas %t, %t shares %t, %t eps %t, %t decay %t {decays}
      : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  return %q, %n, %w : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

func.func @stop_gradient(%x: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %0 = boost.stop_gradient %x : tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}

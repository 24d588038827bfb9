// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the boost dialect that a forward pass has.

func.func @linear(%x: tensor<2x4x8xf64>, %w: tensor<8x4xf64>) -> tensor<2x4x4xf64> {
  %y = boost.linear %x, %w : (tensor<2x4x8xf64>, tensor<8x4xf64>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

func.func @linear_transposed(%x: tensor<2x4x8xf64>, %w: tensor<4x8xf64>) -> tensor<2x4x4xf64> {
  %y = boost.linear %x, %w transposed : (tensor<2x4x8xf64>, tensor<4x8xf64>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

func.func @linear_matrix(%x: tensor<4x8xf64>, %w: tensor<8x8xf64>) -> tensor<4x8xf64> {
  %y = boost.linear %x, %w : (tensor<4x8xf64>, tensor<8x8xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @linear_bf16(%x: tensor<4x8xbf16>, %w: tensor<8x4xbf16>) -> tensor<4x4xbf16> {
  %y = boost.linear %x, %w : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
  return %y : tensor<4x4xbf16>
}

func.func @linear_bf16_to_f32(%x: tensor<4x8xbf16>, %w: tensor<8x4xbf16>) -> tensor<4x4xf32> {
  %y = boost.linear %x, %w : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Grouped heads: two query heads read one key head.
func.func @attention(%q: tensor<2x5x4x3xf64>,
                     %k: tensor<2x5x2x3xf64>,
                     %v: tensor<2x5x2x3xf64>)
    -> tensor<2x5x4x3xf64> {
  %y, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x5x4x3xf64>, tensor<2x5x2x3xf64>, tensor<2x5x2x3xf64>)
      -> (tensor<2x5x4x3xf64>, tensor<2x4x5xf64>)
  return %y : tensor<2x5x4x3xf64>
}

func.func @attention_full(%q: tensor<1x4x2x3xf64>,
                          %k: tensor<1x4x2x3xf64>,
                          %v: tensor<1x4x2x3xf64>)
    -> tensor<1x4x2x3xf64> {
  %y, %lse = boost.attention %q, %k, %v {scale = 0.5 : f64}
      : (tensor<1x4x2x3xf64>, tensor<1x4x2x3xf64>, tensor<1x4x2x3xf64>)
      -> (tensor<1x4x2x3xf64>, tensor<1x2x4xf64>)
  return %y : tensor<1x4x2x3xf64>
}

func.func @attention_four_heads(%q: tensor<4x3x4x2xf64>,
                                %k: tensor<4x3x4x2xf64>,
                                %v: tensor<4x3x4x2xf64>)
    -> tensor<4x3x4x2xf64> {
  %y, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<4x3x4x2xf64>, tensor<4x3x4x2xf64>, tensor<4x3x4x2xf64>)
      -> (tensor<4x3x4x2xf64>, tensor<4x4x3xf64>)
  return %y : tensor<4x3x4x2xf64>
}

func.func @attention_lse(%q: tensor<2x5x4x3xf64>,
                         %k: tensor<2x5x2x3xf64>,
                         %v: tensor<2x5x2x3xf64>)
    -> (tensor<2x5x4x3xf64>, tensor<2x4x5xf64>) {
  %y, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x5x4x3xf64>, tensor<2x5x2x3xf64>, tensor<2x5x2x3xf64>)
      -> (tensor<2x5x4x3xf64>, tensor<2x4x5xf64>)
  return %y, %lse : tensor<2x5x4x3xf64>, tensor<2x4x5xf64>
}

func.func @attention_lse_full(%q: tensor<2x4x2x3xf64>,
                              %k: tensor<2x4x2x3xf64>,
                              %v: tensor<2x4x2x3xf64>)
    -> (tensor<2x4x2x3xf64>, tensor<2x2x4xf64>) {
  %y, %lse = boost.attention %q, %k, %v {scale = 0.5 : f64}
      : (tensor<2x4x2x3xf64>, tensor<2x4x2x3xf64>, tensor<2x4x2x3xf64>)
      -> (tensor<2x4x2x3xf64>, tensor<2x2x4xf64>)
  return %y, %lse : tensor<2x4x2x3xf64>, tensor<2x2x4xf64>
}

func.func @embedding(%t: tensor<8x4xf64>,
                     %i: tensor<2x4xi32> {boost.id_limit = 8 : i64})
    -> tensor<2x4x4xf64> {
  %y = boost.embedding %t, %i : (tensor<8x4xf64>, tensor<2x4xi32>) -> tensor<2x4x4xf64>
  return %y : tensor<2x4x4xf64>
}

func.func @embedding_outside(%t: tensor<8x4xf64>,
                             %i: tensor<8xi32> {boost.id_limit = 12 : i64})
    -> tensor<8x4xf64> {
  %y = boost.embedding %t, %i : (tensor<8x4xf64>, tensor<8xi32>) -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

func.func @cross_entropy(%x: tensor<2x4x8xf64>,
                         %i: tensor<2x4xi32> {boost.id_limit = 8 : i64})
    -> tensor<2x4xf64> {
  %loss, %lse = boost.cross_entropy %x, %i
      : (tensor<2x4x8xf64>, tensor<2x4xi32>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
  return %loss : tensor<2x4xf64>
}

func.func @cross_entropy_lse(%x: tensor<2x4x8xf64>,
                             %i: tensor<2x4xi32> {boost.id_limit = 8 : i64})
    -> (tensor<2x4xf64>, tensor<2x4xf64>) {
  %loss, %lse = boost.cross_entropy %x, %i
      : (tensor<2x4x8xf64>, tensor<2x4xi32>) -> (tensor<2x4xf64>, tensor<2x4xf64>)
  return %loss, %lse : tensor<2x4xf64>, tensor<2x4xf64>
}

func.func @cross_entropy_row(%x: tensor<4x8xf64>,
                             %i: tensor<4xi32> {boost.id_limit = 8 : i64})
    -> tensor<4xf64> {
  %loss, %lse = boost.cross_entropy %x, %i
      : (tensor<4x8xf64>, tensor<4xi32>) -> (tensor<4xf64>, tensor<4xf64>)
  return %loss : tensor<4xf64>
}

func.func @sum_of_squares(%a: tensor<4x8xf64>, %b: tensor<4xf64>) -> tensor<f64> {
  %y = boost.sum_of_squares %a, %b : (tensor<4x8xf64>, tensor<4xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

func.func @rms_norm(%x: tensor<2x4x8xf64>, %g: tensor<8xf64>) -> tensor<2x4x8xf64> {
  %y = boost.rms_norm %x, %g {eps = 9.765625e-4 : f64} : tensor<2x4x8xf64>, tensor<8xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @layer_norm(%x: tensor<2x4x8xf64>, %g: tensor<8xf64>, %b: tensor<8xf64>)
    -> tensor<2x4x8xf64> {
  %y = boost.layer_norm %x, %g, %b {eps = 9.765625e-4 : f64}
      : tensor<2x4x8xf64>, tensor<8xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @bottleneck_layer_norm(%x: tensor<4x8xf64>,
                                 %g: tensor<8xf64>,
                                 %b: tensor<8xf64>,
                                 %d: tensor<8x2x4xf64>,
                                 %u: tensor<2x4x8xf64>)
    -> tensor<2x4x8xf64> {
  %y = boost.bottleneck %x norm(%g beta %b, 9.765625e-4) down(%d) up(%u)
      : tensor<4x8xf64> norm tensor<8xf64> beta tensor<8xf64> down tensor<8x2x4xf64>
        up tensor<2x4x8xf64> -> tensor<2x4x8xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @bottleneck(%x: tensor<2x4x8xf64>,
                      %d: tensor<8x4xf64>,
                      %u: tensor<4x8xf64>)
    -> tensor<2x4x8xf64> {
  %y = boost.bottleneck %x down(%d) up(%u) activation(silu)
      : tensor<2x4x8xf64> down tensor<8x4xf64> up tensor<4x8xf64> -> tensor<2x4x8xf64>
  return %y : tensor<2x4x8xf64>
}

func.func @bottleneck_norm_latent_ups(%x: tensor<4x8xf64>,
                                      %g: tensor<8xf64>,
                                      %d: tensor<8x6xf64>,
                                      %u0: tensor<4x8xf64>,
                                      %u1: tensor<2x4xf64>,
                                      %h: tensor<4x6xf64>)
    -> (tensor<4x8xf64>, tensor<4x4xf64>, tensor<4x6xf64>) {
  %y:3 = boost.bottleneck %x norm(%g, 9.765625e-4) down(%d) up(%u0, %u1) latent(%h)
      : tensor<4x8xf64> norm tensor<8xf64> down tensor<8x6xf64>
        up tensor<4x8xf64>, tensor<2x4xf64> latent tensor<4x6xf64>
      -> tensor<4x8xf64>, tensor<4x4xf64> latent tensor<4x6xf64>
  return %y#0, %y#1, %y#2 : tensor<4x8xf64>, tensor<4x4xf64>, tensor<4x6xf64>
}

// Narrow values with wide statistics, and wide ids.
func.func @attention_bf16(%q: tensor<2x5x4x3xbf16>,
                         %k: tensor<2x5x2x3xbf16>,
                         %v: tensor<2x5x2x3xbf16>)
    -> (tensor<2x5x4x3xbf16>, tensor<2x4x5xf32>) {
  %y, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x5x4x3xbf16>, tensor<2x5x2x3xbf16>, tensor<2x5x2x3xbf16>)
      -> (tensor<2x5x4x3xbf16>, tensor<2x4x5xf32>)
  return %y, %lse : tensor<2x5x4x3xbf16>, tensor<2x4x5xf32>
}

func.func @cross_entropy_bf16(%x: tensor<2x4x8xbf16>,
                             %i: tensor<2x4xi64> {boost.id_limit = 8 : i64})
    -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %loss, %lse = boost.cross_entropy %x, %i
      : (tensor<2x4x8xbf16>, tensor<2x4xi64>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %loss, %lse : tensor<2x4xf32>, tensor<2x4xf32>
}

func.func @embedding_bf16(%t: tensor<8x4xbf16>,
                     %i: tensor<2x4xi64> {boost.id_limit = 8 : i64})
    -> tensor<2x4x4xbf16> {
  %y = boost.embedding %t, %i : (tensor<8x4xbf16>, tensor<2x4xi64>) -> tensor<2x4x4xbf16>
  return %y : tensor<2x4x4xbf16>
}

func.func @rms_norm_bf16(%x: tensor<2x4x8xbf16>, %g: tensor<8xbf16>) -> tensor<2x4x8xbf16> {
  %y = boost.rms_norm %x, %g {eps = 9.765625e-4 : f64} : tensor<2x4x8xbf16>, tensor<8xbf16>
  return %y : tensor<2x4x8xbf16>
}

func.func @layer_norm_bf16(%x: tensor<2x4x8xbf16>, %g: tensor<8xbf16>, %b: tensor<8xbf16>)
    -> tensor<2x4x8xbf16> {
  %y = boost.layer_norm %x, %g, %b {eps = 9.765625e-4 : f64}
      : tensor<2x4x8xbf16>, tensor<8xbf16>
  return %y : tensor<2x4x8xbf16>
}

func.func @bottleneck_bf16(%x: tensor<4x8xbf16>,
                            %g: tensor<8xbf16>,
                            %d: tensor<8x6xbf16>,
                            %u0: tensor<4x8xbf16>,
                            %u1: tensor<2x4xbf16>,
                            %h: tensor<4x6xbf16>)
    -> (tensor<4x8xbf16>, tensor<4x4xbf16>, tensor<4x6xbf16>) {
  %y:3 = boost.bottleneck %x norm(%g, 9.765625e-4) down(%d) up(%u0, %u1) latent(%h)
      : tensor<4x8xbf16> norm tensor<8xbf16> down tensor<8x6xbf16>
        up tensor<4x8xbf16>, tensor<2x4xbf16> latent tensor<4x6xbf16>
      -> tensor<4x8xbf16>, tensor<4x4xbf16> latent tensor<4x6xbf16>
  return %y#0, %y#1, %y#2 : tensor<4x8xbf16>, tensor<4x4xbf16>, tensor<4x6xbf16>
}

func.func @sum_of_squares_mixed(%a: tensor<4x8xbf16>, %b: tensor<4xf32>) -> tensor<f32> {
  %y = boost.sum_of_squares %a, %b : (tensor<4x8xbf16>, tensor<4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Everything that scores are made of, and more keys than queries.
func.func @attention_operands(%q: tensor<2x3x4x2xf64>,
                              %k: tensor<2x5x2x2xf64>,
                              %v: tensor<2x5x2x2xf64>,
                              %b: tensor<1x4x3x5xf64>,
                              %m: tensor<2x1x1x5xi1>)
    -> (tensor<2x3x4x2xf64>, tensor<2x4x3xf64>) {
  %y, %lse = boost.attention %q, %k, %v bias %b mask %m {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<2x3x4x2xf64>, tensor<2x5x2x2xf64>, tensor<2x5x2x2xf64>, tensor<1x4x3x5xf64>,
         tensor<2x1x1x5xi1>) -> (tensor<2x3x4x2xf64>, tensor<2x4x3xf64>)
  return %y, %lse : tensor<2x3x4x2xf64>, tensor<2x4x3xf64>
}

// The first query sees one key or none.
func.func @attention_causal_mask(%q: tensor<4x3x2x2xf64>,
                                 %k: tensor<4x3x2x2xf64>,
                                 %v: tensor<4x3x2x2xf64>,
                                 %b: tensor<4x1x1x3xf64>,
                                 %m: tensor<4x2x3x3xi1>)
    -> (tensor<4x3x2x2xf64>, tensor<4x2x3xf64>) {
  %y, %lse = boost.attention %q, %k, %v bias %b mask %m causal {scale = 0.5 : f64}
      : (tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<4x3x2x2xf64>, tensor<4x1x1x3xf64>,
         tensor<4x2x3x3xi1>) -> (tensor<4x3x2x2xf64>, tensor<4x2x3xf64>)
  return %y, %lse : tensor<4x3x2x2xf64>, tensor<4x2x3xf64>
}

// All query heads read one key head, which every rank has whole.
func.func @attention_one_key_head(%q: tensor<2x4x4x3xf64>,
                                  %k: tensor<2x4x1x3xf64>,
                                  %v: tensor<2x4x1x3xf64>)
    -> (tensor<2x4x4x3xf64>, tensor<2x4x4xf64>) {
  %y, %lse = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<2x4x4x3xf64>, tensor<2x4x1x3xf64>, tensor<2x4x1x3xf64>)
      -> (tensor<2x4x4x3xf64>, tensor<2x4x4xf64>)
  return %y, %lse : tensor<2x4x4x3xf64>, tensor<2x4x4xf64>
}

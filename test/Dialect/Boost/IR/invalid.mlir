// RUN: boost-opt %s -split-input-file -verify-diagnostics
// One refusal per constraint of every operation.

func.func @linear_input_rank(%x: tensor<f32>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{expects an input of rank 1 or more, but got 'tensor<f32>'}}
  %0 = boost.linear %x, %w : (tensor<f32>, tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @linear_weight_rank(%x: tensor<2x8xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{expects a weight of rank 2, but got 'tensor<8xf32>'}}
  %0 = boost.linear %x, %w : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @linear_weight_element(%x: tensor<2x8xf32>, %w: tensor<8x4xbf16>) {
  // expected-error@+1 {{expects a weight of element type 'f32', but got 'bf16'}}
  %0 = boost.linear %x, %w : (tensor<2x8xf32>, tensor<8x4xbf16>) -> tensor<2x4xf32>
  return
}

// -----

func.func @linear_contracted(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a contracted weight dimension of size 8, but got 4}}
  %0 = boost.linear %x, %w transposed : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @linear_result_shape(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a result of shape [2, 4], but got 'tensor<2x8xf32>'}}
  %0 = boost.linear %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @linear_result_element(%x: tensor<2x8xbf16>, %w: tensor<8x4xbf16>) {
  // expected-error@+1 {{expects a result of element type 'bf16' or f32, but got 'f16'}}
  %0 = boost.linear %x, %w : (tensor<2x8xbf16>, tensor<8x4xbf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @rms_norm_gamma_shape(%x: tensor<2x8xf32>, %g: tensor<4xf32>) {
  // expected-error@+1 {{expects gamma of shape [8], but got 'tensor<4xf32>'}}
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @rms_norm_gamma_element(%x: tensor<2x8xf32>, %g: tensor<8xbf16>) {
  // expected-error@+1 {{expects gamma of element type 'f32' or f32, but got 'bf16'}}
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x8xf32>, tensor<8xbf16>
  return
}

// -----

func.func @rms_norm_eps(%x: tensor<2x8xf32>, %g: tensor<8xf32>) {
  // expected-error@+1 {{expects eps of 0 or more, but got -1}}
  %0 = boost.rms_norm %x, %g {eps = -1.0 : f64} : tensor<2x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_beta_type(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{failed to verify that all of {gamma, beta} have same type}}
  %0 = "boost.layer_norm"(%x, %g, %b) {eps = 1.0e-6 : f64}
      : (tensor<2x8xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_gamma_shape(%x: tensor<2x8xf32>, %g: tensor<4xf32>) {
  // expected-error@+1 {{expects gamma of shape [8], but got 'tensor<4xf32>'}}
  %0 = boost.layer_norm %x, %g, %g {eps = 1.0e-6 : f64} : tensor<2x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @layer_norm_eps(%x: tensor<2x8xf32>, %g: tensor<8xf32>) {
  // expected-error@+1 {{expects eps of 0 or more, but got -1}}
  %0 = boost.layer_norm %x, %g, %g {eps = -1.0 : f64} : tensor<2x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @bottleneck_beta_alone(%x: tensor<2x8xf32>, %h: tensor<8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects beta with gamma, but got only beta}}
  %0 = "boost.bottleneck"(%x, %h, %a, %b) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 0>,
      resultSegmentSizes = array<i32: 1, 0>}
      : (tensor<2x8xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_beta_shape(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %h: tensor<4xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects beta of shape [8], but got 'tensor<4xf32>'}}
  %0 = boost.bottleneck %x norm(%g beta %h, 1.0e-6) down(%a) up(%b)
      : tensor<2x8xf32> norm tensor<8xf32> beta tensor<4xf32> down tensor<8x4xf32>
        up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_norm_whole(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects gamma and eps together, but got only eps}}
  %0 = boost.bottleneck %x down(%a) up(%b) {eps = 1.0e-6 : f64}
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_down_rank(%x: tensor<2x8xf32>, %a: tensor<8xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a down factor of rank 2 or 3, but got 'tensor<8xf32>'}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_down_size(%x: tensor<2x8xf32>, %a: tensor<4x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a first down dimension of size 8, but got 4}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<4x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_results(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a number of results of 1, but got 2}}
  %0, %1 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>, tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_ranks(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<3x8xf32>) {
  // expected-error@+1 {{expects ranks of the up factors that add up to 4, but got 3}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<3x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_result_type(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x8xf32>', but got 'tensor<2x4xf32>'}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @bottleneck_latent(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a latent of type 'tensor<2x4xf32>', but got 'tensor<2x8xf32>'}}
  %0 = boost.bottleneck %x down(%a) up(%b) latent(%x)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xf32> latent tensor<2x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_latent_result(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error@+1 {{expects a latent result of type 'tensor<2x4xf32>', but got 'tensor<2x8xf32>'}}
  %0, %h = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32> latent tensor<2x8xf32>
  return
}

// -----

func.func @attention_query_rank(%q: tensor<16x4x8xf32>, %k: tensor<2x16x4x8xf32>) {
  // expected-error@+1 {{expects a query of rank 4, but got 'tensor<16x4x8xf32>'}}
  %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<16x4x8xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @attention_value_type(%q: tensor<2x16x4x8xf32>, %v: tensor<2x16x2x8xf32>) {
  // expected-error@+1 {{expects a value of the key's type 'tensor<2x16x4x8xf32>', but got 'tensor<2x16x2x8xf32>'}}
  %o, %l = boost.attention %q, %q, %v {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x2x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_heads(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x3x8xf32>) {
  // expected-error@+1 {{expects a number of key heads that divides the 4 query heads, but got 3}}
  %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x3x8xf32>, tensor<2x16x3x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_head_size(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x4xf32>) {
  // expected-error@+1 {{expects a key of head size 8, but got 4}}
  %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_batch(%q: tensor<2x16x4x8xf32>, %k: tensor<1x16x4x8xf32>) {
  // expected-error@+1 {{expects a key of batch size 2, but got 1}}
  %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<1x16x4x8xf32>, tensor<1x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_causal_length(%q: tensor<2x16x4x8xf32>, %k: tensor<2x8x4x8xf32>) {
  // expected-error@+1 {{expects with causal a key of length 16, but got 8}}
  %o, %l = boost.attention %q, %k, %k causal {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_lse(%q: tensor<2x16x4x8xf32>) {
  // expected-error@+1 {{expects lse of type 'tensor<2x4x16xf32>', but got 'tensor<2x16x4xf32>'}}
  %o, %l = boost.attention %q, %q, %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4xf32>)
  return
}

// -----

func.func @attention_result(%q: tensor<2x16x4x8xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x16x4x8xf32>', but got 'tensor<2x4x16x8xf32>'}}
  %o, %l = boost.attention %q, %q, %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x4x16x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_bias_shape(%q: tensor<2x16x4x8xf32>, %b: tensor<4x16xf32>) {
  // expected-error@+1 {{expects a bias of shape [2, 4, 16, 16], or 1 in any of them, but got 'tensor<4x16xf32>'}}
  %o, %l = boost.attention %q, %q, %q bias %b {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<4x16xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_bias_type(%q: tensor<2x16x4x8xf32>, %b: tensor<1x1x16x16xf64>) {
  // expected-error@+1 {{expects a bias of element type 'f32', but got 'f64'}}
  %o, %l = boost.attention %q, %q, %q bias %b {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x1x16x16xf64>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_mask_shape(%q: tensor<2x16x4x8xf32>, %m: tensor<1x2x16x16xi1>) {
  // expected-error@+1 {{expects a mask of shape [2, 4, 16, 16], or 1 in any of them, but got 'tensor<1x2x16x16xi1>'}}
  %o, %l = boost.attention %q, %q, %q mask %m {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x2x16x16xi1>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_soft_cap(%q: tensor<2x16x4x8xf32>) {
  // expected-error@+1 {{expects a soft_cap above 0, but got 0}}
  %o, %l = boost.attention %q, %q, %q {scale = 1.0 : f64, soft_cap = 0.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_grad_lse(%q: tensor<2x16x4x8xf32>, %l: tensor<2x16xf32>) {
  // expected-error@+1 {{expects lse of type 'tensor<2x4x16xf32>', but got 'tensor<2x16xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>)
  return
}

// -----

func.func @attention_grad_of_lse(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>, %g: tensor<2x16x4xf32>) {
  // expected-error@+1 {{expects a gradient of lse of type 'tensor<2x4x16xf32>', but got 'tensor<2x16x4xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %q, %g {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>)
  return
}

// -----

func.func @attention_grad_result(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x16x4x8xf32>', but got 'tensor<2x8x4x8xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>, tensor<2x16x4x8xf32>)
  return
}

// -----

func.func @attention_bias_grad_without_bias(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>) {
  // expected-error@+1 {{expects a bias, of which it is the gradient}}
  %db = boost.attention_bias_grad %q, %q, %q of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> tensor<1x1x16x16xf32>
  return
}

// -----

func.func @embedding_table(%t: tensor<8xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{expects a table of rank 2, but got 'tensor<8xf32>'}}
  %0 = boost.embedding %t, %i : (tensor<8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @embedding_result(%t: tensor<16x8xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x4x8xf32>', but got 'tensor<2x8xf32>'}}
  %0 = boost.embedding %t, %i : (tensor<16x8xf32>, tensor<2x4xi32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @embedding_grad_table(%g: tensor<2x4x8xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{expects a table gradient of rank 2, but got 'tensor<8xf32>'}}
  %0 = boost.embedding_grad %i, %g : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @embedding_grad_gradient(%g: tensor<2x4x8xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{expects a gradient of type 'tensor<2x4x4xf32>', but got 'tensor<2x4x8xf32>'}}
  %0 = boost.embedding_grad %i, %g : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @cross_entropy_labels(%x: tensor<2x4x8xf32>, %l: tensor<2xi32>) {
  // expected-error@+1 {{expects labels of shape [2, 4], but got 'tensor<2xi32>'}}
  %0, %1 = boost.cross_entropy %x, %l : (tensor<2x4x8xf32>, tensor<2xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @cross_entropy_loss(%x: tensor<2x4x8xf32>, %l: tensor<2x4xi32>) {
  // expected-error@+1 {{expects a loss of type 'tensor<2x4xf32>', but got 'tensor<2xf32>'}}
  %0, %1 = boost.cross_entropy %x, %l : (tensor<2x4x8xf32>, tensor<2x4xi32>) -> (tensor<2xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @cross_entropy_lse(%x: tensor<2x4x8xf64>, %l: tensor<2x4xi32>) {
  // expected-error@+1 {{expects lse of type 'tensor<2x4xf64>', but got 'tensor<2x4xf32>'}}
  %0, %1 = boost.cross_entropy %x, %l : (tensor<2x4x8xf64>, tensor<2x4xi32>) -> (tensor<2x4xf64>, tensor<2x4xf32>)
  return
}

// -----

func.func @cross_entropy_grad_lse(%x: tensor<2x4x8xf32>, %l: tensor<2x4xi32>, %s: tensor<2xf32>) {
  // expected-error@+1 {{expects lse of type 'tensor<2x4xf32>', but got 'tensor<2xf32>'}}
  %0 = boost.cross_entropy_grad %x, %l, %s, %s : tensor<2x4x8xf32>, tensor<2x4xi32>, tensor<2xf32>
  return
}

// -----

func.func @sum_of_squares_inputs() {
  // expected-error@+1 {{expects one input or more, but got none}}
  %0 = "boost.sum_of_squares"() : () -> tensor<f32>
  return
}

// -----

func.func @sum_of_squares_result(%x: tensor<4xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<f64>', but got 'tensor<f32>'}}
  %0 = boost.sum_of_squares %x : (tensor<4xf64>) -> tensor<f32>
  return
}

// -----

func.func @adamw_gradient(%p: tensor<8xf32>, %g: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a gradient of shape [8], but got 'tensor<4xf32>'}}
  %0:3 = boost.adamw %p, %p, %p, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s
      : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @adamw_moment(%p: tensor<8xf32>, %m: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a first moment of shape [8], but got 'tensor<4xf32>'}}
  %0:3 = boost.adamw %p, %m, %m, %p lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s
      : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
  return
}

// -----

func.func @all_reduce_grid(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects the name of a shard.grid, but got @mesh}}
  %0 = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
shard.grid @mesh(shape = 2x2)
func.func @all_reduce_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects mesh axes below 2, but got 2}}
  %0 = boost.all_reduce sum %x on @mesh axes = [2] : tensor<4xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_reduce_no_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects one mesh axis or more, but got none}}
  %0 = boost.all_reduce sum %x on @mesh axes = [] : tensor<4xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_reduce_axis_twice(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects distinct mesh axes, but got axis 1 twice}}
  %0 = boost.all_reduce sum %x on @mesh axes = [1, 1] : tensor<4xf32>
  return
}

// -----

func.func @all_gather_grid(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects the name of a shard.grid, but got @mesh}}
  %0 = boost.all_gather %x dims = [0] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_nothing(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects one input or more, but got none}}
  "boost.all_gather"() <{dims = array<i64>, grid = @mesh, grid_axes = array<i16: 0>}> : () -> ()
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_no_axis(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects one mesh axis or more, but got none}}
  %0 = boost.all_gather %x dims = [0] on @mesh axes = [] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_results(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects a result and a dimension for each of 1 inputs, but got 2 results and 1 dimensions}}
  %0:2 = boost.all_gather %x dims = [0] on @mesh axes = [0] : (tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_dims(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects a result and a dimension for each of 1 inputs, but got 1 results and 2 dimensions}}
  %0 = boost.all_gather %x dims = [0, 1] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_dim(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects dimensions in [0, 2), but got 2}}
  %0 = boost.all_gather %x dims = [2] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_along_another(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects pieces of 'tensor<8x6xf32>' along dimension 1, but got 'tensor<4x6xf32>'}}
  %0 = boost.all_gather %x dims = [1] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @all_gather_pieces(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects dimension 0 of 16 in 2 pieces, one per rank of the group, but got pieces of 4}}
  %0 = boost.all_gather %x dims = [0] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<16x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @reduce_scatter_type(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects pieces of 'tensor<4x6xf32>' along dimension 1, but got 'tensor<4x3xbf16>'}}
  %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<4x3xbf16>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @reduce_scatter_rank(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects pieces of 'tensor<4x6xf32>' along dimension 1, but got 'tensor<12xf32>'}}
  %0 = boost.reduce_scatter sum %x dims = [1] on @mesh axes = [0] : (tensor<4x6xf32>) -> tensor<12xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @reduce_scatter_second(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error@+1 {{expects dimension 0 of 6 in 2 pieces, one per rank of the group, but got pieces of 2}}
  %0:2 = boost.reduce_scatter sum %x, %y dims = [0, 0] on @mesh axes = [0] : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<2x6xf32>, tensor<2xf32>)
  return
}

// -----

// expected-note@+1 {{the mesh is defined here}}
shard.grid @mesh(shape = 2x2)
func.func @reduce_scatter_axis(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects mesh axes below 2, but got 2}}
  %0 = boost.reduce_scatter sum %x dims = [0] on @mesh axes = [2] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @process_index_axis() {
  // expected-error@+1 {{expects distinct mesh axes, but got axis 0 twice}}
  %0 = boost.process_index on @mesh axes = [0, 0] : tensor<i32>
  return
}

// -----

func.func @layer_class(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a class of 0 or more, but got -1}}
  %0 = stablehlo.tanh %x {boost.layer = #boost.layer<class = -1, index = 0>} : tensor<2xf32>
  return
}

// -----

func.func @layer_index(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects an index of 0 or more, but got -2}}
  %0 = stablehlo.tanh %x {boost.layer = #boost.layer<class = 0, index = -2>} : tensor<2xf32>
  return
}

// -----

func.func @layer_kind(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects 'boost.layer' to be a #boost.layer, but got 3 : i64}}
  %0 = stablehlo.tanh %x {boost.layer = 3 : i64} : tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{expects 'boost.layer' on operations inside of functions only}}
func.func @layer_of_function() attributes {boost.layer = #boost.layer<class = 0, index = 0>} {
  return
}

// -----

func.func @phase_forward() {
  // expected-error@+1 {{expects backward or optimizer, but got forward}}
  boost.phase forward
  return
}

// -----

func.func @phase_twice() {
  // expected-note@+1 {{the other marker is here}}
  boost.phase backward
  // expected-error@+1 {{expects each marker once, backward before optimizer, but got backward behind backward}}
  boost.phase backward
  return
}

// -----

func.func @phase_order() {
  // expected-note@+1 {{the other marker is here}}
  boost.phase optimizer
  // expected-error@+1 {{expects each marker once, backward before optimizer, but got backward behind optimizer}}
  boost.phase backward
  return
}

// -----

func.func @phase_nested(%x: tensor<2xf32>, %i: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{expects to be in the body of a function, but is in 'stablehlo.reduce'}}
    boost.phase backward
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @bottleneck_gamma_alone(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{expects gamma and eps together, but got only gamma}}
  %0 = "boost.bottleneck"(%x, %g, %a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0>, resultSegmentSizes = array<i32: 1, 0>}>
      : (tensor<2x8xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_eps(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{expects eps of 0 or more, but got -1}}
  %0 = boost.bottleneck %x norm(%g, -1.0) down(%a) up(%b)
      : tensor<2x8xf32> norm tensor<8xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_gamma(%x: tensor<2x8xf32>, %g: tensor<4xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{expects gamma of shape [8], but got}}
  %0 = boost.bottleneck %x norm(%g, 1.0) down(%a) up(%b)
      : tensor<2x8xf32> norm tensor<4xf32> down tensor<8x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_up_rank(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<1x1x4x8xf32>) {
  // expected-error @below {{expects an up factor of rank 2 or 3, but got}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<1x1x4x8xf32> -> tensor<1x2x8xf32>
  return
}

// -----

func.func @bottleneck_up_vector(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expects an up factor of rank 2 or 3, but got}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_down_rank_4(%x: tensor<2x8xf32>, %a: tensor<8x1x1x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{expects a down factor of rank 2 or 3, but got}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x1x1x4xf32> up tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_up_element(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xbf16>) {
  // expected-error @below {{expects an up factor of element type 'f32', but got 'bf16'}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x4xf32> up tensor<4x8xbf16> -> tensor<2x8xf32>
  return
}

// -----

func.func @bottleneck_latent_rank(%x: tensor<2x8xf32>, %a: tensor<8x2x4xf32>, %b: tensor<1x8x8xf32>) {
  // expected-error @below {{expects an up factor of rank 4, but got 8}}
  %0 = boost.bottleneck %x down(%a) up(%b)
      : tensor<2x8xf32> down tensor<8x2x4xf32> up tensor<1x8x8xf32> -> tensor<1x2x8xf32>
  return
}

// -----

func.func @bottleneck_no_up(%x: tensor<2x8xf32>, %a: tensor<8x4xf32>) {
  // expected-error @below {{expects one up factor or more, but got none}}
  "boost.bottleneck"(%x, %a) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0>, resultSegmentSizes = array<i32: 0, 0>}>
      : (tensor<2x8xf32>, tensor<8x4xf32>) -> ()
  return
}

// -----

func.func @rms_norm_infinite_eps(%x: tensor<2x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{expects eps of 0 or more, but got}}
  %0 = boost.rms_norm %x, %g {eps = 0x7FF0000000000000 : f64} : tensor<2x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @rms_norm_scalar(%x: tensor<f32>, %g: tensor<1xf32>) {
  // expected-error @below {{expects an input of rank 1 or more, but got 'tensor<f32>'}}
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<f32>, tensor<1xf32>
  return
}

// -----

func.func @attention_key_rank(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x8xf32>) {
  // expected-error @below {{expects a key of rank 4, but got}}
  %0, %1 = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_key_element(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xbf16>) {
  // expected-error @below {{expects a key of element type 'f32', but got 'bf16'}}
  %0, %1 = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_no_key_heads(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x0x8xf32>) {
  // expected-error @below {{divides the 4 query heads, but got 0}}
  %0, %1 = boost.attention %q, %k, %k {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x0x8xf32>, tensor<2x16x0x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_negative_cap(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>) {
  // expected-error @below {{expects a soft_cap above 0, but got -1}}
  %0, %1 = boost.attention %q, %k, %k {scale = 1.0 : f64, soft_cap = -1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_infinite_cap(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>) {
  // expected-error @below {{expects a soft_cap above 0, but got}}
  %0, %1 = boost.attention %q, %k, %k {scale = 1.0 : f64, soft_cap = 0x7FF0000000000000 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_bias_size(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %b: tensor<1x4x16x8xf32>) {
  // expected-error @below {{expects a bias of shape [2, 4, 16, 16], or 1 in any of them, but got}}
  %0, %1 = boost.attention %q, %k, %k bias %b {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x4x16x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @attention_grad_grad(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>, %g: tensor<2x4x16x8xf32>) {
  // expected-error @below {{expects a gradient of type 'tensor<2x16x4x8xf32>', but got 'tensor<2x4x16x8xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %g {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x4x16x8xf32>)
      -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>)
  return
}

// -----

func.func @attention_bias_grad_result(%q: tensor<2x16x4x8xf32>, %b: tensor<1x4x16x16xf32>, %l: tensor<2x4x16xf32>) {
  // expected-error @below {{expects a result of type 'tensor<1x4x16x16xf32>', but got 'tensor<2x4x16x16xf32>'}}
  %0 = boost.attention_bias_grad %q, %q, %q bias %b of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x4x16x16xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  return
}

// -----

// expected-note @below {{the mesh is defined here}}
shard.grid @mesh(shape = 2x2)

func.func @process_index_axis() {
  // expected-error @below {{expects mesh axes below 2, but got -1}}
  %0 = boost.process_index on @mesh axes = [-1] : tensor<i32>
  return
}

// -----

func.func @attention_grad_of_query(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>) {
  // expected-error @below {{expects a result of type 'tensor<2x16x4x8xf32>', but got 'tensor<2x8x4x8xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x8x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>)
  return
}

// -----

func.func @attention_grad_of_value(%q: tensor<2x16x4x8xf32>, %l: tensor<2x4x16xf32>) {
  // expected-error @below {{expects a result of type 'tensor<2x16x4x8xf32>', but got 'tensor<2x8x4x8xf32>'}}
  %dq, %dk, %dv = boost.attention_grad %q, %q, %q of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>)
  return
}

// -----

func.func @attention_bias_grad_lse(%q: tensor<2x16x4x8xf32>, %b: tensor<1x4x16x16xf32>, %l: tensor<2x16xf32>) {
  // expected-error @below {{expects lse of type 'tensor<2x4x16xf32>', but got 'tensor<2x16xf32>'}}
  %0 = boost.attention_bias_grad %q, %q, %q bias %b of %q, %l grad %q {scale = 1.0 : f64}
      : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x4x16x16xf32>, tensor<2x16x4x8xf32>, tensor<2x16xf32>, tensor<2x16x4x8xf32>) -> tensor<1x4x16x16xf32>
  return
}

// -----

func.func @cross_entropy_scalar(%x: tensor<f32>, %l: tensor<i32>) {
  // expected-error @below {{expects logits of rank 1 or more, but got 'tensor<f32>'}}
  %0, %1 = boost.cross_entropy %x, %l : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

shard.grid @mesh(shape = 2x2)

func.func @all_reduce_nothing() {
  // expected-error @below {{expects one input or more, but got none}}
  "boost.all_reduce"() <{grid = @mesh, grid_axes = array<i16: 0>, reduction = #boost<reduction sum>}> : () -> ()
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @negative_meeting(%x: tensor<f32>) {
  // expected-error@+1 {{expects a meeting of at least 0, but got -1}}
  %0 = boost.sum_over_stages %x meeting -1 on @mesh axes = [0] : tensor<f32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @stages_of_no_axis(%x: tensor<f32>) {
  // expected-error@+1 {{expects one mesh axis or more, but got none}}
  %0 = boost.sum_over_stages %x meeting 0 on @mesh axes = [] : tensor<f32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @broadcast_nothing() {
  // expected-error@+1 {{expects one input or more, but got none}}
  "boost.broadcast"() <{grid = @mesh, grid_axes = array<i16: 0>, root = 0 : i64}> : () -> ()
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @broadcast_negative_root(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a root of at least 0, but got -1}}
  %0 = boost.broadcast %x root = -1 on @mesh axes = [0] : tensor<4xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x4)
func.func @broadcast_root(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a root in [0, 8), the positions in the group, but got 8}}
  %0 = boost.broadcast %x root = 8 on @mesh axes = [0, 1] : tensor<4xf32>
  return
}

// -----

shard.grid @mesh(shape = 2x2)
func.func @broadcast_types(%x: tensor<4xf32>) {
  // expected-error@+1 {{failed to verify that results have the types of the inputs}}
  %0 = "boost.broadcast"(%x) <{grid = @mesh, grid_axes = array<i16: 0>, root = 0 : i64}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_grid(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects the name of a shard.grid, but got @mesh}}
  %0 = boost.broadcast %x root = 0 on @mesh axes = [0] : tensor<4xf32>
  return
}

// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Shapes and element types of attention.

func.func @query_rank(%q: tensor<8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a query of rank 4, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @key_rank(%q: tensor<1x8x4x16xf32>, %k: tensor<8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a key of rank 4, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @integers(%q: tensor<1x8x4x16xi32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a query of f32, bf16, f16 or f64, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xi32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @heads(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x3x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a number of key heads that divides the 4 query heads, but got 3}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x3x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @batch(%q: tensor<1x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a key of shape [1, 8, 2, 16], but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @head_size(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x32xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a key of shape [1, 8, 2, 16], but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x32xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @key_type(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xbf16>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a key of element type 'f32', but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xbf16>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @value(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x7x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a value of shape [1, 8, 2, 16], but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x7x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @causal(%q: tensor<1x8x4x16xf32>, %k: tensor<1x7x2x16xf32>, %v: tensor<1x7x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects with causal as many keys as queries, 8, but got 7}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x7x2x16xf32>, tensor<1x7x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) causal {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @cap(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a soft_cap above 0, but got 0.000000e+00}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64, soft_cap = 0.0 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @bias(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %b: tensor<1x2x8x8xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a bias of shape [1, 4, 8, 8], or 1 in any of them, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) bias(%b : tensor<1x2x8x8xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @bias_type(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %b: tensor<1x4x8x8xbf16>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a bias of element type 'f32', but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) bias(%b : tensor<1x4x8x8xbf16>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @mask(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %m: tensor<8x8xi1>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a mask of shape [1, 4, 8, 8], or 1 in any of them, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) mask(%m : tensor<8x8xi1>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @mask_type(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %m: tensor<1x1x8x8xi8>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a mask of element type 'i1', but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) mask(%m : tensor<1x1x8x8xi8>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @result(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x8xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a result of shape [1, 8, 4, 16], but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x8xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x8xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @lse(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x8x4xf32>) {
  // expected-error @below {{expects an lse of shape [1, 4, 8], but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x8x4xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x4xf32>
  return
}

// -----

func.func @outs(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects 2 outs, but got 1}}
  %0:1 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o : tensor<1x8x4x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>
  return
}

// -----

func.func @gradient(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x2x16xf32>, %y: tensor<1x8x2x16xf32>) {
  // expected-error @below {{expects a gradient of shape [1, 8, 4, 16], but got}}
  %0:3 = boostrt.attention_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x2x16xf32>)
      outs(%q, %k, %y : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>
  return
}

// -----

func.func @lse_gradient(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x8x2x16xf32>) {
  // expected-error @below {{expects a gradient of lse of shape [1, 4, 8], but got}}
  %0:3 = boostrt.attention_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>) lse_grad(%y : tensor<1x8x2x16xf32>)
      outs(%q, %k, %y : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>
  return
}

// -----

func.func @gradient_outs(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x8x2x16xf32>) {
  // expected-error @below {{expects 3 outs, but got 2}}
  %0:2 = boostrt.attention_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>)
      outs(%q, %k : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>
  return
}

// -----

func.func @gradient_out(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x8x4x16xf32>) {
  // expected-error @below {{expects an out of shape [1, 8, 2, 16], but got}}
  %0:3 = boostrt.attention_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>)
      outs(%q, %k, %y : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>
  return
}

// -----

func.func @no_bias(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x4x8x8xf32>) {
  // expected-error @below {{expects a bias, of which it is the gradient}}
  %0:1 = boostrt.attention_bias_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>)
      outs(%y : tensor<1x4x8x8xf32>) {scale = 0.25 : f64} -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @bias_outs(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x4x8x8xf32>) {
  // expected-error @below {{expects 1 outs, but got 2}}
  %0:2 = boostrt.attention_bias_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>) bias(%y : tensor<1x4x8x8xf32>)
      outs(%y, %y : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) {scale = 0.25 : f64} -> tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>
  return
}

// -----

func.func @bias_out(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>, %y: tensor<1x4x8x8xf32>) {
  // expected-error @below {{expects an out of shape [1, 4, 8, 8], but got}}
  %0:1 = boostrt.attention_bias_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>) bias(%y : tensor<1x4x8x8xf32>)
      outs(%q : tensor<1x8x4x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>
  return
}

// -----

func.func @no_key_heads(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x0x16xf32>, %v: tensor<1x8x0x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{divides the 4 query heads, but got 0}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x0x16xf32>, tensor<1x8x0x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @value_type(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xbf16>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a value of element type 'f32', but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xbf16>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @negative_cap(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a soft_cap above 0, but got -1.0}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64, soft_cap = -1.0 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @infinite_cap(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a soft_cap above 0, but got INF}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64, soft_cap = 0x7FF0000000000000 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @mask_rank(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %v: tensor<1x8x2x16xf32>, %m: tensor<1x4x8xi1>, %o: tensor<1x8x4x16xf32>, %l: tensor<1x4x8xf32>) {
  // expected-error @below {{expects a mask of shape [1, 4, 8, 8], or 1 in any of them, but got}}
  %0:2 = boostrt.attention_forward ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>) mask(%m : tensor<1x4x8xi1>)
      outs(%o, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
  return
}

// -----

func.func @gradient_out_of_key(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x2x16xf32>, %l: tensor<1x4x8xf32>, %x: tensor<1x8x4x16xf32>) {
  // expected-error @below {{expects an out of shape [1, 8, 2, 16], but got 'tensor<1x8x4x16xf32>'}}
  %0:3 = boostrt.attention_backward ins(%q, %k, %k, %q, %l, %x : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>)
      outs(%q, %x, %k : tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>) {scale = 0.25 : f64} -> tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>
  return
}

// RUN: boost-opt %s | boost-opt | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Every operation of the dialect prints as it parses.

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @blocks
func.func @blocks(%x: tensor<4x128x512xf32>, %g: tensor<512xf32>, %a: tensor<512x128xf32>,
                  %b: tensor<128x512xf32>, %w: tensor<64x512xf32>) {
  // CHECK: boost.linear %{{.*}}, %{{.*}} : (tensor<4x128x512xf32>, tensor<512x128xf32>) -> tensor<4x128x128xf32>
  %0 = boost.linear %x, %a : (tensor<4x128x512xf32>, tensor<512x128xf32>) -> tensor<4x128x128xf32>
  // CHECK: boost.linear %{{.*}}, %{{.*}} transposed
  %1 = boost.linear %x, %w transposed : (tensor<4x128x512xf32>, tensor<64x512xf32>) -> tensor<4x128x64xf32>
  // CHECK: boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999999999995E-7 : f64}
  %2 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x128x512xf32>, tensor<512xf32>
  // CHECK: boost.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {eps = 1.000000e-05 : f64}
  %ln = boost.layer_norm %x, %g, %g {eps = 1.0e-5 : f64} : tensor<4x128x512xf32>, tensor<512xf32>
  // CHECK: boost.bottleneck %{{.*}} norm(%{{.*}} beta %{{.*}}, 1.000000e-05)
  // CHECK-SAME: norm tensor<512xf32> beta tensor<512xf32> down
  %lb = boost.bottleneck %x norm(%g beta %g, 1.0e-5) down(%a) up(%b)
      : tensor<4x128x512xf32> norm tensor<512xf32> beta tensor<512xf32> down tensor<512x128xf32>
        up tensor<128x512xf32> -> tensor<4x128x512xf32>
  // CHECK: boost.bottleneck %{{.*}} down(%{{.*}}) up(%{{.*}}) activation({{ ?}}silu)
  %3 = boost.bottleneck %2 down(%a) up(%b) activation(silu)
      : tensor<4x128x512xf32> down tensor<512x128xf32> up tensor<128x512xf32> -> tensor<4x128x512xf32>
  // CHECK: boost.bottleneck %{{.*}} norm(%{{.*}}, 1.000000e-05) down(%{{.*}}) up(%{{.*}}) latent(%{{.*}})
  %4, %h = boost.bottleneck %x norm(%g, 1.0e-5) down(%a) up(%b) latent(%0)
      : tensor<4x128x512xf32> norm tensor<512xf32> down tensor<512x128xf32> up tensor<128x512xf32>
        latent tensor<4x128x128xf32>
      -> tensor<4x128x512xf32> latent tensor<4x128x128xf32>
  return
}

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<4x128x8x64xf32>, %k: tensor<4x128x2x64xf32>, %v: tensor<4x128x2x64xf32>) {
  // CHECK: boost.attention %{{.*}}, %{{.*}}, %{{.*}} causal {scale = 1.250000e-01 : f64}
  %o, %lse = boost.attention %q, %k, %v causal {scale = 0.125 : f64}
      : (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>)
      -> (tensor<4x128x8x64xf32>, tensor<4x8x128xf32>)
  // CHECK: boost.attention_grad
  %dq, %dk, %dv = boost.attention_grad %q, %k, %v of %o, %lse grad %o causal {scale = 0.125 : f64}
      : (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>,
         tensor<4x128x8x64xf32>, tensor<4x8x128xf32>, tensor<4x128x8x64xf32>)
      -> (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>)
  return
}

// CHECK-LABEL: func @attention_operands
func.func @attention_operands(%q: tensor<4x32x8x64xf32>, %k: tensor<4x16x2x64xf32>,
                              %b: tensor<1x8x32x16xf32>, %m: tensor<4x1x1x16xi1>,
                              %g: tensor<4x8x32xf32>) {
  // CHECK: boost.attention %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} mask %{{.*}} {scale = 1.250000e-01 : f64, soft_cap = 5.000000e+01 : f64}
  %o, %lse = boost.attention %q, %k, %k bias %b mask %m {scale = 0.125 : f64, soft_cap = 50.0 : f64}
      : (tensor<4x32x8x64xf32>, tensor<4x16x2x64xf32>, tensor<4x16x2x64xf32>,
         tensor<1x8x32x16xf32>, tensor<4x1x1x16xi1>)
      -> (tensor<4x32x8x64xf32>, tensor<4x8x32xf32>)
  // CHECK: boost.attention_bias_grad %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} mask %{{.*}} of %{{.*}}, %{{.*}} grad %{{.*}}, %{{.*}} {
  %db = boost.attention_bias_grad %q, %k, %k bias %b mask %m of %o, %lse grad %o, %g
      {scale = 0.125 : f64, soft_cap = 50.0 : f64}
      : (tensor<4x32x8x64xf32>, tensor<4x16x2x64xf32>, tensor<4x16x2x64xf32>,
         tensor<1x8x32x16xf32>, tensor<4x1x1x16xi1>, tensor<4x32x8x64xf32>, tensor<4x8x32xf32>,
         tensor<4x32x8x64xf32>, tensor<4x8x32xf32>) -> tensor<1x8x32x16xf32>
  return
}

// CHECK-LABEL: func @ends
func.func @ends(%e: tensor<256x64xf32>, %ids: tensor<4x128xi32>) {
  // CHECK: boost.embedding
  %x = boost.embedding %e, %ids : (tensor<256x64xf32>, tensor<4x128xi32>) -> tensor<4x128x64xf32>
  // CHECK: boost.cross_entropy
  %loss, %lse = boost.cross_entropy %x, %ids : (tensor<4x128x64xf32>, tensor<4x128xi32>)
      -> (tensor<4x128xf32>, tensor<4x128xf32>)
  // CHECK: boost.phase backward
  boost.phase backward
  // CHECK: boost.cross_entropy_grad
  %dx = boost.cross_entropy_grad %x, %ids, %lse, %loss : tensor<4x128x64xf32>, tensor<4x128xi32>, tensor<4x128xf32>
  // CHECK: boost.embedding_grad
  %de = boost.embedding_grad %ids, %dx : (tensor<4x128xi32>, tensor<4x128x64xf32>) -> tensor<256x64xf32>
  return
}

// CHECK-LABEL: func @step
func.func @step(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %g: tensor<8x4xf32>, %s: tensor<f32>,
                %b: tensor<4xbf16>) {
  // CHECK: boost.sum_of_squares %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  %n = boost.sum_of_squares %g, %p : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
  // CHECK: boost.adamw %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lr %{{.*}} step %{{.*}} scale %{{.*}} betas %{{.*}}, %{{.*}} shares %{{.*}}, %{{.*}} eps %{{.*}}, %{{.*}} decay %{{.*}} {decays}
  %0:3 = boost.adamw %p, %m, %v, %g lr %s step %s scale %n
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  // CHECK: boost.all_reduce sum %{{.*}}, %{{.*}} on @mesh axes = [1] : tensor<8x4xf32>, tensor<f32>
  %1:2 = boost.all_reduce sum %p, %s on @mesh axes = [1] : tensor<8x4xf32>, tensor<f32>
  // CHECK: boost.all_gather %{{.*}}, %{{.*}} dims = [1, 0] on @mesh axes = [1] : (tensor<8x4xf32>, tensor<4xbf16>) -> (tensor<8x8xf32>, tensor<8xbf16>)
  %3:2 = boost.all_gather %p, %b dims = [1, 0] on @mesh axes = [1]
      : (tensor<8x4xf32>, tensor<4xbf16>) -> (tensor<8x8xf32>, tensor<8xbf16>)
  // CHECK: boost.reduce_scatter max %{{.*}}, %{{.*}} dims = [0, 0] on @mesh axes = [0, 1] : (tensor<8x4xf32>, tensor<4xbf16>) -> (tensor<2x4xf32>, tensor<1xbf16>)
  %4:2 = boost.reduce_scatter max %p, %b dims = [0, 0] on @mesh axes = [0, 1]
      : (tensor<8x4xf32>, tensor<4xbf16>) -> (tensor<2x4xf32>, tensor<1xbf16>)
  // CHECK: boost.broadcast %{{.*}}, %{{.*}} root = 1 on @mesh axes = [1] : tensor<8x4xf32>, tensor<4xbf16>
  %5:2 = boost.broadcast %p, %b root = 1 on @mesh axes = [1] : tensor<8x4xf32>, tensor<4xbf16>
  // CHECK: boost.sum_over_stages %{{.*}} meeting 2 on @mesh axes = [0] : tensor<f32>
  %6 = boost.sum_over_stages %s meeting 2 on @mesh axes = [0] : tensor<f32>
  // CHECK: boost.process_index on @mesh axes = [0, 1] : tensor<i32>
  %2 = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
  return
}

// CHECK-LABEL: func @probes
func.func @probes(%x: tensor<8x4xf32>) {
  // CHECK: boost.probe %{{.*}} as "x" site 3 : tensor<8x4xf32>
  boost.probe %x as "x" site 3 : tensor<8x4xf32>
  // CHECK: boost.probe %{{.*}} as "x" site 4 sharding <{"dp"}, {}, partial = sum {"tp"}> : tensor<8x4xf32>
  boost.probe %x as "x" site 4 sharding <{"dp"}, {}, partial = sum {"tp"}> : tensor<8x4xf32>
  // CHECK: boost.probe %{{.*}} as "x" site 5 rows [4, 12] : tensor<8x4xf32>
  boost.probe %x as "x" site 5 rows [4, 12] : tensor<8x4xf32>
  return
}

// RUN: boost-opt %s -boost-import-pipeline -o %t.imported
// RUN: boost-opt %t.imported -boost-raise-pipeline -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %t.imported %t
// A decoder as JAX exports it (CoLA with LaX, grouped-query heads, two layers):
// everything that a model is made of is found, and the numbers stay.

// CHECK-LABEL: func public @loss
// CHECK-SAME:    boost.id_limit = 40 : i64, boost.tensor = #boost.tensor<batch "tokens"
// CHECK-SAME:    boost.id_limit = 40 : i64, boost.tensor = #boost.tensor<batch "targets"
// CHECK:         boost.embedding {{.*}} {boost.component = "embedding"}
// The first layer: no latent before it.
// CHECK:         %[[N:.*]] = boost.rms_norm {{.*}} {boost.component = "block"
// CHECK:         %{{.*}}, %[[Q:.*]] = boost.bottleneck %[[N]] {{.*}} activation({{ ?}}silu) {boost.component = "block"}
// CHECK:         %{{.*}}, %[[K:.*]] = boost.bottleneck %[[N]] {{.*}} activation({{ ?}}silu)
// CHECK:         %{{.*}}, %[[V:.*]] = boost.bottleneck %[[N]] {{.*}} activation({{ ?}}silu)
// CHECK:         boost.attention {{.*}} causal {boost.component = "block", scale = 5.000000e-01 : f64} : (tensor<2x8x4x4xf32>, tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>)
// CHECK:         %{{.*}}, %[[O:.*]] = boost.bottleneck
// CHECK:         boost.rms_norm
// CHECK-COUNT-3: boost.bottleneck
// The second layer adds the raw latents of the first; nothing reads its own.
// CHECK:         %[[N1:.*]] = boost.rms_norm
// CHECK:         boost.bottleneck %[[N1]] {{.*}} latent(%[[Q]]) activation({{ ?}}silu) {boost.component = "block"}
// CHECK-SAME:    -> tensor<2x8x16xf32>{{$}}
// CHECK:         boost.bottleneck %[[N1]] {{.*}} latent(%[[K]])
// CHECK:         boost.bottleneck %[[N1]] {{.*}} latent(%[[V]])
// CHECK:         boost.attention
// CHECK:         boost.bottleneck {{.*}} latent(%[[O]])
// CHECK:         boost.rms_norm
// CHECK-COUNT-3: boost.bottleneck
// CHECK:         boost.rms_norm {{.*}} {boost.component = "head"
// CHECK:         boost.linear {{.*}} {boost.component = "head"}
// CHECK:         boost.cross_entropy {{.*}} {boost.component = "loss"}
// CHECK-NOT:     dot_general
// CHECK:         return

module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x16xf32> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "embed"}, %arg1: tensor<16x40xf32> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "head"}, %arg2: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.0.attn.k.down"}, %arg3: tensor<4x8xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.0.attn.k.up"}, %arg4: tensor<16xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.0.attn.norm"}, %arg5: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.0.attn.o.down"}, %arg6: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.0.attn.o.up"}, %arg7: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.0.attn.q.down"}, %arg8: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.0.attn.q.up"}, %arg9: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.0.attn.v.down"}, %arg10: tensor<4x8xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.0.attn.v.up"}, %arg11: tensor<24x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.down.down"}, %arg12: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.down.up"}, %arg13: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.gate.down"}, %arg14: tensor<4x24xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.gate.up"}, %arg15: tensor<16xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.0.mlp.norm"}, %arg16: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.up.down"}, %arg17: tensor<4x24xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.0.mlp.up.up"}, %arg18: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.1.attn.k.down"}, %arg19: tensor<4x8xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.1.attn.k.up"}, %arg20: tensor<16xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.1.attn.norm"}, %arg21: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.1.attn.o.down"}, %arg22: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.1.attn.o.up"}, %arg23: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.1.attn.q.down"}, %arg24: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.297301779", boost.name = "layers.1.attn.q.up"}, %arg25: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.1.attn.v.down"}, %arg26: tensor<4x8xf32> {boost.arg = "param", boost.init = "normal:0.319471552", boost.name = "layers.1.attn.v.up"}, %arg27: tensor<24x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.down.down"}, %arg28: tensor<4x16xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.down.up"}, %arg29: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.gate.down"}, %arg30: tensor<4x24xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.gate.up"}, %arg31: tensor<16xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.1.mlp.norm"}, %arg32: tensor<16x4xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.up.down"}, %arg33: tensor<4x24xf32> {boost.arg = "param", boost.init = "normal:0.281170663", boost.name = "layers.1.mlp.up.up"}, %arg34: tensor<16xf32> {boost.arg = "param", boost.init = "ones", boost.name = "norm"}, %arg35: tensor<2x8xi32> {boost.arg = "batch", boost.name = "tokens"}, %arg36: tensor<2x8xi32> {boost.arg = "batch", boost.name = "targets"}) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, 0.00999999977]> : tensor<2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %1 = stablehlo.compare LT, %arg35, %0, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_0 = stablehlo.constant dense<40> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %3 = stablehlo.add %arg35, %2 : tensor<2x8xi32>
    %4 = stablehlo.select %1, %3, %arg35 : tensor<2x8xi1>, tensor<2x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<40x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %7 = stablehlo.iota dim = 0 : tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1x1xf32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x1x1xf32>) -> tensor<8x1x2xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<8x1x2xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<8x1x2xf32>
    %13 = stablehlo.cosine %12 : tensor<8x1x2xf32>
    %14 = stablehlo.sine %12 : tensor<8x1x2xf32>
    %15 = chlo.square %6 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %19 = stablehlo.divide %17, %18 : tensor<2x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %21 = stablehlo.add %19, %20 : tensor<2x8x1xf32>
    %22 = stablehlo.rsqrt %21 : tensor<2x8x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %24 = stablehlo.multiply %6, %23 : tensor<2x8x16xf32>
    %25 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<2x8x16xf32>
    %28 = stablehlo.dot_general %27, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %29 = call @silu(%28) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %30 = stablehlo.dot_general %29, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x8x16xf32>) -> tensor<2x8x4x4xf32>
    %32 = stablehlo.dot_general %27, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %33 = call @silu(%32) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %34 = stablehlo.dot_general %33, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x8x8xf32>) -> tensor<2x8x2x4xf32>
    %36 = stablehlo.dot_general %27, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %37 = call @silu(%36) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %38 = stablehlo.dot_general %37, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x8x8xf32>) -> tensor<2x8x2x4xf32>
    %40 = stablehlo.slice %31 [0:2, 0:8, 0:4, 0:2] : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x2xf32>
    %41 = stablehlo.slice %31 [0:2, 0:8, 0:4, 2:4] : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x2xf32>
    %42 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<2x8x4x2xf32>
    %45 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %47 = stablehlo.multiply %41, %46 : tensor<2x8x4x2xf32>
    %48 = stablehlo.subtract %44, %47 : tensor<2x8x4x2xf32>
    %49 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %51 = stablehlo.multiply %41, %50 : tensor<2x8x4x2xf32>
    %52 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %54 = stablehlo.multiply %40, %53 : tensor<2x8x4x2xf32>
    %55 = stablehlo.add %51, %54 : tensor<2x8x4x2xf32>
    %56 = stablehlo.concatenate %48, %55, dim = 3 : (tensor<2x8x4x2xf32>, tensor<2x8x4x2xf32>) -> tensor<2x8x4x4xf32>
    %57 = stablehlo.slice %35 [0:2, 0:8, 0:2, 0:2] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2xf32>
    %58 = stablehlo.slice %35 [0:2, 0:8, 0:2, 2:4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2xf32>
    %59 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %61 = stablehlo.multiply %57, %60 : tensor<2x8x2x2xf32>
    %62 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %64 = stablehlo.multiply %58, %63 : tensor<2x8x2x2xf32>
    %65 = stablehlo.subtract %61, %64 : tensor<2x8x2x2xf32>
    %66 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %68 = stablehlo.multiply %58, %67 : tensor<2x8x2x2xf32>
    %69 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %71 = stablehlo.multiply %57, %70 : tensor<2x8x2x2xf32>
    %72 = stablehlo.add %68, %71 : tensor<2x8x2x2xf32>
    %73 = stablehlo.concatenate %65, %72, dim = 3 : (tensor<2x8x2x2xf32>, tensor<2x8x2x2xf32>) -> tensor<2x8x2x4xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2x4xf32>
    %75 = stablehlo.reshape %74 : (tensor<2x8x2x2x4xf32>) -> tensor<2x8x4x4xf32>
    %76 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2x4xf32>
    %77 = stablehlo.reshape %76 : (tensor<2x8x2x2x4xf32>) -> tensor<2x8x4x4xf32>
    %78 = stablehlo.dot_general %56, %75, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<2x4x8x8xf32>
    %81 = stablehlo.iota dim = 0 : tensor<8xi32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %83 = stablehlo.broadcast_in_dim %81, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %84 = stablehlo.broadcast_in_dim %82, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %85 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %86 = stablehlo.compare GE, %84, %85, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %87 = call @_where(%86, %80, %cst_5) : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %90 = stablehlo.maximum %89, %88 : tensor<2x4x8xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %93 = stablehlo.subtract %87, %92 : tensor<2x4x8x8xf32>
    %94 = stablehlo.exponential %93 : tensor<2x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %98 = stablehlo.divide %94, %97 : tensor<2x4x8x8xf32>
    %99 = stablehlo.dot_general %77, %98, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x4x8xf32>
    %100 = stablehlo.transpose %99, dims = [0, 3, 1, 2] : (tensor<2x4x4x8xf32>) -> tensor<2x8x4x4xf32>
    %101 = stablehlo.reshape %100 : (tensor<2x8x4x4xf32>) -> tensor<2x8x16xf32>
    %102 = stablehlo.dot_general %101, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %103 = call @silu(%102) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %104 = stablehlo.dot_general %103, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %105 = stablehlo.add %6, %104 : tensor<2x8x16xf32>
    %106 = chlo.square %105 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<2x8x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %112 = stablehlo.add %110, %111 : tensor<2x8x1xf32>
    %113 = stablehlo.rsqrt %112 : tensor<2x8x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %115 = stablehlo.multiply %105, %114 : tensor<2x8x16xf32>
    %116 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %118 = stablehlo.multiply %115, %117 : tensor<2x8x16xf32>
    %119 = stablehlo.dot_general %118, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %120 = call @silu(%119) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %121 = stablehlo.dot_general %120, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x24xf32>) -> tensor<2x8x24xf32>
    %122 = stablehlo.dot_general %118, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %123 = call @silu(%122) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %124 = stablehlo.dot_general %123, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x24xf32>) -> tensor<2x8x24xf32>
    %125 = stablehlo.multiply %121, %124 : tensor<2x8x24xf32>
    %126 = stablehlo.dot_general %125, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x24xf32>, tensor<24x4xf32>) -> tensor<2x8x4xf32>
    %127 = call @silu(%126) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %128 = stablehlo.dot_general %127, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %129 = stablehlo.add %105, %128 : tensor<2x8x16xf32>
    %130 = chlo.square %129 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%130 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %134 = stablehlo.divide %132, %133 : tensor<2x8x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %136 = stablehlo.add %134, %135 : tensor<2x8x1xf32>
    %137 = stablehlo.rsqrt %136 : tensor<2x8x1xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %139 = stablehlo.multiply %129, %138 : tensor<2x8x16xf32>
    %140 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %142 = stablehlo.multiply %139, %141 : tensor<2x8x16xf32>
    %143 = stablehlo.dot_general %142, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %144 = stablehlo.add %143, %28 : tensor<2x8x4xf32>
    %145 = call @silu(%144) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %146 = stablehlo.dot_general %145, %arg24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %147 = stablehlo.reshape %146 : (tensor<2x8x16xf32>) -> tensor<2x8x4x4xf32>
    %148 = stablehlo.dot_general %142, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %149 = stablehlo.add %148, %32 : tensor<2x8x4xf32>
    %150 = call @silu(%149) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %151 = stablehlo.dot_general %150, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    %152 = stablehlo.reshape %151 : (tensor<2x8x8xf32>) -> tensor<2x8x2x4xf32>
    %153 = stablehlo.dot_general %142, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %154 = stablehlo.add %153, %36 : tensor<2x8x4xf32>
    %155 = call @silu(%154) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %156 = stablehlo.dot_general %155, %arg26, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x8xf32>) -> tensor<2x8x8xf32>
    %157 = stablehlo.reshape %156 : (tensor<2x8x8xf32>) -> tensor<2x8x2x4xf32>
    %158 = stablehlo.slice %147 [0:2, 0:8, 0:4, 0:2] : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x2xf32>
    %159 = stablehlo.slice %147 [0:2, 0:8, 0:4, 2:4] : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x2xf32>
    %160 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %162 = stablehlo.multiply %158, %161 : tensor<2x8x4x2xf32>
    %163 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %165 = stablehlo.multiply %159, %164 : tensor<2x8x4x2xf32>
    %166 = stablehlo.subtract %162, %165 : tensor<2x8x4x2xf32>
    %167 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %169 = stablehlo.multiply %159, %168 : tensor<2x8x4x2xf32>
    %170 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x4x2xf32>
    %172 = stablehlo.multiply %158, %171 : tensor<2x8x4x2xf32>
    %173 = stablehlo.add %169, %172 : tensor<2x8x4x2xf32>
    %174 = stablehlo.concatenate %166, %173, dim = 3 : (tensor<2x8x4x2xf32>, tensor<2x8x4x2xf32>) -> tensor<2x8x4x4xf32>
    %175 = stablehlo.slice %152 [0:2, 0:8, 0:2, 0:2] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2xf32>
    %176 = stablehlo.slice %152 [0:2, 0:8, 0:2, 2:4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2xf32>
    %177 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %179 = stablehlo.multiply %175, %178 : tensor<2x8x2x2xf32>
    %180 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %182 = stablehlo.multiply %176, %181 : tensor<2x8x2x2xf32>
    %183 = stablehlo.subtract %179, %182 : tensor<2x8x2x2xf32>
    %184 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %186 = stablehlo.multiply %176, %185 : tensor<2x8x2x2xf32>
    %187 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x2xf32>) -> tensor<1x8x1x2xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xf32>) -> tensor<2x8x2x2xf32>
    %189 = stablehlo.multiply %175, %188 : tensor<2x8x2x2xf32>
    %190 = stablehlo.add %186, %189 : tensor<2x8x2x2xf32>
    %191 = stablehlo.concatenate %183, %190, dim = 3 : (tensor<2x8x2x2xf32>, tensor<2x8x2x2xf32>) -> tensor<2x8x2x4xf32>
    %192 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2x4xf32>
    %193 = stablehlo.reshape %192 : (tensor<2x8x2x2x4xf32>) -> tensor<2x8x4x4xf32>
    %194 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2, 4] : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x2x4xf32>
    %195 = stablehlo.reshape %194 : (tensor<2x8x2x2x4xf32>) -> tensor<2x8x4x4xf32>
    %196 = stablehlo.dot_general %174, %193, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x8x8xf32>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %198 = stablehlo.multiply %196, %197 : tensor<2x4x8x8xf32>
    %199 = stablehlo.iota dim = 0 : tensor<8xi32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %201 = stablehlo.broadcast_in_dim %199, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %202 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %203 = stablehlo.broadcast_in_dim %201, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %204 = stablehlo.compare GE, %202, %203, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %205 = call @_where(%204, %198, %cst_16) : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_17) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %208 = stablehlo.maximum %207, %206 : tensor<2x4x8xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %211 = stablehlo.subtract %205, %210 : tensor<2x4x8x8xf32>
    %212 = stablehlo.exponential %211 : tensor<2x4x8x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.reduce(%212 init: %cst_19) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %216 = stablehlo.divide %212, %215 : tensor<2x4x8x8xf32>
    %217 = stablehlo.dot_general %195, %216, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x4xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x4x8xf32>
    %218 = stablehlo.transpose %217, dims = [0, 3, 1, 2] : (tensor<2x4x4x8xf32>) -> tensor<2x8x4x4xf32>
    %219 = stablehlo.reshape %218 : (tensor<2x8x4x4xf32>) -> tensor<2x8x16xf32>
    %220 = stablehlo.dot_general %219, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %221 = stablehlo.add %220, %102 : tensor<2x8x4xf32>
    %222 = call @silu(%221) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %223 = stablehlo.dot_general %222, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %224 = stablehlo.add %129, %223 : tensor<2x8x16xf32>
    %225 = chlo.square %224 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.reduce(%225 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_21 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %229 = stablehlo.divide %227, %228 : tensor<2x8x1xf32>
    %cst_22 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %231 = stablehlo.add %229, %230 : tensor<2x8x1xf32>
    %232 = stablehlo.rsqrt %231 : tensor<2x8x1xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %234 = stablehlo.multiply %224, %233 : tensor<2x8x16xf32>
    %235 = stablehlo.broadcast_in_dim %arg31, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %237 = stablehlo.multiply %234, %236 : tensor<2x8x16xf32>
    %238 = stablehlo.dot_general %237, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %239 = stablehlo.add %238, %119 : tensor<2x8x4xf32>
    %240 = call @silu(%239) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %241 = stablehlo.dot_general %240, %arg30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x24xf32>) -> tensor<2x8x24xf32>
    %242 = stablehlo.dot_general %237, %arg32, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %243 = stablehlo.add %242, %122 : tensor<2x8x4xf32>
    %244 = call @silu(%243) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %245 = stablehlo.dot_general %244, %arg33, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x24xf32>) -> tensor<2x8x24xf32>
    %246 = stablehlo.multiply %241, %245 : tensor<2x8x24xf32>
    %247 = stablehlo.dot_general %246, %arg27, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x24xf32>, tensor<24x4xf32>) -> tensor<2x8x4xf32>
    %248 = stablehlo.add %247, %126 : tensor<2x8x4xf32>
    %249 = call @silu(%248) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %250 = stablehlo.dot_general %249, %arg28, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4xf32>, tensor<4x16xf32>) -> tensor<2x8x16xf32>
    %251 = stablehlo.add %224, %250 : tensor<2x8x16xf32>
    %252 = chlo.square %251 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%252 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_24 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %256 = stablehlo.divide %254, %255 : tensor<2x8x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %258 = stablehlo.add %256, %257 : tensor<2x8x1xf32>
    %259 = stablehlo.rsqrt %258 : tensor<2x8x1xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %261 = stablehlo.multiply %251, %260 : tensor<2x8x16xf32>
    %262 = stablehlo.broadcast_in_dim %arg34, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %264 = stablehlo.multiply %261, %263 : tensor<2x8x16xf32>
    %265 = stablehlo.dot_general %264, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x40xf32>) -> tensor<2x8x40xf32>
    %266 = call @log_softmax(%265) : (tensor<2x8x40xf32>) -> tensor<2x8x40xf32>
    %267 = stablehlo.broadcast_in_dim %arg36, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %268 = call @take_along_axis(%266, %267) : (tensor<2x8x40xf32>, tensor<2x8x1xi32>) -> tensor<2x8x1xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_27 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %270 = stablehlo.divide %269, %cst_27 : tensor<f32>
    %271 = stablehlo.negate %270 : tensor<f32>
    return %271 : tensor<f32>
  }
  func.func private @silu(%arg0: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x8x4xf32>
    %1 = stablehlo.exponential %0 : tensor<2x8x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x8x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x8x4xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x8x4xf32>
    return %6 : tensor<2x8x4xf32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x4x8x8xf32>, %arg2: tensor<f32>) -> tensor<2x4x8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    return %3 : tensor<2x4x8x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x8x40xf32>) -> tensor<2x8x40xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x40xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x40xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x8x40xf32>
    %6 = stablehlo.exponential %5 : tensor<2x8x40xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x40xf32>, tensor<f32>) -> tensor<2x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %9 = stablehlo.log %8 : tensor<2x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x40xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x8x40xf32>
    return %11 : tensor<2x8x40xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x8x40xf32>, %arg1: tensor<2x8x1xi32>) -> tensor<2x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %c_0 = stablehlo.constant dense<40> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x8x1xi1>, tensor<2x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x8x1xi32>) -> tensor<2x8x1x1xi32>
    %c_1 = stablehlo.constant dense<39> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x8x1x1xi1>, tensor<i1>) -> tensor<2x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x8x40xf32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x8x1xi1>, tensor<2x8x1xf32>
    return %15 : tensor<2x8x1xf32>
  }
}

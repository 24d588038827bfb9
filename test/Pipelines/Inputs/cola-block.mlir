// One decoder block of a CoLA LLaMA between embedding and loss: T = 16 tokens,
// hidden size 64, rank 16. Written by
//
//   python -m boost_mlir.export --model cola --size tiny --layers 1 --batch 2 --seq 8 --no-locations
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "embed"}, %arg1: tensor<64x64xf32> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "head"}, %arg2: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.k.down"}, %arg3: tensor<16x64xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.k.up"}, %arg4: tensor<64xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.0.attn.norm"}, %arg5: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.o.down"}, %arg6: tensor<16x64xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.o.up"}, %arg7: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.q.down"}, %arg8: tensor<16x64xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.q.up"}, %arg9: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.v.down"}, %arg10: tensor<16x64xf32> {boost.arg = "param", boost.init = "normal:0.148650889", boost.name = "layers.0.attn.v.up"}, %arg11: tensor<172x16xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.down.down"}, %arg12: tensor<16x64xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.down.up"}, %arg13: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.gate.down"}, %arg14: tensor<16x172xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.gate.up"}, %arg15: tensor<64xf32> {boost.arg = "param", boost.init = "ones", boost.name = "layers.0.mlp.norm"}, %arg16: tensor<64x16xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.up.down"}, %arg17: tensor<16x172xf32> {boost.arg = "param", boost.init = "normal:0.127568075", boost.name = "layers.0.mlp.up.up"}, %arg18: tensor<64xf32> {boost.arg = "param", boost.init = "ones", boost.name = "norm"}, %arg19: tensor<2x8xi32> {boost.arg = "batch", boost.name = "tokens"}, %arg20: tensor<2x8xi32> {boost.arg = "batch", boost.name = "targets"}) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, 0.316227764, 1.000000e-01, 0.0316227749, 0.00999999977, 0.00316227763, 1.000000e-03, 3.16227757E-4]> : tensor<8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %1 = stablehlo.compare LT, %arg19, %0, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %3 = stablehlo.add %arg19, %2 : tensor<2x8xi32>
    %4 = stablehlo.select %1, %3, %arg19 : tensor<2x8xi1>, tensor<2x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<2x8x1xi32>) -> tensor<2x8x64xf32>
    %7 = stablehlo.iota dim = 0 : tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1x1xf32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x1x1xf32>) -> tensor<8x1x8xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<8x1x8xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<8x1x8xf32>
    %13 = stablehlo.cosine %12 : tensor<8x1x8xf32>
    %14 = stablehlo.sine %12 : tensor<8x1x8xf32>
    %15 = chlo.square %6 : tensor<2x8x64xf32> -> tensor<2x8x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %19 = stablehlo.divide %17, %18 : tensor<2x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %21 = stablehlo.add %19, %20 : tensor<2x8x1xf32>
    %22 = stablehlo.rsqrt %21 : tensor<2x8x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %24 = stablehlo.multiply %6, %23 : tensor<2x8x64xf32>
    %25 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<2x8x64xf32>
    %28 = stablehlo.dot_general %27, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %29 = call @silu(%28) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %30 = stablehlo.dot_general %29, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
    %32 = stablehlo.dot_general %27, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %33 = call @silu(%32) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %34 = stablehlo.dot_general %33, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
    %36 = stablehlo.dot_general %27, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %37 = call @silu(%36) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %38 = stablehlo.dot_general %37, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
    %40 = stablehlo.slice %31 [0:2, 0:8, 0:4, 0:8] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
    %41 = stablehlo.slice %31 [0:2, 0:8, 0:4, 8:16] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
    %42 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<2x8x4x8xf32>
    %45 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %47 = stablehlo.multiply %41, %46 : tensor<2x8x4x8xf32>
    %48 = stablehlo.subtract %44, %47 : tensor<2x8x4x8xf32>
    %49 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %51 = stablehlo.multiply %41, %50 : tensor<2x8x4x8xf32>
    %52 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %54 = stablehlo.multiply %40, %53 : tensor<2x8x4x8xf32>
    %55 = stablehlo.add %51, %54 : tensor<2x8x4x8xf32>
    %56 = stablehlo.concatenate %48, %55, dim = 3 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x16xf32>
    %57 = stablehlo.slice %35 [0:2, 0:8, 0:4, 0:8] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
    %58 = stablehlo.slice %35 [0:2, 0:8, 0:4, 8:16] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
    %59 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %61 = stablehlo.multiply %57, %60 : tensor<2x8x4x8xf32>
    %62 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %64 = stablehlo.multiply %58, %63 : tensor<2x8x4x8xf32>
    %65 = stablehlo.subtract %61, %64 : tensor<2x8x4x8xf32>
    %66 = stablehlo.broadcast_in_dim %13, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %68 = stablehlo.multiply %58, %67 : tensor<2x8x4x8xf32>
    %69 = stablehlo.broadcast_in_dim %14, dims = [1, 2, 3] : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
    %71 = stablehlo.multiply %57, %70 : tensor<2x8x4x8xf32>
    %72 = stablehlo.add %68, %71 : tensor<2x8x4x8xf32>
    %73 = stablehlo.concatenate %65, %72, dim = 3 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x16xf32>
    %74 = stablehlo.dot_general %56, %73, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<2x4x8x8xf32>
    %77 = stablehlo.iota dim = 0 : tensor<8xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %80 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %81 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %82 = stablehlo.compare GE, %80, %81, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %83 = call @_where(%82, %76, %cst_5) : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %86 = stablehlo.maximum %85, %84 : tensor<2x4x8xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %89 = stablehlo.subtract %83, %88 : tensor<2x4x8x8xf32>
    %90 = stablehlo.exponential %89 : tensor<2x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %94 = stablehlo.divide %90, %93 : tensor<2x4x8x8xf32>
    %95 = stablehlo.dot_general %39, %94, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x16xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
    %96 = stablehlo.transpose %95, dims = [0, 3, 1, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<2x8x4x16xf32>) -> tensor<2x8x64xf32>
    %98 = stablehlo.dot_general %97, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %99 = call @silu(%98) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %100 = stablehlo.dot_general %99, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %101 = stablehlo.add %6, %100 : tensor<2x8x64xf32>
    %102 = chlo.square %101 : tensor<2x8x64xf32> -> tensor<2x8x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_10 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %106 = stablehlo.divide %104, %105 : tensor<2x8x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %108 = stablehlo.add %106, %107 : tensor<2x8x1xf32>
    %109 = stablehlo.rsqrt %108 : tensor<2x8x1xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %111 = stablehlo.multiply %101, %110 : tensor<2x8x64xf32>
    %112 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %114 = stablehlo.multiply %111, %113 : tensor<2x8x64xf32>
    %115 = stablehlo.dot_general %114, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %116 = call @silu(%115) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %117 = stablehlo.dot_general %116, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x172xf32>) -> tensor<2x8x172xf32>
    %118 = stablehlo.dot_general %114, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x16xf32>) -> tensor<2x8x16xf32>
    %119 = call @silu(%118) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %120 = stablehlo.dot_general %119, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x172xf32>) -> tensor<2x8x172xf32>
    %121 = stablehlo.multiply %117, %120 : tensor<2x8x172xf32>
    %122 = stablehlo.dot_general %121, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x172xf32>, tensor<172x16xf32>) -> tensor<2x8x16xf32>
    %123 = call @silu(%122) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %124 = stablehlo.dot_general %123, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %125 = stablehlo.add %101, %124 : tensor<2x8x64xf32>
    %126 = chlo.square %125 : tensor<2x8x64xf32> -> tensor<2x8x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<2x8x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %132 = stablehlo.add %130, %131 : tensor<2x8x1xf32>
    %133 = stablehlo.rsqrt %132 : tensor<2x8x1xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %135 = stablehlo.multiply %125, %134 : tensor<2x8x64xf32>
    %136 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %138 = stablehlo.multiply %135, %137 : tensor<2x8x64xf32>
    %139 = stablehlo.dot_general %138, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
    %140 = call @log_softmax(%139) : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %141 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %142 = call @take_along_axis(%140, %141) : (tensor<2x8x64xf32>, tensor<2x8x1xi32>) -> tensor<2x8x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_15) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %144 = stablehlo.divide %143, %cst_16 : tensor<f32>
    %145 = stablehlo.negate %144 : tensor<f32>
    return %145 : tensor<f32>
  }
  func.func private @silu(%arg0: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x8x16xf32>
    %1 = stablehlo.exponential %0 : tensor<2x8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x8x16xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x8x16xf32>
    return %6 : tensor<2x8x16xf32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x4x8x8xf32>, %arg2: tensor<f32>) -> tensor<2x4x8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    return %3 : tensor<2x4x8x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x8x64xf32>
    %6 = stablehlo.exponential %5 : tensor<2x8x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %9 = stablehlo.log %8 : tensor<2x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x8x64xf32>
    return %11 : tensor<2x8x64xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x8x64xf32>, %arg1: tensor<2x8x1xi32>) -> tensor<2x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x8x1xi1>, tensor<2x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x8x1xi32>) -> tensor<2x8x1x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x8x1x1xi1>, tensor<i1>) -> tensor<2x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x8x64xf32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x8x1xi1>, tensor<2x8x1xf32>
    return %15 : tensor<2x8x1xf32>
  }
}

module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "embed"}, %arg1: tensor<8x16xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "head"}, %arg2: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.attn.k"}, %arg3: tensor<2x8xbf16> {boost.arg = "param", boost.init = "ones", boost.name = "layers.attn.norm"}, %arg4: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.attn.o"}, %arg5: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.attn.q"}, %arg6: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.attn.v"}, %arg7: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.mlp.down"}, %arg8: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.mlp.gate"}, %arg9: tensor<2x8xbf16> {boost.arg = "param", boost.init = "ones", boost.name = "layers.mlp.norm"}, %arg10: tensor<2x8x8xbf16> {boost.arg = "param", boost.init = "normal:0.02", boost.name = "layers.mlp.up"}, %arg11: tensor<8xbf16> {boost.arg = "param", boost.init = "ones", boost.name = "norm"}, %arg12: tensor<2x4xi32> {boost.arg = "batch", boost.name = "tokens"}, %arg13: tensor<2x4xi32> {boost.arg = "batch", boost.name = "targets"}) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, 0.00999999977]> : tensor<2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %1 = stablehlo.compare LT, %arg12, %0, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %3 = stablehlo.add %arg12, %2 : tensor<2x4xi32>
    %4 = stablehlo.select %1, %3, %arg12 : tensor<2x4xi1>, tensor<2x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xbf16>, tensor<2x4x1xi32>) -> tensor<2x4x8xbf16>
    %7 = stablehlo.iota dim = 0 : tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<4x1x1xf32>) -> tensor<4x1x2xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<4x1x2xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<4x1x2xf32>
    %13 = stablehlo.cosine %12 : tensor<4x1x2xf32>
    %14 = stablehlo.sine %12 : tensor<4x1x2xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %15:13 = stablehlo.while(%iterArg = %arg2, %iterArg_7 = %arg3, %iterArg_8 = %arg4, %iterArg_9 = %arg5, %iterArg_10 = %arg6, %iterArg_11 = %arg7, %iterArg_12 = %arg8, %iterArg_13 = %arg9, %iterArg_14 = %arg10, %iterArg_15 = %13, %iterArg_16 = %14, %iterArg_17 = %c_1, %iterArg_18 = %6) : tensor<2x8x8xbf16>, tensor<2x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8xbf16>, tensor<2x8x8xbf16>, tensor<4x1x2xf32>, tensor<4x1x2xf32>, tensor<i32>, tensor<2x4x8xbf16>
    cond {
      %c_19 = stablehlo.constant dense<2> : tensor<i32>
      %39 = stablehlo.compare LT, %iterArg_17, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %40 = func.call @dynamic_index_in_dim_0(%iterArg_7, %iterArg_17) : (tensor<2x8xbf16>, tensor<i32>) -> tensor<8xbf16>
      %41 = func.call @dynamic_index_in_dim(%iterArg_8, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %42 = func.call @dynamic_index_in_dim(%iterArg_9, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %43 = func.call @dynamic_index_in_dim(%iterArg_10, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %44 = func.call @dynamic_index_in_dim(%iterArg_11, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %45 = func.call @dynamic_index_in_dim(%iterArg_12, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %46 = func.call @dynamic_index_in_dim_0(%iterArg_13, %iterArg_17) : (tensor<2x8xbf16>, tensor<i32>) -> tensor<8xbf16>
      %47 = func.call @dynamic_index_in_dim(%iterArg_14, %iterArg_17) : (tensor<2x8x8xbf16>, tensor<i32>) -> tensor<8x8xbf16>
      %48 = func.call @closed_call(%iterArg_15, %iterArg_16, %iterArg_18, %39, %40, %41, %42, %43, %44, %45, %46, %47) : (tensor<4x1x2xf32>, tensor<4x1x2xf32>, tensor<2x4x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %49 = stablehlo.add %iterArg_17, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %49, %48 : tensor<2x8x8xbf16>, tensor<2x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8x8xbf16>, tensor<2x8xbf16>, tensor<2x8x8xbf16>, tensor<4x1x2xf32>, tensor<4x1x2xf32>, tensor<i32>, tensor<2x4x8xbf16>
    }
    %16 = stablehlo.convert %15#12 : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
    %17 = chlo.square %16 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %21 = stablehlo.divide %19, %20 : tensor<2x4x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %23 = stablehlo.add %21, %22 : tensor<2x4x1xf32>
    %24 = stablehlo.rsqrt %23 : tensor<2x4x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %26 = stablehlo.multiply %16, %25 : tensor<2x4x8xf32>
    %27 = stablehlo.convert %26 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    %28 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x1x8xbf16>) -> tensor<2x4x8xbf16>
    %30 = stablehlo.multiply %27, %29 : tensor<2x4x8xbf16>
    %31 = stablehlo.dot_general %30, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x16xbf16>) -> tensor<2x4x16xbf16>
    %32 = stablehlo.convert %31 : (tensor<2x4x16xbf16>) -> tensor<2x4x16xf32>
    %33 = call @log_softmax(%32) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %34 = stablehlo.broadcast_in_dim %arg13, dims = [0, 1] : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %35 = call @take_along_axis(%33, %34) : (tensor<2x4x16xf32>, tensor<2x4x1xi32>) -> tensor<2x4x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %37 = stablehlo.divide %36, %cst_6 : tensor<f32>
    %38 = stablehlo.negate %37 : tensor<f32>
    return %38 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x8x8xbf16>, %arg1: tensor<i32>) -> tensor<8x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<2x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xbf16>) -> tensor<8x8xbf16>
    return %1 : tensor<8x8xbf16>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x8xbf16>, %arg1: tensor<i32>) -> tensor<8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 8] : (tensor<2x8xbf16>, tensor<i32>, tensor<i32>) -> tensor<1x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x8xbf16>) -> tensor<8xbf16>
    return %1 : tensor<8xbf16>
  }
  func.func private @closed_call(%arg0: tensor<4x1x2xf32>, %arg1: tensor<4x1x2xf32>, %arg2: tensor<2x4x8xbf16>, %arg3: tensor<8x8xbf16>, %arg4: tensor<8xbf16>, %arg5: tensor<8x8xbf16>, %arg6: tensor<8x8xbf16>, %arg7: tensor<8x8xbf16>, %arg8: tensor<8x8xbf16>, %arg9: tensor<8x8xbf16>, %arg10: tensor<8xbf16>, %arg11: tensor<8x8xbf16>) -> tensor<2x4x8xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
    %1 = chlo.square %0 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x4x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %10 = stablehlo.multiply %0, %9 : tensor<2x4x8xf32>
    %11 = stablehlo.convert %10 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x8xbf16>) -> tensor<2x4x8xbf16>
    %14 = stablehlo.multiply %11, %13 : tensor<2x4x8xbf16>
    %15 = stablehlo.dot_general %14, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %16 = stablehlo.reshape %15 : (tensor<2x4x8xbf16>) -> tensor<2x4x2x4xbf16>
    %17 = stablehlo.dot_general %14, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %18 = stablehlo.reshape %17 : (tensor<2x4x8xbf16>) -> tensor<2x4x2x4xbf16>
    %19 = stablehlo.dot_general %14, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %20 = stablehlo.reshape %19 : (tensor<2x4x8xbf16>) -> tensor<2x4x2x4xbf16>
    %21 = stablehlo.convert %16 : (tensor<2x4x2x4xbf16>) -> tensor<2x4x2x4xf32>
    %22 = stablehlo.slice %21 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
    %23 = stablehlo.slice %21 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
    %24 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<2x4x2x2xf32>
    %27 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %29 = stablehlo.multiply %23, %28 : tensor<2x4x2x2xf32>
    %30 = stablehlo.subtract %26, %29 : tensor<2x4x2x2xf32>
    %31 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %33 = stablehlo.multiply %23, %32 : tensor<2x4x2x2xf32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %36 = stablehlo.multiply %22, %35 : tensor<2x4x2x2xf32>
    %37 = stablehlo.add %33, %36 : tensor<2x4x2x2xf32>
    %38 = stablehlo.concatenate %30, %37, dim = 3 : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x4x2x4xf32>
    %39 = stablehlo.convert %38 : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xbf16>
    %40 = stablehlo.convert %18 : (tensor<2x4x2x4xbf16>) -> tensor<2x4x2x4xf32>
    %41 = stablehlo.slice %40 [0:2, 0:4, 0:2, 0:2] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
    %42 = stablehlo.slice %40 [0:2, 0:4, 0:2, 2:4] : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x2xf32>
    %43 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %45 = stablehlo.multiply %41, %44 : tensor<2x4x2x2xf32>
    %46 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %48 = stablehlo.multiply %42, %47 : tensor<2x4x2x2xf32>
    %49 = stablehlo.subtract %45, %48 : tensor<2x4x2x2xf32>
    %50 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %52 = stablehlo.multiply %42, %51 : tensor<2x4x2x2xf32>
    %53 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x1x2xf32>) -> tensor<1x4x1x2xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x4x1x2xf32>) -> tensor<2x4x2x2xf32>
    %55 = stablehlo.multiply %41, %54 : tensor<2x4x2x2xf32>
    %56 = stablehlo.add %52, %55 : tensor<2x4x2x2xf32>
    %57 = stablehlo.concatenate %49, %56, dim = 3 : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x4x2x4xf32>
    %58 = stablehlo.convert %57 : (tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xbf16>
    %59 = stablehlo.dot_general %39, %58, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x4xbf16>, tensor<2x4x2x4xbf16>) -> tensor<2x2x4x4xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x4x4xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<2x2x4x4xf32>
    %62 = stablehlo.iota dim = 0 : tensor<4xi32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %64 = stablehlo.broadcast_in_dim %62, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x4xi32>
    %66 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<4x4xi32>
    %67 = stablehlo.compare GE, %65, %66, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %68 = call @_where(%67, %61, %cst_3) : (tensor<4x4xi1>, tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4x4xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %71 = stablehlo.maximum %70, %69 : tensor<2x2x4xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %74 = stablehlo.subtract %68, %73 : tensor<2x2x4x4xf32>
    %75 = stablehlo.exponential %74 : tensor<2x2x4x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %79 = stablehlo.divide %75, %78 : tensor<2x2x4x4xf32>
    %80 = stablehlo.convert %79 : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xbf16>
    %81 = stablehlo.dot_general %20, %80, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x4xbf16>, tensor<2x2x4x4xbf16>) -> tensor<2x2x4x4xbf16>
    %82 = stablehlo.transpose %81, dims = [0, 3, 1, 2] : (tensor<2x2x4x4xbf16>) -> tensor<2x4x2x4xbf16>
    %83 = stablehlo.reshape %82 : (tensor<2x4x2x4xbf16>) -> tensor<2x4x8xbf16>
    %84 = stablehlo.dot_general %83, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %85 = stablehlo.add %arg2, %84 : tensor<2x4x8xbf16>
    %86 = stablehlo.convert %85 : (tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
    %87 = chlo.square %86 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_8 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<2x4x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %93 = stablehlo.add %91, %92 : tensor<2x4x1xf32>
    %94 = stablehlo.rsqrt %93 : tensor<2x4x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %96 = stablehlo.multiply %86, %95 : tensor<2x4x8xf32>
    %97 = stablehlo.convert %96 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    %98 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x8xbf16>) -> tensor<2x4x8xbf16>
    %100 = stablehlo.multiply %97, %99 : tensor<2x4x8xbf16>
    %101 = stablehlo.dot_general %100, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %102 = call @silu(%101) : (tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
    %103 = stablehlo.dot_general %100, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %104 = stablehlo.multiply %102, %103 : tensor<2x4x8xbf16>
    %105 = stablehlo.dot_general %104, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8xbf16>
    %106 = stablehlo.add %85, %105 : tensor<2x4x8xbf16>
    return %106 : tensor<2x4x8xbf16>
  }
  func.func private @_where(%arg0: tensor<4x4xi1>, %arg1: tensor<2x2x4x4xf32>, %arg2: tensor<f32>) -> tensor<2x2x4x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x2x4x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x4x4xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x4x4xi1>, tensor<2x2x4x4xf32>
    return %3 : tensor<2x2x4x4xf32>
  }
  func.func private @silu(%arg0: tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<2x4x8xbf16>
    %1 = stablehlo.exponential %0 : tensor<2x4x8xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x8xbf16>
    %3 = stablehlo.add %2, %1 : tensor<2x4x8xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x4x8xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<2x4x8xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x4x8xbf16>
    return %6 : tensor<2x4x8xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x16xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %9 = stablehlo.log %8 : tensor<2x4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x16xf32>
    return %11 : tensor<2x4x16xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x4x16xf32>, %arg1: tensor<2x4x1xi32>) -> tensor<2x4x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x4x1xi32>, tensor<2x4x1xi32>) -> tensor<2x4x1xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x4x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x4x1xi1>, tensor<2x4x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x4x1xi32>) -> tensor<2x4x1x1xi32>
    %c_1 = stablehlo.constant dense<15> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x4x1x1xi32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x4x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x4x1x1xi32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x4x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x4x1x1xi1>, tensor<i1>) -> tensor<2x4x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x4x16xf32>, tensor<2x4x1x1xi32>) -> tensor<2x4x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x4x1xi1>, tensor<2x4x1xf32>
    return %15 : tensor<2x4x1xf32>
  }
}

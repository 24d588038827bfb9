// RUN: boost-opt %s -convert-boostrt-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck %s
// What each function of the runtime is given: types, addresses, sizes, numbers.

// CHECK-DAG: @[[$SHAPE:.*]] = internal constant [3 x i64] [i64 4, i64 6, i64 2]
// CHECK-DAG: @[[$MASK:.*]] = internal constant [4 x i64] [i64 8, i64 0, i64 0, i64 1]
// CHECK-DAG: @[[$BIAS:.*]] = internal constant [4 x i64] [i64 0, i64 48, i64 8, i64 1]
// CHECK-DAG: @[[$COUNTS:.*]] = internal constant [2 x i64] [i64 8, i64 3]
// CHECK-DAG: @[[$DECAYS:.*]] = internal constant [2 x i32] [i32 1, i32 0]
// CHECK-DAG: @[[$ALLCOUNTS:.*]] = internal constant [8 x i64] [i64 48, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7]
// CHECK-DAG: @[[$ALLTYPES:.*]] = internal constant [8 x i32] [i32 0, i32 3, i32 1, i32 2, i32 7, i32 6, i32 4, i32 5]
// CHECK-DAG: @[[$TYPES:.*]] = internal constant [2 x i32] [i32 0, i32 1]
// CHECK-DAG: @[[$PIECES:.*]] = internal constant [4 x i64] [i64 4, i64 12, i64 1, i64 2]
// CHECK-DAG: @[[$PIECE:.*]] = internal constant [2 x i64] [i64 4, i64 12]
// CHECK-DAG: @[[$F32:.*]] = internal constant [1 x i32] {{zeroinitializer|.i32 0.}}

// CHECK-LABEL: define void @boost_fn_lookups(ptr %0, ptr %1, ptr %2)
func.func @lookups(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %table = memref.view %arena[%c0][] : memref<4096xi8> to memref<16x4xf32>
  %ids = memref.view %arena[%c512][] : memref<4096xi8> to memref<2x3xi32>
  %rows = memref.view %arena[%c1024][] : memref<4096xi8> to memref<2x3x4xf32>
  // CHECK: %[[TABLE:.*]] = getelementptr i8, ptr %1, i64 0
  // CHECK: %[[IDS:.*]] = getelementptr i8, ptr %1, i64 512
  // CHECK: %[[ROWS:.*]] = getelementptr i8, ptr %1, i64 1024
  // CHECK: call void @boost_rt_embedding(ptr %0, i32 0, ptr %[[TABLE]], ptr %[[IDS]], ptr %[[ROWS]], i64 16, i64 4, i64 6)
  boostrt.embedding ins(%table, %ids : memref<16x4xf32>, memref<2x3xi32>) outs(%rows : memref<2x3x4xf32>)
  // CHECK: %[[IDS:.*]] = getelementptr i8, ptr %1, i64 512
  // CHECK: %[[ROWS:.*]] = getelementptr i8, ptr %1, i64 1024
  // CHECK: %[[TABLE:.*]] = getelementptr i8, ptr %1, i64 0
  // CHECK: call void @boost_rt_embedding_grad(ptr %0, i32 0, ptr %[[IDS]], ptr %[[ROWS]], ptr %[[TABLE]], i64 16, i64 4, i64 6)
  boostrt.embedding_grad ins(%ids, %rows : memref<2x3xi32>, memref<2x3x4xf32>) outs(%table : memref<16x4xf32>)
  return
}

// CHECK-LABEL: define void @boost_fn_step(ptr %0, ptr %1, ptr %2)
func.func @step(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %c256 = arith.constant 256 : index
  %c320 = arith.constant 320 : index
  %c384 = arith.constant 384 : index
  %c448 = arith.constant 448 : index
  %c512 = arith.constant 512 : index
  %c576 = arith.constant 576 : index
  %c640 = arith.constant 640 : index
  %c704 = arith.constant 704 : index
  %c768 = arith.constant 768 : index
  %c832 = arith.constant 832 : index
  %c896 = arith.constant 896 : index
  %p = memref.view %arena[%c0][] : memref<4096xi8> to memref<4x2xbf16>
  %m = memref.view %arena[%c64][] : memref<4096xi8> to memref<4x2xf32>
  %v = memref.view %arena[%c128][] : memref<4096xi8> to memref<4x2xf32>
  %g = memref.view %arena[%c192][] : memref<4096xi8> to memref<4x2xf32>
  %lr = memref.view %arena[%c256][] : memref<4096xi8> to memref<f32>
  %step = memref.view %arena[%c320][] : memref<4096xi8> to memref<f32>
  %scale = memref.view %arena[%c384][] : memref<4096xi8> to memref<f32>
  %beta1 = memref.view %arena[%c448][] : memref<4096xi8> to memref<f32>
  %beta2 = memref.view %arena[%c512][] : memref<4096xi8> to memref<f32>
  %eps = memref.view %arena[%c576][] : memref<4096xi8> to memref<f32>
  %decay = memref.view %arena[%c640][] : memref<4096xi8> to memref<f32>
  %p2 = memref.view %arena[%c704][] : memref<4096xi8> to memref<3xbf16>
  %m2 = memref.view %arena[%c768][] : memref<4096xi8> to memref<3xf32>
  %v2 = memref.view %arena[%c832][] : memref<4096xi8> to memref<3xf32>
  %g2 = memref.view %arena[%c896][] : memref<4096xi8> to memref<3xf32>
  // The addresses of the numbers, then of p, m, v and g, tensor by tensor.
  // CHECK: getelementptr i8, ptr %1, i64 256
  // CHECK: getelementptr i8, ptr %1, i64 320
  // CHECK: getelementptr i8, ptr %1, i64 384
  // CHECK: getelementptr i8, ptr %1, i64 448
  // CHECK: getelementptr i8, ptr %1, i64 512
  // CHECK: getelementptr i8, ptr %1, i64 448
  // CHECK: getelementptr i8, ptr %1, i64 512
  // CHECK: getelementptr i8, ptr %1, i64 576
  // CHECK: getelementptr i8, ptr %1, i64 576
  // CHECK: getelementptr i8, ptr %1, i64 640
  // CHECK: getelementptr i8, ptr %1, i64 0
  // CHECK: getelementptr i8, ptr %1, i64 64
  // CHECK: getelementptr i8, ptr %1, i64 128
  // CHECK: getelementptr i8, ptr %1, i64 192
  // CHECK: getelementptr i8, ptr %1, i64 704
  // CHECK: getelementptr i8, ptr %1, i64 768
  // CHECK: getelementptr i8, ptr %1, i64 832
  // CHECK: getelementptr i8, ptr %1, i64 896
  // CHECK: call void @boost_rt_adamw(ptr %0, i32 1, i32 0, i64 2, ptr %{{.*}}, ptr @[[$COUNTS]], ptr @[[$DECAYS]])
  boostrt.adamw grads(%g, %g2 : memref<4x2xf32>, memref<3xf32>)
      ins(%lr, %step, %scale, %beta1, %beta2, %beta1, %beta2, %eps, %eps, %decay : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
      outs(%p, %m, %v, %p2, %m2, %v2 : memref<4x2xbf16>, memref<4x2xf32>, memref<4x2xf32>, memref<3xbf16>, memref<3xf32>, memref<3xf32>)
      {decays = array<i1: true, false>}
  %few = memref.view %arena[%c64][] : memref<4096xi8> to memref<3xbf16>
  // CHECK: call void @boost_rt_sum_of_squares(ptr %0, i64 2, ptr %{{.*}}, ptr @[[$COUNTS]], ptr @[[$TYPES]], ptr %{{.*}})
  boostrt.sum_of_squares ins(%g, %few : memref<4x2xf32>, memref<3xbf16>) outs(%lr : memref<f32>)
  return
}

// CHECK-LABEL: define void @boost_fn_products(ptr %0, ptr %1, ptr %2)
func.func @products(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.view %arena[%c0][] : memref<4096xi8> to memref<2x3x5xf32>
  %b = memref.view %arena[%c1024][] : memref<4096xi8> to memref<2x5x7xf32>
  %c = memref.view %arena[%c2048][] : memref<4096xi8> to memref<2x3x7xbf16>
  // CHECK: call void @boost_rt_gemm(ptr %0, i32 0, i32 1, i32 0, i32 0, i64 3, i64 7, i64 5, ptr %{{.*}}, i64 5, i64 15, ptr %{{.*}}, i64 7, i64 35, ptr %{{.*}}, i64 7, i64 21, i64 2, i32 0)
  boostrt.gemm ins(%a, %b : memref<2x3x5xf32>, memref<2x5x7xf32>) outs(%c : memref<2x3x7xbf16>) {batch = 2, m = 3, n = 7, k = 5}
  %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<2x5x3xf32>
  %y = memref.view %arena[%c1024][] : memref<4096xi8> to memref<2x7x5xf32>
  // CHECK: call void @boost_rt_gemm(ptr %0, i32 0, i32 1, i32 1, i32 1, i64 3, i64 7, i64 5, ptr %{{.*}}, i64 3, i64 15, ptr %{{.*}}, i64 5, i64 35, ptr %{{.*}}, i64 7, i64 21, i64 2, i32 0)
  boostrt.gemm ins(%x, %y : memref<2x5x3xf32>, memref<2x7x5xf32>) outs(%c : memref<2x3x7xbf16>) {batch = 2, m = 3, n = 7, k = 5, transpose_a, transpose_b}
  // Matrices of rows that lie side by side.
  // CHECK: call void @boost_rt_gemm(ptr %0, i32 0, i32 1, i32 0, i32 0, i64 3, i64 7, i64 5, ptr %{{.*}}, i64 10, i64 5, ptr %{{.*}}, i64 14, i64 7, ptr %{{.*}}, i64 14, i64 7, i64 2, i32 0)
  boostrt.gemm ins(%a, %b : memref<2x3x5xf32>, memref<2x5x7xf32>) outs(%c : memref<2x3x7xbf16>)
      {batch = 2, m = 3, n = 7, k = 5, layout_a = array<i64: 0, 5, 10>, layout_b = array<i64: 0, 7, 14>, layout_c = array<i64: 0, 7, 14>}
  // Added to what is there.
  // CHECK: call void @boost_rt_gemm({{.*}}, i64 7, i64 21, i64 2, i32 1)
  boostrt.gemm ins(%a, %b : memref<2x3x5xf32>, memref<2x5x7xf32>) outs(%c : memref<2x3x7xbf16>) {accumulate, batch = 2, m = 3, n = 7, k = 5}
  return
}

// Neighbors of what is repeated are the same number.
// CHECK-LABEL: define void @boost_fn_attention(ptr %0, ptr %1, ptr %2)
func.func @attention(%arena: memref<65536xi8>) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %c8192 = arith.constant 8192 : index
  %c12288 = arith.constant 12288 : index
  %c16384 = arith.constant 16384 : index
  %c20480 = arith.constant 20480 : index
  %c24576 = arith.constant 24576 : index
  %c28672 = arith.constant 28672 : index
  %c32768 = arith.constant 32768 : index
  %c36864 = arith.constant 36864 : index
  %c40960 = arith.constant 40960 : index
  %q = memref.view %arena[%c0][] : memref<65536xi8> to memref<2x6x4x16xf32>
  %k = memref.view %arena[%c4096][] : memref<65536xi8> to memref<2x8x2x16xf32>
  %v = memref.view %arena[%c8192][] : memref<65536xi8> to memref<2x8x2x16xf32>
  %b = memref.view %arena[%c12288][] : memref<65536xi8> to memref<1x4x6x8xf32>
  %m = memref.view %arena[%c16384][] : memref<65536xi8> to memref<2x1x1x8xi1>
  %o = memref.view %arena[%c20480][] : memref<65536xi8> to memref<2x6x4x16xf32>
  %l = memref.view %arena[%c24576][] : memref<65536xi8> to memref<2x4x6xf32>
  %dq = memref.view %arena[%c28672][] : memref<65536xi8> to memref<2x6x4x16xf32>
  %dk = memref.view %arena[%c32768][] : memref<65536xi8> to memref<2x8x2x16xf32>
  %dv = memref.view %arena[%c36864][] : memref<65536xi8> to memref<2x8x2x16xf32>
  %db = memref.view %arena[%c40960][] : memref<65536xi8> to memref<1x4x6x8xf32>
  // CHECK: %[[Q:.*]] = getelementptr i8, ptr %1, i64 0
  // CHECK: %[[K:.*]] = getelementptr i8, ptr %1, i64 4096
  // CHECK: %[[V:.*]] = getelementptr i8, ptr %1, i64 8192
  // CHECK: %[[B:.*]] = getelementptr i8, ptr %1, i64 12288
  // CHECK: %[[M:.*]] = getelementptr i8, ptr %1, i64 16384
  // CHECK: %[[O:.*]] = getelementptr i8, ptr %1, i64 20480
  // CHECK: %[[L:.*]] = getelementptr i8, ptr %1, i64 24576
  // CHECK: call void @boost_rt_attention_forward(ptr %0, i32 0, ptr %[[Q]], ptr %[[K]], ptr %[[V]], ptr %[[B]], ptr @[[$BIAS]], ptr %[[M]], ptr @[[$MASK]], ptr %[[O]], ptr %[[L]], i64 2, i64 6, i64 8, i64 4, i64 2, i64 16, double 2.500000e-01, double 3.000000e+01, i32 0)
  boostrt.attention_forward ins(%q, %k, %v : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>) bias(%b : memref<1x4x6x8xf32>) mask(%m : memref<2x1x1x8xi1>)
      outs(%o, %l : memref<2x6x4x16xf32>, memref<2x4x6xf32>) {scale = 0.25 : f64, soft_cap = 30.0 : f64}
  // CHECK: call void @boost_rt_attention_forward({{.*}}, ptr null, ptr null, ptr null, ptr null, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, i64 2, i64 6, i64 6, i64 4, i64 2, i64 16, double 2.500000e-01, double 0.000000e+00, i32 1)
  %short = memref.view %arena[%c4096][] : memref<65536xi8> to memref<2x6x2x16xf32>
  boostrt.attention_forward ins(%q, %short, %short : memref<2x6x4x16xf32>, memref<2x6x2x16xf32>, memref<2x6x2x16xf32>)
      outs(%o, %l : memref<2x6x4x16xf32>, memref<2x4x6xf32>) {scale = 0.25 : f64, causal}
  // CHECK: %[[O:.*]] = getelementptr i8, ptr %1, i64 20480
  // CHECK: %[[L:.*]] = getelementptr i8, ptr %1, i64 24576
  // CHECK: %[[DO:.*]] = getelementptr i8, ptr %1, i64 0
  // CHECK: %[[DQ:.*]] = getelementptr i8, ptr %1, i64 28672
  // CHECK: %[[DK:.*]] = getelementptr i8, ptr %1, i64 32768
  // CHECK: %[[DV:.*]] = getelementptr i8, ptr %1, i64 36864
  // CHECK: call void @boost_rt_attention_backward(ptr %0, i32 0, ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, ptr null, ptr null, ptr null, ptr null, ptr %[[O]], ptr %[[L]], ptr %[[DO]], ptr null, ptr %[[DQ]], ptr %[[DK]], ptr %[[DV]], i64 2, i64 6, i64 8, i64 4, i64 2, i64 16, double 2.500000e-01, double 0.000000e+00, i32 0, i32 0)
  boostrt.attention_backward ins(%q, %k, %v, %o, %l, %q : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>, memref<2x6x4x16xf32>, memref<2x4x6xf32>, memref<2x6x4x16xf32>)
      outs(%dq, %dk, %dv : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>) {scale = 0.25 : f64}
  // CHECK: call void @boost_rt_attention_backward({{.*}}, double 2.500000e-01, double 0.000000e+00, i32 0, i32 1)
  boostrt.attention_backward ins(%q, %k, %v, %o, %l, %q : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>, memref<2x6x4x16xf32>, memref<2x4x6xf32>, memref<2x6x4x16xf32>)
      outs(%dq, %dk, %dv : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>) {nondeterministic, scale = 0.25 : f64}
  // CHECK: %[[DL:.*]] = getelementptr i8, ptr %1, i64 24576
  // CHECK: %[[DB:.*]] = getelementptr i8, ptr %1, i64 40960
  // CHECK: call void @boost_rt_attention_bias_backward({{.*}}, ptr @[[$BIAS]], ptr null, ptr null, {{.*}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[DB]], i64 2, i64 6, i64 8, i64 4, i64 2, i64 16, double 2.500000e-01, double 0.000000e+00, i32 0)
  boostrt.attention_bias_backward ins(%q, %k, %v, %o, %l, %q : memref<2x6x4x16xf32>, memref<2x8x2x16xf32>, memref<2x8x2x16xf32>, memref<2x6x4x16xf32>, memref<2x4x6xf32>, memref<2x6x4x16xf32>) lse_grad(%l : memref<2x4x6xf32>) bias(%b : memref<1x4x6x8xf32>)
      outs(%db : memref<1x4x6x8xf32>) {scale = 0.25 : f64}
  return
}

// Pieces are counted by those before them and what is behind.
// CHECK-LABEL: define void @boost_fn_collectives(ptr %0, ptr %1, ptr %2)
func.func @collectives(%arena: memref<4096xi8>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %x = memref.view %arena[%c0][] : memref<4096xi8> to memref<4x6x2xf32>
  %y = memref.view %arena[%c1024][] : memref<4096xi8> to memref<4x12x2xf32>
  %s = memref.view %arena[%c0][] : memref<4096xi8> to memref<2xbf16>
  %t = memref.view %arena[%c1024][] : memref<4096xi8> to memref<4xbf16>
  // CHECK: call void @boost_rt_all_gather(ptr %0, i32 7, i32 3, i64 2, ptr %{{.*}}, ptr @[[$PIECES]], ptr @[[$TYPES]])
  boostrt.all_gather dims [1, 0] group 3 site 7 ins(%x, %s : memref<4x6x2xf32>, memref<2xbf16>) outs(%y, %t : memref<4x12x2xf32>, memref<4xbf16>)
  // CHECK: %[[FROM:.*]] = getelementptr ptr, ptr %[[MOVES:.*]], i32 0
  // CHECK-NEXT: %[[INPUT:.*]] = getelementptr i8, ptr %1, i64 1024
  // CHECK-NEXT: store ptr %[[INPUT]], ptr %[[FROM]]
  // CHECK-NEXT: %[[TO:.*]] = getelementptr ptr, ptr %[[MOVES]], i32 1
  // CHECK-NEXT: %[[OUT:.*]] = getelementptr i8, ptr %1, i64 0
  // CHECK-NEXT: store ptr %[[OUT]], ptr %[[TO]]
  // CHECK: call void @boost_rt_reduce_scatter(ptr %0, i32 8, i32 3, i32 1, i64 1, ptr %[[MOVES]], ptr @[[$PIECE]], ptr @[[$F32]])
  boostrt.reduce_scatter max dims [1] group 3 site 8 ins(%y : memref<4x12x2xf32>) outs(%x : memref<4x6x2xf32>)
  // CHECK: call void @boost_rt_all_slice(ptr %0, i32 3, i32 0, ptr %{{.*}}, ptr %{{.*}}, i64 4, i64 12)
  boostrt.all_slice dim 1 group 3 ins(%y : memref<4x12x2xf32>) outs(%x : memref<4x6x2xf32>)
  // CHECK: call void @boost_rt_broadcast(ptr %0, i32 12, i32 3, i64 1, i64 1, ptr %{{.*}}, ptr @{{.*}}, ptr @[[$F32]])
  boostrt.broadcast root 1 group 3 site 12 outs(%x : memref<4x6x2xf32>)
  %z = memref.view %arena[%c1024][] : memref<4096xi8> to memref<4x3x4xf32>
  // CHECK: call void @boost_rt_all_to_all(ptr %0, i32 9, i32 3, i32 0, ptr %{{.*}}, ptr %{{.*}}, i64 3, ptr @[[$SHAPE]], i64 1, i64 2)
  boostrt.all_to_all split_dim 1 concat_dim 2 group 3 site 9 ins(%x : memref<4x6x2xf32>) outs(%z : memref<4x3x4xf32>)
  %f64 = memref.view %arena[%c0][] : memref<4096xi8> to memref<1xf64>
  %bf16 = memref.view %arena[%c0][] : memref<4096xi8> to memref<2xbf16>
  %f16 = memref.view %arena[%c0][] : memref<4096xi8> to memref<3xf16>
  %i1 = memref.view %arena[%c0][] : memref<4096xi8> to memref<4xi1>
  %i8 = memref.view %arena[%c0][] : memref<4096xi8> to memref<5xi8>
  %i32 = memref.view %arena[%c0][] : memref<4096xi8> to memref<6xi32>
  %i64 = memref.view %arena[%c0][] : memref<4096xi8> to memref<7xi64>
  // CHECK: call void @boost_rt_all_reduce(ptr %0, i32 10, i32 1, i32 2, i64 8, ptr %{{.*}}, ptr @[[$ALLCOUNTS]], ptr @[[$ALLTYPES]])
  boostrt.all_reduce min group 1 site 10 outs(%x, %f64, %bf16, %f16, %i1, %i8, %i32, %i64 : memref<4x6x2xf32>, memref<1xf64>, memref<2xbf16>, memref<3xf16>, memref<4xi1>, memref<5xi8>, memref<6xi32>, memref<7xi64>)
  %i = memref.view %arena[%c0][] : memref<4096xi8> to memref<i32>
  // CHECK: call void @boost_rt_process_index(ptr %0, i32 3, ptr %{{.*}})
  boostrt.process_index group 3 outs(%i : memref<i32>)
  // CHECK: call void @boost_rt_probe(ptr %0, i32 11, i32 0, ptr %{{.*}}, i64 48)
  boostrt.probe %x as "x" site 11 sharding <{}, {}, {}> : memref<4x6x2xf32>
  return
}

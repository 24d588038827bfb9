// RUN: boost-opt %s --boostrt-fuse-elementwise | FileCheck %s
// How large a kernel may become, on both sides of every bound: 64 operations, 12 buffers, and of what is computed
// again for every reader 16 operations.

#id = affine_map<(i) -> (i)>

// With the two yields, 64 operations.
// CHECK-LABEL: func.func @operations_64(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @operations_64(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32):
    %a_v0 = arith.mulf %a_0, %a_0 : f32
    %a_v1 = arith.mulf %a_v0, %a_v0 : f32
    %a_v2 = arith.mulf %a_v1, %a_v1 : f32
    %a_v3 = arith.mulf %a_v2, %a_v2 : f32
    %a_v4 = arith.mulf %a_v3, %a_v3 : f32
    %a_v5 = arith.mulf %a_v4, %a_v4 : f32
    %a_v6 = arith.mulf %a_v5, %a_v5 : f32
    %a_v7 = arith.mulf %a_v6, %a_v6 : f32
    %a_v8 = arith.mulf %a_v7, %a_v7 : f32
    %a_v9 = arith.mulf %a_v8, %a_v8 : f32
    %a_v10 = arith.mulf %a_v9, %a_v9 : f32
    %a_v11 = arith.mulf %a_v10, %a_v10 : f32
    %a_v12 = arith.mulf %a_v11, %a_v11 : f32
    %a_v13 = arith.mulf %a_v12, %a_v12 : f32
    %a_v14 = arith.mulf %a_v13, %a_v13 : f32
    %a_v15 = arith.mulf %a_v14, %a_v14 : f32
    %a_v16 = arith.mulf %a_v15, %a_v15 : f32
    %a_v17 = arith.mulf %a_v16, %a_v16 : f32
    %a_v18 = arith.mulf %a_v17, %a_v17 : f32
    %a_v19 = arith.mulf %a_v18, %a_v18 : f32
    %a_v20 = arith.mulf %a_v19, %a_v19 : f32
    %a_v21 = arith.mulf %a_v20, %a_v20 : f32
    %a_v22 = arith.mulf %a_v21, %a_v21 : f32
    %a_v23 = arith.mulf %a_v22, %a_v22 : f32
    %a_v24 = arith.mulf %a_v23, %a_v23 : f32
    %a_v25 = arith.mulf %a_v24, %a_v24 : f32
    %a_v26 = arith.mulf %a_v25, %a_v25 : f32
    %a_v27 = arith.mulf %a_v26, %a_v26 : f32
    %a_v28 = arith.mulf %a_v27, %a_v27 : f32
    %a_v29 = arith.mulf %a_v28, %a_v28 : f32
    %a_v30 = arith.mulf %a_v29, %a_v29 : f32
    linalg.yield %a_v30 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32):
    %b_v0 = arith.mulf %b_0, %b_0 : f32
    %b_v1 = arith.mulf %b_v0, %b_v0 : f32
    %b_v2 = arith.mulf %b_v1, %b_v1 : f32
    %b_v3 = arith.mulf %b_v2, %b_v2 : f32
    %b_v4 = arith.mulf %b_v3, %b_v3 : f32
    %b_v5 = arith.mulf %b_v4, %b_v4 : f32
    %b_v6 = arith.mulf %b_v5, %b_v5 : f32
    %b_v7 = arith.mulf %b_v6, %b_v6 : f32
    %b_v8 = arith.mulf %b_v7, %b_v7 : f32
    %b_v9 = arith.mulf %b_v8, %b_v8 : f32
    %b_v10 = arith.mulf %b_v9, %b_v9 : f32
    %b_v11 = arith.mulf %b_v10, %b_v10 : f32
    %b_v12 = arith.mulf %b_v11, %b_v11 : f32
    %b_v13 = arith.mulf %b_v12, %b_v12 : f32
    %b_v14 = arith.mulf %b_v13, %b_v13 : f32
    %b_v15 = arith.mulf %b_v14, %b_v14 : f32
    %b_v16 = arith.mulf %b_v15, %b_v15 : f32
    %b_v17 = arith.mulf %b_v16, %b_v16 : f32
    %b_v18 = arith.mulf %b_v17, %b_v17 : f32
    %b_v19 = arith.mulf %b_v18, %b_v18 : f32
    %b_v20 = arith.mulf %b_v19, %b_v19 : f32
    %b_v21 = arith.mulf %b_v20, %b_v20 : f32
    %b_v22 = arith.mulf %b_v21, %b_v21 : f32
    %b_v23 = arith.mulf %b_v22, %b_v22 : f32
    %b_v24 = arith.mulf %b_v23, %b_v23 : f32
    %b_v25 = arith.mulf %b_v24, %b_v24 : f32
    %b_v26 = arith.mulf %b_v25, %b_v25 : f32
    %b_v27 = arith.mulf %b_v26, %b_v26 : f32
    %b_v28 = arith.mulf %b_v27, %b_v27 : f32
    %b_v29 = arith.mulf %b_v28, %b_v28 : f32
    %b_v30 = arith.mulf %b_v29, %b_v29 : f32
    linalg.yield %b_v30 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @operations_65(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @operations_65(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32):
    %a_v0 = arith.mulf %a_0, %a_0 : f32
    %a_v1 = arith.mulf %a_v0, %a_v0 : f32
    %a_v2 = arith.mulf %a_v1, %a_v1 : f32
    %a_v3 = arith.mulf %a_v2, %a_v2 : f32
    %a_v4 = arith.mulf %a_v3, %a_v3 : f32
    %a_v5 = arith.mulf %a_v4, %a_v4 : f32
    %a_v6 = arith.mulf %a_v5, %a_v5 : f32
    %a_v7 = arith.mulf %a_v6, %a_v6 : f32
    %a_v8 = arith.mulf %a_v7, %a_v7 : f32
    %a_v9 = arith.mulf %a_v8, %a_v8 : f32
    %a_v10 = arith.mulf %a_v9, %a_v9 : f32
    %a_v11 = arith.mulf %a_v10, %a_v10 : f32
    %a_v12 = arith.mulf %a_v11, %a_v11 : f32
    %a_v13 = arith.mulf %a_v12, %a_v12 : f32
    %a_v14 = arith.mulf %a_v13, %a_v13 : f32
    %a_v15 = arith.mulf %a_v14, %a_v14 : f32
    %a_v16 = arith.mulf %a_v15, %a_v15 : f32
    %a_v17 = arith.mulf %a_v16, %a_v16 : f32
    %a_v18 = arith.mulf %a_v17, %a_v17 : f32
    %a_v19 = arith.mulf %a_v18, %a_v18 : f32
    %a_v20 = arith.mulf %a_v19, %a_v19 : f32
    %a_v21 = arith.mulf %a_v20, %a_v20 : f32
    %a_v22 = arith.mulf %a_v21, %a_v21 : f32
    %a_v23 = arith.mulf %a_v22, %a_v22 : f32
    %a_v24 = arith.mulf %a_v23, %a_v23 : f32
    %a_v25 = arith.mulf %a_v24, %a_v24 : f32
    %a_v26 = arith.mulf %a_v25, %a_v25 : f32
    %a_v27 = arith.mulf %a_v26, %a_v26 : f32
    %a_v28 = arith.mulf %a_v27, %a_v27 : f32
    %a_v29 = arith.mulf %a_v28, %a_v28 : f32
    %a_v30 = arith.mulf %a_v29, %a_v29 : f32
    %a_v31 = arith.mulf %a_v30, %a_v30 : f32
    linalg.yield %a_v31 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32):
    %b_v0 = arith.mulf %b_0, %b_0 : f32
    %b_v1 = arith.mulf %b_v0, %b_v0 : f32
    %b_v2 = arith.mulf %b_v1, %b_v1 : f32
    %b_v3 = arith.mulf %b_v2, %b_v2 : f32
    %b_v4 = arith.mulf %b_v3, %b_v3 : f32
    %b_v5 = arith.mulf %b_v4, %b_v4 : f32
    %b_v6 = arith.mulf %b_v5, %b_v5 : f32
    %b_v7 = arith.mulf %b_v6, %b_v6 : f32
    %b_v8 = arith.mulf %b_v7, %b_v7 : f32
    %b_v9 = arith.mulf %b_v8, %b_v8 : f32
    %b_v10 = arith.mulf %b_v9, %b_v9 : f32
    %b_v11 = arith.mulf %b_v10, %b_v10 : f32
    %b_v12 = arith.mulf %b_v11, %b_v11 : f32
    %b_v13 = arith.mulf %b_v12, %b_v12 : f32
    %b_v14 = arith.mulf %b_v13, %b_v13 : f32
    %b_v15 = arith.mulf %b_v14, %b_v14 : f32
    %b_v16 = arith.mulf %b_v15, %b_v15 : f32
    %b_v17 = arith.mulf %b_v16, %b_v16 : f32
    %b_v18 = arith.mulf %b_v17, %b_v17 : f32
    %b_v19 = arith.mulf %b_v18, %b_v18 : f32
    %b_v20 = arith.mulf %b_v19, %b_v19 : f32
    %b_v21 = arith.mulf %b_v20, %b_v20 : f32
    %b_v22 = arith.mulf %b_v21, %b_v21 : f32
    %b_v23 = arith.mulf %b_v22, %b_v22 : f32
    %b_v24 = arith.mulf %b_v23, %b_v23 : f32
    %b_v25 = arith.mulf %b_v24, %b_v24 : f32
    %b_v26 = arith.mulf %b_v25, %b_v25 : f32
    %b_v27 = arith.mulf %b_v26, %b_v26 : f32
    %b_v28 = arith.mulf %b_v27, %b_v27 : f32
    %b_v29 = arith.mulf %b_v28, %b_v28 : f32
    %b_v30 = arith.mulf %b_v29, %b_v29 : f32
    linalg.yield %b_v30 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @operations_65_behind(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @operations_65_behind(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32):
    %a_v0 = arith.mulf %a_0, %a_0 : f32
    %a_v1 = arith.mulf %a_v0, %a_v0 : f32
    %a_v2 = arith.mulf %a_v1, %a_v1 : f32
    %a_v3 = arith.mulf %a_v2, %a_v2 : f32
    %a_v4 = arith.mulf %a_v3, %a_v3 : f32
    %a_v5 = arith.mulf %a_v4, %a_v4 : f32
    %a_v6 = arith.mulf %a_v5, %a_v5 : f32
    %a_v7 = arith.mulf %a_v6, %a_v6 : f32
    %a_v8 = arith.mulf %a_v7, %a_v7 : f32
    %a_v9 = arith.mulf %a_v8, %a_v8 : f32
    %a_v10 = arith.mulf %a_v9, %a_v9 : f32
    %a_v11 = arith.mulf %a_v10, %a_v10 : f32
    %a_v12 = arith.mulf %a_v11, %a_v11 : f32
    %a_v13 = arith.mulf %a_v12, %a_v12 : f32
    %a_v14 = arith.mulf %a_v13, %a_v13 : f32
    %a_v15 = arith.mulf %a_v14, %a_v14 : f32
    %a_v16 = arith.mulf %a_v15, %a_v15 : f32
    %a_v17 = arith.mulf %a_v16, %a_v16 : f32
    %a_v18 = arith.mulf %a_v17, %a_v17 : f32
    %a_v19 = arith.mulf %a_v18, %a_v18 : f32
    %a_v20 = arith.mulf %a_v19, %a_v19 : f32
    %a_v21 = arith.mulf %a_v20, %a_v20 : f32
    %a_v22 = arith.mulf %a_v21, %a_v21 : f32
    %a_v23 = arith.mulf %a_v22, %a_v22 : f32
    %a_v24 = arith.mulf %a_v23, %a_v23 : f32
    %a_v25 = arith.mulf %a_v24, %a_v24 : f32
    %a_v26 = arith.mulf %a_v25, %a_v25 : f32
    %a_v27 = arith.mulf %a_v26, %a_v26 : f32
    %a_v28 = arith.mulf %a_v27, %a_v27 : f32
    %a_v29 = arith.mulf %a_v28, %a_v28 : f32
    %a_v30 = arith.mulf %a_v29, %a_v29 : f32
    linalg.yield %a_v30 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32):
    %b_v0 = arith.mulf %b_0, %b_0 : f32
    %b_v1 = arith.mulf %b_v0, %b_v0 : f32
    %b_v2 = arith.mulf %b_v1, %b_v1 : f32
    %b_v3 = arith.mulf %b_v2, %b_v2 : f32
    %b_v4 = arith.mulf %b_v3, %b_v3 : f32
    %b_v5 = arith.mulf %b_v4, %b_v4 : f32
    %b_v6 = arith.mulf %b_v5, %b_v5 : f32
    %b_v7 = arith.mulf %b_v6, %b_v6 : f32
    %b_v8 = arith.mulf %b_v7, %b_v7 : f32
    %b_v9 = arith.mulf %b_v8, %b_v8 : f32
    %b_v10 = arith.mulf %b_v9, %b_v9 : f32
    %b_v11 = arith.mulf %b_v10, %b_v10 : f32
    %b_v12 = arith.mulf %b_v11, %b_v11 : f32
    %b_v13 = arith.mulf %b_v12, %b_v12 : f32
    %b_v14 = arith.mulf %b_v13, %b_v13 : f32
    %b_v15 = arith.mulf %b_v14, %b_v14 : f32
    %b_v16 = arith.mulf %b_v15, %b_v15 : f32
    %b_v17 = arith.mulf %b_v16, %b_v16 : f32
    %b_v18 = arith.mulf %b_v17, %b_v17 : f32
    %b_v19 = arith.mulf %b_v18, %b_v18 : f32
    %b_v20 = arith.mulf %b_v19, %b_v19 : f32
    %b_v21 = arith.mulf %b_v20, %b_v20 : f32
    %b_v22 = arith.mulf %b_v21, %b_v21 : f32
    %b_v23 = arith.mulf %b_v22, %b_v22 : f32
    %b_v24 = arith.mulf %b_v23, %b_v23 : f32
    %b_v25 = arith.mulf %b_v24, %b_v24 : f32
    %b_v26 = arith.mulf %b_v25, %b_v25 : f32
    %b_v27 = arith.mulf %b_v26, %b_v26 : f32
    %b_v28 = arith.mulf %b_v27, %b_v27 : f32
    %b_v29 = arith.mulf %b_v28, %b_v28 : f32
    %b_v30 = arith.mulf %b_v29, %b_v29 : f32
    %b_v31 = arith.mulf %b_v30, %b_v30 : f32
    linalg.yield %b_v31 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// Six buffers and six.
// CHECK-LABEL: func.func @buffers_12(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @buffers_12(%p0: tensor<8xf32>, %p1: tensor<8xf32>, %p2: tensor<8xf32>, %p3: tensor<8xf32>, %p4: tensor<8xf32>, %q0: tensor<8xf32>, %q1: tensor<8xf32>, %q2: tensor<8xf32>, %q3: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p0, %p1, %p2, %p3, %p4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32, %a_2: f32, %a_3: f32, %a_4: f32, %a_5: f32):
    %s1 = arith.addf %a_0, %a_1 : f32
    %s2 = arith.addf %s1, %a_2 : f32
    %s3 = arith.addf %s2, %a_3 : f32
    %s4 = arith.addf %s3, %a_4 : f32
    linalg.yield %s4 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %q0, %q1, %q2, %q3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32, %b_3: f32, %b_4: f32, %b_5: f32):
    %t1 = arith.addf %b_0, %b_1 : f32
    %t2 = arith.addf %t1, %b_2 : f32
    %t3 = arith.addf %t2, %b_3 : f32
    %t4 = arith.addf %t3, %b_4 : f32
    linalg.yield %t4 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @buffers_13(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @buffers_13(%p0: tensor<8xf32>, %p1: tensor<8xf32>, %p2: tensor<8xf32>, %p3: tensor<8xf32>, %p4: tensor<8xf32>, %p5: tensor<8xf32>, %q0: tensor<8xf32>, %q1: tensor<8xf32>, %q2: tensor<8xf32>, %q3: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p0, %p1, %p2, %p3, %p4, %p5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32, %a_2: f32, %a_3: f32, %a_4: f32, %a_5: f32, %a_6: f32):
    %s1 = arith.addf %a_0, %a_1 : f32
    %s2 = arith.addf %s1, %a_2 : f32
    %s3 = arith.addf %s2, %a_3 : f32
    %s4 = arith.addf %s3, %a_4 : f32
    %s5 = arith.addf %s4, %a_5 : f32
    linalg.yield %s5 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %q0, %q1, %q2, %q3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32, %b_3: f32, %b_4: f32, %b_5: f32):
    %t1 = arith.addf %b_0, %b_1 : f32
    %t2 = arith.addf %t1, %b_2 : f32
    %t3 = arith.addf %t2, %b_3 : f32
    %t4 = arith.addf %t3, %b_4 : f32
    linalg.yield %t4 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @buffers_13_behind(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @buffers_13_behind(%p0: tensor<8xf32>, %p1: tensor<8xf32>, %p2: tensor<8xf32>, %p3: tensor<8xf32>, %p4: tensor<8xf32>, %q0: tensor<8xf32>, %q1: tensor<8xf32>, %q2: tensor<8xf32>, %q3: tensor<8xf32>, %q4: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p0, %p1, %p2, %p3, %p4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a_0: f32, %a_1: f32, %a_2: f32, %a_3: f32, %a_4: f32, %a_5: f32):
    %s1 = arith.addf %a_0, %a_1 : f32
    %s2 = arith.addf %s1, %a_2 : f32
    %s3 = arith.addf %s2, %a_3 : f32
    %s4 = arith.addf %s3, %a_4 : f32
    linalg.yield %s4 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %q0, %q1, %q2, %q3, %q4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32, %b_3: f32, %b_4: f32, %b_5: f32, %b_6: f32):
    %t1 = arith.addf %b_0, %b_1 : f32
    %t2 = arith.addf %t1, %b_2 : f32
    %t3 = arith.addf %t2, %b_3 : f32
    %t4 = arith.addf %t3, %b_4 : f32
    %t5 = arith.addf %t4, %b_5 : f32
    linalg.yield %t5 : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// A count of 16 operations is made again for each of two readers; one of 17 is written for the second.
// CHECK-LABEL: func.func @count_16(
// CHECK-COUNT-2: linalg.index 0
// CHECK-NOT:     linalg.index
// CHECK:         return
func.func @count_16(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %f = arith.sitofp %c : i32 to f32
    %m_v0 = arith.mulf %f, %f : f32
    %m_v1 = arith.mulf %m_v0, %m_v0 : f32
    %m_v2 = arith.mulf %m_v1, %m_v1 : f32
    %m_v3 = arith.mulf %m_v2, %m_v2 : f32
    %m_v4 = arith.mulf %m_v3, %m_v3 : f32
    %m_v5 = arith.mulf %m_v4, %m_v4 : f32
    %m_v6 = arith.mulf %m_v5, %m_v5 : f32
    %m_v7 = arith.mulf %m_v6, %m_v6 : f32
    %m_v8 = arith.mulf %m_v7, %m_v7 : f32
    %m_v9 = arith.mulf %m_v8, %m_v8 : f32
    %m_v10 = arith.mulf %m_v9, %m_v9 : f32
    %m_v11 = arith.mulf %m_v10, %m_v10 : f32
    linalg.yield %m_v11 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @count_17(
// CHECK-COUNT-1: linalg.index 0
// CHECK-NOT:     linalg.index
// CHECK:         return
func.func @count_17(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %f = arith.sitofp %c : i32 to f32
    %m_v0 = arith.mulf %f, %f : f32
    %m_v1 = arith.mulf %m_v0, %m_v0 : f32
    %m_v2 = arith.mulf %m_v1, %m_v1 : f32
    %m_v3 = arith.mulf %m_v2, %m_v2 : f32
    %m_v4 = arith.mulf %m_v3, %m_v3 : f32
    %m_v5 = arith.mulf %m_v4, %m_v4 : f32
    %m_v6 = arith.mulf %m_v5, %m_v5 : f32
    %m_v7 = arith.mulf %m_v6, %m_v6 : f32
    %m_v8 = arith.mulf %m_v7, %m_v7 : f32
    %m_v9 = arith.mulf %m_v8, %m_v8 : f32
    %m_v10 = arith.mulf %m_v9, %m_v9 : f32
    %m_v11 = arith.mulf %m_v10, %m_v10 : f32
    %m_v12 = arith.mulf %m_v11, %m_v11 : f32
    linalg.yield %m_v12 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// What is computed of one number is computed for each reader, of tensors where fewer bytes move then: of one of
// them it is read in place of the result, which need not be written.
// CHECK-LABEL: func.func @of_one_number(
// CHECK-COUNT-2: arith.negf
// CHECK-NOT:     arith.negf
// CHECK:         return
func.func @of_one_number(%x: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, #id], iterator_types = ["parallel"]} ins(%s : tensor<f32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @of_a_tensor(
// CHECK-COUNT-2: arith.negf
// CHECK-NOT:     arith.negf
// CHECK:         return
func.func @of_a_tensor(%x: tensor<8xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @of_two_tensors(
// CHECK-COUNT-1: arith.subf
// CHECK-NOT:     arith.subf
// CHECK:         return
func.func @of_two_tensors(%x: tensor<8xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.subf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @of_two_tensors_one_read_anyhow(
// CHECK-COUNT-2: arith.subf
// CHECK-NOT:     arith.subf
// CHECK:         return
func.func @of_two_tensors_one_read_anyhow(%x: tensor<8xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.subf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

// What is read for it would have to be kept for the backward pass.
// CHECK-LABEL: func.func @over_phases(
// CHECK-COUNT-1: arith.subf
// CHECK-NOT:     arith.subf
// CHECK:         return
func.func @over_phases(%x: tensor<8xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %v = arith.subf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%b_0: f32, %b_1: f32, %b_2: f32):
    %b_v = arith.addf %b_0, %b_1 : f32
    linalg.yield %b_v : f32
  } -> tensor<8xf32>
  boost.phase backward
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d_0: f32, %d_1: f32, %d_2: f32):
    %d_v = arith.mulf %d_0, %d_1 : f32
    linalg.yield %d_v : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}

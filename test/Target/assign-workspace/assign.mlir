// RUN: boost-opt %s --boost-assign-workspace="target=cuda" | FileCheck %s
// RUN: boost-opt %s --boost-assign-workspace="target=cpu" | FileCheck %s --check-prefix=CPU
// RUN: not boost-opt %s --boost-assign-workspace="target=tpu" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// What calls use beside their operands.

// UNKNOWN: for the --target option: expects cpu or cuda, but got 'tpu'
// CPU-NOT: workspace

// CHECK-LABEL: func @products
func.func @products(%a: memref<8x4xf32>, %b: memref<4x2xf32>, %c: memref<8x2xf32>) {
  // CHECK: boostrt.gemm {{.*}}boostrt.workspace_bytes = 33554432 : i64
  boostrt.gemm ins(%a, %b : memref<8x4xf32>, memref<4x2xf32>) outs(%c : memref<8x2xf32>) {batch = 1, m = 8, n = 2, k = 4}
  // CHECK: boostrt.copy ins(%{{.*}} : memref<8x2xf32>) outs(%{{.*}} : memref<8x2xf32>){{$}}
  %d = memref.alloc() : memref<8x2xf32>
  boostrt.copy ins(%c : memref<8x2xf32>) outs(%d : memref<8x2xf32>)
  return
}

// Attention that cuDNN may serve: a deterministic gradient keeps gradients of scores, 2 bytes each, in tiles of 64 x
// 128, beside a sum for each query; grouped queries keep dK and dV of all heads. Forward, 256 bytes are enough.

// CHECK-LABEL: func @attention
func.func @attention(%q: memref<1x320x4x64xbf16>, %k: memref<1x320x2x64xbf16>, %lse: memref<1x4x320xf32>, %bias: memref<1x4x320x320xf32>) {
  %o = memref.alloc() : memref<1x320x4x64xbf16>
  %dq = memref.alloc() : memref<1x320x4x64xbf16>
  %dk = memref.alloc() : memref<1x320x2x64xbf16>
  %dv = memref.alloc() : memref<1x320x2x64xbf16>
  // CHECK: boostrt.attention_forward {{.*}}boostrt.workspace_bytes = 256 : i64
  boostrt.attention_forward ins(%q, %k, %k : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>, memref<1x320x2x64xbf16>)
      outs(%o, %lse : memref<1x320x4x64xbf16>, memref<1x4x320xf32>) causal {scale = 1.25e-01 : f64}
  // 5120 of sums, 256, 4 heads of 320 x 384 scores, and twice 4 heads of 320 x 64.
  // CHECK: boostrt.attention_backward {{.*}}boostrt.workspace_bytes = 1316096 : i64
  boostrt.attention_backward ins(%q, %k, %k, %q, %lse, %q : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>,
      memref<1x320x2x64xbf16>, memref<1x320x4x64xbf16>, memref<1x4x320xf32>, memref<1x320x4x64xbf16>)
      outs(%dq, %dk, %dv : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>, memref<1x320x2x64xbf16>)
      causal {scale = 1.25e-01 : f64}
  // dQ is added up in f32, twice on some GPUs.
  // CHECK: boostrt.attention_backward {{.*}}boostrt.workspace_bytes = 988416 : i64{{.*}}nondeterministic
  boostrt.attention_backward ins(%q, %k, %k, %q, %lse, %q : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>,
      memref<1x320x2x64xbf16>, memref<1x320x4x64xbf16>, memref<1x4x320xf32>, memref<1x320x4x64xbf16>)
      outs(%dq, %dk, %dv : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>, memref<1x320x2x64xbf16>)
      causal {nondeterministic, scale = 1.25e-01 : f64}
  // The kernels of the runtime serve a bias. Forward they need nothing, and backward 16 bytes for each query of 4 heads.
  // CHECK: boostrt.attention_forward {{.*}}bias{{.*}}{scale = 1.250000e-01 : f64}{{$}}
  boostrt.attention_forward ins(%q, %k, %k : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>, memref<1x320x2x64xbf16>)
      bias(%bias : memref<1x4x320x320xf32>)
      outs(%o, %lse : memref<1x320x4x64xbf16>, memref<1x4x320xf32>) {scale = 1.25e-01 : f64}
  // CHECK: boostrt.attention_backward {{.*}}bias{{.*}}boostrt.workspace_bytes = 20480 : i64
  boostrt.attention_backward ins(%q, %k, %k, %q, %lse, %q : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>,
      memref<1x320x2x64xbf16>, memref<1x320x4x64xbf16>, memref<1x4x320xf32>, memref<1x320x4x64xbf16>)
      bias(%bias : memref<1x4x320x320xf32>)
      outs(%dq, %dk, %dv : memref<1x320x4x64xbf16>, memref<1x320x2x64xbf16>, memref<1x320x2x64xbf16>)
      {scale = 1.25e-01 : f64}
  return
}

// NCCL moves what lies in one piece for each rank; the rest is packed before or unpacked after.

// CHECK-LABEL: func @collectives
func.func @collectives(%a: memref<1x4x8xf32>, %b: memref<1x8x8xf32>, %c: memref<1x4x16xf32>, %d: memref<4x4xf32>, %e: memref<8x2xf32>) {
  // CHECK: boostrt.all_gather dims {{\[}}1] {{.*}} outs(%{{.*}} : memref<1x8x8xf32>){{$}}
  boostrt.all_gather dims [1] group 1 site 0 ins(%a : memref<1x4x8xf32>) outs(%b : memref<1x8x8xf32>)
  // CHECK: boostrt.all_gather dims {{\[}}2] {{.*}}{boostrt.workspace_bytes = 256 : i64}
  boostrt.all_gather dims [2] group 1 site 1 ins(%a : memref<1x4x8xf32>) outs(%c : memref<1x4x16xf32>)
  // CHECK: boostrt.reduce_scatter sum dims {{\[}}1] {{.*}} outs(%{{.*}} : memref<1x4x8xf32>){{$}}
  boostrt.reduce_scatter sum dims [1] group 1 site 2 ins(%b : memref<1x8x8xf32>) outs(%a : memref<1x4x8xf32>)
  // CHECK: boostrt.reduce_scatter sum dims {{\[}}2] {{.*}}{boostrt.workspace_bytes = 256 : i64}
  boostrt.reduce_scatter sum dims [2] group 1 site 3 ins(%c : memref<1x4x16xf32>) outs(%a : memref<1x4x8xf32>)
  // CHECK: boostrt.all_to_all {{.*}}{boostrt.workspace_bytes = 128 : i64}
  boostrt.all_to_all split_dim 1 concat_dim 0 group 1 site 4 ins(%d : memref<4x4xf32>) outs(%e : memref<8x2xf32>)
  // Each tensor begins at a multiple of 64 bytes.
  %f = memref.alloc() : memref<3x3xf32>
  %g = memref.alloc() : memref<3x6xf32>
  %h = memref.alloc() : memref<3x6xf32>
  // CHECK: boostrt.all_gather dims {{\[}}1, 1] {{.*}}{boostrt.workspace_bytes = 256 : i64}
  boostrt.all_gather dims [1, 1] group 1 site 5 ins(%f, %f : memref<3x3xf32>, memref<3x3xf32>) outs(%g, %h : memref<3x6xf32>, memref<3x6xf32>)
  return
}

// Copies of the matrices, their eigenvalues, addresses and two flags, each at a multiple of 256 bytes; 32 MiB and four
// times the matrices for cuSOLVER. Other kinds than eigh are factorized one matrix after another. Singular vectors are
// copies too, and all of U counts.

// CHECK-LABEL: func @factorizations
func.func @factorizations(%a: memref<3x16x16xf32>, %l: memref<3x16x16xf32>, %w: memref<3x16xf32>, %b: memref<16x8xf64>,
                          %s: memref<8xf64>, %u: memref<16x16xf64>, %v: memref<8x8xf64>) {
  // 3072 + 256 + 3 * 256, and 4 * 3072.
  // CHECK: boostrt.factorize eigh {{.*}}boostrt.workspace_bytes = 33570816 : i64
  boostrt.factorize eigh ins(%a : memref<3x16x16xf32>) outs(%l, %w : memref<3x16x16xf32>, memref<3x16xf32>)
  // 3072 + 256 + 3 * 256, and 4 * 1024.
  // CHECK: boostrt.factorize cholesky {{.*}}boostrt.workspace_bytes = 33562624 : i64
  boostrt.factorize cholesky ins(%a : memref<3x16x16xf32>) outs(%l : memref<3x16x16xf32>)
  // 1024 + 256 + 2048 + 512 + 3 * 256, and 4 * 2048.
  // CHECK: boostrt.factorize full_svd {{.*}}boostrt.workspace_bytes = 33567232 : i64
  boostrt.factorize full_svd ins(%b : memref<16x8xf64>) outs(%s, %u, %v : memref<8xf64>, memref<16x16xf64>, memref<8x8xf64>)
  return
}

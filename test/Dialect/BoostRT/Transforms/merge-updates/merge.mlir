// RUN: boost-opt %s -boostrt-merge-updates -split-input-file | FileCheck %s
// Which updates become one call, and which stay what they are.

!t = tensor<4xf32>
!s = tensor<f32>

// Each keeps its weight decay; what reads the first one stands behind all.

// CHECK-LABEL: func @merged
// CHECK-SAME:  %[[P:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[Q:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xf32>, %[[LR:.*]]: tensor<f32>, %[[STEP:.*]]: tensor<f32>, %[[SCALE:.*]]: tensor<f32>
func.func @merged(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %h: !t, %lr: !s, %step: !s, %scale: !s) -> (!t, !t, !t) {
  // CHECK: %[[R:.*]]:6 = boostrt.adamw grads(%[[G]], %[[H]] :
  // CHECK-SAME: ins(%[[LR]], %[[STEP]], %[[SCALE]] :
  // CHECK-SAME: outs(%[[P]], %[[M]], %[[V]], %[[Q]], %[[N]], %[[W]] :
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{[^,]*}} : f64, boost.region = "optimizer", eps = 1.000000e-08 : f64, weight_decays = array<f64: 1.000000e-01, 0.000000e+00>}
  %a:3 = boostrt.adamw grads(%g : !t) ins(%lr, %step, %scale : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.1>, boost.region = "optimizer"} -> !t, !t, !t
  // CHECK-NEXT: %[[E:.*]] = tensor.empty
  // CHECK-NEXT: %[[C:.*]] = boostrt.copy ins(%[[R]]#0 :
  %e = tensor.empty() : !t
  %c = boostrt.copy ins(%a#0 : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%h : !t) ins(%lr, %step, %scale : !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>, boost.region = "optimizer"} -> !t, !t, !t
  // CHECK-NEXT: return %[[C]], %[[R]]#3, %[[R]]#5
  return %c, %b#0, %b#2 : !t, !t, !t
}

// -----

!t = tensor<4xf32>
!b = tensor<4xbf16>
!s = tensor<f32>

// Updates of two kinds, one after the other, are two calls.

// CHECK-LABEL: func @kinds
func.func @kinds(%p: !t, %m: !t, %v: !t, %g: !t, %q: !b, %n: !t, %w: !t, %h: !b, %s: !s, %r: !t, %o: !t, %x: !t) -> (!t, !b, !t) {
  // CHECK: boostrt.adamw grads(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
  // CHECK: boostrt.adamw grads(%{{.*}} : tensor<4xbf16>)
  // CHECK-NOT: boostrt.adamw
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%h : !b) ins(%s, %s, %s : !s, !s, !s) outs(%q, %n, %w : !b, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !b, !t, !t
  %c:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%r, %o, %x : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  return %a#0, %b#0, %c#0 : !t, !b, !t
}

// -----

!t = tensor<4xf32>
!b = tensor<4xbf16>
!s = tensor<f32>

// Another type of gradients, learning rate or coefficient.

// CHECK-LABEL: func @numbers
// CHECK-COUNT-4: boostrt.adamw grads(%{{[^,]*}} :
func.func @numbers(%p: !t, %m: !t, %v: !t, %q: !t, %n: !t, %w: !t, %r: !t, %o: !t, %u: !t, %x: !t, %y: !t, %z: !t,
                   %g: !t, %h: !b, %s: !s, %lr: !s) -> (!t, !t, !t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%h : !b) ins(%s, %s, %s : !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %c:3 = boostrt.adamw grads(%g : !t) ins(%lr, %s, %s : !s, !s, !s) outs(%r, %o, %u : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %d:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%x, %y, %z : !t, !t, !t)
      {beta1 = 0.8, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  return %a#0, %b#0, %c#0, %d#0 : !t, !t, !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// What an update reads is computed behind the one before.

// CHECK-LABEL: func @later_gradient
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @later_gradient(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %e = tensor.empty() : !t
  %h = boostrt.copy ins(%g : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%h : !t) ins(%s, %s, %s : !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  return %a#0, %b#0 : !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// The old value of the second parameter is read in between: it would have to be copied.

// CHECK-LABEL: func @old_value
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @old_value(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %e = tensor.empty() : !t
  %old = boostrt.copy ins(%q : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  return %a#0, %b#0, %old : !t, !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// What one update overwrites is the gradient of the other.

// CHECK-LABEL: func @overwritten_gradient
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @overwritten_gradient(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s : !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%p : !t) ins(%s, %s, %s : !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>} -> !t, !t, !t
  return %a#0, %b#0 : !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// On memrefs, calls stay what they are.

// CHECK-LABEL: func @memrefs
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @memrefs(%p: memref<4xf32>, %m: memref<4xf32>, %v: memref<4xf32>, %g: memref<4xf32>, %q: memref<4xf32>, %s: memref<f32>) {
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s : memref<f32>, memref<f32>, memref<f32>) outs(%p, %m, %v : memref<4xf32>, memref<4xf32>, memref<4xf32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>}
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s : memref<f32>, memref<f32>, memref<f32>) outs(%q, %m, %v : memref<4xf32>, memref<4xf32>, memref<4xf32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decays = array<f64: 0.0>}
  return
}

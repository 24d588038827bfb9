// RUN: boost-opt %s -boostrt-merge-updates -split-input-file | FileCheck %s
// Which updates become one call, and which stay what they are.

!t = tensor<4xf32>
!s = tensor<f32>

// Each keeps whether it decays; what reads the first one stands behind all.

// CHECK-LABEL: func @merged
// CHECK-SAME:  %[[P:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[Q:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xf32>, %[[LR:.*]]: tensor<f32>, %[[STEP:.*]]: tensor<f32>, %[[SCALE:.*]]: tensor<f32>, %[[BETA1:.*]]: tensor<f32>, %[[BETA2:.*]]: tensor<f32>, %[[EPS:.*]]: tensor<f32>, %[[DECAY:.*]]: tensor<f32>)
func.func @merged(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %h: !t, %lr: !s, %step: !s, %scale: !s,
                  %beta1: !s, %beta2: !s, %eps: !s, %decay: !s) -> (!t, !t, !t) {
  // CHECK: %[[R:.*]]:6 = boostrt.adamw grads(%[[G]], %[[H]] :
  // CHECK-SAME: ins(%[[LR]], %[[STEP]], %[[SCALE]], %[[BETA1]], %[[BETA2]], %[[BETA1]], %[[BETA2]], %[[EPS]], %[[EPS]], %[[DECAY]] :
  // CHECK-SAME: outs(%[[P]], %[[M]], %[[V]], %[[Q]], %[[N]], %[[W]] :
  // CHECK-SAME: {boost.component = "optimizer", decays = array<i1: true, false>}
  %a:3 = boostrt.adamw grads(%g : !t) ins(%lr, %step, %scale, %beta1, %beta2, %beta1, %beta2, %eps, %eps, %decay : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: true>, boost.component = "optimizer"} -> !t, !t, !t
  // CHECK-NEXT: %[[E:.*]] = tensor.empty
  // CHECK-NEXT: %[[C:.*]] = boostrt.copy ins(%[[R]]#0 :
  %e = tensor.empty() : !t
  %c = boostrt.copy ins(%a#0 : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%h : !t) ins(%lr, %step, %scale, %beta1, %beta2, %beta1, %beta2, %eps, %eps, %decay : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {decays = array<i1: false>, boost.component = "optimizer"} -> !t, !t, !t
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
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%h : !b) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !b, !t, !t)
      {decays = array<i1: false>} -> !b, !t, !t
  %c:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%r, %o, %x : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  return %a#0, %b#0, %c#0 : !t, !b, !t
}

// -----

!t = tensor<4xf32>
!b = tensor<4xbf16>
!s = tensor<f32>

// Another type of gradients, or one other scalar.

// CHECK-LABEL: func @scalars
// CHECK-COUNT-12: boostrt.adamw grads(%{{[^,]*}} :
func.func @scalars(%g: !t, %h: !b, %s: !s, %other: !s,
                   %p0: !t, %m0: !t, %v0: !t, %p1: !t, %m1: !t, %v1: !t, %p2: !t, %m2: !t, %v2: !t,
                   %p3: !t, %m3: !t, %v3: !t, %p4: !t, %m4: !t, %v4: !t, %p5: !t, %m5: !t, %v5: !t,
                   %p6: !t, %m6: !t, %v6: !t, %p7: !t, %m7: !t, %v7: !t, %p8: !t, %m8: !t, %v8: !t,
                   %p9: !t, %m9: !t, %v9: !t, %p10: !t, %m10: !t, %v10: !t, %p11: !t, %m11: !t, %v11: !t)
    -> (!t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) {
  %r0:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p0, %m0, %v0 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r1:3 = boostrt.adamw grads(%h : !b) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p1, %m1, %v1 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r2:3 = boostrt.adamw grads(%g : !t) ins(%other, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p2, %m2, %v2 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r3:3 = boostrt.adamw grads(%g : !t) ins(%s, %other, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p3, %m3, %v3 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r4:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %other, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p4, %m4, %v4 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r5:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %other, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p5, %m5, %v5 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r6:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %other, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p6, %m6, %v6 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r7:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %other, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p7, %m7, %v7 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r8:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %other : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p8, %m8, %v8 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r9:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %other, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p9, %m9, %v9 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r10:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %other, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p10, %m10, %v10 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %r11:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %other, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p11, %m11, %v11 : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  return %r0#0, %r1#0, %r2#0, %r3#0, %r4#0, %r5#0, %r6#0, %r7#0, %r8#0, %r9#0, %r10#0, %r11#0 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// What an update reads is computed behind the one before.

// CHECK-LABEL: func @later_gradient
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @later_gradient(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %e = tensor.empty() : !t
  %h = boostrt.copy ins(%g : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%h : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  return %a#0, %b#0 : !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// The old value of the second parameter is read in between: it would have to be copied.

// CHECK-LABEL: func @old_value
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @old_value(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %e = tensor.empty() : !t
  %old = boostrt.copy ins(%q : !t) outs(%e : !t) -> !t
  %b:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  return %a#0, %b#0, %old : !t, !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// What one update overwrites is the gradient of the other.

// CHECK-LABEL: func @overwritten_gradient
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @overwritten_gradient(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t) {
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%p : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  return %a#0, %b#0 : !t, !t
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// On memrefs, calls stay what they are.

// CHECK-LABEL: func @memrefs
// CHECK-COUNT-2: boostrt.adamw grads(%{{[^,]*}} :
func.func @memrefs(%p: memref<4xf32>, %m: memref<4xf32>, %v: memref<4xf32>, %g: memref<4xf32>,
                   %q: memref<4xf32>, %n: memref<4xf32>, %w: memref<4xf32>, %s: memref<f32>) {
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) outs(%p, %m, %v : memref<4xf32>, memref<4xf32>, memref<4xf32>)
      {decays = array<i1: false>}
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) outs(%q, %n, %w : memref<4xf32>, memref<4xf32>, memref<4xf32>)
      {decays = array<i1: false>}
  return
}

// -----

!t = tensor<4xf32>
!s = tensor<f32>

// The gradients are computed before the first update, and the old value of the
// second parameter is read there; one gradient is read again behind both.

// CHECK-LABEL: func @earlier_gradients
// CHECK: %[[H:.*]] = boostrt.copy
// CHECK: boostrt.copy
// CHECK: %[[R:.*]]:6 = boostrt.adamw grads(%{{.*}}, %[[H]] :
// CHECK: boostrt.copy ins(%[[H]] :
// CHECK-NOT: boostrt.adamw
func.func @earlier_gradients(%p: !t, %m: !t, %v: !t, %g: !t, %q: !t, %n: !t, %w: !t, %s: !s) -> (!t, !t, !t, !t) {
  %e = tensor.empty() : !t
  %h = boostrt.copy ins(%g : !t) outs(%e : !t) -> !t
  %old = boostrt.copy ins(%q : !t) outs(%e : !t) -> !t
  %a:3 = boostrt.adamw grads(%g : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%p, %m, %v : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %b:3 = boostrt.adamw grads(%h : !t) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) outs(%q, %n, %w : !t, !t, !t)
      {decays = array<i1: false>} -> !t, !t, !t
  %again = boostrt.copy ins(%h : !t) outs(%e : !t) -> !t
  return %a#0, %b#0, %old, %again : !t, !t, !t, !t
}

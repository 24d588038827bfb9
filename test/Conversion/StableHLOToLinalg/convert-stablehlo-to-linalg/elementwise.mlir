// RUN: boost-opt %s --convert-stablehlo-to-linalg --split-input-file | FileCheck %s

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @float
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xf32>
func.func @float(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[E]] :
  // CHECK: arith.maximumf
  %0 = stablehlo.maximum %a, %b : tensor<4x8xf32>
  // CHECK: math.rsqrt
  %1 = stablehlo.rsqrt %0 : tensor<4x8xf32>
  // CHECK: %[[N:.*]] = arith.negf
  // CHECK: %[[X:.*]] = math.exp %[[N]]
  // CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[X]]
  // CHECK: arith.divf %{{.*}}, %[[S]]
  %2 = stablehlo.logistic %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Booleans: sum is or, product is and; widening is by zeros.

// CHECK-LABEL: func.func @boolean
func.func @boolean(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xf32> {
  // CHECK: arith.ori
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  // CHECK: arith.andi
  %1 = stablehlo.minimum %0, %b : tensor<4xi1>
  // CHECK: arith.uitofp {{.*}} : i1 to f32
  %2 = stablehlo.convert %1 : (tensor<4xi1>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// The sign is in the operation, not in the type.

// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: tensor<4xi32>, %{{.*}}: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xf32>)
func.func @unsigned(%a: tensor<4xui32>, %b: tensor<4xui32>) -> (tensor<4xi1>, tensor<4xf32>) {
  // CHECK: arith.maxui
  %0 = stablehlo.maximum %a, %b : tensor<4xui32>
  // CHECK: arith.cmpi ult
  %1 = stablehlo.compare LT, %0, %b, UNSIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  // CHECK: arith.uitofp {{.*}} : i32 to f32
  %2 = stablehlo.convert %0 : (tensor<4xui32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xi1>, tensor<4xf32>
}

// -----

// Division by zero and overflow are defined.

// CHECK-LABEL: func.func @divide
func.func @divide(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[D:.*]], %{{.*}} : i32
  // CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[D]], %{{.*}} : i32
  // CHECK: %[[UNSAFE:.*]] = arith.ori %[[ZERO]], %[[ONE]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[UNSAFE]], %{{.*}}, %[[D]]
  // CHECK: arith.divsi %{{.*}}, %[[SAFE]]
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// Comparisons with NaN: only NE is true. Conversion to integers saturates.

// CHECK-LABEL: func.func @nan
func.func @nan(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi32>) {
  // CHECK: arith.cmpf une
  %0 = stablehlo.compare NE, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.cmpf oge
  %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-DAG: arith.cmpf ole, %[[X:.*]], %{{.*}} : f32
  // CHECK-DAG: arith.cmpf oge, %[[X]], %{{.*}} : f32
  // CHECK-DAG: arith.cmpf uno, %[[X]], %[[X]] : f32
  // CHECK: arith.fptosi
  %2 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi32>
}

// -----

// Scalars beside tensors are read at every place.

// CHECK: #[[$SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @scalars
func.func @scalars(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %lo: tensor<f32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$SCALAR]], #[[$ID:.*]], #[[$ID]], #[[$ID]]]
  // CHECK: arith.select
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  %1 = stablehlo.clamp %lo, %0, %lo : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// To the power of an integer: a squaring and a product for every bit.

// CHECK-LABEL: func.func @integer_power
func.func @integer_power(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  // CHECK-NOT: math.
  // CHECK-COUNT-15: arith.muli
  // CHECK-NOT: arith.muli
  %0 = stablehlo.power %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// Rounding to f16: 13 bits of the mantissa go, to nearest even. The exponent of
// 8 bits, at bit 23, is that of infinity above 127 + 15 and of zero up to
// 127 - 15.

// CHECK-LABEL: func.func @reduce_precision
func.func @reduce_precision(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[SIGN_BIT:.*]] = arith.constant -2147483648 : i32
  // CHECK: %[[SIGN:.*]] = arith.andi %[[BITS]], %[[SIGN_BIT]]
  // CHECK: %[[DROPPED:.*]] = arith.constant 13 : i32
  // CHECK: arith.shrui %[[BITS]], %[[DROPPED]]
  // CHECK: arith.constant 4095 : i32
  // CHECK: arith.constant -8192 : i32
  // CHECK: %[[ROUNDED:.*]] = arith.andi
  // CHECK: %[[EXPONENT:.*]] = arith.constant 2139095040 : i32
  // CHECK: %[[OWN:.*]] = arith.andi %[[ROUNDED]], %[[EXPONENT]]
  // CHECK: %[[HIGHEST:.*]] = arith.constant 1191182336 : i32
  // CHECK: %[[IS_HIGH:.*]] = arith.cmpi ugt, %[[OWN]], %[[HIGHEST]]
  // CHECK: %[[LOWEST:.*]] = arith.constant 939524096 : i32
  // CHECK: %[[IS_LOW:.*]] = arith.cmpi ule, %[[OWN]], %[[LOWEST]]
  // CHECK: %[[INFINITY:.*]] = arith.ori %[[SIGN]]
  // CHECK: %[[FINITE:.*]] = arith.select %[[IS_LOW]], %[[SIGN]], %[[ROUNDED]]
  // CHECK: %[[RESULT:.*]] = arith.select %[[IS_HIGH]], %[[INFINITY]], %[[FINITE]]
  // CHECK: %[[IS_NAN:.*]] = arith.cmpf uno
  // CHECK: arith.select %[[IS_NAN]], %[[BITS]], %[[RESULT]]
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// bf16 and f16 are of one width, and meet in f32; integers of one width are the
// same bits.

// CHECK-LABEL: func.func @converts
func.func @converts(%b: tensor<4xbf16>, %u: tensor<4xui8>, %i: tensor<4xi8>, %w: tensor<4xi16>)
    -> (tensor<4xf16>, tensor<4xf64>, tensor<4xui8>, tensor<4xi16>, tensor<4xi16>, tensor<4xi8>) {
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK: %[[HALF:.*]] = arith.truncf %[[WIDE]] : f32 to f16
  %0 = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf16>
  // CHECK: arith.extf %{{.*}} : f16 to f64
  %1 = stablehlo.convert %0 : (tensor<4xf16>) -> tensor<4xf64>
  // CHECK: ^bb0(%[[IN:.*]]: i8, %{{.*}}: i8):
  // CHECK-NEXT: linalg.yield %[[IN]] : i8
  %2 = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xui8>
  // CHECK: arith.extui %{{.*}} : i8 to i16
  %3 = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xi16>
  // CHECK: arith.extsi %{{.*}} : i8 to i16
  %4 = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xi16>
  // CHECK: arith.trunci %{{.*}} : i16 to i8
  %5 = stablehlo.convert %w : (tensor<4xi16>) -> tensor<4xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf16>, tensor<4xf64>, tensor<4xui8>, tensor<4xi16>, tensor<4xi16>, tensor<4xi8>
}

// -----

// All bits of an integer are turned around; integers have a magnitude and a
// negative of their own.

// CHECK-LABEL: func.func @integers
func.func @integers(%a: tensor<4xi32>, %x: tensor<4xf32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>) {
  // CHECK: ^bb0(%[[A:.*]]: i32, %{{.*}}: i32):
  // CHECK: %[[ONES:.*]] = arith.constant -1 : i32
  // CHECK: arith.xori %[[A]], %[[ONES]] : i32
  %0 = stablehlo.not %a : tensor<4xi32>
  // CHECK: ^bb0(%[[A:.*]]: i32, %{{.*}}: i32):
  // CHECK: math.absi %[[A]] : i32
  %1 = stablehlo.abs %a : tensor<4xi32>
  // CHECK: ^bb0(%[[A:.*]]: i32, %{{.*}}: i32):
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: arith.subi %[[ZERO]], %[[A]] : i32
  %2 = stablehlo.negate %a : tensor<4xi32>
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK: math.absf %[[X]] : f32
  %3 = stablehlo.abs %x : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>
}

// -----

// The bits of one type in another of its width; integers with and without a
// sign are the same bits.

// CHECK-LABEL: func.func @bits
func.func @bits(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xui32>) {
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: i32):
  // CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
  // CHECK-NEXT: linalg.yield %[[BITS]] : i32
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xui32>
  // CHECK: ^bb0(%[[U:.*]]: i32, %{{.*}}: i32):
  // CHECK-NEXT: linalg.yield %[[U]] : i32
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xui32>) -> tensor<4xi32>
  // CHECK: ^bb0(%[[I:.*]]: i32, %{{.*}}: f32):
  // CHECK-NEXT: %[[FLOAT:.*]] = arith.bitcast %[[I]] : i32 to f32
  // CHECK-NEXT: linalg.yield %[[FLOAT]] : f32
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xi32>) -> tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xui32>
}

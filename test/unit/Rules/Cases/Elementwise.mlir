// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations.

func.func @abs(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.abs %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @ceil(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.ceil %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @cosine(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.cosine %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @exponential(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.exponential %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @exponential_minus_one(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.exponential_minus_one %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @floor(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.floor %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @logistic(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.logistic %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @negate(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.negate %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @sign(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.sign %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @sine(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.sine %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @tanh(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.tanh %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @log(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.log %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @log_plus_one(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.log_plus_one %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @rsqrt(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.rsqrt %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @sqrt(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.sqrt %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @is_finite(%a: tensor<4x8xf64>) -> tensor<4x8xi1> {
  %y = stablehlo.is_finite %a : (tensor<4x8xf64>) -> tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @not(%a: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %y = stablehlo.not %a : tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @reduce_precision(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.reduce_precision %a, format = e8m7 : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @add(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.add %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @subtract(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.subtract %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @multiply(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.multiply %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @divide(%a: tensor<4x8xf64> {test.positive},
                  %b: tensor<4x8xf64> {test.positive})
    -> tensor<4x8xf64> {
  %y = stablehlo.divide %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @maximum(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.maximum %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @minimum(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.minimum %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power(%a: tensor<4x8xf64> {test.positive},
                 %b: tensor<4x8xf64> {test.positive})
    -> tensor<4x8xf64> {
  %y = stablehlo.power %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @remainder(%a: tensor<4x8xf64> {test.positive},
                     %b: tensor<4x8xf64> {test.positive})
    -> tensor<4x8xf64> {
  %y = stablehlo.remainder %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @add_scalar(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  %y = stablehlo.add %a, %b : tensor<f64>
  return %y : tensor<f64>
}

func.func @add_same(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.add %a, %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @subtract_same(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.subtract %a, %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @multiply_same(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.multiply %a, %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @divide_same(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.divide %a, %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_same(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.power %a, %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_0(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %e = stablehlo.constant dense<0.0> : tensor<4x8xf64>
  %y = stablehlo.power %a, %e : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_1(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %e = stablehlo.constant dense<1.0> : tensor<4x8xf64>
  %y = stablehlo.power %a, %e : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_2(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %e = stablehlo.constant dense<2.0> : tensor<4x8xf64>
  %y = stablehlo.power %a, %e : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_negative(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %e = stablehlo.constant dense<-1.5> : tensor<4x8xf64>
  %y = stablehlo.power %a, %e : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// A sum of one operand may pass: zero is a sum over any axis.
func.func @add_zero(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<4x8xf64>
  %y = stablehlo.add %a, %zero : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @and(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
               %b: tensor<4x8xi32> {boost.id_limit = 100 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.and %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @and_booleans(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %y = stablehlo.and %a, %b : tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @or(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
              %b: tensor<4x8xi32> {boost.id_limit = 100 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.or %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @or_booleans(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %y = stablehlo.or %a, %b : tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @xor(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
               %b: tensor<4x8xi32> {boost.id_limit = 100 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.xor %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @xor_booleans(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %y = stablehlo.xor %a, %b : tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @shift_left(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
                      %b: tensor<4x8xi32> {boost.id_limit = 8 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.shift_left %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @shift_right_arithmetic(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
                                  %b: tensor<4x8xi32> {boost.id_limit = 8 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.shift_right_arithmetic %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @shift_right_logical(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
                               %b: tensor<4x8xi32> {boost.id_limit = 8 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.shift_right_logical %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @compare(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xi1> {
  %y = stablehlo.compare LT, %a, %b : (tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @compare_integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi1> {
  %y = stablehlo.compare EQ, %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @select(%p: tensor<4x8xi1>,
                  %a: tensor<4x8xf64>,
                  %b: tensor<4x8xf64>)
    -> tensor<4x8xf64> {
  %y = stablehlo.select %p, %a, %b : tensor<4x8xi1>, tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @select_scalar(%p: tensor<i1>,
                         %a: tensor<4x8xf64>,
                         %b: tensor<4x8xf64>)
    -> tensor<4x8xf64> {
  %y = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @select_zero(%p: tensor<4x8xi1>, %a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<4x8xf64>
  %y = stablehlo.select %p, %a, %zero : tensor<4x8xi1>, tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @select_same(%p: tensor<4x8xi1>, %a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.select %p, %a, %a : tensor<4x8xi1>, tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @clamp(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %lo = stablehlo.constant dense<-0.2> : tensor<f64>
  %hi = stablehlo.constant dense<0.4> : tensor<f64>
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<f64>, tensor<4x8xf64>, tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @clamp_bounds(%lo: tensor<f64>,
                        %a: tensor<4x8xf64>,
                        %hi: tensor<f64>)
    -> tensor<4x8xf64> {
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<f64>, tensor<4x8xf64>, tensor<f64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @clamp_tensors(%lo: tensor<4x8xf64>,
                         %a: tensor<4x8xf64>,
                         %hi: tensor<4x8xf64>)
    -> tensor<4x8xf64> {
  %y = stablehlo.clamp %lo, %a, %hi : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @convert_f64_f32(%a: tensor<4x8xf64>) -> tensor<4x8xf32> {
  %y = stablehlo.convert %a : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @convert_f32_f64(%a: tensor<4x8xf32>) -> tensor<4x8xf64> {
  %y = stablehlo.convert %a : (tensor<4x8xf32>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @convert_bf16_f32(%a: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %y = stablehlo.convert %a : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @convert_f32_bf16(%a: tensor<4x8xf32>) -> tensor<4x8xbf16> {
  %y = stablehlo.convert %a : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

func.func @convert_to_integer(%a: tensor<4x8xf64>) -> tensor<4x8xi32> {
  %y = stablehlo.convert %a : (tensor<4x8xf64>) -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @convert_from_integer(%a: tensor<4x8xi32>) -> tensor<4x8xf64> {
  %y = stablehlo.convert %a : (tensor<4x8xi32>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @power_integers(%i: tensor<4x8xi32> {boost.id_limit = 1000 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.power %i, %i : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @bitcast_convert(%a: tensor<4x8xf32>) -> tensor<4x8xi32> {
  %y = stablehlo.bitcast_convert %a : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @bitcast_narrower(%a: tensor<4x8xf32>) -> tensor<4x8x2xi16> {
  %y = stablehlo.bitcast_convert %a : (tensor<4x8xf32>) -> tensor<4x8x2xi16>
  return %y : tensor<4x8x2xi16>
}

func.func @bitcast_wider(%i: tensor<4x8x4xi8> {boost.id_limit = 100 : i64}) -> tensor<4x8xi32> {
  %y = stablehlo.bitcast_convert %i : (tensor<4x8x4xi8>) -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @optimization_barrier(%a: tensor<4x8xf64>,
                                %b: tensor<4x8xf64>)
    -> (tensor<4x8xf64>, tensor<4x8xf64>) {
  %y:2 = stablehlo.optimization_barrier %a, %b : tensor<4x8xf64>, tensor<4x8xf64>
  return %y#0, %y#1 : tensor<4x8xf64>, tensor<4x8xf64>
}

func.func @optimization_barrier_shapes(%a: tensor<4x8xf64>,
                                       %b: tensor<8xf64>)
    -> (tensor<4x8xf64>, tensor<8xf64>) {
  %y:2 = stablehlo.optimization_barrier %a, %b : tensor<4x8xf64>, tensor<8xf64>
  return %y#0, %y#1 : tensor<4x8xf64>, tensor<8xf64>
}

// Not additive: quotients of parts are truncated, and a sum of booleans is their disjunction.
func.func @divide_integers(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
                           %b: tensor<4x8xi32> {boost.id_limit = 8 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.divide %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @add_booleans(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %y = stablehlo.add %a, %b : tensor<4x8xi1>
  return %y : tensor<4x8xi1>
}

func.func @add_integers(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %y = stablehlo.add %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @multiply_integers(%a: tensor<4x8xi32> {boost.id_limit = 100 : i64},
                             %b: tensor<4x8xi32> {boost.id_limit = 100 : i64})
    -> tensor<4x8xi32> {
  %y = stablehlo.multiply %a, %b : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

// Away from 0, where the slope has no bound.
func.func @cbrt(%a: tensor<4x8xf64> {test.positive}) -> tensor<4x8xf64> {
  %y = stablehlo.cbrt %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// Between the poles.
func.func @tan(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %narrow = stablehlo.tanh %a : tensor<4x8xf64>
  %y = stablehlo.tan %narrow : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @round_nearest_even(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.round_nearest_even %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @round_nearest_afz(%a: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.round_nearest_afz %a : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @atan2(%a: tensor<4x8xf64>, %b: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %y = stablehlo.atan2 %a, %b : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

func.func @popcnt(%i: tensor<4x8xi32> {boost.id_limit = 1000 : i64}) -> tensor<4x8xi32> {
  %y = stablehlo.popcnt %i : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

func.func @count_leading_zeros(%i: tensor<4x8xi32> {boost.id_limit = 1000 : i64}) -> tensor<4x8xi32> {
  %y = stablehlo.count_leading_zeros %i : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

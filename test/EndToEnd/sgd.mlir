// SGD with momentum, for the loss of test_given_update.py: p - lr m', m' = momentum m + g.
func.func public @sgd(
    %embed: tensor<32x16xf32> {boost.tensor = #boost.tensor<param "embed">},
    %down1: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "down1">},
    %up1: tensor<4x16xf32> {boost.tensor = #boost.tensor<param "up1">},
    %down2: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "down2">},
    %up2: tensor<4x16xf32> {boost.tensor = #boost.tensor<param "up2">},
    %m0: tensor<32x16xf32> {boost.tensor = #boost.tensor<state "momentum.embed", kind = "momentum", of = "embed", init = "zeros">},
    %m1: tensor<16x4xf32> {boost.tensor = #boost.tensor<state "momentum.down1", kind = "momentum", of = "down1", init = "zeros">},
    %m2: tensor<4x16xf32> {boost.tensor = #boost.tensor<state "momentum.up1", kind = "momentum", of = "up1", init = "zeros">},
    %m3: tensor<16x4xf32> {boost.tensor = #boost.tensor<state "momentum.down2", kind = "momentum", of = "down2", init = "zeros">},
    %m4: tensor<4x16xf32> {boost.tensor = #boost.tensor<state "momentum.up2", kind = "momentum", of = "up2", init = "zeros">},
    %g0: tensor<32x16xf32> {boost.tensor = #boost.tensor<gradient "grad.embed", of = "embed">},
    %g1: tensor<16x4xf32> {boost.tensor = #boost.tensor<gradient "grad.down1", of = "down1">},
    %g2: tensor<4x16xf32> {boost.tensor = #boost.tensor<gradient "grad.up1", of = "up1">},
    %g3: tensor<16x4xf32> {boost.tensor = #boost.tensor<gradient "grad.down2", of = "down2">},
    %g4: tensor<4x16xf32> {boost.tensor = #boost.tensor<gradient "grad.up2", of = "up2">},
    %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 0.1 : f64>},
    %momentum: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.momentum", kind = "momentum", sample = 0.5 : f64,
        option = #boost.option<"Share of the last step that is taken again", default = 0.9 : f64, min = 0.0 : f64, below = 1.0 : f64>>})
    -> (tensor<32x16xf32> {boost.tensor = #boost.tensor<param "embed">}, tensor<16x4xf32> {boost.tensor = #boost.tensor<param "down1">},
        tensor<4x16xf32> {boost.tensor = #boost.tensor<param "up1">}, tensor<16x4xf32> {boost.tensor = #boost.tensor<param "down2">},
        tensor<4x16xf32> {boost.tensor = #boost.tensor<param "up2">},
        tensor<32x16xf32> {boost.tensor = #boost.tensor<state "momentum.embed", kind = "momentum", of = "embed", init = "zeros">},
        tensor<16x4xf32> {boost.tensor = #boost.tensor<state "momentum.down1", kind = "momentum", of = "down1", init = "zeros">},
        tensor<4x16xf32> {boost.tensor = #boost.tensor<state "momentum.up1", kind = "momentum", of = "up1", init = "zeros">},
        tensor<16x4xf32> {boost.tensor = #boost.tensor<state "momentum.down2", kind = "momentum", of = "down2", init = "zeros">},
        tensor<4x16xf32> {boost.tensor = #boost.tensor<state "momentum.up2", kind = "momentum", of = "up2", init = "zeros">}) {
  %b = stablehlo.broadcast_in_dim %momentum, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
  %bd = stablehlo.broadcast_in_dim %momentum, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
  %bu = stablehlo.broadcast_in_dim %momentum, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
  %r = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
  %rd = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
  %ru = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
  %0 = stablehlo.multiply %b, %m0 : tensor<32x16xf32>
  %n0 = stablehlo.add %0, %g0 : tensor<32x16xf32>
  %1 = stablehlo.multiply %r, %n0 : tensor<32x16xf32>
  %p0 = stablehlo.subtract %embed, %1 : tensor<32x16xf32>
  %2 = stablehlo.multiply %bd, %m1 : tensor<16x4xf32>
  %n1 = stablehlo.add %2, %g1 : tensor<16x4xf32>
  %3 = stablehlo.multiply %rd, %n1 : tensor<16x4xf32>
  %p1 = stablehlo.subtract %down1, %3 : tensor<16x4xf32>
  %4 = stablehlo.multiply %bu, %m2 : tensor<4x16xf32>
  %n2 = stablehlo.add %4, %g2 : tensor<4x16xf32>
  %5 = stablehlo.multiply %ru, %n2 : tensor<4x16xf32>
  %p2 = stablehlo.subtract %up1, %5 : tensor<4x16xf32>
  %6 = stablehlo.multiply %bd, %m3 : tensor<16x4xf32>
  %n3 = stablehlo.add %6, %g3 : tensor<16x4xf32>
  %7 = stablehlo.multiply %rd, %n3 : tensor<16x4xf32>
  %p3 = stablehlo.subtract %down2, %7 : tensor<16x4xf32>
  %8 = stablehlo.multiply %bu, %m4 : tensor<4x16xf32>
  %n4 = stablehlo.add %8, %g4 : tensor<4x16xf32>
  %9 = stablehlo.multiply %ru, %n4 : tensor<4x16xf32>
  %p4 = stablehlo.subtract %up2, %9 : tensor<4x16xf32>
  return %p0, %p1, %p2, %p3, %p4, %n0, %n1, %n2, %n3, %n4
      : tensor<32x16xf32>, tensor<16x4xf32>, tensor<4x16xf32>, tensor<16x4xf32>, tensor<4x16xf32>,
        tensor<32x16xf32>, tensor<16x4xf32>, tensor<4x16xf32>, tensor<16x4xf32>, tensor<4x16xf32>
}

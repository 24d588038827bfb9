func.func private @declared(tensor<2xf32>) -> tensor<2xf32>
func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @last(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

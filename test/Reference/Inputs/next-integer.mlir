func.func @large() -> (tensor<2xi64> {boost.tensor = #boost.tensor<output "y">}) {
  %x = stablehlo.constant dense<[1, 9223372036854775807]> : tensor<2xi64>
  return %x : tensor<2xi64>
}

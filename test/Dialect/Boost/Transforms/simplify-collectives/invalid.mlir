// RUN: boost-opt %s --boost-simplify-collectives --verify-diagnostics

// expected-error @+1 {{expects a 'shard.grid' named '@mesh', but there is none; run boost-place first}}
func.func @nowhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// RUN: not boost-opt %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// The parser stops at the first unknown operation in pretty form; still, all
// that is unsupported in the file is reported, in order, with one note.

// CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: type tensor<?x4xf32> has a dynamic shape
func.func private @f(tensor<?x4xf32>)

// Names that only contain that of an operation.
func.func private @jit$stablehlo.fft()
func.func private @"chlo.bessel_i1e-1"()

func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  // stablehlo.fft in a comment, "stablehlo.fft" in a string, is no operation.
  %s = stablehlo.negate %x {note = "stablehlo.fft"} : tensor<4xf32>
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'stablehlo.fft' is not supported
  %0 = "stablehlo.fft"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'stablehlo.get_dimension_size' is not supported
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'chlo.bessel_i1e' is not supported
  %2 = chlo.bessel_i1e %0 : tensor<4xf32> -> tensor<4xf32>
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: call of 'lapack_sgetrf_ffi' is not supported
  %4 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: call of 'lapack-sgetrf' is not supported
  %5 = stablehlo.custom_call @"lapack-sgetrf"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %a-stablehlo.fft = stablehlo.custom_call @"Sharding"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.negate %a-stablehlo.fft : tensor<4xf32>
  // CHECK: unsupported.mlir:[[#@LINE+2]]:{{[0-9]+}}: error: the values of this constant were left out
  // CHECK: unsupported.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: element type 'complex<f32>' is not supported
  %3 = stablehlo.constant dense_resource<__elided__> : tensor<4xcomplex<f32>>
  // CHECK: note: rewrite the loss without these operations
  return %0 : tensor<4xf32>
}

// RUN: not boost-opt %s -boost-rematerialize=mode=some 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not boost-opt %s -boost-rematerialize=recompute=elementwise,gemm 2>&1 | FileCheck %s --check-prefix=CLASS
// What is recomputed has a known name.

// MODE: for the --mode option: expects none, low-rank or full-block, but got 'some'
// CLASS: for the --recompute option: expects elementwise, up-projection, down-projection or attention, but got 'gemm'

func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

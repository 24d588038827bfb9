// RUN: boost-opt %s --allow-unregistered-dialect -split-input-file | FileCheck %s
// RUN: not boost-opt %S/Inputs/boolean-sizes.mlir --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=SIZES
// Arrays of booleans as MLIR 22 writes them, a bit for each, and as later
// releases do, a byte for each. A text has both.

// CHECK-LABEL: "test.bits"
// CHECK-SAME:    dense<[true, false, false, true, false, false, false, false, true]> : tensor<9xi1>
// CHECK-SAME:    dense<[true, false, false, false, false, false, false, false]> : tensor<8xi1>
"test.bits"() {a = dense<"0x0901"> : tensor<9xi1>, b = dense<"0x01"> : tensor<8xi1>} : () -> ()

// CHECK-LABEL: "test.bytes"
// CHECK-SAME:    dense<[true, false, false, true, false, false, false, false, true]> : tensor<9xi1>
// CHECK-SAME:    dense<{{.*}}[true, false], [true, false], [true, true], [true, false]]> : tensor<4x2xi1>
// CHECK-SAME:    dense<[true, false]> : vector<2xi1>
"test.bytes"() {a = dense<"0x010000010000000001"> : tensor<9xi1>, b = dense < "0x0100FF0001010100" > : tensor<4x2xi1>,
                c = dense<"0x0100"> : vector<2xi1>} : () -> ()

// One byte is the value of all elements.
// CHECK-LABEL: "test.uniform"
// CHECK-SAME:    dense<true> : tensor<16xi1>
// CHECK-SAME:    dense<true> : tensor<16xi1>
// CHECK-SAME:    dense<false> : tensor<16xi1>
// CHECK-SAME:    dense<true> : tensor<1xi1>
"test.uniform"() {a = dense<"0xFF"> : tensor<16xi1>, b = dense<"0x01"> : tensor<16xi1>,
                  c = dense<"0x00"> : tensor<16xi1>, d = dense<"0x01"> : tensor<1xi1>} : () -> ()

// -----

// What only looks like one stays.
// CHECK-LABEL: "test.others"
// CHECK-SAME:    "dense<\220x0100\22> : tensor<2xi1>"
// CHECK-SAME:    dense<[1, 0]> : tensor<2xi8>
// CHECK-SAME:    dense<[true, false]> : tensor<2xi1>
// dense<"0x0100"> : tensor<2xi1>
"test.others"() {a = "dense<\"0x0100\"> : tensor<2xi1>", b = dense<"0x0100"> : tensor<2xi8>,
                 c = dense<"0x0100"> : tensor<2xi1>} : () -> ()

// SIZES: boolean-sizes.mlir:2:60: error: elements hex data size is invalid for provided type: 'tensor<9xi1>'

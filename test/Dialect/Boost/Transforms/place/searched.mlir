// RUN: split-file %s %t
// RUN: boost-opt %t/stream.mlir -boost-place="mesh=tp=2 placement=searched" | FileCheck %s --check-prefix=REFERENCE
// RUN: boost-opt %t/stream.mlir -boost-place="mesh=tp=2 placement=searched machine=%t/network.json" 2>&1 | FileCheck %s --check-prefix=NETWORK
// RUN: boost-opt %t/stream.mlir -boost-place="mesh=tp=2 placement=searched explain" 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: boost-opt %t/stream.mlir -boost-place="mesh=dp=2 placement=searched" | FileCheck %s --check-prefix=DATA
// RUN: not boost-opt %t/stream.mlir -boost-place="mesh=dp=3,tp=2 placement=searched" 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not boost-opt %t/stream.mlir -boost-place="mesh=tp=2 placement=searched machine=%t/none.json" 2>&1 | FileCheck %s --check-prefix=MACHINE
// The cheapest forms of everything over tp; equal layers are sharded alike.

// With a network as fast as the reference's: the bottleneck placement, found.
// Values are annotated, since they do not always follow from arguments.
// REFERENCE: shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// REFERENCE: func.func @loss({{.*}} "x">
// REFERENCE-SAME: boost.reason = "searched: {tp}, {}", boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a0">
// REFERENCE-SAME: boost.reason = "searched: {}, {tp}", boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "b0">
// REFERENCE-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a1">
// REFERENCE-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "b1">
// REFERENCE: boost.linear %arg0, %arg1 {boost.layer = #boost.layer<class = 0, index = 0>} :
// REFERENCE: boost.linear {{.*}} boost.shardings = [#boost.sharding<{}, {"tp"}>]
// REFERENCE: stablehlo.add {{.*}} boost.shardings = [#boost.sharding<{}, {"tp"}>]
// REFERENCE: boost.linear %{{.*}}, %arg3 {boost.layer = #boost.layer<class = 0, index = 1>} :
// REFERENCE: boost.linear {{.*}} boost.shardings = [#boost.sharding<{}, {"tp"}>]
// REFERENCE: stablehlo.add {{.*}} boost.shardings = [#boost.sharding<{}, {"tp"}>]

// Over a network so slow that computing everything everywhere is quicker.
// NETWORK: warning: nothing is sharded over 'tp': its ranks all compute the same
// NETWORK: func.func @loss
// NETWORK-NOT: {"tp"}
// NETWORK: return

// What else would cost.
// EXPLAIN: remark: placement 'searched' shards 4 of 4 parameters
// EXPLAIN: a0 {{.*}}/tp x {{[0-9]+}} searched: {tp}, {}; {}, {} would add {{.*}} s to a step

// Without tp there is nothing to search.
// DATA: "batch: every rank its own rows", boost.sharding = #boost.sharding<{"dp"}, {}>
// DATA-NOT: searched

// DIVIDE: error: expects a batch that dp = 3 divides, but got 8 in 'x'
// DIVIDE: note: dp = 1, 2, 4 or 8 would do
// MACHINE: error: {{.*}}none.json

//--- stream.mlir

func.func @loss(%x: tensor<8x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                %a0: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "a0">},
                %b0: tensor<16x64xf32> {boost.tensor = #boost.tensor<param "b0">},
                %a1: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "a1">},
                %b1: tensor<16x64xf32> {boost.tensor = #boost.tensor<param "b1">})
    -> (tensor<8x64xf32> {boost.tensor = #boost.tensor<output "y">}) {
  %0 = boost.bottleneck %x down(%a0) up(%b0) {boost.layer = #boost.layer<class = 0, index = 0>}
      : tensor<8x64xf32> down tensor<64x16xf32> up tensor<16x64xf32> -> tensor<8x64xf32>
  %1 = stablehlo.add %x, %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<8x64xf32>
  %2 = boost.bottleneck %1 down(%a1) up(%b1) {boost.layer = #boost.layer<class = 0, index = 1>}
      : tensor<8x64xf32> down tensor<64x16xf32> up tensor<16x64xf32> -> tensor<8x64xf32>
  %3 = stablehlo.add %1, %2 {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}

//--- network.json

{"name": "network", "source": "A network that hardly moves.", "peak_flops": {"f32": 1.0},
 "memory_bandwidth": 1.0, "memory_bytes": 1e18, "launch_seconds": 0,
 "links": [{"name": "all", "ranks": 1024, "bandwidth": 1e-6, "latency": 1e6}]}

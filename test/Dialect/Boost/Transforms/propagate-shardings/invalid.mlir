// RUN: boost-opt %s --boost-propagate-shardings --split-input-file --verify-diagnostics
// Cuts that cannot be are refused, naming the tensor and what would do.

shard.grid @mesh(shape = 1x8) {boost.axes = ["dp", "tp"]}
// expected-error @+1 {{argument 'mlp.up': dimension 1 of size 172 cannot be cut into 8 equal parts over axis 'tp'; sizes that would do: 1, 2, 4, 43, 86, 172}}
func.func @does_not_divide(%w: tensor<16x172xf32> {boost.split = [[], ["tp"]], boost.tensor = #boost.tensor<param "mlp.up">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @+1 {{argument 'x': expects 'boost.split' with a list of axes for each of 2 dimensions}}
func.func @no_split(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @+1 {{result 'y': dimension 0 is cut by 'dp', which is no axis of the mesh (tp)}}
func.func @unknown_axis(%x: tensor<4xf32> {boost.split = [[]]})
    -> (tensor<4xf32> {boost.split = [["dp"]], boost.tensor = #boost.tensor<output "y">}) {
  return %x : tensor<4xf32>
}

// -----

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
// expected-error @+1 {{argument 0: axis 'tp' is used twice}}
func.func @axis_twice(%x: tensor<4x4xf32> {boost.split = [["tp"], ["tp"]]}) {
  return
}

// -----

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
// expected-error @+1 {{argument 0: dimension 0 does not list its axes in the order of the mesh}}
func.func @axis_order(%x: tensor<4x4xf32> {boost.split = [["tp", "dp"], []]}) {
  return
}

// -----

// expected-error @+1 {{expects a 'shard.grid' named '@mesh', but there is none; run boost-place first}}
func.func @no_mesh(%x: tensor<4xf32> {boost.split = [[]]}) {
  return
}

// -----

// expected-error @+1 {{expects 'boost.axes' to name each of its 2 axes}}
shard.grid @mesh(shape = 2x2) {boost.axes = ["tp"]}
func.func @unnamed_axis(%x: tensor<4xf32> {boost.split = [[]]}) {
  return
}

// RUN: boost-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expects each axis once, but got "tp" twice}}
func.func @twice(%x: tensor<4x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {"tp"}>}) {
  return
}

// -----

// expected-error @+1 {{expects each axis once, but got "tp" twice}}
func.func @sharded_and_partial(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}, partial = sum {"tp"}>}) {
  return
}

// -----

// expected-error @+1 {{expects axes with a name, but got ""}}
func.func @no_name(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{""}>}) {
  return
}

// -----

// expected-error @+1 {{expects sum, max or min, but got 'mean'}}
func.func @reduction(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = mean {"tp"}>}) {
  return
}

// -----

// expected-error @+1 {{expects one partial axis or more, but got none}}
func.func @no_partial_axis(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {}>}) {
  return
}

// -----

// expected-error @+1 {{expects nothing behind the partial axes}}
func.func @partial_first(%x: tensor<4xf32> {boost.sharding = #boost.sharding<partial = sum {"tp"}, {}>}) {
  return
}

// -----

// expected-error @+1 {{argument 0: 'boost.sharding' expects '#boost.sharding', but got ["tp"]}}
func.func @other_attribute(%x: tensor<4xf32> {boost.sharding = ["tp"]}) {
  return
}

// -----

// expected-error @+1 {{argument 1: 'boost.sharding' expects axes for each of 2 dimensions, but got 1}}
func.func @rank(%x: tensor<4xf32>, %y: tensor<4x4xf32> {boost.sharding = #boost.sharding<{}>}) {
  return
}

// -----

// expected-error @+1 {{argument 0: 'boost.sharding' expects a tensor of known rank, but got 'i32'}}
func.func @no_tensor(%x: i32 {boost.sharding = #boost.sharding<>}) {
  return
}

// -----

// expected-note @+1 {{the axes of the mesh are ["data", "model"]}}
shard.grid @mesh(shape = 2x2) {boost.axes = ["data", "model"]}
// expected-error @+1 {{result 0: 'boost.sharding' expects axes of the mesh, but got "tp"}}
func.func @unknown_axis(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
  return %x : tensor<4xf32>
}

// -----

// expected-note @+1 {{the axes of the mesh are ["data", "model"]}}
shard.grid @mesh(shape = 2x2) {boost.axes = ["data", "model"]}
// expected-error @+1 {{argument 0: 'boost.sharding' expects axes of the mesh, but got "tp"}}
func.func @unknown_partial_axis(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"tp"}>}) {
  return
}

// -----

func.func @shardings_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects 'boost.shardings' with one sharding for each of 1 results, but got []}}
  %0 = stablehlo.negate %x {boost.shardings = []} : tensor<4xf32>
  return
}

// -----

func.func @shardings_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{'boost.shardings' of result 0: expects axes for each of 1 dimensions, but got 2}}
  %0 = stablehlo.negate %x {boost.shardings = [#boost.sharding<{}, {}>]} : tensor<4xf32>
  return
}

// -----

func.func @probe_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects axes for each of 1 dimensions, but got 2}}
  boost.probe %x as "x" site 0 sharding <{}, {}> : tensor<4xf32>
  return
}

// -----

func.func @probe_rows(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects rows of a tensor with at least as many, but got [5, 8] for 'tensor<4xf32>'}}
  boost.probe %x as "x" site 0 rows [5, 8] : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{expects 'boost.axes' to name each axis of a 'shard.grid', but got ["tp"]}}
shard.grid @mesh(shape = 2x2) {boost.axes = ["tp"]}

// -----

// expected-error @+1 {{expects axes of different names, but got "tp" twice}}
shard.grid @mesh(shape = 2x2) {boost.axes = ["tp", "tp"]}

// -----

// expected-error @+1 {{argument 0: 'boost.sharding' expects a tensor of known rank, but got 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32> {boost.sharding = #boost.sharding<>}) {
  return
}

// -----

func.func @shardings_kind(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects 'boost.shardings' with one sharding for each of 1 results, but got 3 : i64}}
  %0 = stablehlo.negate %x {boost.shardings = 3} : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{expects 'boost.axes' to name each axis of a 'shard.grid', but got "tp"}}
shard.grid @mesh(shape = 2) {boost.axes = "tp"}

// -----

// expected-error @+1 {{expects 'boost.axes' to name each axis of a 'shard.grid', but got [1]}}
shard.grid @mesh(shape = 2) {boost.axes = [1]}

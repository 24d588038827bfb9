// RUN: boost-opt %s -verify-diagnostics -boost-shard-optimizer-state="zero=1"

shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}
// expected-error@+1 {{"m.w": }}
func.func @step(%w: tensor<3xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "w">},
                %m: tensor<3xf32> {boost.sharding = #boost.sharding<{"dp"}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">})
    -> (tensor<3xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<3xf32>
}

// RUN: boost-opt %s --boost-insert-probes --split-input-file --verify-diagnostics
// What cannot be verified is refused.

// expected-error @+1 {{expects a function @gradient of one block, but there is none: run boost-differentiate first}}
module {
  func.func @loss(%w: tensor<f32>) -> tensor<f32> {
    return %w : tensor<f32>
  }
}

// -----

module {
  func.func @gradient(%w: tensor<f32>) -> tensor<f32> {
    return %w : tensor<f32>
  }
  // expected-error @+1 {{expects no @verify yet, but it is defined here}}
  func.func @verify(%w: tensor<f32>) -> tensor<f32> {
    return %w : tensor<f32>
  }
}

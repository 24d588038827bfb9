// RUN: boost-opt %s --boostrt-split-reductions="blocks=0" --verify-diagnostics

// expected-error@below {{expects blocks and elements to be positive, but got 0 and 8192}}
func.func @f() {
  return
}

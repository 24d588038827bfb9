// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=-1}))" --verify-diagnostics

// expected-error @+1 {{boost-merge-collectives expects bucket-bytes of 0 or more, but got -1}}
func.func @step() {
  return
}

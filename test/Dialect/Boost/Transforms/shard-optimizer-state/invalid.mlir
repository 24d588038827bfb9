// RUN: boost-opt %s -verify-diagnostics -boost-shard-optimizer-state="zero=2"

// expected-error@+1 {{boost-shard-optimizer-state expects zero of 0 or 1, but got 2}}
module {
}

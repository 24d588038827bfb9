// RUN: boost-eval %s --function=norms | FileCheck %s --check-prefix=NORMS
// RUN: boost-eval %s --function=bottlenecks | FileCheck %s --check-prefix=BOTTLENECKS
// RUN: boost-eval %s --function=attention | FileCheck %s --check-prefix=ATTENTION
// RUN: boost-eval %s --function=attention_grad | FileCheck %s --check-prefix=GRAD
// RUN: boost-eval %s --function=embedding | FileCheck %s --check-prefix=EMBEDDING
// RUN: boost-eval %s --function=cross_entropy | FileCheck %s --check-prefix=LOSS
// Blocks of a model against JAX in double, or by hand where that is exact.

// Of 1 and 2, whose mean square is 2.5 and whose variance is 0.25.
// NORMS: out0 {{.*}} [1.1547005383792{{[0-9]*}}, 3.4641016151377{{[0-9]*}}]
// NORMS: out1 {{.*}} [-0.5, 1]
// NORMS: out2 {{.*}} [-0.5, 1, 1.5, -2]
func.func @norms() -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %gamma = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %beta = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %0 = boost.rms_norm %x, %gamma {eps = 0.5 : f64} : tensor<1x2xf32>, tensor<2xf32>
  %1 = boost.layer_norm %x, %gamma, %beta {eps = 0.75 : f64} : tensor<1x2xf32>, tensor<2xf32>
  %y = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %2 = boost.layer_norm %y, %gamma, %beta {eps = 0.75 : f64} : tensor<2x2xf32>, tensor<2xf32>
  return %0, %1, %2 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>
}

// The latent is [5, 1]; plain, activated, with another added before it is, with
// norms, and in two branches of one column each.
// BOTTLENECKS: out0 {{.*}} [15.5, 3]
// BOTTLENECKS: out1 {{.*}} [15.265136{{[0-9]*}}, 3.5044185{{[0-9]*}}]
// BOTTLENECKS: out2 {{.*}} [17.955492{{[0-9]*}}, 5.985164{{[0-9]*}}]
// BOTTLENECKS: out3 {{.*}} [5, 1]
// BOTTLENECKS: out4 {{.*}} [25.403411{{[0-9]*}}, 3.4641016{{[0-9]*}}]
// BOTTLENECKS: out5 {{.*}} [5.25, -1.5]
// BOTTLENECKS: out6 {{.*}} [15, 5, 0.5, -2]
// BOTTLENECKS: out7 {{.*}} [15]
// BOTTLENECKS: out8 {{.*}} [0.5, -2]
func.func @bottlenecks() -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x1x2xf32>, tensor<1x1xf32>, tensor<1x2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %a = stablehlo.constant dense<[[1.0, -1.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[3.0, 1.0], [0.5, -2.0]]> : tensor<2x2xf32>
  %l = stablehlo.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %gamma = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %beta = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %0 = boost.bottleneck %x down(%a) up(%b) : tensor<1x2xf32> down tensor<2x2xf32> up tensor<2x2xf32> -> tensor<1x2xf32>
  %1 = boost.bottleneck %x down(%a) up(%b) activation(silu)
      : tensor<1x2xf32> down tensor<2x2xf32> up tensor<2x2xf32> -> tensor<1x2xf32>
  %2, %h = boost.bottleneck %x down(%a) up(%b) latent(%l) activation(silu)
      : tensor<1x2xf32> down tensor<2x2xf32> up tensor<2x2xf32> latent tensor<1x2xf32> -> tensor<1x2xf32> latent tensor<1x2xf32>
  %4 = boost.bottleneck %x norm(%gamma, 0.5) down(%a) up(%b)
      : tensor<1x2xf32> norm tensor<2xf32> down tensor<2x2xf32> up tensor<2x2xf32> -> tensor<1x2xf32>
  %5 = boost.bottleneck %x norm(%gamma beta %beta, 0.75) down(%a) up(%b)
      : tensor<1x2xf32> norm tensor<2xf32> beta tensor<2xf32> down tensor<2x2xf32> up tensor<2x2xf32> -> tensor<1x2xf32>
  %down = stablehlo.reshape %a : (tensor<2x2xf32>) -> tensor<2x2x1xf32>
  %up = stablehlo.reshape %b : (tensor<2x2xf32>) -> tensor<2x1x2xf32>
  %6 = boost.bottleneck %x down(%down) up(%up) : tensor<1x2xf32> down tensor<2x2x1xf32> up tensor<2x1x2xf32> -> tensor<2x1x2xf32>
  %u = stablehlo.slice %b [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
  %v = stablehlo.slice %b [1:2, 0:2] : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %7:2 = boost.bottleneck %x down(%a) up(%u, %v) : tensor<1x2xf32> down tensor<2x2xf32> up tensor<1x1xf32>, tensor<1x2xf32> -> tensor<1x1xf32>, tensor<1x2xf32>
  return %0, %1, %2, %h, %4, %5, %6, %7#0, %7#1 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x1x2xf32>, tensor<1x1xf32>, tensor<1x2xf32>
}

// Two heads of queries read one of keys: with the mask of causality; with a
// mask that hides all from the first query, and a bias; with a cap and a bias.
// ATTENTION: out0 {{.*}} [3, 3, 2.0878723{{[0-9]*}}, 1.7745749{{[0-9]*}}]
// ATTENTION: out1 {{.*}} [0.25, 1.2014132{{[0-9]*}}, -0.5, 1.0311501{{[0-9]*}}]
// ATTENTION: out2 {{.*}} [0.5, 0.5, 3, 3]
// ATTENTION: out3 {{.*}} [0.6931471{{[0-9]*}}, 1.25, 0.6931471{{[0-9]*}}, 1]
// ATTENTION: out4 {{.*}} [1.9828474{{[0-9]*}}, 0.8987878{{[0-9]*}}, 2.4494575{{[0-9]*}}, 2.35945{{[0-9]*}}]
// ATTENTION: out5 {{.*}} [0.7185754{{[0-9]*}}, 1.0192019{{[0-9]*}}, 0.3580580{{[0-9]*}}, 0.9582864{{[0-9]*}}]
func.func @attention() -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>) {
  %q = stablehlo.constant dense<[[[[0.5], [-1.0]], [[2.0], [1.5]]]]> : tensor<1x2x2x1xf32>
  %k = stablehlo.constant dense<[[[[1.0]], [[-0.5]]]]> : tensor<1x2x1x1xf32>
  %v = stablehlo.constant dense<[[[[3.0]], [[-2.0]]]]> : tensor<1x2x1x1xf32>
  %bias = stablehlo.constant dense<[[[[0.25, -0.75]]]]> : tensor<1x1x1x2xf32>
  %mask = stablehlo.constant dense<[[[[false, false], [true, false]]]]> : tensor<1x1x2x2xi1>
  %0:2 = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  %1:2 = boost.attention %q, %k, %v bias %bias mask %mask {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2x2xi1>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  %2:2 = boost.attention %q, %k, %v bias %bias {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>
}

// The same three. A query that sees no key has a gradient of values only; the
// last one has a gradient of the logarithms too.
// GRAD: out0 {{.*}} [0, 0, -1.118598{{[0-9]*}}, 0.173454{{[0-9]*}}]
// GRAD: out1 {{.*}} [-1.318009{{[0-9]*}}, 1.318009{{[0-9]*}}]
// GRAD: out2 {{.*}} [0.053579{{[0-9]*}}, -0.303579{{[0-9]*}}]
// GRAD: out3 {{.*}} [0, 0, 0, 0]
// GRAD: out4 {{.*}} [0, 0]
// GRAD: out5 {{.*}} [-1, 0.75]
// GRAD: out6 {{.*}} [0, 0]
// GRAD: out7 {{.*}} [0.714095{{[0-9]*}}, 0.532096{{[0-9]*}}, -0.370752{{[0-9]*}}, 0.096244{{[0-9]*}}]
// GRAD: out8 {{.*}} [-0.654763{{[0-9]*}}, 0.234847{{[0-9]*}}]
// GRAD: out9 {{.*}} [-0.475362{{[0-9]*}}, 0.225362{{[0-9]*}}]
// GRAD: out10 {{.*}} [1.464985{{[0-9]*}}, 0.285014{{[0-9]*}}]
func.func @attention_grad() -> (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>) {
  %q = stablehlo.constant dense<[[[[0.5], [-1.0]], [[2.0], [1.5]]]]> : tensor<1x2x2x1xf32>
  %k = stablehlo.constant dense<[[[[1.0]], [[-0.5]]]]> : tensor<1x2x1x1xf32>
  %v = stablehlo.constant dense<[[[[3.0]], [[-2.0]]]]> : tensor<1x2x1x1xf32>
  %bias = stablehlo.constant dense<[[[[0.25, -0.75]]]]> : tensor<1x1x1x2xf32>
  %mask = stablehlo.constant dense<[[[[false, false], [true, false]]]]> : tensor<1x1x2x2xi1>
  %g = stablehlo.constant dense<[[[[1.0], [0.5]], [[-2.0], [0.25]]]]> : tensor<1x2x2x1xf32>
  %gl = stablehlo.constant dense<[[[0.5, -1.0], [2.0, 0.25]]]> : tensor<1x2x2xf32>
  %0:2 = boost.attention %q, %k, %v causal {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  %1:3 = boost.attention_grad %q, %k, %v of %0#0, %0#1 grad %g causal {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>)
      -> (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>)
  %2:2 = boost.attention %q, %k, %v bias %bias mask %mask {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2x2xi1>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  %3:3 = boost.attention_grad %q, %k, %v bias %bias mask %mask of %2#0, %2#1 grad %g {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2x2xi1>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>)
      -> (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>)
  %4 = boost.attention_bias_grad %q, %k, %v bias %bias mask %mask of %2#0, %2#1 grad %g {scale = 0.5 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2x2xi1>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>)
      -> tensor<1x1x1x2xf32>
  %5:2 = boost.attention %q, %k, %v bias %bias {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
  %6:3 = boost.attention_grad %q, %k, %v bias %bias of %5#0, %5#1 grad %g, %gl {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
      -> (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>)
  %7 = boost.attention_bias_grad %q, %k, %v bias %bias of %5#0, %5#1 grad %g, %gl {scale = 0.5 : f64, soft_cap = 0.75 : f64}
      : (tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2xf32>)
      -> tensor<1x1x1x2xf32>
  return %1#0, %1#1, %1#2, %3#0, %3#1, %3#2, %4, %6#0, %6#1, %6#2, %7 : tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x1x1x2xf32>
}

// Ids are clamped, and what meets in one row is added up.
// EMBEDDING: out0 {{.*}} [30, 10, 30, 20]
// EMBEDDING: out1 {{.*}} [2, 8, 5]
func.func @embedding() -> (tensor<4x1xf32>, tensor<3x1xf32>) {
  %table = stablehlo.constant dense<[[10.0], [20.0], [30.0]]> : tensor<3x1xf32>
  %ids = stablehlo.constant dense<[2, -1, 3, 1]> : tensor<4xi32>
  %0 = boost.embedding %table, %ids : (tensor<3x1xf32>, tensor<4xi32>) -> tensor<4x1xf32>
  %g = stablehlo.constant dense<[[1.0], [2.0], [4.0], [8.0]]> : tensor<4x1xf32>
  %1 = boost.embedding_grad %ids, %g : (tensor<4xi32>, tensor<4x1xf32>) -> tensor<3x1xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<3x1xf32>
}

// The label of the second row and those of the last two are in no vocabulary.
// LOSS: out0 {{.*}} [1.964368{{[0-9]*}}, 3.065883{{[0-9]*}}]
// LOSS: out1 {{.*}} [2.464368{{[0-9]*}}, 3.065883{{[0-9]*}}]
// LOSS: out2 {{.*}} [0.462447{{[0-9]*}}, 1.257063{{[0-9]*}}, -1.719511{{[0-9]*}}]
// LOSS: out3 {{.*}} [-0.017147{{[0-9]*}}, -0.046612{{[0-9]*}}, -0.936239{{[0-9]*}}]
// LOSS: out4 {{.*}} [3.065883{{[0-9]*}}, 3.065883{{[0-9]*}}]
func.func @cross_entropy() -> (tensor<2xf32>, tensor<2xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0, 0.5], [-1.0, 0.0, 3.0]]> : tensor<2x3xf32>
  %labels = stablehlo.constant dense<[2, 7]> : tensor<2xi32>
  %0, %lse = boost.cross_entropy %x, %labels : (tensor<2x3xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>)
  %g = stablehlo.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %dx = boost.cross_entropy_grad %x, %labels, %lse, %g : tensor<2x3xf32>, tensor<2xi32>, tensor<2xf32>
  %first = stablehlo.slice %dx [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %second = stablehlo.slice %dx [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = stablehlo.constant dense<[[-1.0, 0.0, 3.0], [-1.0, 0.0, 3.0]]> : tensor<2x3xf32>
  %none = stablehlo.constant dense<[3, -1]> : tensor<2xi32>
  %1, %l = boost.cross_entropy %y, %none : (tensor<2x3xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0, %lse, %first, %second, %1 : tensor<2xf32>, tensor<2xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2xf32>
}

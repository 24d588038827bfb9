# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The optimizers for factors, against optax and versions in NumPy that are written another way:
by QR decompositions, and by loops over steps and matrices."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from boost_mlir import models, optimizers
from boost_mlir.export import export
from boost_mlir.naming import named_leaves
from boost_mlir.optimizers.pairs import named_pairs, split
from boost_mlir.optimizers.retraction import Factors, retract

RATE, STEPS = 1e-2, 7
CONDITIONS = (10, 1e3, 1e5)


@pytest.fixture
def f64():
    with jax.enable_x64(True):
        yield


def step_by_qr(m, n, dm, dn, rate):
    """The product of the factors after an exact step of LORO, as its authors compute it."""
    rank = m.shape[1]
    u, rm = np.linalg.qr(m)
    v, rn = np.linalg.qr(n)
    right = np.linalg.solve(rn.T, dm.T).T
    left = np.linalg.solve(rm.T, dn.T)
    q1, k1 = np.linalg.qr(left.T - v @ (v.T @ left.T))
    q2, k2 = np.linalg.qr(right - u @ (u.T @ right))
    core = np.block([[rm @ rn.T - rate * left @ v, -rate * k1.T], [-rate * k2, np.zeros(k1.shape)]])
    a, s, b = np.linalg.svd(core)
    return np.hstack([u, q2]) @ (a[:, :rank] * s[:rank]) @ b[:rank] @ np.hstack([v, q1]).T


def factor_of(random, rows, rank, condition):
    left, right = (np.linalg.qr(random.standard_normal((size, rank)))[0] for size in (rows, rank))
    return (left * np.geomspace(1, 1 / condition, rank)) @ right


def error(value, expected):
    return np.linalg.norm(value - expected) / np.linalg.norm(expected)


def product_after(factors, directions):
    """The product of the factors that an exact step gives, which have equal Gram matrices."""
    (new,) = retract([Factors(*factors)], [Factors(*directions)], RATE)
    m, n = (np.asarray(each, np.float64) for each in new)
    assert error(m.T @ m, n.T @ n) < (1e-10 if new.m.dtype == np.float64 else 1e-4)
    return m @ n.T


@pytest.mark.parametrize("condition", CONDITIONS)
def test_exact_step_along_a_gradient(f64, condition):
    random = np.random.default_rng(int(condition))
    m, n = factor_of(random, 40, 8, condition), factor_of(random, 56, 8, condition)
    gradient = random.standard_normal((40, 56))
    directions = gradient @ n, gradient.T @ m
    assert error(product_after((m, n), directions), step_by_qr(m, n, *directions, RATE)) < 1e-12


@pytest.mark.parametrize("condition", CONDITIONS)
def test_exact_step_along_any_direction(f64, condition):
    """Adam's directions are divided by the triangles of the factors. Rounding of a factor alone
    then changes the step by the condition; the bound is a few such changes."""
    random = np.random.default_rng(int(condition))
    m, n = factor_of(random, 40, 8, condition), factor_of(random, 56, 8, condition)
    directions = random.standard_normal(m.shape), random.standard_normal(n.shape)
    expected = step_by_qr(m, n, *directions, RATE)
    round_off = lambda x: x * (1 + np.finfo(np.float64).eps * random.choice([-1, 1], x.shape))
    changes = [
        error(step_by_qr(round_off(m), round_off(n), *directions, RATE), expected) for _ in range(8)
    ]
    bound = max(1e-12, 4 * max(changes))
    assert bound == 1e-12 or condition == 1e5
    assert error(product_after((m, n), directions), expected) < bound


@pytest.mark.parametrize("condition", CONDITIONS)
def test_exact_step_in_f32(condition):
    """Gram matrices in f64 leave the rounding of the new factors, of up to the root of the
    condition of the product."""
    random = np.random.default_rng(3)
    m, n = (factor_of(random, size, 8, condition).astype("f") for size in (40, 56))
    gradient = random.standard_normal((40, 56))
    directions = (gradient @ n).astype("f"), (gradient.T @ m).astype("f")
    wide = [each.astype("d") for each in (m, n, *directions)]
    assert error(product_after((m, n), directions), step_by_qr(*wide, RATE)) < 1e-6


def test_exact_step_within_the_span_of_a_factor(f64):
    """The Gram matrix of what a step adds to the span is singular."""
    random = np.random.default_rng(4)
    m, n = factor_of(random, 40, 8, 10), factor_of(random, 56, 8, 10)
    directions = m @ random.standard_normal((8, 8)), np.zeros_like(n)
    assert error(product_after((m, n), directions), step_by_qr(m, n, *directions, RATE)) < 1e-12


def test_exact_step_of_factors_that_are_as_wide_as_tall(f64):
    """There is nothing outside of the span of a square factor."""
    random = np.random.default_rng(5)
    m, n = factor_of(random, 8, 8, 10), factor_of(random, 24, 8, 10)
    directions = random.standard_normal(m.shape), random.standard_normal(n.shape)
    assert error(product_after((m, n), directions), step_by_qr(m, n, *directions, RATE)) < 1e-12


def test_many_linears_at_once_and_stacked_layers(f64):
    random = np.random.default_rng(6)
    shapes = [(40, 8, 56), (24, 8, 24), (40, 4, 56)]
    each = [
        [random.standard_normal((2, size, rank)) for size in (rows, columns) * 2]
        for rows, rank, columns in shapes
    ]
    new = retract([Factors(*of[:2]) for of in each], [Factors(*of[2:]) for of in each], RATE)
    for of, pair in zip(each, new):
        for layer in range(2):
            expected = step_by_qr(*(part[layer] for part in of), RATE)
            assert error(np.asarray(pair.m[layer] @ pair.n[layer].T), expected) < 1e-12


# Whole optimizers.


def small_params():
    random = np.random.default_rng(7)
    matrix = lambda *shape: random.standard_normal(shape)
    return {
        "embed": matrix(12, 16),
        "q": {"down": matrix(16, 4), "up": matrix(4, 24)},
        "norm": matrix(16),
    }


def gradients_of(params, number):
    random = np.random.default_rng(100 + number)
    return jax.tree.map(lambda leaf: random.standard_normal(leaf.shape), params)


def run_steps(optimizer, steps=STEPS):
    params = small_params()
    state = optimizer.init(params)
    update = jax.jit(optimizer.update)
    for number in range(steps):
        updates, state = update(gradients_of(params, number), state, params)
        params = optax.apply_updates(params, updates)
    return params, state


def run_by_hand(step, steps=STEPS):
    """`step(name, value, gradient, number)` returns a new value; factors come as a pair."""
    params = small_params()
    for number in range(steps):
        grads = gradients_of(params, number)
        for name in ("embed", "norm"):
            params[name] = step(name, params[name], grads[name], number)
        pair = step("q", (params["q"]["down"], params["q"]["up"]), grads["q"], number)
        params["q"] = dict(zip(("down", "up"), pair))
    return params


def check_same(params, expected, bound=1e-12):
    for (name, value), (_, other) in zip(named_leaves(params), named_leaves(expected)):
        assert error(np.asarray(value), other) < bound, name


def factors_of(product, m, rank):
    """The factors that an exact step gives: those that share singular values, with signs by the
    orthonormal basis of the old `m` that a triangle of positive diagonal belongs to."""
    a, s, b = np.linalg.svd(product)
    u, triangle = np.linalg.qr(m)
    u = u * np.sign(np.diag(triangle))
    signs = np.sign(np.sum(u.T @ a[:, :rank], axis=0))
    return a[:, :rank] * signs * np.sqrt(s[:rank]), b[:rank].T * signs * np.sqrt(s[:rank])


@pytest.mark.parametrize("refresh", ["all", "factors", "none"])
@pytest.mark.parametrize("period", [1, 3, None])
def test_loro_against_numpy(f64, period, refresh):
    b1, b2, eps, decay = 0.9, 0.99, 1e-6, 0.1
    averages = {}

    def follow(name, gradient):
        """Adam's direction, and the factor of the rate."""
        count, mean, square = averages.get(name, (0, 0, 0))
        mean, square = b1 * mean + (1 - b1) * gradient, b2 * square + (1 - b2) * gradient**2
        averages[name] = count + 1, mean, square
        factor = np.sqrt(1 - b2 ** (count + 1)) / (1 - b1 ** (count + 1))
        return mean / (np.sqrt(square) + eps), factor

    def step(name, value, gradient, number):
        is_exact = period is not None and (number + 1) % period == 0
        if name != "q":
            direction, factor = follow(name, gradient)
            if is_exact and refresh == "all":
                del averages[name]
            return (value - RATE * factor * direction) * (1 - RATE * decay)
        pair = [follow(side, gradient[side]) for side in ("down", "up")]
        if not is_exact:
            moved = []
            for part, (direction, factor) in zip(value, pair):
                size = RATE * factor * min(part.shape) / max(part.shape)
                moved.append((part - size * direction) * (1 - RATE * factor * decay))
            return moved
        if refresh != "none":
            del averages["down"], averages["up"]
        (down, factor), (up, _) = pair
        product = step_by_qr(value[1].T, value[0], up.T, down, RATE * factor)
        m, n = factors_of(product, value[1].T, up.shape[0])
        return n, m.T

    optimizer = optimizers.loro(
        RATE, period=period, refresh=refresh, b1=b1, b2=b2, eps=eps, weight_decay=decay
    )
    params, state = run_steps(optimizer)
    check_same(params, run_by_hand(step))
    assert state.step == STEPS
    assert state.factors.count == (averages["down"][0] if "down" in averages else 0)


def newton_schulz(matrix, iterations):
    x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x = x / (np.linalg.norm(x) + 1e-8)
    for _ in range(iterations):
        x = 3.4445 * x - 4.775 * x @ x.T @ x + 2.0315 * x @ x.T @ x @ x.T @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x


@pytest.mark.parametrize("nesterov", [False, True])
def test_muon_against_numpy(f64, nesterov):
    averages = {}

    def step(name, value, gradient, number):
        if name != "q":
            return value - RATE * gradient
        moved = []
        for side, part in zip(("down", "up"), value):
            averages[side] = 0.95 * averages.get(side, 0) + 0.05 * gradient[side]
            direction = averages[side]
            if nesterov:
                direction = 0.95 * direction + 0.05 * gradient[side]
            scale = np.sqrt(max(1, part.shape[1] / part.shape[0]))
            moved.append(part - RATE * (scale * newton_schulz(direction, 5) + 0.1 * part))
        return moved

    optimizer = optimizers.muon(RATE, nesterov=nesterov, weight_decay=0.1, rest=optax.sgd(RATE))
    params, _ = run_steps(optimizer)
    check_same(params, run_by_hand(step))


def test_muon_is_that_of_optax_on_factors(f64):
    """Without Nesterov's term: optax corrects the bias of its two parts separately."""
    params, _ = run_steps(optimizers.muon(RATE, nesterov=False))
    of_factors = lambda params: jax.tree.map(
        lambda leaf: optax.contrib.MuonDimensionNumbers() if 4 in leaf.shape else None,
        params,
    )
    expected, _ = run_steps(
        optax.contrib.muon(
            *(RATE,),
            nesterov=False,
            muon_weight_dimension_numbers=of_factors,
            adam_weight_decay=0.0,
        )
    )
    # 1e-8 is added to norms that the correction of the bias changes.
    check_same(params, expected, 1e-7)


def test_spectron_against_numpy(f64):
    averages, vectors = {}, {}

    def norm_of(side, matrix):
        start = np.full(matrix.shape[1], matrix.shape[1] ** -0.5)
        vector = vectors.get(side, start)
        norm = np.linalg.norm(matrix @ vector)
        vector = matrix.T @ (matrix @ vector)
        vectors[side] = vector / np.linalg.norm(vector)
        return norm

    def step(name, value, gradient, number):
        if name != "q":
            return value - RATE * gradient
        bound = norm_of("down", value[0]) + norm_of("up", value[1].T) + 1
        moved = []
        for side, part in zip(("down", "up"), value):
            averages[side] = 0.95 * averages.get(side, 0) + 0.05 * gradient[side]
            moved.append(part - RATE * newton_schulz(averages[side], 5) / bound)
        return moved

    optimizer = optimizers.spectron(RATE, rest=optax.sgd(RATE))
    params, _ = run_steps(optimizer)
    # The vectors are divided by norms that 1e-8 is added to.
    check_same(params, run_by_hand(step), 1e-9)


def test_spectron_knows_spectral_norms(f64):
    random = np.random.default_rng(8)
    params = {"down": random.standard_normal((16, 4)), "up": np.zeros((4, 24))}
    optimizer = optimizers.spectron(1.0, power_iterations=60)
    grads = jax.tree.map(lambda leaf: random.standard_normal(leaf.shape), params)
    updates, state = optimizer.update(grads, optimizer.init(params), params)
    step = newton_schulz(grads["down"], 5)
    norm = np.linalg.norm(step, 2) / np.linalg.norm(updates["down"], 2)
    assert norm == pytest.approx(np.linalg.norm(params["down"], 2) + 1, rel=1e-6)
    assert np.all(np.isfinite(state.vector["up"]))


def test_adamw_is_that_of_optax(f64):
    params, _ = run_steps(optimizers.adamw(RATE, weight_decay=0.1))
    mask = lambda params: jax.tree.map(lambda leaf: leaf.ndim > 1, params)
    check_same(params, run_steps(optax.adamw(RATE, weight_decay=0.1, mask=mask))[0])


def test_chains_with_optax_and_takes_schedules(f64):
    schedule = optimizers.restarted(optax.cosine_decay_schedule(RATE, 3), 3)
    assert schedule(4) == schedule(1)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optimizers.muon(schedule))
    params, _ = run_steps(optimizer)
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(params))


@pytest.mark.parametrize("kind", ["svd", "cola", "lax"])
@pytest.mark.parametrize("scan", [False, True])
def test_finds_the_factors_of_models(kind, scan):
    config = models.ModelConfig.of_size("tiny", kind, scan=scan)
    params = models.abstract_params(config)
    parts = split(params, named_pairs())
    assert len(parts.pairs) == 7 * (1 if scan else config.layers)
    rest = {name for name, _ in named_leaves(parts.rest(params))}
    assert rest == {name for name, _ in named_leaves(params) if not name.endswith((".down", ".up"))}


def test_a_narrow_model_takes_a_step_in_its_types():
    config = models.ModelConfig.of_size("tiny", "lax", dtype="bf16")
    params = models.init_params(config)
    for make in (lambda: optimizers.loro(RATE, period=1), lambda: optimizers.spectron(RATE)):
        optimizer = make()
        updates, state = jax.jit(optimizer.update)(params, optimizer.init(params), params)
        assert {leaf.dtype for leaf in jax.tree.leaves(updates)} == {jnp.dtype(jnp.bfloat16)}
        floats = [leaf for leaf in jax.tree.leaves(state) if leaf.ndim]
        assert {leaf.dtype for leaf in floats} == {jnp.dtype(jnp.float32)}


@pytest.mark.parametrize("period", [None, 1, 2])
def test_export_takes_every_kind_of_step(period):
    config = models.ModelConfig.of_size("tiny", "svd", layers=1)
    ids = np.zeros((2, 8), np.int32)
    given = models.abstract_params(config), ids, ids
    optimizer = optimizers.loro(RATE, period=period)
    init = models.init_specs(config)
    text = export(models.make_loss(config), *given, init=init, optimizer=optimizer)
    assert "@update" in text
    assert ("lapack_dgesdd_ffi" in text) == (period is not None)


@pytest.mark.parametrize(
    "pairs, message",
    [
        (named_pairs("a", "b"), "expects pairs of factors, but got none among embed, norm, q.down"),
        (lambda names: [("q.down", "q.left")], "expects names of parameters .*, but got 'q.left'"),
        (lambda names: [("q.down", "q.up"), ("embed", "q.up")], "but 'q.up' is in 2"),
        (lambda names: [("embed", "q.up")], r"but 'embed' is \[12, 16\] and 'q.up' is \[4, 24\]"),
    ],
)
def test_says_what_is_no_pair(pairs, message):
    with pytest.raises(ValueError, match=message):
        optimizers.muon(RATE, pairs=pairs).init(small_params())


def test_a_full_rank_model_has_no_pairs():
    config = models.ModelConfig.of_size("tiny", "full")
    with pytest.raises(ValueError, match="expects pairs of factors, but got none"):
        optimizers.loro(RATE).init(models.abstract_params(config))


def test_says_what_options_may_be():
    with pytest.raises(ValueError, match="expects a period of at least 1, or None, but got 0"):
        optimizers.loro(RATE, period=0)
    with pytest.raises(ValueError, match="expects refresh to be one of all, factors, none"):
        optimizers.loro(RATE, refresh="some")
    with pytest.raises(ValueError, match="the update needs the parameters"):
        optimizers.muon(RATE).update(None, None)


def test_rates_grow_again_after_each_period():
    rates = optimizers.rewarmed(lambda count: 0.5**count, period=4, warmup=2)
    expected = [0.5**count for count in range(12)]
    expected[4] = expected[8] = 0
    expected[5] /= 2
    expected[9] /= 2
    np.testing.assert_allclose([rates(count) for count in range(12)], expected)
    assert optimizers.rewarmed(0.1, period=4)(7) == pytest.approx(0.06)

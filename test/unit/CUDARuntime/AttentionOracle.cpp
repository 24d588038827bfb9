//===- AttentionOracle.cpp - Attention in plain loops ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionOracle.h"

#include <cmath>
#include <random>

using namespace boost_rt;

std::vector<int64_t> AttentionCase::sizesOf(int dims) const {
  return {dims & 8 ? b : 1, dims & 4 ? h : 1, dims & 2 ? sq : 1,
          dims & 1 ? sk : 1};
}

int64_t AttentionCase::countOf(int dims) const {
  if (dims == kNone)
    return 0;
  int64_t count = 1;
  for (int64_t size : sizesOf(dims))
    count *= size;
  return count;
}

std::vector<int64_t> AttentionCase::stridesOf(int dims) const {
  std::vector<int64_t> strides(4);
  if (dims == kNone)
    return strides;
  std::vector<int64_t> sizes = sizesOf(dims);
  int64_t stride = 1;
  for (size_t i = 4; i-- > 0; stride *= sizes[i])
    strides[i] = dims & 8 >> i ? stride : 0;
  return strides;
}

AttentionOracle::AttentionOracle(const AttentionCase &attention)
    : c(attention), scale(1 / std::sqrt(static_cast<double>(c.dh))),
      biasStrides(c.stridesOf(c.bias)), maskStrides(c.stridesOf(c.mask)),
      masks(static_cast<size_t>(c.countOf(c.mask))) {
  std::mt19937 random(5);
  for (uint8_t &seen : masks)
    seen = c.isOnlyHiddenRow || random() % 5 > 1;
  for (int64_t b = 0; b < c.b && c.biasedRow != kNone; ++b)
    for (int64_t h = 0; h < c.h; ++h)
      for (int64_t i = 0; i < c.sq; ++i)
        for (int64_t key = 0; key < c.sk; ++key)
          if (i == c.biasedRow || key % 3 == 1)
            hiding.push_back(at(biasStrides, {b, h, i}, key));
  if (c.hiddenRow == kNone)
    return;
  for (int64_t b = 0; b < c.b; ++b)
    for (int64_t h = 0; h < c.h; ++h)
      for (int64_t key = 0; key < c.sk; ++key)
        masks[at(maskStrides, {b, h, c.hiddenRow}, key)] = 0;
}

size_t AttentionOracle::atQuery(const Row &row, int64_t d) const {
  return static_cast<size_t>(((row.b * c.sq + row.i) * c.h + row.h) * c.dh + d);
}

size_t AttentionOracle::atKey(const Row &row, int64_t key, int64_t d) const {
  int64_t head = row.h / (c.h / c.kvh);
  return static_cast<size_t>(((row.b * c.sk + key) * c.kvh + head) * c.dh + d);
}

size_t AttentionOracle::at(const std::vector<int64_t> &strides, const Row &row,
                           int64_t key) {
  return static_cast<size_t>(row.b * strides[0] + row.h * strides[1] +
                             row.i * strides[2] + key * strides[3]);
}

bool AttentionOracle::sees(const Row &row, int64_t key) const {
  return (!c.causal || key <= row.i) &&
         (c.mask == kNone || masks[at(maskStrides, row, key)]);
}

void AttentionOracle::run(Doubles newQ, Doubles newK, Doubles newV,
                          Doubles newBias, Doubles newDO, Doubles newDLse) {
  q = std::move(newQ);
  k = std::move(newK);
  v = std::move(newV);
  bias = std::move(newBias);
  dO = std::move(newDO);
  dLse = std::move(newDLse);
  o.assign(q.size(), 0);
  dQ.assign(q.size(), 0);
  dK.assign(k.size(), 0);
  dV.assign(k.size(), 0);
  dBias.assign(bias.size(), 0);
  magnitudes = {o, dQ, dK, dV};
  for (int64_t b = 0; b < c.b; ++b)
    for (int64_t h = 0; h < c.h; ++h)
      for (int64_t i = 0; i < c.sq; ++i)
        runRow({b, h, i});
}

void AttentionOracle::computeRow(const Row &row, Doubles &p, Doubles &slopes) {
  bool any = false;
  for (int64_t j = 0; j < c.sk; ++j)
    any |= sees(row, j);
  for (int64_t j = 0; j < c.sk && any; ++j) {
    double score = 0, slope = 1;
    for (int64_t d = 0; d < c.dh; ++d)
      score += scale * q[atQuery(row, d)] * k[atKey(row, j, d)];
    if (c.softCap != 0) {
      double t = std::tanh(score / c.softCap);
      score = c.softCap * t;
      slope = 1 - t * t;
    }
    if (c.bias != kNone)
      score += bias[at(biasStrides, row, j)];
    p[static_cast<size_t>(j)] = sees(row, j) ? score : -HUGE_VAL;
    slopes.push_back(slope);
  }
  double largest = -HUGE_VAL, sum = 0;
  for (double score : p)
    largest = std::fmax(largest, score);
  for (double &value : p)
    sum += value = std::exp(value - largest);
  for (double &value : p)
    value /= sum;
  lse.push_back(largest + std::log(sum));
}

void AttentionOracle::differentiateRow(const Row &row, const Doubles &p,
                                       const Doubles &slopes) {
  Doubles dP(p.size());
  double delta = c.ofLse ? -dLse[lse.size() - 1] : 0;
  double subtracted = std::fabs(delta);
  for (int64_t d = 0; d < c.dh; ++d)
    subtracted +=
        std::fabs(dO[atQuery(row, d)]) * magnitudes.o[atQuery(row, d)];
  for (size_t j = 0; j < p.size(); ++j) {
    for (int64_t d = 0; d < c.dh; ++d)
      dP[j] += dO[atQuery(row, d)] * v[atKey(row, static_cast<int64_t>(j), d)];
    delta += p[j] * dP[j];
  }
  for (size_t j = 0; j < slopes.size(); ++j) {
    auto key = static_cast<int64_t>(j);
    double dScore = p[j] * (dP[j] - delta);
    if (c.bias != kNone)
      dBias[at(biasStrides, row, key)] += dScore;
    for (int64_t d = 0; d < c.dh; ++d) {
      double factor = scale * slopes[j];
      double largest = factor * (std::fabs(dScore) + p[j] * subtracted);
      double keyValue = k[atKey(row, key, d)], queryValue = q[atQuery(row, d)];
      dQ[atQuery(row, d)] += factor * dScore * keyValue;
      dK[atKey(row, key, d)] += factor * dScore * queryValue;
      magnitudes.dQ[atQuery(row, d)] += largest * std::fabs(keyValue);
      magnitudes.dK[atKey(row, key, d)] += largest * std::fabs(queryValue);
    }
  }
}

void AttentionOracle::runRow(const Row &row) {
  Doubles p(static_cast<size_t>(c.sk)), slopes;
  computeRow(row, p, slopes);
  for (int64_t j = 0; j < c.sk; ++j)
    for (int64_t d = 0; d < c.dh; ++d) {
      double probability = p[static_cast<size_t>(j)];
      double value = v[atKey(row, j, d)], gradient = dO[atQuery(row, d)];
      o[atQuery(row, d)] += probability * value;
      dV[atKey(row, j, d)] += probability * gradient;
      magnitudes.o[atQuery(row, d)] += probability * std::fabs(value);
      magnitudes.dV[atKey(row, j, d)] += probability * std::fabs(gradient);
    }
  differentiateRow(row, p, slopes);
}

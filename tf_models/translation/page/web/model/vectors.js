// The few operations on vectors (Float32Array) that a Transformer needs.

/** X W + b: rows (inputs) of X, kernel (inputs, units) row after row, bias (units); rows (units). */
export function dense(rows, { kernel, bias }) {
  const units = bias.length;
  return rows.map((x) => {
    const sums = bias.slice();
    x.forEach((value, i) => {
      if (value) addTimes(sums, value, kernel.subarray(i * units, (i + 1) * units), 0, units);
    });
    return sums;
  });
}

export function add(x, y) {
  const sums = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) sums[i] = x[i] + y[i];
  return sums;
}

export function relu(x) {
  const kept = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) kept[i] = Math.max(x[i], 0);
  return kept;
}

/** Dot product of `length` numbers of x and y, from `start` on. */
export function dot(x, y, start = 0, length = x.length) {
  let sum = 0;
  for (let i = start; i < start + length; i++) sum += x[i] * y[i];
  return sum;
}

/** Add weight * x to sums, `length` numbers from `start` on. */
export function addTimes(sums, weight, x, start, length) {
  for (let i = start; i < start + length; i++) sums[i] += weight * x[i];
}

export function softmax(scores) {
  const largest = maximum(scores);
  const shares = new Float32Array(scores.length);
  let sum = 0;
  for (let i = 0; i < shares.length; i++) sum += shares[i] = Math.exp(scores[i] - largest);
  for (let i = 0; i < shares.length; i++) shares[i] /= sum;
  return shares;
}

/** Logarithm of the softmax: what each logit has to lose to be a log-probability, in nats. */
export function logSumExp(logits) {
  const largest = maximum(logits);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - largest);
  return largest + Math.log(sum);
}

/** Layer normalisation over a vector (Ba et al. 2016). */
export function layerNorm(x, { gamma, beta }) {
  let mean = 0;
  for (let i = 0; i < x.length; i++) mean += x[i] / x.length;
  let variance = 0;
  for (let i = 0; i < x.length; i++) variance += (x[i] - mean) ** 2 / x.length;
  const scale = 1 / Math.sqrt(variance + 1e-6);
  const normed = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) normed[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
  return normed;
}

function maximum(values) {
  let largest = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > largest) largest = values[i];
  return largest;
}

/** Indices of the `count` largest values, the largest first; of equals the first one. */
export function topK(values, count) {
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === count && values[i] <= values[best[count - 1]]) continue;
    let place = best.length;
    while (place > 0 && values[best[place - 1]] < values[i]) place--;
    best.splice(place, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}

// The few operations on vectors (Float32Array) that a Transformer needs.

export function add(x, y) {
  return x.map((value, i) => value + y[i]);
}

export function relu(x) {
  return x.map((value) => Math.max(value, 0));
}

/** Dot product of `length` numbers of x and y, from `start` on. */
export function dot(x, y, start = 0, length = x.length) {
  let sum = 0;
  for (let i = start; i < start + length; i++) sum += x[i] * y[i];
  return sum;
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
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const scale = 1 / Math.sqrt(variance + 1e-6);
  return x.map((value, i) => (value - mean) * scale * gamma[i] + beta[i]);
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
